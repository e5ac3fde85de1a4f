#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "cli/command/command.h"
#include "cli/command/newest_run.h"
#include "cli/command/options.h"
#include "cli/report/report_checks.h"
#include "cli/rows/location.h"
#include "cli/text/xml.h"

static const char help[] = "Usage: callsign check [OPTION...] [RUN]\n\n"
                           "Lists collective calls whose arguments differ between the members of a\n"
                           "communicator, window or file: function, root, operation, size or type of the\n"
                           "data; messages that differ between sender and receiver, or that only one of them\n"
                           "counted; and calls to which the MPI returned an error about their arguments or\n"
                           "order. Exits with 1 if there are any. Without RUN it reads the newest run of the\n"
                           "current folder.\n\n"
                           "  -j, --junit FILE  write them as a JUnit file, for CI\n"
                           "  -h, --help        print this\n\n"
                           "Example:\n"
                           "  callsign run -- mpirun -n 4 ./tests && callsign check\n";

struct checking {
    const struct cs_report_output *output;
    FILE *junit; /* NULL: none */
    struct cs_output file;
    size_t count;
};

static void tell(void *context, const struct cs_check *check, struct cs_phrase *line)
{
    struct checking *checking = context;
    struct cs_report_output output = *checking->output;
    checking->count++;
    if (checking->junit) {
        fputs("  <testcase classname=\"callsign.check.", checking->junit);
        cs_xml_text(checking->junit, check->kind);
        fputs("\" name=\"", checking->junit);
        cs_xml_text(checking->junit, check->what);
        fputs(" on ", checking->junit);
        cs_xml_text(checking->junit, check->object);
        fputs("\"><failure message=\"", checking->junit);
        cs_xml_text(checking->junit, cs_phrase_text(line));
        fputs("\"/></testcase>\n", checking->junit);
    }
    cs_report_print_line(&output, line);
}

/* A file without failures has one test that passed: some readers refuse an empty one. */
static int end_junit(struct checking *checking, const char *name, bool good)
{
    if (!checking->count)
        fputs("  <testcase classname=\"callsign.check\" name=\"no mismatch\"/>\n", checking->junit);
    fputs("</testsuite>\n", checking->junit);
    return cs_command_end_output(&checking->file, name, good);
}

static int check(const char *path, const char *junit)
{
    struct cs_run *run = cs_command_open(path, 0);
    if (!run)
        return CS_EXIT_TROUBLE;
    struct cs_report_output output = {.db = cs_run_database(run),
                                      .run = path,
                                      .resolver = cs_resolver_new(CS_RESOLVER_IN_COMMAND),
                                      .stream = stdout,
                                      .named = true,
                                      .terminal = cs_terminal_of(stdout)};
    struct checking checking = {.output = &output};
    int code = output.resolver ? CS_EXIT_OK : CS_EXIT_TROUBLE;
    if (output.resolver)
        cs_resolver_on_rebuilt(output.resolver, cs_location_note_rebuilt);
    if (code == CS_EXIT_OK && junit) {
        if (!cs_command_open_output(&checking.file, junit, CS_OUTPUT_NAMED, NULL))
            code = CS_EXIT_TROUBLE;
        checking.junit = checking.file.stream;
    }
    if (checking.junit)
        fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"callsign check\">\n", checking.junit);
    if (code == CS_EXIT_OK && cs_checks_tell(&output, tell, &checking) != CS_OK)
        code = CS_EXIT_TROUBLE;
    if (code == CS_EXIT_OK && !checking.count)
        puts(cs_report_find("checks")->empty);
    if (checking.junit && end_junit(&checking, junit, code == CS_EXIT_OK) != CS_EXIT_OK)
        code = CS_EXIT_TROUBLE;
    if (checking.count)
        code = CS_EXIT_TROUBLE;
    cs_location_print_rebuilt(stdout);
    cs_resolver_free(output.resolver);
    cs_run_close(run);
    int written = cs_command_close_output(stdout, NULL);
    return code == CS_EXIT_OK ? written : code;
}

int cmd_check(int argc, char **argv)
{
    struct cs_options options;
    cs_options_begin(&options, argc, argv, "", help);
    const char *junit = NULL;
    const char *option;
    while ((option = cs_option_next(&options))) {
        if (!cs_option_is(option, "junit"))
            return cs_option_stop(&options, option);
        junit = optarg;
    }
    if (argc - optind > 1) {
        cs_log("check: give one run");
        return cs_command_usage("check");
    }
    const char *run = optind < argc ? argv[optind] : cs_newest_run("check", false);
    return run ? check(run, junit) : CS_EXIT_TROUBLE;
}
