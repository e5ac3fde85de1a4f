#include "db/trace/trace_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_system.h"
#include "base/log.h"
#include "base/utf8.h"
#include "db/trace/common_rows.h"
#include "db/trace/long_path.h"
#include "db/trace/rows_table.h"
#include "db/trace/schema.h"
#include "journal/run_files.h"

#define SQLITE_NEEDED 3037000

/* ---- rows that are made one by one while SQLite reads them ---- */

/* The rows that fill a table. */
struct filling {
    cs_trace_next_row *next;
    void *context;
    struct cs_value value[CS_ROW_VALUES + 1]; /* the current row, and the number of its common row */
    struct cs_common_rows *common;            /* NULL: the table has whole rows */
    enum cs_row row;
};

static int next_row(void *context, bool *ended)
{
    struct filling *filling = context;
    *ended = !filling->next(filling->context, filling->value);
    if (*ended || !filling->common)
        return SQLITE_OK;
    int64_t number = 0;
    int result = cs_common_rows_find(filling->common, filling->row, filling->value, &number);
    filling->value[cs_row_statements[filling->row].values] = cs_int(number);
    return result;
}

static int give_value(void *context, int column, sqlite3_context *result)
{
    const struct filling *filling = context;
    const struct cs_value *value = &filling->value[column];
    if (value->type == CS_VALUE_IS_INT) {
        sqlite3_result_int64(result, value->number);
    } else if (value->type != CS_VALUE_IS_TEXT) {
        sqlite3_result_null(result);
    } else {
        char *converted;
        const char *text = cs_utf8_of(value->text, &converted);
        if (!text)
            return SQLITE_NOMEM;
        sqlite3_result_text(result, text, -1, converted ? free : SQLITE_STATIC);
    }
    return SQLITE_OK;
}

/* ---- the trace ---- */

struct cs_trace_writer {
    sqlite3 *db;
    sqlite3_stmt *statement[CS_ROW_COUNT];
    struct cs_common_rows *common; /* of a node; NULL: the trace of one rank */
    struct filling filling;
    int64_t rank;
    bool failed;      /* said once */
    bool keep_others; /* replaces no file */
    char path[PATH_MAX];
    char temporary[PATH_MAX];
};

static enum cs_status status_of_errno(int error)
{
    return error == ENOSPC || error == EDQUOT || error == EFBIG ? CS_NO_SPACE : CS_IO;
}

/* The operating system's error. SQLite keeps it for statements, but not for a COMMIT. */
static int cause_of(sqlite3 *db)
{
    int cause = sqlite3_system_errno(db);
    return cause ? cause : errno;
}

static enum cs_status status_of_sqlite(sqlite3 *db, int cause)
{
    switch (sqlite3_errcode(db)) {
    case SQLITE_NOMEM:
        return CS_NO_MEMORY;
    case SQLITE_FULL:
        return CS_NO_SPACE;
    case SQLITE_IOERR:
        return status_of_errno(cause);
    case SQLITE_CANTOPEN:
        return CS_IO;
    default:
        return CS_SQL;
    }
}

/* Logs SQLite's message, once. */
static enum cs_status complain(struct cs_trace_writer *rows)
{
    int cause = cause_of(rows->db);
    enum cs_status status = status_of_sqlite(rows->db, cause);
    if (!rows->failed) {
        if (status == CS_NO_SPACE)
            cs_log("cannot write the trace %s: no space left (%s)", rows->path, cause ? strerror(cause) : "disk full");
        else
            cs_log("cannot write the trace %s: %s", rows->path, sqlite3_errmsg(rows->db));
    }
    rows->failed = true;
    return status;
}

static enum cs_status complain_of_memory(struct cs_trace_writer *rows)
{
    if (!rows->failed)
        cs_log("cannot write the trace %s: out of memory", rows->path);
    rows->failed = true;
    return CS_NO_MEMORY;
}

static enum cs_status execute(struct cs_trace_writer *rows, const char *sql)
{
    errno = 0;
    return sqlite3_exec(rows->db, sql, NULL, NULL, NULL) == SQLITE_OK ? CS_OK : complain(rows);
}

