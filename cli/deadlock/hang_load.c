#include "cli/deadlock/hang_load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "cli/command/command.h"
#include "db/run/files.h"
#include "journal/format.h"
#include "journal/liveness.h"
#include "journal/reader.h"
#include "reports_sql.h"

/* ---- whether ranks that run do anything ---- */

/* Hashes all fields of a thread block. */
static enum cs_status add_state(void *context, const void *cell)
{
    uint64_t *hash = context;
    *hash = cs_hash_bytes(*hash, cell, sizeof(struct cs_thread_state));
    return CS_OK;
}

/* Returns false if the rank has ended, or the journal cannot be read. */
static bool take(const char *journal, struct cs_hang_pulse *pulse)
{
    struct cs_journal_reader *reader;
    if (cs_journal_read_open(journal, &reader) != CS_OK)
        return false;
    const struct cs_journal_header *header = cs_journal_read_header(reader);
    enum cs_writer writer = cs_journal_read_writer(reader);
    *pulse = (struct cs_hang_pulse){.rank = header->rank, .pid = header->pid, .state = CS_HASH_BEGIN};
    bool known =
        writer != CS_WRITER_GONE && cs_journal_read_cells(reader, CS_BLOCK_THREAD, add_state, &pulse->state) == CS_OK;
    cs_journal_read_close(reader);
    if (known && writer == CS_WRITER_HERE)
        pulse->look = cs_look_at("/proc", (pid_t)pulse->pid, true);
    return known;
}

bool cs_hang_pulse_take(const char *run, struct cs_hang_pulse **pulses, size_t *count)
{
    struct cs_run_files files = {0};
    size_t room = 0;
    *pulses = NULL;
    *count = 0;
    if (cs_run_files_list(run, &files) != CS_OK)
        return false;
    for (size_t i = 0; i < files.count; i++)
        if (files.file[i].kind == CS_RUN_JOURNAL && cs_array_grow(pulses, *count, &room, sizeof **pulses) &&
            take(files.file[i].path, &(*pulses)[*count]))
            (*count)++;
    cs_run_files_free(&files);
    return true;
}

static const struct cs_hang_pulse *pulse_of(const struct cs_hang_pulse *pulses, size_t count, int rank)
{
    for (size_t i = 0; i < count; i++)
        if (pulses[i].rank == rank)
            return &pulses[i];
    return NULL;
}

/* True if a rank entered or left a call, began or ended between two looks. */
static bool has_moved(const struct cs_hang_pulse *before, const struct cs_hang_pulse *after)
{
    return before && after ? before->pid != after->pid || before->state != after->state : before || after;
}

static bool is_stopped(const struct cs_hang_pulse *pulse)
{
    return pulse && cs_look_is_stopped(&pulse->look);
}

/* True if the rank did nothing between the two looks, although it may have run. *undecided: the system gave it no
 * processor. */
static bool is_still(const struct cs_hang_pulse *before, const struct cs_hang_pulse *after, bool *undecided)
{
    if (has_moved(before, after) || is_stopped(before) || is_stopped(after))
        return false;
    if (!before->look.known || !after->look.known ||
        (before->look.stat.state == 'S' && after->look.stat.state == 'S') ||
        after->look.stat.cpu_ticks > before->look.stat.cpu_ticks)
        return true;
    *undecided = true;
    return false;
}

/* A rank that entered or left a call between the looks was not in one state. */
static enum cs_activity activity_between(const struct cs_hang_pulse *before, const struct cs_hang_pulse *after)
{
    return !before || has_moved(before, after) ? CS_ACTIVITY_UNKNOWN : cs_activity_between(&before->look, &after->look);
}

/* Number of ranks that moved while the run was read. */
static size_t count_moved(const struct cs_hang_source *source)
{
    size_t count = 0;
    for (size_t i = 0; i < source->befores; i++) {
        const struct cs_hang_pulse *before = &source->before[i];
        count += has_moved(before, pulse_of(source->read, source->reads, before->rank));
    }
    return count;
}

