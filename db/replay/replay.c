#include "db/replay/replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/replay/replay_state.h"
#include "db/replay/replay_windows.h"
#include "db/trace/event_pass.h"
#include "db/trace/partners.h"

enum {
    REQUEST_BYTES_LEAST = 1024, /* smaller sends do not wait for their receive */
    POLL_WORK_LEAST_NS = 2000,  /* less than this between two polls is the loop itself */
    SHORT_WAIT_NS = 5000,       /* a call that takes longer without a known partner waits for something unknown */
    ERROR_MOST_PERCENT = 10,    /* a replay that misses the recorded length by more claims nothing */
};

static bool is_in_window(const struct cs_replay *replay, int64_t instant_ns)
{
    return instant_ns >= replay->facts.from_ns;
}

/* ---- what a call begins ---- */

/* Whether a send of this size may wait for its receive. */
static bool is_tracked(const struct cs_replay *replay, int64_t bytes, bool synchronous, bool persistent)
{
    if (replay->measuring)
        return synchronous || persistent || bytes >= REQUEST_BYTES_LEAST;
    return synchronous || (replay->facts.has_rendezvous[persistent] && bytes > replay->facts.eager_bytes[persistent]);
}

/* Likewise, of a send that the receive does not know. */
static bool is_receive_tracked(const struct cs_replay *replay, int64_t bytes)
{
    return is_tracked(replay, bytes, false, false) ||
           (cs_partners_have_persistent(replay->partners) && is_tracked(replay, bytes, false, true));
}

static struct cs_pending_request_key request_key(const struct cs_pass_thread *thread, int64_t number)
{
    return (struct cs_pending_request_key){thread->rank, thread->thread, number};
}

/* A message that this thread sends now. number: of the entry that completions name, if a request completes it. */
static int begin_send(struct cs_replay *replay, const struct cs_replay_lane *lane, const struct cs_pass_message *said,
                      const struct cs_partner_function *function, int64_t recorded_ns, int64_t number)
{
    struct cs_partner_message key;
    if (!cs_partners_message(replay->partners, lane->thread->rank, said, &key))
        return SQLITE_OK;
    struct cs_pending_message *message = cs_pending_message(replay->pending, &key, true);
    if (!message)
        return SQLITE_NOMEM;
    cs_replay_set_moment(replay, &message->sent, lane, recorded_ns);
    message->bytes = said->bytes;
    message->synchronous = function->synchronous;
    bool later = function->nonblocking || function->starts;
    message->persistent = function->starts;
    message->completed = later && !is_tracked(replay, said->bytes, function->synchronous, function->starts);
    if (!later || message->completed)
        return SQLITE_OK;
    struct cs_pending_request *request = cs_pending_request(
        replay->pending, &(struct cs_pending_request_key){lane->thread->rank, lane->thread->thread, number}, true);
    if (!request)
        return SQLITE_NOMEM;
    request->sends = true;
    request->message = key;
    return SQLITE_OK;
}

static int post_receive(struct cs_replay *replay, const struct cs_partner_message *key, const struct cs_moment *posted)
{
    struct cs_pending_message *message = cs_pending_message(replay->pending, key, true);
    if (!message)
        return SQLITE_NOMEM;
    cs_replay_copy_moment(replay, &message->posted, posted);
    return SQLITE_OK;
}

/* A receive that a later call completes: its messages are known if that call was read already. */
static int begin_receive_request(struct cs_replay *replay, const struct cs_replay_lane *lane, int64_t bytes,
                                 int64_t recorded_ns, int64_t number)
{
    const struct cs_pending_request_key key = request_key(lane->thread, number);
    bool tracked = is_receive_tracked(replay, bytes);
    struct cs_pending_request *request = cs_pending_request(replay->pending, &key, tracked);
    if (!request)
        return tracked ? SQLITE_NOMEM : SQLITE_OK;
    cs_replay_set_moment(replay, &request->posted, lane, recorded_ns);
    int result = SQLITE_OK;
    while (request->awaited && result == SQLITE_OK) {
        struct cs_pending_awaited *awaited = request->awaited;
        result = post_receive(replay, &awaited->message, &request->posted);
        request->awaited = awaited->next;
        free(awaited);
    }
    return result;
}

/* ---- collective calls ---- */

static bool is_root(const struct cs_pass_event *event, const struct cs_partner_object *object)
{
    return event->message.peer == object->own;
}

