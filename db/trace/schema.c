#include "db/trace/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/trace/each_row.h"

size_t cs_schema_count_materialized(void)
{
    return cs_kept_views_end[CS_MATERIALIZED_GROUPS - 1];
}

enum cs_materialized cs_schema_group_of(size_t number)
{
    unsigned group = 0;
    while (number >= cs_kept_views_end[group])
        group++;
    return (enum cs_materialized)(1u << group);
}

const char *cs_schema_find(const char *name)
{
    for (size_t i = 0; i < cs_views_count; i++)
        if (sqlite3_stricmp(name, cs_views[i].name) == 0)
            return cs_views[i].name;
    for (size_t i = 0; i < cs_tables_count; i++)
        if (sqlite3_stricmp(name, cs_tables[i].name) == 0)
            return cs_tables[i].name;
    return NULL;
}

/* ---- what an open file has ---- */

static bool is_definition(sqlite3_stmt *row, const char *type, const char *name, const char *sql)
{
    const char *expected[] = {type, name, name, sql};
    for (int i = 0; i < 4; i++) {
        const char *found = (const char *)sqlite3_column_text(row, i);
        if (!found || strcmp(found, expected[i]) != 0)
            return false;
    }
    return true;
}

static bool has_tables(sqlite3_stmt *list, bool bare)
{
    bool same = true;
    for (size_t i = 0; same && i < cs_tables_count; i++)
        same = sqlite3_step(list) == SQLITE_ROW &&
               is_definition(list, "table", cs_tables[i].name, bare ? cs_tables[i].bare : cs_tables[i].sql);
    return same;
}

static bool has_views(sqlite3_stmt *list)
{
    bool same = true;
    for (size_t i = 0; same && i < cs_views_count; i++)
        same = sqlite3_step(list) == SQLITE_ROW && is_definition(list, "view", cs_views[i].name, cs_views[i].sql);
    return same;
}

enum { MATERIALIZED_BYTES = 1024 };

static const struct cs_view *find_view(const char *name)
{
    for (size_t i = 0; i < cs_views_count; i++)
        if (strcmp(cs_views[i].name, name) == 0)
            return &cs_views[i];
    return NULL;
}

static bool is_in(size_t view, const unsigned short *views, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (views[i] == view)
            return true;
    return false;
}

static void define_table(const struct cs_view *view, char name[MATERIALIZED_BYTES], char sql[MATERIALIZED_BYTES])
{
    snprintf(name, MATERIALIZED_BYTES, "materialized_%s", view->name);
    snprintf(sql, MATERIALIZED_BYTES, "CREATE TABLE materialized_%s (%s)", view->name, view->columns);
}

/* The row of the list is the first computed table. Returns the result of the step after the last one. */
static int skip_computed(sqlite3_stmt *list)
{
    int step = SQLITE_ROW;
    for (size_t i = 0; step == SQLITE_ROW && i < cs_computed_tables_count; i++) {
        if (!is_definition(list, "table", cs_computed_tables[i].name, cs_computed_tables[i].sql))
            return SQLITE_ERROR;
        step = sqlite3_step(list);
    }
    return step;
}

static bool is_materialized(sqlite3_stmt *list, size_t number)
{
    char name[MATERIALIZED_BYTES], sql[MATERIALIZED_BYTES];
    define_table(&cs_views[cs_kept_views[number]], name, sql);
    return is_definition(list, "table", name, sql);
}

static size_t begin_of_group(size_t group)
{
    return group ? cs_kept_views_end[group - 1] : 0;
}

/* The row of the list is the first materialized view. Groups may be in any order, each once and whole. Returns the
   result of the step after the last one. */