/* A look, the database, another look. */
static bool open_between_looks(const char *path, struct cs_hang_source *source)
{
    *source = (struct cs_hang_source){.before_ns = (int64_t)cs_clock_monotonic_ns()};
    if (!cs_hang_pulse_take(path, &source->before, &source->befores))
        return false;
    source->run = cs_command_open(path, CS_OPEN_PATIENT | CS_OPEN_NAMES_MISSING);
    source->db = source->run ? cs_run_database(source->run) : NULL;
    if (source->run && cs_hang_pulse_take(path, &source->read, &source->reads))
        return true;
    cs_hang_close(source);
    return false;
}

bool cs_hang_open(const char *path, struct cs_hang_source *source)
{
    enum { ATTEMPTS = 5 };
    bool good = open_between_looks(path, source);
    for (int i = 1; i < ATTEMPTS && good && count_moved(source) > 1; i++) {
        cs_hang_close(source);
        good = open_between_looks(path, source);
    }
    return good;
}

void cs_hang_close(struct cs_hang_source *source)
{
    cs_run_close(source->run);
    free(source->before);
    free(source->read);
    free(source->after);
    *source = (struct cs_hang_source){0};
}

/* ---- the model ---- */

/* A wait counts as lasting after LASTED_NS; a journal of another node may be ELSEWHERE_NS old. */
#define LASTED_NS    ((int64_t)1000000000)
#define ELSEWHERE_NS ((int64_t)100000000000)

struct table {
    struct cs_hang *hang;
    const struct cs_hang_source *source;
    bool failed;
};

static void *grow(struct table *table, void *array, size_t *count, size_t bytes)
{
    size_t room = *count;
    /* Grows the array: its room doubles at powers of two. */
    if (*count == 0 || ((*count & (*count - 1)) == 0)) {
        void **items = array;
        void *grown = realloc(*items, (*count ? 2 * room : 1) * bytes);
        if (!grown) {
            table->failed = true;
            return NULL;
        }
        *items = grown;
    }
    void *item = *(char **)array + (*count)++ * bytes;
    memset(item, 0, bytes);
    return item;
}
#define ADD(table, what, count) grow(table, &(table)->hang->what, &(table)->hang->count, sizeof *(table)->hang->what)

static int32_t number(sqlite3_stmt *row, int column, int32_t otherwise)
{
    return sqlite3_column_type(row, column) == SQLITE_NULL ? otherwise : sqlite3_column_int(row, column);
}

static const char *text(struct table *table, sqlite3_stmt *row, int column)
{
    const char *it = (const char *)sqlite3_column_text(row, column);
    char *copy = strdup(it ? it : "");
    table->failed |= !copy;
    return copy;
}

static void add_rank(struct table *table, sqlite3_stmt *row)
{
    struct cs_hang_rank *rank = ADD(table, rank, ranks);
    if (!rank)
        return;
    rank->rank = sqlite3_column_int(row, 0);
    rank->node = text(table, row, 1);
    rank->pid = (uint32_t)sqlite3_column_int64(row, 2);
    rank->outcome_word = text(table, row, 3);
    const char *outcome = rank->outcome_word ? rank->outcome_word : "";
    rank->outcome = strcmp(outcome, "running") == 0     ? CS_HANG_RUNNING
                    : strcmp(outcome, "finalized") == 0 ? CS_HANG_FINALIZED
                                                        : CS_HANG_GONE;
    rank->bypasses = sqlite3_column_int(row, 11);
    rank->cancels = sqlite3_column_int(row, 12);
    rank->exact = sqlite3_column_int(row, 4) && !rank->bypasses;
    rank->open = sqlite3_column_int(row, 5);
    rank->handles_errors = sqlite3_column_int(row, 9);
    rank->handles_attributes = sqlite3_column_int(row, 10);
    rank->seen_ns = sqlite3_column_int64(row, 6);
    rank->whole = sqlite3_column_int(row, 7);
    table->hang->world_size = sqlite3_column_int(row, 8);
}

