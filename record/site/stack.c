#include "record/site/stack.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/keep_errno.h"
#include "base/log.h"
#include "base/other_stack.h"
#include "base/settings.h"
#include "base/symbols/resolver.h"
#include "record/process/recorder.h"
#include "record/site/module.h"
#include "record/site/private_library.h"
#include "record/site/recognized.h"
#include "record/site/tail_call.h"

enum {
    PARTIAL_MOST = 16384, /* limit of stacks that are partial because of CS_STACKS_MOST */
    SEGMENT_LOG2 = 9,     /* entries that are allocated together */
    CACHE_SLOTS = 256,    /* cache slots of a thread */
    NEEDED_BYTES = 16384, /* stack for the unwinder's first look at a frame and for our own work */
};

struct entry {
    uint64_t hash;
    uint64_t pc;
    uint64_t maker;       /* innermost address whose library creates objects for itself; 0: none */
    uint64_t python;      /* the innermost frame if it is one of Python; otherwise 0 */
    _Atomic bool is_told; /* the journal has it. C frames alone are not told if they are a part of a Python stack */
};

struct cs_stack_cache {
    struct {
        uint64_t hash;
        uint32_t number;
    } slot[CACHE_SLOTS];
};

static cs_unwind_function *unwind;
static cs_unwind_words_function *unwind_words;
static cs_unwind_frame_function *unwind_frame;
static enum cs_unwind fast = CS_UNWIND_FAST;

