#include "cli/deadlock/hang_needs.h"

#include "base/array.h"
#include "cli/deadlock/hang_windows.h"

/* ---- messages ---- */

/* True if a message with this tag was ever sent on the communicator. */
static bool has_sent_tag(const struct cs_hang *hang, const struct cs_hang_object *object, int32_t tag)
{
    for (size_t i = 0; i < hang->tags; i++) {
        const struct cs_hang_tag *it = &hang->tag[i];
        if (it->rank == object->rank && it->object == object->object && it->first <= tag && tag <= it->last)
            return true;
    }
    return false;
}

static bool tags_fit(int32_t sent, int32_t wanted)
{
    return wanted == CS_TAG_ANY || sent == wanted;
}

static enum cs_wait wait_of(uint16_t function)
{
    const struct cs_function *it = cs_function_find(function);
    return it ? it->wait : CS_NO_WAIT;
}

static bool sends(enum cs_wait wait)
{
    return wait == CS_WAIT_SEND || wait == CS_WAIT_SYNCHRONOUS_SEND || wait == CS_WAIT_EXCHANGE;
}

/* True if a thread of the giver is in a call that sends to this rank of the object with a matching tag. */
static bool is_sending(const struct cs_hang *hang, const struct cs_hang_object *from, int32_t to, int32_t tag)
{
    int number = cs_hang_number_of(hang, from->rank);
    const struct cs_hang_rank *rank = number == CS_HANG_NONE ? NULL : &hang->rank[number];
    for (size_t i = 0; rank && i < rank->threads; i++) {
        const struct cs_hang_thread *thread = &hang->thread[rank->thread + i];
        const struct cs_hang_call *call = cs_hang_call_of(thread);
        /* A nonblocking or buffered send counts, too. */
        const struct cs_function *function = cs_function_find(call->function);
        bool may = function && (sends(function->wait) || (function->wait == CS_NO_WAIT && !function->collective));
        if (thread->doing == CS_THREAD_INSIDE && may && call->object == from->object && call->peer == to &&
            tags_fit(call->tag, tag))
            return true;
    }
    return false;
}

/* True if the receiver has begun to receive what this rank of the object sends. */
static bool is_receiving(const struct cs_hang *hang, const struct cs_hang_object *at, int32_t from, int32_t tag)
{
    int number = cs_hang_number_of(hang, at->rank);
    const struct cs_hang_rank *rank = number == CS_HANG_NONE ? NULL : &hang->rank[number];
    for (size_t i = 0; rank && i < rank->threads; i++) {
        const struct cs_hang_thread *thread = &hang->thread[rank->thread + i];
        const struct cs_hang_call *call = cs_hang_call_of(thread);
        enum cs_wait wait = wait_of(call->function);
        bool exchange = wait == CS_WAIT_EXCHANGE && call == &thread->call;
        int32_t source = exchange ? thread->source : call->peer;
        int32_t source_tag = exchange ? thread->source_tag : call->tag;
        if (thread->doing == CS_THREAD_INSIDE &&
            (wait == CS_WAIT_RECEIVE || wait == CS_WAIT_MESSAGE || wait == CS_WAIT_EXCHANGE) &&
            call->object == at->object && (source == from || source == CS_PEER_ANY) && tags_fit(tag, source_tag))
            return true;
        if (thread->doing == CS_THREAD_INSIDE && wait == CS_WAIT_EXCHANGE && !exchange && call->object == at->object)
            return true; /* in a callback: what it receives is unknown */
    }
    for (size_t i = 0; i < hang->requests; i++) {
        const struct cs_hang_request *it = &hang->request[i];
        bool peer =
            it->sends || it->peer == from || it->peer == CS_PEER_ANY; /* for a send-receive, peer is the destination */
        if (it->rank == at->rank && it->receives && it->object == at->object && peer &&
            (it->sends || tags_fit(tag, it->tag)))
            return true;
    }
    return false;
}

