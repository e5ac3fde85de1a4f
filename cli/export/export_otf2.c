#include "cli/export/export_otf2.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/log.h"
#include "cli/export/otf2_definitions.h"
#include "cli/rows/sql.h"
#include "db/trace/untrusted.h"
#include "reports_sql.h"

/* A received message: written at the end of the call that completed it. */
struct arrival {
    uint32_t from, communicator, tag;
    uint64_t bytes, request;
    bool posted; /* by another call, with this request */
};

/* A call that has begun, or a nonblocking collective call. */
struct open {
    int64_t end_ns;
    const struct cs_otf2_function *function;
    const struct cs_otf2_handle *handle;
    int64_t bytes, peer;
    bool collective, exclusive;
    size_t arrivals, completions; /* those before its own */
};

/* A send or a collective call that another call completed: written at the end of that. */
struct completion {
    uint64_t request;
    bool sent;
    struct open call; /* else */
};

/* A one-sided operation that may not be complete. */
struct operation {
    uint32_t window;
    int64_t peer;
    uint64_t number;
};

/* Rows that belong to calls, in the order of the calls. */
struct feed {
    sqlite3_stmt *row;
    bool has;
};

enum { PEER_IS_ROOT = -3, PEER_UNKNOWN = -9 }; /* -3: MPI_ROOT, as table event has it */

struct output {
    struct cs_otf2_definitions definitions;
    const struct cs_otf2 *otf2;
    void *archive, *writer, *list;
    struct cs_otf2_location *location;
    struct cs_otf2_counts *counts;
    int64_t zero_ns, last_ns;
    struct open *open;
    struct arrival *arrival;
    struct completion *completion;
    struct operation *operation;
    size_t opens, opens_room, arrivals, arrivals_room, completions, completions_room, operations, operations_room;
    uint64_t number; /* of the last one-sided operation of the location */
    struct feed messages, requests, completed;
    bool failed;
};

/* The columns that all queries begin with. */
enum { RANK, THREAD, EVENT };

static void step(struct feed *feed)
{
    feed->has = sqlite3_step(feed->row) == SQLITE_ROW;
}

static bool is_at(const struct feed *feed, sqlite3_stmt *call)
{
    for (int column = RANK; column <= EVENT; column++)
        if (sqlite3_column_int64(feed->row, column) != sqlite3_column_int64(call, column))
            return false;
    return true;
}

static uint64_t instant(const struct output *output, int64_t at_ns)
{
    return (uint64_t)(at_ns - output->zero_ns);
}

static void check(struct output *output, int code)
{
    output->location->events++;
    output->failed |= code != 0;
}

/* ---- the end of a call ---- */

static void end_operations(struct output *output, const struct open *open, uint64_t at)
{
    size_t kept = 0;
    for (size_t i = 0; i < output->operations; i++) {
        const struct operation *each = &output->operation[i];
        if (each->window == open->handle->window && (open->peer < 0 || each->peer == open->peer))
            check(output, output->otf2->complete(output->writer, NULL, at, each->window, each->number));
        else
            output->operation[kept++] = *each;
    }
    output->operations = kept;
}

/* True if this rank is the root of the call. */
static bool is_root(const struct output *output, const struct open *open)
{
    const struct cs_otf2_communicator *communicator = &output->definitions.communicator[open->handle->communicator];
    if (open->peer < 0 || communicator->other != CS_OTF2_NONE)
        return open->peer == PEER_IS_ROOT;
    if (communicator->group == CS_OTF2_SELF)
        return true;
    const struct cs_otf2_group *group = &output->definitions.group[communicator->group - CS_OTF2_GROUPS_FIRST];
    return open->peer < group->count && group->members[open->peer] == (uint64_t)output->location->rank;
}

/* The root sends or receives what all others receive or send. request: of a nonblocking call. */
static void end_collective(struct output *output, const struct open *open, uint64_t at, const uint64_t *request)
{
    const struct cs_otf2_function *function = open->function;
    uint64_t bytes = (uint64_t)open->bytes;
    bool rooted = function->from_root || function->to_root, root = rooted && is_root(output, open);
    bool sends = function->sends && (!rooted || root == function->from_root);
    bool receives = function->receives && (!rooted || root == function->to_root);
    uint32_t number = !rooted                      ? CS_OTF2_NONE
                      : open->peer == PEER_IS_ROOT ? CS_OTF2_ROOT_SELF
                      : open->peer < 0             ? CS_OTF2_ROOT_IN_GROUP
                                                   : (uint32_t)open->peer;
    uint8_t operation = (uint8_t)function->operation;
    uint32_t communicator = open->handle->communicator;
    uint64_t sent = sends ? bytes : 0, received = receives ? bytes : 0;
    check(output, request ? output->otf2->collective_done(output->writer, NULL, at, operation, communicator, number,
                                                          sent, received, *request)
                          : output->otf2->collective_end(output->writer, NULL, at, operation, communicator, number,
                                                         sent, received));
}