static int skip_materialized(sqlite3_stmt *list)
{
    bool found[CS_MATERIALIZED_GROUPS] = {false};
    int step = SQLITE_ROW;
    while (step == SQLITE_ROW) {
        size_t group = 0;
        while (group < CS_MATERIALIZED_GROUPS && !is_materialized(list, begin_of_group(group)))
            group++;
        if (group == CS_MATERIALIZED_GROUPS || found[group])
            return SQLITE_ERROR;
        found[group] = true;
        for (size_t i = begin_of_group(group); i < cs_kept_views_end[group]; i++) {
            if (step != SQLITE_ROW || !is_materialized(list, i))
                return SQLITE_ERROR;
            step = sqlite3_step(list);
        }
    }
    return step;
}

static sqlite3_stmt *list_definitions(sqlite3 *db)
{
    sqlite3_stmt *list = NULL;
    sqlite3_prepare_v2(db, "SELECT type, name, tbl_name, sql FROM main.sqlite_schema ORDER BY rowid", -1, &list, NULL);
    return list;
}

/* Whether `sql` is one of the statements, with "; " between them. */
static bool is_statement(const char *statements, const char *sql)
{
    size_t length = strlen(sql);
    for (const char *at = statements; at && *at; at = strchr(at, ';'), at = at ? at + strlen("; ") : NULL)
        if (strncmp(at, sql, length) == 0 && (at[length] == ';' || !at[length]))
            return true;
    return false;
}

/* The text behind blanks and comments. */
static const char *skip_blanks(const char *sql)
{
    for (;;)
        if (*sql == ' ' || *sql == '\n')
            sql++;
        else if (strncmp(sql, "--", 2) == 0)
            sql += strcspn(sql, "\n");
        else
            return sql;
}

/* Whether SQL without quotes is this text, apart from comments: another version may have others. */
static bool is_same_but_comments(const char *sql, const char *declared)
{
    for (;; sql++, declared++) {
        const char *left = skip_blanks(sql), *right = skip_blanks(declared);
        if ((left == sql) != (right == declared) || *left != *right)
            return false;
        if (!*left)
            return true;
        sql = left;
        declared = right;
    }
}

/* Whether a file of callsign, of a rank, a node or a run, may have this definition of `name` or of its parts. */
static bool is_declared(size_t table, const char *name, const char *sql)
{
    const char *of_node = cs_common_tables[table].create;
    if (of_node && is_statement(of_node, sql))
        return true;
    return sqlite3_stricmp(name, cs_tables[table].name) == 0 &&
           (is_same_but_comments(sql, cs_tables[table].sql) || strcmp(sql, cs_tables[table].bare) == 0);
}

/* The table that has this name, or whose parts have it in the file of a node; cs_tables_count: none. */
static size_t find_table(const char *name)
{
    static const char *const parts[] = {"", "own_", "common_"};
    for (size_t part = 0; part < sizeof parts / sizeof *parts; part++) {
        int length = (int)strlen(parts[part]);
        if (sqlite3_strnicmp(name, parts[part], length) != 0)
            continue;
        for (size_t i = 0; i < cs_tables_count; i++)
            if ((!part || cs_common_tables[i].create) && sqlite3_stricmp(name + length, cs_tables[i].name) == 0)
                return i;
    }
    return cs_tables_count;
}

bool cs_schema_is_declared(sqlite3 *db, const char **table)
{
    static const char sql[] = "SELECT name, sql FROM main.sqlite_schema WHERE type IN ('table', 'view')";
    sqlite3_stmt *list = NULL;
    *table = NULL;
    if (cs_schema_is_of_rank(db)) /* the usual case, and much faster */
        return true;
    if (sqlite3_prepare_v2(db, sql, -1, &list, NULL) != SQLITE_OK)
        return false;
    while (!*table && sqlite3_step(list) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(list, 0),
                   *text = (const char *)sqlite3_column_text(list, 1);
        size_t found = name ? find_table(name) : cs_tables_count;
        if (found < cs_tables_count && (!text || !is_declared(found, name, text)))
            *table = cs_tables[found].name;
    }
    return sqlite3_finalize(list) == SQLITE_OK && !*table;
}

bool cs_schema_is_of_rank(sqlite3 *db)
{
    sqlite3_stmt *list = list_definitions(db);
    bool same = list && has_tables(list, true) && sqlite3_step(list) == SQLITE_DONE;
    sqlite3_finalize(list);
    return same;
}

