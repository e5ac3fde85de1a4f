#include "db/trace/message_pairs.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/hash_table.h"
#include "db/trace/each_row.h"
#include "db/trace/message_links.h"

/* Sides that wait for the other one take about 250 MB. SQL joins more of them on disk. */
enum { WAITING_MOST = 1000000 };
/* About so many events are read of all threads, or of each, before the next ones of the first thread. */
enum { SLICE_EVENTS = 100000, SLICE_EVENTS_OF_THREAD = 64 };

enum { FUNCTIONS = UINT16_MAX + 1 };

/* A number of SQL. */
struct number {
    int64_t value;
    bool known;
};

struct call {
    int64_t thread, event, start_ns, end_ns;
    struct number function, site;
};

/* The message itself; equal on both sides. */
struct message {
    int64_t id, source, dest, tag, nth;
};

/* A side whose other side was not read yet. */
struct side {
    struct message message;
    UT_hash_handle hh;
    bool sent;
    int64_t object, bytes;
    struct call call, posted; /* posted: of a receive */
};

struct process {
    int64_t rank;
    UT_hash_handle hh;
    int64_t node; /* number of the node; 0: unknown */
    struct number error_ns;
};

struct thread {
    int64_t rank, thread;
    int64_t event, message; /* where the next slice begins */
};

struct pairs {
    sqlite3 *db;
    sqlite3_stmt *insert, *find, *event, *further;
    struct cs_message_links *links;
    struct process *processes;
    struct side *waiting;
    struct thread *thread;
    size_t threads;
    int64_t events;
    bool exchanges[FUNCTIONS]; /* by number: it sends and receives */
    int64_t from_ns, to_ns;    /* when the first and the last of them ended */
};

/* ---- what is read before ---- */

static struct number number_at(sqlite3_stmt *row, int column)
{
    return (struct number){sqlite3_column_int64(row, column), sqlite3_column_type(row, column) != SQLITE_NULL};
}

static int add_exchange(void *context, sqlite3_stmt *row)
{
    struct pairs *pairs = context;
    int64_t function = sqlite3_column_int64(row, 0);
    if (function >= 0 && function < FUNCTIONS)
        pairs->exchanges[function] = true;
    return SQLITE_OK;
}

static const char exchanges_sql[] = "SELECT function FROM main.function WHERE transfer = 'both'";

static int add_process(void *context, sqlite3_stmt *row)
{
    struct pairs *pairs = context;
    struct process *process = calloc(1, sizeof *process);
    if (!process)
        return SQLITE_NOMEM;
    process->rank = sqlite3_column_int64(row, 0);
    process->node = sqlite3_column_int64(row, 1);
    process->error_ns = number_at(row, 2);
    CS_TABLE_ADD(pairs->processes, rank, process);
    return process ? SQLITE_OK : SQLITE_NOMEM;
}

static const char processes_sql[] =
    "SELECT rank, CASE WHEN node IS NULL THEN 0 ELSE rank() OVER (ORDER BY node) END, clock_error_ns FROM main.process";

static int add_thread(void *context, sqlite3_stmt *row)
{
    struct pairs *pairs = context;
    if (!pairs->thread) {
        pairs->from_ns = sqlite3_column_int64(row, 2);
        pairs->to_ns = sqlite3_column_int64(row, 3);
        pairs->thread = calloc((size_t)sqlite3_column_int64(row, 4), sizeof *pairs->thread);
        pairs->events = sqlite3_column_int64(row, 5);
    }
    if (!pairs->thread)
        return SQLITE_NOMEM;
    pairs->thread[pairs->threads++] = (struct thread){.rank = sqlite3_column_int64(row, 0),
                                                      .thread = sqlite3_column_int64(row, 1),
                                                      .event = INT64_MIN,
                                                      .message = INT64_MIN};
    return SQLITE_OK;
}

/* Threads with events. Events of a thread are numbered as they end: the first and the last one say when. */
static const char threads_sql[] =
    "WITH ends (rank, thread, first, last, events) AS (\n"
    "    SELECT rank, thread, min(event), max(event), count(*) FROM main.event GROUP BY rank, thread)\n"
    "SELECT t.rank, t.thread, min(f.start_ns + f.duration_ns) OVER (), max(l.start_ns + l.duration_ns) OVER (),\n"
    "       count(*) OVER (), sum(t.events) OVER ()\n"
    "FROM ends t JOIN main.event f ON f.rank = t.rank AND f.thread = t.thread AND f.event = t.first\n"
    "     JOIN main.event l ON l.rank = t.rank AND l.thread = t.thread AND l.event = t.last\n"
    "ORDER BY t.rank, t.thread";

