/* The text of the schema from gen/model, and of the files in views, embedded at build time. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "db/trace/trace_writer.h" /* CS_TRACE_VERSION: PRAGMA user_version */

#define CS_TRACE_APPLICATION_ID 0x43414c4c /* 'CALL': PRAGMA application_id of a trace */

extern const char cs_schema_settings[]; /* pragmas */

/* CREATE TABLE ..., without semicolon, word for word as SQLite keeps it. */
struct cs_table_definition {
    const char *name;
    const char *sql;  /* with comments: in a merged run */
    const char *bare; /* on one line: in the file of a rank */
};
extern const struct cs_table_definition cs_tables[];
extern const size_t cs_tables_count;

/* Those of event_tables.h. */
extern const struct cs_table_definition cs_computed_tables[];
extern const size_t cs_computed_tables_count;

/* The file of an empty trace of a rank: copying it takes a tenth of the time in which SQLite creates its tables. What
   is not in a part is zero. */
struct cs_trace_image {
    unsigned page_bytes;
    size_t bytes;
    const struct cs_trace_image_part {
        unsigned at, bytes;
        const char *content;
    } * part;
    size_t parts;
};
extern const struct cs_trace_image cs_empty_trace;

struct cs_view {
    const char *name, *sql; /* sql: CREATE VIEW ..., without semicolon */
    const char *columns;    /* their names, with commas */
};
extern const struct cs_view cs_views[];
extern const size_t cs_views_count;

/* Lists of views, as indices, each view behind those that it reads: db/trace/embed.py makes them of the marks in
   views/ and of what SQLite says that a view reads. */
enum { CS_MATERIALIZED_GROUPS = 3 };
extern const unsigned short cs_kept_views[]; /* a merged run may keep their rows, group by group */
extern const size_t cs_kept_views_end[CS_MATERIALIZED_GROUPS];
extern const unsigned short cs_shared_views[]; /* their rows are computed once, too, but not kept */
extern const size_t cs_shared_views_count;
extern const unsigned short cs_event_views[]; /* of both, those that have rows only if there are events */
extern const size_t cs_event_views_count;

extern const unsigned char cs_view_shared_by[]; /* who reads a shared view, as in enum cs_materialized */

extern const char *const cs_view_types[]; /* a letter for each column: i INT, t TEXT, ? none, or another one */

/* The views that each view names. */
struct cs_view_reads {
    const unsigned short *views;
    size_t count;
};
extern const struct cs_view_reads cs_view_reads[];

/* The view or table of this name, in small or capital letters; NULL: there is none. */
const char *cs_schema_find(const char *name);

/* Makes the tables in an empty database. A failure is SQLite's error code. */
int cs_schema_add_tables(sqlite3 *db, bool bare);

/* Makes those of the file of a node: see cs_common_tables. A failure is SQLite's error code. */
int cs_schema_add_node_tables(sqlite3 *db);

/* What a merged run that callsign keeps was made of: its last table. */
#define CS_SCHEMA_MERGED_FROM "CREATE TABLE merged_from (files TEXT, left_out INT, lines TEXT)"

/* Views that read every row of large tables and have few rows themselves. A merged run may have their rows in tables
   materialized_VIEW, so that they are computed once: those of each group, or none of it. Bits; the first group has
   bit 0. */
enum cs_materialized {
    CS_MATERIALIZED_NONE = 0,
    CS_MATERIALIZED_OVERVIEW = 1,
    CS_MATERIALIZED_OTHERS = 2,
    CS_MATERIALIZED_REPORTS = CS_MATERIALIZED_OVERVIEW | CS_MATERIALIZED_OTHERS,
    CS_MATERIALIZED_WHATIF = 4,
    CS_MATERIALIZED_ALL = (1 << CS_MATERIALIZED_GROUPS) - 1
};

size_t cs_schema_count_materialized(void);

/* The group of a view to keep, by its number. */
enum cs_materialized cs_schema_group_of(size_t number);

/* Whether the tables of the open file that callsign reads are defined as it defines them, word for word, so that
   reading one runs nothing of the file: no view in the place of a table, no generated column. Tables and views with
   other names do not matter. *table: the first one that is not; NULL: the file cannot be read. */
bool cs_schema_is_declared(sqlite3 *db, const char **table);

/* Whether the open file has, word for word, the tables of a rank's file and nothing else. */
bool cs_schema_is_of_rank(sqlite3 *db);

/* Whether it has those of a merged run, its views, and perhaps merged_from and materialized views. */
bool cs_schema_is_of_run(sqlite3 *db);

/* Makes an empty table for this connection, which comes before that of the file. A failure is SQLite's error code. */
int cs_schema_add_table_apart(sqlite3 *db, const char *table);

/* Whether a table has any. */
bool cs_schema_has_rows(sqlite3 *db, const char *table);

/* The materialized views that a merged run has. */
enum cs_materialized cs_schema_materialized(sqlite3 *db);

/* Adds all views. temporary: to the connection, and not to its file. A failure is SQLite's error code. */
int cs_schema_add_views(sqlite3 *db, bool temporary);

/* Lets the connection compute all views, though a merged run may have rows of some. Returns SQLite's code. */
int cs_schema_read_anew(sqlite3 *db);

/* Adds all views temporarily; the materialized ones read their tables. A failure is SQLite's error code. */
int cs_schema_add_materialized(sqlite3 *db);

/* Lets the connection compute all views, though a merged run may have rows of some. Returns SQLite's code. */
int cs_schema_read_anew(sqlite3 *db);

/* Does so in a merged run that can be written, and prepares it for cs_schema_materialize. A failure is SQLite's error
   code. */
int cs_schema_begin_materializing(sqlite3 *db);

/* Computes the view of this number, and makes the temporary view read the result. The views of other groups that
   have tables are in `kept_groups`. A failure is SQLite's error code. */
int cs_schema_materialize(sqlite3 *db, size_t number, enum cs_materialized kept_groups);

/* Computes the rows of a view once, for this connection, as the temporary table shared_VIEW. The other views read them,
   too. Returns SQLite's code. */
int cs_schema_share(sqlite3 *db, const char *view);

/* Does so for the views that a merged run has as tables, and for some that these read. SQLite then prepares each view
   once; otherwise that takes most of the time of a small run. Returns SQLite's code; views that failed are as before.
 */
int cs_schema_share_materialized(sqlite3 *db, enum cs_materialized which);

/* Does so for those of them that this SQL reads; events: only for views of events. */
int cs_schema_share_read(sqlite3 *db, const char *sql, bool events);

/* Reduces the profile to a region of the program and those inside it, for this connection: a name, or a path as in the
   view regions. The caller adds it up: cs_rank_times_fill_apart. The connection must not read materialized views.
   SQLITE_NOTFOUND: there is no such region. Otherwise returns SQLite's code. */
int cs_schema_ask_region(sqlite3 *db, const char *region);

/* Charges calls through these layers, too, for this connection: patterns as in the view asked_layers. All views are
   computed anew, so that none shows other rules. The connection must not read materialized views. Returns SQLite's
   code. */
int cs_schema_ask_layers(sqlite3 *db, const char *patterns);
