#include "wrappers/object/window_lock.h"

#include "record/window_lock.h"

void cs_locked_window(struct cs_call *call, int lock_type)
{
    if (call->counted && call->peer >= 0)
        cs_window_lock_taken(call->about, call->peer, lock_type == MPI_LOCK_EXCLUSIVE);
}

void cs_locked_all(struct cs_call *call)
{
    if (call->counted)
        cs_window_lock_taken(call->about, CS_PEER_ANY, false);
}

void cs_unlocked_window(struct cs_call *call)
{
    if (call->counted && call->peer >= 0)
        cs_window_lock_released(call->about, call->peer);
}

void cs_unlocked_all(struct cs_call *call)
{
    if (call->counted)
        cs_window_lock_released(call->about, CS_PEER_ANY);
}