/* ---- sides ---- */

static void bind(sqlite3_stmt *statement, int parameter, struct number number)
{
    if (number.known)
        sqlite3_bind_int64(statement, parameter, number.value);
    else
        sqlite3_bind_null(statement, parameter);
}

/* The possible error of the difference between the clocks of two processes. False: the trace lacks one of them. */
static bool find_error(const struct pairs *pairs, const struct message *message, struct number *error_ns)
{
    const struct process *source, *dest;
    HASH_FIND(hh, pairs->processes, &message->source, sizeof message->source, source);
    HASH_FIND(hh, pairs->processes, &message->dest, sizeof message->dest, dest);
    if (!source || !dest)
        return false;
    if (source->node && source->node == dest->node)
        *error_ns = (struct number){0, true};
    else
        error_ns->known = source->error_ns.known && dest->error_ns.known &&
                          !__builtin_add_overflow(source->error_ns.value, dest->error_ns.value, &error_ns->value);
    return true;
}

/* False: their numbers are wrong, or the message was truncated. The event of an exchange has the bytes of its larger
   message. */
static bool is_same(const struct pairs *pairs, const struct side *sent, const struct side *received)
{
    int64_t function = sent->call.function.value;
    return sent->bytes == received->bytes || (function >= 0 && function < FUNCTIONS && pairs->exchanges[function]);
}

static int write_pair(struct pairs *pairs, const struct side *sent, const struct side *received)
{
    struct number error_ns;
    if (!is_same(pairs, sent, received) || !find_error(pairs, &sent->message, &error_ns))
        return SQLITE_OK;
    sqlite3_stmt *insert = pairs->insert;
    const struct message *message = &sent->message;
    const struct call *send = &sent->call, *receive = &received->call, *posted = &received->posted;
    const int64_t whole[] = {message->id,     message->source, message->dest,     message->tag,
                             message->nth,    received->bytes, sent->object,      send->thread,
                             send->event,     send->start_ns,  send->end_ns,      posted->start_ns,
                             receive->thread, receive->event,  receive->start_ns, receive->end_ns};
    const struct number perhaps[] = {send->function,    send->site,    posted->function, posted->site,
                                     receive->function, receive->site, error_ns};
    enum { WHOLE = sizeof whole / sizeof *whole, PERHAPS = sizeof perhaps / sizeof *perhaps };
    for (int i = 0; i < WHOLE; i++)
        sqlite3_bind_int64(insert, i + 1, whole[i]);
    for (int i = 0; i < PERHAPS; i++)
        bind(insert, WHOLE + i + 1, perhaps[i]);
    sqlite3_step(insert);
    return sqlite3_reset(insert);
}

/* Joins the side to its other one, or lets it wait. */
static int add_side(struct pairs *pairs, const struct side *side)
{
    struct side *other;
    HASH_FIND(hh, pairs->waiting, &side->message, sizeof side->message, other);
    if (other && other->sent == side->sent)
        return SQLITE_MISMATCH; /* not from callsign */
    if (other) {
        int result = write_pair(pairs, side->sent ? side : other, side->sent ? other : side);
        HASH_DELETE(hh, pairs->waiting, other);
        free(other);
        return result;
    }
    if (HASH_COUNT(pairs->waiting) >= WAITING_MOST)
        return SQLITE_MISMATCH;
    other = malloc(sizeof *other);
    if (!other)
        return SQLITE_NOMEM;
    *other = *side;
    CS_TABLE_ADD(pairs->waiting, message, other);
    return other ? SQLITE_OK : SQLITE_NOMEM;
}

/* ---- calls and their messages ---- */

/* What both tables say of a message: direction, peer, tag, nth, bytes from this column on. */
struct said {
    const struct thread *by;
    sqlite3_stmt *row;
    int column;
    int64_t object;
};

/* False: the message, or who sent and received it, is not certain. */
static bool get_side(const struct pairs *pairs, const struct said *said, struct side *side)
{
    const char *direction = (const char *)sqlite3_column_text(said->row, said->column);
    struct number peer = number_at(said->row, said->column + 1), tag = number_at(said->row, said->column + 2),
                  nth = number_at(said->row, said->column + 3);
    if (!direction || !peer.known || !tag.known || !nth.known)
        return false;
    const bool sent = *direction == 's';
    const struct cs_message_link *link =
        cs_message_links_find(pairs->links, said->by->rank, said->object, sent, peer.value);
    if (!link)
        return false;
    *side = (struct side){.message = {link->id, link->source, link->dest, tag.value, nth.value},
                          .sent = sent,
                          .object = said->object,
                          .bytes = sqlite3_column_int64(said->row, said->column + 4)};
    return true;
}

