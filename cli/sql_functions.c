#include "cli/sql_functions.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/cycles.h"
#include "cli/location.h"
#include "cli/text.h"

struct numbers {
    int64_t *number;
    size_t count, room;
};

static void ranges_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    struct numbers *numbers = sqlite3_aggregate_context(context, sizeof *numbers);
    if (!numbers || sqlite3_value_type(values[0]) == SQLITE_NULL)
        return;
    if (cs_array_grow(&numbers->number, numbers->count, &numbers->room, sizeof *numbers->number))
        numbers->number[numbers->count++] = sqlite3_value_int64(values[0]);
    else
        sqlite3_result_error_nomem(context);
}

static int by_value(const void *left, const void *right)
{
    return cs_compare(*(const int64_t *)left, *(const int64_t *)right);
}

static void write_ranges(sqlite3_str *text, const struct numbers *numbers)
{
    for (size_t i = 0; i < numbers->count;) {
        size_t last = i;
        /* Equal numbers and successors belong to the range. The numbers are sorted: what a signed difference cannot
           hold, an unsigned one can. */
        while (last + 1 < numbers->count && (uint64_t)numbers->number[last + 1] - (uint64_t)numbers->number[last] <= 1)
            last++;
        int64_t from = numbers->number[i];
        int64_t to = numbers->number[last];
        sqlite3_str_appendf(text, "%s%lld", i ? "," : "", (long long)from);
        if (to > from)
            sqlite3_str_appendf(text, to - 1 == from ? ",%lld" : "-%lld", (long long)to);
        i = last + 1;
    }
}

static void ranges_final(sqlite3_context *context)
{
    struct numbers *numbers = sqlite3_aggregate_context(context, 0);
    if (!numbers || numbers->count == 0)
        return; /* NULL */
    qsort(numbers->number, numbers->count, sizeof *numbers->number, by_value);
    sqlite3_str *text = sqlite3_str_new(NULL);
    write_ranges(text, numbers);
    free(numbers->number);
    sqlite3_result_text(context, sqlite3_str_finish(text), -1, sqlite3_free);
}

static void duration(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    char text[64];
    if (sqlite3_value_type(values[0]) != SQLITE_NULL)
        sqlite3_result_text(context, cs_text_duration(text, sizeof text, sqlite3_value_double(values[0])), -1,
                            SQLITE_TRANSIENT);
}

static void bytes(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    char text[64];
    if (sqlite3_value_type(values[0]) != SQLITE_NULL)
        sqlite3_result_text(context, cs_text_bytes(text, sizeof text, sqlite3_value_double(values[0])), -1,
                            SQLITE_TRANSIENT);
}

static void location(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    char text[512];
    if (sqlite3_value_type(values[0]) != SQLITE_NULL)
        sqlite3_result_text(context,
                            cs_location_of_site(sqlite3_context_db_handle(context), sqlite3_user_data(context),
                                                sqlite3_value_int64(values[0]), text, sizeof text),
                            -1, SQLITE_TRANSIENT);
}

static void free_resolver(void *resolver)
{
    cs_resolver_free(resolver);
}

/* Numbers in a text become #, so that "row 7" and "row 12" are of one pattern. */
static void pattern(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    const char *text = (const char *)sqlite3_value_text(values[0]);
    if (!text)
        return; /* NULL */
    sqlite3_str *shown = sqlite3_str_new(NULL);
    while (*text) {
        size_t other = strcspn(text, "0123456789");
        size_t digits = strspn(text + other, "0123456789");
        sqlite3_str_append(shown, text, (int)other);
        if (digits)
            sqlite3_str_appendchar(shown, 1, '#');
        text += other + digits;
    }
    int failed = sqlite3_str_errcode(shown);
    char *made = sqlite3_str_finish(shown);
    if (failed)
        sqlite3_result_error_code(context, failed);
    else
        sqlite3_result_text(context, made ? made : "", -1, SQLITE_TRANSIENT); /* no text at all: nothing was appended */
    sqlite3_free(made);
}

/* location() reads files that the trace names: only SQL that somebody typed may call it, not a view. */
static enum cs_status add_location(sqlite3 *db)
{
    struct cs_resolver *resolver = cs_resolver_new(CS_RESOLVER_IN_COMMAND);
    if (!resolver)
        return CS_NO_MEMORY;
    cs_resolver_on_rebuilt(resolver, cs_location_note_rebuilt);
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;
    /* SQLite frees the resolver also when this fails. */
    return sqlite3_create_function_v2(db, "location", 1, flags, resolver, location, NULL, NULL, free_resolver) ==
                   SQLITE_OK
               ? CS_OK
               : CS_SQL;
}

static void single(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    (void)values;
    const struct cs_run *run = sqlite3_user_data(context);
    sqlite3_result_int(context, cs_run_info(run)->single);
}

enum cs_status cs_sql_functions_add(struct cs_run *run)
{
    sqlite3 *db = cs_run_database(run);
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    if (sqlite3_create_function(db, "ranges", 1, flags, NULL, NULL, ranges_step, ranges_final) != SQLITE_OK ||
        sqlite3_create_function(db, "duration", 1, flags, NULL, duration, NULL, NULL) != SQLITE_OK ||
        sqlite3_create_function(db, "bytes", 1, flags, NULL, bytes, NULL, NULL) != SQLITE_OK ||
        sqlite3_create_function(db, "pattern", 1, flags, NULL, pattern, NULL, NULL) != SQLITE_OK ||
        sqlite3_create_function(db, "single", 0, flags, run, single, NULL, NULL) != SQLITE_OK ||
        cs_cycles_add(db) != CS_OK)
        return CS_SQL;
    return add_location(db);
}