static int begin_collective(struct cs_replay *replay, const struct cs_replay_lane *lane,
                            const struct cs_pass_event *event, const struct cs_partner_function *function,
                            int64_t recorded_ns)
{
    const struct cs_partner_object *object =
        cs_partners_object(replay->partners, lane->thread->rank, event->message.object);
    if (!object || object->members < 2 || function->members == CS_MEMBERS_NONE)
        return SQLITE_OK;
    const struct cs_pending_collective_key key = {object->id, event->collective};
    struct cs_pending_collective *collective = cs_pending_collective(replay->pending, &key, true);
    if (!collective)
        return SQLITE_NOMEM;
    collective->members = object->members;
    collective->barrier = function->barrier;
    cs_replay_raise_moment(replay, &collective->last, lane, recorded_ns);
    if (function->members == CS_MEMBERS_ROOT && is_root(event, object))
        cs_replay_set_moment(replay, &collective->root, lane, recorded_ns);
    if (function->members == CS_MEMBERS_LOWER) {
        if (!cs_pending_add_lower(replay->pending, collective))
            return SQLITE_NOMEM;
        if (object->own >= 0 && object->own < collective->members)
            cs_replay_set_moment(replay, &collective->lower[object->own], lane, recorded_ns);
    }
    if (!function->nonblocking)
        return SQLITE_OK;
    const struct cs_pending_request_key number = request_key(lane->thread, event->event);
    struct cs_pending_request *request = cs_pending_request(replay->pending, &number, true);
    if (!request)
        return SQLITE_NOMEM;
    request->collects = true;
    request->collective = key;
    request->waits_for = function->members;
    request->is_root = is_root(event, object);
    request->own = object->own;
    return SQLITE_OK;
}

/* ---- what a call waits for ---- */

static struct cs_cost_kind kind_of_message(const struct cs_replay *replay, const struct cs_partner_message *key,
                                           int64_t bytes)
{
    return (struct cs_cost_kind){.part = CS_COST_OF_MESSAGE,
                                 .apart = (int32_t)cs_distances_between(replay->distances, key->source, key->dest),
                                 .size = cs_cost_size(bytes)};
}

/* Whether the sender needs the receive. */
static bool is_rendezvous(const struct cs_replay *replay, const struct cs_pending_message *message)
{
    return message->synchronous || (!replay->measuring && replay->facts.has_rendezvous[message->persistent] &&
                                    message->bytes > replay->facts.eager_bytes[message->persistent]);
}

/* What the run shows of the size from which on sends wait for their receive: a send that was over before. */
static void measure_eager(struct cs_replay *replay, const struct cs_pending_message *message, int64_t end_ns)
{
    bool before = !message->posted.known || message->posted.recorded_ns > end_ns;
    int64_t *eager_bytes = &replay->facts.eager_bytes[message->persistent];
    if (before && !message->synchronous && message->bytes > *eager_bytes)
        *eager_bytes = message->bytes;
}

/* A call that ended only after a receive was posted, long after all else was there. */
static void measure_rendezvous(struct cs_replay *replay, const struct cs_replay_needs *needs, int64_t start_ns)
{
    int64_t posted_ns = INT64_MIN, other_ns = start_ns;
    bool persistent = false;
    for (size_t i = 0; i < needs->count; i++) {
        const struct cs_replay_need *need = &needs->need[i];
        bool post = need->kind == CS_NEED_RECEIVE && !need->synchronous;
        int64_t *latest_ns = post ? &posted_ns : &other_ns;
        if (post && need->moment->recorded_ns > posted_ns)
            persistent = need->persistent;
        *latest_ns = need->moment->recorded_ns > *latest_ns ? need->moment->recorded_ns : *latest_ns;
    }
    if (!needs->lost && posted_ns > other_ns + CS_SURE_WAIT_NS)
        replay->facts.has_rendezvous[persistent] = true;
}

static void need_post(struct cs_replay *replay, struct cs_replay_needs *needs, const struct cs_pending_message *message)
{
    bool rendezvous = is_rendezvous(replay, message) || replay->measuring;
    if (rendezvous && message->posted.known)
        cs_replay_needs_add(
            needs, (struct cs_replay_need){
                       .moment = &message->posted,
                       .kind = CS_NEED_RECEIVE,
                       .bytes = message->bytes,
                       .source = message->key.source,
                       .dest = message->key.dest,
                       .distance = cs_distances_between(replay->distances, message->key.source, message->key.dest),
                       .in_call = true,
                       .synchronous = message->synchronous,
                       .persistent = message->persistent});
}

static void need_message(struct cs_replay *replay, struct cs_replay_needs *needs, const struct cs_pass_message *said,
                         int64_t rank, bool blocking)
{
    struct cs_partner_message key;
    const struct cs_pending_message *message = NULL;
    if (cs_partners_message(replay->partners, rank, said, &key))
        message = cs_pending_message(replay->pending, &key, false);
    if (!message || !message->sent.known) {
        needs->lost = true;
        return;
    }
    const struct cs_cost_kind kind = kind_of_message(replay, &key, said->bytes);
    /* a transfer that began only with this call is part of its cost */
    bool here = blocking && is_rendezvous(replay, message);
    int64_t typical = replay->measuring || here ? 0 : cs_fitted_costs_typical(replay->costs, &kind);
    cs_replay_needs_add(needs, (struct cs_replay_need){.moment = &message->sent,
                                                       .transfer_ns = typical > 0 ? typical : 0,
                                                       .bytes = said->bytes,
                                                       .kind = CS_NEED_MESSAGE,
                                                       .source = key.source,
                                                       .dest = key.dest,
                                                       .distance = (enum cs_distance)kind.apart,
                                                       .in_call = here});
}

