/* Messages by their envelopes: source, dest, tag, communicator (MPI 4.1, 3.2.3). Roles that run after those that count
   bytes, and what requests need of them. */
#pragma once

#include "record/request.h"
#include "wrappers/call/call.h"

/* The call has sent a message to its peer, with its tag. */
void cs_message_sent(struct cs_call *call);

/* The call has received this message. */
void cs_message_received(struct cs_call *call, const MPI_Status *status);

/* Both. */
void cs_message_exchanged(struct cs_call *call, const MPI_Status *status);

/* One-sided: data went to the peer of the call, or came from it, or both. puts: not with MPI_NO_OP. Empty transfers
   count. */
void cs_target_put(struct cs_call *call);
void cs_target_got(struct cs_call *call);
void cs_target_accessed(struct cs_call *call, bool puts);

/* One message of a request. */
struct cs_envelope {
    uint64_t site; /* of the call that began the transfer, one of the profile's */
    uint32_t object;
    int32_t peer, tag; /* as in struct cs_thread_state */
    uint64_t bytes;
};

/* Of the message that a request sends. */
static inline struct cs_envelope cs_request_envelope(const struct cs_request *request)
{
    return (struct cs_envelope){.site = request->started.site,
                                .object = cs_profile_object(request->started),
                                .peer = request->peer,
                                .tag = request->tag,
                                .bytes = request->sent_bytes};
}

/* In a call that is counted: it was sent, and that took `ticks`; what was sent has been waited for; it was cancelled
   after all; it was received. The parts are passed in registers: a structure that was just written would have to be
   read again, two parts as one word. */
void cs_count_sent(struct cs_call *call, uint64_t site, uint32_t object, int32_t peer, int32_t tag, uint64_t bytes,
                   uint64_t ticks);
static inline void cs_envelope_sent(struct cs_call *call, const struct cs_envelope *envelope, uint64_t ticks)
{
    cs_count_sent(call, envelope->site, envelope->object, envelope->peer, envelope->tag, envelope->bytes, ticks);
}
void cs_count_waited(struct cs_call *call, uint32_t object, int32_t peer, uint64_t ticks);
static inline void cs_envelope_waited(struct cs_call *call, const struct cs_envelope *envelope, uint64_t ticks)
{
    cs_count_waited(call, envelope->object, envelope->peer, ticks);
}
void cs_envelope_unsent(struct cs_call *call, const struct cs_envelope *envelope);

/* In a call that is counted: nobody will be told what came of this request; or of the receive that the call began. */
void cs_envelope_untold(struct cs_call *call, const struct cs_request *request);
void cs_envelope_never_told(struct cs_call *call);
void cs_count_received(struct cs_call *call, uint64_t site, uint32_t object, int32_t peer, int32_t tag, uint64_t bytes,
                       uint64_t ticks);
static inline void cs_envelope_received(struct cs_call *call, const struct cs_envelope *envelope, uint64_t ticks)
{
    cs_count_received(call, envelope->site, envelope->object, envelope->peer, envelope->tag, envelope->bytes, ticks);
}
