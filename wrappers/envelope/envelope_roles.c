#include "wrappers/envelope/envelope_roles.h"

#include "record/call/ring.h"
#include "record/message/traffic.h"
#include "wrappers/bytes/bytes.h"
#include "wrappers/call/about.h"
#include "wrappers/object/members.h"

/* Slow path: the first message to or from this peer, or a peer beyond the limit. */
static __attribute__((noinline)) struct cs_traffic_cell *cell_missed(struct cs_thread *thread, uint32_t object,
                                                                     int32_t peer, enum cs_direction direction)
{
    if (peer == CS_PEER_NULL || peer == CS_PEER_ANY)
        return cs_traffic_add(thread, object, peer, direction, -1);
    if (!cs_traffic_is_full(thread, object, direction))
        return cs_traffic_add(thread, object, peer, direction, cs_world_rank(object, peer));
    struct cs_traffic_cell *cell = cs_traffic_find(thread, object, CS_PEER_OTHERS, direction);
    return cell ? cell : cs_traffic_add(thread, object, CS_PEER_OTHERS, direction, -1);
}

/* NULL: the message cannot be counted. */
static inline struct cs_traffic_cell *cell_of(struct cs_call *call, uint32_t object, int32_t peer,
                                              enum cs_direction direction)
{
    if (!object || (peer < 0 && peer != CS_PEER_NULL))
        return NULL; /* a matched message whose probe callsign did not see */
    struct cs_traffic_cell *cell = cs_traffic_find(call->thread, object, peer, direction);
    return __builtin_expect(cell != NULL, 1) ? cell : cell_missed(call->thread, object, peer, direction);
}

static inline void traffic_add(struct cs_call *call, struct cs_traffic_cell *cell, uint64_t bytes, uint64_t ticks)
{
    if (__builtin_expect(cell->messages == INT32_MAX, 0) && !(cell = cs_traffic_replace(call->thread, cell)))
        return;
    cs_traffic_count(cell, bytes, ticks);
}

/* The first message of its kind from here, or one that others have replaced. NULL: it cannot be counted. */
static __attribute__((noinline)) struct cs_message_cells *find_cells(struct cs_call *call, uint64_t site, uint64_t whom,
                                                                     uint64_t what)
{
    const struct cs_message_key key = {site, whom, what};
    const uint32_t object = (uint32_t)whom;
    const int32_t peer = (int32_t)(whom >> 32), tag = (int32_t)what;
    const enum cs_direction direction = (enum cs_direction)(what >> 32);
    struct cs_message_cells found = {
        .site = site, .whom = whom, .what = what, .signature = CS_TYPE_MISSING, .types = CS_TYPES_UNKNOWN};
    found.traffic = cell_of(call, object, peer, direction);
    if (!found.traffic)
        return NULL;
    if (peer >= 0 && tag >= 0)
        found.tag = cs_tag_find_or_add(call->thread, site, object, direction, tag);
    if (peer >= 0 && tag >= 0 && !found.tag)
        found.what = 0; /* there may be room the next time */
    struct cs_message_cells *cells = cs_message_slot(call->thread, key);
    *cells = found;
    return cells;
}

static inline struct cs_message_cells *cells_of(struct cs_call *call, struct cs_message_key key)
{
    struct cs_message_cells *cells = cs_message_slot(call->thread, key);
    if (__builtin_expect(!cs_message_is(cells, key), 0))
        cells = find_cells(call, key.site, key.whom, key.what);
    return call->cells = cells;
}

void cs_count_sent(struct cs_call *call, uint64_t site, uint32_t object, int32_t peer, int32_t tag, uint64_t bytes,
                   uint64_t ticks, uint64_t types, uint32_t datatype)
{
    struct cs_message_cells *cells = cells_of(call, cs_message_key(site, object, peer, tag, CS_SEND));
    if (!cells)
        return;
    if (cells->tag)
        cs_tag_add(cells->tag, 1, types, datatype);
    traffic_add(call, cells->traffic, bytes, ticks); /* last: it may forget the cells */
}

