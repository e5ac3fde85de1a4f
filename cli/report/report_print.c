#include "cli/report/report_print.h"

#include <inttypes.h>
#include <string.h>

#include "base/log.h"
#include "base/words.h"
#include "cli/rows/location.h"
#include "cli/rows/result.h"
#include "cli/rows/rows.h"
#include "cli/rows/sql.h"
#include "cli/text/text.h"

#define TITLE_BYTES  64
#define COLUMNS_MOST 32

/* The last word of a column's name decides how the column is shown. */
enum look { AS_IS, AS_NS, AS_SECONDS, AS_BYTES, AS_PERCENT, AS_LOCATION };

/* The title has `alone` if the name is only that word, otherwise `last` in place of it: "waiting_percent" becomes
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

/* The column's position in a list like "a, b", from 1; 0: not in the list. */
static int find_turn(const char *list, const char *column)
{
    static const char between[] = ", ";
    for (int turn = 1; list && *list; turn++) {
        size_t length = strcspn(list, between);
        if (length == strlen(column) && strncmp(list, column, length) == 0)
            return turn;
        list += length + strspn(list + length, between);
    }
    return 0;
}

/* The words for a column of the SELECT; NULL: it has none. */
static const struct cs_report_words *words_of(const struct cs_report *report, const char *column)
{
    for (const struct cs_report_words *words = report->words; words && words->column; words++)
        if (strcmp(words->column, column) == 0)
            return words;
    return NULL;
}

