#include "db/trace/event_pass.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "db/trace/each_row.h"
#include "functions.h"

/* Events in the buffer of a thread. Half of them are ahead of the current one when it is read again. */
enum { BUFFER_EVENTS = 512, BUFFER_EVENTS_OF_MANY = 64, MANY_THREADS = 256 };

struct reader {
    struct cs_pass_thread thread;
    struct cs_pass_event *event;
    struct cs_pass_part *part;
    size_t events, next;      /* in the buffer; the current one */
    size_t parts, parts_room; /* in the buffer */
    int64_t last_event;       /* the last one that was read */
    int64_t part_read;        /* parts until here were read */
    int64_t key_ns;           /* of the next instant */
    int64_t slack_ns;         /* error of its clock: ends are delayed by it */
    bool inside, ended;
};

struct cs_pass {
    sqlite3 *db;
    sqlite3_stmt *events, *messages, *completions;
    struct reader *reader;
    size_t readers, buffer;
    size_t *heap; /* threads that have not ended, by the next instant */
    size_t heaped;
    const struct cs_pass_calls *calls;
    void *context;
};

/* ---- threads ---- */

static int add_reader(void *context, sqlite3_stmt *row)
{
    struct cs_pass *pass = context;
    if (!pass->reader) {
        size_t count = (size_t)sqlite3_column_int64(row, 5);
        pass->reader = calloc(count, sizeof *pass->reader);
        pass->heap = calloc(count, sizeof *pass->heap);
        if (!pass->reader || !pass->heap)
            return SQLITE_NOMEM;
    }
    struct reader *reader = &pass->reader[pass->readers];
    reader->thread = (struct cs_pass_thread){.rank = sqlite3_column_int64(row, 0),
                                             .thread = sqlite3_column_int64(row, 1),
                                             .first_ns = sqlite3_column_int64(row, 2),
                                             .first = sqlite3_column_int(row, 3) != 0,
                                             .index = pass->readers};
    reader->slack_ns = sqlite3_column_int64(row, 4);
    pass->readers++;
    return SQLITE_OK;
}

/* The clock of a node is right for its own ranks: on one node nothing is delayed. */
static const char threads_sql[] =
    "WITH RECURSIVE ends (rank, thread, event) AS (\n"
    "    SELECT * FROM (SELECT rank, thread, event FROM main.event ORDER BY rank, thread, event LIMIT 1)\n"
    "    UNION ALL\n"
    "    SELECT e.rank, e.thread, e.event FROM ends n JOIN main.event e\n"
    "    ON (e.rank, e.thread, e.event) = (SELECT m.rank, m.thread, m.event FROM main.event m\n"
    "        WHERE (m.rank, m.thread) > (n.rank, n.thread) ORDER BY m.rank, m.thread, m.event LIMIT 1))\n"
    "SELECT e.rank, e.thread, e.start_ns + iif(f.class IS 'lifecycle', e.duration_ns, 0),\n"
    "       n.thread = min(n.thread) OVER (PARTITION BY n.rank),\n"
    "       CASE WHEN (SELECT count(DISTINCT node) FROM main.process) > 1 THEN coalesce(p.clock_error_ns, 0) ELSE 0 "
    "END,\n"
    "       count(*) OVER ()\n"
    "FROM ends n JOIN main.event e USING (rank, thread, event) LEFT JOIN main.process p ON p.rank = e.rank\n"
    "     LEFT JOIN main.function f ON f.function = e.function\n"
    "WHERE e.rank >= 0 ORDER BY 1, 2";

static const char events_sql[] =
    "SELECT event, function, site, start_ns, start_ns + duration_ns, coalesce(inside_ns, duration_ns), calls,"
    " collective, object, peer, tag, bytes, nth, direction FROM main.event"
    " WHERE rank = ?1 AND thread = ?2 AND event > ?3 ORDER BY event LIMIT ?4";
