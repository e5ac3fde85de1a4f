/* The page is whole without scripts: this file writes findings, tables and still pictures. The scripts of page/ replace
 * the still pictures by those that can be filtered, from the rows that are embedded as JSON. */
#include "cli/page/report_html.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/log.h"
#include "base/path.h"
#include "cli/command/command.h"
#include "cli/page/page_source.h"
#include "cli/page/page_timeline.h"
#include "cli/report/pictures.h"
#include "cli/report/report_waits.h"
#include "cli/report/sentences.h"
#include "cli/rows/result.h"
#include "cli/rows/rows.h"
#include "cli/rows/sql.h"
#include "cli/rows/threads_without.h"
#include "cli/text/html.h"
#include "cli/text/text.h"
#include "db/trace/schema.h"
#include "reports_sql.h"

#define ROWS_MOST  200  /* of a table; the command prints the rest */
#define TEXT_BYTES 4000 /* of a line */
#define CELL_BYTES 300  /* of a cell */

/* ---- reports ---- */

static void write_heading(struct cs_report_output *output, const char *title)
{
    fputs("<h3>", output->stream);
    cs_html_text(output->stream, title, 0);
    fputs("</h3>\n", output->stream);
}

/* Lines that are indented or drawn keep their spaces. */
static void write_line(struct cs_report_output *output, const char *text)
{
    bool drawn = *text == ' ';
    fputs(drawn ? "<pre>" : "<p>", output->stream);
    cs_html_text(output->stream, text, TEXT_BYTES);
    fputs(drawn ? "</pre>\n" : "</p>\n", output->stream);
}

static void write_cell(FILE *stream, const struct cs_table *table, size_t column, const char *element, const char *text)
{
    fprintf(stream, "<%s%s%s>", element, strcmp(element, "th") == 0 ? " scope=\"col\"" : "",
            cs_table_has_numbers(table, column) ? " class=\"number\"" : "");
    for (; *text == ' '; text++) /* a tree */
        fputs("&#160;", stream);
    cs_html_text(stream, text, CELL_BYTES);
    fprintf(stream, "</%s>", element);
}

static void write_table(struct cs_report_output *output, const struct cs_table *table, size_t more)
{
    FILE *stream = output->stream;
    char word[CS_SHELL_WORD_BYTES];
    fputs("<div class=\"table\"><table>\n<thead><tr>", stream);
    for (size_t i = 0; i < cs_table_columns(table); i++)
        if (!cs_table_is_empty(table, i))
            write_cell(stream, table, i, "th", cs_table_title_text(table, i));
    fputs("</tr></thead>\n<tbody>\n", stream);
    for (size_t row = 0; row < cs_table_rows(table); row++) {
        fputs("<tr>", stream);
        for (size_t i = 0; i < cs_table_columns(table); i++)
            if (!cs_table_is_empty(table, i))
                write_cell(stream, table, i, "td", cs_table_cell_text(table, row, i));
        fputs("</tr>\n", stream);
    }
    fputs("</tbody></table></div>\n", stream);
    if (more) {
        fprintf(stream, "<p>and %zu more: <code>callsign report ", more);
        cs_html_text(stream, cs_shell_word(output->run, word), TEXT_BYTES);
        fprintf(stream, " %s</code></p>\n", output->report->name);
    }
}

static const struct cs_report_writer html_writer = {write_heading, write_line, write_table};

static enum cs_status write_report(struct cs_report_output *output, const char *name)
{
    output->writer = &html_writer;
    output->rows = ROWS_MOST;
    output->named = true;
    return cs_report_print(output, cs_report_find(name));
}

/* ---- still pictures ---- */

struct bars {
    struct cs_html_bar *bar;
    size_t count, room;
    bool failed;
};