/* Counts a message. own: rank of this process in the communicator; signature, type_bytes: of the datatype. The parts
   are passed in registers: a structure that was just written would have to be read from memory. */
static inline __attribute__((always_inline)) void count_data(struct cs_call *call, struct cs_message_key key,
                                                             int32_t own, uint64_t bytes, uint64_t ticks,
                                                             uint64_t signature, uint64_t type_bytes, uint32_t datatype)
{
    struct cs_message_cells *cells = cells_of(call, key);
    if (!cells)
        return;
    if (__builtin_expect(cells->signature != signature || cells->bytes != bytes, 0)) {
        const int32_t peer = (int32_t)(key.whom >> 32);
        const uint64_t data = cs_data_of(signature, type_bytes, bytes);
        cells->signature = signature;
        cells->bytes = bytes;
        cells->types =
            key.what >> 32 == CS_SEND ? cs_message_types(data, own, peer) : cs_message_types(data, peer, own);
    }
    if (cells->tag)
        cs_tag_add(cells->tag, 1, cells->types, datatype);
    traffic_add(call, cells->traffic, bytes, ticks);
}

void cs_request_received(struct cs_call *call, const struct cs_request *known, const MPI_Status *status, uint64_t ticks)
{
    const uint64_t bytes = cs_status_bytes(status);
    const uint32_t object = cs_profile_object(known->started);
    int32_t peer = known->peer, tag = known->tag;
    if (bytes)
        cs_profile_add_time(call->thread, known->started, 0, 0, bytes);
    if (peer == CS_NO_PEER)
        return; /* from a file */
    /* In MPICH 4.0 the status of a partitioned receive has neither source nor tag. */
    if (peer == CS_PEER_ANY || known->flags & CS_REQUEST_SENDS)
        peer = cs_peer_of(status->MPI_SOURCE);
    if (tag < 0 || known->flags & CS_REQUEST_SENDS)
        tag = status->MPI_TAG;
    count_data(call, cs_message_key(known->started.site, object, peer, tag, CS_RECEIVE), known->own, bytes, ticks,
               known->signature, known->type_bytes, known->type);
    cs_ring_add_message(call->thread, call->cells, CS_RECEIVE, object, peer, tag, bytes, known->event);
}

void cs_received_from_nobody(struct cs_call *call)
{
    count_data(call, cs_message_key(0, call->about, CS_PEER_NULL, CS_NO_TAG, CS_RECEIVE), -1, 0, 0, CS_TYPE_MISSING, 0,
               0);
    cs_ring_add_message(call->thread, call->cells, CS_RECEIVE, call->about, CS_PEER_NULL, CS_NO_TAG, 0, 0);
}

void cs_sent_waited_otherwise(struct cs_call *call, uint32_t object, int32_t peer, uint64_t ticks)
{
    struct cs_traffic_cell *cell = cell_of(call, object, peer, CS_SEND);
    if (cell)
        cell->ticks += ticks;
}

void cs_envelope_unsent(struct cs_call *call, const struct cs_envelope *envelope)
{
    struct cs_traffic_cell *cell = cell_of(call, envelope->object, envelope->peer, CS_SEND);
    if (!cell)
        return;
    cell->messages--;
    cell->bytes -= envelope->bytes;
    struct cs_tag_cell *sent =
        envelope->peer >= 0 && envelope->tag >= 0
            ? cs_tag_find_or_add(call->thread, envelope->site, envelope->object, CS_SEND, envelope->tag)
            : NULL;
    if (sent)
        cs_tag_add(sent, UINT64_MAX, envelope->types == CS_TYPES_UNKNOWN ? CS_TYPES_UNKNOWN : 0 - envelope->types,
                   envelope->datatype);
}

static void count_unknown(struct cs_call *call, uint32_t object, int32_t peer, enum cs_direction direction)
{
    struct cs_traffic_cell *cell = cs_traffic_find(call->thread, object, peer, direction);
    if (!cell)
        cell = cell_missed(call->thread, object, peer, direction);
    if (cell)
        traffic_add(call, cell, 0, 0);
}

