#include "db/trace/event_messages.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "db/trace/each_row.h"

/* Calls of a thread that a later call may refer to. Others are looked up by SQL. */
enum { REMEMBERED = 256, REMEMBERED_OF_MANY = 16, MANY_THREADS = 256 };

/* A probe found the message of the receive that was posted next. Receives complete in another order: so many further
   ones of the thread are awaited. */
enum { PROBE_PAIRS = 64 };

/* A call that may have waited for messages. It is decided when the other side of each is known. */
struct wait {
    struct cs_event_call call;
    size_t refs;
    bool found;
    struct cs_event_cause cause; /* the last one to be sent or received */
    int64_t send_start_ns;       /* of a received message */
    struct link *link;           /* of a received message; NULL: of a probe, or a sent one */
    struct wait *next;           /* that waits to know whether the order was wrong */
};

/* The messages from one rank to another one on a communicator. */
struct link {
    struct link_key {
        int64_t id, source, dest;
    } key;
    UT_hash_handle hh;
    struct side *first, *last;         /* those without receive, in order of their sends */
    struct wait *undecided;            /* an earlier message may be received later */
    int64_t posted_ns, posted_send_ns; /* the latest post of a receive; when that message was sent */
};

/* One side of a message whose other side is not known yet. */
struct side {
    struct cs_partner_message message;
    UT_hash_handle hh, hh_number;
    bool sent;
    int64_t object, bytes;
    struct cs_event_call call, posted; /* posted: of a receive */
    struct side_number {
        int64_t rank, thread, number;
    } number;          /* of a send that a later call completes; number 0: another one */
    struct wait *wait; /* of a receive: the call; of a send: the call that completes it */
    struct link *link; /* of a send */
    struct lane *lane; /* of a receive */
    struct side *before, *after;
};

/* Both. */
struct pair {
    const struct side *sent, *received;
    struct cs_event_number error_ns;
};

/* A probe, in the list of the thread that receives its message. */
struct probe {
    struct probe *next;
    struct wait *wait;
    int64_t id, source, tag; /* source, tag -1: any */
    int64_t taken_ns;        /* begin of the call that took the message; without that, INT64_MIN */
    int64_t posted_ns;       /* of the next receive */
    bool fits;
    struct cs_event_cause cause;
    int pairs;
};

struct lane {
    int64_t previous; /* number of the event before */
    struct cs_event_call *remembered;
    struct wait *wait; /* of the current call; NULL: none yet */
    struct probe *probes;
};

struct cs_event_messages {
    sqlite3 *db;
    sqlite3_stmt *find;
    struct cs_pass *pass;
    const struct cs_partners *partners;
    bool rows_of_waits;
    struct cs_event_rows *rows;
    struct lane *lane;
    struct cs_event_call *remembered;
    size_t remembered_each;
    struct side *sides, *numbered;
    struct link *links;
};

/* ---- calls ---- */

static struct cs_event_call call_of(const struct cs_pass_thread *thread, const struct cs_pass_event *event)
{
    return (struct cs_event_call){thread->rank,
                                  thread->thread,
                                  event->event,
                                  event->start_ns,
                                  event->end_ns,
                                  {event->function, event->has_function},
                                  {event->site, event->has_site}};
}

static struct cs_event_number number_at(sqlite3_stmt *row, int column)
{
    return (struct cs_event_number){sqlite3_column_int64(row, column), sqlite3_column_type(row, column) != SQLITE_NULL};
}

static const struct lane *lane_of(const struct cs_event_messages *messages, const struct cs_pass_thread *near,
                                  int64_t thread)
{
    size_t i = near->index, threads = cs_pass_threads(messages->pass);
    while (i > 0 && cs_pass_thread(messages->pass, i - 1)->rank == near->rank)
        i--;
    for (; i < threads && cs_pass_thread(messages->pass, i)->rank == near->rank; i++)
        if (cs_pass_thread(messages->pass, i)->thread == thread)
            return &messages->lane[i];
    return NULL;
}

