#include "cli/hang_find.h"

#include <stdlib.h>

#include "base/array.h"
#include "journal/format.h"

/* ---- looking up ---- */

static int compare_objects(const void *item, const void *key)
{
    const struct cs_hang_object *a = item, *b = key;
    int order = cs_compare(a->rank, b->rank);
    return order ? order : cs_compare(a->object, b->object);
}

const struct cs_hang_object *cs_hang_object_of(const struct cs_hang *hang, int rank, uint32_t object)
{
    const struct cs_hang_object key = {.rank = rank, .object = object};
    size_t at = cs_array_lower_bound(hang->object, hang->objects, sizeof key, &key, compare_objects);
    return at < hang->objects && compare_objects(&hang->object[at], &key) == 0 ? &hang->object[at] : NULL;
}

struct uid_key {
    const struct cs_hang_object *object;
    uint64_t uid;
};

static int compare_member(const void *item, const void *key)
{
    const struct uid_key *wanted = key;
    uint64_t uid = wanted->object[*(const int *)item].uid;
    return uid < wanted->uid ? -1 : uid > wanted->uid;
}

const int *cs_hang_members(const struct cs_hang *hang, uint64_t uid, size_t *count)
{
    const struct uid_key key = {.object = hang->object, .uid = uid};
    size_t at = cs_array_lower_bound(hang->member, hang->objects, sizeof *hang->member, &key, compare_member);
    size_t end = at;
    while (uid && end < hang->objects && hang->object[hang->member[end]].uid == uid)
        end++;
    *count = end - at;
    return hang->member + at;
}

static int compare_ranks(const void *item, const void *key)
{
    return cs_compare(((const struct cs_hang_rank *)item)->rank, *(const int *)key);
}

int cs_hang_number_of(const struct cs_hang *hang, int rank)
{
    size_t at = cs_array_lower_bound(hang->rank, hang->ranks, sizeof *hang->rank, &rank, compare_ranks);
    return at < hang->ranks && hang->rank[at].rank == rank ? (int)at : CS_HANG_NONE;
}

/* The object of the rank that is this peer; NULL: unknown. */
static const struct cs_hang_object *peer_of(const struct cs_hang *hang, const struct cs_hang_object *object,
                                            int32_t peer)
{
    if (!object || peer < 0)
        return NULL;
    if (object->remote_size < 0 && object->own == peer)
        return object;
    size_t count;
    const int *member = cs_hang_members(hang, object->uid, &count);
    const struct cs_hang_object *found = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct cs_hang_object *it = &hang->object[member[i]];
        bool fits = it->own == peer && (object->remote_size < 0 || it->side != object->side);
        if (fits && found)
            return NULL; /* the two groups look alike */
        if (fits)
            found = it;
    }
    return found;
}

int cs_hang_peer(const struct cs_hang *hang, const struct cs_hang_object *object, int32_t peer)
{
    const struct cs_hang_object *it = peer_of(hang, object, peer);
    if (it)
        return cs_hang_number_of(hang, it->rank);
    return object && object->world && peer >= 0 ? cs_hang_number_of(hang, peer) : CS_HANG_NONE;
}

static int compare_traffic(const void *item, const void *key)
{
    const struct cs_hang_traffic *a = item, *b = key;
    int order = cs_compare(a->rank, b->rank);
    return order ? order : cs_compare(a->object, b->object);
}

/* Number of messages; -1: unknown. */
static int64_t messages(const struct cs_hang *hang, const struct cs_hang_object *object, bool sent, int32_t peer)
{
    const struct cs_hang_traffic key = {.rank = object->rank, .object = object->object};
    int64_t count = 0;
    size_t at = cs_array_lower_bound(hang->traffic, hang->traffics, sizeof key, &key, compare_traffic);
    for (; at < hang->traffics; at++) {
        const struct cs_hang_traffic *it = &hang->traffic[at];
        if (it->rank != object->rank || it->object != object->object)
            break;
        if (it->sent == sent && !it->one_sided && it->peer == CS_PEER_OTHERS)
            return -1;
        if (it->sent == sent && !it->one_sided && it->peer == peer)
            count += it->messages;
    }
    return count;
}

