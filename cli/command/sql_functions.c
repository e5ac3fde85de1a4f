#include "cli/command/sql_functions.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/rows/label.h"
#include "cli/rows/location.h"
#include "cli/text/phrase.h"
#include "cli/text/text.h"

/* ---- ranges(number), ranges(number, characters) ---- */

struct numbers {
    int64_t *number;
    size_t count, room;
    size_t characters; /* of the text, at most; 0: no limit */
};

static void ranges_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct numbers *numbers = sqlite3_aggregate_context(context, sizeof *numbers);
    if (!numbers || sqlite3_value_type(values[0]) == SQLITE_NULL)
        return;
    numbers->characters = count > 1 ? (size_t)sqlite3_value_int64(values[1]) : 0;
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
    struct cs_phrase whole = {0}, text = {0};
    cs_phrase_add_numbers(&whole, numbers->number, numbers->count);
    cs_phrase_add_ranges(&text, cs_phrase_text(&whole), numbers->characters);
    text.failed |= whole.failed;
    cs_phrase_free(&whole);
    free(numbers->number);
    return_text(context, &text);
}

/* ---- label, labels ---- */

/* A text and its pattern, both NULL for SQL's NULL. */
struct label {
    char *text, *pattern;
};

struct labels {
    struct label *label;
    size_t count, room;
    int64_t wanted;
};

static void label_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct labels *labels = sqlite3_aggregate_context(context, sizeof *labels);
    if (!labels)
        return;
    labels->wanted = count > 1 ? sqlite3_value_int64(values[1]) : 0;
    const char *text = (const char *)sqlite3_value_text(values[0]);
    const struct label *last = labels->count ? &labels->label[labels->count - 1] : NULL;
    if (last && (text && last->text ? strcmp(text, last->text) == 0 : text == last->text))
        return;
    struct cs_phrase pattern = {0};
    if (text)
        cs_phrase_add_pattern(&pattern, text);
    struct label label = {.text = text ? strdup(text) : NULL, .pattern = pattern.text};
    if (!pattern.failed && !label.text == !text &&
        cs_array_grow(&labels->label, labels->count, &labels->room, sizeof *labels->label)) {
        labels->label[labels->count++] = label;
        return;
    }
    free(label.text);
    cs_phrase_free(&pattern);
    sqlite3_result_error_nomem(context);
}

/* Names come before "(what has no name)", and NULL last. */
static int by_label(const void *left, const void *right)
{
    const struct label *a = left, *b = right;
    if (!a->text || !b->text)
        return cs_compare(!a->text, !b->text);
    int order = cs_compare(*a->text == '(', *b->text == '(');
    if (!order)
        order = strcmp(a->pattern ? a->pattern : "", b->pattern ? b->pattern : "");
    return order ? order : strcmp(a->text, b->text);
}

static bool is_same(const char *left, const char *right)
{
    return left && right ? strcmp(left, right) == 0 : left == right;
}

static void label_final(sqlite3_context *context)
{
    struct labels *labels = sqlite3_aggregate_context(context, 0);
    int64_t different = 0;
    if (!labels)
        return; /* NULL */
    if (labels->count)
        qsort(labels->label, labels->count, sizeof *labels->label, by_label);
    for (size_t i = 0, end; i < labels->count; i = end) {
        const struct label *first = &labels->label[i];
        for (end = i + 1; end < labels->count && is_same(labels->label[end].pattern, first->pattern); end++)
            ;
        bool one = is_same(first->text, labels->label[end - 1].text);
        if (++different == labels->wanted && first->text)
            sqlite3_result_text(context, one ? first->text : first->pattern, -1, SQLITE_TRANSIENT);
    }
    if (!labels->wanted)
        sqlite3_result_int64(context, different);
    for (size_t i = 0; i < labels->count; i++) {
        free(labels->label[i].text);
        free(labels->label[i].pattern);
    }
    free(labels->label);
}

/* ---- numbers, and places in the source ---- */

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

enum { LOCATIONS = 1024 };

/* location() is called for every row: the last answers are kept, each in the slot of its call site. */
struct locations {
    struct cs_resolver *resolver;
    struct {
        int64_t site;
        char *text; /* NULL: the slot is empty */
    } slot[LOCATIONS];
};

static void location(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    struct locations *locations = sqlite3_user_data(context);
    int64_t site = sqlite3_value_int64(values[0]);
    size_t slot = (uint64_t)site % LOCATIONS;
    char text[512];
    if (sqlite3_value_type(values[0]) == SQLITE_NULL)
        return;
    if (!locations->slot[slot].text || locations->slot[slot].site != site) {
        cs_location_of_frame(sqlite3_context_db_handle(context), locations->resolver, site, text, sizeof text);
        free(locations->slot[slot].text);
        locations->slot[slot].text = strdup(text);
        locations->slot[slot].site = site;
    }
    if (locations->slot[slot].text)
        sqlite3_result_text(context, locations->slot[slot].text, -1, SQLITE_TRANSIENT);
    else
        sqlite3_result_error_nomem(context);
}