/* Function, site, start and end from this column on. */
static struct call get_call(sqlite3_stmt *row, int column, int64_t thread, int64_t event)
{
    return (struct call){thread,
                         event,
                         sqlite3_column_int64(row, column + 2),
                         sqlite3_column_int64(row, column + 3),
                         number_at(row, column),
                         number_at(row, column + 1)};
}

/* False: it is not recorded. */
static bool find_call(const struct pairs *pairs, int64_t rank, int64_t thread, int64_t event, struct call *call)
{
    sqlite3_bind_int64(pairs->find, 1, rank);
    sqlite3_bind_int64(pairs->find, 2, thread);
    sqlite3_bind_int64(pairs->find, 3, event);
    bool found = sqlite3_step(pairs->find) == SQLITE_ROW;
    if (found)
        *call = get_call(pairs->find, 0, thread, event);
    sqlite3_reset(pairs->find);
    return found;
}

/* The columns of the statement `event`. */
enum { EVENT, EVENT_CALL, EVENT_OBJECT = EVENT_CALL + 4, EVENT_SAID };
static const char events_sql[] = "SELECT event, function, site, start_ns, start_ns + duration_ns, object, direction,"
                                 " peer, tag, nth, bytes FROM main.event"
                                 " WHERE rank = ?1 AND thread = ?2 AND event >= ?3 ORDER BY event";

/* The columns of the statement `further`. */
enum { MESSAGE, MESSAGE_EVENT, MESSAGE_THREAD, MESSAGE_POSTED, MESSAGE_OBJECT, MESSAGE_SAID };
static const char further_sql[] = "SELECT message, event, coalesce(posted_thread, thread), coalesce(posted, event),"
                                  " communicator, direction, peer, tag, nth, bytes FROM main.event_message"
                                  " WHERE rank = ?1 AND thread = ?2 AND message >= ?3 ORDER BY message";

static int add_event(struct pairs *pairs, const struct thread *by, const struct call *call)
{
    struct side side;
    const struct said said = {by, pairs->event, EVENT_SAID, sqlite3_column_int64(pairs->event, EVENT_OBJECT)};
    if (!get_side(pairs, &said, &side))
        return SQLITE_OK;
    side.call = side.posted = *call;
    return add_side(pairs, &side);
}

/* A further message; `call`: the next one of the thread, which usually completed it. NULL: there is none. */
static int add_further(struct pairs *pairs, const struct thread *by, const struct call *call)
{
    struct side side;
    const struct said said = {by, pairs->further, MESSAGE_SAID, sqlite3_column_int64(pairs->further, MESSAGE_OBJECT)};
    struct number event = number_at(pairs->further, MESSAGE_EVENT);
    if (!event.known || !get_side(pairs, &said, &side))
        return SQLITE_OK;
    if (call && call->event == event.value)
        side.call = *call;
    else if (!find_call(pairs, by->rank, by->thread, event.value, &side.call))
        return SQLITE_OK;
    int64_t thread = sqlite3_column_int64(pairs->further, MESSAGE_THREAD),
            posted = sqlite3_column_int64(pairs->further, MESSAGE_POSTED);
    if (thread == by->thread && posted == side.call.event)
        side.posted = side.call;
    else if (!side.sent && !find_call(pairs, by->rank, thread, posted, &side.posted))
        return SQLITE_OK;
    return add_side(pairs, &side);
}

static void begin(sqlite3_stmt *statement, const struct thread *thread, int64_t from)
{
    sqlite3_bind_int64(statement, 1, thread->rank);
    sqlite3_bind_int64(statement, 2, thread->thread);
    sqlite3_bind_int64(statement, 3, from);
}