/* ---- the end of a call ---- */

static int add_kind(struct cs_replay *replay, const struct cs_cost_kind *kind, int64_t bytes, int64_t ns)
{
    return cs_fitted_costs_add(replay->costs, kind, bytes, ns) ? SQLITE_OK : SQLITE_NOMEM;
}

/* The call: its costs and what it needs. */
struct ending {
    const struct cs_pass_event *event;
    const struct cs_partner_function *function;
    const struct cs_partner_object *object; /* of the call; NULL: none that others know */
    struct cs_replay_needs needs;
    int64_t start_ns; /* when it began to wait, polls before it included */
    int64_t ready_ns; /* when all was there */
    struct cs_replay_cost cost;
    int64_t members;
    bool only_messages;          /* it needs nothing else */
    enum cs_need_kind last_need; /* which was met last */
};

/* When the need was met, as recorded; its transfer is never longer than the call shows. */
static int64_t met_ns(struct cs_replay_need *need, int64_t end_ns)
{
    int64_t from_ns = need->moment->recorded_ns < end_ns ? need->moment->recorded_ns : end_ns;
    if (need->transfer_ns > end_ns - from_ns)
        need->transfer_ns = end_ns - from_ns;
    return from_ns + need->transfer_ns;
}

static struct cs_cost_kind kind_of_call(const struct ending *ending)
{
    return (struct cs_cost_kind){.part = CS_COST_OF_CALL,
                                 .function = ending->event->function,
                                 .apart = (int32_t)ending->members,
                                 .size = cs_cost_size(ending->event->message.bytes)};
}

static int measure_call(struct cs_replay *replay, const struct cs_replay_lane *lane, const struct ending *ending)
{
    const struct cs_pass_event *event = ending->event;
    cs_replay_sums_add_call(&replay->sums, event->site, ending->cost.waits_unknown ? 0 : ending->cost.ns,
                            ending->object ? ending->object->similar : 0, lane->thread->rank, event->message.object);
    if (ending->function->waits != CS_WAIT_NOTHING && !ending->function->lifecycle) {
        replay->facts.waiting_ns += event->end_ns - event->start_ns;
        replay->facts.unknown_ns += ending->cost.waits_unknown ? event->end_ns - event->start_ns : 0;
    }
    if (ending->ready_ns > ending->start_ns)
        replay->facts.waited_ns[ending->last_need] += ending->ready_ns - ending->start_ns;
    if (ending->cost.barrier)
        replay->facts.barriers_ns += event->end_ns - event->start_ns;
    const struct cs_cost_kind kind = kind_of_call(ending);
    bool waited = ending->only_messages && ending->ready_ns > ending->start_ns;
    int result = waited ? SQLITE_OK : add_kind(replay, &kind, event->message.bytes, ending->cost.ns);
    /* a single message that the receiver waited for shows what a transfer takes */
    const struct cs_replay_need *need = ending->needs.need;
    if (result == SQLITE_OK && ending->needs.count == 1 && need->kind == CS_NEED_MESSAGE &&
        need->moment->recorded_ns > ending->start_ns && !ending->needs.lost)
        result = add_kind(replay,
                          &(struct cs_cost_kind){.part = CS_COST_OF_MESSAGE,
                                                 .apart = (int32_t)need->distance,
                                                 .size = cs_cost_size(need->bytes)},
                          need->bytes, event->end_ns - need->moment->recorded_ns);
    return result;
}

/* Moves the clocks of the thread to the end of the call. */
static void end_clocks(const struct cs_replay *replay, struct cs_replay_lane *lane, const struct ending *ending)
{
    bool changes = is_in_window(replay, ending->start_ns);
    for (size_t i = 0; i < replay->changes; i++) {
        const struct cs_change *change = &replay->change[i];
        int64_t ready_ns = lane->at_ns[i], from_ns = ready_ns, last_ns = INT64_MIN;
        const struct cs_replay_need *last = NULL; /* to be there */
        for (size_t k = 0; k < ending->needs.count; k++) {
            const struct cs_replay_need *need = &ending->needs.need[k];
            if (changes && cs_change_leaves_out(change, need, &ending->cost))
                continue;
            int64_t there_ns =
                need->moment->at_ns[i] +
                (changes && !need->in_call ? cs_change_transfer(change, need, need->transfer_ns) : need->transfer_ns);
            if (there_ns <= last_ns)
                continue;
            last_ns = there_ns;
            last = need;
        }
        bool waited = last && last_ns > ready_ns;
        if (waited) {
            ready_ns = last_ns;
            from_ns = last->moment->at_ns[i];
        }
        int64_t cost_ns = changes ? cs_change_cost(change, &ending->cost) : ending->cost.ns;
        if (changes && last && last->in_call)
            cost_ns = cs_change_transfer(change, last, cost_ns);
        /* what is typical was measured where nobody waited: it passes while the message is on its way */
        if (change->kind == CS_CHANGE_TO_FITTED && ending->only_messages)
            lane->at_ns[i] = ready_ns > lane->at_ns[i] + cost_ns ? ready_ns : lane->at_ns[i] + cost_ns;
        else
            lane->at_ns[i] = ready_ns + cost_ns;
        if (waited && !lane->finalized)
            cs_replay_copy_path(replay, lane->at_ns, last->moment->at_ns, i);
        if (changes)
            cs_replay_add_to_path(replay, lane, i, ending->cost.group, true, lane->at_ns[i] - from_ns);
        if (ending->event->end_ns <= replay->facts.from_ns)
            lane->at_ns[i] = ending->event->end_ns;
    }
}