/* A partitioned send to this rank that is not ready; NULL: none, or it may be by calls past callsign. */
static const struct cs_hang_request *not_ready(const struct cs_hang *hang, const struct cs_hang_object *from,
                                               int32_t to, int32_t tag)
{
    int sender = cs_hang_number_of(hang, from->rank);
    for (size_t i = 0; i < hang->requests && sender != CS_HANG_NONE && !hang->rank[sender].bypasses; i++) {
        const struct cs_hang_request *it = &hang->request[i];
        if (it->rank == from->rank && it->object == from->object && it->peer == to && it->tag == tag &&
            it->partitions > it->ready)
            return it;
    }
    return NULL;
}

/* Number of messages from sender to receiver that were sent but not received. *known: the counts are complete. */
static int64_t in_flight(const struct cs_hang *hang, const struct cs_hang_object *from, const struct cs_hang_object *to,
                         bool *known)
{
    int sender = cs_hang_number_of(hang, from->rank), receiver = cs_hang_number_of(hang, to->rank);
    int64_t sent = cs_hang_messages(hang, from, true, to->own), received = cs_hang_messages(hang, to, false, from->own);
    *known = sender != CS_HANG_NONE && receiver != CS_HANG_NONE && hang->rank[sender].exact &&
             hang->rank[receiver].exact && !from->adopted && !to->adopted && sent >= 0 && received >= 0;
    return sent - received;
}

/* Decides whether a message of the sender may match the receiver's call. wanted: number of messages that the call
   needs from it. */
static enum cs_hang_state message_from(const struct cs_hang *hang, const struct cs_hang_object *to,
                                       const struct cs_hang_object *from, int32_t tag, int64_t wanted, bool *wrong_tag)
{
    bool known;
    int64_t flying = in_flight(hang, from, to, &known);
    *wrong_tag = false;
    if (!known || is_sending(hang, from, to->own, tag))
        return CS_HANG_MAY_BE;
    if (flying >= wanted && tag != CS_TAG_ANY && !has_sent_tag(hang, from, tag)) {
        *wrong_tag = true;
        return CS_HANG_MISSING;
    }
    return flying >= wanted ? CS_HANG_MAY_BE : CS_HANG_MISSING;
}

static bool takes_messages(const struct cs_hang_request *it, const struct cs_hang_object *object)
{
    return it->rank == object->rank && it->object == object->object && it->receives && !it->sends && !it->collective;
}

/* Number of receives that the thread waits for all of: from this source, or with this tag from any. A choice needs one.
 */
static int64_t count_awaited(const struct cs_hang *hang, const struct cs_hang_thread *thread,
                             const struct cs_hang_object *to, int32_t source, int32_t tag)
{
    int64_t count = 0;
    for (size_t i = 0; i < hang->requests && !thread->any; i++) {
        const struct cs_hang_request *it = &hang->request[i];
        bool counts = source == CS_PEER_ANY ? tag == CS_TAG_ANY || it->tag == tag : it->peer == source;
        count += takes_messages(it, to) && it->thread == (int)thread->thread && counts;
    }
    return thread->any ? 1 : count;
}

/* Number of pending receives from this source that take each message which the call of the thread could take: they were
   posted before. Another thread may have posted them later. */
static int64_t count_earlier(const struct cs_hang *hang, const struct cs_hang_thread *thread,
                             const struct cs_hang_object *to, int32_t source, int32_t tag)
{
    int64_t count = 0;
    const struct cs_hang_rank *rank = &hang->rank[thread->rank];
    for (size_t i = 0; i < hang->requests && rank->threads == 1 && !rank->cancels; i++) {
        const struct cs_hang_request *it = &hang->request[i];
        count += takes_messages(it, to) && it->peer == source && tags_fit(tag, it->tag) && !it->persistent &&
                 it->copies == 1;
    }
    return count;
}

static bool is_sender(const struct cs_hang_object *to, const struct cs_hang_object *from)
{
    return to->remote_size < 0 || from->side != to->side;
}

/* True if these are all members that may send to it. */
static bool are_all_senders(const struct cs_hang_object *to, size_t senders)
{
    return to->uid && senders == (size_t)(to->remote_size >= 0 ? to->remote_size : to->size);
}

/* Number of messages to this rank of the object that were sent but not received, from all but one member. -1: unknown.
 */