bool cs_schema_is_of_run(sqlite3 *db)
{
    sqlite3_stmt *list = list_definitions(db);
    bool same = list && has_tables(list, false) && has_views(list);
    int step = same ? sqlite3_step(list) : SQLITE_ERROR;
    const struct cs_table_definition *computed = cs_computed_tables;
    if (step == SQLITE_ROW && is_definition(list, "table", computed->name, computed->sql))
        step = skip_computed(list);
    if (step == SQLITE_ROW && is_definition(list, "table", "merged_from", CS_SCHEMA_MERGED_FROM))
        step = sqlite3_step(list);
    if (step == SQLITE_ROW)
        step = skip_materialized(list);
    sqlite3_finalize(list);
    return step == SQLITE_DONE;
}

enum cs_materialized cs_schema_materialized(sqlite3 *db)
{
    static const char sql[] = "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = 'materialized_' || ?1";
    unsigned which = CS_MATERIALIZED_NONE;
    for (unsigned group = 0; group < CS_MATERIALIZED_GROUPS; group++)
        if (cs_query_is_true(db, sql, cs_views[cs_kept_views[cs_kept_views_end[group] - 1]].name))
            which |= 1u << group;
    return (enum cs_materialized)which;
}

/* Whether a view has a table. */
static bool is_kept(size_t view, enum cs_materialized which)
{
    for (size_t i = 0; i < cs_schema_count_materialized(); i++)
        if (cs_kept_views[i] == view)
            return cs_schema_group_of(i) & which;
    return false;
}

/* ---- making them ---- */

int cs_schema_add_tables(sqlite3 *db, bool bare)
{
    int result = sqlite3_exec(db, cs_schema_settings, NULL, NULL, NULL);
    for (size_t i = 0; result == SQLITE_OK && i < cs_tables_count; i++)
        result = sqlite3_exec(db, bare ? cs_tables[i].bare : cs_tables[i].sql, NULL, NULL, NULL);
    return result;
}

int cs_schema_add_node_tables(sqlite3 *db)
{
    int result = sqlite3_exec(db, cs_schema_settings, NULL, NULL, NULL);
    for (size_t i = 0; result == SQLITE_OK && i < cs_tables_count; i++)
        result = sqlite3_exec(db, cs_common_tables[i].create ? cs_common_tables[i].create : cs_tables[i].bare, NULL,
                              NULL, NULL);
    return result;
}

/* Executes this SQL and frees it. NULL: there was no memory for it. */
static int execute(sqlite3 *db, char *sql)
{
    int result = sql ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
    sqlite3_free(sql);
    return result;
}

int cs_schema_add_table_apart(sqlite3 *db, const char *table)
{
    size_t i = 0;
    while (strcmp(cs_tables[i].name, table) != 0)
        i++;
    return execute(db, sqlite3_mprintf("DROP TABLE IF EXISTS temp.%s; CREATE TEMP%s", table,
                                       cs_tables[i].bare + strlen("CREATE")));
}

static char *read_materialized(const struct cs_view *view)
{
    return sqlite3_mprintf("CREATE VIEW %s (%s) AS SELECT * FROM main.materialized_%s", view->name, view->columns,
                           view->name);
}

