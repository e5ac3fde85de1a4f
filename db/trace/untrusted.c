#include "db/trace/untrusted.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/trace/long_path.h"
#include "db/trace/schema.h"

const char *cs_merge_message(sqlite3 *db, char message[CS_MERGE_MESSAGE_BYTES])
{
    /* Messages quote content of a file, which can be any bytes. */
    bool endless = sqlite3_errcode(db) == SQLITE_INTERRUPT;
    snprintf(message, CS_MERGE_MESSAGE_BYTES, "%s",
             endless ? "it has more rows than its size allows" : sqlite3_errmsg(db));
    for (char *c = message; *c; c++)
        if (*c < 0x20 || *c > 0x7e)
            *c = '?';
    return message;
}

/* A view in place of a table would run SQL of the file; a virtual table would run a module's code on its data.
   SQLite itself checks that type and name in the file's schema match the definition, and rejects a view here: no
   such table. */
bool cs_merge_has_table(sqlite3 *db, const char *table)
{
    static const char sql[] = "SELECT sql GLOB 'CREATE TABLE *' FROM main.sqlite_schema WHERE name = ?1";
    return cs_query_is_true(db, sql, table) &&
           sqlite3_table_column_metadata(db, "main", table, NULL, NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}

const char *cs_merge_find_table(sqlite3 *db, size_t table, const char **order)
{
    const struct cs_common_table *common = &cs_common_tables[table];
    const char *name = cs_merge_statements[table].table;
    char own_rows[64], common_rows[64];
    if (order)
        *order = "";
    if (cs_merge_has_table(db, name))
        return cs_merge_statements[table].read;
    snprintf(own_rows, sizeof own_rows, "own_%s", name);
    snprintf(common_rows, sizeof common_rows, "common_%s", name);
    if (!common->create || !cs_merge_has_table(db, own_rows) || !cs_merge_has_table(db, common_rows))
        return NULL;
    if (order)
        *order = common->order;
    return common->read;
}

/* ---- opening ---- */

enum cs_status cs_untrusted_open(const char *address, int flags, const char *vfs, sqlite3 **db)
{
    int result = sqlite3_open_v2(address, db, flags | SQLITE_OPEN_URI, cs_long_path_vfs(vfs));
    if (result != SQLITE_OK) {
        sqlite3_close(*db);
        *db = NULL;
        return result == SQLITE_NOMEM ? CS_NO_MEMORY : CS_SQL;
    }
    sqlite3_db_config(*db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_exec(*db, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;", NULL, NULL, NULL);
    return CS_OK;
}

char *cs_merge_address_of(const char *path, const char *parameters)
{
    sqlite3_str *address = sqlite3_str_new(NULL);
    sqlite3_str_appendall(address, "file:");
    for (const char *c = path; *c; c++)
        if (strchr("%?#", *c))
            sqlite3_str_appendf(address, "%%%02x", (unsigned char)*c);
        else
            sqlite3_str_appendchar(address, 1, *c);
    sqlite3_str_appendf(address, "?%s", parameters);
    return sqlite3_str_finish(address);
}

/* Only a regular file: SQLite would wait for a pipe with that name. */
static bool has_companion(const char *path, const char *suffix)
{
    struct stat about;
    char *companion = sqlite3_mprintf("%s%s", path, suffix);
    bool found = companion && stat(companion, &about) == 0 && S_ISREG(about.st_mode);
    sqlite3_free(companion);
    return found;
}

bool cs_trace_is_changing(const char *path)
{
    return has_companion(path, "-journal") || has_companion(path, "-wal");
}

/* Traces appear complete, by a rename, and need no locks, which some shared file systems lack. */
char *cs_merge_address(const char *path)
{
    return cs_merge_address_of(path, cs_trace_is_changing(path) ? "mode=ro" : "mode=ro&immutable=1");
}

static enum cs_status look_at_version(int64_t version, const char *path, char *message)
{
    if (version > CS_TRACE_VERSION) {
        snprintf(message, CS_UNTRUSTED_MESSAGE_BYTES,
                 "%s was written by a newer callsign (trace version %lld, this one reads %d): use that version", path,
                 (long long)version, CS_TRACE_VERSION);
        return CS_TOO_NEW;
    }
    return CS_OK;
}

static enum cs_status look_at_schema(sqlite3 *db, const char *path, char *message)
{
    char reason[CS_MERGE_MESSAGE_BYTES];
    const char *table;
    if (cs_schema_is_declared(db, &table))
        return CS_OK;
    if (table)
        snprintf(message, CS_UNTRUSTED_MESSAGE_BYTES,
                 "%s is damaged: it has no table %s as callsign makes it; left out", path, table);
    else
        snprintf(message, CS_UNTRUSTED_MESSAGE_BYTES, "%s is damaged: %s; left out", path,
                 cs_merge_message(db, reason));
    return CS_CORRUPT;
}

enum cs_status cs_trace_check(sqlite3 *db, const char *path, char message[CS_UNTRUSTED_MESSAGE_BYTES])
{
    int64_t application, version;
    char why[CS_MERGE_MESSAGE_BYTES];
    if (!cs_merge_query_integer(db, "PRAGMA main.application_id", NULL, &application) ||
        !cs_merge_query_integer(db, "PRAGMA main.user_version", NULL, &version)) {
        snprintf(message, CS_UNTRUSTED_MESSAGE_BYTES, "%s is damaged: %s; left out", path, cs_merge_message(db, why));
        return CS_CORRUPT;
    }
    if (application != CS_TRACE_APPLICATION_ID || version < 1) {
        snprintf(message, CS_UNTRUSTED_MESSAGE_BYTES, "%s is a database, but not a callsign trace", path);
        return CS_NOT_OURS;
    }
    enum cs_status status = look_at_version(version, path, message);
    return status == CS_OK ? look_at_schema(db, path, message) : status;
}

/* ---- a budget ---- */

/* Steps of SQLite's machine for each byte of the file. Files of ranks and nodes take 0.1 to 1; a table of one small
   number in each row would take 5. */
enum { STEPS_PER_BYTE = 16, STEPS_LEAST = 1000000, STEPS_AT_ONCE = 1000 };

static int spend(void *context)
{
    int64_t *left = context;
    *left -= STEPS_AT_ONCE;
    return *left < 0;
}

static void never(sqlite3_context *context, int count, sqlite3_value **value)
{
    (void)count, (void)value;
    sqlite3_result_error(context, "this is no function", -1);
}

/* The connection frees the budget when it ends, as what belongs to a function. */
static enum cs_status set_budget(sqlite3 *db, int64_t bytes)
{
    int64_t *left = malloc(sizeof *left);
    if (!left)
        return CS_NO_MEMORY;
    if (__builtin_mul_overflow(bytes, STEPS_PER_BYTE, left) || *left < STEPS_LEAST)
        *left = bytes < STEPS_LEAST ? STEPS_LEAST : INT64_MAX;
    if (sqlite3_create_function_v2(db, "callsign_budget", 0, SQLITE_UTF8, left, never, NULL, NULL, free) != SQLITE_OK)
        return CS_NO_MEMORY; /* SQLite has freed it */
    sqlite3_progress_handler(db, STEPS_AT_ONCE, spend, left);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, CS_TRACE_LIST_MOST);
    return CS_OK;
}

/* ---- traces ---- */

static enum cs_status say_unreadable(const char *path, char *message)
{
    struct stat about;
    const char *why = "damaged: it cannot be opened";
    if (access(path, R_OK) != 0) {
        snprintf(message, CS_UNTRUSTED_MESSAGE_BYTES, "%s cannot be read: %s; left out", path, strerror(errno));
        return CS_CORRUPT;
    }
    if (lstat(path, &about) == 0 && S_ISLNK(about.st_mode))
        why = "a symbolic link, which is not followed: copy the file";
    snprintf(message, CS_UNTRUSTED_MESSAGE_BYTES, "%s is %s; left out", path, why);
    return CS_CORRUPT;
}

enum cs_status cs_trace_open(const char *path, sqlite3 **db, char *message)
{
    struct stat about;
    char unread[CS_UNTRUSTED_MESSAGE_BYTES];
    char *address = cs_merge_address(path);
    *db = NULL;
    if (!message)
        message = unread;
    *message = '\0';
    if (!address)
        return CS_NO_MEMORY;
    enum cs_status status = cs_untrusted_open(address, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL, db);
    sqlite3_free(address);
    if (status == CS_OK && stat(path, &about) == 0)
        status = set_budget(*db, about.st_size);
    else if (status != CS_NO_MEMORY)
        status = say_unreadable(path, message);
    if (status == CS_OK)
        status = cs_trace_check(*db, path, message);
    if (status == CS_OK)
        return CS_OK;
    sqlite3_close(*db);
    *db = NULL;
    return status;
}

/* A row has its payload on one page, and on further ones that are its own. */
bool cs_trace_is_short(sqlite3 *db)
{
    static const char sql[] = "SELECT NOT EXISTS (SELECT 1 FROM dbstat WHERE mx_payload > ?1)";
    sqlite3_stmt *ask = NULL;
    bool is_short = sqlite3_prepare_v2(db, sql, -1, &ask, NULL) == SQLITE_OK && /* an SQLite may lack dbstat */
                    sqlite3_bind_int(ask, 1, CS_TRACE_TEXT_MOST) == SQLITE_OK && sqlite3_step(ask) == SQLITE_ROW &&
                    sqlite3_column_int(ask, 0);
    sqlite3_finalize(ask);
    return is_short;
}

void cs_trace_trust(sqlite3 *db)
{
    sqlite3_progress_handler(db, 0, NULL, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, INT_MAX);
}

enum cs_status cs_merge_status(sqlite3 *db, int result)
{
    if (result == SQLITE_OK)
        return CS_OK;
    switch (sqlite3_extended_errcode(db)) {
    case SQLITE_NOMEM:
    case SQLITE_IOERR_NOMEM:
        return CS_NO_MEMORY;
    case SQLITE_FULL:
        return CS_NO_SPACE;
    default:
        return CS_SQL;
    }
}