static int64_t in_flight_from_others(const struct cs_hang *hang, const struct cs_hang_object *to,
                                     const struct cs_hang_object *but)
{
    size_t count, seen = 0;
    const int *member = cs_hang_members(hang, to->uid, &count);
    int64_t all = 0;
    bool known = true;
    for (size_t i = 0; i < count && known; i++) {
        const struct cs_hang_object *from = &hang->object[member[i]];
        seen += is_sender(to, from);
        if (from != but && is_sender(to, from))
            all += in_flight(hang, from, to, &known);
    }
    return known && are_all_senders(to, seen) ? all : -1;
}

static void add_senders(struct cs_hang *hang, const struct cs_hang_object *to)
{
    size_t count, need = hang->needs - 1;
    const int *member = cs_hang_members(hang, to->uid, &count);
    for (size_t i = 0; i < count && !hang->failed; i++)
        if (is_sender(to, &hang->object[member[i]]) && hang->object[member[i]].rank != to->rank)
            cs_hang_add_giver(hang, &hang->need[need], cs_hang_number_of(hang, hang->object[member[i]].rank));
}

/* Receives from any source: all members, or all of the remote group, may send. */
static void needs_any_message(struct cs_hang *hang, const struct cs_hang_thread *thread,
                              const struct cs_hang_object *to, int32_t tag, int request)
{
    size_t count, seen = 0;
    bool wrong_tag, known;
    const int *member = cs_hang_members(hang, to->uid, &count);
    struct cs_hang_need *need = cs_hang_add_need(hang, CS_HANG_MISSING);
    int64_t available = 0;
    int64_t wanted = request == CS_HANG_NONE ? 1 + count_earlier(hang, thread, to, CS_PEER_ANY, tag)
                                             : count_awaited(hang, thread, to, CS_PEER_ANY, tag);
    need->any = true;
    need->request = request;
    for (size_t i = 0; i < count; i++) {
        const struct cs_hang_object *from = &hang->object[member[i]];
        if (!is_sender(to, from))
            continue;
        seen++;
        int64_t flying = in_flight(hang, from, to, &known);
        if (message_from(hang, to, from, tag, flying > 0 ? flying : 1, &wrong_tag) != CS_HANG_MISSING)
            available += known && !is_sending(hang, from, to->own, tag) ? flying : wanted;
    }
    add_senders(hang, to);
    if (!are_all_senders(to, seen) || available >= wanted)
        need->state = CS_HANG_MAY_BE;
    need->taken = request == CS_HANG_NONE && available > 0;
}

/* True if earlier receives from any source take the messages of the sender, too. */
static bool takes_all(const struct cs_hang *hang, const struct cs_hang_thread *thread, const struct cs_hang_object *to,
                      const struct cs_hang_object *from, int32_t tag, int64_t wanted)
{
    bool wrong_tag;
    int64_t open = count_earlier(hang, thread, to, CS_PEER_ANY, tag);
    int64_t others = open ? in_flight_from_others(hang, to, from) : -1;
    return others >= 0 && others < open &&
           message_from(hang, to, from, tag, wanted + open - others, &wrong_tag) == CS_HANG_MISSING;
}

static void needs_message(struct cs_hang *hang, const struct cs_hang_thread *thread, const struct cs_hang_object *to,
                          int32_t peer, int32_t tag, int request)
{
    bool wrong_tag;
    if (peer == CS_PEER_NULL)
        return;
    if (peer < 0) {
        needs_any_message(hang, thread, to, tag, request);
        return;
    }
    const struct cs_hang_object *from = cs_hang_peer_object(hang, to, peer);
    if (!from) {
        cs_hang_need_of(hang, CS_HANG_MAY_BE, cs_hang_peer(hang, to, peer), request);
        return;
    }
    int64_t wanted = request == CS_HANG_NONE ? 1 + count_earlier(hang, thread, to, peer, tag)
                                             : count_awaited(hang, thread, to, peer, tag);
    enum cs_hang_state state = message_from(hang, to, from, tag, wanted, &wrong_tag);
    if (state == CS_HANG_MAY_BE && request == CS_HANG_NONE && takes_all(hang, thread, to, from, tag, wanted)) {
        struct cs_hang_need *need = cs_hang_add_need(hang, CS_HANG_MISSING);
        need->any = need->taken = true; /* any message helps that an earlier receive takes instead */
        add_senders(hang, to);
        return;
    }
    cs_hang_need_of(hang, state, cs_hang_number_of(hang, from->rank), request);
    if (!hang->needs)
        return;
    hang->need[hang->needs - 1].wrong_tag = wrong_tag;
    hang->need[hang->needs - 1].taken = request == CS_HANG_NONE && state == CS_HANG_MISSING && !wrong_tag &&
                                        wanted > 1 &&
                                        message_from(hang, to, from, tag, 1, &wrong_tag) == CS_HANG_MAY_BE;
}

