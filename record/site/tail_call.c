#include "record/site/tail_call.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "base/hash.h"
#include "base/own_memory.h"
#include "journal/format.h"
#include "journal_writers.h"
#include "record/process/recorder.h"
#include "record/site/module.h"
#include "record/site/private_library.h"

enum { SEEN_LOG2 = 8, KNOWN_LOG2 = 10 };

/* The last return addresses, each in the slot of its hash: one comes again for each communicator and size. */
static _Atomic uint64_t seen[1 << SEEN_LOG2];

static bool is_seen(uint64_t address)
{
    _Atomic uint64_t *slot = &seen[cs_hash_place(address, SEEN_LOG2)];
    return atomic_exchange_explicit(slot, address, memory_order_relaxed) == address;
}

static cs_unwind_bounds_function *find_bounds;

void cs_tail_call_set_bounds(cs_unwind_bounds_function *function)
{
    find_bounds = function;
}

/* Code may not be readable. */
static bool read_code(uint64_t address, void *code, size_t bytes)
{
    return cs_own_memory_read(address, code, bytes) == (ssize_t)bytes;
}

#if defined(__x86_64__)

enum { LOOKED_AT = 24 /* bytes of a function's begin */ };

static bool begins(const uint8_t *code, const char *bytes, size_t count)
{
    return memcmp(code, bytes, count) == 0;
}

static const uint8_t *after_landing_pad(const uint8_t *code)
{
    return begins(code, "\xf3\x0f\x1e\xfa", 4) ? code + 4 : code; /* endbr64 */
}

static bool read_begin(uint64_t address, uint8_t code[LOOKED_AT])
{
    memset(code, 0, LOOKED_AT);
    return cs_own_memory_read(address, code, LOOKED_AT) >= LOOKED_AT / 2;
}

/* The address that a jump or call by a word in memory leads to. 0: unreadable. rest: the offset of that word. */
static uint64_t follow_word(uint64_t next, const uint8_t *rest)
{
    int32_t offset;
    uint64_t target = 0;
    memcpy(&offset, rest, sizeof offset);
    return read_code(next + (uint64_t)(int64_t)offset, &target, sizeof target) ? target : 0;
}

/* The function behind an entry of a procedure linkage table; the function itself if it is none. 0: unknown. */
static uint64_t behind_entry(uint64_t function)
{
    uint8_t code[LOOKED_AT];
    if (!read_begin(function, code))
        return 0;
    const uint8_t *at = after_landing_pad(code);
    at += begins(at, "\x41\xbb", 2) ? 6 : 0; /* mold: mov $number, %r11d */
    at += *at == 0xf2;                       /* bnd */
    if (begins(at, "\xff\x25", 2))           /* jmp *offset(%rip) */
        return follow_word(function + (uint64_t)(at + 6 - code), at + 2);
    bool is_other_entry = begins(at, "\x4c\x8b\x1d", 3) || *at == 0x68; /* of lld for retpolines; not bound yet */
    bool is_thunk = begins(at, "\xe8\x07\x00\x00\x00\xf3\x90", 7);      /* a retpoline: an indirect call */
    return is_other_entry || is_thunk ? 0 : function;
}

/* True for what an entry leads to before its function is bound. */
static bool is_binder(uint64_t function)
{
    uint8_t code[LOOKED_AT];
    if (!read_begin(function, code))
        return true;
    const uint8_t *at = after_landing_pad(code);
    return *at == 0x68 || begins(at, "\x41\x53\xff\x35", 4) || begins(at, "\xff\x35", 2);
}

/* True for an indirect call of two or three bytes. */
static bool may_be_indirect(const uint8_t *end)
{
    enum { REGISTER = 070, CALL = 020, MODE = 0300, SHORT = 0100 };
    return (end[-2] == 0xff && (end[-1] & REGISTER) == CALL) ||
           (end[-3] == 0xff && (end[-2] & (MODE | REGISTER)) == (SHORT | CALL));
}

