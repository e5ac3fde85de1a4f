#include "cli/page/report_run.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "cli/command/command.h"
#include "cli/report/pictures.h"
#include "cli/report/report_print.h"
#include "cli/report/report_waits.h"
#include "cli/report/sentences.h"
#include "cli/rows/location.h"
#include "cli/rows/rows.h"
#include "cli/rows/sql.h"
#include "cli/text/text.h"
#include "findings.h"

/* ---- the last lines of the overview: a suitable next command, ready to paste ---- */

/* The first whose SELECT has a row is suggested: reason, command, and the report. */
static const struct {
    const char *why, *sql, *command, *report;
} suggestions[] = {
    {"The last call of every rank, and who waited for whom:", "SELECT 1 FROM process WHERE outcome <> 'finalized'",
     "hang", NULL},
    {"Every function in which ranks wait for a late one:", "SELECT 1 FROM late_findings", "report", "balance"},
    {"The code between calls, and the rank that it takes longest:",
     "SELECT 1 FROM share_findings WHERE kind = 'busy_rank'", "report", "why"},
    {"Call sites that created objects which were never freed:", "SELECT 1 FROM leaks", "report", "leaks"},
    {"Who calls MPI on which communicator:", "SELECT 1 FROM function_time WHERE percent > 0", "report", "comm_callers"},
    {"Views and reports of this run:", "SELECT 1", "query", NULL},
};

/* Prints the suggestion for this run; run is its path. */
static void print_suggestion(sqlite3 *db, const char *run, FILE *stream)
{
    size_t i = 0;
    for (bool found = false; i + 1 < sizeof suggestions / sizeof *suggestions; i++) {
        struct cs_rows row = cs_rows_begin(db, suggestions[i].sql);
        found = cs_rows_next(&row);
        cs_rows_end(&row);
        if (found)
            break;
    }
    char word[CS_SHELL_WORD_BYTES];
    fprintf(stream, "\n%s\n  callsign %s %s", suggestions[i].why, suggestions[i].command, cs_shell_word(run, word));
    fprintf(stream, "%s%s\n", suggestions[i].report ? " " : "", suggestions[i].report ? suggestions[i].report : "");
}

static size_t rows_of(const struct cs_report_request *request, size_t otherwise)
{
    return request->rows == CS_REPORT_ROWS_DEFAULT ? otherwise : request->rows;
}

/* Prints the reports of the overview in their order. */
static enum cs_status print_overview(struct cs_report_output *output, const struct cs_report_request *request)
{
    enum cs_status status = CS_OK;
    size_t printed = 0;
    for (int position = 1; printed < cs_reports_count && position < 100; position++)
        for (size_t i = 0; i < cs_reports_count; i++) {
            if (cs_reports[i].position != position)
                continue;
            output->rows = rows_of(request, cs_reports[i].rows);
            if (cs_report_print(output, &cs_reports[i]) != CS_OK)
                status = CS_SQL; /* continue with the other reports */
            printed++;
        }
    return status;
}

static enum cs_status print_plain(const struct cs_report_output *output, const struct cs_report *report,
                                  enum cs_format format)
{
    sqlite3 *db = output->db;
    sqlite3_stmt *rows = cs_report_prepare(db, report);
    if (!rows)
        return CS_SQL;
    enum cs_status status = cs_result_print(rows, output->stream, format, output->resolver);
    if (status != CS_OK)
        cs_log("report %s: %s", report->name,
               status == CS_SQL ? sqlite3_errmsg(sqlite3_db_handle(rows)) : cs_status_text(status));
    sqlite3_finalize(rows);
    return status;
}

static enum cs_status print_named(struct cs_report_output *output, const struct cs_report_request *request)
{
    enum cs_status status = CS_OK;
    for (size_t i = 0; i < request->names_count && status == CS_OK; i++) {
        output->rows = rows_of(request, request->names[i]->position ? 0 : request->names[i]->rows);
        if (request->format == CS_FORMAT_TABLE)
            status = cs_report_print(output, request->names[i]);
        else
            status = print_plain(output, request->names[i], request->format);
    }
    return status;
}

