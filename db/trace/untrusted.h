/* Opens databases that may come from anybody. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "db/trace/each_row.h"

enum {
    CS_UNTRUSTED_MESSAGE_BYTES = 900,
    CS_TRACE_TEXT_MOST =
        1 << 16, /* bytes of a text; of longer ones, which callsign hardly writes, the rest is not read */
    CS_TRACE_LIST_MOST = 1 << 24 /* bytes of a list of members; a trace with a longer text is not read */
};

/* Checks whether the open database is a trace that this callsign can read, and runs nothing when it is read; `path` is
   for the message. CS_NOT_OURS, CS_TOO_NEW, CS_CORRUPT: the reason is in `message`, one line. */
enum cs_status cs_trace_check(sqlite3 *db, const char *path, char message[CS_UNTRUSTED_MESSAGE_BYTES]);

/* Opens a trace to read its tables from begin to end, a few times, and checks it. Then SQLite gives up, with
   SQLITE_INTERRUPT, when it has read more rows than a sound file of this size can have. As cs_trace_check; CS_CORRUPT
   if it cannot be opened, too. If not CS_OK, *db is NULL, and without memory there is no message. message:
   CS_UNTRUSTED_MESSAGE_BYTES; NULL: nobody reads it. */
enum cs_status cs_trace_open(const char *path, sqlite3 **db, char *message);

/* True if no text of the open trace has to be cut. */
bool cs_trace_is_short(sqlite3 *db);

/* Lets the caller read a trace as often as it likes, since it has checked it. */
void cs_trace_trust(sqlite3 *db);

/* Whether somebody changes the trace by hand: then SQLite has a journal of it in the same folder. */
bool cs_trace_is_changing(const char *path);

/* The file: address for opening a trace read-only, without locks if nobody changes it. Free it with sqlite3_free;
   NULL: out of memory. */
char *cs_merge_address(const char *path);

/* cs_merge_address with the caller's URI parameters. */
char *cs_merge_address_of(const char *path, const char *parameters);

/* Opens a database (path or file: address) so that a hostile file can only return rows: no triggers, functions of
   its own, virtual tables, or extensions. flags: for sqlite3_open_v2; vfs: from cs_long_path_vfs. CS_SQL,
   CS_NO_MEMORY: *db is NULL. */
enum cs_status cs_untrusted_open(const char *address, int flags, const char *vfs, sqlite3 **db);

/* True if the open file has a plain table with this name. */
bool cs_merge_has_table(sqlite3 *db, const char *table);

/* The SQL that reads a table of cs_merge_statements from plain tables of the open file, of a rank or a node. *order:
   what to add for rows in the order of the table; NULL is allowed. NULL: the file has no such table. */
const char *cs_merge_find_table(sqlite3 *db, size_t table, const char **order);

enum { CS_MERGE_MESSAGE_BYTES = 256 };

/* SQLite's message, safe for a terminal. Returns `message`. */
const char *cs_merge_message(sqlite3 *db, char message[CS_MERGE_MESSAGE_BYTES]);

/* The status for a failed statement of a database of ours. */
enum cs_status cs_merge_status(sqlite3 *db, int result);
