#include "db/trace/event_deadlocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "db/trace/each_row.h"
#include "db/trace/partners.h"

enum { CIRCLES_MOST = 64 };

#define NOBODY SIZE_MAX

struct message {
    struct cs_partner_message key;
    bool sent, posted;
    bool completed, received; /* nobody asks for it any more */
    size_t waiting;           /* the first thread that waits for a change of it; NOBODY: none */
    UT_hash_handle hh;
};

struct post_key {
    int64_t rank, thread, number;
};

/* What a request has begun: a send or a collective call. */
struct begun {
    struct post_key key;
    bool sends;
    struct cs_partner_message message;
    struct collective *collective;
    enum cs_partner_collective waits_for;
    bool is_root;
    int64_t own;
    UT_hash_handle hh;
};

struct collective {
    struct collective_key {
        int64_t id, number;
    } key;
    int64_t members, came, left;
    bool root_came;
    uint8_t *has_come; /* each member, then each thread */
    size_t waiting;
    UT_hash_handle hh;
};

/* A call that its thread has not ended here yet: the thread waits in it, or in one before. */
struct late_event {
    struct late_event *next;
    struct cs_pass_event event;
    struct cs_pass_part part[]; /* of the event */
};

struct lane {
    const struct cs_pass_thread *thread;
    struct late_event *late, *last; /* in order; `last` only if there are some */
    sqlite3_stmt *posts;            /* messages that later calls receive, as this thread posted the receives */
    bool has_post;                  /* the statement has a row */
    bool begun;                     /* its current call has begun */
    bool seen;                      /* its first call */
    bool alone;                     /* its rank has no other thread with events */
    size_t next;                    /* in a list of threads that wait, or are ready */
    size_t *waits_in;               /* this list; NULL: it does not wait */
    size_t awaits;                  /* a thread that it waits for; NOBODY: none, or unknown */
    bool sends;                     /* because of its standard send */
    size_t visit;                   /* the thread from which a search came here */
};

struct site {
    int64_t site;
    UT_hash_handle hh;
};

struct cs_event_deadlocks {
    const struct cs_partners *partners;
    struct cs_event_rows *rows;
    struct lane *lane;
    size_t lanes, waiting; /* waiting: of them */
    struct message *messages;
    struct begun *begun;
    struct collective *collectives;
    struct site *sites; /* circles were found there */
    size_t ready;
    size_t circles;
    bool ended;  /* nothing more can be found */
    bool failed; /* out of memory, or a row cannot be read */
};

/* ---- threads that wait ---- */

static void push(struct cs_event_deadlocks *hidden, size_t *list, size_t lane)
{
    hidden->lane[lane].next = *list;
    *list = lane;
}

static void set_ready(struct cs_event_deadlocks *hidden, size_t lane)
{
    hidden->lane[lane].waits_in = NULL;
    hidden->waiting--;
    push(hidden, &hidden->ready, lane);
}

static void wake(struct cs_event_deadlocks *hidden, size_t *list)
{
    while (*list != NOBODY) {
        size_t lane = *list;
        *list = hidden->lane[lane].next;
        set_ready(hidden, lane);
    }
}

/* ---- messages ---- */

static struct message *message_of(struct cs_event_deadlocks *hidden, const struct cs_partner_message *key)
{
    struct message *message;
    HASH_FIND(hh, hidden->messages, key, sizeof *key, message);
    if (message)
        return message;
    message = calloc(1, sizeof *message);
    if (message) {
        message->key = *key;
        message->waiting = NOBODY;
        CS_TABLE_ADD(hidden->messages, key, message);
    }
    hidden->failed = hidden->failed || !message;
    return message;
}

static void drop_if_done(struct cs_event_deadlocks *hidden, struct message *message)
{
    if (!message->completed || !message->received)
        return;
    HASH_DELETE(hh, hidden->messages, message);
    free(message);
}

/* The send, or the receive, has begun. NULL: out of memory. */
static struct message *note(struct cs_event_deadlocks *hidden, const struct cs_partner_message *key,
                            enum cs_pass_direction begun)
{
    struct message *message = message_of(hidden, key);
    if (!message)
        return NULL;
    *(begun == CS_PASS_SEND ? &message->sent : &message->posted) = true;
    wake(hidden, &message->waiting);
    return message;
}

static struct post_key key_of(const struct cs_pass_thread *thread, int64_t number)
{
    return (struct post_key){thread->rank, thread->thread, number};
}