/* A poll that found nothing, or a probe: the next call may wait for the same. */
static bool is_vain(const struct ending *ending)
{
    const struct cs_pass_event *event = ending->event;
    const struct cs_partner_function *function = ending->function;
    if (event->parts || event->collective || event->message.direction != CS_PASS_NEITHER)
        return false;
    return event->calls > 1 || function->waits == CS_WAIT_RECEIVE ||
           (function->completes && function->waits == CS_WAIT_NOTHING);
}

static void work(struct cs_replay *replay, struct cs_replay_lane *lane, int64_t site, int64_t ns)
{
    if (ns <= 0)
        return;
    const struct cs_replay_code code = {.rank = &replay->rank[lane->rank],
                                        .place = lane->rank,
                                        .group = cs_replay_sums_group(&replay->sums, site),
                                        .within = replay->within[lane->rank],
                                        .ns = ns};
    if (replay->measuring && lane->thread->first) {
        cs_replay_sums_add_code(&replay->sums, site, lane->rank, ns);
        cs_replay_regions_add(&replay->regions, code.within, ns);
        replay->rank[lane->rank].useful_ns += ns;
    }
    for (size_t i = 0; i < replay->changes; i++) {
        int64_t then_ns = cs_change_work(&replay->change[i], replay->factor[i], &code);
        lane->at_ns[i] += then_ns;
        cs_replay_add_to_path(replay, lane, i, code.group, false, then_ns);
    }
}

static void end_polls(struct cs_replay *replay, struct cs_replay_lane *lane, const struct cs_pass_event *event)
{
    int64_t duration_ns = event->end_ns - lane->recorded_ns,
            work_ns = event->end_ns - event->start_ns - event->inside_ns;
    if (!is_in_window(replay, event->start_ns) || work_ns < event->calls * POLL_WORK_LEAST_NS || work_ns > duration_ns)
        work_ns = 0;
    work(replay, lane, event->site, work_ns);
    lane->polled_ns += duration_ns - work_ns;
}

/* Polls were not for what comes next: their time stays. */
static void keep_polls(const struct cs_replay *replay, struct cs_replay_lane *lane)
{
    for (size_t i = 0; lane->polled_ns && i < replay->changes; i++)
        lane->at_ns[i] += lane->polled_ns;
    lane->polled_ns = 0;
}

/* ---- requests that the call completes ---- */

static void need_part(struct cs_replay *replay, struct ending *ending, const struct cs_replay_lane *lane,
                      const struct cs_pass_part *part)
{
    int64_t rank = lane->thread->rank;
    if (part->message.direction == CS_PASS_RECEIVE) {
        need_message(replay, &ending->needs, &part->message, rank, false);
        return;
    }
    if (part->message.direction == CS_PASS_SEND)
        return;
    const struct cs_pending_request_key key = {rank, part->posted_thread, part->posted};
    const struct cs_pending_request *request = cs_pending_request(replay->pending, &key, false);
    if (request && request->sends) {
        const struct cs_pending_message *message = cs_pending_message(replay->pending, &request->message, false);
        if (!message)
            return;
        if (replay->measuring)
            measure_eager(replay, message, ending->event->end_ns);
        need_post(replay, &ending->needs, message);
    } else if (request && request->collects) {
        const struct cs_pending_collective *collective =
            cs_pending_collective(replay->pending, &request->collective, false);
        if (collective)
            cs_replay_needs_add_collective(&ending->needs, collective, request->waits_for, request->is_root,
                                           request->own);
    }
}

static void release_message(struct cs_replay *replay, const struct cs_partner_message *key, bool received)
{
    struct cs_pending_message *message = cs_pending_message(replay->pending, key, false);
    if (!message)
        return;
    message->received = message->received || received;
    message->completed = message->completed || !received;
    if (message->received && message->completed)
        cs_pending_drop_message(replay->pending, message);
}

static void release_collective(struct cs_replay *replay, const struct cs_pending_collective_key *key)
{
    struct cs_pending_collective *collective = cs_pending_collective(replay->pending, key, false);
    if (collective && ++collective->ended >= collective->members)
        cs_pending_drop_collective(replay->pending, collective);
}

