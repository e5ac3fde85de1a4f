#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/command/command.h"
#include "cli/command/newest_run.h"
#include "cli/command/options.h"
#include "cli/page/report_run.h"
#include "cli/rows/similar_name.h"
#include "cli/text/phrase.h"
#include "cli/text/text.h"
#include "db/trace/schema.h"

static const char help[] = "Usage: callsign report [OPTION...] [RUN...] [NAME...]\n\n"
                           "Prints the overview of RUN, or of the newest run here, or these reports in full.\n\n"
                           "  -n, --rows N                 show at most N rows of each table (0: all)\n"
                           "  -f, --format table|csv|json  csv, json: one report with plain numbers;\n"
                           "                               json without NAME: findings and all reports\n"
                           "      --html[=FILE]            write one HTML page, report.html in the run\n"
                           "      --no-sql                 leave the SQL box of the page out: it is smaller\n"
                           "      --with-source            add the source lines around call sites\n"
                           "      --source-path FOLDER     likewise, also of files below FOLDER\n"
                           "      --through NAME,...       charge calls through these layers to callers\n"
                           "                               (globs of library, function or source files)\n"
                           "      --region NAME            count only MPI calls in this region\n"
                           "  -h, --help                   print this\n\n"
                           "Reports:\n";
static const char examples[] = "\nExample:\n"
                               "  callsign report program.k3f9a2xq.callsign communicators --rows 50\n";

static int print_help(void)
{
    cs_command_help(help);
    for (size_t i = 0; i < cs_reports_count; i++)
        printf("  %-13s  %s\n", cs_reports[i].name, cs_reports[i].title);
    return cs_command_help(examples);
}

/* Logs that there is no such report, and the report or view with a similar name (views are for callsign query). */
static void suggest_similar(const char *word, const char *run)
{
    char path[CS_SHELL_WORD_BYTES];
    struct cs_similar_name report = {.word = word};
    struct cs_similar_name view = {.word = word};
    for (size_t i = 0; i < cs_reports_count; i++)
        cs_similar_name_offer(&report, cs_reports[i].name);
    for (size_t i = 0; i < cs_views_count; i++)
        cs_similar_name_offer(&view, cs_views[i].name);
    if (*view.name && (!*report.name || view.distance < report.distance))
        cs_log("there is no report %s, but a view: callsign query %s %s", word, cs_shell_word(run, path), view.name);
    else if (*report.name)
        cs_log("there is no report %s; the nearest is %s", word, report.name);
    else
        cs_log("there is no report %s, and no run of that name", word);
}

/* Divides the arguments: names of reports are reports, also where a program has that name (./why is the file). The rest
   are runs, which are moved to the front. Returns -1 if one is neither; that was logged. */
static int sort_arguments(char **argument, int count, struct cs_report_request *request)
{
    int runs = 0;
    const char *neither = NULL;
    for (int i = 0; i < count; i++) {
        const struct cs_report *report = cs_report_find(argument[i]);
        if (report)
            request->names[request->names_count++] = report;
        else if (access(argument[i], F_OK) != 0 && cs_similar_name_is_word(argument[i]))
            neither = argument[i];
        else
            argument[runs++] = argument[i];
    }
    if (!neither)
        return runs;
    suggest_similar(neither, runs ? argument[0] : "RUN");
    return -1;
}

static void print_title(const char *run, bool first)
{
    if (!first)
        putchar('\n');
    cs_text_put(stdout, run);
    putchar('\n');
}

/* Whether --region goes with the reports that were named. */
static bool all_by_region(const struct cs_report_request *request)
{
    for (size_t i = 0; i < request->names_count; i++)
        if (!request->names[i]->by_region)
            return false;
    return request->names_count > 0;
}

static void log_by_region(void)
{
    struct cs_phrase names = {0};
    for (size_t i = 0; i < cs_reports_count; i++)
        if (cs_reports[i].by_region)
            cs_phrase_add(&names, "%s%s", names.length ? ", " : "", cs_reports[i].name);
    cs_log("report: --region is for reports of MPI time; name one: %s", cs_phrase_text(&names));
    cs_phrase_free(&names);
}

static int report_runs(char **argument, int count, struct cs_report_request *request)
{
    int runs = sort_arguments(argument, count, request);
    if (runs < 0)
        return cs_command_usage("report");
    bool newest = runs == 0;
    runs += newest;
    if (request->format != CS_FORMAT_TABLE && runs != 1) {
        cs_log("report: --format csv and json print one run");
        return cs_command_usage("report");
    }
    if (request->html && (request->names_count || request->format != CS_FORMAT_TABLE)) {
        cs_log("report: --html is the whole report; it goes without NAME and --format");
        return cs_command_usage("report");
    }
    if (request->page.source && !request->html) {
        cs_log("report: --with-source is about the page: give --html, too");
        return cs_command_usage("report");
    }
    if (request->reading.region && !all_by_region(request)) {
        log_by_region();
        return cs_command_usage("report");
    }
    if (request->page.file && runs != 1) {
        cs_log("report: --html=FILE writes one run");
        return cs_command_usage("report");
    }
    if (request->format == CS_FORMAT_CSV && request->names_count != 1) {
        cs_log("report: --format csv prints one report; name it");
        return cs_command_usage("report");
    }
    if (request->format == CS_FORMAT_JSON && request->names_count > 1) {
        cs_log("report: --format json prints one report, or all; name at most one");
        return cs_command_usage("report");
    }
    const char *found = newest ? cs_newest_run("report", false) : NULL;
    if (newest && !found)
        return CS_EXIT_TROUBLE;
    int code = CS_EXIT_OK;
    for (int i = 0; i < runs; i++) {
        if (runs > 1 && !request->html)
            print_title(argument[i], i == 0);
        if (cs_report_run(newest ? found : argument[i], request) != CS_EXIT_OK)
            code = CS_EXIT_TROUBLE;
    }
    int written = cs_command_close_output(stdout, NULL);
    return code == CS_EXIT_OK ? written : code;
}

int cmd_report(int argc, char **argv)
{
    struct cs_options options;
    cs_options_begin(&options, argc, argv, "", help);
    struct cs_report_request request = {.rows = CS_REPORT_ROWS_DEFAULT, .format = CS_FORMAT_TABLE, .page.sql = true};
    const char *option;
    while ((option = cs_option_next(&options))) {
        if (cs_option_is(option, "rows") && cs_command_rows("report", optarg, &request.rows))
            continue;
        if (cs_option_is(option, "format") && cs_format_parse(optarg, &request.format))
            continue;
        if (cs_option_is(option, "html")) {
            request.html = true;
            request.page.file = optarg;
            continue;
        }
        if (cs_option_is(option, "no-sql")) {
            request.page.sql = false;
            continue;
        }
        if (cs_option_is(option, "through")) {
            request.reading.through = optarg;
            continue;
        }
        if (cs_option_is(option, "region")) {
            request.reading.region = optarg;
            continue;
        }
        if (cs_option_is(option, "source-path")) {
            request.page.source = true;
            request.page.source_path = optarg;
            continue;
        }
        if (cs_option_is(option, "with-source")) {
            request.page.source = true;
            continue;
        }
        return cs_option_is(option, "help") ? print_help() : cs_command_usage("report");
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
