#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/command.h"
#include "cli/similar_name.h"
#include "cli/suggestion.h"
#include "cli/result.h"
#include "cli/report_print.h"
#include "cli/shell.h"
#include "cli/sql.h"
#include "cli/text.h"
#include "db/trace/schema.h"

static const char help[] = "Usage: callsign report [OPTION...] RUN... [NAME...]\n\n"
                           "Prints what a run did: communicators by time, call sites, objects, placement.\n"
                           "With the names of reports only those, with all their rows.\n\n"
                           "  -n, --rows N                 show at most N rows of each table (0: all)\n"
                           "  -f, --format table|csv|json  of one report; csv and json have plain numbers\n"
                           "  -h, --help                   print this\n\n"
                           "Reports:\n";
static const char examples[] = "\nExamples:\n"
                               "  callsign report program.*.callsign\n"
                               "  callsign report program.k3f9a2xq.callsign communicators --rows 50\n";

static int print_help(void)
{
    cs_command_help(help);
    for (size_t i = 0; i < cs_reports_count; i++) {
        struct cs_report report = cs_report_parse(&cs_reports[i]);
        printf("  %-13s  %.*s\n", report.name, (int)report.title_length, report.title);
    }
    return cs_command_help(examples);
}

#define ROWS_NOT_GIVEN SIZE_MAX

struct request {
    size_t rows;
    enum cs_format format;
    const struct cs_report_file **names;
    size_t names_count;
};

static size_t rows_of(const struct request *request, size_t otherwise)
{
    return request->rows == ROWS_NOT_GIVEN ? otherwise : request->rows;
}

/* The reports of the overview in their order. */
static enum cs_status print_overview(struct cs_report_output *output, const struct request *request)
{
    enum cs_status status = CS_OK;
    size_t printed = 0;
    for (int position = 1; printed < cs_reports_count && position < 100; position++)
        for (size_t i = 0; i < cs_reports_count; i++) {
            struct cs_report report = cs_report_parse(&cs_reports[i]);
            if (report.position != position)
                continue;
            output->rows = rows_of(request, report.rows);
            if (cs_report_print(output, &report) != CS_OK)
                status = CS_SQL; /* one that failed keeps nobody from the others */
            printed++;
        }
    return status;
}

static enum cs_status print_plain(sqlite3 *db, const struct cs_report_file *file, enum cs_format format)
{
    sqlite3_stmt *rows = cs_sql_prepare(db, file->sql);
    if (!rows)
        return CS_SQL;
    enum cs_status status = cs_result_print(rows, stdout, format);
    if (status != CS_OK)
        cs_log("report %s: %s", file->name, status == CS_SQL ? sqlite3_errmsg(db) : cs_status_text(status));
    sqlite3_finalize(rows);
    return status;
}

static enum cs_status print_named(struct cs_report_output *output, const struct request *request)
{
    enum cs_status status = CS_OK;
    for (size_t i = 0; i < request->names_count && status == CS_OK; i++) {
        struct cs_report report = cs_report_parse(request->names[i]);
        output->rows = rows_of(request, 0);
        if (request->format == CS_FORMAT_TABLE)
            status = cs_report_print(output, &report);
        else
            status = print_plain(output->db, request->names[i], request->format);
    }
    return status;
}

static void tell_what_was_found(const struct cs_run_info *info)
{
    if (info->left_out)
        printf("%zu of %zu rank files could not be read (see the messages above); the rest is shown.\n", info->left_out,
               info->files);
    if (info->alive)
        printf("%zu process%s still run%s: this is what was recorded until now.\n", info->alive,
               info->alive == 1 ? "" : "es", info->alive == 1 ? "s" : "");
}

static int report_run(const char *path, const struct request *request)
{
    struct cs_run *run = cs_command_open(path);
    if (!run)
        return CS_EXIT_TROUBLE;
    struct cs_report_output output = {.db = cs_run_database(run),
                                      .run = path,
                                      .resolver = cs_resolver_new(CS_RESOLVER_IN_COMMAND),
                                      .stream = stdout,
                                      .terminal = cs_terminal_of(stdout)};
    enum cs_status status = output.resolver ? CS_OK : CS_NO_MEMORY;
    if (status == CS_OK && request->names_count) {
        status = print_named(&output, request);
    } else if (status == CS_OK) {
        tell_what_was_found(cs_run_info(run));
        status = print_overview(&output, request);
        cs_suggestion_print(output.db, path, stdout);
    }
    cs_resolver_free(output.resolver);
    cs_run_close(run);
    return status == CS_OK ? CS_EXIT_OK : CS_EXIT_TROUBLE;
}