static const char messages_sql[] =
    "SELECT message, event, coalesce(posted_thread, thread), posted, communicator, peer, tag, bytes, nth, direction"
    " FROM main.event_message WHERE rank = ?1 AND thread = ?2 AND message > ?3 AND message <= ?4 ORDER BY message";
static const char completions_sql[] = "SELECT entry, event, posted_thread, posted FROM main.event_completion"
                                      " WHERE rank = ?1 AND thread = ?2 AND entry > ?3 AND entry <= ?4 ORDER BY entry";

int cs_pass_open(sqlite3 *db, struct cs_pass **opened)
{
    struct cs_pass *pass = calloc(1, sizeof *pass);
    if (!pass)
        return SQLITE_NOMEM;
    pass->db = db;
    int result = cs_each_row(db, threads_sql, add_reader, pass);
    pass->buffer = pass->readers > MANY_THREADS ? BUFFER_EVENTS_OF_MANY : BUFFER_EVENTS;
    if (result == SQLITE_OK)
        result = sqlite3_prepare_v2(db, events_sql, -1, &pass->events, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_prepare_v2(db, messages_sql, -1, &pass->messages, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_prepare_v2(db, completions_sql, -1, &pass->completions, NULL);
    for (size_t i = 0; result == SQLITE_OK && i < pass->readers; i++)
        if (!(pass->reader[i].event = calloc(pass->buffer, sizeof *pass->reader[i].event)))
            result = SQLITE_NOMEM;
    if (result == SQLITE_OK) {
        *opened = pass;
    } else {
        cs_pass_close(pass);
        *opened = NULL;
    }
    return result;
}

void cs_pass_close(struct cs_pass *pass)
{
    if (!pass)
        return;
    for (size_t i = 0; i < pass->readers; i++) {
        free(pass->reader[i].event);
        free(pass->reader[i].part);
    }
    sqlite3_finalize(pass->events);
    sqlite3_finalize(pass->messages);
    sqlite3_finalize(pass->completions);
    free(pass->reader);
    free(pass->heap);
    free(pass);
}

size_t cs_pass_threads(const struct cs_pass *pass)
{
    return pass->readers;
}

struct cs_pass_thread *cs_pass_thread(struct cs_pass *pass, size_t index)
{
    return &pass->reader[index].thread;
}

/* ---- reading ---- */

static enum cs_pass_direction direction_at(sqlite3_stmt *row, int column)
{
    const char *word = (const char *)sqlite3_column_text(row, column);
    return !word ? CS_PASS_NEITHER : *word == 's' ? CS_PASS_SEND : CS_PASS_RECEIVE;
}

/* Object, peer, tag, bytes, nth, direction from this column on. */
static struct cs_pass_message message_at(sqlite3_stmt *row, int column)
{
    return (struct cs_pass_message){.object = sqlite3_column_int64(row, column),
                                    .peer = sqlite3_column_int64(row, column + 1),
                                    .tag = sqlite3_column_int64(row, column + 2),
                                    .bytes = sqlite3_column_int64(row, column + 3),
                                    .nth = sqlite3_column_int64(row, column + 4),
                                    .direction = direction_at(row, column + 5)};
}

static void bind_range(sqlite3_stmt *statement, const struct reader *reader, int64_t from, int64_t to)
{
    sqlite3_bind_int64(statement, 1, reader->thread.rank);
    sqlite3_bind_int64(statement, 2, reader->thread.thread);
    sqlite3_bind_int64(statement, 3, from);
    sqlite3_bind_int64(statement, 4, to);
}

static int add_part(struct cs_pass *pass, struct reader *reader, const struct cs_pass_part *part)
{
    if (!cs_array_grow(&reader->part, reader->parts, &reader->parts_room, sizeof *reader->part))
        return SQLITE_NOMEM;
    reader->part[reader->parts++] = *part;
    return pass->calls->read ? pass->calls->read(pass->context, &reader->thread, part) : SQLITE_OK;
}

/* Messages, or completions, which have no message. */
static int read_parts(struct cs_pass *pass, struct reader *reader, sqlite3_stmt *row, int64_t until)
{
    int result = SQLITE_OK;
    bind_range(row, reader, reader->part_read, until);
    while (result == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW) {
        struct cs_pass_part part = {.number = sqlite3_column_int64(row, 0),
                                    .event = sqlite3_column_int64(row, 1),
                                    .posted_thread = sqlite3_column_int64(row, 2),
                                    .posted = sqlite3_column_int64(row, 3)};
        if (row == pass->messages)
            part.message = message_at(row, 4);
        result = add_part(pass, reader, &part);
    }
    int read = sqlite3_reset(row);
    return result == SQLITE_OK ? read : result;
}

static int compare_parts(const void *first, const void *second)
{
    const struct cs_pass_part *a = first, *b = second;
    int by_event = cs_compare(a->event, b->event);
    return by_event ? by_event : cs_compare(a->number, b->number);
}

/* Gives each event its parts, which stand together. */
static void join_parts(struct reader *reader)
{
    if (reader->parts)
        qsort(reader->part, reader->parts, sizeof *reader->part, compare_parts);
    size_t at = 0;
    for (size_t i = 0; i < reader->events; i++) {
        struct cs_pass_event *event = &reader->event[i];
        while (at < reader->parts && reader->part[at].event < event->event)
            at++;
        size_t from = at;
        while (at < reader->parts && reader->part[at].event == event->event)
            at++;
        event->part = reader->part + from;
        event->parts = at - from;
    }
}

/* Drops what is behind the current event. */
static void drop_past(struct reader *reader)
{
    reader->events -= reader->next;
    memmove(reader->event, reader->event + reader->next, reader->events * sizeof *reader->event);
    reader->next = 0;
    size_t kept = 0;
    for (size_t i = 0; i < reader->parts; i++)
        if (reader->events ? reader->part[i].event >= reader->event->event : reader->part[i].event > reader->last_event)
            reader->part[kept++] = reader->part[i];
    reader->parts = kept;
}

static bool is_known(sqlite3_stmt *row, int column)
{
    return sqlite3_column_type(row, column) != SQLITE_NULL;
}

static int fill(struct cs_pass *pass, struct reader *reader)
{
    drop_past(reader);
    sqlite3_stmt *row = pass->events;
    bind_range(row, reader, reader->last_event, (int64_t)(pass->buffer - reader->events));
    size_t before = reader->events;
    while (reader->events < pass->buffer && sqlite3_step(row) == SQLITE_ROW) {
        int64_t start_ns = sqlite3_column_int64(row, 3), end_ns = sqlite3_column_int64(row, 4);
        reader->event[reader->events++] = (struct cs_pass_event){.event = sqlite3_column_int64(row, 0),
                                                                 .function = sqlite3_column_int64(row, 1),
                                                                 .site = sqlite3_column_int64(row, 2),
                                                                 .start_ns = start_ns,
                                                                 .end_ns = end_ns < start_ns ? start_ns : end_ns,
                                                                 .inside_ns = sqlite3_column_int64(row, 5),
                                                                 .calls = sqlite3_column_int64(row, 6),
                                                                 .collective = sqlite3_column_int64(row, 7),
                                                                 .has_function = is_known(row, 1),
                                                                 .has_site = is_known(row, 2),
                                                                 .names_peer = is_known(row, 9),
                                                                 .message = message_at(row, 8)};
    }
    int result = sqlite3_reset(row);
    reader->ended = reader->events < pass->buffer;
    if (reader->events > before)
        reader->last_event = reader->event[reader->events - 1].event;
    int64_t until = reader->ended ? INT64_MAX : reader->last_event;
    if (result == SQLITE_OK)
        result = read_parts(pass, reader, pass->messages, until);
    if (result == SQLITE_OK)
        result = read_parts(pass, reader, pass->completions, until);
    reader->part_read = until;
    join_parts(reader);
    return result;
}

/* ---- order ---- */

/* Begins come before ends of the same moment: who waited sees them. */
static bool is_before(const struct reader *a, const struct reader *b)
{
    if (a->key_ns != b->key_ns)
        return a->key_ns < b->key_ns;
    return a->inside != b->inside ? b->inside : a->thread.index < b->thread.index;
}

static void sink(struct cs_pass *pass, size_t at)
{
    size_t *heap = pass->heap;
    for (size_t child; (child = 2 * at + 1) < pass->heaped; at = child) {
        if (child + 1 < pass->heaped && is_before(&pass->reader[heap[child + 1]], &pass->reader[heap[child]]))
            child++;
        if (!is_before(&pass->reader[heap[child]], &pass->reader[heap[at]]))
            break;
        size_t swapped = heap[at];
        heap[at] = heap[child];
        heap[child] = swapped;
    }
}

/* The next begin of the thread, not before its last instant. False: it has none. */
static bool plan_begin(struct reader *reader)
{
    if (reader->next == reader->events)
        return false;
    int64_t start_ns = reader->event[reader->next].start_ns;
    reader->key_ns = start_ns > reader->key_ns ? start_ns : reader->key_ns;
    reader->inside = false;
    return true;
}

static int skip(struct cs_pass *pass, struct reader *reader)
{
    reader->next++;
    return !reader->ended && reader->next * 2 >= pass->buffer ? fill(pass, reader) : SQLITE_OK;
}

/* Handles the next instant of the thread. *more: it has another one. */
static int step(struct cs_pass *pass, struct reader *reader, bool *more)
{
    const struct cs_pass_event *event = &reader->event[reader->next];
    *more = true;
    if (!reader->inside) {
        int64_t end_ns = event->end_ns + reader->slack_ns;
        reader->key_ns = end_ns > reader->key_ns ? end_ns : reader->key_ns;
        reader->inside = true;
        return pass->calls->begin(pass->context, &reader->thread, event);
    }
    int result = pass->calls->end(pass->context, &reader->thread, event);
    if (result == SQLITE_OK)
        result = skip(pass, reader);
    *more = plan_begin(reader);
    return result;
}

static int rewind_reader(struct cs_pass *pass, struct reader *reader)
{
    reader->events = reader->next = reader->parts = 0;
    reader->last_event = reader->part_read = reader->key_ns = INT64_MIN;
    return fill(pass, reader);
}

int cs_pass_start(struct cs_pass *pass, const struct cs_pass_calls *calls, void *context)
{
    int result = SQLITE_OK;
    pass->calls = calls;
    pass->context = context;
    pass->heaped = 0;
    for (size_t i = 0; result == SQLITE_OK && i < pass->readers; i++) {
        result = rewind_reader(pass, &pass->reader[i]);
        if (result == SQLITE_OK && plan_begin(&pass->reader[i]))
            pass->heap[pass->heaped++] = i;
    }
    for (size_t i = pass->heaped / 2; i-- > 0;)
        sink(pass, i);
    return result;
}

int cs_pass_step(struct cs_pass *pass, bool *more)
{
    bool again;
    *more = pass->heaped > 0;
    if (!*more)
        return SQLITE_OK;
    int result = step(pass, &pass->reader[pass->heap[0]], &again);
    if (!again)
        pass->heap[0] = pass->heap[--pass->heaped];
    sink(pass, 0);
    return result;
}

int cs_pass_run(struct cs_pass *pass, const struct cs_pass_calls *calls, void *context)
{
    bool more = true;
    int result = cs_pass_start(pass, calls, context);
    while (result == SQLITE_OK && more)
        result = cs_pass_step(pass, &more);
    return result;
}

bool cs_pass_is_buffered(const struct cs_pass_event *event)
{
    const struct cs_function *function = cs_function_find((int)event->function);
    return !function || function->buffered;
}