/* True if the rank ever called a one-sided operation on the peer, or on peers that are not counted apart. */
static bool has_operated(const struct cs_hang *hang, const struct cs_hang_object *object, int32_t peer)
{
    const struct cs_hang_traffic key = {.rank = object->rank, .object = object->object};
    size_t at = cs_array_lower_bound(hang->traffic, hang->traffics, sizeof key, &key, compare_traffic);
    for (; at < hang->traffics && compare_traffic(&hang->traffic[at], &key) == 0; at++) {
        const struct cs_hang_traffic *it = &hang->traffic[at];
        if (it->one_sided && (it->peer == peer || it->peer == CS_PEER_OTHERS))
            return true;
    }
    return false;
}

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

/* ---- needs ---- */

static struct cs_hang_need *add_need(struct cs_hang *hang, enum cs_hang_state state)
{
    static struct cs_hang_need lost;
    if (!cs_array_grow(&hang->need, hang->needs, &hang->needs_room, sizeof *hang->need)) {
        hang->failed = true;
        return &lost;
    }
    struct cs_hang_need *need = &hang->need[hang->needs++];
    *need = (struct cs_hang_need){.state = state, .request = CS_HANG_NONE};
    return need;
}

static void add_giver(struct cs_hang *hang, struct cs_hang_need *need, int giver)
{
    if ((need->givers & (need->givers - 1)) == 0) {
        size_t room = need->givers ? 2 * need->givers : 1;
        int *grown = realloc(need->giver, room * sizeof *grown);
        if (!grown) {
            hang->failed = true;
            return;
        }
        need->giver = grown;
    }
    need->giver[need->givers++] = giver;
}