static void end_requests(struct output *output, const struct open *open, uint64_t at)
{
    for (size_t i = open->completions; i < output->completions; i++) {
        const struct completion *each = &output->completion[i];
        if (each->sent)
            check(output, output->otf2->sent(output->writer, NULL, at, each->request));
        else
            end_collective(output, &each->call, at, &each->request);
    }
    output->completions = open->completions;
}

static void end_lock(struct output *output, const struct open *open, uint64_t at)
{
    uint32_t window = open->handle->window, peer = (uint32_t)open->peer;
    check(output, open->function->locks ? output->otf2->lock(output->writer, NULL, at, window, peer, 0,
                                                             open->exclusive ? CS_OTF2_EXCLUSIVE : CS_OTF2_SHARED)
                                        : output->otf2->unlock(output->writer, NULL, at, window, peer, 0));
}

static void end_call(struct output *output)
{
    const struct cs_otf2 *otf2 = output->otf2;
    const struct open *open = &output->open[--output->opens];
    uint64_t at = instant(output, open->end_ns);
    for (size_t i = open->arrivals; i < output->arrivals; i++) {
        const struct arrival *each = &output->arrival[i];
        check(output, each->posted ? otf2->ireceive(output->writer, NULL, at, each->from, each->communicator, each->tag,
                                                    each->bytes, each->request)
                                   : otf2->receive(output->writer, NULL, at, each->from, each->communicator, each->tag,
                                                   each->bytes));
        output->counts->messages++;
    }
    output->arrivals = open->arrivals;
    end_requests(output, open, at);
    if (open->function->awaits && open->handle && open->handle->window != CS_OTF2_NONE)
        end_operations(output, open, at);
    if ((open->function->locks || open->function->unlocks) && open->peer >= 0 && open->handle &&
        open->handle->window != CS_OTF2_NONE)
        end_lock(output, open, at);
    if (open->collective && open->function->one_sided)
        check(output,
              otf2->fence_end(output->writer, NULL, at, CS_OTF2_BARRIER, CS_OTF2_SYNC_PROCESS | CS_OTF2_SYNC_MEMORY,
                              open->handle->window, CS_OTF2_NONE, 0, 0));
    else if (open->collective)
        end_collective(output, open, at, NULL);
    check(output, otf2->leave(output->writer, NULL, at, (uint32_t)(open->function - output->definitions.function)));
}

/* ---- its begin ---- */

enum { START = EVENT + 1, END, FUNCTION, OBJECT, PEER, TAG, BYTES, CALLS, COLLECTIVE, DIRECTION, SITE, EXCLUSIVE };

/* A message of a call, from its own row or from event_message. */
struct message {
    bool send, posted;
    const struct cs_otf2_handle *handle;
    int64_t peer, tag, bytes, number;
};

static void begin_message(struct output *output, const struct message *message, uint64_t at, bool blocking)
{
    const struct cs_otf2_handle *handle = message->handle;
    if (!handle || handle->communicator == CS_OTF2_NONE || message->peer < 0)
        return;
    if (!message->send) {
        if (!cs_array_grow(&output->arrival, output->arrivals, &output->arrivals_room, sizeof *output->arrival)) {
            output->failed = true;
            return;
        }
        output->arrival[output->arrivals++] =
            (struct arrival){(uint32_t)message->peer,  handle->communicator,      (uint32_t)message->tag,
                             (uint64_t)message->bytes, (uint64_t)message->number, message->posted};
    } else if (blocking) {
        check(output, output->otf2->send(output->writer, NULL, at, (uint32_t)message->peer, handle->communicator,
                                         (uint32_t)message->tag, (uint64_t)message->bytes));
    } else {
        check(output, output->otf2->isend(output->writer, NULL, at, (uint32_t)message->peer, handle->communicator,
                                          (uint32_t)message->tag, (uint64_t)message->bytes, (uint64_t)message->number));
    }
}

