#include "wrappers/request/request_roles.h"

#include <stdatomic.h>
#include <string.h>

#include "functions.h"
#include "pmpi_queries.h"
#include "record/call/ring.h"
#include "record/message/request.h"
#include "record/object/object.h"
#include "record/process/recorder.h"
#include "wrappers/call/about.h"
#include "wrappers/call/leave.h"
#include "wrappers/call/misuse.h"
#include "wrappers/check/pending.h"
#include "wrappers/envelope/envelope_roles.h"
#include "wrappers/mpi/quirks.h"
#include "wrappers/object/any_object.h"
#include "wrappers/object/birth.h"
#include "wrappers/object/simple.h"
#include "wrappers/request/request_checks.h"
#include "wrappers/request/request_list.h"

/* True if the request's status will describe the received message. In MPICH (at least 4.0 to 5.0) the status of
   MPI_Isendrecv is left over from an earlier request, unless it sends to MPI_PROC_NULL. The received message is then
   not counted. */
static inline bool is_told_what_came(const struct cs_call *call)
{
    return call->receives && (!call->sends || call->peer == CS_PEER_NULL || !cs_is_mpich());
}

/* Fills in all fields but handle and cell. told: is_told_what_came; counted: that of the call. */
static inline __attribute__((always_inline)) void fill(const struct cs_call *call, struct cs_request *made,
                                                       uint32_t flags, uint64_t bytes, bool sends, bool told,
                                                       bool counted)
{
    const bool persistent = flags & CS_REQUEST_PERSISTENT;
    made->made = call->made;
    made->peer = call->peer;
    made->tag = call->tag;
    made->bytes = bytes;
    made->event = cs_ring_next(call->thread);
    made->sent_bytes = persistent || sends ? call->sent_bytes : 0;
    made->received_bytes = persistent ? call->received_bytes : 0;
    if (sends)
        flags |= CS_REQUEST_SENDS;
    if (told) {
        flags |= CS_REQUEST_RECEIVES;
        made->signature = call->received_signature;
        made->type_bytes = call->received_type_bytes;
        made->type = call->received_type;
    } else {
        made->signature = sends ? call->sent_signature : CS_TYPE_UNKNOWN;
        made->type_bytes = call->sent_type_bytes;
        made->type = call->sent_type;
    }
    made->flags |= flags | (counted ? 0 : CS_REQUEST_INTERNAL);
    made->own = call->on ? call->on->rank : call->about ? call->own : -1;
}

/* In the profile, the request belongs to the call that began it. */
static inline struct cs_profile_key key_of(const struct cs_call *call, uint64_t site, uint64_t bytes)
{
    return (struct cs_profile_key){site, cs_leave_what_here(cs_leave_subject(call)) | cs_leave_size(bytes)};
}

/* Registers the request that this call began, field by field in place: copying a structure right after writing it
   would stall. The caller is in the table, which has room. operation: that of cs_uses_keep. */
static inline __attribute__((always_inline)) void put(const struct cs_call *call, struct cs_request_table *table,
                                                      uint64_t handle, struct cs_profile_key started, uint32_t flags,
                                                      uint64_t bytes, uint16_t operation)
{
    struct cs_request *made = cs_request_put(table, handle, started);
    if (made->references == 1)
        made->operation = operation;
    fill(call, made, flags, bytes, call->sends, is_told_what_came(call), call->counted);
    if (table == &cs_requests)
        cs_request_show(made, call->function, call->collective);
}

static __attribute__((noinline)) void begin(struct cs_call *call, struct cs_request_table *table, uint64_t handle,
                                            uint32_t flags, uint16_t operation)
{
    const uint64_t bytes = cs_call_bytes(call);
    const struct cs_profile_key started = key_of(call, cs_call_profile_site(call), bytes);
    bool locked = cs_guard_enter(&table->lock);
    if (table == &cs_requests && !cs_request_unused_cell)
        cs_request_make_cell();
    if (cs_request_has_room(table) || cs_request_make_room(table))
        put(call, table, handle, started, flags, bytes, operation);
    cs_guard_leave(&table->lock, locked);
}

static inline void note_language(enum cs_made_in language)
{
    if (!CS_FORTRAN_HANDLES_ARE_C && !atomic_load_explicit(&cs_requests_made_in[language], memory_order_relaxed))
        atomic_store_explicit(&cs_requests_made_in[language], true, memory_order_relaxed);
}

/* A receive from MPI_PROC_NULL completes at once, and may share its handle with others like it, so it is counted
   now. */
static void receive_from_nobody(struct cs_call *call)
{
    call->receives = false;
    if (call->counted && !cs_is_paused())
        cs_received_from_nobody(call);
}

