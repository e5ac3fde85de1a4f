#include "wrappers/request/pending.h"

#include "record/request.h"
#include "wrappers/request/arrays.h"
#include "wrappers/call/about.h"
#include "wrappers/object/simple.h"

static struct cs_request request_of(struct cs_call *call, uint64_t handle)
{
    uint64_t bytes = call->sent_bytes > call->received_bytes ? call->sent_bytes : call->received_bytes;
    if (call->posted_bytes > bytes)
        bytes = call->posted_bytes;
    bool outermost = call->thread->depth == 1;
    return (struct cs_request){
        .handle = handle,
        .started = cs_profile_key(cs_call_profile_site(call), call->about, call->function, cs_size_class(bytes)),
        .made = call->made,
        .peer = outermost ? call->thread->state->peer : CS_NO_PEER,
        .tag = outermost ? call->thread->state->tag : CS_NO_TAG,
        .bytes = bytes,
        .flags = (call->receives ? CS_REQUEST_RECEIVES : 0) | (call->counted ? 0 : CS_REQUEST_INTERNAL)};
}

/* Atomic. Only ever set, and written once, because it is read often. */
static bool made_in[CS_MADE_LANGUAGES];

static inline void note_language(enum cs_made_in language)
{
    if (!CS_FORTRAN_HANDLES_ARE_C && !__atomic_load_n(&made_in[language], __ATOMIC_RELAXED))
        __atomic_store_n(&made_in[language], true, __ATOMIC_RELAXED);
}

bool cs_requests_made_in(enum cs_made_in language)
{
    return __atomic_load_n(&made_in[language], __ATOMIC_RELAXED);
}

static void made_request(struct cs_call *call, uint64_t key)
{
    struct cs_request made = request_of(call, key);
    made.flags |= CS_REQUEST_ACTIVE;
    cs_request_put(&cs_requests, &made);
}

void cs_made_request(struct cs_call *call, MPI_Request request)
{
    if (request == MPI_REQUEST_NULL)
        return;
    note_language(CS_MADE_IN_C);
    made_request(call, CS_KEY(request));
}

void cs_made_request_fortran(struct cs_call *call, const void *request)
{
    MPI_Fint number = *(const MPI_Fint *)request;
    if (CS_FORTRAN_HANDLES_ARE_C) {
        cs_made_request(call, PMPI_Request_f2c(number));
    } else if (number >= 0 && number != cs_null_request_number()) {
        note_language(CS_MADE_IN_FORTRAN);
        made_request(call, CS_REQUEST_NUMBER(number));
    }
}

void cs_made_persistent(struct cs_call *call, MPI_Request request)
{
    note_language(CS_MADE_IN_C);
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
    cs_call_on_request(call, &probed);
    cs_request_drop(&cs_messages, probed.handle);
}
