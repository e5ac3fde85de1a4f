#include "db/summary/rank_times.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "db/trace/schema.h"
#include "db/trace/trace_writer.h"

/* ---- what is known of the ranks of a file; numbers as in the tables ---- */

enum { KEY_COLUMNS = 2 };

struct object {
    int64_t key[KEY_COLUMNS]; /* rank, object */
    int64_t parent, similar;
    bool has_similar, is_window, is_file, is_communicator;
};

struct window {
    int64_t key[KEY_COLUMNS]; /* rank, object */
    int64_t communicator;
};

struct process {
    int64_t key[KEY_COLUMNS]; /* rank, 0 */
    int64_t last_seen_ns;
};

struct function {
    int64_t key[KEY_COLUMNS]; /* number, 0 */
    const char *kind;         /* of its messages, as in the view message_sizes; NULL: it has none */
    bool by_sender;           /* its messages are those that it sends */
    bool with_data;           /* only calls with data count */
};

struct thread {
    int64_t rank, function, object, site, since_ns;
};

/* A row of the view call_times. */
struct call {
    int64_t rank, communicator, object, function, site, size_class;
    struct cs_call_sums sums;
};

struct list {
    void *item;
    size_t count, room, bytes; /* bytes: of an item, which begins with its key unless it is a thread or call */
};

enum list_of { OBJECTS, WINDOWS, PROCESSES, FUNCTIONS, THREADS, CALLS, CELLS, LISTS };

static const size_t item_bytes[LISTS] = {sizeof(struct object),         sizeof(struct window), sizeof(struct process),
                                         sizeof(struct function),       sizeof(struct thread), sizeof(struct call),
                                         sizeof(struct cs_summary_cell)};

/* Returns false without memory. */
typedef bool take_row(struct cs_rank_times *times, const struct cs_kept_value *value);

struct cs_rank_times {
    sqlite3 *db;
    const char *schema; /* of the tables: main or temp */
    sqlite3_stmt *write;
    cs_rank_times_keep *keep; /* gets rows instead of the database; NULL: none */
    void *keep_context;
    struct cs_summary *summary;
    take_row **take; /* of each table; NULL: it is not needed */
    struct list list[LISTS];
};

/* Adds a zeroed item. NULL: out of memory. */
static void *add(struct cs_rank_times *times, enum list_of which)
{
    struct list *list = &times->list[which];
    if (!cs_array_grow(&list->item, list->count, &list->room, list->bytes))
        return NULL;
    return memset((char *)list->item + list->count++ * list->bytes, 0, list->bytes);
}

static int compare_keys(const void *item, const void *key)
{
    const int64_t *a = item, *b = key;
    return a[0] != b[0] ? cs_compare(a[0], b[0]) : cs_compare(a[1], b[1]);
}

/* The item with this key after sort_lists; NULL: there is none. */
static void *find(struct cs_rank_times *times, enum list_of which, int64_t first, int64_t second)
{
    const struct list *list = &times->list[which];
    const int64_t key[KEY_COLUMNS] = {first, second};
    size_t at = list->count ? cs_array_lower_bound(list->item, list->count, list->bytes, key, compare_keys) : 0;
    char *item = (char *)list->item + at * list->bytes;
    return at < list->count && compare_keys(item, key) == 0 ? item : NULL;
}

static void sort(struct list *list, int (*compare)(const void *, const void *))
{
    const char *item = list->item;
    bool sorted = true;
    for (size_t i = 1; i < list->count && sorted; i++)
        sorted = compare(item + (i - 1) * list->bytes, item + i * list->bytes) <= 0;
    if (!sorted)
        qsort(list->item, list->count, list->bytes, compare);
}

/* ---- rows ---- */

/* The number of a column, counted from 0, in a table with and without ranks. */
#define PLACE(table, column)  (offsetof(struct cs_row_##table, column) / sizeof(struct cs_value))
#define COLUMN(table, column) (&value[1 + PLACE(table, column)])
#define SHARED(table, column) (&value[PLACE(table, column)])

static int64_t number(const struct cs_kept_value *value)
{
    return value->type == SQLITE_INTEGER ? value->integer : 0;
}

static bool is_word(const struct cs_kept_value *value, const char *word)
{
    return value->type == SQLITE_TEXT && value->length == strlen(word) &&
           memcmp(value->bytes, word, value->length) == 0;
}