static void need_of(struct cs_hang *hang, enum cs_hang_state state, int giver, int request)
{
    struct cs_hang_need *need = add_need(hang, state);
    need->request = request;
    if (giver != CS_HANG_NONE)
        add_giver(hang, need, giver);
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

/* A partitioned send to this rank that is not ready; NULL: none. */
static const struct cs_hang_request *not_ready(const struct cs_hang *hang, const struct cs_hang_object *from,
                                               int32_t to, int32_t tag)
{
    for (size_t i = 0; i < hang->requests; i++) {
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
    int64_t sent = messages(hang, from, true, to->own), received = messages(hang, to, false, from->own);
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

/* Number of requests that the thread waits for and that receive from this peer. */
static int64_t wanted_from(const struct cs_hang *hang, const struct cs_hang_thread *thread,
                           const struct cs_hang_request *one)
{
    int64_t count = 0;
    for (size_t i = 0; i < hang->requests; i++) {
        const struct cs_hang_request *it = &hang->request[i];
        count += it->rank == one->rank && it->thread == (int)thread->thread && it->receives && !it->sends &&
                 it->object == one->object && it->peer == one->peer;
    }
    return count;
}

static void needs_message(struct cs_hang *hang, const struct cs_hang_object *to, int32_t peer, int32_t tag,
                          int64_t wanted, int request)
{
    bool wrong_tag;
    if (peer == CS_PEER_NULL)
        return;
    if (peer >= 0) {
        const struct cs_hang_object *from = peer_of(hang, to, peer);
        if (!from) {
            need_of(hang, CS_HANG_MAY_BE, cs_hang_peer(hang, to, peer), request);
            return;
        }
        enum cs_hang_state state = message_from(hang, to, from, tag, wanted, &wrong_tag);
        need_of(hang, state, cs_hang_number_of(hang, from->rank), request);
        if (hang->needs)
            hang->need[hang->needs - 1].wrong_tag = wrong_tag;
        return;
    }
    /* Any source: all members, or all of the remote group. */
    size_t count, seen = 0;
    const int *member = cs_hang_members(hang, to->uid, &count);
    struct cs_hang_need *need = add_need(hang, CS_HANG_MISSING);
    need->any = true;
    need->request = request;
    for (size_t i = 0; i < count; i++) {
        const struct cs_hang_object *from = &hang->object[member[i]];
        if (to->remote_size >= 0 ? from->side == to->side : false)
            continue;
        seen++;
        if (message_from(hang, to, from, tag, 1, &wrong_tag) != CS_HANG_MISSING)
            need->state = CS_HANG_MAY_BE;
        if (from->rank != to->rank)
            add_giver(hang, need, cs_hang_number_of(hang, from->rank));
    }
    if (!to->uid || seen != (size_t)(to->remote_size >= 0 ? to->remote_size : to->size))
        need->state = CS_HANG_MAY_BE;
}

static void needs_receiver(struct cs_hang *hang, const struct cs_hang_object *from, int32_t peer, int32_t tag,
                           bool synchronous, int request)
{
    if (peer == CS_PEER_NULL)
        return;
    const struct cs_hang_object *to = peer_of(hang, from, peer);
    int giver = to ? cs_hang_number_of(hang, to->rank) : cs_hang_peer(hang, from, peer);
    if (!to || giver == CS_HANG_NONE) {
        need_of(hang, CS_HANG_MAY_BE, giver, request);
        return;
    }
    bool known;
    int64_t flying = in_flight(hang, from, to, &known);
    enum cs_hang_state state = synchronous ? CS_HANG_MISSING : CS_HANG_PERHAPS;
    if (known && (request == CS_HANG_NONE ? flying < 0 : flying <= 0))
        state = CS_HANG_GIVEN; /* every sent message was received */
    else if (!known || !hang->rank[giver].whole || is_receiving(hang, to, from->own, tag))
        state = CS_HANG_MAY_BE;
    need_of(hang, state, giver, request);
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
        need_of(hang, CS_HANG_MAY_BE, CS_HANG_NONE, request);
        return;
    }
    add_need(hang, CS_HANG_MISSING)->request = request; /* all of these are required */
    struct cs_hang_need *perhaps = add_need(hang, CS_HANG_PERHAPS);
    perhaps->any = true; /* the thread may wait for any of them */
    perhaps->request = request;
    bool unknown = count < size;
    for (size_t i = 0; i < count && !hang->failed; i++) {
        const struct cs_hang_object *other = &hang->object[member[i]];
        int giver = cs_hang_number_of(hang, other->rank);
        if (other == own || giver == CS_HANG_NONE)
            continue;
        bool differs = is_mismatched(own, other, number, function, root, it->collective);
        if (differs)
            add_mismatch(hang, own->uid, number);
        if (other->adopted)
            unknown = true;
        else if (differs || !cs_hang_has_begun(other, number))
            add_giver(hang, &hang->need[mine + !(differs || is_required(own, other, root, it->collective))], giver);
    }
    /* Drops a need without givers. */
    if (!hang->need[mine + 1].givers)
        hang->needs = mine + 1;
    if (!hang->need[mine].givers) {
        hang->need[mine] = hang->need[hang->needs - 1];
        hang->needs--;
    }
    if (unknown || hang->needs == mine || it->collective == CS_COLLECTIVE_AND_OTHERS)
        need_of(hang, CS_HANG_MAY_BE, CS_HANG_NONE, request);
}

static void needs_everybody(struct cs_hang *hang, int self)
{
    struct cs_hang_need *need = add_need(hang, CS_HANG_MISSING);
    for (size_t i = 0; i < hang->ranks; i++) {
        const struct cs_hang_rank *rank = &hang->rank[i];
        bool begun = rank->outcome == CS_HANG_FINALIZED;
        for (size_t t = 0; t < rank->threads; t++) {
            const struct cs_hang_thread *thread = &hang->thread[rank->thread + t];
            begun |= thread->doing == CS_THREAD_INSIDE && thread->call.function == CS_MPI_Finalize;
        }
        if (!begun && (int)i != self)
            add_giver(hang, need, (int)i);
    }
    if (!need->givers || hang->ranks != (size_t)hang->world_size)
        need->state = CS_HANG_MAY_BE;
}

/* ---- one-sided ---- */

static bool is_in_mpi(const struct cs_hang_rank *rank, const struct cs_hang *hang)
{
    for (size_t i = 0; i < rank->threads; i++)
        if (hang->thread[rank->thread + i].doing == CS_THREAD_INSIDE)
            return true;
    return false;
}

/* A wait for a lock, or for operations under it, is a wait for all ranks that hold it. */
static void needs_target(struct cs_hang *hang, int self, const struct cs_hang_call *call)
{
    const struct cs_hang_object *own = cs_hang_object_of(hang, hang->rank[self].rank, call->object);
    int target = cs_hang_peer(hang, own, call->peer);
    bool exclusive = call->function == CS_MPI_Win_lock; /* the lock type is unknown until the call returns */
    for (size_t i = 0; own && i < hang->locks; i++)
        exclusive |= hang->lock[i].rank == own->rank && hang->lock[i].object == own->object &&
                     hang->lock[i].target == call->peer && hang->lock[i].exclusive;
    size_t mine = hang->needs;
    add_need(hang, CS_HANG_MISSING)->holds_lock = true;
    for (size_t i = 0; own && own->uid && i < hang->locks && !hang->failed; i++) {
        const struct cs_hang_lock *lock = &hang->lock[i];
        const struct cs_hang_object *other = cs_hang_object_of(hang, lock->rank, lock->object);
        if (other && other->uid == own->uid && other->rank != own->rank &&
            (lock->target == call->peer || lock->target == CS_PEER_ANY) && (lock->exclusive || exclusive))
            add_giver(hang, &hang->need[mine], cs_hang_number_of(hang, lock->rank));
    }
    struct cs_hang_need *need = &hang->need[mine];
    bool progresses = target != CS_HANG_NONE && (target == self || is_in_mpi(&hang->rank[target], hang));
    if (!need->givers || !progresses)
        need->state = CS_HANG_MAY_BE;
    if (!need->givers && target != CS_HANG_NONE)
        add_giver(hang, need, target);
}

/* ---- epochs of MPI_Win_start and MPI_Win_post ---- */

static int compare_epochs(const void *item, const void *key)
{
    const struct cs_hang_epoch *a = item, *b = key;
    int order = cs_compare(a->rank, b->rank);
    return order ? order : cs_compare(a->object, b->object);
}

/* The epochs of a rank on a window; *count of them. */
static const struct cs_hang_epoch *epochs_of(const struct cs_hang *hang, const struct cs_hang_object *window,
                                             size_t *count)
{
    const struct cs_hang_epoch key = {.rank = window->rank, .object = window->object};
    size_t at = cs_array_lower_bound(hang->epoch, hang->epochs, sizeof key, &key, compare_epochs), end = at;
    while (end < hang->epochs && compare_epochs(&hang->epoch[end], &key) == 0)
        end++;
    *count = end - at;
    return hang->epoch + at;
}

/* All zero if there were none. False: they are not known. */
static bool epochs_with(const struct cs_hang *hang, const struct cs_hang_object *window, int32_t peer,
                        struct cs_hang_epoch *found)
{
    size_t count;
    const struct cs_hang_epoch *epoch = epochs_of(hang, window, &count);
    int rank = cs_hang_number_of(hang, window->rank);
    *found = (struct cs_hang_epoch){0};
    for (size_t i = 0; i < count; i++) {
        if (epoch[i].peer == CS_PEER_OTHERS)
            return false;
        if (epoch[i].peer == peer)
            *found = epoch[i];
    }
    return rank != CS_HANG_NONE && hang->rank[rank].exact && !window->adopted && !window->freed && window->own >= 0;
}

/* How far the target has posted for an access epoch. The standard lets start and complete return without it. */
static enum cs_hang_state post_of(const struct cs_hang *hang, const struct cs_hang_object *own,
                                  const struct cs_hang_epoch *access, bool completes, int *giver)
{
    const struct cs_hang_object *target = peer_of(hang, own, access->peer);
    struct cs_hang_epoch theirs;
    *giver = target ? cs_hang_number_of(hang, target->rank) : cs_hang_peer(hang, own, access->peer);
    if (!target || access->unchecked || !epochs_with(hang, target, own->own, &theirs))
        return CS_HANG_MAY_BE;
    if (theirs.posts < access->starts)
        return CS_HANG_PERHAPS;
    return completes && has_operated(hang, own, access->peer) ? CS_HANG_MAY_BE : CS_HANG_GIVEN;
}

/* MPI_Win_start and MPI_Win_complete. */
static void needs_posts(struct cs_hang *hang, const struct cs_hang_object *own, bool completes)
{
    size_t count, mine = hang->needs;
    const struct cs_hang_epoch *epoch = epochs_of(hang, own, &count);
    struct cs_hang_epoch none;
    int giver, unknown = CS_HANG_NONE;
    bool may_be = !epochs_with(hang, own, CS_PEER_NULL, &none);
    struct cs_hang_need *need = add_need(hang, CS_HANG_PERHAPS);
    need->any = true; /* it may be any one of them that is waited for */
    need->post = true;
    for (size_t i = 0; i < count && !hang->failed; i++) {
        if (epoch[i].peer < 0 || epoch[i].starts == epoch[i].completes)
            continue;
        enum cs_hang_state state = post_of(hang, own, &epoch[i], completes, &giver);
        if (state == CS_HANG_PERHAPS)
            add_giver(hang, &hang->need[mine], giver);
        if (state == CS_HANG_MAY_BE) {
            may_be = true;
            unknown = giver;
        }
    }
    if (!hang->failed && !hang->need[mine].givers)
        hang->needs = mine;
    if (may_be)
        need_of(hang, CS_HANG_MAY_BE, unknown, CS_HANG_NONE);
}

static bool is_completing(const struct cs_hang *hang, const struct cs_hang_object *window)
{
    int number = cs_hang_number_of(hang, window->rank);
    const struct cs_hang_rank *rank = number == CS_HANG_NONE ? NULL : &hang->rank[number];
    for (size_t i = 0; rank && i < rank->threads; i++) {
        const struct cs_hang_thread *thread = &hang->thread[rank->thread + i];
        const struct cs_hang_call *call = cs_hang_call_of(thread);
        if (thread->doing == CS_THREAD_INSIDE && call->function == CS_MPI_Win_complete &&
            call->object == window->object)
            return true;
    }
    return false;
}

/* True if the origin, which is in MPI_Win_complete, waits for the post of another target and for nothing else. */
static bool lacks_post(const struct cs_hang *hang, const struct cs_hang_object *origin)
{
    size_t count;
    const struct cs_hang_epoch *epoch = epochs_of(hang, origin, &count);
    bool lacks = false;
    int giver;
    for (size_t i = 0; i < count; i++) {
        if (epoch[i].peer < 0 || epoch[i].starts == epoch[i].completes)
            continue;
        enum cs_hang_state state = post_of(hang, origin, &epoch[i], true, &giver);
        if (state == CS_HANG_MAY_BE)
            return false;
        lacks |= state == CS_HANG_PERHAPS;
    }
    return lacks;
}

/* How far the origin has completed the access epoch that belongs to an exposure epoch. */
static enum cs_hang_state complete_of(const struct cs_hang *hang, const struct cs_hang_object *own,
                                      const struct cs_hang_epoch *exposure, int *giver)
{
    const struct cs_hang_object *origin = peer_of(hang, own, exposure->peer);
    struct cs_hang_epoch theirs;
    *giver = origin ? cs_hang_number_of(hang, origin->rank) : cs_hang_peer(hang, own, exposure->peer);
    if (!origin || !epochs_with(hang, origin, own->own, &theirs))
        return CS_HANG_MAY_BE;
    if (theirs.completes >= exposure->posts) {
        *giver = CS_HANG_NONE; /* its operations may be under way */
        return has_operated(hang, origin, own->own) ? CS_HANG_MAY_BE : CS_HANG_GIVEN;
    }
    if (theirs.starts < exposure->posts || !is_completing(hang, origin))
        return CS_HANG_MISSING;
    return lacks_post(hang, origin) ? CS_HANG_PERHAPS : CS_HANG_MAY_BE;
}

/* MPI_Win_wait. */
static void needs_completes(struct cs_hang *hang, const struct cs_hang_object *own)
{
    size_t count;
    const struct cs_hang_epoch *epoch = epochs_of(hang, own, &count);
    struct cs_hang_epoch none;
    int giver;
    if (!epochs_with(hang, own, CS_PEER_NULL, &none))
        count = 0;
    for (size_t i = 0; i < count && !hang->failed; i++) {
        if (epoch[i].posts == epoch[i].waits)
            continue;
        enum cs_hang_state state = complete_of(hang, own, &epoch[i], &giver);
        need_of(hang, state, giver, CS_HANG_NONE);
        if (!hang->failed)
            hang->need[hang->needs - 1].complete = true;
    }
}

/* ---- threads ---- */

static void needs_request(struct cs_hang *hang, const struct cs_hang_thread *thread, size_t number)
{
    const struct cs_hang_request *it = &hang->request[number];
    const struct cs_hang_object *object = cs_hang_object_of(hang, it->rank, it->object);
    if (!object || it->copies > 1 || (it->sends && it->receives)) {
        need_of(hang, CS_HANG_MAY_BE, cs_hang_peer(hang, object, it->peer), (int)number);
    } else if (it->collective) {
        if (it->persistent)
            need_of(hang, CS_HANG_MAY_BE, CS_HANG_NONE, (int)number);
        else
            needs_members(hang, object, it->collective, it->function, it->peer, (int)number);
    } else if (it->partitions > it->ready) {
        need_of(hang, CS_HANG_MISSING, thread->rank, (int)number);
        if (hang->needs)
            hang->need[hang->needs - 1].not_ready = true;
    } else if (it->receives) {
        const struct cs_hang_object *from = peer_of(hang, object, it->peer);
        if (from && not_ready(hang, from, object->own, it->tag)) {
            need_of(hang, CS_HANG_MISSING, cs_hang_number_of(hang, from->rank), (int)number);
            if (hang->needs)
                hang->need[hang->needs - 1].not_ready = true;
        } else {
            needs_message(hang, object, it->peer, it->tag, wanted_from(hang, thread, it), (int)number);
        }
    } else if (it->sends) {
        needs_receiver(hang, object, it->peer, it->tag, false, (int)number);
    } else {
        need_of(hang, CS_HANG_MAY_BE, CS_HANG_NONE, (int)number);
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
        need_of(hang, CS_HANG_MAY_BE, CS_HANG_NONE, CS_HANG_NONE);
}

static void find_needs(struct cs_hang *hang, struct cs_hang_thread *thread)
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
            needs_message(hang, object, call->peer, call->tag, 1, CS_HANG_NONE);
        break;
    case CS_WAIT_EXCHANGE:
        if (object && !inner) {
            needs_message(hang, object, thread->source, thread->source_tag, 1, CS_HANG_NONE);
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
        needs_target(hang, thread->rank, call);
        break;
    case CS_WAIT_POSTS:
        if (object)
            needs_posts(hang, object, call->function == CS_MPI_Win_complete);
        break;
    case CS_WAIT_COMPLETES:
        if (object)
            needs_completes(hang, object);
        break;
    case CS_WAIT_MESSAGE:
    case CS_WAIT_OTHERS:
        break;
    }
    if (thread->wait && hang->needs == thread->need)
        need_of(hang, CS_HANG_MAY_BE, CS_HANG_NONE, CS_HANG_NONE);
    thread->needs = hang->needs - thread->need;
}

/* ---- who is stuck ---- */

static bool cannot_give(const struct cs_hang *hang, int giver)
{
    return giver == CS_HANG_NONE ? false : hang->rank[giver].stuck || hang->rank[giver].outcome != CS_HANG_RUNNING;
}

/* True if the need will never be met. */
static bool is_hopeless(const struct cs_hang *hang, const struct cs_hang_need *need)
{
    size_t stuck = 0;
    for (size_t i = 0; i < need->givers; i++)
        stuck += cannot_give(hang, need->giver[i]);
    return need->givers && (need->any ? stuck == need->givers : stuck > 0);
}

static bool is_thread_stuck(const struct cs_hang *hang, const struct cs_hang_thread *thread)
{
    size_t missing = 0, may_be = 0, perhaps = 0, hopeless = 0, hopeless_perhaps = 0;
    for (size_t i = 0; i < thread->needs; i++) {
        const struct cs_hang_need *need = &hang->need[thread->need + i];
        bool lost = is_hopeless(hang, need);
        missing += need->state == CS_HANG_MISSING;
        may_be += need->state == CS_HANG_MAY_BE;
        perhaps += need->state == CS_HANG_PERHAPS;
        hopeless += need->state == CS_HANG_MISSING && lost;
        hopeless_perhaps += need->state == CS_HANG_PERHAPS && lost;
    }
    if (thread->any)
        return thread->needs && hopeless + hopeless_perhaps == thread->needs;
    if (hopeless)
        return true;
    /* The call waits for one of these; nobody knows for which. */
    return !missing && !may_be && perhaps && hopeless_perhaps == perhaps;
}

static bool is_rank_stuck(const struct cs_hang *hang, const struct cs_hang_rank *rank)
{
    size_t inside = 0;
    for (size_t i = 0; i < rank->threads; i++) {
        const struct cs_hang_thread *thread = &hang->thread[rank->thread + i];
        if (thread->doing == CS_THREAD_ENDED || (thread->doing == CS_THREAD_OUTSIDE && rank->open))
            continue;
        if (!thread->wait || !is_thread_stuck(hang, thread))
            return false;
        inside++;
    }
    return inside;
}

/* True if the thread may compute in a function of the program that its call has run. */
static bool may_be_in_callback(const struct cs_hang_rank *rank, const struct cs_hang_thread *thread)
{
    const struct cs_function *function = cs_function_find(thread->call.function);
    return thread->doing == CS_THREAD_INSIDE && !thread->inner.function &&
           (rank->handles_errors || (rank->handles_attributes && function && function->runs_callbacks));
}

static void find_stuck(struct cs_hang *hang)
{
    for (size_t i = 0; i < hang->ranks; i++) {
        struct cs_hang_rank *rank = &hang->rank[i];
        for (size_t t = 0; t < rank->threads; t++) {
            rank->waits |= hang->thread[rank->thread + t].wait != CS_NO_WAIT;
            rank->open_callback |= may_be_in_callback(rank, &hang->thread[rank->thread + t]);
        }
        rank->stuck = rank->waits && rank->steady && rank->outcome == CS_HANG_RUNNING;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < hang->ranks; i++)
            if (hang->rank[i].stuck && !is_rank_stuck(hang, &hang->rank[i])) {
                hang->rank[i].stuck = false;
                changed = true;
            }
    }
}

/* ---- deadlocks: strongly connected parts of who waits for whom ---- */

struct search {
    struct cs_hang *hang;
    int *index, *low, *path, *work;
    size_t *thread_at, *need_at, *giver_at; /* where the walk continues */
    int count, depth, on;
    bool *on_path;
};

/* The next stuck rank that this one waits for; CS_HANG_NONE: no more. */
static int next_giver(struct search *search, int rank)
{
    const struct cs_hang *hang = search->hang;
    const struct cs_hang_rank *it = &hang->rank[rank];
    for (; search->thread_at[rank] < it->threads; search->thread_at[rank]++, search->need_at[rank] = 0) {
        const struct cs_hang_thread *thread = &hang->thread[it->thread + search->thread_at[rank]];
        for (; search->need_at[rank] < thread->needs; search->need_at[rank]++, search->giver_at[rank] = 0) {
            const struct cs_hang_need *need = &hang->need[thread->need + search->need_at[rank]];
            bool counts = (need->state == CS_HANG_MISSING || need->state == CS_HANG_PERHAPS) && is_hopeless(hang, need);
            while (counts && search->giver_at[rank] < need->givers) {
                int giver = need->giver[search->giver_at[rank]++];
                if (giver != CS_HANG_NONE && hang->rank[giver].stuck)
                    return giver;
            }
        }
    }
    return CS_HANG_NONE;
}

/* Takes the ranks of one component from the end of the path. A component of one rank is a deadlock if the rank waits
   for itself. */
static void take_part(struct search *search, int first)
{
    struct cs_hang *hang = search->hang;
    int size = 0;
    for (int i = search->on - 1; i >= 0 && (size++, search->path[i] != first); i--)
        ;
    bool cyclic = size > 1;
    if (!cyclic) {
        search->thread_at[first] = search->need_at[first] = search->giver_at[first] = 0;
        for (int giver; (giver = next_giver(search, first)) != CS_HANG_NONE;)
            cyclic |= giver == first;
    }
    for (int i = 0; i < size; i++) {
        int rank = search->path[--search->on];
        search->on_path[rank] = false;
        hang->rank[rank].core = cyclic ? hang->cores : CS_HANG_NONE;
    }
    hang->cores += cyclic;
}

static void search_from(struct search *search, int first)
{
    search->depth = 0;
    search->work[search->depth++] = first;
    search->index[first] = search->low[first] = ++search->count;
    search->path[search->on++] = first;
    search->on_path[first] = true;
    while (search->depth > 0) {
        int rank = search->work[search->depth - 1], giver = next_giver(search, rank);
        if (giver == CS_HANG_NONE) {
            search->depth--;
            if (search->depth > 0) {
                int before = search->work[search->depth - 1];
                if (search->low[rank] < search->low[before])
                    search->low[before] = search->low[rank];
            }
            if (search->low[rank] == search->index[rank])
                take_part(search, rank);
        } else if (!search->index[giver]) {
            search->index[giver] = search->low[giver] = ++search->count;
            search->path[search->on++] = giver;
            search->on_path[giver] = true;
            search->work[search->depth++] = giver;
        } else if (search->on_path[giver] && search->index[giver] < search->low[rank]) {
            search->low[rank] = search->index[giver];
        }
    }
}

static void find_cores(struct cs_hang *hang)
{
    size_t n = hang->ranks + 1;
    struct search search = {.hang = hang,
                            .index = calloc(n, sizeof(int)),
                            .low = calloc(n, sizeof(int)),
                            .path = calloc(n, sizeof(int)),
                            .work = calloc(n, sizeof(int)),
                            .thread_at = calloc(n, sizeof(size_t)),
                            .need_at = calloc(n, sizeof(size_t)),
                            .giver_at = calloc(n, sizeof(size_t)),
                            .on_path = calloc(n, sizeof(bool))};
    hang->failed |= !search.index || !search.low || !search.path || !search.work || !search.thread_at ||
                    !search.need_at || !search.giver_at || !search.on_path;
    for (size_t i = 0; !hang->failed && i < hang->ranks; i++)
        if (hang->rank[i].stuck && !search.index[i])
            search_from(&search, (int)i);
    free(search.index);
    free(search.low);
    free(search.path);
    free(search.work);
    free(search.thread_at);
    free(search.need_at);
    free(search.giver_at);
    free(search.on_path);
}

/* qsort has no context. */
static const struct cs_hang_object *sorted;

static int by_uid(const void *left, const void *right)
{
    const struct cs_hang_object *a = &sorted[*(const int *)left], *b = &sorted[*(const int *)right];
    if (a->uid != b->uid)
        return a->uid < b->uid ? -1 : 1;
    return a->rank != b->rank ? cs_compare(a->rank, b->rank) : cs_compare(a->object, b->object);
}

bool cs_hang_find(struct cs_hang *hang)
{
    hang->member = calloc(hang->objects + 1, sizeof *hang->member);
    if (!hang->member)
        return false;
    for (size_t i = 0; i < hang->objects; i++)
        hang->member[i] = (int)i;
    sorted = hang->object;
    if (hang->objects)
        qsort(hang->member, hang->objects, sizeof *hang->member, by_uid);
    for (size_t i = 0; i < hang->ranks; i++)
        hang->rank[i].core = CS_HANG_NONE;
    for (size_t i = 0; i < hang->threads && !hang->failed; i++)
        find_needs(hang, &hang->thread[i]);
    if (!hang->failed)
        find_stuck(hang);
    if (!hang->failed)
        find_cores(hang);
    return !hang->failed;
}

void cs_hang_free_conclusions(struct cs_hang *hang)
{
    for (size_t i = 0; i < hang->needs; i++)
        free(hang->need[i].giver);
    free(hang->need);
    free(hang->member);
    free(hang->mismatch);
}
