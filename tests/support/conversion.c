#include "tests/support/conversion.h"
#include "tests/support/unit_test.h"

#include <sqlite3.h>
#include <string.h>

#include "db/summary/rank_times.h"
#include "db/trace/schema.h"

const struct cs_convert_options cs_remove_journal = {.unsynced = true};
const struct cs_convert_options cs_resolved_journal = {.keep_journal = true};

enum cs_status cs_convert_image(struct cs_built *built, const struct cs_convert_options *options)
{
    cs_built_save(built, JOURNAL, built->bytes);
    cs_built_end(built);
    return cs_convert(JOURNAL, TRACE, options);
}

/* SQLite parses all views for the first that is used: a question about tables alone does without them. */
static void prepare(sqlite3 *db, const char *sql, sqlite3_stmt **query)
{
    bool sums = strstr(sql, "summary") || strstr(sql, "rank_time"); /* tables that are filled when a file is opened */
    if (!sums && sqlite3_prepare_v2(db, sql, -1, query, NULL) == SQLITE_OK)
        return;
    assert_int_equal(cs_schema_add_views(db, true), SQLITE_OK);
    assert_int_equal(cs_rank_times_fill_apart(db, false), SQLITE_OK);
    if (sqlite3_prepare_v2(db, sql, -1, query, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
}

char *cs_converted_ask(const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *query;
    assert_int_equal(sqlite3_open_v2(TRACE, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA trusted_schema = OFF", NULL, NULL, NULL), SQLITE_OK);
    prepare(db, sql, &query);
    sqlite3_str *text = sqlite3_str_new(NULL);
    int result;
    while ((result = sqlite3_step(query)) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(query); i++) {
            const unsigned char *value = sqlite3_column_text(query, i);
            sqlite3_str_appendf(text, "%s%s", i ? "|" : "", value ? (const char *)value : "NULL");
        }
        sqlite3_str_appendchar(text, 1, '\n');
    }
    assert_int_equal(result, SQLITE_DONE);
    sqlite3_finalize(query);
    sqlite3_close(db);
    char *answer = sqlite3_str_finish(text);
    return answer ? answer : sqlite3_mprintf("");
}

void cs_converted_assert(const char *sql, const char *expected)
{
    char *answer = cs_converted_ask(sql);
    assert_string_equal(answer, expected);
    sqlite3_free(answer);
}