static void release_part(struct cs_replay *replay, const struct cs_replay_lane *lane, const struct cs_pass_part *part)
{
    const struct cs_pending_request_key key = {lane->thread->rank, part->posted_thread, part->posted};
    struct cs_pending_request *request = cs_pending_request(replay->pending, &key, false);
    if (part->message.direction == CS_PASS_RECEIVE) {
        struct cs_partner_message message;
        if (cs_partners_message(replay->partners, lane->thread->rank, &part->message, &message))
            release_message(replay, &message, true);
        if (request && !request->sends && --request->receives <= 0)
            cs_pending_drop_request(replay->pending, request);
    } else if (part->message.direction == CS_PASS_NEITHER && request) {
        if (request->sends)
            release_message(replay, &request->message, false);
        else if (request->collects)
            release_collective(replay, &request->collective);
        cs_pending_drop_request(replay->pending, request);
    }
}

/* ---- the calls of the pass ---- */

/* A message that a receive posted before will get: the receive may have to tell its sender. */
static int read_part(void *context, const struct cs_pass_thread *thread, const struct cs_pass_part *part)
{
    struct cs_replay *replay = context;
    struct cs_partner_message message;
    if (part->message.direction != CS_PASS_RECEIVE || !part->posted ||
        !is_receive_tracked(replay, part->message.bytes) ||
        !cs_partners_message(replay->partners, thread->rank, &part->message, &message))
        return SQLITE_OK;
    const struct cs_pending_request_key key = {thread->rank, part->posted_thread, part->posted};
    struct cs_pending_request *request = cs_pending_request(replay->pending, &key, true);
    if (!request)
        return SQLITE_NOMEM;
    request->receives++;
    if (request->posted.known)
        return post_receive(replay, &message, &request->posted);
    struct cs_pending_awaited *awaited = malloc(sizeof *awaited);
    if (!awaited)
        return SQLITE_NOMEM;
    *awaited = (struct cs_pending_awaited){message, request->awaited};
    request->awaited = awaited;
    return SQLITE_OK;
}

static bool begins_something(const struct cs_pass_event *event, const struct cs_partner_function *function)
{
    return event->message.direction == CS_PASS_SEND || function->starts || function->nonblocking || event->collective ||
           function->lifecycle || function->sends;
}

/* The stretch before a call. Before the window it is as recorded. */
static void begin_clocks(struct cs_replay *replay, struct cs_replay_lane *lane, const struct cs_pass_event *event)
{
    if (!lane->begun) {
        lane->begun = true;
        lane->recorded_ns = event->start_ns;
        for (size_t i = 0; i < replay->changes; i++)
            lane->at_ns[i] = event->start_ns;
        return;
    }
    int64_t gap_ns = event->start_ns - lane->recorded_ns, before_ns = replay->facts.from_ns - lane->recorded_ns;
    if (gap_ns <= 0)
        return; /* within another call */
    before_ns = before_ns < 0 ? 0 : before_ns > gap_ns ? gap_ns : before_ns;
    for (size_t i = 0; before_ns && i < replay->changes; i++)
        lane->at_ns[i] += before_ns;
    work(replay, lane, event->site, gap_ns - before_ns);
    lane->recorded_ns = event->start_ns;
}

static void note_end(struct cs_replay *replay, const struct cs_replay_lane *lane)
{
    for (size_t i = 0; i < replay->changes; i++)
        if (lane->at_ns[i] + lane->polled_ns > replay->ended_ns[i]) {
            replay->ended_ns[i] = lane->at_ns[i] + lane->polled_ns;
            replay->ended[i] = lane;
        }
    if (lane->recorded_ns > replay->facts.to_ns)
        replay->facts.to_ns = lane->recorded_ns;
}

static int begin_event(void *context, struct cs_pass_thread *thread, const struct cs_pass_event *event)
{
    struct cs_replay *replay = context;
    struct cs_replay_lane *lane = thread->user;
    const struct cs_partner_function *function = cs_partners_function(replay->partners, event->function);
    begin_clocks(replay, lane, event);
    if (begins_something(event, function))
        keep_polls(replay, lane);
    if (function->lifecycle) {
        note_end(replay, lane);
        lane->finalized = is_in_window(replay, event->start_ns);
    }
    int result = SQLITE_OK;
    if (event->message.direction == CS_PASS_SEND)
        result = begin_send(replay, lane, &event->message, function, lane->recorded_ns, event->event);
    for (size_t i = 0; result == SQLITE_OK && i < event->parts; i++)
        if (event->part[i].message.direction == CS_PASS_SEND)
            result =
                begin_send(replay, lane, &event->part[i].message, function, lane->recorded_ns, event->part[i].number);
    struct cs_partner_message key;
    if (result == SQLITE_OK && event->message.direction == CS_PASS_RECEIVE &&
        cs_partners_message(replay->partners, thread->rank, &event->message, &key)) {
        struct cs_pending_message *message = cs_pending_message(replay->pending, &key, true);
        if (message)
            cs_replay_set_moment(replay, &message->posted, lane, lane->recorded_ns - lane->polled_ns);
        else
            result = SQLITE_NOMEM;
    }
    if (result == SQLITE_OK && replay->epochs)
        result = cs_replay_begin_epochs(replay, lane, event);
    if (result == SQLITE_OK && event->collective)
        result = begin_collective(replay, lane, event, function, lane->recorded_ns);
    if (result == SQLITE_OK && (function->starts || (function->nonblocking && !event->collective)))
        result = begin_receive_request(replay, lane, event->message.bytes, lane->recorded_ns, event->event);
    return result;
}