/* Writes an empty trace with its tables. Returns false with the cause in errno. */
static bool write_image(int fd, const struct cs_trace_image *image)
{
    char *content = calloc(1, image->bytes);
    if (!content)
        return false;
    for (size_t i = 0; i < image->parts; i++)
        memcpy(content + image->part[i].at, image->part[i].content, image->part[i].bytes);
    size_t done = 0;
    for (ssize_t written = 1; done < image->bytes && (written > 0 || (written < 0 && errno == EINTR));) {
        written = write(fd, content + done, image->bytes - done);
        done += written > 0 ? (size_t)written : 0;
    }
    free(content);
    return done == image->bytes;
}

/* The file is created before SQLite opens it, so that nobody's file or link is followed or overwritten. */
static enum cs_status create_temporary(struct cs_trace_writer *rows, const struct stat *like,
                                       const struct cs_trace_image *image)
{
    int fd = cs_temporary_create(rows->path, rows->temporary);
    bool done = fd >= 0 && (!like || cs_owner_give(fd, like)) && (!image || write_image(fd, image));
    enum cs_status status = done ? CS_OK : status_of_errno(errno);
    if (!done)
        cs_log("cannot write the trace %s: %s", rows->path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return status;
}

static enum cs_status add_tables(struct cs_trace_writer *rows, bool of_node)
{
    int result = of_node ? cs_schema_add_node_tables(rows->db) : cs_schema_add_tables(rows->db, true);
    if (result != SQLITE_OK)
        return complain(rows);
    rows->common = of_node ? cs_common_rows_create(rows->db) : NULL;
    return of_node && !rows->common ? complain_of_memory(rows) : CS_OK;
}

static enum cs_status open_database(struct cs_trace_writer *rows, unsigned page_bytes, bool of_node, bool has_tables)
{
    /* unix-none uses no locks, because some shared file systems have none. No other process knows the file yet. */
    if (sqlite3_open_v2(rows->temporary, &rows->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                        cs_long_path_vfs("unix-none")) != SQLITE_OK)
        return rows->db ? complain(rows) : CS_NO_MEMORY;
    char sql[256];
    snprintf(
        sql, sizeof sql,
        "PRAGMA page_size = %u; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
        " PRAGMA cache_size = -2048; PRAGMA temp_store = MEMORY; BEGIN",
        page_bytes);
    enum cs_status status = execute(rows, sql);
    if (status == CS_OK && !has_tables)
        status = add_tables(rows, of_node);
    const struct cs_rows_source source = {.context = &rows->filling, .next = next_row, .give = give_value};
    if (status == CS_OK && cs_rows_table_add(rows->db, "source", &source) != SQLITE_OK)
        status = complain(rows);
    return status;
}

static enum cs_status create(const char *path, const struct stat *like, unsigned page_bytes, bool of_node,
                             struct cs_trace_writer **rows)
{
    if (sqlite3_libversion_number() < SQLITE_NEEDED) {
        cs_log("cannot write the trace %s: the SQLite in this process is %s, 3.37 is needed", path,
               sqlite3_libversion());
        return CS_SQL;
    }
    struct cs_trace_writer *made = calloc(1, sizeof *made);
    if (!made) {
        cs_log("cannot write the trace %s: out of memory", path);
        return CS_NO_MEMORY;
    }
    const struct cs_trace_image *image = !of_node && page_bytes == cs_empty_trace.page_bytes ? &cs_empty_trace : NULL;
    enum cs_status status = CS_IO;
    if (strlen(path) < sizeof made->path) {
        strcpy(made->path, path);
        status = create_temporary(made, like, image);
    } else {
        cs_log("cannot write the trace %s: the name is too long", path);
    }
    if (status == CS_OK)
        status = open_database(made, page_bytes, of_node, image);
    if (status == CS_OK)
        *rows = made;
    else
        cs_trace_close(made, false, false);
    return status;
}

enum cs_status cs_trace_create(const char *path, int64_t rank, const struct stat *like, unsigned page_bytes,
                               struct cs_trace_writer **rows)
{
    enum cs_status status = create(path, like, page_bytes, false, rows);
    if (status == CS_OK)
        (*rows)->rank = rank;
    return status;
}

enum cs_status cs_trace_create_of_node(const char *path, const struct stat *like, struct cs_trace_writer **rows)
{
    enum { PAGE_BYTES = 4096 };
    return create(path, like, PAGE_BYTES, true, rows);
}

void cs_trace_set_rank(struct cs_trace_writer *rows, int64_t rank)
{
    rows->rank = rank;
}

void cs_trace_keep_others(struct cs_trace_writer *rows)
{
    rows->keep_others = true;
}

static bool has_common_rows(const struct cs_trace_writer *rows, enum cs_row row)
{
    return rows->common && cs_common_tables[row].create;
}

/* Statements are prepared at first use, because most traces need few. NULL: an error was logged. */
static sqlite3_stmt *statement_of(struct cs_trace_writer *rows, enum cs_row row)
{
    sqlite3_stmt **statement = &rows->statement[row];
    const char *sql = has_common_rows(rows, row) ? cs_common_tables[row].add_own : cs_row_statements[row].sql;
    errno = 0;
    if (!*statement && sqlite3_prepare_v3(rows->db, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) != SQLITE_OK)
        complain(rows);
    return *statement;
}

static enum cs_status step(struct cs_trace_writer *rows, sqlite3_stmt *statement)
{
    int result = sqlite3_step(statement);
    enum cs_status status = result == SQLITE_DONE    ? CS_OK
                            : result == SQLITE_NOMEM ? complain_of_memory(rows)
                                                     : complain(rows);
    sqlite3_reset(statement);
    return status;
}

enum cs_status cs_trace_insert(struct cs_trace_writer *rows, enum cs_row row, const void *values)
{
    const struct cs_row_statement *how = &cs_row_statements[row];
    const struct cs_value *value = values;
    sqlite3_stmt *statement = statement_of(rows, row);
    if (!statement)
        return CS_SQL;
    int bound = how->ranked;
    if (bound)
        sqlite3_bind_int64(statement, 1, rows->rank);
    for (int i = 0; i < how->values; i++)
        if (cs_value_bind(statement, ++bound, &value[i]) != SQLITE_OK)
            return complain_of_memory(rows);
    if (has_common_rows(rows, row)) {
        int64_t number;
        int result = cs_common_rows_find(rows->common, row, value, &number);
        if (result != SQLITE_OK)
            return result == SQLITE_NOMEM ? complain_of_memory(rows) : complain(rows);
        sqlite3_bind_int64(statement, ++bound, number);
    }
    return step(rows, statement);
}

enum cs_status cs_trace_fill(struct cs_trace_writer *rows, enum cs_row row, cs_trace_next_row *next, void *context)
{
    sqlite3_stmt *statement = statement_of(rows, row);
    if (!statement)
        return CS_SQL;
    if (cs_row_statements[row].ranked)
        sqlite3_bind_int64(statement, 1, rows->rank);
    rows->filling.next = next;
    rows->filling.context = context;
    rows->filling.common = has_common_rows(rows, row) ? rows->common : NULL;
    rows->filling.row = row;
    return step(rows, statement);
}

enum cs_status cs_trace_compute(struct cs_trace_writer *rows, int (*compute)(struct sqlite3 *db))
{
    errno = 0;
    int result = compute(rows->db);
    if (result == SQLITE_NOMEM)
        return CS_NO_MEMORY;
    return result == SQLITE_OK ? CS_OK : complain(rows);
}

bool cs_trace_has_failed(const struct cs_trace_writer *rows)
{
    return rows->failed;
}

enum cs_status cs_trace_commit(struct cs_trace_writer *rows)
{
    return execute(rows, "COMMIT");
}

enum cs_status cs_trace_compact(struct cs_trace_writer *rows)
{
    return execute(rows, "VACUUM");
}

static bool put_in_place(const struct cs_trace_writer *rows, bool durable)
{
    int fd = durable ? open(rows->temporary, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
    bool done = !durable || (fd >= 0 && cs_sync_file(fd));
    if (done && rows->keep_others)
        done = cs_rename_without_replacing(rows->temporary, rows->path);
    else if (done)
        done = rename(rows->temporary, rows->path) == 0;
    int error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return done;
}

enum cs_status cs_trace_close(struct cs_trace_writer *rows, bool keep, bool durable)
{
    if (!rows)
        return CS_OK;
    enum cs_status status = CS_OK;
    for (size_t i = 0; i < CS_ROW_COUNT; i++)
        sqlite3_finalize(rows->statement[i]);
    cs_common_rows_destroy(rows->common);
    sqlite3_close(rows->db);
    if (keep && !put_in_place(rows, durable)) {
        cs_log("cannot write the trace %s: %s", rows->path, strerror(errno));
        status = CS_IO;
    }
    if (rows->temporary[0] && (!keep || status != CS_OK))
        unlink(rows->temporary);
    free(rows);
    return status;
}
