#include "cli/deadlock/hang_windows.h"

#include "base/array.h"

/* ---- one-sided ---- */

/* Whether a rank waits in a call on the window at the same target. An MPI may take locks late (Open MPI's pt2pt): then
   MPI_Win_lock has returned without the lock, and MPI_Win_unlock waits for it. So such a rank is no proven holder. */
static bool waits_there(const struct cs_hang *hang, int rank, const struct cs_hang_object *window, int32_t target)
{
    for (size_t i = 0; i < hang->rank[rank].threads; i++) {
        const struct cs_hang_thread *thread = &hang->thread[hang->rank[rank].thread + i];
        const struct cs_hang_call *call = cs_hang_call_of(thread);
        if (thread->doing == CS_THREAD_INSIDE && call->object == window->object && call->peer == target)
            return true;
    }
    return false;
}

void cs_hang_needs_target(struct cs_hang *hang, int self, const struct cs_hang_call *call)
{
    const struct cs_hang_object *own = cs_hang_object_of(hang, hang->rank[self].rank, call->object);
    int target = cs_hang_peer(hang, own, call->peer);
    bool exclusive = call->function == CS_MPI_Win_lock; /* the lock type is unknown until the call returns */
    for (size_t i = 0; own && i < hang->locks; i++)
        exclusive |= hang->lock[i].rank == own->rank && hang->lock[i].object == own->object &&
                     hang->lock[i].target == call->peer && hang->lock[i].exclusive;
    size_t mine = hang->needs;
    bool held_exclusively = false, past = hang->rank[self].bypasses; /* it may have unlocked */
    cs_hang_add_need(hang, CS_HANG_MISSING)->holds_lock = true;
    for (size_t i = 0; own && own->uid && i < hang->locks && !hang->failed; i++) {
        const struct cs_hang_lock *lock = &hang->lock[i];
        const struct cs_hang_object *other = cs_hang_object_of(hang, lock->rank, lock->object);
        if (!other || other->uid != own->uid || other->rank == own->rank || !(lock->exclusive || exclusive) ||
            (lock->target != call->peer && lock->target != CS_PEER_ANY))
            continue;
        int holder = cs_hang_number_of(hang, lock->rank);
        if (holder == CS_HANG_NONE || waits_there(hang, holder, other, call->peer))
            continue;
        cs_hang_add_giver(hang, &hang->need[mine], holder);
        held_exclusively |= lock->exclusive;
        past |= hang->rank[holder].bypasses;
    }
    struct cs_hang_need *need = &hang->need[mine];
    bool progresses = target != CS_HANG_NONE && (target == self || cs_hang_is_inside(hang, &hang->rank[target]));
    /* If several seem to hold a lock that one can hold, the MPI takes locks late, and nobody is proven to hold it. */
    if (!need->givers || !progresses || past || (need->givers > 1 && held_exclusively))
        need->state = CS_HANG_MAY_BE;
    if (!need->givers && target != CS_HANG_NONE)
        cs_hang_add_giver(hang, need, target);
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
    const struct cs_hang_object *target = cs_hang_peer_object(hang, own, access->peer);
    struct cs_hang_epoch theirs;
    *giver = target ? cs_hang_number_of(hang, target->rank) : cs_hang_peer(hang, own, access->peer);
    if (!target || access->unchecked || !epochs_with(hang, target, own->own, &theirs))
        return CS_HANG_MAY_BE;
    if (theirs.posts < access->starts)
        return CS_HANG_PERHAPS;
    return completes && cs_hang_has_operated(hang, own, access->peer) ? CS_HANG_MAY_BE : CS_HANG_GIVEN;
}

/* MPI_Win_start and MPI_Win_complete. */
void cs_hang_needs_posts(struct cs_hang *hang, const struct cs_hang_object *own, bool completes)
{
    size_t count, mine = hang->needs;
    const struct cs_hang_epoch *epoch = epochs_of(hang, own, &count);
    struct cs_hang_epoch none;
    int giver, unknown = CS_HANG_NONE;
    bool may_be = !epochs_with(hang, own, CS_PEER_NULL, &none);
    struct cs_hang_need *need = cs_hang_add_need(hang, CS_HANG_PERHAPS);
    need->any = true; /* it may be any one of them that is waited for */
    need->post = true;
    for (size_t i = 0; i < count && !hang->failed; i++) {
        if (epoch[i].peer < 0 || epoch[i].starts == epoch[i].completes)
            continue;
        enum cs_hang_state state = post_of(hang, own, &epoch[i], completes, &giver);
        if (state == CS_HANG_PERHAPS)
            cs_hang_add_giver(hang, &hang->need[mine], giver);
        if (state == CS_HANG_MAY_BE) {
            may_be = true;
            unknown = giver;
        }
    }
    if (!hang->failed && !hang->need[mine].givers)
        hang->needs = mine;
    if (may_be)
        cs_hang_need_of(hang, CS_HANG_MAY_BE, unknown, CS_HANG_NONE);
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
    const struct cs_hang_object *origin = cs_hang_peer_object(hang, own, exposure->peer);
    struct cs_hang_epoch theirs;
    *giver = origin ? cs_hang_number_of(hang, origin->rank) : cs_hang_peer(hang, own, exposure->peer);
    if (!origin || !epochs_with(hang, origin, own->own, &theirs))
        return CS_HANG_MAY_BE;
    if (theirs.completes >= exposure->posts) {
        *giver = CS_HANG_NONE; /* its operations may be under way */
        return cs_hang_has_operated(hang, origin, own->own) ? CS_HANG_MAY_BE : CS_HANG_GIVEN;
    }
    if (theirs.starts < exposure->posts || !is_completing(hang, origin))
        return CS_HANG_MISSING;
    return lacks_post(hang, origin) ? CS_HANG_PERHAPS : CS_HANG_MAY_BE;
}

/* MPI_Win_wait. */
void cs_hang_needs_completes(struct cs_hang *hang, const struct cs_hang_object *own)
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
        cs_hang_need_of(hang, state, giver, CS_HANG_NONE);
        if (!hang->failed)
            hang->need[hang->needs - 1].complete = true;
    }
}
