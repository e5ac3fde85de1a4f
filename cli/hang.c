/* callsign hang: the report "hang" of a run, by default of the newest one here. */
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "cli/command.h"
#include "cli/report_run.h"
#include "cli/text.h"

static const char help[] = "Usage: callsign hang [RUN]\n\n"
                           "Says of a program that hangs, or hung when it was killed, who waits in which\n"
                           "call, on which communicator and for whom; who is missing from a collective call,\n"
                           "and where it is instead; and which ranks wait for each other in a circle. It\n"
                           "reads journals and disturbs nobody: it can be asked again and again. Without\n"
                           "RUN: the newest run folder (*.callsign) in the current folder.\n\n"
                           "  -h, --help  print this\n\n"
                           "Examples:\n"
                           "  callsign hang\n"
                           "  callsign hang program.k3f9a2xq.callsign\n";

static bool is_run_folder(const char *name)
{
    static const char ending[] = ".callsign";
    size_t length = strlen(name);
    return length > strlen(ending) && strcmp(name + length - strlen(ending), ending) == 0;
}

static bool is_newer(const struct stat *left, const struct stat *right)
{
    return left->st_mtim.tv_sec != right->st_mtim.tv_sec ? left->st_mtim.tv_sec > right->st_mtim.tv_sec
                                                         : left->st_mtim.tv_nsec > right->st_mtim.tv_nsec;
}

/* The run folder here in which a file was made last; of equal ones the first by name. False: there is none, logged. */
static bool find_newest(char newest[NAME_MAX + 1])
{
    DIR *folder = opendir(".");
    if (!folder) {
        cs_log("hang: cannot read the current folder: %s", strerror(errno));
        return false;
    }
    struct stat best = {0}, about;
    *newest = 0;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        if (!is_run_folder(entry->d_name) || stat(entry->d_name, &about) != 0 || !S_ISDIR(about.st_mode))
            continue;
        if (*newest && !is_newer(&about, &best) && (is_newer(&best, &about) || strcmp(entry->d_name, newest) > 0))
            continue;
        best = about;
        snprintf(newest, NAME_MAX + 1, "%s", entry->d_name);
    }
    closedir(folder);
    if (!*newest)
        cs_log("hang: there is no run (*.callsign) in the current folder; name one");
    return *newest;
}

int cmd_hang(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
    char newest[NAME_MAX + 1];
    int option;
    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1)
        return option == 'h' ? cs_command_help(help) : cs_command_usage("hang");
    if (argc - optind > 1) {
        cs_log("hang: one run at a time");
        return cs_command_usage("hang");
    }
    const char *run = argv[optind];
    if (!run) {
        if (!find_newest(newest))
            return CS_EXIT_TROUBLE;
        run = newest;
        cs_text_put(stdout, run);
        putchar('\n');
    }
    const struct cs_report_file *report = cs_report_find("hang");
    struct cs_report_request request = {
        .names = &report, .names_count = 1, .rows = CS_REPORT_ROWS_DEFAULT, .patient = true};
    int code = cs_report_run(run, &request);
    int written = cs_command_close_output(stdout, NULL);
    return code == CS_EXIT_OK ? written : code;
}
