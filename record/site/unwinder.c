/* libcallsign-unwind.so: our only code that uses libunwind. It is a library of its own and opened locally, because
   libunwind exports a `backtrace` that would replace the C library's in the program. libunwind checks whether an
   address is readable by writing a byte from there into a pipe, which it keeps open. If a program closes descriptors
   that are not its own, its next file could get the pipe's number. The functions below replace the C library's for
   libunwind only (record/site/private_library.c): they open no descriptor and query the kernel directly. */
#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/other_stack.h"
#include "base/own_memory.h"
#include "record/site/unwinder.h"

#define EXPORT __attribute__((visibility("default")))

/* ---- library ---- */

/* No descriptor has these numbers; libunwind takes -1 for none. */
enum { PIPE_OUT = -0x43530001, PIPE_IN = -0x43530002 };

EXPORT int pipe2(int pipe[2], int flags)
{
    (void)flags;
    pipe[0] = PIPE_OUT;
    pipe[1] = PIPE_IN;
    return 0;
}

EXPORT ssize_t read(int file, void *data, size_t bytes)
{
    if (file != PIPE_OUT)
        return readv(file, &(struct iovec){data, bytes}, 1);
    errno = EAGAIN; /* open, and empty */
    return -1;
}

/* Number of readable bytes, up to 8. Only where process_vm_readv is forbidden does it open a pipe, for a moment. */
static ssize_t readable(const void *data, size_t bytes)
{
    char copy[8];
    return cs_own_memory_read((uintptr_t)data, copy, bytes < sizeof copy ? bytes : sizeof copy);
}

EXPORT ssize_t write(int file, const void *data, size_t bytes)
{
    return file == PIPE_IN ? readable(data, bytes) : writev(file, &(struct iovec){(void *)(uintptr_t)data, bytes}, 1);
}

/* libunwind avoids write(), where a thread can be cancelled. */
EXPORT long syscall(long number, ...)
{
    long argument[6];
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++)
        argument[i] = va_arg(arguments, long);
    va_end(arguments);
    if (number == SYS_write && (int)argument[0] == PIPE_IN)
        return readable((const void *)argument[1], (size_t)argument[2]);
    long (*next)(long, ...);
    *(void **)&next = dlsym(RTLD_NEXT, "syscall");
    return next(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
}

static int walk(unw_context_t *context, void **frame, int size)
{
    unw_cursor_t cursor;
    int count = 0;
    if (unw_init_local(&cursor, context) != 0)
        return 0;
    do {
        unw_word_t address = 0;
        if (unw_get_reg(&cursor, UNW_REG_IP, &address) != 0 || address == 0)
            break;
        frame[count++] = (void *)address;
    } while (count < size && unw_step(&cursor) > 0);
    return count;
}

/* Much slower than unw_backtrace, but examines every frame again. */
static int walk_anew(void **frame, int size)
{
    unw_context_t context;
    return unw_getcontext(&context) == 0 ? walk(&context, frame, size) : 0;
}

/* A walk on another stack, at whose end this lies. */
struct apart {
    unw_context_t context; /* of the stack that is walked */
    void **frame;
    int size, count;
};

static void walk_there(void *argument)
{
    struct apart *apart = argument;
    apart->count = walk(&apart->context, apart->frame, apart->size);
}

/* The frames stay while the other stack is in use, since this function does not return before. */
static int walk_apart(void **frame, int size, void *stack)
{
    struct apart *apart = stack;
    apart->frame = frame;
    apart->size = size;
    apart->count = 0;
    return unw_getcontext(&apart->context) == 0 &&
                   cs_other_stack_call(apart + 1, CS_UNWIND_STACK_BYTES - sizeof *apart, walk_there, apart)
               ? apart->count
               : 0;
}

/* Code with branch protection signs the return addresses that it stores. unw_backtrace leaves the signatures in. */
static int strip_signatures(void **frame, int count)
{
#ifdef __aarch64__
    for (int i = 0; i < count; i++) {
        register void *address __asm__("x30") = frame[i];
        __asm__("hint #7" : "+r"(address)); /* xpaclri: processors without signatures ignore it */
        frame[i] = address;
    }
#else
    (void)frame;
#endif
    return count;
}

