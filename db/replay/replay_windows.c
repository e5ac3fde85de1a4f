#include "db/replay/replay_windows.h"

/* They are like messages with these tags, which no program can use. */
enum { TAG_OF_POST = -11, TAG_OF_COMPLETE = -12, TAG_OF_LOCK = -13, TAG_OF_EXCLUSIVE = -14 };

/* In place of a target. */
enum { ALL_TARGETS = -1, ANY_EXCLUSIVE = -2 };

/* In place of the one who locks: whoever. */
enum { ANYBODY = -1 };

/* The begin of an epoch, from the one who posts or completes to the other one. */
static struct cs_partner_message epoch_key(const struct cs_partner_object *window, const struct cs_epoch_peer *peer,
                                           bool from_peer, int64_t tag)
{
    return (struct cs_partner_message){.id = window->id,
                                       .source = from_peer ? peer->peer : window->own,
                                       .dest = from_peer ? window->own : peer->peer,
                                       .tag = tag,
                                       .nth = peer->nth};
}

/* The last unlocks of a target, or of all together. */
static struct cs_partner_message lock_key(const struct cs_partner_object *window, int64_t target)
{
    return (struct cs_partner_message){.id = window->id, .source = target, .dest = ANYBODY, .tag = TAG_OF_LOCK};
}

/* The last one of an exclusive lock; .bytes: when the call that asked for the lock ended. */
static struct cs_partner_message exclusive_unlock_key(const struct cs_partner_object *window, int64_t target)
{
    return (struct cs_partner_message){.id = window->id, .source = target, .dest = ANYBODY, .tag = TAG_OF_EXCLUSIVE};
}

/* An exclusive lock that the process holds, or waits for; .bytes: when the call that asked for it ended. */
static struct cs_partner_message exclusive_key(const struct cs_partner_object *window, int64_t target)
{
    return (struct cs_partner_message){
        .id = window->id, .source = target, .dest = window->own, .tag = TAG_OF_EXCLUSIVE};
}

static int set_sent(struct cs_replay *replay, const struct cs_replay_lane *lane, const struct cs_partner_message *key)
{
    struct cs_pending_message *message = cs_pending_message(replay->pending, key, true);
    if (!message)
        return SQLITE_NOMEM;
    cs_replay_set_moment(replay, &message->sent, lane, lane->recorded_ns);
    return SQLITE_OK;
}

/* Several may unlock: who waits for all waits for the last one. */
static int raise_sent(struct cs_replay *replay, const struct cs_replay_lane *lane, const struct cs_partner_message *key)
{
    struct cs_pending_message *message = cs_pending_message(replay->pending, key, true);
    if (!message)
        return SQLITE_NOMEM;
    cs_replay_raise_moment(replay, &message->sent, lane, lane->recorded_ns);
    return SQLITE_OK;
}

static int unlock(struct cs_replay *replay, const struct cs_replay_lane *lane, const struct cs_partner_object *window,
                  int64_t target)
{
    const struct cs_partner_message all = lock_key(window, ALL_TARGETS), any = lock_key(window, ANY_EXCLUSIVE),
                                    one = lock_key(window, target), exclusive = exclusive_key(window, target),
                                    last = exclusive_unlock_key(window, target);
    if (target < 0)
        return raise_sent(replay, lane, &all);
    const struct cs_pending_message *held = cs_pending_message(replay->pending, &exclusive, false);
    int64_t locked_ns = held ? held->bytes : 0;
    int result = held ? raise_sent(replay, lane, &any) : SQLITE_OK;
    if (result == SQLITE_OK && held && (result = set_sent(replay, lane, &last)) == SQLITE_OK)
        cs_pending_message(replay->pending, &last, false)->bytes = locked_ns;
    return result == SQLITE_OK ? set_sent(replay, lane, &one) : result;
}

/* Waits for an unlock during the call. */
static void need_unlock(struct cs_replay *replay, const struct cs_partner_message *key, int64_t start_ns,
                        struct cs_replay_needs *needs)
{
    const struct cs_pending_message *last = cs_pending_message(replay->pending, key, false);
    if (last && last->sent.recorded_ns > start_ns)
        cs_replay_needs_add(needs, (struct cs_replay_need){.moment = &last->sent, .kind = CS_NEED_LOCK});
}

int cs_replay_begin_epochs(struct cs_replay *replay, const struct cs_replay_lane *lane,
                           const struct cs_pass_event *event)
{
    enum cs_epoch_does does = cs_replay_epochs_function(replay->epochs, event->function).does;
    int result = SQLITE_OK;
    size_t count = 0;
    const struct cs_partner_object *window =
        does == CS_EPOCH_NOTHING ? NULL
                                 : cs_partners_object(replay->partners, lane->thread->rank, event->message.object);
    if (!window)
        return SQLITE_OK;
    if (does == CS_EPOCH_UNLOCKS || does == CS_EPOCH_UNLOCKS_ALL)
        return unlock(replay, lane, window, does == CS_EPOCH_UNLOCKS ? event->message.peer : ALL_TARGETS);
    const struct cs_epoch_peer *peer = cs_replay_epochs_peers(replay->epochs, lane->thread, event->event, &count);
    const struct cs_partner_message exclusive = exclusive_key(window, event->message.peer);
    if (does == CS_EPOCH_LOCKS && count)
        return set_sent(replay, lane, &exclusive);
    for (size_t i = 0; (does == CS_EPOCH_POSTS || does == CS_EPOCH_COMPLETES) && result == SQLITE_OK && i < count;
         i++) {
        const struct cs_partner_message key =
            epoch_key(window, &peer[i], false, does == CS_EPOCH_POSTS ? TAG_OF_POST : TAG_OF_COMPLETE);
        result = set_sent(replay, lane, &key);
    }
    return result;
}