static void begin_messages(struct output *output, sqlite3_stmt *row, const struct open *open, uint64_t at)
{
    const char *direction = (const char *)sqlite3_column_text(row, DIRECTION);
    if (direction) {
        struct message own = {
            .send = *direction == 's',
            .handle = open->handle,
            .peer = open->peer,
            .tag = sqlite3_column_int64(row, TAG),
            .bytes = open->bytes,
            .number = sqlite3_column_int64(row, EVENT),
        };
        begin_message(output, &own, at, open->function->blocking);
    }
    enum { COMMUNICATOR = EVENT + 1, SENT, OTHER, WITH, SIZE, NUMBER, POSTED };
    for (struct feed *feed = &output->messages; feed->has && is_at(feed, row); step(feed)) {
        struct message each = {
            .send = sqlite3_column_int(feed->row, SENT) != 0,
            .posted = sqlite3_column_int(feed->row, POSTED) != 0,
            .handle = cs_otf2_handle(&output->definitions, sqlite3_column_int64(row, RANK),
                                     sqlite3_column_int64(feed->row, COMMUNICATOR)),
            .peer = sqlite3_column_int64(feed->row, OTHER),
            .tag = sqlite3_column_int64(feed->row, WITH),
            .bytes = sqlite3_column_int64(feed->row, SIZE),
            .number = sqlite3_column_int64(feed->row, NUMBER),
        };
        begin_message(output, &each, at, false);
    }
    for (struct feed *feed = &output->requests; feed->has && is_at(feed, row); step(feed))
        check(output,
              output->otf2->post(output->writer, NULL, at, (uint64_t)sqlite3_column_int64(feed->row, EVENT + 1)));
}

static bool is_collective(const struct cs_otf2_function *function, const struct cs_otf2_handle *handle)
{
    return function && !function->one_sided && function->operation >= 0 && handle &&
           handle->communicator != CS_OTF2_NONE;
}

static void begin_completions(struct output *output, sqlite3_stmt *row)
{
    enum { POSTED = EVENT + 1, SENT, BEGUN, ON, ROOT, SIZE };
    for (struct feed *feed = &output->completed; feed->has && is_at(feed, row); step(feed)) {
        struct completion each = {
            .request = (uint64_t)sqlite3_column_int64(feed->row, POSTED),
            .sent = sqlite3_column_int(feed->row, SENT) != 0,
            .call = {.function = cs_otf2_function(&output->definitions, sqlite3_column_int64(feed->row, BEGUN)),
                     .handle = cs_otf2_handle(&output->definitions, sqlite3_column_int64(row, RANK),
                                              sqlite3_column_int64(feed->row, ON)),
                     .bytes = sqlite3_column_int64(feed->row, SIZE),
                     .peer = sqlite3_column_type(feed->row, ROOT) == SQLITE_NULL
                                 ? PEER_UNKNOWN
                                 : sqlite3_column_int64(feed->row, ROOT)},
        };
        if (each.sent ? !each.call.handle || each.call.handle->communicator == CS_OTF2_NONE || each.call.peer < 0
                      : !is_collective(each.call.function, each.call.handle))
            continue;
        if (cs_array_grow(&output->completion, output->completions, &output->completions_room,
                          sizeof *output->completion))
            output->completion[output->completions++] = each;
        else
            output->failed = true;
    }
}

static void begin_operation(struct output *output, const struct open *open, uint64_t at)
{
    const struct cs_otf2_function *function = open->function;
    const struct cs_otf2 *otf2 = output->otf2;
    if (!cs_array_grow(&output->operation, output->operations, &output->operations_room, sizeof *output->operation)) {
        output->failed = true;
        return;
    }
    uint32_t window = open->handle->window, peer = (uint32_t)open->peer;
    uint64_t bytes = (uint64_t)open->bytes, number = ++output->number;
    output->operation[output->operations++] = (struct operation){window, open->peer, number};
    if (function->combines || (function->sends && function->receives)) {
        uint8_t type = !function->combines  ? CS_OTF2_COMPARE
                       : function->receives ? CS_OTF2_FETCH_ACCUMULATE
                                            : CS_OTF2_ACCUMULATE;
        check(output, otf2->atomic(output->writer, NULL, at, window, peer, type, function->sends ? bytes : 0,
                                   function->receives ? bytes : 0, number));
    } else if (function->sends) {
        check(output, otf2->put(output->writer, NULL, at, window, peer, bytes, number));
    } else {
        check(output, otf2->get(output->writer, NULL, at, window, peer, bytes, number));
    }
}

/* What the records of a call do not say. */
static void add_attributes(struct output *output, sqlite3_stmt *row, const struct open *open)
{
    const char *site = (const char *)sqlite3_column_text(row, SITE);
    if (site)
        output->failed |=
            output->otf2->list_text(output->list, CS_OTF2_CALL_SITE, cs_otf2_text(&output->definitions, site)) != 0;
    if (sqlite3_column_int64(row, CALLS) > 1)
        output->failed |=
            output->otf2->list_number(output->list, CS_OTF2_CALLS, (uint64_t)sqlite3_column_int64(row, CALLS)) != 0;
    if (open->handle)
        output->failed |= output->otf2->list_text(output->list, CS_OTF2_OBJECT, open->handle->name) != 0;
}