EXPORT int callsign_unwind(void **frame, int size, enum cs_unwind how, void *stack)
{
    if (how == CS_UNWIND_FLUSHED)
        unw_flush_cache(unw_local_addr_space, 0, 0);
    if (stack)
        return strip_signatures(frame, walk_apart(frame, size, stack));
    return strip_signatures(frame, how == CS_UNWIND_FAST ? unw_backtrace(frame, size) : walk_anew(frame, size));
}

EXPORT bool callsign_unwind_bounds(uint64_t address, uint64_t *begin, uint64_t *end)
{
    unw_proc_info_t about;
    if (unw_get_proc_info_by_ip(unw_local_addr_space, address, &about, NULL) != 0)
        return false;
    *begin = about.start_ip;
    *end = about.end_ip;
    return address - *begin < *end - *begin;
}

enum { STEPS_MOST = 256 };

EXPORT bool callsign_unwind_frame(uint64_t address, uint64_t *pc, uint64_t *top)
{
    unw_context_t context;
    unw_cursor_t cursor;
    unw_word_t ip = 0, sp = 0;
    int steps = 0;
    if (unw_getcontext(&context) != 0 || unw_init_local(&cursor, &context) != 0)
        return false;
    while (sp <= address)
        if (steps++ == STEPS_MOST || unw_get_reg(&cursor, UNW_REG_IP, &ip) != 0 || unw_step(&cursor) <= 0 ||
            unw_get_reg(&cursor, UNW_REG_SP, &sp) != 0)
            return false;
    void *code[] = {(void *)ip};
    strip_signatures(code, 1);
    *pc = (uint64_t)(uintptr_t)code[0];
    *top = sp;
    return true;
}

/* ---- words ---- */

/* README.md of this folder explains how a walk depends on words of the stack: each step of the unwinder is repeated
   in a forged frame. */

#if defined(__x86_64__)

enum { FORGED_WORDS = 8192, MIDDLE = FORGED_WORDS / 2, WORD = sizeof(uint64_t) };

/* The value of all words and registers of a forged frame: an address in its middle, so that a rule that follows it
   reads forged memory. It is no multiple of 8, as all addresses of frames are, so it is never mistaken for one. */
static uint64_t marker_of(const uint64_t *memory)
{
    return (uint64_t)(uintptr_t)&memory[MIDDLE] + WORD / 2;
}

struct state {
    uint64_t ip, sp, bp;
};

struct step {
    bool ended;
    struct state to;   /* the caller's */
    uint64_t bp_saved; /* address of the caller's saved bp; 0: not saved, unchanged */
};

/* One step of the unwinder from there. Other registers than the three hold `other`. Returns false if it fails. */
static bool step_from(const struct state *from, uint64_t other, struct step *step)
{
    unw_context_t context;
    unw_cursor_t cursor;
    unw_word_t ip = 0, sp = 0, bp = 0;
    unw_save_loc_t saved;
    memset(&context, 0, sizeof context);
    for (int i = 0; i < NGREG && i <= REG_RCX; i++)
        context.uc_mcontext.gregs[i] = (greg_t)other;
    context.uc_mcontext.gregs[REG_RIP] = (greg_t)from->ip;
    context.uc_mcontext.gregs[REG_RSP] = (greg_t)from->sp;
    context.uc_mcontext.gregs[REG_RBP] = (greg_t)from->bp;
    if (unw_init_local(&cursor, &context) != 0)
        return false;
    int result = unw_step(&cursor);
    *step = (struct step){.ended = result == 0};
    if (result <= 0)
        return result == 0;
    if (unw_get_reg(&cursor, UNW_REG_IP, &ip) != 0 || unw_get_reg(&cursor, UNW_REG_SP, &sp) != 0 ||
        unw_get_reg(&cursor, UNW_X86_64_RBP, &bp) != 0 || unw_get_save_loc(&cursor, UNW_X86_64_RBP, &saved) != 0)
        return false;
    step->ended = ip == 0;
    step->to = (struct state){ip, sp, bp};
    if (saved.type == UNW_SLT_MEMORY && saved.u.addr - (uint64_t)(uintptr_t)&context >= sizeof context)
        step->bp_saved = saved.u.addr;
    return true;
}

