#include "db/run/untrusted.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "db/trace/long_path.h"
#include "db/trace/schema.h"

const char *cs_merge_message(sqlite3 *db, char message[CS_MERGE_MESSAGE_BYTES])
{
    /* Messages quote content of a file, which can be any bytes. */
    snprintf(message, CS_MERGE_MESSAGE_BYTES, "%s", sqlite3_errmsg(db));
    for (char *c = message; *c; c++)
        if (*c < 0x20 || *c > 0x7e)
            *c = '?';
    return message;
}

bool cs_merge_query_integer(sqlite3 *db, const char *sql, const char *text, int64_t *answer)
{
    sqlite3_stmt *query;
    if (sqlite3_prepare_v2(db, sql, -1, &query, NULL) != SQLITE_OK)
        return false;
    if (text)
        sqlite3_bind_text(query, 1, text, -1, SQLITE_STATIC);
    bool found = sqlite3_step(query) == SQLITE_ROW;
    if (found)
        *answer = sqlite3_column_int64(query, 0);
    return sqlite3_finalize(query) == SQLITE_OK && found;
}

/* A view in place of a table would run SQL of the file; a virtual table would run a module's code on its data.
   SQLite itself checks that type and name in the file's schema match the definition, and rejects a view here: no
   such table. */
bool cs_merge_has_table(sqlite3 *db, const char *table)
{
    static const char sql[] = "SELECT sql GLOB 'CREATE TABLE *' FROM main.sqlite_schema WHERE name = ?1";
    int64_t plain = 0;
    return cs_merge_query_integer(db, sql, table, &plain) && plain &&
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

/* Traces appear complete, by a rename, and need no locks, which some shared file systems lack. If somebody is
   changing one by hand, SQLite has a journal of it in the same folder. */
char *cs_merge_address(const char *path)
{
    bool changing = has_companion(path, "-journal") || has_companion(path, "-wal");
    return cs_merge_address_of(path, changing ? "mode=ro" : "mode=ro&immutable=1");
}

static enum cs_status look_at_version(int64_t version, const char *path, char *message)
{
    if (version < CS_TRACE_VERSION) {
        snprintf(
            message, CS_UNTRUSTED_MESSAGE_BYTES,
            "%s was written by an older callsign (trace version %lld, this one reads %d): record the program again",
            path, (long long)version, CS_TRACE_VERSION);
        return CS_NOT_OURS;
    }
    if (version > CS_TRACE_VERSION) {
        snprintf(message, CS_UNTRUSTED_MESSAGE_BYTES,
                 "%s was written by a newer callsign (trace version %lld, this one reads %d): use that version", path,
                 (long long)version, CS_TRACE_VERSION);
        return CS_TOO_NEW;
    }
    return CS_OK;
}

enum cs_status cs_merge_look_at_header(sqlite3 *db, const char *path, char message[CS_UNTRUSTED_MESSAGE_BYTES])
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
    return look_at_version(version, path, message);
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
