#include "db/trace/rows.h"

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
#include "db/journal/run_files.h"
#include "db/trace/long_path.h"
#include "db/trace/rows_source.h"
#include "db/trace/schema.h"

#define SQLITE_NEEDED 3037000

struct cs_rows {
    sqlite3 *db;
    sqlite3_stmt *statement[CS_ROW_COUNT];
    struct cs_rows_source source;
    bool failed; /* said once */
    char path[PATH_MAX];
    char temporary[PATH_MAX];
};

/* Where a fact may come more than once, the last one holds; rows that are filled were gathered before. */
static const char *const statements[CS_ROW_COUNT] = {
    [CS_ROW_META] = "INSERT INTO meta VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
    [CS_ROW_PROCESS] =
        "INSERT INTO process (rank, world_size, node, pid, program, arguments, thread_level, started_utc, zero_utc_ns,"
        " zero_monotonic_ns, clock_offset_ns, began_ns, init_ns, finalize_ns, last_seen_ns, found_dead_ns, outcome, "
        "last_function, "
        "last_object, "
        "last_peer,"
        " last_tag, last_bytes, last_site, last_since_ns, threads, calls, mpi_ns, lost, damaged, run_hash)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    /* A number twice is damage: the first one stays. */
    [CS_ROW_THREAD] = "INSERT OR IGNORE INTO thread VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
                      " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [CS_ROW_SEALED] = "UPDATE process SET seal_ns = ?",
    [CS_ROW_FUNCTION] = "INSERT INTO function VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [CS_ROW_FRAME] = "INSERT OR IGNORE INTO frame (frame, module, build_id, offset) VALUES (?, ?, ?, ?)",
    [CS_ROW_SITE] = "INSERT INTO site VALUES (?, ?, ?)",
    [CS_ROW_RULE] = "INSERT OR REPLACE INTO rule VALUES (?, ?, ?)",
    [CS_ROW_KEYVAL] =
        "INSERT INTO keyval VALUES (?, ?, ?, ?, ?, ?, ?, 1) ON CONFLICT DO UPDATE SET name = excluded.name,"
        " function = excluded.function, site = excluded.site, created_ns = excluded.created_ns, created = created + 1",
    [CS_ROW_CREATED_KEYVAL] =
        "INSERT OR REPLACE INTO created_keyval (rank, object, kind, keyval, language, copy_function, copy_site,"
        " delete_function, delete_site, extra_state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [CS_ROW_HOLDERS] = "UPDATE created_keyval SET holders = ?3 WHERE rank = ?1 AND object = ?2",
    [CS_ROW_PLACEMENT] =
        "INSERT INTO placement (rank, at_ns, thread, reason, processor_name, cpu, allowed_cpus, move, site, calls, "
        "last_ns)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [CS_ROW_PROCESSOR] = "INSERT OR REPLACE INTO processor VALUES (?, ?, ?, ?, ?, ?, ?)",
    [CS_ROW_THREAD_PROCESSOR] =
        "INSERT INTO thread_processor VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
        " calls = calls + excluded.calls, moves = moves + excluded.moves, first_ns = min(first_ns, excluded.first_ns),"
        " last_ns = max(last_ns, excluded.last_ns)",
    [CS_ROW_PCONTROL] = "INSERT INTO pcontrol VALUES (?, ?, ?)",
    [CS_ROW_EXCLUSION] = "INSERT INTO exclusion VALUES (?, ?, ?, ?, ?, ?, ?)",
    [CS_ROW_PENDING] = "INSERT INTO pending_request VALUES (?, ?, ?, ?, ?)",
    /* One of the last calls may also be the 8th. */
    [CS_ROW_SYNCHRONIZATION] = "INSERT OR IGNORE INTO synchronization VALUES (?, ?, ?, ?, ?)",
    [CS_ROW_COLLECTIVE] = "INSERT OR REPLACE INTO collective VALUES (?, ?, ?, ?, ?)",
    [CS_ROW_ACTIVE_REQUEST] =
        "INSERT OR IGNORE INTO active_request VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [CS_ROW_WINDOW_LOCK] = "INSERT INTO window_lock VALUES (?, ?, ?, ?)",
    [CS_ROW_OBJECT] =
        "INSERT INTO object (rank, object, kind, handle, fortran_handle, uid, family, parent, function, site, "
        "created_ns,"
        " internal, predefined, adopted, detail, name, name_origin, freed_function, freed_site, freed_ns)"
        " SELECT c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19 FROM source",
    [CS_ROW_NAMING] = "INSERT INTO naming (rank, object, at_ns, name, origin, rule, site, kind, error)"
                      " SELECT c0, c1, c2, c3, c4, c5, c6, c7, c8 FROM source",
    [CS_ROW_COMMUNICATOR] =
        "INSERT INTO communicator (rank, object, size, own_rank, remote_size, members, topology, ready_ns)"
        " SELECT c0, c1, c2, c3, c4, c5, c6, c7 FROM source",
    [CS_ROW_DATATYPE] =
        "INSERT INTO datatype (rank, object, combiner, size_bytes, lower_bound_bytes, extent_bytes, commits)"
        " SELECT c0, c1, c2, c3, c4, c5, c6 FROM source",
    [CS_ROW_WINDOW] = "INSERT INTO window (rank, object, communicator, flavor, model, base, size_bytes,"
                      " displacement_unit_bytes) SELECT c0, c1, c2, c3, c4, c5, c6, c7 FROM source",
    [CS_ROW_ATTRIBUTE] =
        "INSERT INTO attribute (rank, object, kind, keyval, operation, found, value_kind, value, error, site, calls,"
        " first_ns, last_ns) SELECT c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12 FROM source",
    [CS_ROW_TRAFFIC] = "INSERT INTO traffic (rank, object, direction, peer, source, dest, messages, bytes, time_ns)"
                       " SELECT c0, c1, c2, c3, c4, c5, c6, c7, c8 FROM source",
    [CS_ROW_TAG] = "INSERT INTO tag (rank, communicator, direction, tag, last_tag, largest_tag, site, messages)"
                   " SELECT c0, c1, c2, c3, c4, c5, c6, c7 FROM source",
    [CS_ROW_COMPARISON] = "INSERT INTO comparison (rank, kind, first, second, answer, site, calls, first_ns, last_ns)"
                          " SELECT c0, c1, c2, c3, c4, c5, c6, c7, c8 FROM source",
    [CS_ROW_PROFILE] =
        "INSERT INTO profile (rank, communicator, object, function, site, size_class, calls, time_ns, min_ns,"
        " max_ns, sent_bytes, received_bytes) SELECT c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10,"
        " c11 FROM source",
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
    if (status == CS_OK)
        status = execute(rows, cs_schema_sql);
    if (status == CS_OK)
        status = add_views(rows);
    if (status == CS_OK && cs_rows_source_add(rows->db, &rows->source) != SQLITE_OK)
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
        cs_rows_close(made, false, false);
    return status;
}