/* ---- which messages requests will get ---- */

/* SQLite sorts them on disk if they are many. */
static const char posts_sql[] =
    "SELECT posted, communicator, peer, tag, bytes, nth FROM main.event_message"
    " WHERE rank = ?1 AND coalesce(posted_thread, thread) = ?2 AND direction = 'receive' AND posted IS NOT NULL"
    " AND nth IS NOT NULL ORDER BY posted";

static int step_post(struct lane *lane)
{
    int step = sqlite3_step(lane->posts);
    lane->has_post = step == SQLITE_ROW;
    return step == SQLITE_ROW || step == SQLITE_DONE ? SQLITE_OK : step;
}

static int begin_posts(sqlite3 *db, struct lane *lane)
{
    int result = sqlite3_prepare_v2(db, posts_sql, -1, &lane->posts, NULL);
    if (result != SQLITE_OK)
        return result;
    sqlite3_bind_int64(lane->posts, 1, lane->thread->rank);
    sqlite3_bind_int64(lane->posts, 2, lane->thread->thread);
    return step_post(lane);
}

/* The next message of the receives that this event posted. False: there is none. */
static bool next_post(struct cs_event_deadlocks *hidden, struct lane *lane, int64_t event, struct cs_pass_message *said)
{
    sqlite3_stmt *posts = lane->posts;
    int result = SQLITE_OK;
    while (result == SQLITE_OK && lane->has_post && sqlite3_column_int64(posts, 0) < event)
        result = step_post(lane);
    bool found = result == SQLITE_OK && lane->has_post && sqlite3_column_int64(posts, 0) == event;
    if (found) {
        *said = (struct cs_pass_message){.object = sqlite3_column_int64(posts, 1),
                                         .peer = sqlite3_column_int64(posts, 2),
                                         .tag = sqlite3_column_int64(posts, 3),
                                         .bytes = sqlite3_column_int64(posts, 4),
                                         .nth = sqlite3_column_int64(posts, 5),
                                         .direction = CS_PASS_RECEIVE};
        result = step_post(lane);
    }
    hidden->failed = hidden->failed || result != SQLITE_OK;
    return found;
}

/* ---- what a call begins ---- */

static bool is_standard(const struct cs_partner_function *function)
{
    return function->waits == CS_WAIT_SEND || function->waits == CS_WAIT_EXCHANGE;
}

/* A message without data stays small, whatever the program does. */
static bool may_wait(const struct cs_pass_message *said)
{
    return said->bytes > 0;
}

static void begin_send(struct cs_event_deadlocks *hidden, size_t lane, const struct cs_pass_event *event,
                       const struct cs_pass_message *said, int64_t number, bool later)
{
    struct cs_partner_message key;
    const struct cs_pass_thread *thread = hidden->lane[lane].thread;
    if (!cs_partners_message(hidden->partners, thread->rank, said, &key))
        return;
    struct message *message = note(hidden, &key, CS_PASS_SEND);
    bool kept = later && number == event->event && !cs_pass_is_buffered(event) && may_wait(said);
    if (message && later && !kept)
        message->completed = true;
    if (!kept)
        return;
    struct begun *begun = calloc(1, sizeof *begun);
    if (begun) {
        *begun = (struct begun){.key = key_of(thread, number), .sends = true, .message = key};
        CS_TABLE_ADD(hidden->begun, key, begun);
    }
    hidden->failed = hidden->failed || !begun;
}

static void begin_receives(struct cs_event_deadlocks *hidden, size_t lane, const struct cs_pass_event *event,
                           const struct cs_partner_function *function)
{
    struct cs_partner_message key;
    const struct cs_pass_thread *thread = hidden->lane[lane].thread;
    if (event->message.direction == CS_PASS_RECEIVE &&
        cs_partners_message(hidden->partners, thread->rank, &event->message, &key))
        note(hidden, &key, CS_PASS_RECEIVE);
    for (size_t i = 0; i < event->parts; i++) /* by the same call, or nobody knows when */
        if (event->part[i].message.direction == CS_PASS_RECEIVE && !event->part[i].posted &&
            cs_partners_message(hidden->partners, thread->rank, &event->part[i].message, &key))
            note(hidden, &key, CS_PASS_RECEIVE);
    if (!function->nonblocking && !function->starts)
        return;
    struct cs_pass_message said;
    while (next_post(hidden, &hidden->lane[lane], event->event, &said))
        if (cs_partners_message(hidden->partners, thread->rank, &said, &key))
            note(hidden, &key, CS_PASS_RECEIVE);
}