static void write_title(char *title, size_t size, const struct cs_report *report, const char *column)
{
    const struct cs_report_words *words = words_of(report, column);
    if (words && words->title)
        column = words->title;
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

/* The columns of a SELECT that are shown: not a last one called more, nor those that words stand for. */
struct shown {
    int column[COLUMNS_MOST];
    size_t count;
    int more; /* the number of that last column; -1: there is none */
};

static struct shown find_shown(const struct cs_report *report, sqlite3_stmt *row)
{
    struct shown shown = {.more = -1};
    int count = sqlite3_column_count(row);
    if (count && strcmp(sqlite3_column_name(row, count - 1), "more") == 0)
        shown.more = --count;
    for (int i = 0; i < count && shown.count < COLUMNS_MOST; i++)
        if (!find_turn(report->hidden, sqlite3_column_name(row, i)))
            shown.column[shown.count++] = i;
    return shown;
}

/* ---- cells ---- */

/* Adds "and 3 more: view tags" for a row that sums up others. */
static enum cs_status add_more(const struct cs_report_output *output, struct cs_table *table, int64_t more)
{
    struct cs_phrase text = {0};
    cs_phrase_add(&text, "and %" PRId64 " more", more);
    if (output->report->view)
        cs_phrase_add(&text, ": view %s", output->report->view);
    enum cs_status status = text.failed ? CS_NO_MEMORY : cs_table_cell(table, CS_CELL_TEXT, text.text, text.length);
    cs_phrase_free(&text);
    return status;
}

static enum cs_status add_words(struct cs_table *table, sqlite3_stmt *row, const struct cs_report_words *words)
{
    struct cs_phrase text = {0};
    struct cs_rows rows = {.statement = row, .status = CS_OK};
    words->add(&text, &rows);
    enum cs_status status = text.failed ? CS_NO_MEMORY : rows.status;
    if (status == CS_OK)
        status = cs_table_cell(table, text.length ? CS_CELL_TEXT : CS_CELL_EMPTY, cs_phrase_text(&text), text.length);
    cs_phrase_free(&text);
    return status;
}

/* Medians over ranks are known within 1 %. */
static bool is_estimated(const char *column)
{
    return strcmp(column, "median_seconds") == 0;
}

static enum cs_status add_cell(const struct cs_report_output *output, struct cs_table *table, sqlite3_stmt *row,
                               int column)
{
    const struct cs_report_words *words = words_of(output->report, sqlite3_column_name(row, column));
    if (words)
        return add_words(table, row, words);
    char text[512];
    const char *shown = text;
    int type = sqlite3_column_type(row, column);
    enum look look = look_of(sqlite3_column_name(row, column));
    bool number = look == AS_IS ? type == SQLITE_INTEGER || type == SQLITE_FLOAT : look < AS_LOCATION;
    if (type == SQLITE_NULL)
        return cs_table_cell(table, CS_CELL_EMPTY, "", 0);
    if (look == AS_NS && sqlite3_column_double(row, column) < 0)
        snprintf(text, sizeof text, "before Init ended");
    else if (look == AS_NS)
        cs_text_duration(text, sizeof text, sqlite3_column_double(row, column));
    else if (look == AS_SECONDS && is_estimated(sqlite3_column_name(row, column)))
        cs_text_estimated_duration(text, sizeof text, sqlite3_column_double(row, column) * 1e9);
    else if (look == AS_SECONDS)
        cs_text_duration(text, sizeof text, sqlite3_column_double(row, column) * 1e9);
    else if (look == AS_BYTES)
        cs_text_bytes(text, sizeof text, sqlite3_column_double(row, column));
    else if (look == AS_PERCENT)
        snprintf(text, sizeof text, "%.1f", sqlite3_column_double(row, column));
    else if (look == AS_LOCATION)
        cs_location_of_column(output->db, output->resolver, sqlite3_column_name(row, column),
                              sqlite3_column_int64(row, column), text, sizeof text);
    else
        shown = (const char *)sqlite3_column_text(row, column);
    return shown ? cs_table_cell(table, number ? CS_CELL_NUMBER : CS_CELL_TEXT, shown, strlen(shown)) : CS_NO_MEMORY;
}

/* ---- lines ---- */

#define LINE_BYTES 4000

static void print_wrapped(struct cs_report_output *output, const char *text)
{
    if (output->writer) {
        output->writer->line(output, text);
        return;
    }
    cs_text_put_line(output->stream, text, LINE_BYTES, output->terminal.width);
}

int cs_report_severity(const struct cs_report_output *output)
{
    const struct cs_finding_kind *kind = cs_finding_find(output->about);
    const char *report = output->report ? output->report->name : "";
    if (kind)
        return kind->severity;
    return strcmp(report, "endings") == 0   ? CS_SEVERITY_ERROR
           : strcmp(report, "verdict") == 0 ? CS_SEVERITY_NOTE
                                            : CS_SEVERITY_NONE;
}

/* Prints "error", "warning" or "note" before a finding of the overview, in its colour, if the terminal has colours.
   Returns the columns that it took. */
static size_t print_tag(const struct cs_report_output *output)
{
    static const char *const tags[] = {
        [CS_SEVERITY_ERROR] = "error", [CS_SEVERITY_WARNING] = "warning", [CS_SEVERITY_NOTE] = "note"};
    static const int colours[] = {[CS_SEVERITY_ERROR] = 31, [CS_SEVERITY_WARNING] = 33, [CS_SEVERITY_NOTE] = 36};
    int severity = cs_report_severity(output);
    if (!severity || output->named || output->writer || !output->terminal.bold)
        return 0;
    return (size_t)fprintf(output->stream, "\033[1;%dm%s\033[0m: ", colours[severity], tags[severity]) -
           strlen("\033[1;31m\033[0m");
}

static void print_heading(struct cs_report_output *output)
{
    if (output->writer) {
        output->writer->heading(output, output->report->title);
        return;
    }
    fprintf(output->stream, "\n%s%s%s\n", cs_terminal_bold(&output->terminal), output->report->title,
            cs_terminal_plain(&output->terminal));
}

void cs_report_print_line(struct cs_report_output *output, struct cs_phrase *line)
{
    if (output->above == CS_ABOVE_TABLE && !output->writer)
        fputc('\n', output->stream);
    else if (output->above == CS_ABOVE_EMPTY_TABLE)
        print_heading(output);
    output->above = CS_ABOVE_LINE;
    int severity = cs_report_severity(output);
    output->faults += severity == CS_SEVERITY_ERROR || severity == CS_SEVERITY_WARNING;
    size_t width = output->terminal.width, tag = print_tag(output);
    if (tag && width > tag)
        output->terminal.width = width - tag;
    print_wrapped(output, cs_phrase_text(line));
    output->terminal.width = width;
    cs_phrase_clear(line);
}

void cs_report_be_about(struct cs_report_output *output, const char *kind)
{
    const struct cs_finding_kind *found = cs_finding_find(kind);
    output->about = found ? found->name : NULL;
}

enum cs_status cs_report_print_texts(struct cs_report_output *output, const char *sql)
{
    struct cs_phrase line = {0};
    struct cs_rows row = cs_rows_begin(output->db, sql);
    while (cs_rows_next(&row)) {
        if (strcmp(sqlite3_column_name(row.statement, 0), "kind") == 0)
            cs_report_be_about(output, cs_rows_text(&row, "kind"));
        cs_phrase_add(&line, "%s", cs_rows_text(&row, "text"));
        cs_report_print_line(output, &line);
    }
    output->about = NULL;
    cs_phrase_free(&line);
    return cs_rows_end(&row);
}

void cs_report_add_site(const struct cs_report_output *output, struct cs_phrase *line, const char *before, int64_t site)
{
    char location[512];
    if (site)
        cs_phrase_add(line, "%s%s", before,
                      cs_location_of_site(output->db, output->resolver, site, location, sizeof location));
}

/* ---- the SELECT of a report ---- */

/* A database in memory with the table of the report, and one of the number of ranks; closed with its last statement. */
static enum cs_status prepare_table(sqlite3 *run, const struct cs_report *report, sqlite3_stmt **select)
{
    static const char world[] = "CREATE TABLE world (ranks INT)", count[] = "INSERT INTO world VALUES (?1)";
    int64_t ranks = 0;
    sqlite3 *db = NULL;
    sqlite3_stmt *insert = NULL;
    struct cs_rows row = cs_rows_begin(run, "SELECT count(*) AS ranks FROM process");
    if (cs_rows_next(&row))
        ranks = cs_rows_integer(&row, "ranks");
    enum cs_status status = cs_rows_end(&row);
    if (status == CS_OK && sqlite3_open(":memory:", &db) != SQLITE_OK)
        status = CS_NO_MEMORY;
    if (status == CS_OK)
        status = report->write_table(run, db);
    if (status == CS_OK && (sqlite3_exec(db, world, NULL, NULL, NULL) != SQLITE_OK ||
                            sqlite3_prepare_v2(db, count, -1, &insert, NULL) != SQLITE_OK ||
                            sqlite3_bind_int64(insert, 1, ranks) != SQLITE_OK || sqlite3_step(insert) != SQLITE_DONE))
        status = CS_SQL;
    sqlite3_finalize(insert);
    if (status == CS_OK && !(*select = cs_sql_prepare(db, report->sql)))
        status = CS_SQL;
    sqlite3_close_v2(db);
    return status;
}

sqlite3_stmt *cs_report_prepare(sqlite3 *db, const struct cs_report *report)
{
    sqlite3_stmt *select = NULL;
    if (!report->write_table)
        return cs_sql_prepare(db, report->sql);
    enum cs_status status = prepare_table(db, report, &select);
    if (status != CS_OK)
        cs_log("report %s: %s", report->name, cs_status_text(status));
    return select;
}

/* ---- tables ---- */

/* Usually every call has returned, and comes directly from the program; many programs name no regions; a bound of the
   waiting time is known, or none is; nothing is wrong with the placement. */
static bool is_often_empty(const char *column)
{
    static const char *const columns[] = {"open",
                                          "entries",
                                          "instructions",
                                          "cycles",
                                          "communicators",
                                          "through",
                                          "inner_site",
                                          "early_ns",
                                          "late_ns",
                                          "early_mpi_percent",
                                          "late_mpi_percent",
                                          "waiting_at_least_seconds",
                                          "waiting_about_seconds",
                                          "of_time_percent",
                                          "processor_name",
                                          "package",
                                          "of_cores",
                                          "numa_node",
                                          "cores",
                                          "processors",
                                          "on_each",
                                          "ranks_per_core",
                                          "quota",
                                          "bound",
                                          "memory_on",
                                          "moves"};
    return cs_is_one_of(column, columns, sizeof columns / sizeof *columns);
}

/* The part of a column that a narrow terminal may omit. Functions are recognizable without MPI_, and call sites without
   their library; the report lists the least important columns. */
static struct cs_table_yield yield_of(const struct cs_report *report, const char *column)
{
    static const char *const functions[] = {"function", "created_by", "from_function", "to_function"};
    struct cs_table_yield yield = {.turn = find_turn(report->drop, column), .empty = is_often_empty(column)};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(column, functions[i]) == 0)
            yield.cells = CS_CELLS_OF_FUNCTIONS;
    if (look_of(column) == AS_LOCATION)
        yield.cells = CS_CELLS_OF_CALL_SITES;
    return yield;
}