static void add_thread(struct table *table, sqlite3_stmt *row)
{
    struct cs_hang *hang = table->hang;
    int at = hang->threads && hang->rank[hang->thread[hang->threads - 1].rank].rank == sqlite3_column_int(row, 0)
                 ? hang->thread[hang->threads - 1].rank
                 : cs_hang_number_of(hang, sqlite3_column_int(row, 0));
    struct cs_hang_thread *thread = at == CS_HANG_NONE ? NULL : ADD(table, thread, threads);
    if (!thread)
        return;
    const char *state = (const char *)sqlite3_column_text(row, 2);
    thread->rank = at;
    if (!hang->rank[at].threads++)
        hang->rank[at].thread = hang->threads - 1;
    thread->thread = (uint32_t)sqlite3_column_int64(row, 1);
    thread->doing = !state || strcmp(state, "outside") == 0 ? CS_THREAD_OUTSIDE
                    : strcmp(state, "inside") == 0          ? CS_THREAD_INSIDE
                                                            : CS_THREAD_ENDED;
    thread->call = (struct cs_hang_call){.function = (uint16_t)sqlite3_column_int(row, 3),
                                         .object = (uint32_t)sqlite3_column_int64(row, 4),
                                         .peer = number(row, 5, CS_NO_PEER),
                                         .tag = number(row, 6, CS_NO_TAG),
                                         .site = sqlite3_column_int64(row, 7),
                                         .since_ns = sqlite3_column_int64(row, 8),
                                         .collective = (uint32_t)sqlite3_column_int64(row, 10)};
    thread->until_ns = sqlite3_column_int64(row, 9);
    thread->source = number(row, 11, CS_NO_PEER);
    thread->source_tag = number(row, 12, CS_NO_TAG);
    thread->awaited = (uint32_t)sqlite3_column_int64(row, 13);
    thread->inner = (struct cs_hang_call){.function = (uint16_t)sqlite3_column_int(row, 14),
                                          .object = (uint32_t)sqlite3_column_int64(row, 15),
                                          .peer = number(row, 16, CS_NO_PEER),
                                          .tag = number(row, 17, CS_NO_TAG),
                                          .collective = (uint32_t)sqlite3_column_int64(row, 18),
                                          .site = sqlite3_column_int64(row, 19),
                                          .since_ns = sqlite3_column_int64(row, 20)};
    thread->tid = (uint32_t)sqlite3_column_int64(row, 21);
}

static void add_object(struct table *table, sqlite3_stmt *row)
{
    struct cs_hang_object *object = ADD(table, object, objects);
    if (!object)
        return;
    object->rank = sqlite3_column_int(row, 0);
    object->object = (uint32_t)sqlite3_column_int64(row, 1);
    object->uid = (uint64_t)sqlite3_column_int64(row, 2);
    object->side = (uint64_t)sqlite3_column_int64(row, 3);
    object->size = sqlite3_column_int(row, 4);
    object->own = number(row, 5, CS_NO_PEER);
    object->remote_size = number(row, 6, -1);
    object->adopted = sqlite3_column_int(row, 7);
    object->freed = sqlite3_column_int(row, 8);
    object->world = sqlite3_column_int(row, 9);
    object->begun = (uint32_t)sqlite3_column_int64(row, 10);
    object->function = (uint16_t)sqlite3_column_int(row, 11);
    object->root = number(row, 12, CS_NO_PEER);
    object->label = text(table, row, 13);
    object->spans_worlds = sqlite3_column_int(row, 14);
}

static void add_request(struct table *table, sqlite3_stmt *row)
{
    struct cs_hang_request *request = ADD(table, request, requests);
    if (!request)
        return;
    const char *transfer = (const char *)sqlite3_column_text(row, 3);
    request->rank = sqlite3_column_int(row, 0);
    request->object = (uint32_t)sqlite3_column_int64(row, 1);
    request->function = (uint16_t)sqlite3_column_int(row, 2);
    bool both = transfer && strcmp(transfer, "both") == 0;
    request->receives = both || (transfer && strcmp(transfer, "receive") == 0);
    request->sends = both || (transfer && strcmp(transfer, "send") == 0);
    request->peer = number(row, 4, CS_NO_PEER);
    request->tag = number(row, 5, CS_NO_TAG);
    request->collective = (uint32_t)sqlite3_column_int64(row, 6);
    request->partitions = (uint32_t)sqlite3_column_int64(row, 7);
    request->ready = (uint32_t)sqlite3_column_int64(row, 8);
    request->persistent = sqlite3_column_int(row, 9);
    request->copies = (uint32_t)sqlite3_column_int64(row, 10);
    request->site = sqlite3_column_int64(row, 11);
    request->thread = number(row, 12, CS_HANG_NONE);
}

