#include "cli/rows/result.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/utf8.h"
#include "cli/rows/location.h"
#include "cli/text/table.h"
#include "cli/text/text.h"

/* Tables are printed in lots, so that millions of rows need no memory. The first lot decides the widths. */
#define LOT 1000

#define LOCATION_BYTES 512
#define TITLE_BYTES    64
#define JSON_EXACT_MAX INT64_C(9007199254740991) /* 2^53 - 1, JavaScript's Number.MAX_SAFE_INTEGER */

struct result {
    sqlite3_stmt *row;
    FILE *stream;
    struct cs_resolver *resolver; /* NULL: no locations are added */
    bool terminal;
    bool sparse; /* JSON: without NULLs */
};

bool cs_format_parse(const char *name, enum cs_format *format)
{
    static const char *const names[] = {
        [CS_FORMAT_TABLE] = "table", [CS_FORMAT_CSV] = "csv", [CS_FORMAT_JSON] = "json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) {
            *format = (enum cs_format)i;
            return true;
        }
    cs_log("there is no format %s: choose table, csv or json", name);
    return false;
}

/* ---- values ---- */

/* Writes the shortest decimal number that reads back as the same value. */
static void write_real(char *text, size_t size, double value)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
}

const char *cs_result_value(sqlite3_stmt *statement, int column, size_t *length, char **owned)
{
    *owned = NULL;
    int type = sqlite3_column_type(statement, column);
    if (type == SQLITE_FLOAT) {
        *owned = malloc(40);
        if (*owned)
            write_real(*owned, 40, sqlite3_column_double(statement, column));
    } else if (type == SQLITE_BLOB) {
        const unsigned char *bytes = sqlite3_column_blob(statement, column);
        size_t count = (size_t)sqlite3_column_bytes(statement, column);
        *owned = malloc(count * 2 + 1);
        for (size_t i = 0; *owned && i < count; i++)
            sprintf(*owned + 2 * i, "%02x", bytes[i]);
        if (*owned)
            (*owned)[count * 2] = '\0';
    } else {
        const char *text = (const char *)sqlite3_column_text(statement, column);
        *length = text ? (size_t)sqlite3_column_bytes(statement, column) : 0;
        return text;
    }
    *length = *owned ? strlen(*owned) : 0;
    return *owned;
}

/* ---- locations ---- */

/* True if the column has call sites: it is named site or ends in _site. */
static bool has_location(const struct result *result, int column)
{
    const char *name = sqlite3_column_name(result->row, column);
    const char *line = strrchr(name, '_');
    return result->resolver && strcmp(line ? line + 1 : name, "site") == 0;
}

/* The name of the column with locations: "key_location" for "key_site". */
static void location_title(const char *site, char title[TITLE_BYTES])
{
    snprintf(title, TITLE_BYTES, "%.*slocation", (int)(strlen(site) - strlen("site")), site);
}

/* Returns false if there is no call site. */
static bool find_location(const struct result *result, int column, char location[LOCATION_BYTES])
{
    sqlite3_int64 site = sqlite3_column_int64(result->row, column);
    if (site)
        cs_location_of_column(sqlite3_db_handle(result->row), result->resolver,
                              sqlite3_column_name(result->row, column), site, location, LOCATION_BYTES);
    return site != 0;
}

/* ---- CSV ---- */

static void print_csv_text(FILE *stream, const char *text, size_t length, bool visible)
{
    char *safe = visible ? cs_text_visible(text, length) : NULL;
    if (safe) {
        text = safe;
        length = strlen(safe);
    }
    bool quote = length == 0 || text[0] == ' ' || text[length - 1] == ' ';
    for (size_t i = 0; i < length && !quote; i++)
        quote = strchr(",\"\r\n", text[i]) != NULL; /* and NUL */
    if (quote)
        fputc('"', stream);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"')
            fputc('"', stream);
        fputc(text[i], stream);
    }
    if (quote)
        fputc('"', stream);
    free(safe);
}

static void print_csv_location(const struct result *result, int column)
{
    char location[LOCATION_BYTES];
    if (find_location(result, column, location))
        print_csv_text(result->stream, location, strlen(location), result->terminal);
}