static int insert_views(sqlite3 *db, const char *sql, enum cs_materialized which)
{
    sqlite3_stmt *insert;
    int result = sqlite3_prepare_v2(db, sql, -1, &insert, NULL);
    for (size_t i = 0; result == SQLITE_OK && i < cs_views_count; i++) {
        sqlite3_bind_text(insert, 1, cs_views[i].name, -1, SQLITE_STATIC);
        if (is_kept(i, which))
            sqlite3_bind_text(insert, 2, read_materialized(&cs_views[i]), -1, sqlite3_free);
        else
            sqlite3_bind_text(insert, 2, cs_views[i].sql, -1, SQLITE_STATIC);
        sqlite3_step(insert);
        result = sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    return result;
}

/* Views are written as plain rows of the schema, as CREATE VIEW would: SQLite then parses each once, when the next
   statement is prepared, and not three times. */
static int add_views(sqlite3 *db, bool temporary, enum cs_materialized which)
{
    int defensive = 0, result = sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
    if (result != SQLITE_OK)
        return result;
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, -1, &defensive);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
    result = insert_views(db,
                          temporary ? "INSERT INTO temp.sqlite_schema VALUES ('view', ?1, ?1, 0, ?2)"
                                    : "INSERT INTO main.sqlite_schema VALUES ('view', ?1, ?1, 0, ?2)",
                          which);
    if (result == SQLITE_OK)
        result = sqlite3_exec(db, "COMMIT; PRAGMA writable_schema = RESET", NULL, NULL, NULL);
    else
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, defensive, NULL);
    return result;
}

int cs_schema_add_views(sqlite3 *db, bool temporary)
{
    return add_views(db, temporary, CS_MATERIALIZED_NONE);
}

int cs_schema_add_materialized(sqlite3 *db)
{
    return add_views(db, true, cs_schema_materialized(db));
}

bool cs_schema_has_rows(sqlite3 *db, const char *table)
{
    char *sql = sqlite3_mprintf("SELECT 1 FROM %s LIMIT 1", table);
    bool found = sql && cs_query_is_true(db, sql, NULL);
    sqlite3_free(sql);
    return found;
}

/* Without events, some views have no rows. Preparing them takes long. */
static bool is_empty(sqlite3 *db, const struct cs_view *view)
{
    return is_in((size_t)(view - cs_views), cs_event_views, cs_event_views_count) && !cs_schema_has_rows(db, "event");
}

static int compute_rows(sqlite3 *db, const char *view)
{
    char table[MATERIALIZED_BYTES];
    snprintf(table, sizeof table, "shared_%s", view);
    if (is_empty(db, find_view(view)))
        return execute(db, sqlite3_mprintf("CREATE TEMP TABLE %s (%s)", table, find_view(view)->columns));
    /* Columns get the types of the view: SQLite joins by an index only then. */
    return execute(db, sqlite3_mprintf("CREATE TEMP TABLE %s AS SELECT * FROM temp.%s", table, view));
}

/* Makes a temporary view read rows that were computed. */
static int compute_shared(sqlite3 *db, const char *view)
{
    int result = compute_rows(db, view);
    if (result != SQLITE_OK)
        return result;
    return execute(db, sqlite3_mprintf("DROP VIEW temp.%s; CREATE TEMP VIEW %s (%s) AS SELECT * FROM temp.shared_%s",
                                       view, view, find_view(view)->columns, view));
}

int cs_schema_begin_materializing(sqlite3 *db)
{
    return cs_schema_add_materialized(db);
}

static bool is_temporary(sqlite3 *db, const char *name)
{
    return cs_query_is_true(db, "SELECT 1 FROM temp.sqlite_schema WHERE name = ?1", name);
}

/* The groups whose tables this connection reads. */
static enum cs_materialized groups_read(sqlite3 *db)
{
    static const char sql[] = "SELECT sql LIKE '%main.materialized_' || name FROM temp.sqlite_schema WHERE name = ?1";
    unsigned read = cs_schema_materialized(db);
    for (unsigned group = 0; group < CS_MATERIALIZED_GROUPS; group++)
        if (read & 1u << group && !cs_query_is_true(db, sql, cs_views[cs_kept_views[begin_of_group(group)]].name))
            read &= ~(1u << group);
    return (enum cs_materialized)read;
}

int cs_schema_read_anew(sqlite3 *db)
{
    return is_temporary(db, cs_views[0].name) ? SQLITE_OK : cs_schema_add_views(db, true);
}

