#include "db/trace/schema.h"

#include <string.h>

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

static sqlite3_stmt *list_definitions(sqlite3 *db)
{
    sqlite3_stmt *list = NULL;
    sqlite3_prepare_v2(db, "SELECT type, name, tbl_name, sql FROM main.sqlite_schema ORDER BY rowid", -1, &list, NULL);
    return list;
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
    if (step == SQLITE_ROW && is_definition(list, "table", "merged_from", CS_SCHEMA_MERGED_FROM))
        step = sqlite3_step(list);
    sqlite3_finalize(list);
    return step == SQLITE_DONE;
}

/* ---- making them ---- */

int cs_schema_add_tables(sqlite3 *db, bool bare)
{
    int result = sqlite3_exec(db, cs_schema_settings, NULL, NULL, NULL);
    for (size_t i = 0; result == SQLITE_OK && i < cs_tables_count; i++)
        result = sqlite3_exec(db, bare ? cs_tables[i].bare : cs_tables[i].sql, NULL, NULL, NULL);
    return result;
}

static int insert_views(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *insert;
    int result = sqlite3_prepare_v2(db, sql, -1, &insert, NULL);
    for (size_t i = 0; result == SQLITE_OK && i < cs_views_count; i++) {
        sqlite3_bind_text(insert, 1, cs_views[i].name, -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 2, cs_views[i].sql, -1, SQLITE_STATIC);
        sqlite3_step(insert);
        result = sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    return result;
}

/* Views are written as plain rows of the schema, as CREATE VIEW would: SQLite then parses each once, when the next
   statement is prepared, and not three times. */
int cs_schema_add_views(sqlite3 *db, bool temporary)
{
    int defensive = 0, result = sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
    if (result != SQLITE_OK)
        return result;
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, -1, &defensive);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
    result = insert_views(db, temporary ? "INSERT INTO temp.sqlite_schema VALUES ('view', ?1, ?1, 0, ?2)"
                                        : "INSERT INTO main.sqlite_schema VALUES ('view', ?1, ?1, 0, ?2)");
    if (result == SQLITE_OK)
        result = sqlite3_exec(db, "COMMIT; PRAGMA writable_schema = RESET", NULL, NULL, NULL);
    else
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, defensive, NULL);
    return result;
}
