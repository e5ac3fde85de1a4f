#include "record/site/tail_call.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "base/own_memory.h"
#include "journal/format.h"
#include "journal_writers.h"
#include "record/process/recorder.h"
#include "record/site/module.h"
#include "record/site/private_library.h"

enum { SEEN_LOG2 = 8 };

/* The last return addresses, each in the slot of its hash: one comes again for each communicator and size. */
static _Atomic uint64_t seen[1 << SEEN_LOG2];

static bool is_seen(uint64_t address)
{
    _Atomic uint64_t *slot = &seen[address * 0x9e3779b97f4a7c15u >> (64 - SEEN_LOG2)];
    return atomic_exchange_explicit(slot, address, memory_order_relaxed) == address;
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