static struct collective *collective_of(struct cs_event_deadlocks *hidden, const struct collective_key *key,
                                        int64_t members)
{
    struct collective *collective;
    HASH_FIND(hh, hidden->collectives, key, sizeof *key, collective);
    if (collective)
        return collective;
    collective = calloc(1, sizeof *collective);
    if (collective) {
        *collective = (struct collective){.key = *key, .members = members, .waiting = NOBODY};
        collective->has_come = calloc((size_t)members + hidden->lanes, 1);
        if (collective->has_come)
            CS_TABLE_ADD(hidden->collectives, key, collective);
    }
    if (!collective || !collective->has_come) {
        hidden->failed = true;
        free(collective);
        return NULL;
    }
    return collective;
}

static const struct cs_partner_object *collective_object(const struct cs_event_deadlocks *hidden, size_t lane,
                                                         const struct cs_pass_event *event,
                                                         const struct cs_partner_function *function)
{
    const struct cs_partner_object *object =
        event->collective && function->members != CS_MEMBERS_NONE
            ? cs_partners_object(hidden->partners, hidden->lane[lane].thread->rank, event->message.object)
            : NULL;
    return object && object->members > 1 && object->own >= 0 && object->own < object->members ? object : NULL;
}

static void begin_collective(struct cs_event_deadlocks *hidden, size_t lane, const struct cs_pass_event *event,
                             const struct cs_partner_function *function)
{
    const struct cs_partner_object *object = collective_object(hidden, lane, event, function);
    if (!object)
        return;
    struct collective *collective =
        collective_of(hidden, &(struct collective_key){object->id, event->collective}, object->members);
    if (!collective)
        return;
    collective->came++;
    collective->has_come[object->own] = 1;
    collective->has_come[(size_t)object->members + lane] = 1;
    collective->root_came = collective->root_came || event->message.peer == object->own;
    wake(hidden, &collective->waiting);
    if (!function->nonblocking)
        return;
    struct begun *begun = calloc(1, sizeof *begun);
    if (begun) {
        *begun = (struct begun){.key = key_of(hidden->lane[lane].thread, event->event),
                                .collective = collective,
                                .waits_for = function->members,
                                .is_root = event->message.peer == object->own,
                                .own = object->own};
        CS_TABLE_ADD(hidden->begun, key, begun);
    }
    hidden->failed = hidden->failed || !begun;
}

static void begin(struct cs_event_deadlocks *hidden, size_t lane, const struct cs_pass_event *event,
                  const struct cs_partner_function *function)
{
    bool later = function->nonblocking || function->starts;
    if (event->message.direction == CS_PASS_SEND)
        begin_send(hidden, lane, event, &event->message, event->event, later);
    for (size_t i = 0; i < event->parts; i++)
        if (event->part[i].message.direction == CS_PASS_SEND)
            begin_send(hidden, lane, event, &event->part[i].message, event->part[i].number, later);
    begin_receives(hidden, lane, event, function);
    begin_collective(hidden, lane, event, function);
}

/* ---- what a call waits for ---- */

/* A thing that is not there yet. */
struct missing {
    size_t *waiting; /* who waits for it */
    struct message *message;
    bool for_receive; /* the message is sent, but no receive is posted */
    struct collective *collective;
};

/* Returns true to go on. */
typedef bool missing_visitor(struct cs_event_deadlocks *hidden, size_t lane, const struct missing *missing,
                             void *context);

static bool has_come(const struct collective *collective, enum cs_partner_collective waits_for, bool is_root,
                     int64_t own)
{
    if (waits_for == CS_MEMBERS_ROOT)
        return is_root || collective->root_came;
    if (waits_for == CS_MEMBERS_LOWER) {
        for (int64_t i = 0; i < own; i++)
            if (!collective->has_come[i])
                return false;
        return true;
    }
    bool for_all = waits_for == CS_MEMBERS_ALL || (waits_for == CS_MEMBERS_AT_ROOT && is_root);
    return !for_all || collective->came >= collective->members;
}