int cs_report_run(const char *path, const struct cs_report_file *reports[], size_t count, size_t rows)
{
    const struct request request = {.names = reports, .names_count = count, .rows = rows, .format = CS_FORMAT_TABLE};
    return report_run(path, &request);
}

/* Says what somebody may have meant who named a report that there is not: a view, which is asked otherwise, or another.
 */
static void tell_nearest(const char *word, const char *run)
{
    char path[CS_SHELL_WORD_BYTES];
    struct cs_similar_name report = {.word = word};
    struct cs_similar_name view = {.word = word};
    for (size_t i = 0; i < cs_reports_count; i++)
        cs_similar_name_offer(&report, cs_reports[i].name);
    for (size_t i = 0; i < cs_views_count; i++)
        cs_similar_name_offer(&view, cs_views[i].name);
    if (*view.name && (!*report.name || view.distance < report.distance))
        cs_log("there is no report %s. A view is asked with: callsign query %s %s", word, cs_shell_word(run, path),
               view.name);
    else if (*report.name)
        cs_log("there is no report %s; the nearest is %s", word, report.name);
    else
        cs_log("there is no report %s, and no run of that name", word);
}

/* Splits the arguments: what is no file but a report's name is a report, the rest are runs. Runs end up at the front.
   -1, told: one is neither. */
static int sort_arguments(char **argument, int count, struct request *request)
{
    int runs = 0;
    const char *neither = NULL;
    for (int i = 0; i < count; i++) {
        const struct cs_report_file *file = cs_report_find(argument[i]);
        bool exists = access(argument[i], F_OK) == 0;
        if (file && !exists)
            request->names[request->names_count++] = file;
        else if (!exists && cs_similar_name_is_word(argument[i]))
            neither = argument[i];
        else
            argument[runs++] = argument[i];
    }
    if (!neither)
        return runs;
    tell_nearest(neither, runs ? argument[0] : "RUN");
    return -1;
}

static void print_title(const char *run, bool first)
{
    if (!first)
        putchar('\n');
    cs_text_put(stdout, run);
    putchar('\n');
}

static int report_runs(char **argument, int count, struct request *request)
{
    int runs = sort_arguments(argument, count, request);
    if (runs < 0)
        return cs_command_usage("report");
    if (runs == 0) {
        cs_log("report: which run? Name a folder (*.callsign)");
        return cs_command_usage("report");
    }
    if (request->format != CS_FORMAT_TABLE && (request->names_count != 1 || runs != 1)) {
        cs_log("report: --format csv and json print one report of one run; name the report");
        return cs_command_usage("report");
    }
    int code = CS_EXIT_OK;
    for (int i = 0; i < runs; i++) {
        if (runs > 1)
            print_title(argument[i], i == 0);
        if (report_run(argument[i], request) != CS_EXIT_OK)
            code = CS_EXIT_TROUBLE;
    }
    int written = cs_command_close_output(stdout, NULL);
    return code == CS_EXIT_OK ? written : code;
}

int cmd_report(int argc, char **argv)
{
    static const struct option options[] = {{"rows", required_argument, NULL, 'n'},
                                            {"format", required_argument, NULL, 'f'},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    struct request request = {.rows = ROWS_NOT_GIVEN, .format = CS_FORMAT_TABLE};
    int option;
    while ((option = getopt_long(argc, argv, "n:f:h", options, NULL)) != -1) {
        if (option == 'n' && cs_command_rows("report", optarg, &request.rows))
            continue;
        if (option == 'f' && cs_format_parse(optarg, &request.format))
            continue;
        return option == 'h' ? print_help() : cs_command_usage("report");
    }
    request.names = calloc((size_t)argc, sizeof *request.names);
    if (!request.names) {
        cs_log("out of memory");
        return CS_EXIT_TROUBLE;
    }
    int code = report_runs(argv + optind, argc - optind, &request);
    free(request.names);
    return code;
}