static void add_traffic(struct table *table, sqlite3_stmt *row)
{
    struct cs_hang_traffic *traffic = ADD(table, traffic, traffics);
    if (!traffic)
        return;
    traffic->rank = sqlite3_column_int(row, 0);
    traffic->object = (uint32_t)sqlite3_column_int64(row, 1);
    traffic->sent = sqlite3_column_int(row, 2);
    traffic->peer = sqlite3_column_int(row, 3);
    traffic->messages = sqlite3_column_int64(row, 4);
    traffic->one_sided = sqlite3_column_int(row, 5);
}

static void add_tag(struct table *table, sqlite3_stmt *row)
{
    struct cs_hang_tag *tag = ADD(table, tag, tags);
    if (tag)
        *tag =
            (struct cs_hang_tag){sqlite3_column_int(row, 0), (uint32_t)sqlite3_column_int64(row, 1),
                                 sqlite3_column_int(row, 2), sqlite3_column_int(row, 3), sqlite3_column_int64(row, 4)};
}

static void add_dropped(struct table *table, sqlite3_stmt *row)
{
    struct cs_hang_dropped *dropped = ADD(table, dropped, droppeds);
    if (dropped)
        *dropped = (struct cs_hang_dropped){sqlite3_column_int(row, 0), (uint32_t)sqlite3_column_int64(row, 1),
                                            (uint16_t)sqlite3_column_int(row, 2), sqlite3_column_int(row, 3),
                                            sqlite3_column_int64(row, 4)};
}

static void add_lock(struct table *table, sqlite3_stmt *row)
{
    struct cs_hang_lock *lock = ADD(table, lock, locks);
    if (lock)
        *lock = (struct cs_hang_lock){sqlite3_column_int(row, 0), (uint32_t)sqlite3_column_int64(row, 1),
                                      sqlite3_column_int(row, 2), sqlite3_column_int(row, 3)};
}

static void add_epoch(struct table *table, sqlite3_stmt *row)
{
    struct cs_hang_epoch *epoch = ADD(table, epoch, epochs);
    if (!epoch)
        return;
    epoch->rank = sqlite3_column_int(row, 0);
    epoch->object = (uint32_t)sqlite3_column_int64(row, 1);
    epoch->peer = sqlite3_column_int(row, 2);
    epoch->starts = (uint32_t)sqlite3_column_int64(row, 3);
    epoch->completes = (uint32_t)sqlite3_column_int64(row, 4);
    epoch->posts = (uint32_t)sqlite3_column_int64(row, 5);
    epoch->waits = (uint32_t)sqlite3_column_int64(row, 6);
    epoch->unchecked = sqlite3_column_int(row, 7);
}

bool cs_hang_was_ended(sqlite3 *db, int64_t *utc_ns)
{
    sqlite3_stmt *row = NULL;
    bool ended =
        sqlite3_prepare_v2(db, cs_sql_hang_end, -1, &row, NULL) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW;
    *utc_ns = ended ? sqlite3_column_int64(row, 0) : 0;
    sqlite3_finalize(row);
    return ended;
}

/* Each query in the order of the model. `near`: about objects that threads are inside of or wait for. */
static const struct query {
    const char *sql;
    void (*add)(struct table *table, sqlite3_stmt *row);
    bool near;
} queries[] = {
    {cs_sql_hang_ranks, add_rank, false},
    {cs_sql_hang_threads, add_thread, false},
    {cs_sql_hang_objects, add_object, true},
    {cs_sql_hang_requests, add_request, false},
    {cs_sql_hang_traffic, add_traffic, true},
    {cs_sql_hang_tags, add_tag, true},
    {cs_sql_hang_dropped, add_dropped, true},
    {"SELECT rank, object, target, exclusive FROM window_lock WHERE rank >= 0", add_lock, false},
    {"SELECT rank, object, peer, starts, completes, posts, waits, unchecked FROM window_epoch WHERE rank >= 0 "
     "ORDER BY rank, object, peer",
     add_epoch, false},
};

