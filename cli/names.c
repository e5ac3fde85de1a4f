/* callsign names: shows what naming rules did in a run, and checks files of rules. */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/rules_parser.h"
#include "callsign/debug.h"
#include "cli/command/command.h"
#include "cli/command/newest_run.h"
#include "cli/command/options.h"
#include "cli/page/report_run.h"
#include "functions.h"
#include "journal_words.h"

static const char help[] = "Usage: callsign names [--rows N] [RUN...]\n"
                           "       callsign names --check FILE...\n\n"
                           "Shows what each naming rule (callsign run --names FILE) named, which rules named\n"
                           "nothing, and which objects have no name, by call site. Without RUN it reads the\n"
                           "newest run of the current folder.\n\n"
                           "  -c, --check   check files of naming rules and print the mistakes; exit code 1\n"
                           "                if there are any\n"
                           "  -n, --rows N  show at most N rows of each table (default 0: all)\n"
                           "  -h, --help    print this\n\n"
                           "A rule has conditions and a name with placeholders. The first rule that matches\n"
                           "names the object. docs/names.md explains them.\n\n";
static const char examples[] = "\nExamples:\n"
                               "  echo 'library=libgrid* -> \"grid {n}\"' > my.rules\n"
                               "  callsign names --check my.rules\n"
                               "  callsign run --names my.rules -- mpirun -n 4 ./program\n"
                               "  callsign names program.*.callsign\n";

static void print_words(const char *title, const char *const *words, size_t count, bool braces)
{
    int column = printf("  %s", title);
    for (size_t i = 0; i < count; i++) {
        if (column > 66)
            column = printf("\n  %*s", (int)strlen(title), "") - 1;
        column += printf(braces ? " {%s}" : " %s", words[i]);
    }
    putchar('\n');
}

static int print_help(void)
{
    cs_command_help(help);
    print_words("conditions  ", cs_rule_conditions, CS_RULE_CONDITIONS, false);
    print_words("placeholders", cs_placeholders, CS_PLACEHOLDERS, true);
    return cs_command_help(examples);
}

/* ---- files ---- */

static bool is_function(const char *pattern)
{
    for (size_t i = 0; i < cs_function_count; i++)
        if (fnmatch(pattern, cs_functions[i].name, 0) == 0)
            return true;
    return false;
}

/* Counts rules that name functions that no MPI has; the parser cannot know these. Logs each. */
static size_t tell_unknown_functions(const char *path, const struct cs_rules *rules)
{
    size_t unknown = 0;
    for (size_t i = 0; i < rules->count; i++) {
        const struct cs_rule *rule = &rules->rule[i];
        const char *pattern = rule->pattern[CS_RULE_FUNCTION];
        if (!pattern || is_function(pattern))
            continue;
        cs_log("%s:%u: function=%s matches nothing: callsign knows no such MPI function", path, rule->line, pattern);
        unknown++;
    }
    return unknown;
}

static int check_file(const char *path)
{
    const struct cs_rules_options options = {.kind_name = cs_name_of_kind,
                                             .usual_kinds = 1u << CALLSIGN_COMMUNICATOR | 1u << CALLSIGN_DATATYPE |
                                                            1u << CALLSIGN_WINDOW};
    struct cs_rules *rules;
    size_t mistakes;
    if (cs_rules_load(path, &options, false, &rules, &mistakes) != CS_OK)
        return CS_EXIT_TROUBLE;
    mistakes += tell_unknown_functions(path, rules);
    size_t count = rules->count;
    printf("%s: %zu rule%s\n", path, count, count == 1 ? "" : "s");
    cs_rules_free(rules);
    return mistakes ? CS_EXIT_TROUBLE : CS_EXIT_OK;
}

/* ---- runs ---- */

static int show_run(const char *path, size_t rows)
{
    const struct cs_report *reports[] = {cs_report_find("rules"), cs_report_find("unnamed")};
    return cs_report_run(path, &(struct cs_report_request){.names = reports, .names_count = 2, .rows = rows});
}

int cmd_names(int argc, char **argv)
{
    struct cs_options options;
    cs_options_begin(&options, argc, argv, "", help);
    bool check = false;
    size_t rows = 0;
    const char *option;
    while ((option = cs_option_next(&options))) {
        if (cs_option_is(option, "check"))
            check = true;
        else if (!cs_option_is(option, "rows") || !cs_command_rows("names", optarg, &rows))
            return cs_option_is(option, "help") ? print_help() : cs_command_usage("names");
    }
    if (optind == argc && check) {
        cs_log("names: give a file of naming rules");
        return cs_command_usage("names");
    }
    if (optind == argc) {
        const char *run = cs_newest_run("names", false);
        return run ? show_run(run, rows) : CS_EXIT_TROUBLE;
    }
    int code = CS_EXIT_OK;
    for (int i = optind; i < argc; i++) {
        if (!check && argc - optind > 1)
            printf("%s%s\n", i > optind ? "\n" : "", argv[i]);
        int done = check ? check_file(argv[i]) : show_run(argv[i], rows);
        code = done == CS_EXIT_OK ? code : done;
    }
    int written = cs_command_close_output(stdout, NULL);
    return code == CS_EXIT_OK ? written : code;
}