/* A column "text" has the value in words; without it the value is a time in seconds. */
static enum cs_status write_bars(struct cs_report_output *output, const char *title, const char *sql)
{
    struct bars bars = {0};
    struct cs_rows row = cs_rows_begin(output->db, sql);
    while (!bars.failed && cs_rows_next(&row)) {
        const char *label = cs_rows_text(&row, "label"), *text = cs_rows_text(&row, "text");
        struct cs_html_bar bar = {strdup(label ? label : "?"), cs_rows_real(&row, "value"), strdup(text ? text : "")};
        if (cs_array_grow(&bars.bar, bars.count, &bars.room, sizeof *bars.bar) && bar.label && bar.text)
            bars.bar[bars.count++] = bar;
        else
            bars.failed = true;
    }
    enum cs_status status = cs_rows_end(&row);
    if (bars.count)
        cs_html_bars(output->stream, title, bars.bar, bars.count);
    for (size_t i = 0; i < bars.count; i++) {
        free((char *)bars.bar[i].label);
        free((char *)bars.bar[i].text);
    }
    free(bars.bar);
    return bars.failed ? CS_NO_MEMORY : status;
}

static enum cs_status draw_ranks(struct cs_report_output *output)
{
    return write_bars(
        output, "MPI time by rank, as share of its time (Init and Finalize not counted); the ranks that differ most",
        cs_sql_bars_of_ranks);
}

static enum cs_status draw_communicators(struct cs_report_output *output)
{
    return write_bars(
        output, "MPI time by communicator",
        "SELECT row_name(communicator, number, names, CASE WHEN objects > ranks THEN communicators END, kind)\n"
        "       AS label, seconds AS value, duration(seconds * 1e9) AS text\n"
        "FROM communicator_time WHERE percent IS NOT NULL ORDER BY seconds DESC LIMIT 16");
}

static enum cs_status draw_functions(struct cs_report_output *output)
{
    return write_bars(output, "MPI time by function",
                      "SELECT function AS label, seconds AS value, duration(seconds * 1e9) AS text\n"
                      "FROM function_time WHERE percent IS NOT NULL ORDER BY seconds DESC LIMIT 16");
}

static enum cs_status draw_sites(struct cs_report_output *output)
{
    return write_bars(output, "MPI time by call site", cs_sql_bars_of_sites);
}

static enum cs_status draw_sizes(struct cs_report_output *output)
{
    return write_bars(output, "Messages, collective calls and transfers by size",
                      "SELECT kind || ', ' || bytes(least_bytes) || ' and more' AS label, sum(messages) AS value,\n"
                      "       printf('%d', sum(messages)) AS text\n"
                      "FROM message_sizes GROUP BY kind, size_class ORDER BY kind, size_class LIMIT 60");
}

static enum cs_status draw_traffic(struct cs_report_output *output)
{
    struct cs_html_cell *cells = NULL;
    size_t count = 0, room = 0;
    int64_t step = 1, size = 0;
    bool grown = true;
    struct cs_rows row = cs_rows_begin(output->db, cs_picture_find("traffic")->sql);
    while (grown && cs_rows_next(&row)) {
        grown = cs_array_grow(&cells, count, &room, sizeof *cells);
        if (!grown)
            break;
        step = cs_rows_integer(&row, "bin");
        struct cs_html_cell cell = {cs_rows_integer(&row, "source") / step, cs_rows_integer(&row, "dest") / step,
                                    cs_rows_real(&row, "bytes")};
        size = cell.row >= size ? cell.row + 1 : size;
        size = cell.column >= size ? cell.column + 1 : size;
        cells[count++] = cell;
    }
    enum cs_status status = cs_rows_end(&row);
    if (count && size <= 128)
        cs_html_matrix(output->stream, "Bytes from source to dest", cells, count, size, step);
    free(cells);
    return grown ? status : CS_NO_MEMORY;
}

/* ---- parts ---- */

#define REPORTS_MOST 6

struct part {
    const char *name, *title, *lead;
    enum cs_status (*draw)(struct cs_report_output *output); /* NULL: no still picture */
    const char *reports[REPORTS_MOST];                       /* the tables behind the picture */
};

/* Marks a part that has tables alone. */
static enum cs_status draw_nothing(struct cs_report_output *output)
{
    (void)output;
    return CS_OK;
}