static bool look_at_message(struct cs_event_deadlocks *hidden, size_t lane, const struct cs_partner_message *key,
                            bool for_receive, missing_visitor *visit, void *context)
{
    struct message *message = message_of(hidden, key);
    if (!message || (for_receive ? message->posted : message->sent))
        return true;
    return visit(hidden, lane, &(struct missing){&message->waiting, message, for_receive, NULL}, context);
}

static bool look_at_collective(struct cs_event_deadlocks *hidden, size_t lane, struct collective *collective,
                               enum cs_partner_collective waits_for, bool is_root, int64_t own, missing_visitor *visit,
                               void *context)
{
    if (has_come(collective, waits_for, is_root, own))
        return true;
    return visit(hidden, lane, &(struct missing){.waiting = &collective->waiting, .collective = collective}, context);
}

static bool is_eager(const struct cs_event_deadlocks *hidden, int64_t site)
{
    const struct site *found;
    HASH_FIND(hh, hidden->sites, &site, sizeof site, found);
    return found != NULL;
}

static bool look_at_part(struct cs_event_deadlocks *hidden, size_t lane, const struct cs_pass_event *event,
                         const struct cs_pass_part *part, missing_visitor *visit, void *context)
{
    struct cs_partner_message key;
    int64_t rank = hidden->lane[lane].thread->rank;
    if (part->message.direction == CS_PASS_RECEIVE)
        return !cs_partners_message(hidden->partners, rank, &part->message, &key) ||
               look_at_message(hidden, lane, &key, false, visit, context);
    if (part->message.direction == CS_PASS_SEND)
        return true;
    const struct post_key number = {rank, part->posted_thread, part->posted};
    struct begun *begun;
    HASH_FIND(hh, hidden->begun, &number, sizeof number, begun);
    if (begun && begun->sends)
        return is_eager(hidden, event->site) || look_at_message(hidden, lane, &begun->message, true, visit, context);
    return !begun || look_at_collective(hidden, lane, begun->collective, begun->waits_for, begun->is_root, begun->own,
                                        visit, context);
}

/* Visits what the current call of a thread lacks. Polls, and waits for any of several requests, might have done
   something else: they wait for nothing here. Returns false if `visit` did. */
static bool look_at(struct cs_event_deadlocks *hidden, size_t lane, const struct cs_pass_event *event,
                    const struct cs_partner_function *function, missing_visitor *visit, void *context)
{
    struct cs_partner_message key;
    int64_t rank = hidden->lane[lane].thread->rank;
    bool later = function->nonblocking || function->starts;
    if (later || function->waits == CS_WAIT_NOTHING || function->chooses)
        return true;
    if (event->message.direction != CS_PASS_NEITHER &&
        cs_partners_message(hidden->partners, rank, &event->message, &key)) {
        bool sends = event->message.direction == CS_PASS_SEND;
        bool waits = !sends || function->waits == CS_WAIT_SYNCHRONOUS ||
                     (is_standard(function) && may_wait(&event->message) && !is_eager(hidden, event->site));
        if (waits && !look_at_message(hidden, lane, &key, sends, visit, context))
            return false;
    }
    for (size_t i = 0; i < event->parts; i++)
        if (!look_at_part(hidden, lane, event, &event->part[i], visit, context))
            return false;
    const struct cs_partner_object *object = collective_object(hidden, lane, event, function);
    struct collective *collective = NULL;
    if (object) {
        const struct collective_key number = {object->id, event->collective};
        HASH_FIND(hh, hidden->collectives, &number, sizeof number, collective);
    }
    return !collective || look_at_collective(hidden, lane, collective, function->members,
                                             event->message.peer == object->own, object->own, visit, context);
}

/* ---- the end of a call ---- */

static void release_message(struct cs_event_deadlocks *hidden, const struct cs_partner_message *key, bool received)
{
    struct message *message = message_of(hidden, key);
    if (!message)
        return;
    message->received = message->received || received;
    message->completed = message->completed || !received;
    drop_if_done(hidden, message);
}

static void release_collective(struct cs_event_deadlocks *hidden, struct collective *collective)
{
    if (++collective->left < collective->members)
        return;
    HASH_DELETE(hh, hidden->collectives, collective);
    free(collective->has_come);
    free(collective);
}

