/* callsign hang: who waits for whom in a run, by default in the newest one in the current folder. */
#include <stdio.h>

#include "base/log.h"
#include "cli/command/command.h"
#include "cli/command/newest_run.h"
#include "cli/command/options.h"
#include "cli/deadlock/hang_find.h"
#include "cli/deadlock/hang_load.h"
#include "cli/hang/hang_print.h"
#include "cli/text/text.h"

static const char help[] = "Usage: callsign hang [RUN]\n\n"
                           "Finds out why a program hangs: who waits in which call, on which communicator\n"
                           "and for whom; who is missing from a collective call; which ranks deadlock. Reads\n"
                           "the journals of the ranks and stops no process: you can repeat it. If a signal\n"
                           "or time limit ended the job, it reports the same for that moment. Without RUN it\n"
                           "reads the newest run of the current folder.\n"
                           "\n"
                           "  -h, --help  print this\n\n"
                           "Examples:\n"
                           "  callsign hang\n"
                           "  callsign hang program.k3f9a2xq.callsign\n";

static int print(const char *path, struct cs_hang_source *source)
{
    struct cs_hang hang = {0};
    struct cs_hang_output output = {.hang = &hang,
                                    .db = source->db,
                                    .resolver = cs_resolver_new(CS_RESOLVER_IN_COMMAND),
                                    .stream = stdout,
                                    .width = cs_terminal_of(stdout).width};
    bool good =
        output.resolver && cs_hang_look(path, source, &hang) == CS_OK && cs_hang_find(&hang) && cs_hang_print(&output);
    if (!good)
        cs_log("hang: cannot read %s", path);
    cs_hang_free(&hang);
    cs_resolver_free(output.resolver);
    return good ? CS_EXIT_OK : CS_EXIT_TROUBLE;
}

static int explain(const char *path)
{
    struct cs_hang_source source;
    bool good = cs_hang_open(path, &source);
    if (good) /* the sentences name it so often that SQLite would read the statement longer than all the rest takes */
        cs_run_share_read(source.run, "mismatches, mismatched_messages, misuses");
    int code = good ? print(path, &source) : CS_EXIT_TROUBLE;
    cs_hang_close(&source);
    return code;
}

int cmd_hang(int argc, char **argv)
{
    int stopped = cs_options_only_help(argc, argv, "", help);
    if (stopped >= 0)
        return stopped;
    if (argc - optind > 1) {
        cs_log("hang: give one run");
        return cs_command_usage("hang");
    }
    const char *run = optind < argc ? argv[optind] : cs_newest_run("hang", false);
    if (!run)
        return CS_EXIT_TROUBLE;
    int code = explain(run);
    int written = cs_command_close_output(stdout, NULL);
    return code == CS_EXIT_OK ? written : code;
}