static void needs_receiver(struct cs_hang *hang, const struct cs_hang_object *from, int32_t peer, int32_t tag,
                           bool synchronous, int request)
{
    if (peer == CS_PEER_NULL)
        return;
    const struct cs_hang_object *to = cs_hang_peer_object(hang, from, peer);
    int giver = to ? cs_hang_number_of(hang, to->rank) : cs_hang_peer(hang, from, peer);
    if (!to || giver == CS_HANG_NONE) {
        cs_hang_need_of(hang, CS_HANG_MAY_BE, giver, request);
        return;
    }
    bool known;
    int64_t flying = in_flight(hang, from, to, &known);
    enum cs_hang_state state = synchronous ? CS_HANG_MISSING : CS_HANG_PERHAPS;
    if (known && (request == CS_HANG_NONE ? flying < 0 : flying <= 0))
        state = CS_HANG_GIVEN; /* every sent message was received */
    else if (!known || !hang->rank[giver].whole || is_receiving(hang, to, from->own, tag))
        state = CS_HANG_MAY_BE;
    cs_hang_need_of(hang, state, giver, request);
}

/* ---- collective calls ---- */

static bool is_root_of_all(const struct cs_hang_object *object, int32_t root)
{
    return root == CS_PEER_ROOT || (object->remote_size < 0 && root == object->own);
}

static void add_mismatch(struct cs_hang *hang, uint64_t uid, uint32_t number)
{
    for (size_t i = 0; i < hang->mismatches; i++)
        if (hang->mismatch[i].uid == uid && hang->mismatch[i].number == number)
            return;
    if (!cs_array_grow(&hang->mismatch, hang->mismatches, &hang->mismatches_room, sizeof *hang->mismatch))
        hang->failed = true;
    else
        hang->mismatch[hang->mismatches++] = (struct cs_hang_mismatch){uid, number};
}

/* A function and its form for large counts count as one. */
static bool is_same_function(uint16_t a, uint16_t b)
{
    return a == b || (a & ~1) == (b & ~1);
}

static bool has_root(enum cs_collective pattern)
{
    return pattern == CS_COLLECTIVE_FROM_ROOT || pattern == CS_COLLECTIVE_TO_ROOT;
}

/* True if a member began another call under this number. Only its last call is known. */
static bool is_mismatched(const struct cs_hang_object *own, const struct cs_hang_object *other, uint32_t number,
                          uint16_t function, int32_t root, enum cs_collective pattern)
{
    if (other->freed || other->begun != number || !other->function)
        return false;
    if (!is_same_function(other->function, function))
        return true;
    return has_root(pattern) && own->remote_size < 0 && other->root != root;
}

/* True if the standard requires this member's call for the rank's own part of the collective call. */
static bool is_required(const struct cs_hang_object *own, const struct cs_hang_object *other, int32_t root,
                        enum cs_collective pattern)
{
    switch (pattern) {
    case CS_COLLECTIVE_ALL:
    case CS_COLLECTIVE_AND_OTHERS:
        return true;
    case CS_COLLECTIVE_FROM_ROOT:
        return own->remote_size < 0 && other->own == root;
    case CS_COLLECTIVE_TO_ROOT:
        return is_root_of_all(own, root) && own->remote_size < 0;
    case CS_COLLECTIVE_LOWER_RANKS:
        return other->own < own->own;
    default:
        return false;
    }
}