/* Prints "Columns hidden at this width: parent, sent". */
static void print_left_out(struct cs_report_output *output, const struct cs_table *table, sqlite3_stmt *row)
{
    struct cs_phrase line = {0};
    struct cs_list columns = {.phrase = &line};
    struct shown shown = find_shown(output->report, row);
    for (size_t i = 0; i < shown.count; i++)
        if (cs_table_left_out(table, i)) {
            char title[TITLE_BYTES];
            write_title(title, sizeof title, output->report, sqlite3_column_name(row, shown.column[i]));
            if (columns.count == 0)
                cs_phrase_add(&line, "Columns hidden at this width: ");
            cs_list_next(&columns);
            cs_phrase_add(&line, "%s", title);
        }
    if (columns.count)
        print_wrapped(output, cs_phrase_text(&line));
    cs_phrase_free(&line);
}

/* True for a row that the overview leaves out: it would show 0.0 %. */
static bool is_negligible(const struct cs_report_output *output, sqlite3_stmt *row)
{
    if (output->named || output->writer)
        return false;
    for (int i = 0; i < sqlite3_column_count(row); i++)
        if (strcmp(sqlite3_column_name(row, i), "percent") == 0)
            return sqlite3_column_type(row, i) != SQLITE_NULL && sqlite3_column_double(row, i) < 0.05;
    return false;
}