/* Calls of a location must nest: a call ends before those around it. */
static void begin_call(struct output *output, sqlite3_stmt *row)
{
    const struct cs_otf2 *otf2 = output->otf2;
    int64_t start_ns = sqlite3_column_int64(row, START), end_ns = sqlite3_column_int64(row, END);
    while (output->opens && output->open[output->opens - 1].end_ns <= start_ns)
        end_call(output);
    if (output->opens && output->open[output->opens - 1].end_ns < end_ns)
        end_ns = output->open[output->opens - 1].end_ns;
    const struct cs_otf2_function *function =
        cs_otf2_function(&output->definitions, sqlite3_column_int64(row, FUNCTION));
    if (!function)
        return;
    if (!cs_array_grow(&output->open, output->opens, &output->opens_room, sizeof *output->open)) {
        output->failed = true;
        return;
    }
    struct open *open = &output->open[output->opens++];
    *open = (struct open){
        .end_ns = end_ns,
        .function = function,
        .handle =
            cs_otf2_handle(&output->definitions, sqlite3_column_int64(row, RANK), sqlite3_column_int64(row, OBJECT)),
        .bytes = sqlite3_column_int64(row, BYTES),
        .peer = sqlite3_column_type(row, PEER) == SQLITE_NULL ? PEER_UNKNOWN : sqlite3_column_int64(row, PEER),
        .exclusive = sqlite3_column_int(row, EXCLUSIVE) != 0,
        .arrivals = output->arrivals,
        .completions = output->completions,
    };
    output->last_ns = end_ns > output->last_ns ? end_ns : output->last_ns;
    uint64_t at = instant(output, start_ns);
    add_attributes(output, row, open);
    check(output, otf2->enter(output->writer, output->list, at, (uint32_t)(function - output->definitions.function)));
    output->counts->calls++;
    begin_messages(output, row, open, at);
    begin_completions(output, row);
    bool windowed = open->handle && open->handle->window != CS_OTF2_NONE;
    if (windowed && function->one_sided && !function->awaits && open->peer >= 0 &&
        (function->sends || function->receives))
        begin_operation(output, open, at);
    if (sqlite3_column_type(row, COLLECTIVE) == SQLITE_NULL || !open->handle)
        return;
    if (!function->blocking) {
        if (function->nonblocking && is_collective(function, open->handle))
            check(output, otf2->collective_post(output->writer, NULL, at, (uint64_t)sqlite3_column_int64(row, EVENT)));
        return;
    }
    if (function->one_sided && windowed) {
        check(output, otf2->fence_begin(output->writer, NULL, at));
        open->collective = true;
    } else if (is_collective(function, open->handle)) {
        check(output, otf2->collective_begin(output->writer, NULL, at));
        open->collective = true;
    }
}

/* ---- all calls ---- */

static void leave_location(struct output *output)
{
    while (output->opens)
        end_call(output);
    if (output->writer)
        output->failed |= output->otf2->end_events(output->archive, output->writer) != 0;
    output->writer = NULL;
    output->location = NULL;
}

static void enter_location(struct output *output, int64_t rank, int64_t thread)
{
    output->operations = 0;
    output->number = 0;
    output->location = cs_otf2_location(&output->definitions, rank, thread);
    if (output->location)
        output->writer = output->otf2->events(output->archive, cs_otf2_location_number(output->location));
    output->failed |= !output->writer;
}

static bool end_feed(struct output *output, struct feed *feed)
{
    bool done = feed->row && sqlite3_finalize(feed->row) == SQLITE_OK;
    if (feed->row && !done)
        cs_log("export: %s", sqlite3_errmsg(output->definitions.db));
    return done;
}

static bool begin_feed(struct output *output, struct feed *feed, const char *sql)
{
    feed->row = cs_sql_prepare(output->definitions.db, sql);
    if (feed->row)
        step(feed);
    return feed->row != NULL;
}

