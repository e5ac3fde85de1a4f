#include "wrappers/request/pending.h"

#include "asked.h"
#include "record/request.h"
#include "wrappers/call/about.h"
#include "wrappers/envelope/envelope.h"
#include "wrappers/mpi/kin.h"
#include "wrappers/object/simple.h"
#include "wrappers/request/arrays.h"

/* Whether the status of the request tells what was received. In MPICH, 4.0 to 5.0 at least, that of MPI_Isendrecv is
   left over from an earlier request, unless it sends to nobody: the receiver has no account of that message. */
static inline bool is_told_what_came(const struct cs_call *call)
{
    return call->receives && (!call->sends || call->peer == CS_PEER_NULL || !cs_is_mpich());
}

/* What is known of the request beside its handle and cell. */
static inline void fill(const struct cs_call *call, struct cs_request *made, uint32_t flags, uint64_t bytes)
{
    bool persistent = flags & CS_REQUEST_PERSISTENT;
    made->made = call->made;
    made->peer = call->peer;
    made->tag = call->tag;
    made->bytes = bytes;
    made->flags |= flags | (call->sends ? CS_REQUEST_SENDS : 0) | (is_told_what_came(call) ? CS_REQUEST_RECEIVES : 0) |
                   (call->counted ? 0 : CS_REQUEST_INTERNAL);
    made->sent_bytes = persistent || call->sends ? call->sent_bytes : 0;
    made->received_bytes = persistent ? call->received_bytes : 0;
}

/* Enters what this call began, field by field where it is to stand: what is copied right after it was written is waited
   for. */
static void begin(struct cs_call *call, struct cs_request_table *table, uint64_t handle, uint32_t flags)
{
    uint64_t bytes = call->sent_bytes > call->received_bytes ? call->sent_bytes : call->received_bytes;
    if (call->posted_bytes > bytes)
        bytes = call->posted_bytes;
    const struct cs_profile_key started =
        cs_profile_key(cs_call_profile_site(call), call->about, call->function, cs_size_class(bytes));
    bool locked = cs_request_lock(table);
    struct cs_request *made = cs_request_put(table, handle, started);
    if (made)
        fill(call, made, flags, bytes);
    if (made && table == &cs_requests)
        cs_request_show(made, call->function, call->collective);
    cs_request_unlock(table, locked);
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

/* A receive from MPI_PROC_NULL is complete at once, and its handle may be that of all others that are: it is counted
   now. */
static void receive_from_nobody(struct cs_call *call)
{
    const struct cs_envelope envelope = {.object = call->about, .peer = CS_PEER_NULL, .tag = CS_NO_TAG};
    call->receives = false;
    if (call->counted && !cs_is_paused())
        cs_envelope_received(call, &envelope, 0);
}

static void made_request(struct cs_call *call, uint64_t key)
{
    if (__builtin_expect(call->peer == CS_PEER_NULL && call->receives && !call->sends, 0))
        receive_from_nobody(call);
    if (__builtin_expect(call->receives && !is_told_what_came(call), 0) && call->counted && !cs_is_paused())
        cs_envelope_never_told(call);
    begin(call, &cs_requests, key, CS_REQUEST_ACTIVE);
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
        cs_made_request(call, cs_mpi_Request_f2c(number));
    } else if (number >= 0 && number != cs_null_request_number()) {
        note_language(CS_MADE_IN_FORTRAN);
        made_request(call, CS_REQUEST_NUMBER(number));
    }
}

void cs_made_persistent(struct cs_call *call, MPI_Request request)
{
    note_language(CS_MADE_IN_C);
    begin(call, &cs_requests, CS_KEY(request), CS_REQUEST_PERSISTENT);
    call->sent_bytes = call->received_bytes = call->posted_bytes = 0;
    cs_made(call, CALLSIGN_REQUEST, CS_KEY(request));
}

/* After it was made persistent. */
void cs_made_partitions(struct cs_call *call, MPI_Request request, int partitions)
{
    (void)call;
    if (partitions > 0)
        cs_request_set_partitions(&cs_requests, CS_KEY(request), partitions);
}

void cs_made_message(struct cs_call *call, MPI_Message message)
{
    if (message == MPI_MESSAGE_NULL || message == MPI_MESSAGE_NO_PROC)
        return;
    begin(call, &cs_messages, CS_KEY(message), 0);
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
