#include "db/rows.h"

#include <errno.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "db/owner.h"
#include "db/schema.h"
#include "db/temporary.h"
#include "db/utf8.h"

#define SQLITE_NEEDED 3037000

struct cs_rows {
    sqlite3 *db;
    sqlite3_stmt *statement[CS_ROW_COUNT];
    sqlite3_stmt *object_name;
    bool failed; /* said once */
    char path[PATH_MAX];
    char temporary[PATH_MAX];
};

/* Facts may come in any order and about objects whose birth was lost: every statement makes the row it needs. */
static const char *const statements[CS_ROW_COUNT] = {
    [CS_ROW_META] = "INSERT INTO meta VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
    [CS_ROW_PROCESS] =
        "INSERT INTO process (rank, world_size, node, pid, program, arguments, thread_level, started_utc, zero_utc_ns,"
        " clock_offset_ns, began_ns, init_ns, finalize_ns, seen_ns, outcome, last_function, last_object, last_peer, "
        "last_tag,"
        " last_since_ns, threads, calls, mpi_ns, lost, damaged, run_hash)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [CS_ROW_FUNCTION] = "INSERT INTO function VALUES (?, ?, ?)",
    [CS_ROW_FRAME] = "INSERT OR IGNORE INTO frame (frame, module, build_id, offset) VALUES (?, ?, ?, ?)",
    [CS_ROW_SITE] = "INSERT OR IGNORE INTO site VALUES (?, ?, ?)",
    [CS_ROW_OBJECT] =
        "INSERT INTO object (rank, object, kind, handle, fortran_handle, uid, family, parent, function, site, born_ns,"
        " internal, predefined, adopted, detail, name, name_origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
        "?, ?, ?)"
        " ON CONFLICT DO UPDATE SET kind = excluded.kind, handle = excluded.handle,"
        " fortran_handle = excluded.fortran_handle, uid = excluded.uid, family = excluded.family, parent = "
        "excluded.parent, function = excluded.function,"
        " site = excluded.site, born_ns = excluded.born_ns, internal = excluded.internal,"
        " predefined = excluded.predefined, adopted = excluded.adopted, detail = excluded.detail",
    [CS_ROW_OBJECT_NAME] =
        "INSERT INTO object (rank, object, kind, name, name_origin, internal, predefined, adopted)"
        " VALUES (?, ?, 'unknown', ?, ?, 0, 0, 1)"
        " ON CONFLICT DO UPDATE SET name = excluded.name, name_origin = excluded.name_origin"
        /* "Dup x", which an MPI invents, says less than how a datatype was made */
        " WHERE NOT (excluded.name_origin IS 'mpi' AND object.name_origin IS 'derived' AND object.kind = 'datatype')",
    [CS_ROW_OBJECT_DETAIL] = "UPDATE object SET detail = CASE WHEN length(detail) > 2 THEN"
                             " substr(detail, 1, length(detail) - 1) || ',' ELSE '{' END || ?3 || '}'"
                             " WHERE rank = ?1 AND object = ?2",
    [CS_ROW_DERIVED_NAMES] =
        "INSERT INTO naming SELECT rank, object, born_ns, name, name_origin, NULL, NULL FROM object"
        " WHERE name_origin = 'derived' AND kind = 'datatype'"
        " AND object NOT IN (SELECT object FROM naming WHERE origin = 'derived')",
    [CS_ROW_OBJECT_FREED] =
        "INSERT INTO object (rank, object, kind, freed_function, freed_site, freed_ns, internal, predefined,"
        " adopted) VALUES (?, ?, 'unknown', ?, ?, ?, 0, 0, 1) ON CONFLICT DO UPDATE SET"
        " freed_function = excluded.freed_function, freed_site = excluded.freed_site, freed_ns = excluded.freed_ns",
    [CS_ROW_NAMING] = "INSERT INTO naming VALUES (?, ?, ?, ?, ?, ?, ?)",
    [CS_ROW_RULE] = "INSERT OR REPLACE INTO rule VALUES (?, ?, ?)",
    [CS_ROW_COMMUNICATOR] =
        "INSERT INTO communicator (rank, object, size, own_rank, remote_size, members, topology)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET size = excluded.size,"
        " own_rank = excluded.own_rank, remote_size = excluded.remote_size, members = excluded.members,"
        " topology = excluded.topology",
    /* A duplicate is what its parent is, which was not written again. */
    [CS_ROW_DUPLICATE] = "INSERT INTO communicator (rank, object, size, own_rank, remote_size, members, topology)"
                         " SELECT ?1, ?2, p.size, p.own_rank, p.remote_size, p.members, p.topology FROM (SELECT 1)"
                         " LEFT JOIN object o ON o.rank = ?1 AND o.object = ?2"
                         " LEFT JOIN communicator p ON p.rank = o.rank AND p.object = o.parent"
                         " WHERE true ON CONFLICT DO NOTHING",
    [CS_ROW_READY] = "INSERT INTO communicator (rank, object, ready_ns) VALUES (?, ?, ?)"
                     " ON CONFLICT DO UPDATE SET ready_ns = excluded.ready_ns",
    [CS_ROW_DATATYPE] =
        "INSERT INTO datatype VALUES (?, ?, ?, ?, ?, ?, 0) ON CONFLICT DO UPDATE SET combiner = excluded.combiner,"
        " size_bytes = excluded.size_bytes, lower_bound_bytes = excluded.lower_bound_bytes,"
        " extent_bytes = excluded.extent_bytes",
    [CS_ROW_COMMIT] = "INSERT INTO datatype (rank, object, commits) VALUES (?, ?, 1)"
                      " ON CONFLICT DO UPDATE SET commits = commits + 1",
    [CS_ROW_WINDOW] = "INSERT OR REPLACE INTO window VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    [CS_ROW_KEYVAL] =
        "INSERT INTO keyval VALUES (?, ?, ?, ?, ?, ?, ?, 1) ON CONFLICT DO UPDATE SET name = excluded.name,"
        " function = excluded.function, site = excluded.site, born_ns = excluded.born_ns, made = made + 1",
    [CS_ROW_PLACEMENT] = "INSERT INTO placement VALUES (?, ?, ?, ?, ?, ?, ?)",
    [CS_ROW_PCONTROL] = "INSERT INTO pcontrol VALUES (?, ?, ?)",
    [CS_ROW_ATTRIBUTE] = "INSERT INTO attribute VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
                         " calls = calls + excluded.calls, first_ns = min(first_ns, excluded.first_ns),"
                         " last_ns = max(last_ns, excluded.last_ns)",
    /* min() and max() of SQL are NULL when one of two is; the sum of a cell without calls and one with calls is not. */
    [CS_ROW_PROFILE] =
        "INSERT INTO profile VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
        " calls = calls + excluded.calls, time_ns = time_ns + excluded.time_ns,"
        " min_ns = coalesce(min(min_ns, excluded.min_ns), min_ns, excluded.min_ns),"
        " max_ns = coalesce(max(max_ns, excluded.max_ns), max_ns, excluded.max_ns),"
        " sent_bytes = sent_bytes + excluded.sent_bytes, received_bytes = received_bytes + excluded.received_bytes",
};