/* Entries never move. Numbers begin with 1. */
static struct entry *segments[(CS_STACKS_MOST + PARTIAL_MOST) >> SEGMENT_LOG2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t count;
static uint32_t *table; /* numbers, open addressing by hash */
static uint32_t table_slots;

void cs_stack_set_unwinder(cs_unwind_function *unwinder, cs_unwind_words_function *words)
{
    unwind = unwinder;
    unwind_words = words;
}

/* The fast walk keeps its findings under a key of threads. If none is left, it writes another library's. */
static enum cs_unwind choose_fast(void)
{
    pthread_key_t key;
    if (pthread_key_create(&key, NULL) != 0)
        return CS_UNWIND_ANEW;
    pthread_key_delete(key);
    return CS_UNWIND_FAST;
}

void cs_stack_start(void)
{
    void *first[CS_STACK_DEPTH];
    const char *why = "";
    cs_recorder.stacks = !cs_setting_is(CS_SETTING_STACKS, "none");
    cs_recorder.call_stacks = cs_setting_is(CS_SETTING_STACKS, "calls");
    if (!cs_recorder.stacks || unwind)
        return;
    *(void **)&unwind = cs_private_library_open("libcallsign-unwind.so", "callsign_unwind", &why);
    cs_unwind_bounds_function *bounds = NULL;
    *(void **)&bounds = cs_private_library_open("libcallsign-unwind.so", "callsign_unwind_bounds", &why);
    cs_tail_call_set_bounds(bounds);
    if (cs_setting_is(CS_SETTING_RECOGNIZE, "on"))
        *(void **)&unwind_words = cs_private_library_open("libcallsign-unwind.so", "callsign_unwind_words", &why);
    if (!cs_setting_is(CS_SETTING_CHECK, "tell"))
        *(void **)&unwind_frame = cs_private_library_open("libcallsign-unwind.so", "callsign_unwind_frame", &why);
    fast = choose_fast();
    if (unwind)
        unwind(first, CS_STACK_DEPTH, fast, NULL);
    else if (!cs_is_linked_statically())
        cs_log("call sites are recorded without their callers: %s", why);
}

/* ---- numbers ---- */

static struct entry *entry_at(uint32_t number)
{
    return &segments[(number - 1) >> SEGMENT_LOG2][(number - 1) & ((1u << SEGMENT_LOG2) - 1)];
}

static bool is_told(uint32_t number)
{
    return atomic_load_explicit(&entry_at(number)->is_told, memory_order_acquire);
}

uint64_t cs_stack_pc(uint64_t site)
{
    return site & CS_SITE_STACK ? entry_at((uint32_t)site)->pc : site;
}

uint64_t cs_stack_line(uint64_t site)
{
    return site & CS_SITE_STACK && !entry_at((uint32_t)site)->python ? cs_stack_pc(site) : site;
}

uint64_t cs_stack_innermost(uint64_t site)
{
    uint64_t python = site & CS_SITE_STACK ? entry_at((uint32_t)site)->python : 0;
    return python ? python : cs_stack_pc(site);
}

uint64_t cs_stack_maker(uint64_t site)
{
    if (site & CS_SITE_STACK)
        return entry_at((uint32_t)site)->maker;
    return cs_module_is_maker(site) ? site : 0;
}

static uint64_t hash_of(void *const *frame, size_t frames, uint64_t seed)
{
    uint64_t hash = cs_hash_mix(0, seed + 1);
    for (size_t i = 0; i < frames; i++)
        hash = cs_hash_mix(hash, (uint64_t)(uintptr_t)frame[i]);
    return hash;
}

static bool table_make_room(void)
{
    if (table && count * 2 < table_slots)
        return true;
    uint32_t slots = table ? 2 * table_slots : 1024;
    uint32_t *made = calloc(slots, sizeof *made);
    if (!made)
        return false;
    for (uint32_t number = 1; number <= count; number++) {
        uint64_t slot = entry_at(number)->hash & (slots - 1);
        while (made[slot])
            slot = (slot + 1) & (slots - 1);
        made[slot] = number;
    }
    free(table);
    table = made;
    table_slots = slots;
    return true;
}

static uint64_t maker_among(void *const *frame, size_t frames)
{
    for (size_t i = 0; i < frames; i++)
        if (cs_module_is_maker((uint64_t)(uintptr_t)frame[i]))
            return (uint64_t)(uintptr_t)frame[i];
    return 0;
}

static uint32_t entry_new(uint64_t hash, uint64_t pc, uint64_t maker)
{
    struct entry **segment = &segments[count >> SEGMENT_LOG2];
    if (!*segment)
        *segment = calloc((size_t)1 << SEGMENT_LOG2, sizeof **segment);
    if (!*segment)
        return 0;
    uint32_t number = ++count;
    *entry_at(number) = (struct entry){.hash = hash, .pc = pc, .maker = maker};
    return number;
}

struct told {
    struct cs_fact_stack head;
    uint64_t address[CS_STACK_DEPTH];
    bool is_partial;
};

/* Frames may be missing behind code that was generated at run time, because the unwinder guesses its callers. */
static void told_add(struct told *told, uint64_t address)
{
    bool is_code = !(address & CS_SITE_STACK);
    if (told->head.count == CS_STACK_DEPTH || address == CS_SITE_PARTIAL ||
        (is_code && cs_module_is_generated(address)))
        told->is_partial = true;
    if (told->head.count < CS_STACK_DEPTH && address != CS_SITE_PARTIAL)
        told->address[told->head.count++] = address;
}

/* is_walked: the frames are all of a stack, as the unwinder found them. */
static void tell(uint32_t number, void *const *frame, size_t frames, bool is_walked)
{
    struct told told = {.head.stack = number};
    for (size_t i = 0; i < frames; i++) {
        uint64_t address = (uint64_t)(uintptr_t)frame[i];
        uint64_t left = is_walked && i > 0 ? cs_tail_call_find_between(address, (uint64_t)(uintptr_t)frame[i - 1]) : 0;
        if (left)
            told_add(&told, left + CS_TAIL_CALL_OFFSET);
        if (address & CS_SITE_STACK || cs_module_find_owner(address) != CS_MODULE_CALLSIGN)
            told_add(&told, address);
    }
    if (told.is_partial) {
        told.head.count -= told.head.count == CS_STACK_DEPTH;
        told.address[told.head.count++] = CS_SITE_PARTIAL;
    }
    if (told.address[0] == entry_at(number)->pc)
        cs_tail_call_record(told.address[0]);
    cs_journal_append(cs_recorder.journal, CS_FACT_STACK, &told.head.fact,
                      sizeof told.head + told.head.count * sizeof told.address[0]);
}

static bool is_partial(void *const *frame, size_t frames)
{
    return frames == 2 && (uint64_t)(uintptr_t)frame[1] == CS_SITE_PARTIAL;
}

/* With the lock. maker NULL: among the frames. 0: too many stacks. */
static uint32_t find_or_add(uint64_t hash, uint64_t pc, const uint64_t *maker, void *const *frame, size_t frames)
{
    uint32_t number = 0;
    bool room = table_make_room();
    uint64_t slot = room ? hash & (table_slots - 1) : 0;
    for (; room && table[slot] && !number; slot = (slot + 1) & (table_slots - 1))
        if (entry_at(table[slot])->hash == hash)
            number = table[slot];
    if (room && !number && count < CS_STACKS_MOST + (is_partial(frame, frames) ? PARTIAL_MOST : 0)) {
        number = entry_new(hash, pc, maker ? *maker : maker_among(frame, frames));
        table[slot] = number;
        if (number)
            entry_at(number)->python =
                (uint64_t)(uintptr_t)frame[0] & CS_SITE_STACK ? (uint64_t)(uintptr_t)frame[0] : 0;
    }
    return number;
}

/* The number of a stack that is not in the thread's cache; 0: too many stacks. The journal gets the stack before any
   use of its number in facts. */
static uint32_t intern(uint64_t hash, uint64_t pc, const uint64_t *maker, void *const *frame, size_t frames, bool tells)
{
    pthread_mutex_lock(&lock);
    uint32_t number = find_or_add(hash, pc, maker, frame, frames);
    if (number && tells && !is_told(number)) {
        tell(number, frame, frames, !maker);
        atomic_store_explicit(&entry_at(number)->is_told, true, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return number;
}

/* intern, or if there are too many stacks, that of the innermost frame alone. seed: for its hash. */
static uint32_t intern_or_shorten(uint64_t hash, uint64_t seed, uint64_t pc, const uint64_t *maker, void *const *frame,
                                  size_t frames, bool tells)
{
    uint32_t number = intern(hash, pc, maker, frame, frames, tells);
    void *innermost[] = {frame[0], (void *)(uintptr_t)CS_SITE_PARTIAL};
    return number ? number : intern(cs_hash_mix(hash_of(innermost, 2, seed), pc), pc, maker, innermost, 2, tells);
}

static uint64_t number_of(struct cs_thread *thread, uint64_t hash, void *const *frame, size_t frames, bool tells)
{
    if (!thread->stacks)
        thread->stacks = calloc(1, sizeof *thread->stacks);
    size_t slot = hash >> 56 & (CACHE_SLOTS - 1);
    uint32_t number = thread->stacks && thread->stacks->slot[slot].hash == hash ? thread->stacks->slot[slot].number : 0;
    if (number && (!tells || is_told(number)))
        return CS_SITE_STACK | number;
    number = intern_or_shorten(hash, 0, (uint64_t)(uintptr_t)frame[0], NULL, frame, frames, tells);
    if (!number)
        return (uint64_t)(uintptr_t)frame[0];
    if (thread->stacks) {
        thread->stacks->slot[slot].hash = hash;
        thread->stacks->slot[slot].number = number;
    }
    return CS_SITE_STACK | number;
}

uint64_t cs_stack_intern(uint64_t return_address, uint64_t maker, void *const *frame, size_t frames)
{
    enum { INTERNED = 0x7079 }; /* unlike any count of replaced code */
    uint64_t hash = cs_hash_mix(cs_hash_mix(hash_of(frame, frames, INTERNED), return_address), maker);
    uint32_t number = intern_or_shorten(hash, INTERNED, return_address, &maker, frame, frames, true);
    return number ? CS_SITE_STACK | number : return_address;
}

uint64_t cs_stack_of_library(struct cs_thread *thread, uint64_t return_address)
{
    uint64_t library = return_address & CS_SITE_STACK ? 0 : cs_module_find_name(return_address);
    if (!library)
        return return_address;
    void *frame[] = {(void *)(uintptr_t)return_address};
    CS_KEEP_ERRNO;
    return number_of(thread, hash_of(frame, 1, library), frame, 1, true);
}

/* ---- walking ---- */

extern void *__libc_stack_end;

static void find_bounds(struct cs_thread *thread)
{
    CS_KEEP_ERRNO;
    pthread_attr_t about;
    void *low;
    size_t bytes;
    struct rlimit limit;
    thread->stack_bytes = 1; /* nothing: tried */
    if (getpid() == (pid_t)thread->state->tid) {
        /* For the first thread, the C library would read /proc/self/maps. */
        if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur > (uint64_t)(uintptr_t)__libc_stack_end)
            limit.rlim_cur = (uint64_t)(uintptr_t)__libc_stack_end;
        thread->stack_low = (uint64_t)(uintptr_t)__libc_stack_end - limit.rlim_cur;
        thread->stack_bytes = limit.rlim_cur;
    } else if (pthread_getattr_np(pthread_self(), &about) == 0) {
        if (pthread_attr_getstack(&about, &low, &bytes) == 0) {
            thread->stack_low = (uint64_t)(uintptr_t)low;
            thread->stack_bytes = bytes;
        }
        pthread_attr_destroy(&about);
    }
}

enum room {
    ROOM_NONE,
    ROOM_ENOUGH,
    ROOM_UNKNOWN /* a coroutine's stack: its end is not known */
};

/* Threads may have small stacks, and signal stacks are smaller still. */
static enum room room_of(struct cs_thread *thread, size_t bytes)
{
    uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    if (!thread->stack_bytes)
        find_bounds(thread);
    if (here - thread->stack_low < thread->stack_bytes)
        return here - thread->stack_low >= bytes ? ROOM_ENOUGH : ROOM_NONE;
    stack_t signals;
    if (sigaltstack(NULL, &signals) == 0 && signals.ss_flags & SS_ONSTACK)
        return here - (uint64_t)(uintptr_t)signals.ss_sp >= bytes ? ROOM_ENOUGH : ROOM_NONE;
    return ROOM_UNKNOWN;
}

bool cs_stack_has_room(struct cs_thread *thread, size_t bytes)
{
    return room_of(thread, bytes) != ROOM_NONE;
}

/* Not inlined, so that data elsewhere, the usual case, costs few instructions. */
__attribute__((noinline)) bool cs_stack_really_has(struct cs_thread *thread, uint64_t address)
{
    uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    if (!thread->stack_bytes)
        find_bounds(thread);
    return address - thread->stack_low < thread->stack_bytes && address > here &&
           here - thread->stack_low < thread->stack_bytes;
}

static const struct cs_recognized_code code = {.replaced = cs_module_count_replaced, .stays = cs_module_is_permanent};

/* The index of a return address among the frames; `frames` if it is missing. */
static size_t frame_of(void *const *frame, size_t frames, uint64_t address)
{
    size_t i = 0;
    while (i < frames && (uint64_t)(uintptr_t)frame[i] != address)
        i++;
    return i;
}

/* The frames of this thread from callsign's outwards, and the index of its return address into the program. Returns
   their number; 0: it does not continue there. */
static size_t unwind_from(void **frame, int size, uint64_t return_address, enum cs_unwind how, void *stack,
                          size_t *first)
{
    int found = unwind(frame, size, how, stack);
    size_t frames = found > 0 ? (size_t)found : 0;
    *first = frame_of(frame, frames, return_address);
    return frames < *first + 2 ? 0 : frames;
}

/* The site of a call whose callers cannot be found. */
static uint64_t without_callers(struct cs_thread *thread, const struct cs_walk *walk)
{
    CS_KEEP_ERRNO;
    void *frame[] = {(void *)(uintptr_t)walk->site, (void *)(uintptr_t)CS_SITE_PARTIAL};
    return number_of(thread, hash_of(frame, 2, walk->replaced), frame, 2, walk->tells);
}

/* What is noted of a walk, so that the stack is recognized. */
struct noting {
    struct cs_recognized *recognized;
    const struct cs_walk *walk;
    uint64_t number;
    void *const *frame;
    size_t frames;
    bool complete;
};

static void note(void *argument)
{
    const struct noting *noting = argument;
    cs_recognized_note(noting->recognized, &code, noting->walk, noting->number, unwind_words, noting->frame,
                       noting->frames, noting->complete);
}

/* stack: where to work; NULL: on the thread's. */
static uint64_t walk_now(struct cs_thread *thread, const struct cs_walk *walk, void *stack)
{
    CS_KEEP_ERRNO;
    void *frame[CS_STACK_WALK];
    enum cs_unwind how = !walk->replaced                      ? fast
                         : walk->replaced == thread->replaced ? CS_UNWIND_ANEW
                                                              : CS_UNWIND_FLUSHED;
    thread->replaced = walk->replaced;
    size_t first, frames = unwind_from(frame, CS_STACK_WALK, walk->site, how, stack, &first);
    if (!frames)
        return without_callers(thread, walk);
    uint64_t hash = hash_of(frame + first, frames - first, walk->replaced);
    uint64_t number = number_of(thread, hash, frame + first, frames - first, walk->tells);
    if (!thread->recognized && unwind_words)
        thread->recognized = cs_recognized_new();
    size_t asker = frame_of(frame, first + 1, walk->base[1]);
    if (!thread->recognized || asker > first || !unwind_words)
        return number;
    struct noting noting = {thread->recognized, walk, number, frame + asker, frames - asker, frames < CS_STACK_WALK};
    if (stack) /* looking at words takes 6 KiB */
        cs_other_stack_call(stack, CS_UNWIND_STACK_BYTES, note, &noting);
    else
        note(&noting);
    return number;
}

/* A coroutine may have a small stack. The thread has one for its walks, unless a signal interrupted the one that is on
   it. */
static uint64_t walk_apart(struct cs_thread *thread, const struct cs_walk *walk)
{
    if (!thread->walk_stack)
        thread->walk_stack = malloc(CS_UNWIND_STACK_BYTES);
    if (!thread->walk_stack || thread->walks)
        return walk->site; /* the interrupted walk may have the lock */
    thread->walks = true;
    atomic_signal_fence(memory_order_seq_cst);
    uint64_t site = walk_now(thread, walk, thread->walk_stack);
    atomic_signal_fence(memory_order_seq_cst);
    thread->walks = false;
    return site;
}

/* known: it, or NULL. */
static __attribute__((noinline)) uint64_t find_otherwise(struct cs_thread *thread, uint64_t return_address,
                                                         const void *base, bool tells, struct cs_known_stack *known)
{
    const uint64_t number = cs_recognized_current(thread->recognized, &code, known);
    if (number && (!tells || is_told((uint32_t)number)))
        return number;
    const struct cs_walk it = {
        .base = base, .site = return_address, .replaced = cs_module_count_replaced(), .tells = tells};
    enum room room = room_of(thread, NEEDED_BYTES);
    if (room == ROOM_UNKNOWN)
        return walk_apart(thread, &it);
    return room == ROOM_ENOUGH ? walk_now(thread, &it, NULL) : without_callers(thread, &it);
}

/* Never inlined: without a base, a stack is recognized from its own frame. It contains what it calls in the usual case
   (flatten), and saves no register for what it calls otherwise. */
__attribute__((noinline, flatten)) uint64_t cs_stack_find(struct cs_thread *thread, uint64_t return_address,
                                                          const void *base, bool tells)
{
    if (!base)
        base = __builtin_frame_address(0);
    if (!unwind || !return_address)
        return return_address;
    struct cs_known_stack *known = cs_recognized_find(thread->recognized, base, return_address);
    const uint64_t number = cs_recognized_lasting(known, tells);
    return __builtin_expect(number != 0, 1) ? number : find_otherwise(thread, return_address, base, tells, known);
}

size_t cs_stack_walk(struct cs_thread *thread, uint64_t return_address, void **frame)
{
    CS_KEEP_ERRNO;
    size_t first;
    if (!unwind || !cs_stack_has_room(thread, NEEDED_BYTES))
        return 0;
    size_t frames = unwind_from(frame, CS_STACK_WALK, return_address, CS_UNWIND_ANEW, NULL, &first);
    if (!frames)
        return 0;
    memmove(frame, frame + first, (frames - first) * sizeof *frame);
    return frames - first;
}

static bool is_frame(uint64_t value, void *const *frame, size_t frames)
{
    return frame_of(frame, frames, value) < frames;
}

/* Never inlined: as take. */
__attribute__((noinline)) uint64_t cs_stack_return_in(struct cs_thread *thread, uint64_t return_address, uint64_t begin,
                                                      uint64_t end)
{
    enum { WORDS = 2 * CS_STACK_DEPTH };
    CS_KEEP_ERRNO;
    void *frame[CS_STACK_WALK];
    struct cs_word word[WORDS];
    const uint64_t *base = __builtin_frame_address(0);
    size_t first;
    if (!unwind || !unwind_words || room_of(thread, NEEDED_BYTES + sizeof word) != ROOM_ENOUGH)
        return 0;
    size_t frames = unwind_from(frame, CS_STACK_WALK, return_address, CS_UNWIND_ANEW, NULL, &first);
    size_t asker = frame_of(frame, first, base[1]);
    if (!frames || asker >= first)
        return 0;
    size_t words = unwind_words(base, frame + asker, frames - asker, frames < CS_STACK_WALK, word, WORDS);
    for (size_t i = 0; i < words; i++) {
        uint64_t at = (uint64_t)(uintptr_t)word[i].at;
        if (at >= begin && at < end && is_frame(word[i].value, frame, frames))
            return at;
    }
    return 0;
}

bool cs_stack_find_frame(struct cs_thread *thread, uint64_t address, uint64_t *pc, uint64_t *top)
{
    CS_KEEP_ERRNO;
    return unwind_frame && room_of(thread, NEEDED_BYTES) == ROOM_ENOUGH && unwind_frame(address, pc, top);
}

void cs_stack_forget(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