/* What the call waited for, of all that is known. */
static void find_needs(struct cs_replay *replay, const struct cs_replay_lane *lane, struct ending *ending)
{
    const struct cs_pass_event *event = ending->event;
    const struct cs_partner_function *function = ending->function;
    int64_t rank = lane->thread->rank;
    struct cs_partner_message key;
    if (event->message.direction == CS_PASS_RECEIVE)
        need_message(replay, &ending->needs, &event->message, rank, true);
    if (event->message.direction == CS_PASS_SEND && !function->nonblocking && !function->starts &&
        cs_partners_message(replay->partners, rank, &event->message, &key)) {
        const struct cs_pending_message *message = cs_pending_message(replay->pending, &key, false);
        if (message && function->waits != CS_WAIT_NOTHING) {
            if (replay->measuring)
                measure_eager(replay, message, event->end_ns);
            need_post(replay, &ending->needs, message);
        }
    }
    for (size_t i = 0; i < event->parts; i++)
        need_part(replay, ending, lane, &event->part[i]);
    const struct cs_partner_object *object = event->collective && !function->nonblocking ? ending->object : NULL;
    if (object) {
        const struct cs_pending_collective_key number = {object->id, event->collective};
        const struct cs_pending_collective *collective = cs_pending_collective(replay->pending, &number, false);
        ending->members = object->members;
        if (collective) {
            cs_replay_needs_add_collective(&ending->needs, collective, function->members, is_root(event, object),
                                           object->own);
            cs_replay_needs_add_algorithm(&ending->needs, collective, ending->start_ns, event->end_ns);
        }
    }
}

static void release(struct cs_replay *replay, const struct cs_replay_lane *lane, const struct ending *ending)
{
    const struct cs_pass_event *event = ending->event;
    const struct cs_partner_function *function = ending->function;
    struct cs_partner_message key;
    bool later = function->nonblocking || function->starts;
    if (event->message.direction != CS_PASS_NEITHER &&
        cs_partners_message(replay->partners, lane->thread->rank, &event->message, &key) &&
        (event->message.direction == CS_PASS_RECEIVE || !later))
        release_message(replay, &key, event->message.direction == CS_PASS_RECEIVE);
    for (size_t i = 0; i < event->parts; i++)
        release_part(replay, lane, &event->part[i]);
    if (event->collective && !function->nonblocking && ending->object)
        release_collective(replay, &(struct cs_pending_collective_key){ending->object->id, event->collective});
}

/* What the call takes beyond its needs, and what questions must know of it. */
static void find_cost(struct cs_replay *replay, struct ending *ending)
{
    const struct cs_pass_event *event = ending->event;
    const struct cs_partner_function *function = ending->function;
    const struct cs_partner_object *object = ending->object;
    int64_t ns = event->end_ns - ending->ready_ns;
    bool wholly_known = ending->needs.count && !ending->needs.lost;
    bool waits = function->waits != CS_WAIT_NOTHING && function->waits != CS_WAIT_SEND;
    ending->cost = (struct cs_replay_cost){.ns = ns > 0 ? ns : 0,
                                           .group = cs_replay_sums_group(&replay->sums, event->site),
                                           .similar = object ? object->similar : 0,
                                           .object = object ? object->id : 0,
                                           .members = ending->needs.count ? ending->members : 0,
                                           .bytes = event->message.bytes,
                                           .network = function->network,
                                           .barrier = function->barrier,
                                           .typical = -1};
    /* a member of a rooted call may need nobody */
    bool rooted =
        ending->members > 1 && (function->members == CS_MEMBERS_ROOT || function->members == CS_MEMBERS_AT_ROOT ||
                                function->members == CS_MEMBERS_LOWER);
    ending->cost.waits_unknown = waits && !wholly_known && !rooted && event->end_ns - ending->start_ns > SHORT_WAIT_NS;
    if (!replay->measuring) {
        const struct cs_cost_kind kind = kind_of_call(ending);
        ending->cost.typical = function->network ? cs_fitted_costs_typical(replay->costs, &kind) : -1;
    }
}