static void release_part(struct cs_event_deadlocks *hidden, int64_t rank, const struct cs_pass_part *part)
{
    struct cs_partner_message key;
    const struct post_key number = {rank, part->posted_thread, part->posted};
    struct begun *begun;
    if (part->message.direction == CS_PASS_RECEIVE && cs_partners_message(hidden->partners, rank, &part->message, &key))
        release_message(hidden, &key, true);
    if (part->message.direction != CS_PASS_NEITHER)
        return;
    HASH_FIND(hh, hidden->begun, &number, sizeof number, begun);
    if (!begun)
        return;
    HASH_DELETE(hh, hidden->begun, begun);
    if (begun->sends)
        release_message(hidden, &begun->message, false);
    else
        release_collective(hidden, begun->collective);
    free(begun);
}

static void release(struct cs_event_deadlocks *hidden, size_t lane, const struct cs_pass_event *event,
                    const struct cs_partner_function *function)
{
    struct cs_partner_message key;
    int64_t rank = hidden->lane[lane].thread->rank;
    bool sends = event->message.direction == CS_PASS_SEND, later = function->nonblocking || function->starts;
    if (event->message.direction != CS_PASS_NEITHER && !(sends && later) &&
        cs_partners_message(hidden->partners, rank, &event->message, &key))
        release_message(hidden, &key, !sends);
    for (size_t i = 0; i < event->parts; i++)
        release_part(hidden, rank, &event->part[i]);
    const struct cs_partner_object *object = collective_object(hidden, lane, event, function);
    struct collective *collective = NULL;
    if (object && !function->nonblocking) {
        const struct collective_key number = {object->id, event->collective};
        HASH_FIND(hh, hidden->collectives, &number, sizeof number, collective);
    }
    if (collective)
        release_collective(hidden, collective);
}

/* ---- circles ---- */

/* Whether a message that its receiver has not asked for may be the one that a receive takes: events do not say what a
   blocking receive named. One of the same sender, sent before, would have been taken in the run as well. */
static bool may_get_another(const struct cs_event_deadlocks *hidden, const struct message *wanted)
{
    for (const struct message *it = hidden->messages; it; it = it->hh.next)
        if (it != wanted && it->sent && !it->posted && it->key.id == wanted->key.id &&
            it->key.dest == wanted->key.dest && it->key.source != wanted->key.source)
            return true;
    return false;
}

static size_t lane_of(const struct cs_event_deadlocks *hidden, int64_t rank)
{
    for (size_t i = 0; i < hidden->lanes; i++)
        if (hidden->lane[i].thread->rank == rank)
            return hidden->lane[i].alone ? i : NOBODY;
    return NOBODY;
}

/* A thread that has not come to the collective call. The members of communicators without all ranks are unknown. */
static size_t first_absent(const struct cs_event_deadlocks *hidden, const struct collective *collective)
{
    const uint8_t *has_come = collective->has_come + collective->members;
    for (size_t i = 0; (size_t)collective->members == hidden->lanes && i < hidden->lanes; i++)
        if (!has_come[i])
            return i;
    return NOBODY;
}

/* One thread that this one waits for, if it has not ended: a circle needs no more. */
struct awaited {
    size_t lane;
    bool sends;
};

static bool find_awaited(struct cs_event_deadlocks *hidden, size_t lane, const struct missing *missing, void *context)
{
    (void)lane;
    struct awaited *awaited = context;
    const struct message *message = missing->message;
    size_t found = missing->collective                ? first_absent(hidden, missing->collective)
                   : missing->for_receive             ? lane_of(hidden, message->key.dest)
                   : may_get_another(hidden, message) ? NOBODY
                                                      : lane_of(hidden, message->key.source);
    if (found == NOBODY || !hidden->lane[found].late)
        return true;
    *awaited = (struct awaited){found, missing->for_receive};
    return false;
}

static const struct cs_partner_function *function_of(const struct cs_event_deadlocks *hidden,
                                                     const struct cs_pass_event *event)
{
    return cs_partners_function(hidden->partners, event->function);
}

/* The call in which the thread waits. */
static const struct cs_pass_event *current(const struct cs_event_deadlocks *hidden, size_t lane)
{
    return &hidden->lane[lane].late->event;
}

static void await(struct cs_event_deadlocks *hidden, size_t lane)
{
    struct awaited awaited = {NOBODY, false};
    if (hidden->lane[lane].waits_in) {
        const struct cs_pass_event *event = current(hidden, lane);
        look_at(hidden, lane, event, function_of(hidden, event), find_awaited, &awaited);
    }
    hidden->lane[lane].awaits = awaited.lane;
    hidden->lane[lane].sends = awaited.sends;
    hidden->lane[lane].visit = NOBODY;
}