/* False: it is not recorded. */
static bool find_call(const struct cs_event_messages *messages, const struct cs_pass_thread *near, int64_t thread,
                      int64_t event, struct cs_event_call *call)
{
    const struct lane *lane = thread == near->thread ? &messages->lane[near->index] : lane_of(messages, near, thread);
    if (!lane)
        return false;
    *call = lane->remembered[(uint64_t)event % messages->remembered_each];
    if (call->event == event && call->thread == thread)
        return true;
    sqlite3_stmt *find = messages->find;
    sqlite3_bind_int64(find, 1, near->rank);
    sqlite3_bind_int64(find, 2, thread);
    sqlite3_bind_int64(find, 3, event);
    bool found = sqlite3_step(find) == SQLITE_ROW;
    if (found)
        *call = (struct cs_event_call){near->rank,
                                       thread,
                                       event,
                                       sqlite3_column_int64(find, 2),
                                       sqlite3_column_int64(find, 3),
                                       number_at(find, 0),
                                       number_at(find, 1)};
    sqlite3_reset(find);
    return found;
}

static const char find_sql[] = "SELECT function, site, start_ns, start_ns + duration_ns FROM main.event"
                               " WHERE rank = ?1 AND thread = ?2 AND event = ?3";

static const struct cs_partner_function *function_of(const struct cs_event_messages *messages,
                                                     struct cs_event_number function)
{
    return cs_partners_function(messages->partners, function.known ? function.value : -1);
}

/* ---- calls that may have waited ---- */

/* The one of the current call of the thread. NULL: out of memory. */
static struct wait *wait_of(struct lane *lane, const struct cs_event_call *call)
{
    if (!lane->wait && (lane->wait = calloc(1, sizeof *lane->wait))) {
        lane->wait->call = *call;
        lane->wait->refs = 1; /* until the call ends */
    }
    return lane->wait;
}

static void note_cause(struct wait *wait, const struct cs_event_cause *cause, struct link *link, int64_t send_start_ns)
{
    if (wait->found && cause->until_ns <= wait->cause.until_ns)
        return;
    wait->found = true;
    wait->cause = *cause;
    wait->link = link;
    wait->send_start_ns = send_start_ns;
}

static void write_wait(struct cs_event_messages *messages, struct wait *wait)
{
    cs_event_rows_add_wait(messages->rows, &wait->call, &wait->cause);
    free(wait);
}

/* Messages of the same source that were sent before may be received later: then they were there. */
static void decide(struct cs_event_messages *messages, struct wait *wait)
{
    struct link *link = wait->link;
    if (!link) {
        write_wait(messages, wait);
    } else if (link->posted_ns >= wait->call.end_ns && link->posted_send_ns < wait->send_start_ns) {
        wait->cause.kind = CS_WRONG_ORDER;
        write_wait(messages, wait);
    } else if (link->first && link->first->call.start_ns < wait->send_start_ns) {
        wait->next = link->undecided;
        link->undecided = wait;
    } else {
        write_wait(messages, wait);
    }
}

static void release(struct cs_event_messages *messages, struct wait *wait)
{
    if (!wait || --wait->refs)
        return;
    if (wait->found && wait->cause.rank != wait->call.rank)
        decide(messages, wait);
    else
        free(wait);
}

/* A message of the link has got its receive; pair NULL: it belongs to no pair. */
static void decide_again(struct cs_event_messages *messages, struct link *link, const struct pair *pair)
{
    struct wait *wait = link->undecided, *next;
    link->undecided = NULL;
    if (pair && pair->received->posted.start_ns > link->posted_ns) {
        link->posted_ns = pair->received->posted.start_ns;
        link->posted_send_ns = pair->sent->call.start_ns;
    }
    for (; wait; wait = next) {
        next = wait->next;
        if (pair && pair->received->posted.start_ns >= wait->call.end_ns &&
            pair->sent->call.start_ns < wait->send_start_ns) {
            wait->cause.kind = CS_WRONG_ORDER;
            write_wait(messages, wait);
        } else {
            decide(messages, wait);
        }
    }
}

/* ---- pairs ---- */

static void write_pair(struct cs_event_messages *messages, const struct pair *pair)
{
    const struct cs_partner_message *message = &pair->sent->message;
    const struct cs_event_call *send = &pair->sent->call, *posted = &pair->received->posted,
                               *receive = &pair->received->call;
    struct cs_event_row *row = cs_event_rows_add(messages->rows);
    if (row)
        *row = (struct cs_event_row){{{message->id, true},
                                      {message->source, true},
                                      {message->dest, true},
                                      {message->tag, true},
                                      {message->nth, true},
                                      {pair->received->bytes, true},
                                      {pair->sent->object, true},
                                      {send->thread, true},
                                      {send->event, true},
                                      send->function,
                                      send->site,
                                      {send->start_ns, true},
                                      {send->end_ns, true},
                                      {posted->start_ns, true},
                                      posted->function,
                                      posted->site,
                                      {receive->thread, true},
                                      {receive->event, true},
                                      receive->function,
                                      receive->site,
                                      {receive->start_ns, true},
                                      {receive->end_ns, true},
                                      pair->error_ns}};
}