static bool take_object(struct cs_rank_times *times, const struct cs_kept_value *value)
{
    struct object *object = add(times, OBJECTS);
    if (!object)
        return false;
    *object = (struct object){.key = {number(value), number(COLUMN(object, object))},
                              .parent = number(COLUMN(object, parent)),
                              .similar = number(COLUMN(object, similar)),
                              .has_similar = COLUMN(object, similar)->type == SQLITE_INTEGER,
                              .is_communicator = is_word(COLUMN(object, kind), "communicator"),
                              .is_window = is_word(COLUMN(object, kind), "window"),
                              .is_file = is_word(COLUMN(object, kind), "file")};
    return true;
}

static bool take_window(struct cs_rank_times *times, const struct cs_kept_value *value)
{
    struct window *window = add(times, WINDOWS);
    if (!window)
        return false;
    *window = (struct window){.key = {number(value), number(COLUMN(window, object))},
                              .communicator = number(COLUMN(window, communicator))};
    return true;
}

static bool take_process(struct cs_rank_times *times, const struct cs_kept_value *value)
{
    struct process *process = add(times, PROCESSES);
    if (!process)
        return false;
    *process = (struct process){.key = {number(value)}, .last_seen_ns = number(COLUMN(process, last_seen_ns))};
    return true;
}

static bool take_thread(struct cs_rank_times *times, const struct cs_kept_value *value)
{
    if (!is_word(COLUMN(thread, state), "inside") || COLUMN(thread, function)->type != SQLITE_INTEGER)
        return true;
    struct thread *thread = add(times, THREADS);
    if (!thread)
        return false;
    *thread = (struct thread){.rank = number(value),
                              .function = number(COLUMN(thread, function)),
                              .object = number(COLUMN(thread, object)),
                              .site = number(COLUMN(thread, site)),
                              .since_ns = number(COLUMN(thread, since_ns))};
    return true;
}

/* As the view message_sizes says. */
static bool take_function(struct cs_rank_times *times, const struct cs_kept_value *value)
{
    struct function *function = add(times, FUNCTIONS);
    if (!function)
        return false;
    const struct cs_kept_value *class = SHARED(function, class), *mode = SHARED(function, mode),
                               *transfer = SHARED(function, transfer);
    function->key[0] = number(value);
    if (is_word(class, "point-to-point") && (is_word(transfer, "send") || is_word(transfer, "both")) &&
        !is_word(mode, "persistent")) {
        function->kind = "point-to-point";
        function->by_sender = true;
    } else if (is_word(class, "collective") && !is_word(mode, "persistent")) {
        function->kind = "collective";
    } else if (is_word(class, "request") && is_word(mode, "start")) {
        function->kind = "persistent";
        function->with_data = true;
    } else if (is_word(class, "one-sided") || is_word(class, "io")) {
        function->kind = is_word(class, "io") ? "file" : "one-sided";
        function->with_data = true;
    }
    return true;
}

static bool take_call(struct cs_rank_times *times, const struct cs_kept_value *value)
{
    struct call *call = add(times, CALLS);
    if (!call)
        return false;
    *call = (struct call){.rank = number(value),
                          .communicator = number(COLUMN(profile, communicator)),
                          .object = number(COLUMN(profile, object)),
                          .function = number(COLUMN(profile, function)),
                          .site = number(COLUMN(profile, site)),
                          .size_class = number(COLUMN(profile, size_class)),
                          .sums = {.calls = number(COLUMN(profile, calls)),
                                   .time_ns = number(COLUMN(profile, time_ns)),
                                   .timed = COLUMN(profile, min_ns)->type == SQLITE_INTEGER,
                                   .min_ns = number(COLUMN(profile, min_ns)),
                                   .max_ns = number(COLUMN(profile, max_ns)),
                                   .sent_bytes = number(COLUMN(profile, sent_bytes)),
                                   .received_bytes = number(COLUMN(profile, received_bytes))}};
    return true;
}

static const struct {
    const char *table;
    take_row *take;
} needed[] = {{"object", take_object}, {"window", take_window},     {"process", take_process},
              {"thread", take_thread}, {"function", take_function}, {"profile", take_call}};

static take_row *taker_of(const char *table)
{
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (strcmp(needed[i].table, table) == 0)
            return needed[i].take;
    return NULL;
}

bool cs_rank_times_need(const struct cs_rank_times *times, size_t table)
{
    return times->take[table];
}

int cs_rank_times_take(struct cs_rank_times *times, size_t table, const struct cs_kept_value *value)
{
    return times->take[table](times, value) ? SQLITE_OK : SQLITE_NOMEM;
}