static enum cs_status print_csv(const struct result *result)
{
    FILE *stream = result->stream;
    int columns = sqlite3_column_count(result->row);
    char title[TITLE_BYTES];
    for (int i = 0; i < columns; i++) {
        const char *name = sqlite3_column_name(result->row, i);
        fputs(i ? "," : "", stream);
        print_csv_text(stream, name, strlen(name), result->terminal);
        if (has_location(result, i)) {
            fputc(',', stream);
            location_title(name, title);
            print_csv_text(stream, title, strlen(title), result->terminal);
        }
    }
    fputs("\r\n", stream);
    int step;
    while ((step = sqlite3_step(result->row)) == SQLITE_ROW) {
        for (int i = 0; i < columns; i++) {
            size_t length;
            char *owned;
            const char *text = cs_result_value(result->row, i, &length, &owned);
            fputs(i ? "," : "", stream);
            if (text)
                print_csv_text(stream, text, length, result->terminal);
            free(owned);
            if (has_location(result, i)) {
                fputc(',', stream);
                print_csv_location(result, i);
            }
        }
        fputs("\r\n", stream);
    }
    return step == SQLITE_DONE ? CS_OK : CS_SQL;
}

/* ---- JSON ---- */

/* JSON has 16-bit escapes: characters beyond them become a surrogate pair. */
static void print_json_escape(FILE *stream, uint32_t character)
{
    if (character >= 0x10000)
        fprintf(stream, "\\u%04x\\u%04x", (unsigned)(0xd800 + ((character - 0x10000) >> 10)),
                (unsigned)(0xdc00 + (character & 0x3ff)));
    else
        fprintf(stream, "\\u%04x", (unsigned)character);
}

static void print_json_text(FILE *stream, const char *text, size_t length, bool terminal)
{
    fputc('"', stream);
    for (size_t i = 0; i < length;) {
        uint32_t character;
        size_t bytes = cs_utf8_decode(text + i, length - i, &character);
        if (bytes == 0)
            fputs("\\ufffd", stream);
        else if (character == '"' || character == '\\')
            fprintf(stream, "\\%c", (int)character);
        else if (character < 0x20 || (character >= 0x7f && character < 0xa0) ||
                 (terminal && cs_text_deceives(character)))
            print_json_escape(stream, character);
        else
            fwrite(text + i, 1, bytes, stream);
        i += bytes ? bytes : 1;
    }
    fputc('"', stream);
}

/* Most JSON readers store numbers as double; numbers that would be rounded are printed as strings. */
static bool is_exact_in_json(sqlite3_int64 value)
{
    return value >= -JSON_EXACT_MAX && value <= JSON_EXACT_MAX;
}

static void print_json_value(const struct result *result, int column)
{
    FILE *stream = result->stream;
    size_t length;
    char *owned;
    int type = sqlite3_column_type(result->row, column);
    const char *text = cs_result_value(result->row, column, &length, &owned);
    if (!text)
        fputs("null", stream);
    else if (type == SQLITE_FLOAT && strstr(text, "inf"))
        fputs(*text == '-' ? "-1e999" : "1e999",
              stream); /* JSON has no infinity, but it has numbers larger than any double */
    else if (type == SQLITE_FLOAT ||
             (type == SQLITE_INTEGER && is_exact_in_json(sqlite3_column_int64(result->row, column))))
        fputs(text, stream);
    else
        print_json_text(stream, text, length, result->terminal);
    free(owned);
}

static void print_json_location_title(const struct result *result, int column)
{
    char title[TITLE_BYTES];
    fputs(", ", result->stream);
    location_title(sqlite3_column_name(result->row, column), title);
    print_json_text(result->stream, title, strlen(title), result->terminal);
}

static void print_json_location(const struct result *result, int column)
{
    char location[LOCATION_BYTES];
    if (find_location(result, column, location))
        print_json_text(result->stream, location, strlen(location), result->terminal);
    else
        fputs("null", result->stream);
}

static enum cs_status print_json(const struct result *result)
{
    FILE *stream = result->stream;
    int columns = sqlite3_column_count(result->row);
    int step;
    const char *before = "[\n  {";
    bool first = true;
    while ((step = sqlite3_step(result->row)) == SQLITE_ROW) {
        fputs(before, stream);
        before = "},\n  {";
        first = true;
        for (int i = 0; i < columns; i++) {
            const char *name = sqlite3_column_name(result->row, i);
            if (result->sparse && sqlite3_column_type(result->row, i) == SQLITE_NULL)
                continue;
            fputs(first ? "" : ", ", stream);
            first = false;
            print_json_text(stream, name, strlen(name), result->terminal);
            fputs(": ", stream);
            print_json_value(result, i);
            if (has_location(result, i)) {
                print_json_location_title(result, i);
                fputs(": ", stream);
                print_json_location(result, i);
            }
        }
    }
    fputs(*before == '[' ? "[]" : "}\n]", stream);
    return step == SQLITE_DONE ? CS_OK : CS_SQL;
}

