#include "db/run/rank_profile.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_system.h"
#include "base/path.h"
#include "db/trace/schema.h"
#include "db/trace/untrusted.h"

struct table {
    sqlite3_vtab base;
    sqlite3 *db;
    char *const *path;
    size_t count;
    struct stat owner; /* the files are read as this user */
    char *left_out;    /* what was logged about files that are not in the merged file; NULL: nothing */
};

struct files {
    char *const *path;
    size_t count;
    struct stat owner;
};

struct cursor {
    sqlite3_vtab_cursor base;
    int64_t lowest, highest; /* ranks to read */
    size_t next;             /* number of the file to open next */
    sqlite3 *file;           /* NULL: the rows of the merged file are read */
    sqlite3_stmt *row;       /* NULL: at the end */
    sqlite3_int64 position;  /* of the row in its file */
};

bool cs_rank_profile_is_left(sqlite3 *db)
{
    static const char sql[] = "SELECT NOT EXISTS (SELECT 1 FROM main.profile WHERE rank >= 0)"
                              " AND EXISTS (SELECT 1 FROM main.rank_time WHERE rank >= 0 AND calls)";
    return cs_query_is_true(db, sql, NULL);
}

/* ---- one file ---- */

static _Thread_local bool reading;

bool cs_rank_profile_is_reading(void)
{
    return reading;
}

static void close_file(struct cursor *cursor)
{
    sqlite3_finalize(cursor->row);
    sqlite3_close(cursor->file);
    cursor->row = NULL;
    cursor->file = NULL;
}

static int fail(struct cursor *cursor, const char *path, const char *why)
{
    sqlite3_vtab *table = cursor->base.pVtab;
    sqlite3_free(table->zErrMsg);
    table->zErrMsg = sqlite3_mprintf("cannot read the profile of %s: %s", path, why);
    return SQLITE_ERROR;
}

/* All rows of a file are read, as they are stored: their numbers must not depend on the ranks that are wanted. */
static int prepare(struct cursor *cursor, sqlite3 *db, const char *read, bool ranked)
{
    char *sql = sqlite3_mprintf("%s WHERE rank %s 0", read, ranked ? ">=" : "<");
    cursor->position = -1;
    int result = sql ? sqlite3_prepare_v2(db, sql, -1, &cursor->row, NULL) : SQLITE_NOMEM;
    sqlite3_free(sql);
    return result;
}

static int open_file(struct cursor *cursor, const char *path)
{
    char reason[CS_UNTRUSTED_MESSAGE_BYTES], message[CS_MERGE_MESSAGE_BYTES];
    struct cs_owner before;
    enum cs_status status = CS_DENIED;
    if (cs_owner_begin(&((const struct table *)cursor->base.pVtab)->owner, &before)) {
        status = cs_trace_open(path, &cursor->file, reason);
        cs_owner_end(&before);
    }
    if (status == CS_NO_MEMORY)
        return SQLITE_NOMEM;
    if (status == CS_DENIED)
        return fail(cursor, path, "it cannot be opened");
    const char *read = status == CS_OK ? cs_merge_find_table(cursor->file, CS_ROW_profile, NULL) : NULL;
    if (!read)
        return fail(cursor, path, "it is damaged");
    if (prepare(cursor, cursor->file, read, true) != SQLITE_OK)
        return fail(cursor, path, cs_merge_message(cursor->file, message));
    return SQLITE_OK;
}

/* Whether the file can have rows that are wanted. */
static bool is_wanted(const struct cursor *cursor, const char *path)
{
    const struct table *table = (const struct table *)cursor->base.pVtab;
    const char *name = cs_path_name(path);
    char end;
    long long rank;
    if (table->left_out && strstr(table->left_out, name))
        return false;
    bool of_rank = sscanf(name, "rank-%lld.d%c", &rank, &end) == 2 && end == 'b';
    return cursor->highest >= 0 && (!of_rank || (rank >= cursor->lowest && rank <= cursor->highest));
}