/* Prints "name": [rows], as a member of a JSON object. rows NULL: they could not be prepared, which was logged. */
static enum cs_status print_member(const struct cs_report_output *output, const char *before, const char *name,
                                   sqlite3_stmt *rows)
{
    fprintf(output->stream, "%s\"%s\": ", before, name);
    if (!rows) {
        fputs("null", output->stream);
        return CS_SQL;
    }
    enum cs_status status = cs_result_print_json(rows, output->stream, output->resolver, strcmp(name, "findings") == 0);
    if (status != CS_OK)
        cs_log("report %s: %s", name,
               status == CS_SQL ? sqlite3_errmsg(sqlite3_db_handle(rows)) : cs_status_text(status));
    sqlite3_finalize(rows);
    return status;
}

static void print_number(FILE *stream, const char *name, int64_t number)
{
    fprintf(stream, ", \"%s\": ", name);
    if (number)
        fprintf(stream, "%" PRId64, number);
    else
        fputs("null", stream);
}

/* The sentences of the overview. */
static void print_sentences(FILE *stream, const struct cs_sentences *sentences)
{
    fputs(",\n\"run\": ", stream);
    cs_result_print_json_text(stream, sentences->run ? sentences->run : "");
    fputs(",\n\"sentences\": [", stream);
    for (size_t i = 0; i < sentences->count; i++) {
        const struct cs_sentence *it = &sentences->sentence[i];
        fputs(i ? "},\n  {\"kind\": " : "\n  {\"kind\": ", stream);
        if (it->kind)
            cs_result_print_json_text(stream, it->kind);
        else
            fputs("null", stream);
        print_number(stream, "severity", it->severity);
        print_number(stream, "key", it->key);
        fprintf(stream, ", \"picture\": \"%s\", \"text\": ", it->picture);
        cs_result_print_json_text(stream, it->text);
    }
    fputs(sentences->count ? "}\n]" : "]", stream);
}

/* One JSON object: the findings, the rows of every report, the sentences and the rows of the page's pictures. */
static enum cs_status print_json(const struct cs_report_output *output)
{
    struct cs_sentences sentences;
    enum cs_status found = cs_sentences_collect(output, &sentences);
    char *findings = sqlite3_mprintf("%s\nUNION ALL SELECT * FROM findings ORDER BY severity", cs_findings_of_json);
    sqlite3_stmt *rows = findings ? cs_sql_prepare(output->db, findings) : NULL;
    sqlite3_free(findings);
    if (rows)
        sqlite3_bind_text(rows, 1, sentences.besides, -1, SQLITE_STATIC);
    enum cs_status printed, status = print_member(output, "{", "findings", rows);
    status = status == CS_OK ? found : status;
    fputs(",\n\"reports\": {", output->stream);
    for (size_t i = 0; i < cs_reports_count; i++) {
        const struct cs_report *report = &cs_reports[i];
        printed = print_member(output, i ? ",\n" : "\n", report->name, cs_report_prepare(output->db, report));
        status = printed == CS_OK ? status : printed;
    }
    fputs("}", output->stream);
    print_sentences(output->stream, &sentences);
    cs_sentences_free(&sentences);
    fputs(",\n\"pictures\": {", output->stream);
    for (size_t i = 0; i < cs_pictures_count; i++) {
        printed =
            print_member(output, i ? ",\n" : "\n", cs_pictures[i].name, cs_sql_prepare(output->db, cs_pictures[i].sql));
        status = printed == CS_OK ? status : printed;
    }
    fputs("}}\n", output->stream);
    return status;
}

static void print_what_is_missing(const struct cs_run_info *info)
{
    if (info->left_out)
        printf("%zu of %zu rank files could not be read (see the messages above); the rest is shown.\n", info->left_out,
               info->files);
    if (info->alive)
        printf("%zu process%s still run%s: this is what was recorded until now.\n", info->alive,
               info->alive == 1 ? "" : "es", info->alive == 1 ? "s" : "");
    if (info->unknown)
        printf("%zu process%s on other nodes or containers may still run: this is what was recorded until now.\n",
               info->unknown, info->unknown == 1 ? "" : "es");
}