/* Puts all rows into the table, up to the limit; *more: number of further rows. */
static enum cs_status collect_rows(const struct cs_report_output *output, struct cs_table *table, sqlite3_stmt *row,
                                   size_t *more)
{
    enum cs_status status = CS_OK;
    struct shown shown = find_shown(output->report, row);
    int result = SQLITE_DONE;
    for (size_t i = 0; i < shown.count && status == CS_OK; i++) {
        char title[TITLE_BYTES];
        const char *column = sqlite3_column_name(row, shown.column[i]);
        write_title(title, sizeof title, output->report, column);
        cs_table_yield(table, i, yield_of(output->report, column));
        status = cs_table_title(table, i, title);
    }
    while (status == CS_OK && (result = sqlite3_step(row)) == SQLITE_ROW) {
        if ((output->rows && cs_table_rows(table) == output->rows) || is_negligible(output, row))
            ++*more;
        else
            for (size_t i = 0; i < shown.count && status == CS_OK; i++)
                status = i == 0 && shown.more >= 0 && sqlite3_column_type(row, shown.more) != SQLITE_NULL
                             ? add_more(output, table, sqlite3_column_int64(row, shown.more))
                             : add_cell(output, table, row, shown.column[i]);
    }
    return status == CS_OK && result != SQLITE_DONE ? CS_SQL : status;
}

static void print_more(const struct cs_report_output *output, size_t more)
{
    char word[CS_SHELL_WORD_BYTES];
    fprintf(output->stream, "and %zu more: callsign report %s %s%s\n", more, cs_shell_word(output->run, word),
            output->report->name, output->named ? " --rows 0" : "");
}

static enum cs_status print_rows(struct cs_report_output *output, sqlite3_stmt *row)
{
    struct cs_table *table = cs_table_new(find_shown(output->report, row).count);
    size_t more = 0;
    enum cs_status status = table ? collect_rows(output, table, row, &more) : CS_NO_MEMORY;
    bool filled = status == CS_OK && cs_table_rows(table);
    bool headed = filled || (status == CS_OK && output->report->empty && output->named);
    if (headed)
        print_heading(output);
    if (filled && output->writer) {
        output->writer->table(output, table, more);
    } else if (filled) {
        cs_table_print(table, output->stream, &output->terminal);
        print_left_out(output, table, row);
        if (more)
            print_more(output, more);
    } else if (headed) {
        print_wrapped(output, output->report->empty);
    }
    output->above = headed ? CS_ABOVE_TABLE : CS_ABOVE_EMPTY_TABLE;
    cs_table_free(table);
    return status;
}

static enum cs_status end_part(const struct cs_report_output *output, sqlite3_stmt *part, enum cs_status status)
{
    if (status != CS_OK)
        cs_log("report %s: %s", output->report->name,
               status == CS_SQL ? sqlite3_errmsg(sqlite3_db_handle(part)) : cs_status_text(status));
    sqlite3_finalize(part);
    return status;
}

enum cs_status cs_report_print_rows(struct cs_report_output *output, sqlite3_stmt *row)
{
    return row ? end_part(output, row, print_rows(output, row)) : CS_SQL;
}

enum cs_status cs_report_print_table(struct cs_report_output *output)
{
    return cs_report_print_rows(output, output->report->table_sql
                                            ? cs_sql_prepare(output->db, output->report->table_sql)
                                            : cs_report_prepare(output->db, output->report));
}

/* ---- reports ---- */

enum cs_status cs_report_print(struct cs_report_output *output, const struct cs_report *report)
{
    output->report = report;
    output->above = CS_ABOVE_NOTHING;
    output->about = NULL;
    enum cs_status status = report->print ? report->print(output) : cs_report_print_table(output);
    if (status == CS_OK && output->above == CS_ABOVE_NOTHING && report->empty && output->named)
        print_wrapped(output, report->empty);
    return status;
}
