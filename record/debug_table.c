#include "record/debug_table.h"

#include <assert.h>

#include "functions.h"
#include "record/message/request.h"
#include "record/process/recorder.h"
#include "record/process/thread.h"

#define SAME(ours, field, theirs, public_field)                                                                        \
    static_assert(offsetof(struct ours, field) == offsetof(struct theirs, public_field), "as debuggers know it")

SAME(cs_thread, older, callsign_thread, next);
SAME(cs_thread, state, callsign_thread, journal_state);
SAME(cs_thread, number, callsign_thread, number);
SAME(cs_thread, tid, callsign_thread, tid);
SAME(cs_thread, depth, callsign_thread, depth);
SAME(cs_thread, ended, callsign_thread, ended);
SAME(cs_thread, last_site, callsign_thread, last_site);
SAME(cs_thread, last_ticks, callsign_thread, last_ticks);
SAME(cs_thread, last_peer, callsign_thread, last_peer);
SAME(cs_thread, last_tag, callsign_thread, last_tag);
SAME(cs_thread, last_about, callsign_thread, last_object);
SAME(cs_thread, last_function, callsign_thread, last_function);
SAME(cs_thread, last_waits, callsign_thread, last_waits);
SAME(cs_thread, frames, callsign_thread, calls);
SAME(cs_thread, counted, callsign_thread, calls[CS_DEPTH_MAX]);

static_assert(sizeof(struct cs_request) == sizeof(struct callsign_request), "debuggers step from one to the next");
SAME(cs_request, handle, callsign_request, handle);
SAME(cs_request, started, callsign_request, site);
SAME(cs_request, started.what, callsign_request, object); /* the word contains the function, too: see cs_profile_key */
SAME(cs_request, made, callsign_request, made);
SAME(cs_request, references, callsign_request, references);
SAME(cs_request, flags, callsign_request, flags);
SAME(cs_request, peer, callsign_request, peer);
SAME(cs_request, tag, callsign_request, tag);
SAME(cs_request, bytes, callsign_request, bytes);
static_assert(offsetof(struct cs_request_table, mask) - offsetof(struct cs_request_table, slots) ==
                      offsetof(struct callsign_requests, mask) &&
                  offsetof(struct cs_request_table, count) - offsetof(struct cs_request_table, slots) ==
                      offsetof(struct callsign_requests, count),
              "as debuggers know it");

static_assert(CS_PEER_ANY == CALLSIGN_PEER_ANY && CS_PEER_NULL == CALLSIGN_PEER_NULL &&
                  CS_PEER_ROOT == CALLSIGN_PEER_ROOT && CS_TAG_ANY == CALLSIGN_TAG_ANY &&
                  CS_NO_PEER == CALLSIGN_NO_PEER && CS_NO_TAG == CALLSIGN_NO_TAG,
              "peers and tags are told as they stand");
static_assert(sizeof(struct callsign_instant) == sizeof(struct cs_clock_pair) &&
                  offsetof(struct callsign_instant, realtime_ns) == offsetof(struct cs_clock_pair, realtime_ns),
              "an instant is a pair of clock readings");

static uint64_t address_of(const void *what)
{
    return (uint64_t)(uintptr_t)what;
}

static struct callsign_instant instant(const struct cs_clock_pair *pair)
{
    return (struct callsign_instant){pair->ticks, pair->monotonic_ns, pair->realtime_ns};
}

void cs_debugger_start(void)
{
    const struct cs_journal_header *header = cs_journal_header(cs_recorder.journal);
    callsign_debug.functions = address_of(cs_function_text);
    callsign_debug.functions_bytes = cs_function_text_bytes;
    callsign_debug.requests = address_of(&cs_requests.slots);
    callsign_debug.messages = address_of(&cs_messages.slots);
    callsign_debug.journal = address_of(cs_journal_path(cs_recorder.journal));
    callsign_debug.ticks_per_second = header->ticks_per_second;
    callsign_debug.first = instant(&header->first);
    callsign_debug.last = instant(&header->last);
}

void cs_debugger_constants(struct callsign_constant *constants, size_t count)
{
    callsign_debug.constant_count = count;
    callsign_debug.constants = address_of(constants);
}

void cs_debugger_update_clock(void)
{
    callsign_debug.last = instant(&cs_journal_header(cs_recorder.journal)->last);
}

void cs_debugger_mark(uint64_t flag)
{
    __atomic_fetch_or(&callsign_debug.flags, flag, __ATOMIC_RELAXED);
}