static const struct part parts[] = {
    {"ranks",
     "Ranks",
     "Share of each rank's time that it spent in MPI, and how it ended.",
     draw_ranks,
     {"run", "endings"}},
    {"regions", "Regions", "Parts of the program that it named, and fifths of the run.", draw_nothing, {"regions"}},
    {"timeline",
     "Time line",
     "What each rank did when, who waited for whom, and the critical path.",
     cs_page_draw_timeline,
     {"waits", "efficiency", "critical_path"}},
    {"communicators",
     "Communicators",
     "Each communicator, window and file is below the one that it was created from. Similar ones share a line.",
     draw_communicators,
     {"communicators", "objects", "congruent", "disagree", "unnamed", "rules"}},
    {"functions",
     "Functions",
     "MPI time by function and communicator, all ranks together (Init and Finalize not counted).",
     draw_functions,
     {"functions"}},
    {"balance",
     "Distribution over ranks",
     "Time of the rank with the least, the median and the rank with the most, of the ranks that called the function.",
     NULL,
     {"balance"}},
    {"traffic", "Traffic", "Bytes from source to dest, in ranks of MPI_COMM_WORLD.", draw_traffic, {"traffic"}},
    {"sizes",
     "Sizes",
     "How many messages, collective calls and transfers there are of each size.",
     draw_sizes,
     {"sizes"}},
    {"sites", "Call sites", "Lines of the program by the MPI time of their calls.", draw_sites, {"call_sites"}},
    {"callers",
     "Callers",
     "Functions of the program by the MPI time below them, all ranks together.",
     NULL,
     {"call_tree"}},
    {"placement", "Placement", "Where each rank made most of its calls.", NULL, {"placement"}},
    {"objects",
     "Objects",
     "Live objects by the call site that creates them, as time goes by. A slope that never falls is a leak.",
     NULL,
     {"leaks", "counts", "churn"}},
    {"tags",
     "Tags and attributes",
     "The tags of messages between 0 and MPI_TAG_UB. Every MPI allows 32767; some allow no more.",
     NULL,
     {"tags", "attributes"}},
};
#define PARTS_COUNT (sizeof parts / sizeof *parts)

/* A run without events has no time line. */
static bool is_shown(const struct part *part, bool events)
{
    return events || part->draw != cs_page_draw_timeline;
}

/* Above the picture, which scripts replace. */
static enum cs_status write_threads_without(struct cs_report_output *output)
{
    struct cs_phrase line = {0};
    enum cs_status status = cs_threads_without_events(output->db, &line);
    if (*cs_phrase_text(&line))
        write_line(output, cs_phrase_text(&line));
    cs_phrase_free(&line);
    return status;
}

static enum cs_status write_part(struct cs_report_output *output, const struct part *part)
{
    FILE *stream = output->stream;
    fprintf(stream, "<section id=\"%s\">\n<h2>%s</h2>\n<p class=\"lead\">%s</p>\n", part->name, part->title,
            part->lead);
    enum cs_status noted = part->draw == cs_page_draw_timeline ? write_threads_without(output) : CS_OK;
    bool has_picture = part->draw != draw_nothing;
    if (has_picture)
        fprintf(stream, "<div class=\"picture\" id=\"picture-%s\">\n", part->name);
    enum cs_status status = part->draw && noted == CS_OK ? part->draw(output) : noted;
    fprintf(stream, "%s<details class=\"reports\" open><summary>Report</summary>\n", has_picture ? "</div>\n" : "");
    for (size_t i = 0; i < REPORTS_MOST && part->reports[i]; i++) {
        enum cs_status written = write_report(output, part->reports[i]);
        status = status == CS_OK ? written : status;
    }
    fputs("</details>\n</section>\n", stream);
    return status;
}

/* ---- findings ---- */

