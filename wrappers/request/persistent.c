/* Persistent requests: their starts, and the frees of requests. */
#include "functions.h"
#include "record/recorder.h"
#include "wrappers/request/completion.h"
#include "wrappers/roles.h"

void cs_request_freeing(struct cs_call *call, const struct cs_waiting *waiting)
{
    const struct cs_request *known = waiting->known;
    if (known && known->references && (known->flags & CS_REQUEST_PERSISTENT))
        cs_freeing(call, CALLSIGN_REQUEST, known->handle);
}

void cs_request_freed(struct cs_call *call, const struct cs_waiting *waiting, int result)
{
    cs_freed(call, result);
    if (cs_succeeded(call, result) && waiting->known && waiting->known->references)
        cs_request_drop(&cs_requests, waiting->known->handle);
}

/* Bytes of a persistent transfer count at each start, in a cell of the start; the call itself is counted by cs_leave.
 */
void cs_requests_started(struct cs_call *call, const struct cs_waiting *waiting, int count)
{
    const struct cs_request *known = waiting->known;
    for (int i = 0; known && i < count; i++) {
        if (waiting->keys)
            cs_waiting_recall(waiting, i);
        if (!known[i].references)
            continue;
        struct cs_profile_key key = cs_profile_key(cs_call_profile_site(call), cs_profile_object(known[i].started),
                                                   call->function, cs_profile_size_class(known[i].started));
        cs_request_activate(&cs_requests, known[i].handle, &key);
        if (call->counted && !cs_recorder.paused && call->function == CS_MPI_Startall)
            cs_profile_more(call->thread, key, 0, known[i].sent_bytes, known[i].received_bytes);
    }
}

void cs_request_started(struct cs_call *call, const struct cs_waiting *waiting)
{
    const struct cs_request *known = waiting->known;
    if (!known || !known->references)
        return;
    cs_requests_started(call, waiting, 1);
    call->sent_bytes = known->sent_bytes;
    call->received_bytes = known->received_bytes;
    /* Only decides the size class, which the posted size decided when the request was made. */
    call->posted_bytes = cs_size_of_class(cs_profile_size_class(known->started));
}