static struct cs_event_cause cause_of(const struct pair *pair, enum cs_event_wait kind)
{
    const struct cs_partner_message *message = &pair->sent->message;
    const struct cs_event_call *call = kind == CS_LATE_RECEIVER ? &pair->received->posted : &pair->sent->call;
    return (struct cs_event_cause){.kind = kind,
                                   .rank = kind == CS_LATE_RECEIVER ? message->dest : message->source,
                                   .until_ns = call->start_ns,
                                   .error_ns = pair->error_ns,
                                   .id = message->id,
                                   .named_by = message->source,
                                   .object = pair->sent->object,
                                   .function = call->function,
                                   .site = call->site};
}

/* The receive, or the call that completed it, waited for the send. */
static void look_at_receive(struct cs_event_messages *messages, const struct pair *pair)
{
    const struct cs_event_call *call = &pair->received->call;
    if (!pair->received->wait || pair->sent->call.start_ns <= call->start_ns ||
        function_of(messages, call->function)->waits == CS_WAIT_NOTHING)
        return;
    const struct cs_event_cause cause = cause_of(pair, CS_LATE_SENDER);
    note_cause(pair->received->wait, &cause, pair->sent->link, pair->sent->call.start_ns);
}

/* The send, or the call that completed it, waited for the receive. A standard send may have been buffered: then only
   the call that waits for nothing else shows that it was not. */
static void look_at_send(struct cs_event_messages *messages, const struct pair *pair)
{
    const struct cs_event_call *send = &pair->sent->call;
    const struct cs_partner_function *function = function_of(messages, send->function);
    const struct cs_event_cause cause = cause_of(pair, CS_LATE_RECEIVER);
    struct wait *wait = pair->sent->wait;
    if (wait && wait->call.end_ns >= cause.until_ns && cause.until_ns > wait->call.start_ns)
        note_cause(wait, &cause, NULL, 0);
    if ((function->waits == CS_WAIT_SEND || function->waits == CS_WAIT_SYNCHRONOUS) && cause.rank != send->rank &&
        cause.until_ns > send->start_ns && send->end_ns >= cause.until_ns)
        cs_event_rows_add_wait(messages->rows, send, &cause);
}

static void end_probe(struct cs_event_messages *messages, struct probe *probe)
{
    if (probe->fits)
        note_cause(probe->wait, &probe->cause, NULL, 0);
    release(messages, probe->wait);
    free(probe);
}

/* A probe that waited for a message of this thread has found this one, if no receive was posted before this one. */
static void look_at_probes(struct lane *lane, const struct pair *pair)
{
    const struct cs_partner_message *message = &pair->sent->message;
    const struct cs_event_cause cause = cause_of(pair, CS_LATE_SENDER);
    int64_t posted_ns = pair->received->posted.start_ns;
    for (struct probe **at = &lane->probes, *probe; (probe = *at);) {
        int64_t end_ns = probe->wait->call.end_ns;
        bool taken = probe->taken_ns != INT64_MIN;
        at = &probe->next;
        if (probe->id != message->id || (taken ? posted_ns != probe->taken_ns : posted_ns < end_ns))
            continue;
        bool fits = (probe->source < 0 || probe->source == message->source) &&
                    (probe->tag == -1 || probe->tag == message->tag) && cause.until_ns <= end_ns;
        if (posted_ns < probe->posted_ns)
            probe->fits = false;
        if (posted_ns <= probe->posted_ns) {
            probe->posted_ns = posted_ns;
            if (fits && (!probe->fits || cause.until_ns > probe->cause.until_ns)) {
                probe->cause = cause;
                probe->fits = true;
            }
        }
    }
}

/* Ends probes that were awaited long enough. */
static void end_probes(struct cs_event_messages *messages, struct lane *lane, int pairs)
{
    for (struct probe **at = &lane->probes, *probe; (probe = *at);) {
        if ((probe->posted_ns != INT64_MAX || pairs == PROBE_PAIRS) && (probe->pairs += pairs) >= PROBE_PAIRS) {
            *at = probe->next;
            end_probe(messages, probe);
        } else {
            at = &probe->next;
        }
    }
}