/* ---- all files ---- */

static int step(struct cursor *cursor)
{
    const struct table *table = (const struct table *)cursor->base.pVtab;
    for (;;) {
        reading = cursor->file;
        int result = cursor->row ? sqlite3_step(cursor->row) : SQLITE_DONE;
        reading = false;
        cursor->position++;
        if (result == SQLITE_ROW)
            return SQLITE_OK;
        if (result != SQLITE_DONE) {
            char message[CS_MERGE_MESSAGE_BYTES];
            sqlite3 *db = cursor->file ? cursor->file : table->db;
            return fail(cursor, cursor->next ? table->path[cursor->next - 1] : "the run",
                        cs_merge_message(db, message));
        }
        close_file(cursor);
        while (cursor->next < table->count && !is_wanted(cursor, table->path[cursor->next]))
            cursor->next++;
        if (cursor->next >= table->count)
            return SQLITE_OK;
        reading = true;
        result = open_file(cursor, table->path[cursor->next++]);
        reading = false;
        if (result != SQLITE_OK)
            return result;
    }
}

/* ---- the module ---- */

static int connect_table(sqlite3 *db, void *context, int count, const char *const *argument, sqlite3_vtab **result,
                         char **message)
{
    (void)count, (void)argument, (void)message;
    const struct files *files = context;
    struct table *table = sqlite3_malloc(sizeof *table);
    if (!table)
        return SQLITE_NOMEM;
    *table = (struct table){.db = db, .path = files->path, .count = files->count, .owner = files->owner};
    sqlite3_stmt *lines = NULL;
    if (sqlite3_prepare_v2(db, "SELECT lines FROM main.merged_from", -1, &lines, NULL) == SQLITE_OK &&
        sqlite3_step(lines) == SQLITE_ROW)
        table->left_out = sqlite3_mprintf("%s", (const char *)sqlite3_column_text(lines, 0));
    sqlite3_finalize(lines);
    sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS); /* views may read it */
    *result = &table->base;
    return sqlite3_declare_vtab(db,
                                "CREATE TABLE profile (rank INT, communicator INT, object INT, function INT, site INT,"
                                " size_class INT, calls INT, time_ns INT, min_ns INT, max_ns INT, sent_bytes INT,"
                                " received_bytes INT)");
}

static int disconnect_table(sqlite3_vtab *vtab)
{
    struct table *table = (struct table *)vtab;
    sqlite3_free(table->left_out);
    sqlite3_free(table);
    return SQLITE_OK;
}

/* Constraints of ranks are passed on, one letter for each: = < >, and l g for those with equal ranks. SQLite checks
 * them again.
 */