/* Takes a thread that waits out of its list. */
static void unlink_lane(struct cs_event_deadlocks *hidden, size_t lane)
{
    size_t *at = hidden->lane[lane].waits_in;
    while (*at != lane)
        at = &hidden->lane[*at].next;
    *at = hidden->lane[lane].next;
}

/* The sends of a circle wait no more, neither these nor later ones from there. */
static void let_go(struct cs_event_deadlocks *hidden, size_t first)
{
    size_t lane = first;
    do {
        size_t next = hidden->lane[lane].awaits;
        if (hidden->lane[lane].sends) {
            struct site *site = calloc(1, sizeof *site);
            if (site) {
                site->site = current(hidden, lane)->site;
                if (is_eager(hidden, site->site))
                    free(site);
                else
                    CS_TABLE_ADD(hidden->sites, site, site);
            }
            hidden->failed = hidden->failed || !site;
            unlink_lane(hidden, lane);
            set_ready(hidden, lane);
        }
        lane = next;
    } while (lane != first);
}

/* A row for each member, unless none of them sends. */
static int tell(struct cs_event_deadlocks *hidden, size_t first)
{
    size_t lane = first;
    bool sends = false;
    do {
        sends = sends || hidden->lane[lane].sends;
        lane = hidden->lane[lane].awaits;
    } while (lane != first);
    if (!sends)
        return SQLITE_OK;
    do {
        const struct cs_pass_event *event = current(hidden, lane);
        struct cs_event_row *row = cs_event_rows_add(hidden->rows);
        if (!row)
            return SQLITE_NOMEM;
        *row = (struct cs_event_row){{{(int64_t)hidden->circles, true},
                                      {hidden->lane[lane].thread->rank, true},
                                      {event->function, true},
                                      {event->message.object, true},
                                      {event->site, true},
                                      {hidden->lane[lane].sends, true}}};
        lane = hidden->lane[lane].awaits;
    } while (lane != first);
    let_go(hidden, first);
    return SQLITE_OK;
}

/* Nobody can go on: tells each circle of threads that wait. */
static int find_circles(struct cs_event_deadlocks *hidden)
{
    int result = SQLITE_OK;
    for (size_t i = 0; i < hidden->lanes; i++)
        await(hidden, i);
    for (size_t i = 0; result == SQLITE_OK && i < hidden->lanes && hidden->circles < CIRCLES_MOST; i++) {
        size_t lane = i;
        while (lane != NOBODY && hidden->lane[lane].visit == NOBODY) {
            hidden->lane[lane].visit = i;
            lane = hidden->lane[lane].awaits;
        }
        if (lane == NOBODY || hidden->lane[lane].visit != i)
            continue;
        hidden->circles++;
        result = tell(hidden, lane);
    }
    return result;
}

/* ---- all ---- */

static bool note_missing(struct cs_event_deadlocks *hidden, size_t lane, const struct missing *missing, void *context)
{
    (void)context;
    hidden->lane[lane].waits_in = missing->waiting;
    hidden->waiting++;
    push(hidden, missing->waiting, lane);
    return false;
}

/* Begins a call, unless it has begun, and ends it. False: the thread waits in it. */
static bool pass_by(struct cs_event_deadlocks *hidden, size_t lane, const struct cs_pass_event *event)
{
    const struct cs_partner_function *function = function_of(hidden, event);
    if (!hidden->lane[lane].begun)
        begin(hidden, lane, event, function);
    hidden->lane[lane].begun = true;
    if (!look_at(hidden, lane, event, function, note_missing, NULL))
        return false;
    release(hidden, lane, event, function);
    hidden->lane[lane].begun = false;
    return true;
}

static void drop_first(struct lane *lane)
{
    struct late_event *first = lane->late;
    lane->late = first->next;
    free(first);
}

/* Lets threads go on until each one waits, or has no more calls yet. If nobody can go on, whatever comes later, sends
   of circles are let go. */
static int go_on(struct cs_event_deadlocks *hidden, bool more_comes)
{
    int result = SQLITE_OK;
    do {
        while (hidden->ready != NOBODY) {
            size_t lane = hidden->ready;
            hidden->ready = hidden->lane[lane].next;
            while (hidden->lane[lane].late && pass_by(hidden, lane, current(hidden, lane)))
                drop_first(&hidden->lane[lane]);
        }
        if (more_comes && hidden->waiting < hidden->lanes)
            break;
        result = find_circles(hidden);
        hidden->ended = hidden->ready == NOBODY;
    } while (result == SQLITE_OK && !hidden->failed && !hidden->ended);
    return hidden->failed ? SQLITE_NOMEM : result;
}