static void free_locations(void *argument)
{
    struct locations *locations = argument;
    for (size_t i = 0; i < LOCATIONS; i++)
        free(locations->slot[i].text);
    cs_resolver_free(locations->resolver);
    free(locations);
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

/* See cs_label_add_row. */
static void row_name(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    struct cs_row_name row = {.name = (const char *)sqlite3_value_text(values[0]),
                              .number = sqlite3_value_int64(values[1]),
                              .names = sqlite3_value_int64(values[2]),
                              .communicators = sqlite3_value_int64(values[3]),
                              .kind = (const char *)sqlite3_value_text(values[4])};
    if (!row.name)
        return; /* NULL */
    struct cs_phrase text = {0};
    cs_label_add_row(&text, &row);
    return_text(context, &text);
}

/* location() reads files that the trace names, so only the user's own SQL may call it, not a view. */
static enum cs_status add_location(sqlite3 *db)
{
    struct locations *locations = calloc(1, sizeof *locations);
    struct cs_resolver *resolver = locations ? cs_resolver_new(CS_RESOLVER_IN_COMMAND) : NULL;
    if (!resolver) {
        free(locations);
        return CS_NO_MEMORY;
    }
    locations->resolver = resolver;
    cs_resolver_on_lost_lines(resolver, cs_location_note_lost);
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;
    /* SQLite frees the locations also when this fails. */
    return sqlite3_create_function_v2(db, "location", 1, flags, locations, location, NULL, NULL, free_locations) ==
                   SQLITE_OK
               ? CS_OK
               : CS_SQL;
}

/* The sites that are charged to another one, by number. Loaded at the first use: the view walks all stacks. */
struct charges {
    struct charge {
        int64_t site, charged;
    } * charge;
    size_t count, room;
    bool loaded;
};

static int by_site(const void *left, const void *right)
{
    return cs_compare(((const struct charge *)left)->site, ((const struct charge *)right)->site);
}

static int load_charges(struct charges *charges, sqlite3 *db)
{
    sqlite3_stmt *row;
    int result = sqlite3_prepare_v2(
        db, "SELECT site, charged_site FROM charged_sites WHERE charged_site <> site ORDER BY site", -1, &row, NULL);
    while (result == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW)
        if (cs_array_grow(&charges->charge, charges->count, &charges->room, sizeof *charges->charge))
            charges->charge[charges->count++] =
                (struct charge){sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1)};
        else
            result = SQLITE_NOMEM;
    int end = sqlite3_finalize(row);
    return result == SQLITE_OK ? end : result;
}

/* A recording without sites that are charged elsewhere, or a damaged one, has each call at its own site. */
static void charged(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    struct charges *charges = sqlite3_user_data(context);
    if (sqlite3_value_type(values[0]) == SQLITE_NULL)
        return;
    if (!charges->loaded) {
        charges->loaded = true;
        int result = load_charges(charges, sqlite3_context_db_handle(context));
        if (result != SQLITE_OK) {
            sqlite3_result_error_code(context, result);
            return;
        }
    }
    const struct charge key = {.site = sqlite3_value_int64(values[0])};
    const struct charge *found =
        charges->count ? bsearch(&key, charges->charge, charges->count, sizeof key, by_site) : NULL;
    sqlite3_result_int64(context, found ? found->charged : key.site);
}

static void free_charges(void *argument)
{
    free(((struct charges *)argument)->charge);
    free(argument);
}

static enum cs_status add_charged(sqlite3 *db)
{
    struct charges *charges = calloc(1, sizeof *charges);
    if (!charges)
        return CS_NO_MEMORY;
    /* SQLite frees the charges also when this fails. */
    return sqlite3_create_function_v2(db, "charged", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, charges, charged, NULL,
                                      NULL, free_charges) == SQLITE_OK
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
        sqlite3_create_function(db, "ranges", 2, flags, NULL, NULL, ranges_step, ranges_final) != SQLITE_OK ||
        sqlite3_create_function(db, "duration", 1, flags, NULL, duration, NULL, NULL) != SQLITE_OK ||
        sqlite3_create_function(db, "bytes", 1, flags, NULL, bytes, NULL, NULL) != SQLITE_OK ||
        sqlite3_create_function(db, "pattern", 1, flags, NULL, pattern, NULL, NULL) != SQLITE_OK ||
        sqlite3_create_function(db, "label", 2, flags, NULL, NULL, label_step, label_final) != SQLITE_OK ||
        sqlite3_create_function(db, "labels", 1, flags, NULL, NULL, label_step, label_final) != SQLITE_OK ||
        sqlite3_create_function(db, "row_name", 5, flags, NULL, row_name, NULL, NULL) != SQLITE_OK ||
        sqlite3_create_function(db, "single", 0, flags, run, single, NULL, NULL) != SQLITE_OK)
        return CS_SQL;
    enum cs_status status = add_location(db);
    return status == CS_OK ? add_charged(db) : status;
}