/* The events of the thread that end until then, and their messages. */
static int read_slice(struct pairs *pairs, struct thread *thread, int64_t until_ns)
{
    begin(pairs->event, thread, thread->event);
    begin(pairs->further, thread, thread->message);
    bool further = sqlite3_step(pairs->further) == SQLITE_ROW;
    int result = SQLITE_OK;
    thread->event = thread->message = INT64_MAX; /* nothing is left */
    while (result == SQLITE_OK && sqlite3_step(pairs->event) == SQLITE_ROW) {
        int64_t number = sqlite3_column_int64(pairs->event, EVENT);
        struct call call = get_call(pairs->event, EVENT_CALL, thread->thread, number);
        if (call.end_ns > until_ns) {
            thread->event = number;
            break;
        }
        for (; further && result == SQLITE_OK && sqlite3_column_int64(pairs->further, MESSAGE) < number;
             further = sqlite3_step(pairs->further) == SQLITE_ROW)
            result = add_further(pairs, thread, &call);
        if (result == SQLITE_OK)
            result = add_event(pairs, thread, &call);
    }
    if (thread->event < INT64_MAX && further)
        thread->message = sqlite3_column_int64(pairs->further, MESSAGE);
    for (; thread->event == INT64_MAX && further && result == SQLITE_OK;
         further = sqlite3_step(pairs->further) == SQLITE_ROW)
        result = add_further(pairs, thread, NULL);
    int read = sqlite3_reset(pairs->event), read_further = sqlite3_reset(pairs->further);
    return result != SQLITE_OK ? result : read != SQLITE_OK ? read : read_further;
}

/* ---- all ---- */

static int prepare(struct pairs *pairs, const char *table)
{
    const struct {
        sqlite3_stmt **statement;
        const char *sql;
    } queries[] = {{&pairs->event, events_sql},
                   {&pairs->further, further_sql},
                   {&pairs->find, "SELECT function, site, start_ns, start_ns + duration_ns FROM main.event"
                                  " WHERE rank = ?1 AND thread = ?2 AND event = ?3"}};
    char *insert = sqlite3_mprintf(
        "INSERT INTO temp.\"%w\" (id, source, dest, tag, nth, bytes, communicator, source_thread, source_event,"
        " send_start_ns, send_end_ns, posted_ns, dest_thread, dest_event, receive_start_ns, receive_end_ns,"
        " send_function, send_site, posted_function, posted_site, receive_function, receive_site, error_ns) VALUES"
        " (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23)",
        table);
    int result = insert ? sqlite3_prepare_v2(pairs->db, insert, -1, &pairs->insert, NULL) : SQLITE_NOMEM;
    sqlite3_free(insert);
    for (size_t i = 0; result == SQLITE_OK && i < sizeof queries / sizeof *queries; i++)
        result = sqlite3_prepare_v2(pairs->db, queries[i].sql, -1, queries[i].statement, NULL);
    return result;
}

/* Slices of equal duration. */
static int read_slices(struct pairs *pairs)
{
    int64_t events = SLICE_EVENTS_OF_THREAD * (int64_t)pairs->threads;
    int64_t slices = 1 + pairs->events / (events > SLICE_EVENTS ? events : SLICE_EVENTS);
    int result = SQLITE_OK;
    double slice_ns = ((double)pairs->to_ns - (double)pairs->from_ns) / (double)slices;
    for (int64_t i = 1; i <= slices; i++) {
        int64_t until_ns = i == slices ? INT64_MAX : pairs->from_ns + (int64_t)((double)i * slice_ns);
        for (size_t k = 0; result == SQLITE_OK && k < pairs->threads; k++)
            if (pairs->thread[k].event < INT64_MAX)
                result = read_slice(pairs, &pairs->thread[k], until_ns);
    }
    return result;
}

static void end(struct pairs *pairs)
{
    sqlite3_stmt *const statements[] = {pairs->insert, pairs->find, pairs->event, pairs->further};
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        sqlite3_finalize(statements[i]);
    cs_message_links_free(pairs->links);
    CS_TABLE_FREE(pairs->processes);
    CS_TABLE_FREE(pairs->waiting);
    free(pairs->thread);
}

/* Deletes the rows that were written before SQL is asked: many connections have no journal to roll back. */
static int empty(sqlite3 *db, const char *table)
{
    char *sql = sqlite3_mprintf("DELETE FROM temp.\"%w\"", table);
    int result = sql ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
    sqlite3_free(sql);
    return result == SQLITE_OK ? SQLITE_MISMATCH : result;
}

int cs_message_pairs_fill(sqlite3 *db, const char *table)
{
    struct pairs pairs = {.db = db};
    int result = prepare(&pairs, table);
    if (result == SQLITE_OK)
        result = cs_each_row(db, exchanges_sql, add_exchange, &pairs);
    if (result == SQLITE_OK)
        result = cs_message_links_read(db, &pairs.links);
    if (result == SQLITE_OK)
        result = cs_each_row(db, processes_sql, add_process, &pairs);
    if (result == SQLITE_OK)
        result = cs_each_row(db, threads_sql, add_thread, &pairs);
    if (result == SQLITE_OK)
        result = read_slices(&pairs);
    end(&pairs);
    return result == SQLITE_MISMATCH ? empty(db, table) : result;
}
