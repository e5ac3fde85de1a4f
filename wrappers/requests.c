/* What a request or matched message stands for, from the call that makes it. */
#include "record/request.h"

#include "wrappers/roles.h"

static struct cs_request request_of(struct cs_call *call, uint64_t handle)
{
    uint64_t bytes = call->sent_bytes > call->received_bytes ? call->sent_bytes : call->received_bytes;
    if (call->posted_bytes > bytes)
        bytes = call->posted_bytes;
    return (struct cs_request){
        .handle = handle,
        .started =
            cs_profile_key(cs_call_profile_place(call), call->communicator, call->function, cs_size_class(bytes)),
        .made = call->made,
        .flags = (call->receives ? CS_REQUEST_RECEIVES : 0) | (call->counted ? 0 : CS_REQUEST_INTERNAL)};
}

void cs_made_request(struct cs_call *call, MPI_Request request)
{
    if (request == MPI_REQUEST_NULL)
        return;
    struct cs_request made = request_of(call, CS_KEY(request));
    made.flags |= CS_REQUEST_ACTIVE;
    cs_request_put(&cs_requests, &made);
}

void cs_made_persistent(struct cs_call *call, MPI_Request request)
{
    struct cs_request made = request_of(call, CS_KEY(request));
    made.flags |= CS_REQUEST_PERSISTENT;
    made.sent_bytes = call->sent_bytes;
    made.received_bytes = call->received_bytes;
    call->sent_bytes = call->received_bytes = call->posted_bytes = 0;
    cs_request_put(&cs_requests, &made);
    cs_made(call, CALLSIGN_REQUEST, made.handle);
}

void cs_made_message(struct cs_call *call, MPI_Message message)
{
    if (message == MPI_MESSAGE_NULL || message == MPI_MESSAGE_NO_PROC)
        return;
    struct cs_request made = request_of(call, CS_KEY(message));
    cs_request_put(&cs_messages, &made);
}

/* The receive consumes the message whatever comes of it. */
void cs_on_message(struct cs_call *call, const MPI_Message *message)
{
    struct cs_request probed;
    if (!call->thread || !message || !cs_request_get(&cs_messages, CS_KEY(*message), &probed))
        return;
    call->communicator = cs_profile_communicator(probed.started);
    cs_request_drop(&cs_messages, probed.handle);
}