/* ---- calls that have not returned ---- */

static bool add_open(struct cs_rank_times *times, const struct thread *thread)
{
    struct call *call = add(times, CALLS);
    if (!call)
        return false;
    const struct process *process = find(times, PROCESSES, thread->rank, 0);
    const struct object *object = find(times, OBJECTS, thread->rank, thread->object);
    const struct window *window = find(times, WINDOWS, thread->rank, thread->object);
    int64_t ns = 0;
    if (process && __builtin_sub_overflow(process->last_seen_ns, thread->since_ns, &ns))
        ns = 0;
    call->rank = thread->rank;
    call->communicator = thread->object;
    if (object && (object->is_window || object->is_file)) {
        call->communicator = object->is_file ? object->parent : window ? window->communicator : 0;
        call->object = thread->object;
    }
    call->function = thread->function;
    call->site = thread->site;
    call->sums.open = 1;
    call->sums.time_ns = ns > 0 ? ns : 0;
    return true;
}

/* ---- adding up ---- */

static int64_t object_key(int64_t rank, int64_t object)
{
    return (int64_t)(((uint64_t)rank << 32) + (uint64_t)object);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Transfers that MPI_Startall began have no calls of their own, and one size class. */
static int64_t count_messages(const struct call *call)
{
    if (call->sums.calls > 0)
        return call->sums.calls;
    if (call->size_class < 0 || call->size_class > 61)
        return 0;
    int64_t most = (INT64_C(1) << call->size_class) - 1,
            bytes = larger(call->sums.sent_bytes, call->sums.received_bytes);
    return bytes > INT64_MAX - most ? 0 : (bytes + most - 1) / larger(most, 1);
}

static void set_message(struct cs_summary_cell *cell, const struct call *call, const struct function *function)
{
    bool data = call->sums.sent_bytes || call->sums.received_bytes;
    if (call->sums.open || !function || !function->kind || (function->with_data && !data))
        return;
    cell->kind = function->kind;
    cell->size_class = function->by_sender && !call->sums.sent_bytes ? 0 : call->size_class;
    cell->messages = count_messages(call);
    cell->message_bytes =
        function->by_sender ? call->sums.sent_bytes : larger(call->sums.sent_bytes, call->sums.received_bytes);
}

static bool add_cell(struct cs_rank_times *times, const struct call *call, int64_t rank_shift)
{
    struct cs_summary_cell *cell = add(times, CELLS);
    if (!cell)
        return false;
    int64_t number = call->object ? call->object : call->communicator;
    const struct object *object = number ? find(times, OBJECTS, call->rank, number) : NULL;
    int64_t key = object ? object_key(call->rank + rank_shift, number) : 0;
    bool known = object && (object->is_communicator || object->is_window || object->is_file);
    int64_t similar = known && object->has_similar ? object->similar : key;
    *cell = (struct cs_summary_cell){.similar = known ? similar : 0,
                                     .size_similar = similar,
                                     .function = call->function,
                                     .site = call->site,
                                     .sums = call->sums};
    set_message(cell, call, find(times, FUNCTIONS, call->function, 0));
    return true;
}

static int add_to_summary(struct cs_rank_times *times, int64_t rank_shift)
{
    const struct list *calls = &times->list[CALLS];
    const struct call *call = calls->item;
    struct list *cells = &times->list[CELLS];
    for (size_t i = 0; i < calls->count; i++) {
        if (!add_cell(times, &call[i], rank_shift))
            return SQLITE_NOMEM;
        if (i + 1 < calls->count && call[i + 1].rank == call[i].rank)
            continue;
        if (cs_summary_add_rank(times->summary, call[i].rank + rank_shift, cells->item, cells->count) != CS_OK)
            return SQLITE_NOMEM;
        cells->count = 0;
    }
    return SQLITE_OK;
}

static int compare_calls(const void *left, const void *right)
{
    const struct call *a = left, *b = right;
    const int64_t keys[][2] = {
        {a->rank, b->rank}, {a->communicator, b->communicator}, {a->object, b->object}, {a->function, b->function}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return cs_compare(keys[i][0], keys[i][1]);
    return 0;
}

static int write_row(struct cs_rank_times *times, const struct call *sum, int64_t rank_shift)
{
    const struct cs_call_sums *sums = &sum->sums;
    const int64_t number[] = {
        sum->rank + rank_shift, sum->communicator, sum->object,  sum->function,    sums->calls,         sums->open,
        sums->time_ns,          sums->min_ns,      sums->max_ns, sums->sent_bytes, sums->received_bytes};
    enum { MIN = 7, MAX, NUMBERS = sizeof number / sizeof *number };
    struct cs_kept_value value[NUMBERS];
    for (int i = 0; i < NUMBERS; i++)
        value[i] = (struct cs_kept_value){.type = (i == MIN || i == MAX) && !sums->timed ? SQLITE_NULL : SQLITE_INTEGER,
                                          .integer = number[i]};
    if (times->keep)
        return times->keep(times->keep_context, value, NUMBERS) ? SQLITE_OK : SQLITE_NOMEM;
    for (int i = 0; i < NUMBERS; i++)
        if (value[i].type == SQLITE_NULL)
            sqlite3_bind_null(times->write, i + 1);
        else
            sqlite3_bind_int64(times->write, i + 1, number[i]);
    sqlite3_step(times->write);
    return sqlite3_reset(times->write);
}

static int write_rows(struct cs_rank_times *times, int64_t rank_shift)
{
    const struct call *call = times->list[CALLS].item;
    size_t count = times->list[CALLS].count;
    int result = SQLITE_OK;
    for (size_t i = 0; result == SQLITE_OK && i < count;) {
        struct call sum = call[i];
        while (++i < count && compare_calls(&sum, &call[i]) == 0)
            cs_call_sums_add(&sum.sums, &call[i].sums);
        result = write_row(times, &sum, rank_shift);
    }
    return result;
}

int cs_rank_times_end_file(struct cs_rank_times *times, int64_t rank_shift)
{
    int result = SQLITE_OK;
    for (enum list_of i = OBJECTS; i <= FUNCTIONS; i++)
        sort(&times->list[i], compare_keys);
    const struct thread *thread = times->list[THREADS].item;
    for (size_t i = 0; result == SQLITE_OK && i < times->list[THREADS].count; i++)
        result = add_open(times, &thread[i]) ? SQLITE_OK : SQLITE_NOMEM;
    sort(&times->list[CALLS], compare_calls);
    if (result == SQLITE_OK)
        result = write_rows(times, rank_shift);
    if (result == SQLITE_OK)
        result = add_to_summary(times, rank_shift);
    for (int i = 0; i < LISTS; i++)
        times->list[i].count = 0;
    return result;
}

struct cs_summary *cs_rank_times_summary(struct cs_rank_times *times)
{
    return times->summary;
}

int cs_rank_times_write(struct cs_rank_times *times)
{
    return cs_summary_write(times->summary, times->db, times->schema);
}

bool cs_rank_times_writes(const char *table)
{
    return strcmp(table, "rank_time") == 0 || strcmp(table, "summary") == 0;
}

static int create(struct cs_rank_times **times)
{
    struct cs_rank_times *made = calloc(1, sizeof *made);
    *times = made;
    if (!made)
        return SQLITE_NOMEM;
    made->summary = cs_summary_create();
    made->take = calloc(cs_merge_statements_count, sizeof *made->take);
    if (!made->summary || !made->take)
        return SQLITE_NOMEM;
    for (size_t i = 0; i < LISTS; i++)
        made->list[i].bytes = item_bytes[i];
    for (size_t i = 0; i < cs_merge_statements_count; i++)
        made->take[i] = taker_of(cs_merge_statements[i].table);
    return SQLITE_OK;
}

int cs_rank_times_create_apart(cs_rank_times_keep *keep, void *context, struct cs_rank_times **times)
{
    int result = create(times);
    if (result == SQLITE_OK) {
        (*times)->keep = keep;
        (*times)->keep_context = context;
    }
    return result;
}

static int create_in(sqlite3 *db, const char *schema, struct cs_rank_times **times)
{
    static const char form[] = "INSERT OR IGNORE INTO %s.rank_time (rank, communicator, object, function, calls, open,"
                               " time_ns, min_ns, max_ns, sent_bytes, received_bytes)"
                               " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
    int result = create(times);
    if (result != SQLITE_OK)
        return result;
    (*times)->db = db;
    (*times)->schema = schema;
    char *sql = sqlite3_mprintf(form, schema);
    result = sql ? sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &(*times)->write, NULL) : SQLITE_NOMEM;
    sqlite3_free(sql);
    return result;
}

int cs_rank_times_create(sqlite3 *db, struct cs_rank_times **times)
{
    return create_in(db, "main", times);
}

void cs_rank_times_destroy(struct cs_rank_times *times)
{
    if (!times)
        return;
    for (int i = 0; i < LISTS; i++)
        free(times->list[i].item);
    sqlite3_finalize(times->write);
    cs_summary_destroy(times->summary);
    free(times->take);
    free(times);
}

/* ---- the ranks of a trace ---- */

static struct cs_kept_value value_of(sqlite3_stmt *row, int column)
{
    struct cs_kept_value value = {.type = sqlite3_column_type(row, column)};
    if (value.type == SQLITE_INTEGER) {
        value.integer = sqlite3_column_int64(row, column);
    } else if (value.type == SQLITE_TEXT) {
        value.bytes = (const char *)sqlite3_column_text(row, column);
        value.length = (size_t)sqlite3_column_bytes(row, column);
    }
    return value;
}

/* Takes the rows of a table that are about one rank, or all of a table without ranks. read_sql: NULL: as in a file. */
static int take_rows(struct cs_rank_times *times, size_t table, const char *read_sql, int64_t rank)
{
    const struct cs_merge_statement *statement = &cs_merge_statements[table];
    struct cs_kept_value value[CS_ROW_VALUES + 1];
    sqlite3_stmt *row = NULL;
    char *sql =
        sqlite3_mprintf("%s%s", read_sql ? read_sql : statement->read, statement->shared ? "" : " WHERE rank = ?1");
    int result = sql ? sqlite3_prepare_v2(times->db, sql, -1, &row, NULL) : SQLITE_NOMEM;
    sqlite3_bind_int64(row, 1, rank);
    while (result == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW) {
        for (int i = 0; i < statement->columns; i++)
            value[i] = value_of(row, i);
        result = cs_rank_times_take(times, table, value);
    }
    int read = sqlite3_finalize(row);
    sqlite3_free(sql);
    return result == SQLITE_OK ? read : result;
}

/* *found: there is a rank above `after`, which this is. */
static int next_rank(sqlite3 *db, int64_t after, int64_t *rank, bool *found)
{
    sqlite3_stmt *row;
    int result = sqlite3_prepare_v2(db, "SELECT min(rank) FROM main.process WHERE rank > ?1", -1, &row, NULL);
    sqlite3_bind_int64(row, 1, after);
    *found = result == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW && sqlite3_column_type(row, 0) == SQLITE_INTEGER;
    if (*found)
        *rank = sqlite3_column_int64(row, 0);
    int read = sqlite3_finalize(row);
    return result == SQLITE_OK ? read : result;
}

static int take_rank(struct cs_rank_times *times, bool of_region, int64_t rank)
{
    int result = SQLITE_OK;
    for (size_t i = 0; result == SQLITE_OK && i < cs_merge_statements_count; i++) {
        take_row *take = times->take[i];
        if (!take || (of_region && take == take_thread))
            continue;
        result = take_rows(times, i, of_region && take == take_call ? "SELECT * FROM temp.profile" : NULL, rank);
    }
    return result == SQLITE_OK ? cs_rank_times_end_file(times, 0) : result;
}

/* One rank after the other: their rows are not in memory together. */
static int fill(struct cs_rank_times *times, bool of_region)
{
    int64_t rank = INT64_MIN;
    bool found = true;
    int result = SQLITE_OK;
    while (result == SQLITE_OK && (result = next_rank(times->db, rank, &rank, &found)) == SQLITE_OK && found)
        result = take_rank(times, of_region, rank);
    return result == SQLITE_OK ? cs_rank_times_write(times) : result;
}

int cs_rank_times_fill(sqlite3 *db)
{
    struct cs_rank_times *times;
    int result = cs_rank_times_create(db, &times);
    if (result == SQLITE_OK)
        result = fill(times, false);
    cs_rank_times_destroy(times);
    return result;
}

/* In one transaction: each row would otherwise be one. */
int cs_rank_times_fill_apart(sqlite3 *db, bool of_region)
{
    struct cs_rank_times *times = NULL;
    int result = sqlite3_exec(db, "SAVEPOINT sums", NULL, NULL, NULL);
    if (result != SQLITE_OK)
        return result;
    result = cs_schema_add_table_apart(db, "rank_time");
    if (result == SQLITE_OK)
        result = cs_schema_add_table_apart(db, "summary");
    if (result == SQLITE_OK)
        result = create_in(db, "temp", &times);
    if (result == SQLITE_OK)
        result = fill(times, of_region);
    cs_rank_times_destroy(times);
    int released = sqlite3_exec(db, "RELEASE sums", NULL, NULL, NULL);
    return result == SQLITE_OK ? released : result;
}
