#include "cli/compare/compare_figures.h"

#include <math.h>
#include <string.h>

#include "base/log.h"
#include "cli/command/command.h"
#include "cli/compare/compare_family_test.h"
#include "cli/compare/compare_rank_test.h"
#include "cli/rows/location.h"
#include "cli/text/phrase.h"
#include "db/trace/untrusted.h"
#include "reports_sql.h"

/* ---- names that runs are joined by ---- */

/* The function that contains the call site, without the suffix that compilers give to copies of functions. */
static void caller(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    char text[512];
    if (sqlite3_value_type(values[0]) == SQLITE_NULL)
        return;
    cs_location_function(sqlite3_context_db_handle(context), sqlite3_user_data(context), sqlite3_value_int64(values[0]),
                         text, sizeof text);
    static const char *const copies[] = {".constprop.", ".isra.", ".part.", ".cold", ".lto_priv."};
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
        char *copy = strstr(text, copies[i]);
        if (copy && copy != text)
            *copy = '\0';
    }
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void free_resolver(void *resolver)
{
    cs_resolver_free(resolver);
}

/* A derived name without the content of its brackets, which depends on colors and ranks.
   "rows.split1[3]" becomes "rows.split1[]", "inter1(0-1|2-3)" becomes "inter1()". */
static void lineage(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    const char *name = (const char *)sqlite3_value_text(values[0]);
    if (!name)
        return; /* NULL */
    struct cs_phrase kept = {0};
    while (*name) {
        size_t outside = strcspn(name, "[(");
        const char *end = name[outside] ? strchr(name + outside, name[outside] == '[' ? ']' : ')') : NULL;
        if (!end) {
            cs_phrase_add(&kept, "%s", name);
            break;
        }
        cs_phrase_add(&kept, "%.*s%c%c", (int)outside, name, name[outside], *end);
        name = end + 1;
    }
    if (kept.failed)
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_text(context, cs_phrase_text(&kept), (int)kept.length, SQLITE_TRANSIENT);
    cs_phrase_free(&kept);
}

/* caller() reads files that the trace names: no view may call it. */
static bool add_functions(sqlite3 *run)
{
    struct cs_resolver *resolver = cs_resolver_new(CS_RESOLVER_IN_COMMAND);
    if (!resolver)
        return false;
    cs_resolver_on_lost_lines(resolver, cs_location_note_lost);
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    /* SQLite frees the resolver also when this fails. */
    return sqlite3_create_function_v2(run, "caller", 1, flags | SQLITE_DIRECTONLY, resolver, caller, NULL, NULL,
                                      free_resolver) == SQLITE_OK &&
           sqlite3_create_function(run, "lineage", 1, flags | SQLITE_INNOCUOUS, NULL, lineage, NULL, NULL) ==
               SQLITE_OK &&
           cs_rank_test_add_functions(run) == CS_OK;
}

/* ---- the database ---- */

sqlite3 *cs_figures_open(void)
{
    sqlite3 *figures = NULL;
    if (sqlite3_open(":memory:", &figures) == SQLITE_OK && cs_rank_test_add_functions(figures) == CS_OK &&
        cs_family_test_add_function(figures) == CS_OK &&
        sqlite3_exec(figures, cs_sql_compare_tables, NULL, NULL, NULL) == SQLITE_OK)
        return figures;
    cs_log("cannot compare: %s", figures ? sqlite3_errmsg(figures) : "out of memory");
    sqlite3_close(figures);
    return NULL;
}

/* Copies the rows of a SELECT, whose values follow those that are bound already. */
static bool copy_rows(sqlite3_stmt *from, sqlite3_stmt *to, int first)
{
    int step;
    while ((step = sqlite3_step(from)) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(from); i++)
            sqlite3_bind_value(to, first + i, sqlite3_column_value(from, i));
        if (sqlite3_step(to) != SQLITE_DONE || sqlite3_reset(to) != SQLITE_OK)
            return false;
    }
    return step == SQLITE_DONE;
}

/* Runs a SELECT on one database and an INSERT for each of its rows on the other, with ?1 bound to a number and ?2 to a
   text if there is one. */
static bool transfer(sqlite3 *run, const char *select, sqlite3 *figures, const char *insert, int64_t number,
                     const char *side, const char *path)
{
    sqlite3_stmt *from = NULL, *to = NULL;
    int first = 2;
    bool done = sqlite3_prepare_v2(run, select, -1, &from, NULL) == SQLITE_OK &&
                sqlite3_prepare_v2(figures, insert, -1, &to, NULL) == SQLITE_OK;
    if (done) {
        sqlite3_bind_int64(to, 1, number);
        if (side) {
            sqlite3_bind_text(to, first++, side, -1, SQLITE_STATIC);
            sqlite3_bind_text(to, first++, path, -1, SQLITE_STATIC);
        }
        done = copy_rows(from, to, first);
    }
    if (!done)
        cs_log("cannot compare %s: %s", path, sqlite3_errmsg(sqlite3_errcode(run) == SQLITE_OK ? figures : run));
    sqlite3_finalize(from);
    sqlite3_finalize(to);
    return done;
}

bool cs_figures_add(sqlite3 *figures, const char *path, enum cs_side side, const char *region)
{
    struct cs_run *run = cs_command_open_as(path, 0, (struct cs_reading){.region = region});
    if (!run)
        return false;
    sqlite3 *db = cs_run_database(run);
    cs_run_share_read(run, cs_sql_compare_figures);
    int64_t number = 0;
    cs_merge_query_integer(figures, "SELECT count(*) FROM run", NULL, &number);
    bool done = add_functions(db);
    if (!done)
        cs_log("out of memory");
    sqlite3_exec(figures, "BEGIN", NULL, NULL, NULL);
    done = done &&
           transfer(db, cs_sql_compare_run, figures, "INSERT INTO run VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                    number, side == CS_SIDE_BASE ? "base" : "new", path) &&
           transfer(db, cs_sql_compare_figures, figures,
                    "INSERT INTO figure VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)", number, NULL,
                    path);
    if (done && region)
        done = sqlite3_exec(figures, "DELETE FROM figure WHERE metric NOT IN " CS_FIGURES_OF_REGIONS, NULL, NULL,
                            NULL) == SQLITE_OK;
    sqlite3_exec(figures, "COMMIT", NULL, NULL, NULL);
    cs_run_close(run);
    return done;
}

bool cs_figures_compare(sqlite3 *figures)
{
    bool done = sqlite3_exec(figures, cs_sql_compare_changes, NULL, NULL, NULL) == SQLITE_OK;
    if (!done)
        cs_log("cannot compare: %s", sqlite3_errmsg(figures));
    return done;
}

/* ---- values in words ---- */

static bool is(const char *metric, const char *other)
{
    return strcmp(metric, other) == 0;
}

static bool is_time(const char *metric)
{
    return is(metric, "time") || is(metric, "wait") || is(metric, "elapsed") || is(metric, "code");
}

static void add_number(struct cs_phrase *phrase, double value)
{
    if (value == floor(value) && fabs(value) < 1e15)
        cs_phrase_add(phrase, "%.0f", value);
    else
        cs_phrase_add(phrase, "%.4g", value);
}

void cs_figures_add_value(struct cs_phrase *phrase, const char *metric, double value)
{
    if (value < 0) {
        cs_phrase_add(phrase, "-");
        value = -value;
    }
    if (is_time(metric))
        cs_phrase_add_seconds(phrase, value);
    else if (is(metric, "bytes") || is(metric, "remote_bytes"))
        cs_phrase_add_bytes(phrase, value);
    else
        add_number(phrase, value);
}