static __attribute__((noinline)) void made_request_otherwise(struct cs_call *call, uint64_t key, uint16_t operation)
{
    if (call->receives && call->peer == CS_PEER_NULL && !call->sends)
        receive_from_nobody(call);
    if (call->receives && !is_told_what_came(call) && call->counted && !cs_is_paused())
        cs_envelope_never_told(call);
    begin(call, &cs_requests, key, CS_REQUEST_ACTIVE, operation);
}

/* True if made_request_otherwise has more to do for it. */
static inline bool is_unusual(const struct cs_call *call)
{
    return call->receives && (call->peer == CS_PEER_NULL || !is_told_what_came(call));
}

/* In the steady state it calls nothing, and so needs few registers. */
static inline __attribute__((always_inline)) void made_usual_request(struct cs_call *call, uint64_t key,
                                                                     uint16_t operation)
{
    if (__builtin_expect(is_unusual(call) || cs_call_needs_site(call) || !cs_guard_enter_alone(), 0)) {
        made_request_otherwise(call, key, operation);
        return;
    }
    const bool there = cs_request_has_room(&cs_requests) && cs_request_unused_cell;
    const uint64_t bytes = cs_call_bytes(call);
    if (__builtin_expect(there, 1))
        put(call, &cs_requests, key, key_of(call, call->innermost, bytes), CS_REQUEST_ACTIVE, bytes, operation);
    cs_guard_leave_alone();
    if (__builtin_expect(!there, 0))
        made_request_otherwise(call, key, operation);
}

static __attribute__((noinline)) void made_checked_request(struct cs_call *call, uint64_t key)
{
    made_usual_request(call, key, cs_uses_keep(call, key));
}

static void made_request(struct cs_call *call, uint64_t key)
{
    if (__builtin_expect(cs_is_checked(call), 0))
        made_checked_request(call, key);
    else
        made_usual_request(call, key, 0);
}

/* 0: there is no request. */
static inline uint64_t key_in_c(MPI_Request request)
{
    if (request == MPI_REQUEST_NULL)
        return 0;
    note_language(CS_MADE_IN_C);
    return CS_KEY(request);
}

static uint64_t key_in_fortran(const void *request)
{
    MPI_Fint number = *(const MPI_Fint *)request;
    if (CS_FORTRAN_HANDLES_ARE_C)
        return key_in_c(cs_mpi_Request_f2c(number));
    if (number < 0 || number == cs_null_request_number())
        return 0;
    note_language(CS_MADE_IN_FORTRAN);
    return CS_REQUEST_NUMBER(number);
}

void cs_made_request(struct cs_call *call, MPI_Request request)
{
    const uint64_t key = key_in_c(request);
    if (key)
        made_request(call, key);
}

void cs_made_request_fortran(struct cs_call *call, const void *request)
{
    const uint64_t key = key_in_fortran(request);
    if (key)
        made_request(call, key);
}

/* ---- the end of a call that began a request ---- */

/* At the end of a call in the steady state, what its request, its message and its event need is in registers. So all
   of them are recorded by one function, if nothing else is to be done. */

static inline __attribute__((always_inline)) void write_sent(struct cs_thread *thread, const struct cs_call *call,
                                                             uint64_t head, uint64_t spent, uint64_t bytes)
{
    (void)spent;
    cs_leave_write_envelope(thread, call, (uint32_t)head, CS_ENTRY_SENT, call->peer, (uint32_t)call->tag, bytes);
}

static inline __attribute__((always_inline)) void write_posted(struct cs_thread *thread, const struct cs_call *call,
                                                               uint64_t head, uint64_t spent, uint64_t bytes)
{
    (void)spent;
    cs_leave_write_envelope(thread, call, (uint32_t)head, CS_ENTRY_OTHER, call->peer, (uint32_t)call->tag, bytes);
}

static __attribute__((noinline)) void leave_otherwise(struct cs_call *call, uint64_t key, uint16_t operation)
{
    if (call->sends)
        cs_message_sent(call);
    if (key)
        made_usual_request(call, key, operation);
    cs_leave_otherwise(call);
}

/* MPIs have one request for all sends that are complete at once: it is in the table already. slot: of the request;
   NULL: none. Returns false if it is not there. */
static __attribute__((noinline)) bool share(struct cs_call *call, struct cs_request *slot,
                                            struct cs_profile_key started, uint64_t bytes)
{
    if (!slot || !slot->references)
        return false;
    cs_request_share(slot, started);
    fill(call, slot, CS_REQUEST_ACTIVE, bytes, call->sends, is_told_what_came(call), true);
    cs_request_show(slot, call->function, 0);
    return true;
}