static int end_event(void *context, struct cs_pass_thread *thread, const struct cs_pass_event *event)
{
    struct cs_replay *replay = context;
    struct cs_replay_lane *lane = thread->user;
    struct ending ending = {.event = event,
                            .function = cs_partners_function(replay->partners, event->function),
                            .object = cs_partners_object(replay->partners, thread->rank, event->message.object)};
    if (event->end_ns < lane->recorded_ns) { /* it is within another call, which counts */
        release(replay, lane, &ending);
        return SQLITE_OK;
    }
    if (is_vain(&ending)) {
        end_polls(replay, lane, event);
        lane->recorded_ns = event->end_ns;
        note_end(replay, lane);
        return SQLITE_OK;
    }
    ending.needs = (struct cs_replay_needs){.need = replay->needs.need, .room = replay->needs.room};
    ending.start_ns = lane->recorded_ns - lane->polled_ns;
    ending.ready_ns = ending.start_ns;
    find_needs(replay, lane, &ending);
    if (replay->epochs)
        cs_replay_need_epochs(replay, lane, event, ending.start_ns, &ending.needs);
    ending.only_messages = ending.needs.count > 0;
    for (size_t i = 0; i < ending.needs.count; i++) {
        ending.only_messages = ending.only_messages && ending.needs.need[i].kind == CS_NEED_MESSAGE;
        int64_t there_ns = met_ns(&ending.needs.need[i], event->end_ns);
        if (there_ns > ending.ready_ns)
            ending.last_need = ending.needs.need[i].kind;
        ending.ready_ns = there_ns > ending.ready_ns ? there_ns : ending.ready_ns;
    }
    if (replay->measuring)
        measure_rendezvous(replay, &ending.needs, ending.start_ns);
    find_cost(replay, &ending);
    int result = ending.needs.failed ? SQLITE_NOMEM : SQLITE_OK;
    if (result == SQLITE_OK && replay->measuring && is_in_window(replay, event->start_ns))
        result = measure_call(replay, lane, &ending);
    end_clocks(replay, lane, &ending);
    lane->polled_ns = 0;
    lane->recorded_ns = event->end_ns;
    if (!ending.function->lifecycle)
        note_end(replay, lane);
    release(replay, lane, &ending);
    if (replay->epochs && result == SQLITE_OK)
        result = cs_replay_release_epochs(replay, lane, event);
    if (event->function == replay->regions.function && replay->regions.count)
        replay->within[lane->rank] = cs_replay_regions_after(&replay->regions, event->site);
    replay->needs = ending.needs;
    replay->facts.events += replay->measuring;
    return result;
}

/* ---- all ---- */

/* The window begins when all ranks have events, and have left MPI_Init. */
static int find_window(struct cs_replay *replay)
{
    size_t threads = cs_pass_threads(replay->pass);
    replay->facts.from_ns = INT64_MIN;
    for (size_t i = 0; i < threads; i++) {
        struct cs_pass_thread *thread = cs_pass_thread(replay->pass, i);
        struct cs_replay_lane *lane = &replay->lane[i];
        if (i == 0 || thread->rank != replay->rank[replay->ranks - 1].rank)
            replay->rank[replay->ranks++].rank = thread->rank;
        replay->sums.ranks = replay->ranks;
        lane->thread = thread;
        lane->rank = replay->ranks - 1;
        thread->user = lane;
        if (thread->first && thread->first_ns > replay->facts.from_ns)
            replay->facts.from_ns = thread->first_ns;
    }
    return SQLITE_OK;
}

int cs_replay_open(sqlite3 *db, struct cs_replay **opened)
{
    struct cs_replay *replay = calloc(1, sizeof *replay);
    if (!replay)
        return SQLITE_NOMEM;
    int result = cs_pass_open(db, &replay->pass);
    if (result == SQLITE_OK)
        result = cs_partners_read(db, &replay->partners);
    if (result == SQLITE_OK)
        result = cs_distances_read(db, &replay->distances);
    if (result == SQLITE_OK && !(replay->tape = cs_pass_tape_new(replay->pass)))
        result = SQLITE_NOMEM;
    if (result == SQLITE_OK) {
        size_t threads = cs_pass_threads(replay->pass);
        replay->lane = calloc(threads + 1, sizeof *replay->lane);
        replay->rank = calloc(threads + 1, sizeof *replay->rank);
        replay->within = calloc(threads + 1, sizeof *replay->within);
        replay->costs = cs_fitted_costs_new();
        result = replay->lane && replay->rank && replay->within && replay->costs ? find_window(replay) : SQLITE_NOMEM;
    }
    if (result == SQLITE_OK)
        result = cs_replay_regions_read(db, &replay->regions);
    if (result == SQLITE_OK)
        result = cs_replay_epochs_open(db, cs_pass_threads(replay->pass), &replay->epochs);
    *opened = replay;
    if (result != SQLITE_OK) {
        cs_replay_close(replay);
        *opened = NULL;
    }
    return result;
}

struct cs_replay_sums *cs_replay_sums_of(struct cs_replay *replay)
{
    return &replay->sums;
}

const struct cs_replay_regions *cs_replay_regions_of(const struct cs_replay *replay)
{
    return &replay->regions;
}

static void free_questions(struct cs_replay *replay)
{
    size_t threads = cs_pass_threads(replay->pass);
    for (size_t i = 0; i < threads; i++) {
        free(replay->lane[i].at_ns);
        replay->lane[i].at_ns = NULL;
    }
    for (size_t i = 0; replay->factor && i < replay->changes; i++)
        free(replay->factor[i]);
    free(replay->factor);
    replay->factor = NULL;
    free(replay->ended_ns);
    free(replay->ended);
    replay->ended_ns = NULL;
    replay->ended = NULL;
    cs_pending_free(replay->pending);
    replay->pending = NULL;
}