/* False: their numbers are wrong, or the message was truncated. The event of an exchange has the bytes of its larger
   message. */
static bool is_same(const struct cs_event_messages *messages, const struct side *sent, const struct side *received)
{
    return sent->bytes == received->bytes || function_of(messages, sent->call.function)->exchanges;
}

static void unlink_send(struct side *side)
{
    struct link *link = side->link;
    *(side->before ? &side->before->after : &link->first) = side->after;
    *(side->after ? &side->after->before : &link->last) = side->before;
}

static void join(struct cs_event_messages *messages, const struct side *sent, const struct side *received)
{
    struct pair pair = {.sent = sent, .received = received};
    bool is_pair = is_same(messages, sent, received) && cs_partners_process(messages->partners, sent->message.source) &&
                   cs_partners_process(messages->partners, sent->message.dest);
    pair.error_ns.known =
        cs_partners_clock_error(messages->partners, sent->message.source, sent->message.dest, &pair.error_ns.value);
    if (is_pair && !messages->rows_of_waits)
        write_pair(messages, &pair);
    if (!messages->rows_of_waits)
        return;
    struct lane *lane = received->lane;
    if (is_pair) {
        look_at_receive(messages, &pair);
        look_at_send(messages, &pair);
        if (lane->probes) {
            look_at_probes(lane, &pair);
            end_probes(messages, lane, 1);
        }
    }
    decide_again(messages, sent->link, is_pair ? &pair : NULL);
}

/* ---- sides ---- */

static struct link *link_of(struct cs_event_messages *messages, const struct cs_partner_message *message)
{
    const struct link_key key = {message->id, message->source, message->dest};
    struct link *link;
    HASH_FIND(hh, messages->links, &key, sizeof key, link);
    if (link)
        return link;
    link = calloc(1, sizeof *link);
    if (link) {
        link->key = key;
        link->posted_ns = INT64_MIN;
        CS_TABLE_ADD(messages->links, key, link);
    }
    return link;
}

static void free_side(struct cs_event_messages *messages, struct side *side)
{
    struct wait *wait = side->wait;
    if (side->hh_number.tbl)
        HASH_DELETE(hh_number, messages->numbered, side);
    free(side);
    release(messages, wait);
}

/* Joins the side to its other one, or lets it wait. */
static int add_side(struct cs_event_messages *messages, struct side *side)
{
    struct side *other;
    HASH_FIND(hh, messages->sides, &side->message, sizeof side->message, other);
    if (other && other->sent == side->sent) { /* not from callsign */
        free_side(messages, side);
        return SQLITE_OK;
    }
    if (side->sent && !(side->link = link_of(messages, &side->message))) {
        free_side(messages, side);
        return SQLITE_NOMEM;
    }
    if (!other) {
        CS_TABLE_ADD(messages->sides, message, side);
        if (!side)
            return SQLITE_NOMEM;
        if (side->number.number)
            HASH_ADD(hh_number, messages->numbered, number, sizeof side->number, side);
        if (side->sent) {
            side->before = side->link->last;
            *(side->before ? &side->before->after : &side->link->first) = side;
            side->link->last = side;
        }
        return SQLITE_OK;
    }
    HASH_DELETE(hh, messages->sides, other);
    if (other->sent)
        unlink_send(other);
    join(messages, side->sent ? side : other, side->sent ? other : side);
    free_side(messages, other);
    free_side(messages, side);
    return SQLITE_OK;
}

/* A side of this call. NULL, with SQLITE_OK: the message, or who sent and received it, is not certain. */
static int make_side(const struct cs_event_messages *messages, const struct cs_event_call *call,
                     const struct cs_pass_message *said, struct side **made)
{
    struct cs_partner_message message;
    *made = NULL;
    if (!cs_partners_message(messages->partners, call->rank, said, &message))
        return SQLITE_OK;
    struct side *side = calloc(1, sizeof *side);
    if (!side)
        return SQLITE_NOMEM;
    side->message = message;
    side->sent = said->direction == CS_PASS_SEND;
    side->object = said->object;
    side->bytes = said->bytes;
    side->call = side->posted = *call;
    *made = side;
    return SQLITE_OK;
}