/* The function that the instruction before a return address calls. 0: unknown, as for indirect calls. */
static uint64_t find_called(uint64_t return_address)
{
    uint8_t code[6];
    int32_t offset;
    if (!read_code(return_address - sizeof code, code, sizeof code))
        return 0;
    uint64_t function = 0;
    if (begins(code, "\xff\x15", 2)) { /* call *offset(%rip) */
        function = follow_word(return_address, code + 2);
    } else if (code[1] == 0xe8 && !may_be_indirect(code + sizeof code)) { /* call offset */
        memcpy(&offset, code + 2, sizeof offset);
        function = behind_entry(return_address + (uint64_t)(int64_t)offset);
    }
    return function && !is_binder(function) ? function : 0;
}

/* A piece of code with one unwind rule. */
struct piece {
    uint64_t begin, end;
};

/* The bytes from which a jump may begin, and what lies behind them. */
struct window {
    uint64_t address;
    size_t bytes;
    uint8_t code[512];
};

enum { JUMP_BYTES = 6 /* the longest one */ };

static bool read_window(struct window *window, uint64_t address, uint64_t end)
{
    size_t room = end - address < sizeof window->code ? end - address : sizeof window->code;
    ssize_t got = cs_own_memory_read(address, window->code, room);
    window->address = address;
    window->bytes = got > 0 ? (size_t)got : 0;
    return window->bytes == room;
}

/* A jump by an offset. */
struct jump {
    uint64_t target;
    bool always; /* no condition */
};

static bool decode_jump(const struct window *window, size_t at, struct jump *jump)
{
    const uint8_t *code = window->code + at;
    size_t left = window->bytes - at;
    bool is_far = *code == 0xe9, is_near = *code == 0xeb;
    bool is_conditional = *code == 0x0f && left >= 2 && (code[1] & 0xf0) == 0x80;
    size_t opcode = is_conditional ? 2 : 1, bytes = opcode + (is_near ? 1 : 4);
    int32_t offset = 0;
    if ((!is_far && !is_near && !is_conditional) || left < bytes)
        return false;
    memcpy(&offset, code + opcode, bytes - opcode);
    *jump = (struct jump){window->address + at + bytes + (uint64_t)(int64_t)(is_near ? (int8_t)offset : offset),
                          !is_conditional};
    return true;
}

/* Calls `visit` for all bytes that look like a jump, until it returns true; returns whether it did. There may be a few
   too many, since instructions are not told apart: what they lead to is compared with an address or range. */
typedef bool jump_visitor(const struct jump *jump, const void *context);

static bool find_jump(const struct piece *piece, jump_visitor *visit, const void *context)
{
    enum { BYTES_MOST = 1 << 16 };
    struct window window;
    struct jump jump;
    uint64_t step = sizeof window.code - JUMP_BYTES;
    if (piece->end - piece->begin > BYTES_MOST)
        return false;
    for (uint64_t from = piece->begin; from < piece->end; from += step) {
        if (!read_window(&window, from, piece->end))
            return false;
        for (size_t at = 0; at < window.bytes && (at < step || window.bytes < sizeof window.code); at++)
            if (decode_jump(&window, at, &jump) && visit(&jump, context))
                return true;
    }
    return false;
}

/* Whether a jump shows that a piece is a part of the function that jumps: nobody jumps into another function, and
   compilers call one after a condition, but do not jump there. */
static bool is_to_part(const struct jump *jump, const void *context)
{
    const struct piece *piece = context;
    return jump->target - piece->begin < piece->end - piece->begin && (jump->target > piece->begin || !jump->always);
}

static bool is_inside(const struct jump *jump, const void *context)
{
    const struct piece *piece = context;
    return jump->target > piece->begin && jump->target < piece->end;
}

/* The function to which tail calls must lead, and how many there may be on the way. */
struct search {
    uint64_t from_begin, from_end, function;
    int most;
};

static bool leads_to(const struct piece *from, uint64_t function, int most);

static bool is_tail_call(const struct jump *jump, const void *context)
{
    const struct search *search = context;
    struct piece next;
    if (!jump->always || jump->target - search->from_begin < search->from_end - search->from_begin)
        return false;
    if (jump->target == search->function)
        return true;
    uint64_t function = behind_entry(jump->target);
    return function == search->function ||
           (search->most > 1 && function && find_bounds(function, &next.begin, &next.end) && next.begin == function &&
            leads_to(&next, search->function, search->most - 1));
}

static bool leads_to(const struct piece *from, uint64_t function, int most)
{
    return find_jump(from, is_tail_call, &(struct search){from->begin, from->end, function, most});
}

