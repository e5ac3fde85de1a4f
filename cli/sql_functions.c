#include "cli/sql_functions.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"
#include "cli/location.h"
#include "cli/phrase.h"
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

/* Makes the text the result of a function and frees it. */
static void return_text(sqlite3_context *context, struct cs_phrase *text)
{
    if (text->failed)
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_text(context, cs_phrase_text(text), (int)text->length, SQLITE_TRANSIENT);
    cs_phrase_free(text);
}

static void ranges_final(sqlite3_context *context)
{
    struct numbers *numbers = sqlite3_aggregate_context(context, 0);
    if (!numbers || numbers->count == 0)
        return; /* NULL */
    struct cs_phrase text = {0};
    cs_phrase_add_numbers(&text, numbers->number, numbers->count);
    free(numbers->number);
    return_text(context, &text);
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

/* Replaces numbers in a text by #, so that "row 7" and "row 12" have one pattern. */
static void pattern(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    const char *text = (const char *)sqlite3_value_text(values[0]);
    if (!text)
        return; /* NULL */
    struct cs_phrase shown = {0};
    cs_phrase_add_pattern(&shown, text);
    return_text(context, &shown);
}

/* location() reads files that the trace names, so only the user's own SQL may call it, not a view. */
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
        sqlite3_create_function(db, "single", 0, flags, run, single, NULL, NULL) != SQLITE_OK)
        return CS_SQL;
    return add_location(db);
}