static int add_send(struct cs_event_messages *messages, const struct cs_event_call *call, int64_t number, bool later,
                    const struct cs_pass_message *said)
{
    struct side *side;
    if (said->direction != CS_PASS_SEND)
        return SQLITE_OK;
    int result = make_side(messages, call, said, &side);
    if (!side)
        return result;
    if (later && messages->rows_of_waits)
        side->number = (struct side_number){call->rank, call->thread, number};
    return add_side(messages, side);
}

static int add_receive(struct cs_event_messages *messages, const struct cs_pass_thread *thread,
                       const struct cs_event_call *call, const struct cs_pass_message *said,
                       const struct cs_pass_part *part)
{
    struct side *side;
    if (said->direction != CS_PASS_RECEIVE)
        return SQLITE_OK;
    int result = make_side(messages, call, said, &side);
    if (!side)
        return result;
    if (part && part->posted && (part->posted != call->event || part->posted_thread != call->thread) &&
        !find_call(messages, thread, part->posted_thread, part->posted, &side->posted)) {
        free(side);
        return SQLITE_OK;
    }
    side->lane = &messages->lane[thread->index];
    if (messages->rows_of_waits) {
        if (!(side->wait = wait_of(side->lane, call))) {
            free(side);
            return SQLITE_NOMEM;
        }
        side->wait->refs++;
    }
    return add_side(messages, side);
}

/* ---- events ---- */

/* A request that the call completes: a send whose receive was not posted yet may have made it wait. */
static int add_completion(struct cs_event_messages *messages, struct lane *lane, const struct cs_event_call *call,
                          const struct cs_pass_part *part)
{
    const struct cs_partner_function *function = function_of(messages, call->function);
    const struct side_number number = {call->rank, part->posted_thread, part->posted};
    struct side *side;
    HASH_FIND(hh_number, messages->numbered, &number, sizeof number, side);
    if (!side || side->wait || function->waits == CS_WAIT_NOTHING)
        return SQLITE_OK;
    bool lone = part->number == call->event - 1 && lane->previous == call->event - 2;
    if (!function->completes_one && !(function->completes_all && lone) &&
        !function_of(messages, side->call.function)->synchronous)
        return SQLITE_OK;
    if (!(side->wait = wait_of(lane, call)))
        return SQLITE_NOMEM;
    side->wait->refs++;
    return SQLITE_OK;
}

static int add_probe(struct cs_event_messages *messages, struct lane *lane, const struct cs_event_call *call,
                     const struct cs_pass_event *event)
{
    const struct cs_partner_object *on = cs_partners_object(messages->partners, call->rank, event->message.object);
    const struct cs_message_link *link =
        cs_partners_link(messages->partners, call->rank, &event->message, CS_PASS_RECEIVE);
    if (!on || !event->names_peer || (event->message.peer != -1 && !link))
        return SQLITE_OK;
    struct probe *probe = calloc(1, sizeof *probe);
    if (!probe || !wait_of(lane, call)) {
        free(probe);
        return SQLITE_NOMEM;
    }
    *probe = (struct probe){.next = lane->probes,
                            .wait = lane->wait,
                            .id = on->id,
                            .source = link && event->message.peer != -1 ? link->source : -1,
                            .tag = event->message.tag,
                            .taken_ns = INT64_MIN,
                            .posted_ns = INT64_MAX};
    probe->wait->refs++;
    lane->probes = probe;
    return SQLITE_OK;
}

/* The call takes the message of a matched probe. */
static void take_probe(struct cs_event_messages *messages, const struct cs_pass_thread *thread,
                       const struct cs_event_call *call, const struct cs_pass_part *part)
{
    struct lane *lane = &messages->lane[thread->index];
    struct lane *prober = (struct lane *)lane_of(messages, thread, part->posted_thread);
    for (struct probe **at = prober ? &prober->probes : NULL, *probe; at && (probe = *at); at = &probe->next)
        if (probe->wait->call.event == part->posted) {
            *at = probe->next;
            probe->next = lane->probes;
            lane->probes = probe;
            probe->taken_ns = call->start_ns;
            probe->posted_ns = INT64_MAX;
            probe->fits = false;
            probe->pairs = 0;
            return;
        }
}