static void print_json_columns(const struct result *result)
{
    for (int i = 0; i < sqlite3_column_count(result->row); i++) {
        const char *name = sqlite3_column_name(result->row, i);
        fputs(i ? ", " : "", result->stream);
        print_json_text(result->stream, name, strlen(name), result->terminal);
        if (has_location(result, i))
            print_json_location_title(result, i);
    }
}

static enum cs_status print_json_lists(const struct result *result)
{
    FILE *stream = result->stream;
    int columns = sqlite3_column_count(result->row);
    int step;
    const char *before = "\n[";
    fputs("{\"columns\": [", stream);
    print_json_columns(result);
    fputs("],\n\"rows\": [", stream);
    while ((step = sqlite3_step(result->row)) == SQLITE_ROW) {
        fputs(before, stream);
        before = "],\n[";
        for (int i = 0; i < columns; i++) {
            fputs(i ? "," : "", stream);
            print_json_value(result, i);
            if (has_location(result, i)) {
                fputc(',', stream);
                print_json_location(result, i);
            }
        }
    }
    fputs(*before == ']' ? "]\n]}" : "]}", stream);
    return step == SQLITE_DONE ? CS_OK : CS_SQL;
}

/* ---- table ---- */

static enum cs_status add_cell(struct cs_table *table, sqlite3_stmt *statement, int column)
{
    int type = sqlite3_column_type(statement, column);
    if (type == SQLITE_NULL)
        return cs_table_cell(table, CS_CELL_EMPTY, "", 0);
    if (type == SQLITE_FLOAT) { /* more digits are of no use to people */
        char number[40];
        int length = snprintf(number, sizeof number, "%.9g", sqlite3_column_double(statement, column));
        return cs_table_cell(table, CS_CELL_NUMBER, number, (size_t)length);
    }
    size_t length;
    char *owned;
    const char *text = cs_result_value(statement, column, &length, &owned);
    enum cs_cell kind = type == SQLITE_INTEGER ? CS_CELL_NUMBER : CS_CELL_TEXT;
    enum cs_status status = text ? cs_table_cell(table, kind, text, length) : CS_NO_MEMORY;
    free(owned);
    return status;
}

static enum cs_status print_table(const struct result *result)
{
    int columns = sqlite3_column_count(result->row), step = SQLITE_ROW;
    struct cs_terminal terminal = cs_terminal_of(result->stream);
    struct cs_table *table = cs_table_new((size_t)columns);
    enum cs_status status = table ? CS_OK : CS_NO_MEMORY;
    for (int i = 0; i < columns && status == CS_OK; i++)
        status = cs_table_title(table, (size_t)i, sqlite3_column_name(result->row, i));
    while (status == CS_OK && step == SQLITE_ROW) {
        while (status == CS_OK && cs_table_rows(table) < LOT && (step = sqlite3_step(result->row)) == SQLITE_ROW)
            for (int i = 0; i < columns && status == CS_OK; i++)
                status = add_cell(table, result->row, i);
        if (status == CS_OK && (step == SQLITE_ROW || step == SQLITE_DONE))
            cs_table_print(table, result->stream, &terminal);
    }
    cs_table_free(table);
    return status == CS_OK && step != SQLITE_DONE ? CS_SQL : status;
}

static struct result result_of(sqlite3_stmt *statement, FILE *stream, struct cs_resolver *resolver)
{
    return (struct result){
        .row = statement, .stream = stream, .resolver = resolver, .terminal = isatty(fileno(stream))};
}

enum cs_status cs_result_print(sqlite3_stmt *statement, FILE *stream, enum cs_format format,
                               struct cs_resolver *resolver)
{
    static enum cs_status (*const print[])(const struct result *) = {
        [CS_FORMAT_TABLE] = print_table, [CS_FORMAT_CSV] = print_csv, [CS_FORMAT_JSON] = print_json};
    const struct result result = result_of(statement, stream, resolver);
    enum cs_status status = print[format](&result);
    if (format == CS_FORMAT_JSON)
        fputc('\n', stream);
    return status;
}

enum cs_status cs_result_print_json(sqlite3_stmt *statement, FILE *stream, struct cs_resolver *resolver, bool sparse)
{
    struct result result = result_of(statement, stream, resolver);
    result.sparse = sparse;
    return print_json(&result);
}

enum cs_status cs_result_print_json_lists(sqlite3_stmt *statement, FILE *stream, struct cs_resolver *resolver)
{
    const struct result result = result_of(statement, stream, resolver);
    return print_json_lists(&result);
}

void cs_result_print_json_text(FILE *stream, const char *text)
{
    print_json_text(stream, text, strlen(text), isatty(fileno(stream)));
}
