#include "wrappers/request/persistent.h"

#include "functions.h"
#include "record/recorder.h"
#include "wrappers/envelope/envelope.h"
#include "wrappers/object/free.h"

void cs_freeing_request(struct cs_call *call, const struct cs_request_list *list)
{
    const struct cs_request *known = list->known;
    if (known && known->references && (known->flags & CS_REQUEST_PERSISTENT))
        cs_freeing(call, CALLSIGN_REQUEST, known->handle);
}

void cs_request_freed(struct cs_call *call, const struct cs_request_list *list)
{
    const struct cs_request *known = list->known;
    if (!known || !known->references)
        return;
    if (call->counted && !cs_is_paused() && cs_request_needs_status(known))
        cs_envelope_untold(call, known);
    cs_request_drop(&cs_requests, known->handle);
}

void cs_partitions_ready(struct cs_call *call, const struct cs_request_list *list, int count)
{
    (void)call;
    if (list->known && list->known->references && count > 0)
        cs_request_add_ready(&cs_requests, list->known->handle, count);
}

void cs_partition_ready(struct cs_call *call, const struct cs_request_list *list)
{
    cs_partitions_ready(call, list, 1);
}

void cs_partition_range_ready(struct cs_call *call, const struct cs_request_list *list, int low, int high)
{
    cs_partitions_ready(call, list, high - low + 1);
}

/* Bytes of a persistent transfer count at each start, in a cell of the start. MPI_Start has one of its own, which
   cs_leave adds to; the cells of what MPI_Startall starts differ. */
void cs_requests_started(struct cs_call *call, const struct cs_request_list *list)
{
    for (int i = 0; list->known && i < list->count; i++) {
        const struct cs_request *known = cs_request_at(list, i);
        if (!known->references)
            continue;
        struct cs_profile_key key = cs_profile_key(cs_call_profile_site(call), cs_profile_object(known->started),
                                                   call->function, cs_profile_size_class(known->started));
        cs_request_activate(&cs_requests, known->handle, key);
        if (call->counted && !cs_is_paused() && known->flags & CS_REQUEST_SENDS) {
            struct cs_envelope envelope = cs_request_envelope(known);
            envelope.site = key.site;
            cs_envelope_sent(call, &envelope, (call->stop - call->start) / (uint64_t)list->count);
        }
        if (call->function == CS_MPI_Start) {
            call->sent_bytes = known->sent_bytes;
            call->received_bytes = known->received_bytes;
            /* Only decides the size class, which the posted size decided when the request was made. */
            call->posted_bytes = cs_size_of_class(cs_profile_size_class(known->started));
        } else if (call->counted && !cs_is_paused()) {
            cs_profile_more(call->thread, key, 0, known->sent_bytes, known->received_bytes);
        }
    }
}
