#include "cli/report_print.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cli/location.h"
#include "cli/result.h"
#include "cli/text.h"
#include "cli/sql.h"

#define TITLE_BYTES 64

/* How a column is shown follows from the last word of its name. */
enum look { AS_IS, AS_NS, AS_SECONDS, AS_BYTES, AS_PERCENT, AS_LOCATION };

/* The title has `alone` if the name is that word only, otherwise `last` instead of it: "waiting_percent" is
   "waiting %". */
static const struct {
    const char *word, *alone, *last;
} looks[] = {[AS_NS] = {"ns", "ns", ""},
             [AS_SECONDS] = {"seconds", "time", ""},
             [AS_BYTES] = {"bytes", "bytes", ""},
             [AS_PERCENT] = {"percent", "%", " %"},
             [AS_LOCATION] = {"site", "where", " where"}};

static const char *last_word(const char *column)
{
    const char *line = strrchr(column, '_');
    return line ? line + 1 : column;
}

static enum look look_of(const char *column)
{
    for (enum look look = AS_NS; look <= AS_LOCATION; look++)
        if (strcmp(last_word(column), looks[look].word) == 0)
            return look;
    return AS_IS;
}

static void write_title(char *title, size_t size, const char *column)
{
    enum look look = look_of(column);
    const char *word = last_word(column);
    if (look == AS_IS)
        snprintf(title, size, "%s", column);
    else if (word == column)
        snprintf(title, size, "%s", looks[look].alone);
    else
        snprintf(title, size, "%.*s%s", (int)(word - 1 - column), column, looks[look].last);
    for (char *c = title; *c; c++)
        if (*c == '_')
            *c = ' ';
}

/* ---- cells ---- */

static enum cs_status add_cell(const struct cs_report_output *output, struct cs_table *table, sqlite3_stmt *row,
                               int column)
{
    char text[512];
    const char *shown = text;
    int type = sqlite3_column_type(row, column);
    enum look look = look_of(sqlite3_column_name(row, column));
    bool number = look == AS_IS ? type == SQLITE_INTEGER || type == SQLITE_FLOAT : look != AS_LOCATION;
    if (type == SQLITE_NULL)
        return cs_table_cell(table, CS_CELL_EMPTY, "", 0);
    if (look == AS_NS && sqlite3_column_double(row, column) < 0)
        snprintf(text, sizeof text, "before Init ended");
    else if (look == AS_NS)
        cs_text_duration(text, sizeof text, sqlite3_column_double(row, column));
    else if (look == AS_SECONDS)
        cs_text_duration(text, sizeof text, sqlite3_column_double(row, column) * 1e9);
    else if (look == AS_BYTES)
        cs_text_bytes(text, sizeof text, sqlite3_column_double(row, column));
    else if (look == AS_PERCENT)
        snprintf(text, sizeof text, "%.1f", sqlite3_column_double(row, column));
    else if (look == AS_LOCATION)
        cs_location_of_site(output->db, output->resolver, sqlite3_column_int64(row, column), text, sizeof text);
    else
        shown = (const char *)sqlite3_column_text(row, column);
    return shown ? cs_table_cell(table, number ? CS_CELL_NUMBER : CS_CELL_TEXT, shown, strlen(shown)) : CS_NO_MEMORY;
}

/* ---- lines ---- */

#define LINE_BYTES 4000

/* Spaces at its beginning are kept; what follows a break stands two columns further. */
static void print_wrapped(const struct cs_report_output *output, const char *line)
{
    size_t indent = strspn(line, " ");
    fprintf(output->stream, "%*s", (int)indent, "");
    cs_text_wrap(output->stream, line + indent, output->terminal.width, indent, indent + 2);
}

static void print_wrapped_part(const struct cs_report_output *output, const char *text, size_t length)
{
    char *line = cs_text_visible(text, length);
    if (line)
        print_wrapped(output, line);
    free(line);
}

static bool is_of_lines(sqlite3_stmt *part)
{
    return sqlite3_column_count(part) == 1 && strcmp(sqlite3_column_name(part, 0), "line") == 0;
}

static void print_heading(const struct cs_report_output *output, const struct cs_report *report)
{
    fprintf(output->stream, "\n%s%.*s%s\n", cs_terminal_bold(&output->terminal), (int)report->title_length,
            report->title, cs_terminal_plain(&output->terminal));
}

/* What stands above the lines of a report: nothing, a table, or a table without rows, whose heading they get. *any: set
   if there was a line. */
enum above { ABOVE_NOTHING, ABOVE_TABLE, ABOVE_EMPTY_TABLE };

static enum cs_status print_lines(const struct cs_report_output *output, const struct cs_report *report,
                                  sqlite3_stmt *row, enum above above, bool *any)
{
    int result;
    while ((result = sqlite3_step(row)) == SQLITE_ROW) {
        if (above == ABOVE_TABLE)
            fputc('\n', output->stream);
        else if (above == ABOVE_EMPTY_TABLE)
            print_heading(output, report);
        above = ABOVE_NOTHING;
        *any = true;
        const char *text = (const char *)sqlite3_column_text(row, 0);
        char *line = text ? cs_text_visible_part(text, strlen(text), LINE_BYTES) : NULL;
        if (line)
            print_wrapped(output, line);
        free(line);
    }
    return result == SQLITE_DONE ? CS_OK : CS_SQL;
}

