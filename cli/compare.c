/* callsign compare: what changed from some runs of a program to others. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cli/command.h"
#include "cli/compare_figures.h"
#include "cli/compare_print.h"
#include "cli/compare_rules.h"
#include "cli/location.h"
#include "cli/result.h"
#include "cli/sql.h"

static const char help[] = "Usage: callsign compare [OPTION...] BASE... -- NEW...\n\n"
                           "Compares runs of a program before and after a change: folders or merged files.\n"
                           "Communicators, functions and callers are matched by name, so other lines,\n"
                           "addresses and rank counts do no harm. One run of each side is enough for\n"
                           "calls, bytes, objects, leaks and placement; times need 4 runs of each side.\n\n"
                           "  --fail-on RULE   exit code 1 if the rule is met, 2 if that cannot be decided.\n"
                           "                   RULE: METRIC[@NAME]>NUMBER with %, s, ms, us, B, KiB ...:\n"
                           "                   how much more NEW may have. METRIC: time wait elapsed calls\n"
                           "                   bytes remote_bytes objects leaks ranks nodes cores load\n"
                           "                   bound. NAME: a function, communicator, caller or kind\n"
                           "                   of object. Repeatable\n"
                           "  --junit FILE     write the results of the rules as JUnit XML\n"
                           "  --markdown       print Markdown\n"
                           "  -n, --rows N     show at most N rows of each table (0: all)\n"
                           "  -f, --format table|csv|json  csv: the changes; json: runs, changes and rules\n"
                           "  -h, --help       print this\n\n"
                           "Examples:\n"
                           "  callsign compare old.callsign -- new.callsign\n"
                           "  callsign compare --fail-on 'time>5%' --fail-on 'leaks>0' \\\n"
                           "    old/*.callsign -- new/*.callsign\n";

enum { FAIL_ON = 256, JUNIT, MARKDOWN };

struct comparison {
    const char **runs[2], **rules;
    size_t runs_count[2], rules_count;
    const char *junit;
    bool markdown;
    enum cs_format format;
    size_t rows;
};

/* Reads options and runs of one side, up to "--" or the end. -1: good; otherwise the exit code. */
static int parse_side(int argc, char **argv, enum cs_side side, struct comparison *comparison)
{
    static const struct option options[] = {{"fail-on", required_argument, NULL, FAIL_ON},
                                            {"junit", required_argument, NULL, JUNIT},
                                            {"markdown", no_argument, NULL, MARKDOWN},
                                            {"rows", required_argument, NULL, 'n'},
                                            {"format", required_argument, NULL, 'f'},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    int option;
    optind = 0; /* begin anew */
    while ((option = getopt_long(argc, argv, "-n:f:h", options, NULL)) != -1) {
        if (option == 1)
            comparison->runs[side][comparison->runs_count[side]++] = optarg;
        else if (option == FAIL_ON)
            comparison->rules[comparison->rules_count++] = optarg;
        else if (option == JUNIT)
            comparison->junit = optarg;
        else if (option == MARKDOWN)
            comparison->markdown = true;
        else if (option == 'n' && cs_command_rows("compare", optarg, &comparison->rows))
            continue;
        else if (option == 'f' && cs_format_parse(optarg, &comparison->format))
            continue;
        else
            return option == 'h' ? cs_command_help(help) : cs_command_usage("compare");
    }
    return -1;
}

static int refuse(const char *why)
{
    cs_log("compare: %s", why);
    return cs_command_usage("compare");
}

/* -1: good; otherwise the exit code. */
static int parse(int argc, char **argv, struct comparison *comparison)
{
    int code = parse_side(argc, argv, CS_SIDE_BASE, comparison);
    if (code >= 0)
        return code;
    if (optind < 2 || strcmp(argv[optind - 1], "--") != 0)
        return refuse("-- is missing between the runs before and after: callsign compare BASE... -- NEW...");
    code = parse_side(argc - optind + 1, argv + optind - 1, CS_SIDE_NEW, comparison);
    if (code >= 0)
        return code;
    if (!comparison->runs_count[CS_SIDE_BASE] || !comparison->runs_count[CS_SIDE_NEW])
        return refuse(comparison->runs_count[CS_SIDE_BASE] ? "give runs after --" : "give runs before --");
    if (comparison->junit && !comparison->rules_count)
        return refuse("--junit has a test case for each --fail-on; give one");
    if (comparison->markdown && comparison->format != CS_FORMAT_TABLE)
        return refuse("--markdown or --format, not both");
    return -1;
}

static const char changes_sql[] =
    "SELECT scope, metric, verdict, kind, communicator, created_in, function, caller, base, new, change,\n"
    "       change_percent, base_total, new_total, base_runs, new_runs, base_least, base_most, new_least, new_most,\n"
    "       measured, p, adjusted_p, weight\n"
    "FROM change WHERE scope <> 'rule' AND verdict <> 'same'\n"
    "ORDER BY verdict IN ('untested', 'unknown'), scope <> 'run', weight DESC, abs(change) DESC, metric,\n"
    "         communicator, function, caller";

/* A member of the JSON object; name NULL: CSV. */
static enum cs_status print_rows(sqlite3 *figures, const char *before, const char *name, const char *sql)
{
    sqlite3_stmt *rows = cs_sql_prepare(figures, sql);
    if (!rows)
        return CS_SQL;
    if (name)
        printf("%s\"%s\": ", before, name);
    enum cs_status status =
        name ? cs_result_print_json(rows, stdout, NULL) : cs_result_print(rows, stdout, CS_FORMAT_CSV, NULL);
    if (status != CS_OK)
        cs_log("compare: %s", status == CS_SQL ? sqlite3_errmsg(figures) : cs_status_text(status));
    sqlite3_finalize(rows);
    return status;
}

static enum cs_status print(sqlite3 *figures, const struct comparison *comparison)
{
    const struct cs_compare_output output = {
        .figures = figures, .stream = stdout, .rows = comparison->rows, .markdown = comparison->markdown};
    if (comparison->format == CS_FORMAT_TABLE)
        return cs_compare_print(&output);
    if (comparison->format == CS_FORMAT_CSV)
        return print_rows(figures, "", NULL, changes_sql);
    enum cs_status status = print_rows(figures, "{", "runs", "SELECT * FROM run ORDER BY run");
    if (status == CS_OK)
        status = print_rows(figures, ",\n", "changes", changes_sql);
    if (status == CS_OK)
        status = print_rows(figures, ",\n", "rules", cs_compare_rules_sql);
    puts("}");
    return status;
}

/* The exit code that the rules ask for. */
static int judge(sqlite3 *figures)
{
    bool met = false, undecided = false;
    struct cs_compare_rules rules = cs_compare_rules_begin(figures);
    while (cs_compare_rules_next(&rules)) {
        met |= rules.rule.result == CS_COMPARE_RULE_MET;
        undecided |= rules.rule.result == CS_COMPARE_RULE_UNDECIDED;
        if (rules.rule.result == CS_COMPARE_RULE_UNDECIDED)
            cs_log("--fail-on %s cannot be decided: %s", rules.rule.text, cs_phrase_text(&rules.rule.why));
    }
    if (cs_compare_rules_end(&rules) != CS_OK || met)
        return CS_EXIT_TROUBLE;
    return undecided ? CS_EXIT_USAGE : CS_EXIT_OK;
}

static bool gather(sqlite3 *figures, const struct comparison *comparison)
{
    for (enum cs_side side = CS_SIDE_BASE; side <= CS_SIDE_NEW; side++)
        for (size_t i = 0; i < comparison->runs_count[side]; i++)
            if (!cs_figures_add(figures, comparison->runs[side][i], side))
                return false;
    return cs_figures_compare(figures);
}

static int compare(const struct comparison *comparison)
{
    sqlite3 *figures = cs_figures_open();
    if (!figures)
        return CS_EXIT_TROUBLE;
    int code = CS_EXIT_OK;
    for (size_t i = 0; i < comparison->rules_count && code == CS_EXIT_OK; i++)
        if (!cs_compare_rule_add(figures, comparison->rules[i]))
            code = cs_command_usage("compare");
    if (code == CS_EXIT_OK && !gather(figures, comparison))
        code = CS_EXIT_TROUBLE;
    if (code == CS_EXIT_OK) {
        bool done = print(figures, comparison) == CS_OK;
        cs_location_print_rebuilt(NULL);
        done = (!comparison->junit || cs_compare_rules_write_junit(figures, comparison->junit)) && done;
        done = cs_command_close_output(stdout, NULL) == CS_EXIT_OK && done;
        code = done ? judge(figures) : CS_EXIT_TROUBLE;
    }
    sqlite3_close(figures);
    return code;
}

int cmd_compare(int argc, char **argv)
{
    struct comparison comparison = {.format = CS_FORMAT_TABLE, .rows = SIZE_MAX};
    const char **words = calloc(3 * (size_t)argc, sizeof *words);
    if (!words) {
        cs_log("out of memory");
        return CS_EXIT_TROUBLE;
    }
    comparison.runs[CS_SIDE_BASE] = words;
    comparison.runs[CS_SIDE_NEW] = words + argc;
    comparison.rules = words + 2 * argc;
    int code = parse(argc, argv, &comparison);
    if (code < 0)
        code = compare(&comparison);
    free(words);
    return code;
}
