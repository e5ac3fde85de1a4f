#include "cli/report_run.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/log.h"
#include "cli/command.h"
#include "cli/deadlocks.h"
#include "cli/location.h"
#include "cli/pictures.h"
#include "cli/report_print.h"
#include "cli/sentences.h"
#include "cli/sql.h"
#include "cli/suggestion.h"

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
    sqlite3_stmt *rows = cs_sql_prepare(db, report->sql);
    if (!rows)
        return CS_SQL;
    enum cs_status status = cs_result_print(rows, output->stream, format, output->resolver);
    if (status != CS_OK)
        cs_log("report %s: %s", report->name, status == CS_SQL ? sqlite3_errmsg(db) : cs_status_text(status));
    sqlite3_finalize(rows);
    return status;
}

static enum cs_status print_named(struct cs_report_output *output, const struct cs_report_request *request)
{
    enum cs_status status = CS_OK;
    for (size_t i = 0; i < request->names_count && status == CS_OK; i++) {
        output->rows = rows_of(request, 0);
        if (request->format == CS_FORMAT_TABLE)
            status = cs_report_print(output, request->names[i]);
        else
            status = print_plain(output, request->names[i], request->format);
    }
    return status;
}

/* Prints "name": [rows], as a member of a JSON object. parameter: value of ?1; NULL: none. */
static enum cs_status print_member(const struct cs_report_output *output, const char *before, const char *name,
                                   const char *sql, const char *parameter)
{
    sqlite3_stmt *rows = cs_sql_prepare(output->db, sql);
    fprintf(output->stream, "%s\"%s\": ", before, name);
    if (!rows) {
        fputs("null", output->stream);
        return CS_SQL;
    }
    if (parameter)
        sqlite3_bind_text(rows, 1, parameter, -1, SQLITE_STATIC);
    enum cs_status status = cs_result_print_json(rows, output->stream, output->resolver);
    if (status != CS_OK)
        cs_log("report %s: %s", name, status == CS_SQL ? sqlite3_errmsg(output->db) : cs_status_text(status));
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
static enum cs_status print_sentences(const struct cs_report_output *output)
{
    struct cs_sentences sentences;
    FILE *stream = output->stream;
    enum cs_status status = cs_sentences_collect(output, &sentences);
    fputs(",\n\"run\": ", stream);
    cs_result_print_json_text(stream, sentences.run ? sentences.run : "");
    fputs(",\n\"sentences\": [", stream);
    for (size_t i = 0; i < sentences.count; i++) {
        const struct cs_sentence *it = &sentences.sentence[i];
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
    fputs(sentences.count ? "}\n]" : "]", stream);
    cs_sentences_free(&sentences);
    return status;
}

/* One JSON object: the findings, the rows of every report, the sentences and the rows of the page's pictures. */
static enum cs_status print_json(const struct cs_report_output *output)
{
    static const char findings[] = CS_DEADLOCKS_SQL "\nUNION ALL SELECT * FROM findings";
    char *deadlocks = NULL;
    enum cs_status found = cs_deadlocks_find(output->db, output->run, &deadlocks);
    enum cs_status status = print_member(output, "{", "findings", findings, deadlocks);
    sqlite3_free(deadlocks);
    status = status == CS_OK ? found : status;
    fputs(",\n\"reports\": {", output->stream);
    for (size_t i = 0; i < cs_reports_count; i++) {
        enum cs_status printed = print_member(output, i ? ",\n" : "\n", cs_reports[i].name, cs_reports[i].sql, NULL);
        status = printed == CS_OK ? status : printed;
    }
    fputs("}", output->stream);
    enum cs_status printed = print_sentences(output);
    status = printed == CS_OK ? status : printed;
    fputs(",\n\"pictures\": {", output->stream);
    for (size_t i = 0; i < cs_pictures_count; i++) {
        printed = print_member(output, i ? ",\n" : "\n", cs_pictures[i].name, cs_pictures[i].sql, NULL);
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

int cs_report_run(const char *path, const struct cs_report_request *request)
{
    struct cs_run *run = cs_command_open(path, (request->patient ? CS_OPEN_PATIENT : 0) |
                                                   (request->names_count ? 0 : CS_OPEN_MATERIALIZE));
    if (!run)
        return CS_EXIT_TROUBLE;
    struct cs_report_output output = {.db = cs_run_database(run),
                                      .run = path,
                                      .resolver = cs_resolver_new(CS_RESOLVER_IN_COMMAND),
                                      .stream = stdout,
                                      .named = request->names_count > 0,
                                      .terminal = cs_terminal_of(stdout)};
    enum cs_status status = output.resolver ? CS_OK : CS_NO_MEMORY;
    if (output.resolver)
        cs_resolver_on_rebuilt(output.resolver, cs_location_note_rebuilt);
    if (status == CS_OK && request->html) {
        status = cs_page_write(&output, cs_run_info(run), &request->page);
    } else if (status == CS_OK && request->names_count) {
        status = print_named(&output, request);
    } else if (status == CS_OK && request->format == CS_FORMAT_JSON) {
        status = print_json(&output);
    } else if (status == CS_OK) {
        print_what_is_missing(cs_run_info(run));
        status = print_overview(&output, request);
        cs_suggestion_print(output.db, path, &output.terminal, stdout);
    }
    cs_location_print_rebuilt(request->format == CS_FORMAT_TABLE ? stdout : NULL);
    cs_resolver_free(output.resolver);
    cs_run_close(run);
    return status == CS_OK ? CS_EXIT_OK : CS_EXIT_TROUBLE;
}