static enum cs_status load(struct table *table, const struct query *query)
{
    sqlite3_stmt *row = NULL;
    sqlite3 *db = table->source->db;
    char *sql = sqlite3_mprintf("%s%s", query->near ? cs_sql_hang_near : "", query->sql);
    int result = sql ? sqlite3_prepare_v2(db, sql, -1, &row, NULL) : SQLITE_NOMEM;
    sqlite3_free(sql);
    if (result == SQLITE_OK && table->hang->ended && sqlite3_bind_parameter_count(row))
        sqlite3_bind_int64(row, 1, table->hang->ended_utc_ns);
    while (result == SQLITE_OK && !table->failed && (result = sqlite3_step(row)) == SQLITE_ROW) {
        query->add(table, row);
        result = SQLITE_OK;
    }
    bool good = result == SQLITE_DONE;
    if (!good && !table->failed)
        cs_log("hang: %s", sqlite3_errmsg(db));
    sqlite3_finalize(row);
    return table->failed ? CS_NO_MEMORY : good ? CS_OK : CS_SQL;
}

static int64_t began(const struct cs_hang *hang, const struct cs_hang_rank *rank)
{
    int64_t last = INT64_MIN;
    for (size_t i = 0; i < rank->threads; i++) {
        const struct cs_hang_thread *thread = &hang->thread[rank->thread + i];
        int64_t since = thread->doing == CS_THREAD_INSIDE ? cs_hang_call_of(thread)->since_ns : thread->until_ns;
        last = since > last ? since : last;
    }
    return last;
}

/* True if the process has threads that the recording does not know, of the MPI or of the program. */
static bool has_silent_threads(const struct cs_hang *hang, const struct cs_hang_rank *rank,
                               const struct cs_hang_pulse *pulse)
{
    long inside = 0;
    for (size_t i = 0; i < rank->threads; i++) {
        enum cs_thread_doing doing = hang->thread[rank->thread + i].doing;
        if (doing == CS_THREAD_OUTSIDE)
            return true;
        inside += doing == CS_THREAD_INSIDE;
    }
    return !pulse || !pulse->look.known || pulse->look.stat.threads > inside;
}

/* A collective call that frees an object has a number, but no cell. */
static void count_calls(struct cs_hang *hang)
{
    for (size_t i = 0; i < hang->threads; i++) {
        const struct cs_hang_thread *thread = &hang->thread[i];
        const struct cs_hang_call *call = cs_hang_call_of(thread);
        struct cs_hang_object *object =
            (void *)(uintptr_t)cs_hang_object_of(hang, hang->rank[thread->rank].rank, call->object);
        if (thread->doing != CS_THREAD_INSIDE || !object || call->collective <= object->begun)
            continue;
        object->begun = call->collective;
        object->function = call->function;
        object->root = call->peer;
    }
}

/* Finds the ranks that moved while they were read: what several of them did cannot be put together. The others did the
   same all the time. So they are shown at one moment; if a single rank moved, at the one when that was read. */
static void find_moved(const struct cs_hang_source *source, struct cs_hang *hang)
{
    size_t count = 0;
    int64_t moment = INT64_MAX, moved = 0;
    for (size_t i = 0; i < hang->ranks; i++) {
        struct cs_hang_rank *rank = &hang->rank[i];
        const struct cs_hang_pulse *before = pulse_of(source->before, source->befores, rank->rank);
        rank->moved =
            rank->outcome == CS_HANG_RUNNING && has_moved(before, pulse_of(source->read, source->reads, rank->rank));
        count += rank->moved;
        if (rank->moved)
            moved = rank->seen_ns;
        else if (before && before->look.known && rank->outcome == CS_HANG_RUNNING && rank->seen_ns < moment)
            moment = rank->seen_ns;
    }
    for (size_t i = 0; i < hang->ranks; i++) {
        struct cs_hang_rank *rank = &hang->rank[i];
        const struct cs_hang_pulse *before = pulse_of(source->before, source->befores, rank->rank);
        if (before && before->look.known && !rank->moved && rank->outcome == CS_HANG_RUNNING)
            rank->seen_ns = count == 1 ? moved : moment;
        rank->moved = rank->moved && count > 1;
    }
}