static void needs_members(struct cs_hang *hang, const struct cs_hang_object *own, uint32_t number, uint16_t function,
                          int32_t root, int request)
{
    const struct cs_function *it = cs_function_find(function);
    size_t count, mine = hang->needs;
    const int *member = cs_hang_members(hang, own->uid, &count);
    size_t size = own->size > 0 ? (size_t)own->size + (size_t)(own->remote_size > 0 ? own->remote_size : 0) : 0;
    if (!it || !number || own->adopted || root == CS_PEER_NULL) {
        cs_hang_need_of(hang, CS_HANG_MAY_BE, CS_HANG_NONE, request);
        return;
    }
    cs_hang_add_need(hang, CS_HANG_MISSING)->request = request; /* all of these are required */
    struct cs_hang_need *perhaps = cs_hang_add_need(hang, CS_HANG_PERHAPS);
    perhaps->any = true; /* the thread may wait for any of them */
    perhaps->request = request;
    bool unknown = count < size;
    int self = cs_hang_number_of(hang, own->rank);
    bool bypasses = self != CS_HANG_NONE && hang->rank[self].bypasses;
    for (size_t i = 0; i < count && !hang->failed; i++) {
        const struct cs_hang_object *other = &hang->object[member[i]];
        int giver = cs_hang_number_of(hang, other->rank);
        if (other == own || giver == CS_HANG_NONE)
            continue;
        bool differs = is_mismatched(own, other, number, function, root, it->collective);
        bool past = bypasses || hang->rank[giver].bypasses; /* the numbers are of other calls */
        if (differs && !past)
            add_mismatch(hang, own->uid, number);
        if (other->adopted || past)
            unknown = true;
        else if (differs || !cs_hang_has_begun(other, number))
            cs_hang_add_giver(hang, &hang->need[mine + !(differs || is_required(own, other, root, it->collective))],
                              giver);
    }
    /* Drops a need without givers. */
    if (!hang->need[mine + 1].givers)
        hang->needs = mine + 1;
    if (!hang->need[mine].givers) {
        hang->need[mine] = hang->need[hang->needs - 1];
        hang->needs--;
    }
    if (unknown || hang->needs == mine || it->collective == CS_COLLECTIVE_AND_OTHERS)
        cs_hang_need_of(hang, CS_HANG_MAY_BE, CS_HANG_NONE, request);
}

static void needs_everybody(struct cs_hang *hang, int self)
{
    struct cs_hang_need *need = cs_hang_add_need(hang, CS_HANG_MISSING);
    for (size_t i = 0; i < hang->ranks; i++) {
        const struct cs_hang_rank *rank = &hang->rank[i];
        bool begun = rank->outcome == CS_HANG_FINALIZED;
        for (size_t t = 0; t < rank->threads; t++) {
            const struct cs_hang_thread *thread = &hang->thread[rank->thread + t];
            begun |= thread->doing == CS_THREAD_INSIDE && thread->call.function == CS_MPI_Finalize;
        }
        if (!begun && (int)i != self)
            cs_hang_add_giver(hang, need, (int)i);
    }
    if (!need->givers || hang->ranks != (size_t)hang->world_size)
        need->state = CS_HANG_MAY_BE;
}

/* ---- threads ---- */

