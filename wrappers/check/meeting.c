#include "wrappers/check/meeting.h"

struct cs_chain cs_chain;

void cs_note_meeting(struct cs_call *call)
{
    if (cs_is_parallel())
        return;
    cs_chain.holds = call->on && call->on->kind == CALLSIGN_COMMUNICATOR && call->on->remote_size < 0 && call->about &&
                     call->collective;
    cs_chain.reading = false;
    cs_chain.call = call->thread->state->calls;
    cs_chain.object = call->about;
    cs_chain.number = call->collective;
}

void cs_continues_by_access(struct cs_call *call)
{
    cs_chain_continue(call, false, false);
}

void cs_continues_by_reading(struct cs_call *call)
{
    cs_chain_continue(call, false, true);
}

void cs_continues_by_lock(struct cs_call *call, int64_t lock_type)
{
    cs_chain_continue(call, lock_type == MPI_LOCK_EXCLUSIVE, false);
}

void cs_continues_by_completion(struct cs_call *call)
{
    cs_chain_continue(call, cs_chain.reading, false);
}