/* Finds the ranks whose states belong to one moment. */
static void find_steady(const struct cs_hang_source *source, struct cs_hang *hang, bool *undecided)
{
    int64_t seen = INT64_MAX;
    for (size_t i = 0; i < hang->ranks; i++)
        if (hang->rank[i].outcome == CS_HANG_RUNNING && hang->rank[i].seen_ns < seen)
            seen = hang->rank[i].seen_ns;
    for (size_t i = 0; i < hang->ranks; i++) {
        struct cs_hang_rank *rank = &hang->rank[i];
        const struct cs_hang_pulse *before = pulse_of(source->before, source->befores, rank->rank);
        const struct cs_hang_pulse *after = pulse_of(source->after, source->afters, rank->rank);
        bool never_still = false;
        int64_t lasted = rank->outcome == CS_HANG_RUNNING && rank->threads ? seen - began(hang, rank) : 0;
        if (before && after)
            rank->steady = is_still(before, after, &never_still);
        else
            rank->steady = !before && !after && lasted >= LASTED_NS;
        rank->elsewhere = before && !before->look.known;
        if (rank->elsewhere && lasted < ELSEWHERE_NS)
            rank->steady = false;
        rank->advanced = source->after_ns && rank->outcome == CS_HANG_RUNNING && has_moved(before, after);
        rank->stopped = is_stopped(before) || is_stopped(after);
        rank->activity = activity_between(before, after);
        rank->open = rank->open && has_silent_threads(hang, rank, after);
        *undecided |= never_still && cs_hang_is_inside(hang, rank);
    }
}

/* *undecided: some rank had no processor between the looks. */
static enum cs_status load_model(const struct cs_hang_source *source, struct cs_hang *hang, bool *undecided)
{
    struct table table = {.hang = hang, .source = source};
    enum cs_status status = CS_OK;
    *hang = (struct cs_hang){0};
    *undecided = false;
    hang->ended = cs_hang_was_ended(source->db, &hang->ended_utc_ns);
    for (size_t i = 0; i < sizeof queries / sizeof *queries && status == CS_OK; i++)
        status = load(&table, &queries[i]);
    if (status == CS_OK) {
        hang->apart_ns = source->after_ns ? source->after_ns - source->before_ns : 0;
        count_calls(hang);
        find_moved(source, hang);
        find_steady(source, hang, undecided);
    }
    return status;
}

/* Pause between two looks at the ranks: one second, repeated up to five times until each rank had a processor. */
enum { PAUSE_MS = 1000, PAUSES_MOST = 5 };

static void pause_between_looks(void)
{
    struct timespec rest = {.tv_sec = PAUSE_MS / 1000, .tv_nsec = PAUSE_MS % 1000 * 1000000};
    while (nanosleep(&rest, &rest) != 0 && errno == EINTR)
        ;
}

enum cs_status cs_hang_look(const char *path, struct cs_hang_source *source, struct cs_hang *hang)
{
    enum cs_status status = CS_OK;
    bool undecided = true;
    for (int i = 0; i < PAUSES_MOST && undecided && status == CS_OK; i++) {
        if (i)
            cs_hang_free(hang);
        if (source->befores) {
            free(source->after);
            pause_between_looks();
            if (!cs_hang_pulse_take(path, &source->after, &source->afters))
                status = CS_IO;
            source->after_ns = (int64_t)cs_clock_monotonic_ns();
        }
        if (status == CS_OK)
            status = load_model(source, hang, &undecided);
    }
    return status;
}

void cs_hang_free(struct cs_hang *hang)
{
    cs_hang_free_conclusions(hang);
    for (size_t i = 0; i < hang->ranks; i++) {
        free((void *)(uintptr_t)hang->rank[i].node);
        free((void *)(uintptr_t)hang->rank[i].outcome_word);
    }
    for (size_t i = 0; i < hang->objects; i++)
        free((void *)(uintptr_t)hang->object[i].label);
    free(hang->rank);
    free(hang->thread);
    free(hang->object);
    free(hang->request);
    free(hang->traffic);
    free(hang->tag);
    free(hang->dropped);
    free(hang->lock);
    free(hang->epoch);
    *hang = (struct cs_hang){0};
}