static void needs_request(struct cs_hang *hang, const struct cs_hang_thread *thread, size_t number)
{
    const struct cs_hang_request *it = &hang->request[number];
    const struct cs_hang_object *object = cs_hang_object_of(hang, it->rank, it->object);
    bool past = it->partitions && hang->rank[thread->rank].bypasses;
    if (!object || it->copies > 1 || (it->sends && it->receives) || past) {
        cs_hang_need_of(hang, CS_HANG_MAY_BE, cs_hang_peer(hang, object, it->peer), (int)number);
    } else if (it->collective) {
        if (it->persistent)
            cs_hang_need_of(hang, CS_HANG_MAY_BE, CS_HANG_NONE, (int)number);
        else
            needs_members(hang, object, it->collective, it->function, it->peer, (int)number);
    } else if (it->partitions > it->ready) {
        cs_hang_need_of(hang, CS_HANG_MISSING, thread->rank, (int)number);
        if (hang->needs)
            hang->need[hang->needs - 1].not_ready = true;
    } else if (it->receives) {
        const struct cs_hang_object *from = cs_hang_peer_object(hang, object, it->peer);
        if (from && not_ready(hang, from, object->own, it->tag)) {
            cs_hang_need_of(hang, CS_HANG_MISSING, cs_hang_number_of(hang, from->rank), (int)number);
            if (hang->needs)
                hang->need[hang->needs - 1].not_ready = true;
        } else {
            needs_message(hang, thread, object, it->peer, it->tag, (int)number);
        }
    } else if (it->sends) {
        needs_receiver(hang, object, it->peer, it->tag, false, (int)number);
    } else {
        cs_hang_need_of(hang, CS_HANG_MAY_BE, CS_HANG_NONE, (int)number);
    }
}

static void needs_requests(struct cs_hang *hang, struct cs_hang_thread *thread)
{
    size_t listed = 0;
    for (size_t i = 0; i < hang->requests; i++)
        if (hang->request[i].rank == hang->rank[thread->rank].rank && hang->request[i].thread == (int)thread->thread) {
            listed++;
            needs_request(hang, thread, i);
        }
    if (!listed || thread->awaited > CS_AWAITED_KEPT) /* it may wait for a request that is not listed */
        cs_hang_need_of(hang, CS_HANG_MAY_BE, CS_HANG_NONE, CS_HANG_NONE);
}

void cs_hang_find_needs(struct cs_hang *hang, struct cs_hang_thread *thread)
{
    const struct cs_hang_call *call = cs_hang_call_of(thread);
    const struct cs_function *function = cs_function_find(call->function);
    const struct cs_hang_object *object = cs_hang_object_of(hang, hang->rank[thread->rank].rank, call->object);
    bool inner = thread->inner.function;
    thread->need = hang->needs;
    thread->wait = thread->doing == CS_THREAD_INSIDE && function ? function->wait : CS_NO_WAIT;
    thread->any = thread->wait == CS_WAIT_ANY_REQUEST;
    switch (thread->wait) {
    case CS_NO_WAIT:
        break;
    case CS_WAIT_SEND:
    case CS_WAIT_SYNCHRONOUS_SEND:
        if (object)
            needs_receiver(hang, object, call->peer, call->tag, thread->wait == CS_WAIT_SYNCHRONOUS_SEND, CS_HANG_NONE);
        break;
    case CS_WAIT_RECEIVE:
        if (object)
            needs_message(hang, thread, object, call->peer, call->tag, CS_HANG_NONE);
        break;
    case CS_WAIT_EXCHANGE:
        if (object && !inner) {
            needs_message(hang, thread, object, thread->source, thread->source_tag, CS_HANG_NONE);
            needs_receiver(hang, object, call->peer, call->tag, false, CS_HANG_NONE);
        }
        break;
    case CS_WAIT_ALL_REQUESTS:
    case CS_WAIT_ANY_REQUEST:
        if (!inner)
            needs_requests(hang, thread);
        break;
    case CS_WAIT_COLLECTIVE:
        if (object)
            needs_members(hang, object, call->collective, call->function, call->peer, CS_HANG_NONE);
        break;
    case CS_WAIT_EVERYBODY:
        needs_everybody(hang, thread->rank);
        break;
    case CS_WAIT_TARGET:
        cs_hang_needs_target(hang, thread->rank, call);
        break;
    case CS_WAIT_POSTS:
        if (object)
            cs_hang_needs_posts(hang, object, call->function == CS_MPI_Win_complete);
        break;
    case CS_WAIT_COMPLETES:
        if (object)
            cs_hang_needs_completes(hang, object);
        break;
    case CS_WAIT_MESSAGE:
    case CS_WAIT_OTHERS:
        break;
    }
    if (thread->wait && hang->needs == thread->need)
        cs_hang_need_of(hang, CS_HANG_MAY_BE, CS_HANG_NONE, CS_HANG_NONE);
    thread->needs = hang->needs - thread->need;
}