/* The kernel makes signal handlers return there, which is no call. */
static bool is_after_signal(uint64_t return_address)
{
    char code[9];
    return read_code(return_address, code, sizeof code) && memcmp(code, "\x48\xc7\xc0\x0f\0\0\0\x0f\x05", 9) == 0;
}

/* True if the function has ended in jumps to the one that an inner return address is in. That may be a part of the
   same function, which compilers put elsewhere if it rarely runs. */
static bool has_been_replaced(uint64_t function, uint64_t inner)
{
    enum { JUMPS_MOST = 4 };
    struct piece outer, replacing;
    return find_bounds(function, &outer.begin, &outer.end) && outer.begin == function &&
           find_bounds(inner - 1, &replacing.begin, &replacing.end) && replacing.begin != outer.begin &&
           !is_after_signal(inner) && !find_jump(&outer, is_to_part, &replacing) &&
           !find_jump(&replacing, is_inside, &outer) && leads_to(&outer, replacing.begin, JUMPS_MOST);
}

#elif defined(__aarch64__)

static uint64_t find_called(uint64_t return_address)
{
    uint32_t call, begin[2];
    if (!read_code(return_address - sizeof call, &call, sizeof call) || (call & 0xfc000000) != 0x94000000) /* bl */
        return 0;
    uint64_t function = return_address - sizeof call + (uint64_t)((int64_t)(int32_t)(call << 6) >> 4);
    if (!read_code(function, begin, sizeof begin))
        return 0;
    uint32_t first = begin[0] == 0xd503245f ? begin[1] : begin[0]; /* bti c */
    return (first & 0x9f00001f) == 0x90000010 ? 0 : function;      /* adrp x16: an entry of a linkage table */
}

#else

static uint64_t find_called(uint64_t return_address)
{
    (void)return_address;
    return 0;
}

#endif

#if !defined(__x86_64__)

/* Parts of a function look like functions of their own. */
static bool has_been_replaced(uint64_t function, uint64_t inner)
{
    (void)function, (void)inner;
    return false;
}

#endif

uint64_t cs_tail_call_find(uint64_t return_address)
{
    if (!return_address || return_address & CS_SITE_STACK || cs_is_linked_statically() ||
        cs_module_is_generated(return_address) || cs_module_find_owner(return_address) != CS_MODULE_PROGRAM)
        return 0;
    uint64_t function = find_called(return_address);
    bool is_known =
        function && cs_module_find_owner(function) == CS_MODULE_PROGRAM && !cs_module_is_generated(function);
    return is_known ? function : 0;
}

void cs_tail_call_record(uint64_t return_address)
{
    if (!return_address || return_address & CS_SITE_STACK || is_seen(return_address))
        return;
    uint64_t function = cs_tail_call_find(return_address);
    if (function)
        cs_write_tail_call(cs_recorder.journal,
                           (struct cs_fact_tail_call){.return_address = return_address, .function = function});
}

static uint64_t find_between(uint64_t return_address, uint64_t inner)
{
    uint64_t function = cs_module_is_generated(inner) ? 0 : cs_tail_call_find(return_address);
    return function && has_been_replaced(function, inner) ? function : 0;
}

struct known {
    uint64_t return_address, inner, function;
};

static uint64_t find_known(uint64_t return_address, uint64_t inner)
{
    static struct known known[1 << KNOWN_LOG2];
    static uint32_t replaced;
    uint32_t now = cs_module_count_replaced();
    struct known *it = &known[cs_hash_mix(cs_hash_mix(0, return_address), inner) >> (64 - KNOWN_LOG2)];
    if (replaced != now)
        memset(known, 0, sizeof known);
    replaced = now;
    if (it->return_address != return_address || it->inner != inner)
        *it = (struct known){return_address, inner, find_between(return_address, inner)};
    return it->function;
}

uint64_t cs_tail_call_find_between(uint64_t return_address, uint64_t inner)
{
    static atomic_flag busy = ATOMIC_FLAG_INIT;
    if (!find_bounds || !return_address || return_address & CS_SITE_STACK || inner & CS_SITE_STACK)
        return 0;
    if (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
        return find_between(return_address, inner);
    uint64_t function = find_known(return_address, inner);
    atomic_flag_clear_explicit(&busy, memory_order_release);
    return function;
}