static int plan(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
    (void)vtab;
    char letters[8];
    int used = 0;
    double cost = 1e7;
    for (int i = 0; i < info->nConstraint && used < (int)sizeof letters - 1; i++) {
        int operation = info->aConstraint[i].op;
        bool equal = operation == SQLITE_INDEX_CONSTRAINT_EQ;
        bool above = operation == SQLITE_INDEX_CONSTRAINT_GT || operation == SQLITE_INDEX_CONSTRAINT_GE;
        bool below = operation == SQLITE_INDEX_CONSTRAINT_LT || operation == SQLITE_INDEX_CONSTRAINT_LE;
        if (!info->aConstraint[i].usable || info->aConstraint[i].iColumn != 0 || !(equal || above || below))
            continue;
        bool strict = operation == SQLITE_INDEX_CONSTRAINT_GT || operation == SQLITE_INDEX_CONSTRAINT_LT;
        letters[used] = equal ? '=' : strict ? (above ? '>' : '<') : above ? 'g' : 'l';
        info->aConstraintUsage[i].argvIndex = ++used;
        cost = equal ? 1e4 : cost / 4;
    }
    letters[used] = 0;
    info->idxStr = sqlite3_mprintf("%s", letters);
    info->needToFreeIdxStr = 1;
    info->estimatedCost = cost;
    info->estimatedRows = (sqlite3_int64)cost;
    return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

static int open_cursor(sqlite3_vtab *vtab, sqlite3_vtab_cursor **result)
{
    (void)vtab;
    struct cursor *cursor = sqlite3_malloc(sizeof *cursor);
    if (!cursor)
        return SQLITE_NOMEM;
    *cursor = (struct cursor){.row = NULL};
    *result = &cursor->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
    close_file((struct cursor *)base);
    sqlite3_free(base);
    return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *base, int number, const char *letters, int count, sqlite3_value **value)
{
    struct cursor *cursor = (struct cursor *)base;
    const struct table *table = (const struct table *)base->pVtab;
    (void)number;
    close_file(cursor);
    cursor->lowest = INT64_MIN;
    cursor->highest = INT64_MAX;
    cursor->next = 0;
    for (int i = 0; i < count; i++) {
        int64_t bound = sqlite3_value_int64(value[i]);
        if (sqlite3_value_type(value[i]) != SQLITE_INTEGER)
            continue;
        if (letters[i] == '>')
            bound += bound < INT64_MAX;
        if (letters[i] == '<')
            bound -= bound > INT64_MIN;
        if (letters[i] != '<' && letters[i] != 'l' && bound > cursor->lowest)
            cursor->lowest = bound;
        if (letters[i] != '>' && letters[i] != 'g' && bound < cursor->highest)
            cursor->highest = bound;
    }
    if (cursor->lowest > cursor->highest || cursor->lowest == INT64_MAX) {
        cursor->next = table->count;
        return SQLITE_OK;
    }
    if (cursor->lowest < 0 && prepare(cursor, table->db, cs_merge_statements[CS_ROW_profile].read, false) != SQLITE_OK)
        return SQLITE_ERROR;
    return step(cursor);
}

static int next(sqlite3_vtab_cursor *base)
{
    return step((struct cursor *)base);
}

static int is_at_end(sqlite3_vtab_cursor *base)
{
    return !((struct cursor *)base)->row;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *context, int number)
{
    sqlite3_result_value(context, sqlite3_column_value(((struct cursor *)base)->row, number));
    return SQLITE_OK;
}

/* SQLite tells rows apart by their numbers if it reads the table several times for one answer. */
static int row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *number)
{
    const struct cursor *cursor = (const struct cursor *)base;
    *number = ((sqlite3_int64)cursor->next << 32) + cursor->position;
    return SQLITE_OK;
}

static const sqlite3_module module = {.iVersion = 1,
                                      .xCreate = connect_table,
                                      .xConnect = connect_table,
                                      .xBestIndex = plan,
                                      .xDisconnect = disconnect_table,
                                      .xDestroy = disconnect_table,
                                      .xOpen = open_cursor,
                                      .xClose = close_cursor,
                                      .xFilter = filter,
                                      .xNext = next,
                                      .xEof = is_at_end,
                                      .xColumn = column,
                                      .xRowid = row_number};

int cs_rank_profile_add(sqlite3 *db, char *const *path, size_t count, bool has_views)
{
    struct files *files = malloc(sizeof *files);
    if (!files)
        return SQLITE_NOMEM;
    struct cs_owner reader = cs_owner_current();
    *files = (struct files){path, count, {.st_uid = reader.user, .st_gid = reader.group}};
    int result = has_views ? SQLITE_OK : cs_schema_add_views(db, true);
    if (result == SQLITE_OK)
        result = sqlite3_create_module_v2(db, "callsign_profile", &module, files, free);
    else
        free(files);
    if (result == SQLITE_OK)
        result = sqlite3_exec(db, "CREATE VIRTUAL TABLE temp.profile USING callsign_profile", NULL, NULL, NULL);
    return result;
}