static bool write_calls(struct output *output)
{
    struct feed calls = {.row = NULL};
    bool done = begin_feed(output, &output->messages, cs_sql_otf2_messages) &&
                begin_feed(output, &output->requests, cs_sql_otf2_requests) &&
                begin_feed(output, &output->completed, cs_sql_otf2_completed) &&
                begin_feed(output, &calls, cs_sql_otf2_calls);
    for (; done && calls.has && !output->failed; step(&calls)) {
        int64_t rank = sqlite3_column_int64(calls.row, RANK), thread = sqlite3_column_int64(calls.row, THREAD);
        if (!output->location || output->location->rank != rank || output->location->thread != thread) {
            leave_location(output);
            enter_location(output, rank, thread);
        }
        if (!output->failed)
            begin_call(output, calls.row);
    }
    leave_location(output);
    /* Every rank has a file, also without events. */
    for (uint32_t rank = 0; done && !output->failed && rank < output->definitions.ranks; rank++)
        if (output->definitions.location[rank].events == 0) {
            enter_location(output, rank, 0);
            leave_location(output);
        }
    bool ended = end_feed(output, &calls);
    ended &= end_feed(output, &output->messages);
    ended &= end_feed(output, &output->requests);
    ended &= end_feed(output, &output->completed);
    return done && ended && !output->failed;
}

static bool read_zero(struct output *output)
{
    int64_t first_ns = 0;
    bool done = cs_merge_query_integer(output->definitions.db, "SELECT min(start_ns) FROM event WHERE rank >= 0", NULL,
                                       &first_ns);
    output->zero_ns = output->last_ns = first_ns;
    return done;
}

/* ---- the archive ---- */

static struct cs_otf2 library;

enum cs_status cs_otf2_find(void)
{
    return cs_otf2_load(&library) ? CS_OK : CS_INVALID;
}

static uint8_t flush_always(void *context, uint8_t file, uint64_t location, void *caller, bool last)
{
    (void)context, (void)file, (void)location, (void)caller, (void)last;
    return CS_OTF2_FLUSH;
}

/* Logs the first error. */
static int note_error(void *context, const char *file, uint64_t line, const char *function, int code,
                      const char *format, va_list values)
{
    bool *noted = context;
    char text[512] = "";
    (void)file, (void)line;
    if (format)
        vsnprintf(text, sizeof text, format, values);
    if (!*noted)
        cs_log("export: libotf2: %s (%s, error %d)", text, function, code);
    *noted = true;
    return code;
}

/* Each location also has a file of definitions, which is empty: all definitions are global. */
static bool write_local(struct output *output)
{
    const struct cs_otf2 *otf2 = output->otf2;
    bool failed = otf2->open_definitions(output->archive) != 0;
    for (size_t i = 0; !failed && i < output->definitions.locations; i++) {
        void *local = otf2->local(output->archive, cs_otf2_location_number(&output->definitions.location[i]));
        failed = !local || otf2->end_local(output->archive, local) != 0;
    }
    return !failed && otf2->close_definitions(output->archive) == 0;
}

static bool write_archive(struct output *output)
{
    static const struct cs_otf2_flush flush = {.before = flush_always};
    const struct cs_otf2 *otf2 = output->otf2;
    return otf2->set_flush(output->archive, &flush, NULL) == 0 && otf2->set_serial(output->archive) == 0 &&
           otf2->set_creator(output->archive, "callsign") == 0 && otf2->open_events(output->archive) == 0 &&
           write_calls(output) && otf2->close_events(output->archive) == 0 && write_local(output) &&
           cs_otf2_definitions_write(&output->definitions, output->archive, output->zero_ns,
                                     output->last_ns - output->zero_ns);
}

enum { EVENT_BYTES = 1 << 20, DEFINITION_BYTES = 4 << 20 }; /* OTF2's defaults */

enum cs_status cs_otf2_write(sqlite3 *db, const char *folder, struct cs_otf2_counts *counts)
{
    struct output output = {.definitions = {.otf2 = library, .db = db}, .otf2 = &library, .counts = counts};
    bool noted = false;
    *counts = (struct cs_otf2_counts){.calls = 0};
    library.on_error(note_error, &noted);
    bool done = cs_otf2_definitions_read(&output.definitions) && read_zero(&output);
    output.archive = done ? library.open(folder, "traces", CS_OTF2_WRITE, EVENT_BYTES, DEFINITION_BYTES, CS_OTF2_POSIX,
                                         CS_OTF2_PLAIN)
                          : NULL;
    output.list = library.list_new();
    bool written = output.archive && output.list && write_archive(&output);
    if (output.archive)
        written = library.close(output.archive) == 0 && written;
    if (output.list)
        library.list_delete(output.list);
    library.on_error(NULL, NULL);
    counts->incomplete = output.definitions.incomplete;
    cs_otf2_definitions_free(&output.definitions);
    free(output.open);
    free(output.arrival);
    free(output.completion);
    free(output.operation);
    if (!written && done && !noted)
        cs_log("export: the trace could not be written");
    return written ? CS_OK : done ? CS_IO : CS_SQL;
}