static bool is_wanted(const struct cs_report *report, const struct cs_report_request *request)
{
    for (size_t i = 0; i < request->names_count; i++)
        if (request->names[i] == report)
            return true;
    return request->names_count == 0 && (request->html || request->format == CS_FORMAT_JSON);
}

/* Computes once what several queries of these reports read. */
static enum cs_status share_views(struct cs_run *run, const struct cs_report_request *request)
{
    enum cs_status status = request->names_count ? CS_OK : cs_run_share(run, "run_summary");
    bool any = false;
    for (size_t i = 0; i < cs_reports_count && status == CS_OK; i++) {
        if (!cs_reports[i].shared[0] || !is_wanted(&cs_reports[i], request))
            continue;
        if (!any && !cs_waits_have_events(cs_run_database(run)))
            break;
        any = true;
        for (int j = 0; j < 2 && cs_reports[i].shared[j] && status == CS_OK; j++)
            status = cs_run_share(run, cs_reports[i].shared[j]);
    }
    return status;
}

/* The report "run", which the overview begins with, names ranks without trace. */
static bool names_missing(const struct cs_report_request *request)
{
    for (size_t i = 0; i < request->names_count; i++)
        if (strcmp(request->names[i]->name, "run") == 0)
            return true;
    return request->names_count == 0;
}

/* A pattern with a typing error would charge calls to the wrong lines without a word. */
static void log_unmatched_layers(sqlite3 *db)
{
    struct cs_rows row = cs_rows_begin(db, "SELECT pattern FROM unmatched_layers");
    while (cs_rows_next(&row)) {
        char word[CS_SHELL_WORD_BYTES];
        cs_log("--through %s matches no library, function or source file of a call site",
               cs_shell_word(cs_rows_text(&row, "pattern"), word));
    }
    cs_rows_end(&row);
}

/* Waits take long to compute: a report of them alone keeps them for later commands, too. */
static unsigned choose_kept(const struct cs_report_request *request)
{
    if (!request->names_count)
        return request->html || request->format != CS_FORMAT_TABLE ? CS_OPEN_FOR_REPORTS : CS_OPEN_FOR_OVERVIEW;
    for (size_t i = 0; i < request->names_count; i++)
        if (request->names[i]->shared[0])
            return CS_OPEN_FOR_OVERVIEW;
    return 0;
}

int cs_report_run(const char *path, const struct cs_report_request *request)
{
    unsigned flags = choose_kept(request) | (request->patient ? CS_OPEN_PATIENT : 0) |
                     (names_missing(request) ? CS_OPEN_NAMES_MISSING : 0);
    struct cs_run *run = cs_command_open_as(path, flags, request->reading);
    if (!run)
        return CS_EXIT_TROUBLE;
    struct cs_report_output output = {.db = cs_run_database(run),
                                      .run = path,
                                      .resolver = cs_resolver_new(CS_RESOLVER_IN_COMMAND),
                                      .stream = stdout,
                                      .named = request->names_count > 0,
                                      .terminal = cs_terminal_of(stdout)};
    enum cs_status status = output.resolver ? share_views(run, request) : CS_NO_MEMORY;
    for (size_t i = 0; i < request->names_count; i++)
        cs_run_share_read(run, request->names[i]->sql);
    if (output.resolver)
        cs_resolver_on_lost_lines(output.resolver, cs_location_note_lost);
    if (status == CS_OK && request->html) {
        status = cs_page_write(&output, cs_run_info(run), &request->page);
    } else if (status == CS_OK && request->names_count) {
        status = print_named(&output, request);
    } else if (status == CS_OK && request->format == CS_FORMAT_JSON) {
        status = print_json(&output);
    } else if (status == CS_OK) {
        print_what_is_missing(cs_run_info(run));
        status = print_overview(&output, request);
        print_suggestion(output.db, path, stdout);
    }
    if (status == CS_OK)
        log_unmatched_layers(output.db);
    cs_location_print_lost(request->format == CS_FORMAT_TABLE && !request->html ? stdout : NULL);
    sqlite3_free(output.besides);
    cs_resolver_free(output.resolver);
    cs_run_close(run);
    return status == CS_OK ? CS_EXIT_OK : CS_EXIT_TROUBLE;
}