static enum cs_status status_of_errno(int error)
{
    return error == ENOSPC || error == EDQUOT || error == EFBIG ? CS_NO_SPACE : CS_IO;
}

/* What the operating system said about the failure. SQLite remembers it for statements, but not for a COMMIT. */
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

/* Logs what SQLite said, once. */
static enum cs_status complain(struct cs_rows *rows)
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

static enum cs_status execute(struct cs_rows *rows, const char *sql)
{
    errno = 0;
    return sqlite3_exec(rows->db, sql, NULL, NULL, NULL) == SQLITE_OK ? CS_OK : complain(rows);
}

/* SQLite opens what exists, so that nobody's file or link is followed or overwritten. */
static enum cs_status create_temporary(struct cs_rows *rows, const struct stat *like)
{
    int fd = cs_temporary_create(rows->path, rows->temporary);
    bool done = fd >= 0 && (!like || cs_owner_give(fd, like));
    enum cs_status status = done ? CS_OK : status_of_errno(errno);
    if (!done)
        cs_log("cannot write the trace %s: %s", rows->path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return status;
}

/* Views as plain rows of the schema, what they would become: to have SQLite parse them all takes 6 ms, which every rank
   would spend in MPI_Finalize. */
static enum cs_status add_views(struct cs_rows *rows)
{
    static const char sql[] = "INSERT INTO sqlite_schema VALUES ('view', ?1, ?1, 0, ?2)";
    sqlite3_stmt *insert = NULL;
    sqlite3_db_config(rows->db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    sqlite3_db_config(rows->db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
    bool done = sqlite3_prepare_v2(rows->db, sql, -1, &insert, NULL) == SQLITE_OK;
    for (size_t i = 0; done && i < cs_views_count; i++) {
        sqlite3_bind_text(insert, 1, cs_views[i].name, -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 2, cs_views[i].sql, -1, SQLITE_STATIC);
        done = sqlite3_step(insert) == SQLITE_DONE;
        sqlite3_reset(insert);
    }
    enum cs_status status = done ? CS_OK : complain(rows);
    sqlite3_finalize(insert);
    sqlite3_db_config(rows->db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0, NULL);
    return status;
}

static enum cs_status open_database(struct cs_rows *rows, unsigned page_bytes)
{
    /* unix-none: no locks, which some shared file systems cannot do. Nobody else knows the file yet. */
    if (sqlite3_open_v2(rows->temporary, &rows->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, "unix-none") !=
        SQLITE_OK)
        return rows->db ? complain(rows) : CS_NO_MEMORY;
    char sql[256];
    snprintf(
        sql, sizeof sql,
        "PRAGMA page_size = %u; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
        " PRAGMA cache_size = -2048; PRAGMA temp_store = MEMORY; BEGIN",
        page_bytes);
    enum cs_status status = execute(rows, sql);
    if (status == CS_OK)
        status = execute(rows, cs_schema_sql);
    if (status == CS_OK)
        status = add_views(rows);
    for (size_t i = 0; status == CS_OK && i < CS_ROW_COUNT; i++)
        if (sqlite3_prepare_v3(rows->db, statements[i], -1, SQLITE_PREPARE_PERSISTENT, &rows->statement[i], NULL) !=
            SQLITE_OK)
            status = complain(rows);
    if (status == CS_OK && sqlite3_prepare_v3(rows->db, "SELECT name FROM object WHERE rank = ? AND object = ?", -1,
                                              SQLITE_PREPARE_PERSISTENT, &rows->object_name, NULL) != SQLITE_OK)
        status = complain(rows);
    return status;
}

enum cs_status cs_rows_create(const char *path, const struct stat *like, unsigned page_bytes, struct cs_rows **rows)
{
    if (sqlite3_libversion_number() < SQLITE_NEEDED) {
        cs_log("cannot write the trace %s: the SQLite in this process is %s, 3.37 is needed", path,
               sqlite3_libversion());
        return CS_SQL;
    }
    struct cs_rows *made = calloc(1, sizeof *made);
    if (!made) {
        cs_log("cannot write the trace %s: out of memory", path);
        return CS_NO_MEMORY;
    }
    enum cs_status status = CS_IO;
    if (strlen(path) < sizeof made->path) {
        strcpy(made->path, path);
        status = create_temporary(made, like);
    } else {
        cs_log("cannot write the trace %s: the name is too long", path);
    }
    if (status == CS_OK)
        status = open_database(made, page_bytes);
    if (status == CS_OK)
        *rows = made;
    else
        cs_rows_close(made, false);
    return status;
}

static int bind_value(sqlite3_stmt *statement, int column, const struct cs_value *value)
{
    if (value->type == CS_VALUE_IS_INT)
        return sqlite3_bind_int64(statement, column, value->number);
    if (value->type != CS_VALUE_IS_TEXT)
        return sqlite3_bind_null(statement, column);
    if (cs_utf8_valid(value->text))
        return sqlite3_bind_text(statement, column, value->text, -1, SQLITE_STATIC);
    char *converted = cs_utf8_from_latin1(value->text);
    if (!converted)
        return SQLITE_NOMEM;
    return sqlite3_bind_text(statement, column, converted, -1, free);
}

enum cs_status cs_rows_write(struct cs_rows *rows, enum cs_row row, const struct cs_value *values, size_t count)
{
    sqlite3_stmt *statement = rows->statement[row];
    int result = SQLITE_OK;
    errno = 0;
    for (size_t i = 0; i < count && result == SQLITE_OK; i++)
        result = bind_value(statement, (int)i + 1, &values[i]);
    if (result == SQLITE_OK)
        result = sqlite3_step(statement);
    enum cs_status status = CS_OK;
    if (result == SQLITE_NOMEM) {
        if (!rows->failed)
            cs_log("cannot write the trace %s: out of memory", rows->path);
        rows->failed = true;
        status = CS_NO_MEMORY;
    } else if (result != SQLITE_DONE) {
        status = complain(rows);
    }
    sqlite3_reset(statement);
    return status;
}

enum cs_status cs_rows_object_name(struct cs_rows *rows, int64_t rank, int64_t object, char *name, size_t bytes)
{
    sqlite3_stmt *query = rows->object_name;
    errno = 0;
    sqlite3_bind_int64(query, 1, rank);
    sqlite3_bind_int64(query, 2, object);
    int result = sqlite3_step(query);
    const unsigned char *text = result == SQLITE_ROW ? sqlite3_column_text(query, 0) : NULL;
    size_t length = text ? strlen((const char *)text) : 0;
    if (length >= bytes)
        length = cs_utf8_cut((const char *)text, bytes - 1);
    if (text)
        memcpy(name, text, length);
    name[length] = '\0';
    enum cs_status status = result == SQLITE_ROW || result == SQLITE_DONE ? CS_OK : complain(rows);
    sqlite3_reset(query);
    return status;
}

bool cs_rows_failed(const struct cs_rows *rows)
{
    return rows->failed;
}

enum cs_status cs_rows_close(struct cs_rows *rows, bool keep)
{
    if (!rows)
        return CS_OK;
    enum cs_status status = keep ? execute(rows, "COMMIT") : CS_OK;
    for (size_t i = 0; i < CS_ROW_COUNT; i++)
        sqlite3_finalize(rows->statement[i]);
    sqlite3_finalize(rows->object_name);
    sqlite3_close(rows->db);
    if (keep && status == CS_OK && rename(rows->temporary, rows->path) != 0) {
        cs_log("cannot write the trace %s: %s", rows->path, strerror(errno));
        status = CS_IO;
    }
    if (rows->temporary[0] && (!keep || status != CS_OK))
        unlink(rows->temporary);
    free(rows);
    return status;
}