void cs_envelope_unknown(struct cs_call *call, const struct cs_request *request)
{
    uint32_t object = cs_profile_object(request->started);
    if (!object || request->peer == CS_NO_PEER || request->peer == CS_PEER_NULL)
        return;                               /* a file, a collective call, MPI_PROC_NULL */
    if (request->flags & CS_REQUEST_RECEIVES) /* the peer of a send-receive is that of the send */
        count_unknown(call, object, request->flags & CS_REQUEST_SENDS ? CS_PEER_ANY : request->peer,
                      CS_RECEIVE_UNKNOWN);
    if ((request->flags & CS_REQUEST_SENDS) && (request->flags & CS_REQUEST_CANCELLED))
        count_unknown(call, object, request->peer, CS_SEND_UNKNOWN);
}

void cs_envelope_never_told(struct cs_call *call)
{
    if (call->about)
        count_unknown(call, call->about, CS_PEER_ANY, CS_RECEIVE_UNKNOWN);
}

/* ---- roles ---- */

static bool is_counted(const struct cs_call *call)
{
    return call->counted && !cs_is_paused();
}

static uint64_t spent(const struct cs_call *call)
{
    return call->stop > call->start ? call->stop - call->start : 0;
}

static inline __attribute__((always_inline)) void sent(struct cs_call *call, uint64_t ticks)
{
    count_data(call, cs_message_key(cs_call_profile_site(call), call->about, call->peer, call->tag, CS_SEND),
               call->on ? call->on->rank : -1, call->sent_bytes, ticks, call->sent_signature, call->sent_type_bytes,
               call->sent_type);
}

static inline void received(struct cs_call *call, const MPI_Status *status, uint64_t ticks)
{
    count_data(call,
               cs_message_key(cs_call_profile_site(call), call->about, cs_peer_of(status->MPI_SOURCE), status->MPI_TAG,
                              CS_RECEIVE),
               call->on ? call->on->rank : call->own, call->received_bytes, ticks, call->received_signature,
               call->received_type_bytes, call->received_type);
}

void cs_message_sent(struct cs_call *call)
{
    if (!is_counted(call))
        return;
    sent(call, spent(call));
    call->message = CS_ENTRY_SENT;
}

void cs_message_received(struct cs_call *call, const MPI_Status *status)
{
    if (!is_counted(call))
        return;
    received(call, status, spent(call));
    call->source = cs_peer_of(status->MPI_SOURCE);
    call->source_tag = status->MPI_TAG;
    call->message = CS_ENTRY_RECEIVED;
}

void cs_message_exchanged(struct cs_call *call, const MPI_Status *status)
{
    if (!is_counted(call))
        return;
    uint64_t half = spent(call) / 2;
    sent(call, half);
    struct cs_message_cells *of_sent = call->cells;
    received(call, status, spent(call) - half);
    cs_ring_add_message(call->thread, call->cells, CS_RECEIVE, call->about, cs_peer_of(status->MPI_SOURCE),
                        status->MPI_TAG, call->received_bytes, 0);
    /* The cells of the received message may have replaced them. */
    call->cells = of_sent && of_sent->what >> 32 == CS_SEND ? of_sent : NULL;
    call->message = CS_ENTRY_SENT;
}

static void access_target(struct cs_call *call, enum cs_direction direction, uint64_t bytes, uint64_t ticks)
{
    struct cs_traffic_cell *cell = cell_of(call, call->about, call->peer, direction);
    if (cell)
        traffic_add(call, cell, bytes, ticks);
}

void cs_target_put(struct cs_call *call)
{
    if (is_counted(call))
        access_target(call, CS_PUT, call->sent_bytes, spent(call));
}

void cs_target_got(struct cs_call *call)
{
    if (is_counted(call))
        access_target(call, CS_GET, call->received_bytes, spent(call));
}

void cs_target_accessed(struct cs_call *call, bool puts)
{
    if (!is_counted(call))
        return;
    uint64_t put = puts ? spent(call) / 2 : 0;
    if (puts)
        access_target(call, CS_PUT, call->sent_bytes, put);
    access_target(call, CS_GET, call->received_bytes, spent(call) - put);
}