/* Ends a call that either sends or receives. key 0: there is no request. */
static inline __attribute__((always_inline)) void leave(struct cs_call *call, uint64_t key, bool sends)
{
    uint16_t operation = 0;
    if (__builtin_expect(cs_is_checked(call) && key, 0))
        operation = cs_uses_keep(call, key);
    const uint64_t bytes = sends ? call->sent_bytes : call->posted_bytes;
    const uint64_t subject = cs_leave_subject(call), spent = call->stop - call->start;
    const struct cs_profile_key started = {call->innermost, cs_leave_what_here(subject) | cs_leave_size(bytes)};
    struct cs_step *step = cs_leave_step(call, started, spent, false);
    struct cs_message_cells *cells = step && sends ? cs_sent_cells(call) : NULL;
    if (__builtin_expect(!step || (sends && !cells) || !key || call->peer < CS_PEER_ANY || !cs_guard_enter_alone(),
                         0)) {
        leave_otherwise(call, key, operation);
        return;
    }
    struct cs_request *slot = cs_request_has_room(&cs_requests) ? cs_request_slot(&cs_requests, key) : NULL;
    const uint32_t cell = cs_request_unused_cell;
    bool there = slot && !slot->references && cell;
    if (__builtin_expect(there, 1)) {
        cs_request_put_into(&cs_requests, slot, key, started);
        slot->operation = operation;
        fill(call, slot, CS_REQUEST_ACTIVE, bytes, sends, !sends, true);
        cs_request_show_in(cell, slot, call->function, 0);
    } else {
        there = share(call, slot, started, bytes);
    }
    cs_guard_leave_alone();
    if (__builtin_expect(!there, 0)) {
        leave_otherwise(call, key, operation);
        return;
    }
    if (sends)
        cs_message_sent_steadily(call, cells, spent);
    cs_leave_add(call, step, subject, spent, bytes, sends ? write_sent : write_posted);
}

void cs_leave_with_send(struct cs_call *call, MPI_Request request)
{
    leave(call, key_in_c(request), true);
}

void cs_leave_with_send_fortran(struct cs_call *call, const void *request)
{
    leave(call, key_in_fortran(request), true);
}

void cs_leave_with_receive(struct cs_call *call, MPI_Request request)
{
    leave(call, key_in_c(request), false);
}

void cs_leave_with_receive_fortran(struct cs_call *call, const void *request)
{
    leave(call, key_in_fortran(request), false);
}

/* ---- requests that stay, and messages ---- */

void cs_made_persistent(struct cs_call *call, MPI_Request request)
{
    note_language(CS_MADE_IN_C);
    uint16_t operation = cs_is_checked(call) ? cs_uses_keep(call, CS_KEY(request)) : 0;
    begin(call, &cs_requests, CS_KEY(request), CS_REQUEST_PERSISTENT, operation);
    call->sent_bytes = call->received_bytes = call->posted_bytes = 0;
    cs_made(call, CALLSIGN_REQUEST, CS_KEY(request));
}

/* After the request was made persistent. */
void cs_made_partitions(struct cs_call *call, MPI_Request request, int partitions)
{
    (void)call;
    if (partitions > 0)
        cs_request_set_partitions(&cs_requests, CS_KEY(request), partitions);
}

void cs_made_message(struct cs_call *call, MPI_Message message)
{
    call->found = true;
    if (message == MPI_MESSAGE_NULL || message == MPI_MESSAGE_NO_PROC)
        return;
    if (call->counted && !cs_is_paused())
        cs_ring_note_match(call->thread);
    begin(call, &cs_messages, CS_KEY(message), 0, 0);
}

/* The receive consumes the message whatever its result. */
void cs_on_message(struct cs_call *call, const MPI_Message *message)
{
    struct cs_request probed;
    if (!call->thread || !message)
        return;
    if (!cs_request_get(&cs_messages, CS_KEY(*message), &probed)) {
        if (*message == MPI_MESSAGE_NULL && call->counted)
            cs_misuse_note(call, CS_MISUSE_NULL_MESSAGE, 0, 0);
        return;
    }
    cs_call_on_request(call, &probed);
    call->own = probed.own;
    if (call->counted && !cs_is_paused())
        cs_ring_note_request(call->thread, probed.event);
    cs_request_drop(&cs_messages, probed.handle);
}

/* ---- persistent requests ---- */

/* Active requests of collective and one-sided operations may not be freed. */
static void check_freed_request(struct cs_call *call, const struct cs_request_list *list)
{
    const struct cs_request *known = list->known;
    if (!known || !cs_request_is_active(known) || known->flags & (CS_REQUEST_INTERNAL | CS_REQUEST_SHARED))
        return;
    const struct cs_function *function = cs_function_find(cs_profile_function(known->started));
    bool collective = function && strcmp(function->class, "collective") == 0;
    if (collective || (function && strcmp(function->class, "one-sided") == 0))
        cs_misuse_note(call, CS_MISUSE_REQUEST_FREED, 0, known->started.site);
}