/* Some MPIs take a lock only when a flush or the unlock needs it. It then waits for the exclusive lock of another, who
   had asked for it before: such a lock cannot end during the call of one who holds a lock. */
static const struct cs_pending_message *
find_late_unlock(struct cs_replay *replay, const struct cs_partner_object *window, int64_t target, int64_t start_ns)
{
    const struct cs_partner_message key = exclusive_unlock_key(window, target);
    const struct cs_pending_message *last = cs_pending_message(replay->pending, &key, false);
    return last && last->sent.recorded_ns > start_ns && last->bytes <= start_ns ? last : NULL;
}

static void need_late_unlock(struct cs_replay *replay, const struct cs_partner_object *window, int64_t target,
                             int64_t start_ns, struct cs_replay_needs *needs)
{
    const struct cs_pending_message *last = find_late_unlock(replay, window, target, start_ns);
    if (last)
        cs_replay_needs_add(needs, (struct cs_replay_need){.moment = &last->sent, .kind = CS_NEED_LOCK});
}

/* A lock waits for the end of one that excludes it. */
static void need_lock(struct cs_replay *replay, const struct cs_partner_object *window, int64_t target,
                      int64_t start_ns, struct cs_replay_needs *needs)
{
    const struct cs_partner_message all = lock_key(window, ALL_TARGETS), one = lock_key(window, target),
                                    last = exclusive_unlock_key(window, target), own = exclusive_key(window, target);
    bool exclusive = cs_pending_message(replay->pending, &own, false);
    need_unlock(replay, exclusive ? &one : &last, start_ns, needs);
    if (exclusive)
        need_unlock(replay, &all, start_ns, needs);
}

void cs_replay_need_epochs(struct cs_replay *replay, const struct cs_replay_lane *lane,
                           const struct cs_pass_event *event, int64_t start_ns, struct cs_replay_needs *needs)
{
    const struct cs_epoch_function function = cs_replay_epochs_function(replay->epochs, event->function);
    const struct cs_partner_object *window =
        function.waits == CS_EPOCH_WAITS_NOT && function.does != CS_EPOCH_LOCKS_ALL
            ? NULL
            : cs_partners_object(replay->partners, lane->thread->rank, event->message.object);
    size_t count = 0;
    if (!window)
        return;
    if (function.does == CS_EPOCH_LOCKS_ALL) {
        const struct cs_partner_message any = lock_key(window, ANY_EXCLUSIVE);
        need_unlock(replay, &any, start_ns, needs);
        return;
    }
    if (function.waits == CS_EPOCH_WAITS_FOR_TARGET) {
        if (function.does == CS_EPOCH_LOCKS)
            need_lock(replay, window, event->message.peer, start_ns, needs);
        else
            need_late_unlock(replay, window, event->message.peer, start_ns, needs);
        return;
    }
    bool posts = function.waits == CS_EPOCH_WAITS_FOR_POSTS;
    const struct cs_epoch_peer *peer = cs_replay_epochs_peers(replay->epochs, lane->thread, event->event, &count);
    for (size_t i = 0; i < count; i++) {
        const struct cs_partner_message key = epoch_key(window, &peer[i], true, posts ? TAG_OF_POST : TAG_OF_COMPLETE);
        const struct cs_pending_message *begun = cs_pending_message(replay->pending, &key, false);
        if (begun && begun->sent.recorded_ns <= event->end_ns)
            cs_replay_needs_add(needs, (struct cs_replay_need){.moment = &begun->sent, .kind = CS_NEED_EPOCH});
    }
}

/* The call that asked for a lock, or gave it back, is over. */
static int end_lock(struct cs_replay *replay, const struct cs_replay_lane *lane, const struct cs_pass_event *event,
                    const struct cs_partner_object *window, bool unlocks)
{
    const struct cs_partner_message key = exclusive_key(window, event->message.peer);
    struct cs_pending_message *own = cs_pending_message(replay->pending, &key, false);
    int result = SQLITE_OK;
    if (!own)
        return result;
    if (!unlocks) {
        own->bytes = event->end_ns;
        return result;
    }
    if (find_late_unlock(replay, window, event->message.peer, event->start_ns)) /* it took the lock itself */
        result = unlock(replay, lane, window, event->message.peer);
    own = cs_pending_message(replay->pending, &key, false);
    if (own)
        cs_pending_drop_message(replay->pending, own);
    return result;
}

int cs_replay_release_epochs(struct cs_replay *replay, const struct cs_replay_lane *lane,
                             const struct cs_pass_event *event)
{
    const struct cs_epoch_function function = cs_replay_epochs_function(replay->epochs, event->function);
    bool posts = function.does == CS_EPOCH_COMPLETES, unlocks = function.does == CS_EPOCH_UNLOCKS,
         locks = function.does == CS_EPOCH_LOCKS;
    const struct cs_partner_object *window =
        posts || locks || unlocks || function.waits == CS_EPOCH_WAITS_FOR_COMPLETES
            ? cs_partners_object(replay->partners, lane->thread->rank, event->message.object)
            : NULL;
    size_t count = 0;
    if (!window)
        return SQLITE_OK;
    if (locks || unlocks)
        return end_lock(replay, lane, event, window, unlocks);
    const struct cs_epoch_peer *peer = cs_replay_epochs_peers(replay->epochs, lane->thread, event->event, &count);
    for (size_t i = 0; i < count; i++) {
        const struct cs_partner_message key = epoch_key(window, &peer[i], true, posts ? TAG_OF_POST : TAG_OF_COMPLETE);
        struct cs_pending_message *begun = cs_pending_message(replay->pending, &key, false);
        if (begun)
            cs_pending_drop_message(replay->pending, begun);
    }
    return SQLITE_OK;
}
