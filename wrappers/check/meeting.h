/* Since all have met. Nothing that another process did after a meeting, a collective call that nobody leaves before all
   have entered it, is known here until a call can hear of it. Puts and accumulations, shared locks, and calls that
   complete them hear nothing. All other calls may: they break the chain, because the number of the next call of the
   chain does not follow. There is no chain once several threads call the MPI, so it needs no lock. */
#pragma once

#include "record/process/recorder.h"
#include "wrappers/call/misuse.h"

struct cs_chain {
    bool holds;
    bool reading;            /* what accesses have read comes with their completion */
    uint64_t call;           /* number of its last call */
    uint32_t object, number; /* of the meeting */
};
extern struct cs_chain cs_chain __attribute__((visibility("hidden")));

/* The next call. hears: it may hear of others; reads: it will when it is complete. */
static inline void cs_chain_continue(struct cs_call *call, bool hears, bool reads)
{
    if (cs_is_parallel() || !cs_chain.holds)
        return;
    cs_chain.call++;
    cs_chain.holds = !hears && call->thread->state->calls == cs_chain.call;
    cs_chain.reading |= reads;
}

/* True if cs_chain_continue with an access will keep it. */
static inline bool cs_chain_takes(const struct cs_call *call)
{
    return !cs_is_parallel() && cs_chain.holds && call->thread->state->calls == cs_chain.call + 1;
}

/* True if the call belongs to it. */
static inline bool cs_chain_has(const struct cs_call *call)
{
    return !cs_is_parallel() && cs_chain.holds && cs_chain.call == call->thread->state->calls;
}

/* Before the call. */
void cs_continues_by_access(struct cs_call *call);
void cs_continues_by_reading(struct cs_call *call);
void cs_continues_by_lock(struct cs_call *call, int64_t lock_type);
void cs_continues_by_completion(struct cs_call *call);

/* After a meeting. */
void cs_note_meeting(struct cs_call *call);
static inline void cs_check_meeting(struct cs_call *call)
{
    if (cs_is_checked(call))
        cs_note_meeting(call);
}