void cs_begin_free_request(struct cs_call *call, const struct cs_request_list *list)
{
    const struct cs_request *known = list->known;
    if (call->thread)
        check_freed_request(call, list);
    if (known && call->thread && cs_is_checked(call) && cs_request_is_unstarted(known))
        cs_misuse_note_unstarted(known->started);
    if (known && known->references && (known->flags & CS_REQUEST_PERSISTENT))
        cs_begin_free(call, CALLSIGN_REQUEST, known->handle);
}

void cs_forget_request(struct cs_call *call, const struct cs_request_list *list)
{
    const struct cs_request *known = list->known;
    if (!known || !known->references)
        return;
    if (call->counted && !cs_is_paused() && cs_request_needs_status(known))
        cs_envelope_unknown(call, known);
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

/* Each start counts the bytes of a persistent transfer, in the cell of the start. MPI_Start has one cell, which
   cs_leave updates; the requests of MPI_Startall have different cells. nth: place of a request that sends nothing. */
static void start(struct cs_call *call, const struct cs_request_list *list, bool sends)
{
    unsigned nth = 0;
    for (int i = 0; i < list->count; i++) {
        const struct cs_request *known = cs_request_at(list, i);
        if (!known->references || sends != ((known->flags & CS_REQUEST_SENDS) != 0))
            continue;
        struct cs_profile_key key = cs_profile_key(cs_call_profile_site(call), cs_profile_object(known->started),
                                                   call->function, cs_profile_size_class(known->started));
        cs_request_activate(&cs_requests, known->handle, key, cs_ring_next_of(call->thread, sends ? 0 : nth++));
        if (call->counted && !cs_is_paused() && known->flags & CS_REQUEST_SENDS) {
            struct cs_envelope envelope = cs_request_envelope(known);
            envelope.site = key.site;
            cs_envelope_sent(call, &envelope, (call->stop - call->start) / (uint64_t)list->count);
            cs_ring_add_message(call->thread, call->cells, CS_SEND, envelope.object, envelope.peer, envelope.tag,
                                envelope.bytes, 0);
        }
        if (call->function == CS_MPI_Start) {
            call->sent_bytes = known->sent_bytes;
            call->received_bytes = known->received_bytes;
            /* Only sets the size class, as the posted size did when the request was made. */
            call->posted_bytes = cs_size_of_class(cs_profile_size_class(known->started));
        } else if (call->counted && !cs_is_paused()) {
            cs_profile_add_time(call->thread, key, 0, known->sent_bytes, known->received_bytes);
        }
    }
}

/* A sent message has an entry of its own, which names its request. Then the next entry is the call itself, for those
   that receive. */
void cs_requests_started(struct cs_call *call, const struct cs_request_list *list)
{
    if (!list->known)
        return;
    start(call, list, true);
    start(call, list, false);
}

/* ---- never completed ---- */

/* Records the birth late: function, call site and communicator are those of the creating call, the time is now. In
   some MPIs one handle stands for several sends that complete at once. They are one object if all began at the same
   call site. */
static void record_never_completed(const struct cs_request *entry, enum callsign_kind kind)
{
    uint64_t handle = CS_REQUEST_IS_NUMBER(entry->handle)
                          ? CS_KEY(cs_mpi_Request_f2c((MPI_Fint)(uint32_t)entry->handle))
                          : entry->handle;
    struct cs_birth birth;
    cs_birth_begin_unseen(&birth, kind, handle, entry->flags & CS_REQUEST_INTERNAL ? CS_OBJECT_INTERNAL : 0);
    if (entry->flags & CS_REQUEST_MIXED)
        return;
    birth.function = cs_profile_function(entry->started);
    birth.site = entry->started.site;
    birth.parent = cs_profile_object(entry->started);
    cs_birth_register(&birth, NULL);
}

static void record_request(const struct cs_request *request, void *nothing)
{
    (void)nothing;
    if (!(request->flags & CS_REQUEST_PERSISTENT)) /* persistent requests are objects from the beginning */
        record_never_completed(request, CALLSIGN_REQUEST);
    else if (cs_recorder.checks && cs_request_is_unstarted(request))
        cs_misuse_note_unstarted(request->started);
}

static void record_message(const struct cs_request *message, void *nothing)
{
    (void)nothing;
    record_never_completed(message, CALLSIGN_MESSAGE);
}

void cs_record_never_completed(void)
{
    if (!cs_is_recording())
        return;
    cs_request_each(&cs_requests, record_request, NULL);
    cs_request_each(&cs_messages, record_message, NULL);
}