/* True if the step is the same, `moved` bytes away, in a frame with `forged` registers. */
static bool same_when_moved(uint64_t *memory, const struct state *forged, const struct step *real, uint64_t moved)
{
    struct step step;
    uint64_t marker = marker_of(memory);
    uint64_t *slot = (uint64_t *)(uintptr_t)(real->to.sp - WORD + moved);
    if (slot < memory || slot >= memory + FORGED_WORDS)
        return false;
    uint64_t former = *slot;
    *slot = real->to.ip;
    bool same = step_from(forged, marker, &step) && !step.ended && step.to.ip == real->to.ip &&
                step.to.sp == real->to.sp + moved && step.bp_saved == (real->bp_saved ? real->bp_saved + moved : 0);
    *slot = former;
    return same;
}

enum rule { BY_STACK_POINTER, BY_FRAME_POINTER, UNKNOWN };

static enum rule rule_of(uint64_t *memory, const struct state *from, const struct step *real)
{
    uint64_t marker = marker_of(memory);
    uint64_t begin = (uint64_t)(uintptr_t)&memory[0];
    if (real->to.sp - from->sp > (FORGED_WORDS - 1) * WORD)
        return UNKNOWN;
    if (same_when_moved(memory, &(struct state){from->ip, begin, marker}, real, begin - from->sp))
        return BY_STACK_POINTER;
    uint64_t forged_bp = (uint64_t)(uintptr_t)&memory[MIDDLE];
    if (real->to.sp == from->bp + 2 * WORD &&
        same_when_moved(memory, &(struct state){from->ip, begin, forged_bp}, real, forged_bp - from->bp))
        return BY_FRAME_POINTER;
    return UNKNOWN;
}

/* True if the end of the stack does not depend on its address. */
static bool ends_anywhere(const uint64_t *memory, const struct state *from)
{
    struct step step;
    uint64_t marker = marker_of(memory);
    return step_from(from, marker, &step) && step.ended &&
           step_from(&(struct state){from->ip, (uint64_t)(uintptr_t)memory, marker}, marker, &step) && step.ended;
}

static bool word_add(struct cs_word *words, size_t room, size_t *count, uint64_t at)
{
    if (*count == room)
        return false;
    const uint64_t *word = (const uint64_t *)(uintptr_t)at;
    words[(*count)++] = (struct cs_word){word, *word};
    return true;
}

/* Finds the words from one frame to the next; returns false if that fails. bp_saved: address of the frame's saved
   bp; 0 if there is a word for it. */
static bool follow(uint64_t *memory, struct state *state, uint64_t *bp_saved, uint64_t expected, struct cs_word *words,
                   size_t room, size_t *count)
{
    struct step real;
    if (!step_from(state, marker_of(memory), &real) || real.ended || real.to.ip != expected)
        return false;
    enum rule rule = rule_of(memory, state, &real);
    if (rule == UNKNOWN)
        return false;
    if (rule == BY_FRAME_POINTER && *bp_saved && !word_add(words, room, count, *bp_saved))
        return false;
    if (rule == BY_FRAME_POINTER)
        *bp_saved = 0;
    if (!word_add(words, room, count, real.to.sp - WORD) || words[*count - 1].value != expected)
        return false;
    if (real.bp_saved)
        *bp_saved = real.bp_saved;
    *state = real.to;
    return true;
}

EXPORT size_t callsign_unwind_words(const uint64_t *base, void *const *frame, size_t frames, bool complete,
                                    struct cs_word *words, size_t room)
{
    uint64_t *memory = malloc(FORGED_WORDS * sizeof *memory);
    size_t count = 0;
    if (!memory)
        return 0;
    for (size_t i = 0; i < FORGED_WORDS; i++)
        memory[i] = marker_of(memory);
    struct state state = {(uint64_t)(uintptr_t)frame[0], (uint64_t)(uintptr_t)(base + 2), base[0]};
    uint64_t bp_saved = (uint64_t)(uintptr_t)base;
    bool known = true;
    for (size_t i = 1; i < frames && known; i++)
        known = follow(memory, &state, &bp_saved, (uint64_t)(uintptr_t)frame[i], words, room, &count);
    if (known && complete)
        known = ends_anywhere(memory, &state);
    free(memory);
    return known ? count : 0;
}

#else

EXPORT size_t callsign_unwind_words(const uint64_t *base, void *const *frame, size_t frames, bool complete,
                                    struct cs_word *words, size_t room)
{
    (void)base, (void)frame, (void)frames, (void)complete, (void)words, (void)room;
    return 0;
}

#endif