int cs_event_messages_begin(struct cs_event_messages *messages, const struct cs_pass_thread *thread,
                            const struct cs_pass_event *event)
{
    struct lane *lane = &messages->lane[thread->index];
    const struct cs_event_call call = call_of(thread, event);
    const struct cs_partner_function *function = function_of(messages, call.function);
    bool later = function->nonblocking || function->starts;
    if (later)
        lane->remembered[(uint64_t)event->event % messages->remembered_each] = call;
    int result = add_send(messages, &call, event->event, later, &event->message);
    for (size_t i = 0; result == SQLITE_OK && i < event->parts; i++) {
        const struct cs_pass_part *part = &event->part[i];
        result = add_send(messages, &call, part->number, true, &part->message);
        if (result == SQLITE_OK && messages->rows_of_waits && part->message.direction == CS_PASS_NEITHER) {
            take_probe(messages, thread, &call, part);
            result = add_completion(messages, lane, &call, part);
        }
    }
    if (result == SQLITE_OK && messages->rows_of_waits && function->waits == CS_WAIT_RECEIVE && !function->takes &&
        event->message.direction == CS_PASS_NEITHER)
        result = add_probe(messages, lane, &call, event);
    lane->previous = event->event;
    return result == SQLITE_OK && messages->rows->failed ? SQLITE_NOMEM : result;
}

int cs_event_messages_end(struct cs_event_messages *messages, const struct cs_pass_thread *thread,
                          const struct cs_pass_event *event)
{
    struct lane *lane = &messages->lane[thread->index];
    const struct cs_event_call call = call_of(thread, event);
    int result = SQLITE_OK;
    for (size_t i = 0; result == SQLITE_OK && i < event->parts; i++)
        result = add_receive(messages, thread, &call, &event->part[i].message, &event->part[i]);
    if (result == SQLITE_OK)
        result = add_receive(messages, thread, &call, &event->message, NULL);
    struct wait *wait = lane->wait;
    lane->wait = NULL;
    release(messages, wait);
    return result == SQLITE_OK && messages->rows->failed ? SQLITE_NOMEM : result;
}

/* ---- all ---- */

void cs_event_messages_finish(struct cs_event_messages *messages)
{
    for (size_t i = 0; i < cs_pass_threads(messages->pass); i++)
        end_probes(messages, &messages->lane[i], PROBE_PAIRS);
    for (struct link *link = messages->links; link; link = link->hh.next)
        link->first = link->last = NULL; /* the other messages have no receive */
    for (struct side *side = messages->sides; side; side = side->hh.next) {
        release(messages, side->wait);
        side->wait = NULL;
    }
    for (struct link *link = messages->links; link; link = link->hh.next)
        decide_again(messages, link, NULL);
}

struct cs_event_messages *cs_event_messages_create(sqlite3 *db, struct cs_pass *pass,
                                                   const struct cs_partners *partners, bool rows_of_waits,
                                                   struct cs_event_rows *rows)
{
    struct cs_event_messages *messages = calloc(1, sizeof *messages);
    if (!messages)
        return NULL;
    size_t threads = cs_pass_threads(pass);
    *messages = (struct cs_event_messages){
        .db = db, .pass = pass, .partners = partners, .rows_of_waits = rows_of_waits, .rows = rows};
    messages->remembered_each = threads > MANY_THREADS ? REMEMBERED_OF_MANY : REMEMBERED;
    messages->lane = calloc(threads + 1, sizeof *messages->lane);
    messages->remembered = calloc(threads * messages->remembered_each + 1, sizeof *messages->remembered);
    if (!messages->lane || !messages->remembered ||
        sqlite3_prepare_v2(db, find_sql, -1, &messages->find, NULL) != SQLITE_OK) {
        cs_event_messages_free(messages);
        return NULL;
    }
    for (size_t i = 0; i < threads; i++)
        messages->lane[i].remembered = messages->remembered + i * messages->remembered_each;
    return messages;
}

void cs_event_messages_free(struct cs_event_messages *messages)
{
    if (!messages)
        return;
    struct cs_event_rows none = {0};
    messages->rows = &none;
    if (messages->lane)
        cs_event_messages_finish(messages);
    for (size_t i = 0; messages->lane && i < cs_pass_threads(messages->pass); i++)
        release(messages, messages->lane[i].wait);
    free(none.row);
    HASH_CLEAR(hh_number, messages->numbered);
    CS_TABLE_FREE(messages->sides);
    CS_TABLE_FREE(messages->links);
    sqlite3_finalize(messages->find);
    free(messages->lane);
    free(messages->remembered);
    free(messages);
}
