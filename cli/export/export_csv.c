#include "cli/export/export_csv.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "cli/rows/result.h"
#include "cli/text/phrase.h"

/* ---- types ---- */

static enum cs_export_type declared_type(sqlite3_stmt *rows, int column)
{
    const char *type = sqlite3_column_decltype(rows, column);
    if (!type)
        return CS_EXPORT_UNKNOWN;
    return strcmp(type, "INT") == 0 || strcmp(type, "INTEGER") == 0 ? CS_EXPORT_INTEGER
           : strcmp(type, "TEXT") == 0                              ? CS_EXPORT_TEXT
                                                                    : CS_EXPORT_UNKNOWN;
}

/* SQLite lets a column hold any value: one of another type widens the column's. */
static void widen(enum cs_export_type *type, int value)
{
    enum cs_export_type of = value == SQLITE_INTEGER ? CS_EXPORT_INTEGER
                             : value == SQLITE_FLOAT ? CS_EXPORT_REAL
                                                     : CS_EXPORT_TEXT;
    if (of > *type)
        *type = of;
}

/* ---- values ---- */

static void add_text(struct cs_phrase *line, const char *text, size_t length)
{
    cs_phrase_append(line, "\"", 1);
    for (size_t i = 0; i < length;) {
        uint32_t character;
        size_t plain = 0, bytes = 0;
        while (i + plain < length && text[i + plain] != '"' && text[i + plain] &&
               (bytes = cs_utf8_decode(text + i + plain, length - i - plain, &character)) > 0)
            plain += bytes;
        cs_phrase_append(line, text + i, plain);
        i += plain;
        if (i < length)
            cs_phrase_append(line, text[i] == '"' ? "\"\"" : "\xef\xbf\xbd", text[i] == '"' ? 2 : 3);
        i += i < length;
    }
    cs_phrase_append(line, "\"", 1);
}

/* Quoted where it must be; an empty text too, which is not NULL. */
static void add_field(struct cs_phrase *line, const char *text, size_t length)
{
    bool plain = length > 0;
    for (size_t i = 0; i < length && plain; i++)
        plain = text[i] > ' ' && text[i] < 0x7f && text[i] != '"' && text[i] != ',' && text[i] != '\'' &&
                text[i] != '#'; /* some readers take ' and # for their own */
    if (plain)
        cs_phrase_append(line, text, length);
    else
        add_text(line, text, length);
}

static void add_value(struct cs_phrase *line, sqlite3_stmt *rows, int column)
{
    char *owned;
    size_t length;
    const char *text = cs_result_value(rows, column, &length, &owned);
    if (text)
        add_field(line, text, length);
    line->failed |= !text;
    free(owned);
}

/* ---- the file ---- */

static void write_line(struct cs_phrase *line, FILE *stream, struct cs_export_table *table)
{
    cs_phrase_append(line, "\r\n", 2);
    fwrite(cs_phrase_text(line), 1, line->length, stream);
    if (line->length > table->longest)
        table->longest = line->length;
    cs_phrase_clear(line);
}

enum cs_status cs_export_csv(sqlite3_stmt *rows, FILE *stream, struct cs_export_table *table)
{
    struct cs_phrase line = {0};
    int columns = sqlite3_column_count(rows), step = SQLITE_ROW;
    table->columns = (size_t)columns;
    table->column = calloc((size_t)columns, sizeof *table->column);
    if (!table->column)
        return CS_NO_MEMORY;
    for (int i = 0; i < columns; i++) {
        const char *name = sqlite3_column_name(rows, i);
        snprintf(table->column[i].name, sizeof table->column[i].name, "%s", name);
        table->column[i].type = declared_type(rows, i);
        cs_phrase_append(&line, ",", i > 0);
        add_field(&line, name, strlen(name));
    }
    write_line(&line, stream, table);
    while (!line.failed && !ferror(stream) && (step = sqlite3_step(rows)) == SQLITE_ROW) {
        for (int i = 0; i < columns; i++) {
            cs_phrase_append(&line, ",", i > 0);
            if (sqlite3_column_type(rows, i) == SQLITE_NULL)
                continue;
            widen(&table->column[i].type, sqlite3_column_type(rows, i));
            add_value(&line, rows, i);
        }
        table->rows++;
        write_line(&line, stream, table);
    }
    bool failed = line.failed;
    cs_phrase_free(&line);
    return failed ? CS_NO_MEMORY : step == SQLITE_ROW || step == SQLITE_DONE ? CS_OK : CS_SQL;
}