static int bind_value(sqlite3_stmt *statement, int column, const struct cs_value *value)
{
    if (value->type == CS_VALUE_IS_INT)
        return sqlite3_bind_int64(statement, column, value->number);
    if (value->type != CS_VALUE_IS_TEXT)
        return sqlite3_bind_null(statement, column);
    char *converted;
    const char *text = cs_utf8_of(value->text, &converted);
    return text ? sqlite3_bind_text(statement, column, text, -1, converted ? free : SQLITE_STATIC) : SQLITE_NOMEM;
}

static enum cs_status complain_of_memory(struct cs_rows *rows)
{
    if (!rows->failed)
        cs_log("cannot write the trace %s: out of memory", rows->path);
    rows->failed = true;
    return CS_NO_MEMORY;
}

/* Prepared when first needed: most traces need few of them. NULL: complained. */
static sqlite3_stmt *statement_of(struct cs_rows *rows, enum cs_row row)
{
    sqlite3_stmt **statement = &rows->statement[row];
    errno = 0;
    if (!*statement &&
        sqlite3_prepare_v3(rows->db, statements[row], -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) != SQLITE_OK)
        complain(rows);
    return *statement;
}

static enum cs_status step(struct cs_rows *rows, sqlite3_stmt *statement)
{
    int result = sqlite3_step(statement);
    enum cs_status status = result == SQLITE_DONE    ? CS_OK
                            : result == SQLITE_NOMEM ? complain_of_memory(rows)
                                                     : complain(rows);
    sqlite3_reset(statement);
    return status;
}

enum cs_status cs_rows_write(struct cs_rows *rows, enum cs_row row, const struct cs_value *values, size_t count)
{
    sqlite3_stmt *statement = statement_of(rows, row);
    if (!statement)
        return CS_SQL;
    for (size_t i = 0; i < count; i++)
        if (bind_value(statement, (int)i + 1, &values[i]) != SQLITE_OK)
            return complain_of_memory(rows);
    return step(rows, statement);
}

enum cs_status cs_rows_fill(struct cs_rows *rows, enum cs_row row, cs_rows_next *next, void *context)
{
    sqlite3_stmt *statement = statement_of(rows, row);
    if (!statement)
        return CS_SQL;
    rows->source.next = next;
    rows->source.context = context;
    return step(rows, statement);
}

bool cs_rows_failed(const struct cs_rows *rows)
{
    return rows->failed;
}

enum cs_status cs_rows_commit(struct cs_rows *rows)
{
    return execute(rows, "COMMIT");
}

static bool put_in_place(const struct cs_rows *rows, bool durable)
{
    int fd = durable ? open(rows->temporary, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
    bool done = !durable || (fd >= 0 && cs_durable_content(fd));
    done = done && rename(rows->temporary, rows->path) == 0;
    int error = errno;
    if (fd >= 0)
        close(fd);
    if (done && durable)
        cs_durable_name(rows->path);
    errno = error;
    return done;
}

enum cs_status cs_rows_close(struct cs_rows *rows, bool keep, bool durable)
{
    if (!rows)
        return CS_OK;
    enum cs_status status = CS_OK;
    for (size_t i = 0; i < CS_ROW_COUNT; i++)
        sqlite3_finalize(rows->statement[i]);
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
