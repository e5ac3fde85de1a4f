#include "wrappers/call/synchronizing.h"

#include "record/synchronization.h"

void cs_synchronizing_recorded(struct cs_call *call)
{
    cs_synchronization_enter(call->thread, call->on->id);
}

void cs_synchronized_recorded(struct cs_call *call)
{
    cs_synchronization_leave(call->thread, call->on->id, (struct cs_synchronization_span){call->start, call->stop});
}

void cs_synchronized_by_data_recorded(struct cs_call *call)
{
    struct cs_synchronization_span span = {.entered = call->sent_bytes ? call->start : 0,
                                           .left = call->received_bytes ? call->stop : 0};
    if (span.entered || span.left)
        cs_synchronization_leave(call->thread, call->on->id, span);
    else
        cs_synchronization_pass(call->thread, call->on->id);
}