static void write_findings(FILE *stream, const struct cs_sentences *sentences)
{
    static const char *const words[] = {"", "error", "warning", "note"};
    fputs("<section id=\"findings\">\n<h2>Findings</h2>\n", stream);
    if (!sentences->count)
        fputs("<p>Nothing stands out.</p>\n", stream);
    fputs("<ol class=\"findings\">\n", stream);
    for (size_t i = 0; i < sentences->count; i++) {
        const struct cs_sentence *it = &sentences->sentence[i];
        int severity = it->severity >= 1 && it->severity <= 3 ? it->severity : 3;
        fprintf(stream, "<li class=\"severity-%d\"><span class=\"severity\">%s</span> <span class=\"text\">", severity,
                words[severity]);
        cs_html_text(stream, it->text, TEXT_BYTES);
        fprintf(stream, "</span> <a href=\"#%s\"", it->picture);
        if (it->key)
            fprintf(stream, " data-key=\"%" PRId64 "\"", it->key);
        fputs(">show</a></li>\n", stream);
    }
    fputs("</ol>\n</section>\n", stream);
}

static void write_incomplete(FILE *stream, const struct cs_run_info *info)
{
    if (info->left_out)
        fprintf(stream, "<p>%zu of %zu rank files could not be read; the rest is shown.</p>\n", info->left_out,
                info->files);
    if (info->alive + info->unknown)
        fputs("<p>Processes still run, or may: this is what was recorded until now.</p>\n", stream);
}

/* ---- files of the page ---- */

/* NULL: there is none. To be freed. */
static char *read_file(const char *name, size_t *length)
{
    char folder[PATH_MAX], path[2 * PATH_MAX];
    *length = 0;
    if (!cs_libraries_folder(folder))
        return NULL;
    snprintf(path, sizeof path, "%s/%s/%s", folder, CALLSIGN_PAGE_FROM_LIB, name);
    FILE *file = fopen(path, "re");
    if (!file)
        return NULL;
    char *text = NULL;
    struct stat facts;
    if (fstat(fileno(file), &facts) == 0 && (text = malloc((size_t)facts.st_size + 1))) {
        *length = fread(text, 1, (size_t)facts.st_size, file);
        text[*length] = '\0';
    }
    fclose(file);
    return text;
}

static bool write_file(FILE *stream, const char *before, const char *name, const char *after)
{
    size_t length;
    char *text = read_file(name, &length);
    if (text) {
        fputs(before, stream);
        fwrite(text, 1, length, stream);
        fputs(after, stream);
    }
    free(text);
    return text != NULL;
}

/* ---- data ---- */

/* The rows of one picture as JSON. */
static enum cs_status write_rows(const struct cs_report_output *output, const struct cs_picture *picture)
{
    char *json = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&json, &length);
    sqlite3_stmt *rows = memory ? cs_sql_prepare(output->db, picture->sql) : NULL;
    enum cs_status status = !memory ? CS_NO_MEMORY : rows ? CS_OK : CS_SQL;
    if (rows)
        status = cs_result_print_json_lists(rows, memory, output->resolver);
    if (status == CS_SQL && rows)
        cs_log("report: %s: %s", picture->name, sqlite3_errmsg(output->db));
    sqlite3_finalize(rows);
    if (memory && fclose(memory) != 0)
        status = CS_NO_MEMORY;
    if (status == CS_OK)
        cs_html_json(output->stream, json, length);
    else
        fputs("null", output->stream);
    free(json);
    return status;
}

/* ---- tables for the SQL box ---- */

#define TABLE_RANKS 64           /* larger runs have the rows of the pictures only */
#define TABLE_ROWS  5000         /* a longer table is left out */
#define TABLE_BYTES (900 * 1024) /* of all tables */

/* Other tables and views show the rows of these in words. */
static bool is_raw(const char *name)
{
    static const char *const raw[] = {"frame", "message_pairs", "module", "profile", "site", "stretch"};
    for (size_t i = 0; i < sizeof raw / sizeof *raw; i++)
        if (strcmp(name, raw[i]) == 0)
            return true;
    return false;
}