int cs_schema_share(sqlite3 *db, const char *view)
{
    char table[MATERIALIZED_BYTES];
    snprintf(table, sizeof table, "shared_%s", view);
    if (is_temporary(db, table))
        return SQLITE_OK;
    /* A view reads its own database: only temporary views find the temporary table. */
    int result = is_temporary(db, view) ? SQLITE_OK : cs_schema_add_materialized(db);
    if (result != SQLITE_OK || is_kept((size_t)(find_view(view) - cs_views), groups_read(db)))
        return result;
    return compute_shared(db, view);
}

/* ---- which views SQL reads ---- */

/* Notes a view and those that it reads. Rows of the groups `kept` are there already. */
static void note_view(size_t view, enum cs_materialized kept, bool *read)
{
    if (read[view] || is_kept(view, kept))
        return;
    read[view] = true;
    for (size_t i = 0; i < cs_view_reads[view].count; i++)
        note_view(cs_view_reads[view].views[i], kept, read);
}

/* Notes the views that SQL names, and those that these read. A column or a string may have the name of a view, which is
   then shared for nothing. */
static void note_views(const char *sql, enum cs_materialized kept, bool *read)
{
    static const char word[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    for (size_t length; *sql; sql += length + !length) {
        length = strspn(sql, word);
        for (size_t i = 0; length && i < cs_views_count; i++)
            if (sqlite3_strnicmp(sql, cs_views[i].name, (int)length) == 0 && !cs_views[i].name[length])
                note_view(i, kept, read);
    }
}

/* Shares the chosen views that a view reads, each behind those that it reads itself: a shared view may read one to
 * keep. */
static int share_in_order(sqlite3 *db, size_t view, const bool *chosen, bool *done)
{
    int result = SQLITE_OK;
    if (done[view])
        return result;
    done[view] = true;
    for (size_t i = 0; result == SQLITE_OK && i < cs_view_reads[view].count; i++)
        result = share_in_order(db, cs_view_reads[view].views[i], chosen, done);
    return result == SQLITE_OK && chosen[view] ? cs_schema_share(db, cs_views[view].name) : result;
}

/* Chooses those that are to be shared, if they are among those that are read; read NULL: in any case. */
static void choose_views(const bool *read, const unsigned short *views, size_t count, unsigned wanted, bool *chosen)
{
    for (size_t i = 0; i < count; i++)
        if ((!wanted || cs_view_shared_by[views[i]] & wanted) && (!read || read[views[i]]))
            chosen[views[i]] = true;
}

static int share_views(sqlite3 *db, const bool *read, enum cs_materialized which)
{
    bool *chosen = calloc(2 * cs_views_count, sizeof *chosen), *done = chosen + cs_views_count;
    if (!chosen)
        return SQLITE_NOMEM;
    choose_views(read, cs_shared_views, cs_shared_views_count, which, chosen);
    for (size_t i = 0; i < cs_schema_count_materialized(); i++)
        if (cs_schema_group_of(i) & which)
            choose_views(read, &cs_kept_views[i], 1, 0, chosen);
    int result = SQLITE_OK;
    for (size_t i = 0; result == SQLITE_OK && i < cs_views_count; i++)
        if (chosen[i])
            result = share_in_order(db, i, chosen, done);
    free(chosen);
    return result;
}

int cs_schema_share_materialized(sqlite3 *db, enum cs_materialized which)
{
    return share_views(db, NULL, which);
}

int cs_schema_share_read(sqlite3 *db, const char *sql, bool events)
{
    bool *read = calloc(cs_views_count, sizeof *read);
    if (!read)
        return SQLITE_NOMEM;
    note_views(sql, groups_read(db), read);
    for (size_t i = 0; events && i < cs_views_count; i++)
        read[i] = read[i] && is_in(i, cs_event_views, cs_event_views_count);
    int result = share_views(db, read, CS_MATERIALIZED_ALL);
    free(read);
    return result;
}

int cs_schema_ask_layers(sqlite3 *db, const char *patterns)
{
    int result = cs_schema_read_anew(db);
    if (result == SQLITE_OK)
        result = compute_shared(db, "asked_layers");
    if (result == SQLITE_OK)
        result = cs_execute_with(db, "INSERT INTO temp.shared_asked_layers VALUES (?1)", patterns);
    return result;
}

int cs_schema_ask_region(sqlite3 *db, const char *region)
{
    static const char create[] = "CREATE TEMP TABLE asked_region (region INTEGER PRIMARY KEY)";
    static const char choose[] = "WITH RECURSIVE asked (region) AS (\n"
                                 "    SELECT region FROM main.region WHERE path = ?1 OR name = ?1\n"
                                 "    UNION SELECT r.region FROM main.region r JOIN asked a ON r.parent = a.region)\n"
                                 "INSERT INTO temp.asked_region SELECT region FROM asked";
    /* Temporary tables come before those of the file. */
    static const char replace[] =
        "DROP TABLE IF EXISTS temp.profile;\n"
        "CREATE TEMP VIEW profile AS SELECT rank, communicator, object, function, site, size_class, calls, time_ns,\n"
        "    min_ns, max_ns, sent_bytes, received_bytes FROM main.region_profile\n"
        "    WHERE region IN (SELECT region FROM temp.asked_region);\n"
        "CREATE TEMP TABLE no_open_calls AS SELECT * FROM open_calls LIMIT 0;\n"
        "DROP TABLE IF EXISTS temp.stretch;\n"
        "CREATE TEMP VIEW stretch AS SELECT * FROM main.stretch\n"
        "    WHERE region IN (SELECT region FROM temp.asked_region);\n"
        "DROP VIEW temp.open_calls;\n" /* nobody knows their region */
        "CREATE TEMP VIEW open_calls AS SELECT * FROM temp.no_open_calls";
    int result = cs_schema_read_anew(db);
    if (result == SQLITE_OK)
        result = sqlite3_exec(db, create, NULL, NULL, NULL);
    if (result == SQLITE_OK)
        result = cs_execute_with(db, choose, region);
    if (result == SQLITE_OK && sqlite3_changes(db) == 0)
        return SQLITE_NOTFOUND;
    return result == SQLITE_OK ? sqlite3_exec(db, replace, NULL, NULL, NULL) : result;
}

/* Shares what a view to keep reads, when those of the groups `kept` are tables. */
static int share_for(sqlite3 *db, size_t number, enum cs_materialized kept)
{
    bool *read = calloc(3 * cs_views_count, sizeof *read);
    if (!read)
        return SQLITE_NOMEM;
    bool *chosen = read + cs_views_count, *done = chosen + cs_views_count;
    unsigned wanted = CS_MATERIALIZED_OVERVIEW | cs_schema_group_of(number);
    note_view(cs_kept_views[number], kept, read);
    choose_views(read, cs_shared_views, cs_shared_views_count, wanted, chosen);
    int result = SQLITE_OK;
    for (size_t i = 0; result == SQLITE_OK && i < cs_shared_views_count; i++)
        if (chosen[cs_shared_views[i]] && !is_empty(db, &cs_views[cs_kept_views[number]]))
            result = share_in_order(db, cs_shared_views[i], chosen, done);
    free(read);
    return result;
}

int cs_schema_materialize(sqlite3 *db, size_t number, enum cs_materialized kept_groups)
{
    const struct cs_view *kept = &cs_views[cs_kept_views[number]];
    const char *view = kept->name;
    int shared = share_for(db, number, kept_groups);
    if (shared != SQLITE_OK)
        return shared;
    char name[MATERIALIZED_BYTES], table[MATERIALIZED_BYTES];
    define_table(kept, name, table);
    char *reads = read_materialized(kept);
    char *insert = is_empty(db, kept) ? NULL : sqlite3_mprintf("INSERT INTO main.%s SELECT * FROM temp.%s", name, view);
    char *sql = sqlite3_mprintf("%s; %z; DROP VIEW temp.%s; CREATE TEMP%s", table, insert, view,
                                reads ? reads + strlen("CREATE") : "");
    int result = reads && sql ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
    sqlite3_free(reads);
    sqlite3_free(sql);
    return result;
}