/* Keeps a call until its thread comes to it. */
static int keep_event(struct lane *lane, const struct cs_pass_event *event)
{
    struct late_event *late = malloc(sizeof *late + event->parts * sizeof *late->part);
    if (!late)
        return SQLITE_NOMEM;
    late->next = NULL;
    late->event = *event;
    late->event.part = late->part;
    for (size_t i = 0; i < event->parts; i++)
        late->part[i] = event->part[i];
    *(lane->late ? &lane->last->next : &lane->late) = late;
    lane->last = late;
    return SQLITE_OK;
}

/* Each rank has all its events: its first one begins MPI. */
static void look_at_first(struct cs_event_deadlocks *hidden, struct lane *lane, const struct cs_pass_event *event)
{
    lane->seen = true;
    hidden->ended = hidden->ended || (lane->thread->first && !function_of(hidden, event)->lifecycle);
}

int cs_event_deadlocks_take(struct cs_event_deadlocks *hidden, const struct cs_pass_thread *thread,
                            const struct cs_pass_event *event)
{
    struct lane *lane = &hidden->lane[thread->index];
    if (!lane->seen)
        look_at_first(hidden, lane, event);
    if (hidden->ended)
        return SQLITE_OK;
    if (lane->late)
        return keep_event(lane, event);
    if (!pass_by(hidden, thread->index, event)) {
        int result = keep_event(lane, event);
        if (result != SQLITE_OK)
            return result;
    }
    return go_on(hidden, true);
}

int cs_event_deadlocks_finish(struct cs_event_deadlocks *hidden)
{
    return hidden->ended ? SQLITE_OK : go_on(hidden, false);
}

static const char known_sql[] = "SELECT count(*) = max(world_size) AND NOT EXISTS (SELECT 1 FROM doubtful_processes)"
                                " FROM main.process WHERE rank >= 0";

/* A million takes half a second. */
static const char few_sql[] =
    "SELECT count(*) BETWEEN 1 AND 1 << 20 FROM (SELECT 1 FROM main.event LIMIT (1 << 20) + 1)";

struct cs_event_deadlocks *cs_event_deadlocks_create(sqlite3 *db, struct cs_pass *pass,
                                                     const struct cs_partners *partners, struct cs_event_rows *rows)
{
    struct cs_event_deadlocks *hidden = calloc(1, sizeof *hidden);
    if (!hidden)
        return NULL;
    size_t lanes = cs_pass_threads(pass);
    *hidden = (struct cs_event_deadlocks){.partners = partners, .rows = rows, .lanes = lanes, .ready = NOBODY};
    hidden->ended = !cs_query_is_true(db, few_sql, NULL) || !cs_query_is_true(db, known_sql, NULL);
    hidden->lane = calloc(lanes + 1, sizeof *hidden->lane);
    bool good = hidden->lane;
    for (size_t i = 0; good && i < lanes; i++) {
        struct lane *lane = &hidden->lane[i];
        lane->thread = cs_pass_thread(pass, i);
        lane->alone = (i == 0 || lane[-1].thread->rank != lane->thread->rank) &&
                      (i + 1 == lanes || cs_pass_thread(pass, i + 1)->rank != lane->thread->rank);
        good = hidden->ended || begin_posts(db, lane) == SQLITE_OK;
    }
    if (good)
        return hidden;
    cs_event_deadlocks_free(hidden);
    return NULL;
}

void cs_event_deadlocks_free(struct cs_event_deadlocks *hidden)
{
    if (!hidden)
        return;
    for (size_t i = 0; hidden->lane && i < hidden->lanes; i++) {
        while (hidden->lane[i].late)
            drop_first(&hidden->lane[i]);
        sqlite3_finalize(hidden->lane[i].posts);
    }
    for (struct collective *it = hidden->collectives; it; it = it->hh.next)
        free(it->has_come);
    CS_TABLE_FREE(hidden->collectives);
    CS_TABLE_FREE(hidden->messages);
    CS_TABLE_FREE(hidden->begun);
    CS_TABLE_FREE(hidden->sites);
    free(hidden->lane);
    free(hidden);
}