/* The table or view as JSON; *json NULL: it is too long. */
static enum cs_status read_table(const struct cs_report_output *output, const char *name, char **json, size_t *length)
{
    FILE *memory = open_memstream(json, length);
    char *sql = sqlite3_mprintf("SELECT * FROM \"%w\" LIMIT %d", name, TABLE_ROWS + 1);
    sqlite3_stmt *rows = memory && sql ? cs_sql_prepare(output->db, sql) : NULL;
    enum cs_status status = !memory || !sql ? CS_NO_MEMORY : rows ? CS_OK : CS_SQL;
    if (rows)
        status = cs_result_print_json_lists(rows, memory, NULL);
    sqlite3_finalize(rows);
    sqlite3_free(sql);
    if (memory && fclose(memory) != 0)
        status = CS_NO_MEMORY;
    size_t count = 0;
    for (const char *c = status == CS_OK ? *json : NULL; c && (c = strstr(c, "\n[")); c += 2)
        count++;
    if (status != CS_OK || count > TABLE_ROWS) {
        free(*json);
        *json = NULL;
    }
    return status;
}

static bool is_small(const struct cs_report_output *output)
{
    struct cs_rows row = cs_rows_begin(output->db, "SELECT count(*) AS ranks FROM process");
    bool small = cs_rows_next(&row) && cs_rows_integer(&row, "ranks") <= TABLE_RANKS;
    return cs_rows_end(&row) == CS_OK && small;
}

/* The tables and views of callsign query, as far as there is room; the names of the others. */
static enum cs_status write_tables(const struct cs_report_output *output)
{
    FILE *stream = output->stream;
    struct cs_phrase left_out = {0};
    size_t written = 0;
    fputs(",\n\"tables\": {", stream);
    struct cs_rows row = cs_rows_begin(output->db, cs_sql_page_tables);
    while (cs_rows_next(&row)) {
        const char *name = cs_schema_find(cs_rows_text(&row, "name"));
        if (!name)
            continue; /* a table of SQLite, or one that a merged file has besides */
        char *json = NULL;
        size_t length = 0;
        if (!is_raw(name) && !cs_rows_integer(&row, "too_long") && read_table(output, name, &json, &length) == CS_OK &&
            json && written + length <= TABLE_BYTES) {
            fprintf(stream, "%s\"%s\": ", written ? ",\n" : "\n", name);
            cs_html_json(stream, json, length);
            written += length;
        } else {
            cs_phrase_add(&left_out, "%s\"%s\"", left_out.length ? ", " : "", name);
        }
        free(json);
    }
    fprintf(stream, "},\n\"left_out\": [%s]", cs_phrase_text(&left_out));
    cs_phrase_free(&left_out);
    static const struct cs_picture locations = {"locations", "SELECT site FROM site ORDER BY site"};
    fputs(",\n\"locations\": ", stream);
    enum cs_status status = write_rows(output, &locations);
    return cs_rows_end(&row) == CS_OK ? status : CS_SQL;
}

static enum cs_status write_data(const struct cs_report_output *output, bool sql)
{
    enum cs_status status = CS_OK;
    fputs("<script type=\"application/json\" id=\"data\">\n{\"pictures\": {", output->stream);
    for (size_t i = 0; i < cs_pictures_count; i++) {
        fprintf(output->stream, "%s\"%s\": ", i ? ",\n" : "\n", cs_pictures[i].name);
        enum cs_status written = write_rows(output, &cs_pictures[i]);
        status = status == CS_OK ? written : status;
    }
    fputs("}", output->stream);
    if (sql && is_small(output)) {
        enum cs_status written = write_tables(output);
        status = status == CS_OK ? written : status;
    }
    fputs("}\n</script>\n", output->stream);
    return status;
}

/* ---- the whole ---- */

/* The policy lets no address be loaded, whatever a name may say. */
static void write_head(FILE *stream, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"generator\" content=\"callsign " CALLSIGN_VERSION "\">\n",
          stream);
    write_file(stream, "<meta http-equiv=\"Content-Security-Policy\" content=\"", "policy.txt", "\">\n");
    fputs("<title>", stream);
    cs_html_text(stream, title, 200);
    fputs("</title>\n", stream);
    write_file(stream, "<style>\n", "page.css", "</style>\n");
    fputs("</head>\n<body>\n", stream);
}

