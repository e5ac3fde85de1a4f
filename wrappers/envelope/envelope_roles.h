/* Counts messages by their envelopes: source, dest, tag, communicator (MPI 4.1, 3.2.3). These roles run after those
   that count bytes. Also has what requests need. */
#pragma once

#include "record/message/request.h"
#include "record/message/traffic.h"
#include "record/object/type_signature.h"
#include "wrappers/call/call.h"

/* The call has sent a message to its peer, with its tag. */
void cs_message_sent(struct cs_call *call);

/* The same at the end of a call in the steady state, which took `ticks`. First the cells where its message counts, if
   the last message there was like it; else NULL, and nothing is counted. */
static inline __attribute__((always_inline)) struct cs_message_cells *cs_sent_cells(const struct cs_call *call)
{
    const struct cs_message_key key = cs_message_key(call->innermost, call->about, call->peer, call->tag, CS_SEND);
    struct cs_message_cells *cells = cs_message_slot(call->thread, key);
    return __builtin_expect(cs_message_is(cells, key) && cells->signature == call->sent_signature &&
                                cells->bytes == call->sent_bytes && cells->traffic->messages != INT32_MAX,
                            1)
               ? cells
               : NULL;
}
static inline __attribute__((always_inline)) void
cs_message_sent_steadily(struct cs_call *call, struct cs_message_cells *cells, uint64_t ticks)
{
    call->cells = cells;
    call->message = CS_ENTRY_SENT;
    if (cells->tag)
        cs_tag_add(cells->tag, 1, cells->types, call->sent_type);
    cs_traffic_count(cells->traffic, call->sent_bytes, ticks);
}

/* The call has received this message. */
void cs_message_received(struct cs_call *call, const MPI_Status *status);

/* Both. */
void cs_message_exchanged(struct cs_call *call, const MPI_Status *status);

/* One-sided: data went to the peer, came from it, or both. puts: false for MPI_NO_OP. Empty transfers count. */
void cs_target_put(struct cs_call *call);
void cs_target_got(struct cs_call *call);
void cs_target_accessed(struct cs_call *call, bool puts);

/* The message of a request. */
struct cs_envelope {
    uint64_t site; /* call site of the call that began the transfer, as in the profile */
    uint32_t object;
    int32_t peer, tag; /* as in struct cs_thread_state */
    uint64_t bytes;
    uint64_t types; /* as in cs_tag_add */
    uint32_t datatype;
};

/* What cs_tag_add adds for data with this signature, CS_DATA_*. */
static inline uint64_t cs_message_types(uint64_t signature, int32_t source, int32_t dest)
{
    bool known = signature != CS_DATA_UNKNOWN && signature != CS_DATA_BYTES;
    return __builtin_expect(known, 1) ? cs_data_of_pair(signature, source, dest) : CS_TYPES_UNKNOWN;
}

/* The envelope of the message that a request sends. */
static inline struct cs_envelope cs_request_envelope(const struct cs_request *request)
{
    return (struct cs_envelope){
        .site = request->started.site,
        .object = cs_profile_object(request->started),
        .peer = request->peer,
        .tag = request->tag,
        .bytes = request->sent_bytes,
        .types = request->flags & CS_REQUEST_RECEIVES
                     ? CS_TYPES_UNKNOWN
                     : cs_message_types(cs_data_of(request->signature, request->type_bytes, request->sent_bytes),
                                        request->own, request->peer),
        .datatype = request->type};
}

/* In a counted call: the message was sent, which took `ticks`; a sent message was waited for; it was cancelled after
   all; a message was received. The parts are passed in registers: a structure that was just written would have to be
   read from memory, two parts as one word. */
void cs_count_sent(struct cs_call *call, uint64_t site, uint32_t object, int32_t peer, int32_t tag, uint64_t bytes,
                   uint64_t ticks, uint64_t types, uint32_t datatype);
static inline void cs_envelope_sent(struct cs_call *call, const struct cs_envelope *envelope, uint64_t ticks)
{
    cs_count_sent(call, envelope->site, envelope->object, envelope->peer, envelope->tag, envelope->bytes, ticks,
                  envelope->types, envelope->datatype);
}
void cs_sent_waited_otherwise(struct cs_call *call, uint32_t object, int32_t peer, uint64_t ticks);
static inline __attribute__((always_inline)) void cs_sent_waited(struct cs_call *call, uint32_t object, int32_t peer,
                                                                 uint64_t ticks)
{
    const uint64_t words[] = {object | (uint64_t)(uint32_t)peer << 32, CS_SEND};
    struct cs_traffic_cell *cell = cs_cells_find_recent(&call->thread->traffic, words, &cs_traffic_cells);
    if (__builtin_expect(cell != NULL, 1))
        cell->ticks += ticks;
    else
        cs_sent_waited_otherwise(call, object, peer, ticks);
}
void cs_envelope_unsent(struct cs_call *call, const struct cs_envelope *envelope);

/* In a counted call: the outcome of this request, or of the receive that the call began, will never be known. */
void cs_envelope_unknown(struct cs_call *call, const struct cs_request *request);
void cs_envelope_never_told(struct cs_call *call);

/* The call received what this request waited for. */
void cs_request_received(struct cs_call *call, const struct cs_request *known, const MPI_Status *status,
                         uint64_t ticks);

/* A receive from nobody is complete. */
void cs_received_from_nobody(struct cs_call *call);