static int prepare(struct cs_replay *replay, const struct cs_change *change, size_t changes)
{
    size_t threads = cs_pass_threads(replay->pass);
    replay->change = change;
    replay->changes = changes;
    replay->pending = cs_pending_new(cs_replay_words(replay));
    replay->factor = calloc(changes, sizeof *replay->factor);
    replay->ended_ns = calloc(changes, sizeof *replay->ended_ns);
    replay->ended = calloc(changes, sizeof *replay->ended);
    if (!replay->pending || !replay->factor || !replay->ended_ns || !replay->ended)
        return SQLITE_NOMEM;
    for (size_t i = 0; i < changes; i++) {
        replay->ended_ns[i] = INT64_MIN;
        if (change[i].kind == CS_CHANGE_BALANCE || change[i].kind == CS_CHANGE_BALANCE_CODE)
            if (!(replay->factor[i] = cs_change_balance(&change[i], replay->rank, &replay->sums)))
                return SQLITE_NOMEM;
    }
    cs_replay_epochs_rewind(replay->epochs);
    memset(replay->within, 0, replay->ranks * sizeof *replay->within);
    for (size_t i = 0; i < threads; i++) {
        struct cs_replay_lane *lane = &replay->lane[i];
        lane->begun = lane->finalized = false;
        lane->polled_ns = 0;
        if (!(lane->at_ns = calloc(cs_replay_words(replay), sizeof *lane->at_ns)))
            return SQLITE_NOMEM;
    }
    return SQLITE_OK;
}

int cs_replay_follow(struct cs_replay *replay, const struct cs_change *change, size_t changes, int64_t *length_ns,
                     struct cs_path *path)
{
    static const struct cs_pass_calls calls = {read_part, begin_event, end_event};
    replay->follows = path != NULL;
    int result = prepare(replay, change, changes);
    if (result == SQLITE_OK)
        result = cs_pass_tape_run(replay->tape, &calls, replay);
    for (size_t i = 0; result == SQLITE_OK && i < changes; i++)
        length_ns[i] = replay->ended_ns[i] > replay->facts.from_ns ? replay->ended_ns[i] - replay->facts.from_ns : 0;
    for (size_t i = 0; path && result == SQLITE_OK && i < changes; i++) {
        path[i] = (struct cs_path){0};
        if (replay->ended[i])
            path[i] = *cs_replay_path(replay, replay->ended[i]->at_ns, i);
        cs_path_sort(&path[i]);
    }
    free_questions(replay);
    return result;
}

int cs_replay_run(struct cs_replay *replay, const struct cs_change *change, size_t changes, int64_t *length_ns)
{
    return cs_replay_follow(replay, change, changes, length_ns, NULL);
}

/* A distance in a node of which too little is known is like the next farther one, else like the next closer one. */
static void fit_networks(struct cs_replay *replay)
{
    struct cs_replay_facts *facts = &replay->facts;
    for (int i = 0; i < CS_DISTANCES; i++)
        facts->has_network[i] = cs_fitted_costs_network(replay->costs, (enum cs_distance)i, &facts->network[i]);
    for (int i = 0; i <= CS_DISTANCE_NODE; i++) {
        int like = i;
        while (like < CS_DISTANCE_NODE && !facts->has_network[like])
            like++;
        while (like > 0 && !facts->has_network[like])
            like--;
        facts->has_near = facts->has_network[like];
        facts->network[i] = facts->network[like];
    }
}

int cs_replay_measure(struct cs_replay *replay)
{
    const struct cs_change nothing = {.kind = CS_CHANGE_NOTHING};
    int64_t length_ns;
    replay->measuring = true;
    replay->facts.eager_bytes[0] = replay->facts.eager_bytes[1] = -1;
    replay->facts.to_ns = INT64_MIN;
    int result = cs_replay_run(replay, &nothing, 1, &length_ns);
    replay->measuring = false;
    fit_networks(replay);
    return result;
}

const struct cs_replay_facts *cs_replay_facts(const struct cs_replay *replay)
{
    return &replay->facts;
}

bool cs_replay_explains(const struct cs_replay_facts *facts, int64_t length_ns)
{
    double recorded = (double)(facts->to_ns - facts->from_ns);
    return fabs((double)length_ns - recorded) <= ERROR_MOST_PERCENT / 100.0 * recorded;
}

const struct cs_replay_rank *cs_replay_ranks(const struct cs_replay *replay, size_t *count)
{
    *count = replay->ranks;
    return replay->rank;
}

void cs_replay_close(struct cs_replay *replay)
{
    if (!replay)
        return;
    cs_replay_sums_free(&replay->sums);
    cs_replay_regions_free(&replay->regions);
    cs_replay_epochs_close(replay->epochs);
    free(replay->within);
    cs_pass_tape_free(replay->tape);
    cs_pass_close(replay->pass);
    free(replay->needs.need);
    cs_partners_free(replay->partners);
    cs_distances_free(replay->distances);
    cs_fitted_costs_free(replay->costs);
    free(replay->lane);
    free(replay->rank);
    free(replay);
}