static void write_navigation(FILE *stream, bool source, bool events)
{
    fputs("<nav aria-label=\"Parts of the page\"><a href=\"#findings\">Findings</a>", stream);
    for (size_t i = 0; i < PARTS_COUNT; i++)
        if (is_shown(&parts[i], events))
            fprintf(stream, " <a href=\"#%s\">%s</a>", parts[i].name, parts[i].title);
    fputs(source ? " <a href=\"#source\">Source</a></nav>\n" : "</nav>\n", stream);
}

static enum cs_status write_page(struct cs_report_output *output, const struct cs_run_info *info,
                                 const struct cs_page_request *request)
{
    FILE *stream = output->stream;
    struct cs_sentences sentences;
    enum cs_status status = cs_sentences_collect(output, &sentences);
    const char *run = sentences.run ? sentences.run : "";
    write_head(stream, run);
    fputs("<header>\n<h1>callsign</h1>\n<p class=\"run\">", stream);
    cs_html_text(stream, run, TEXT_BYTES);
    fputs("</p>\n", stream);
    write_incomplete(stream, info);
    fputs("<div id=\"filter\"></div>\n", stream);
    bool events = cs_waits_have_events(output->db);
    write_navigation(stream, request->source, events);
    fputs("</header>\n<main>\n", stream);
    write_findings(stream, &sentences);
    for (size_t i = 0; i < PARTS_COUNT; i++) {
        enum cs_status written = is_shown(&parts[i], events) ? write_part(output, &parts[i]) : CS_OK;
        status = status == CS_OK ? written : status;
    }
    if (request->source) {
        enum cs_status written = cs_page_write_source(output, info, request->source_path);
        status = status == CS_OK ? written : status;
    }
    fputs("<div id=\"ask\"></div>\n</main>\n<footer>\n<p>Written by callsign " CALLSIGN_VERSION
          ". The same figures: <code>callsign report ",
          stream);
    char word[CS_SHELL_WORD_BYTES];
    cs_html_text(stream, cs_shell_word(output->run, word), TEXT_BYTES);
    fputs(" --format json</code></p>\n", stream);
    enum cs_status data = write_data(output, request->sql);
    status = status == CS_OK ? data : status;
    if (request->sql && write_file(stream, "<script>\n", "sql.js", "</script>\n"))
        write_file(stream, "<details><summary>Licences</summary>\n<pre>", "licences.txt", "</pre></details>\n");
    if (!write_file(stream, "<script>\n", "page.js", "</script>\n"))
        cs_log("this callsign was built without node: the page has only tables and still pictures");
    fputs("</footer>\n</body>\n</html>\n", stream);
    cs_sentences_free(&sentences);
    return status;
}

/* The path that the page gets. False: too long. */
static bool choose_path(const char *run, bool single, const char *file, char path[PATH_MAX])
{
    int length;
    if (file)
        length = snprintf(path, PATH_MAX, "%s", file);
    else if (!single)
        length = snprintf(path, PATH_MAX, "%s/report.html", run);
    else
        length = snprintf(path, PATH_MAX, "%s.html", run);
    return length > 0 && length < PATH_MAX;
}

static void print_path(const char *path)
{
    char bytes[64], absolute[PATH_MAX];
    struct stat facts;
    if (stat(path, &facts) == 0 && realpath(path, absolute)) {
        cs_text_put(stdout, absolute);
        printf(": %s, for every browser\n", cs_text_bytes(bytes, sizeof bytes, (double)facts.st_size));
    }
}

enum cs_status cs_page_write(const struct cs_report_output *output, const struct cs_run_info *info,
                             const struct cs_page_request *request)
{
    char path[PATH_MAX];
    struct cs_output page;
    if (!choose_path(output->run, info->single, request->file, path)) {
        cs_log("report: the path of the page is too long");
        return CS_IO;
    }
    if (!cs_command_open_output(&page, path, request->file ? CS_OUTPUT_NAMED : CS_OUTPUT_CHOSEN,
                                request->file || info->single ? NULL : &info->folder))
        return CS_IO;
    struct cs_report_output writing = *output;
    writing.stream = page.stream;
    enum cs_status status = write_page(&writing, info, request);
    if (cs_command_end_output(&page, path, true) != CS_EXIT_OK)
        return CS_IO;
    print_path(path);
    return status;
}