/* ---- tables ---- */

/* Functions of MPI can be told without their MPI_; which columns matter least, the report says. Mostly every call has
   returned. */
static struct cs_table_yield yield_of(const struct cs_report *report, const char *column)
{
    static const char *const functions[] = {"function", "created_by"};
    struct cs_table_yield yield = {.turn = cs_report_drop_turn(report, column), .empty = strcmp(column, "open") == 0};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        yield.functions |= strcmp(column, functions[i]) == 0;
    return yield;
}

/* "Left out for the width: parent, sent". */
static void print_left_out(const struct cs_report_output *output, const struct cs_table *table, sqlite3_stmt *row)
{
    sqlite3_str *line = sqlite3_str_new(NULL);
    for (int i = 0; i < sqlite3_column_count(row); i++)
        if (cs_table_left_out(table, (size_t)i)) {
            char title[TITLE_BYTES];
            write_title(title, sizeof title, sqlite3_column_name(row, i));
            sqlite3_str_appendf(line, "%s%s", sqlite3_str_length(line) ? ", " : "Left out for the width: ", title);
        }
    char *text = sqlite3_str_finish(line);
    if (text)
        print_wrapped(output, text);
    sqlite3_free(text);
}

/* All rows into the table, up to the limit; *more: how many there are beyond. */
static enum cs_status collect_rows(const struct cs_report_output *output, const struct cs_report *report,
                                   struct cs_table *table, sqlite3_stmt *row, size_t *more)
{
    enum cs_status status = CS_OK;
    int result = SQLITE_DONE, columns = sqlite3_column_count(row);
    for (int i = 0; i < columns && status == CS_OK; i++) {
        char title[TITLE_BYTES];
        write_title(title, sizeof title, sqlite3_column_name(row, i));
        cs_table_yield(table, (size_t)i, yield_of(report, sqlite3_column_name(row, i)));
        status = cs_table_title(table, (size_t)i, title);
    }
    while (status == CS_OK && (result = sqlite3_step(row)) == SQLITE_ROW) {
        if (output->rows && cs_table_rows(table) == output->rows)
            ++*more;
        else
            for (int i = 0; i < columns && status == CS_OK; i++)
                status = add_cell(output, table, row, i);
    }
    return status == CS_OK && result != SQLITE_DONE ? CS_SQL : status;
}

/* *headed: whether the heading was printed, which an empty table without a text of its own has not. */
static enum cs_status print_table(const struct cs_report_output *output, const struct cs_report *report,
                                  sqlite3_stmt *row, bool *headed)
{
    struct cs_table *table = cs_table_new((size_t)sqlite3_column_count(row));
    size_t more = 0;
    enum cs_status status = table ? collect_rows(output, report, table, row, &more) : CS_NO_MEMORY;
    *headed = status == CS_OK && (cs_table_rows(table) || report->empty);
    if (*headed)
        print_heading(output, report);
    if (status == CS_OK && cs_table_rows(table)) {
        cs_table_print(table, output->stream, &output->terminal);
        print_left_out(output, table, row);
        if (more) {
            char word[CS_SHELL_WORD_BYTES];
            fprintf(output->stream, "and %zu more: callsign report %s %s\n", more, cs_shell_word(output->run, word),
                    report->name);
        }
    } else if (*headed) {
        print_wrapped_part(output, report->empty, report->empty_length);
    }
    cs_table_free(table);
    return status;
}

/* ---- reports ---- */

enum cs_status cs_report_print(const struct cs_report_output *output, const struct cs_report *report)
{
    const char *sql = report->sql;
    sqlite3_stmt *part = NULL;
    enum above above = ABOVE_NOTHING;
    bool table = false, line = false;
    enum cs_status status = cs_sql_next(output->db, &sql, &part);
    while (status == CS_OK && part) {
        bool headed;
        if (is_of_lines(part)) {
            status = print_lines(output, report, part, above, &line);
        } else {
            table = true;
            status = print_table(output, report, part, &headed);
            above = headed ? ABOVE_TABLE : ABOVE_EMPTY_TABLE;
        }
        if (status != CS_OK)
            cs_log("report %s: %s", report->name,
                   status == CS_SQL ? sqlite3_errmsg(output->db) : cs_status_text(status));
        sqlite3_finalize(part);
        if (status == CS_OK)
            status = cs_sql_next(output->db, &sql, &part);
    }
    if (status == CS_OK && !table && !line && report->empty && output->named)
        print_wrapped_part(output, report->empty, report->empty_length);
    return status;
}

sqlite3_stmt *cs_report_prepare_table(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *part = NULL, *lines = NULL;
    enum cs_status status;
    while ((status = cs_sql_next(db, &sql, &part)) == CS_OK && part && is_of_lines(part)) {
        if (lines)
            sqlite3_finalize(part);
        else
            lines = part;
    }
    if (status == CS_OK && !part)
        return lines;
    sqlite3_finalize(lines);
    return part;
}
