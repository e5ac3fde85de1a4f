#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/known_mpi.h"
#include "base/log.h"
#include "cli/command/command.h"
#include "cli/command/options.h"
#include "cli/launch/mpi_symbols.h"
#include "cli/text/text.h"
#include "journal/format.h"

static const char help[] = "Usage: callsign version\n\n"
                           "Prints the version of callsign, the MPIs that it was built for, the functions of\n"
                           "these MPIs that it does not know and does not record, the versions of the file\n"
                           "formats, and the SQLite in use.\n\n"
                           "Example:\n"
                           "  callsign version\n";

static bool is_first_of_flavour(size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (strcmp(cs_known_mpis[i].flavour, cs_known_mpis[index].flavour) == 0)
            return false;
    return true;
}

/* Prints the functions of a flavour's MPI that callsign does not know: their calls are not in a trace. */
static void print_passed_on(const char *path)
{
    char *names = cs_list_passed_on(path);
    if (names) {
        printf("%-10s  not recorded: ", "");
        cs_text_put(stdout, names);
        putchar('\n');
    }
    free(names);
}

static void print_flavours(const char *folder)
{
    size_t found = 0;
    for (size_t i = 0; i < cs_known_mpis_count; i++) {
        const struct cs_known_mpi *mpi = &cs_known_mpis[i];
        char path[PATH_MAX + 64];
        snprintf(path, sizeof path, "%s/libcallsign-%s.so", folder, mpi->flavour);
        if (!is_first_of_flavour(i) || access(path, R_OK) != 0)
            continue;
        printf("%-10s  %s (%s)\n", found++ ? "" : "flavours", path, mpi->flavour);
        print_passed_on(path);
    }
    if (!found)
        printf("%-10s  none in %s: nothing can be recorded\n", "flavours", folder);
}

int cmd_version(int argc, char **argv)
{
    int stopped = cs_options_only_help(argc, argv, "", help);
    if (stopped >= 0)
        return stopped;
    if (optind < argc) {
        cs_log("version takes no argument such as %s", argv[optind]);
        return cs_command_usage("version");
    }
    char libraries[PATH_MAX];
    printf("%-10s  %s\n", "callsign", CALLSIGN_VERSION);
    if (cs_libraries_folder(libraries))
        print_flavours(libraries);
    printf("%-10s  %s\n", "SQLite", sqlite3_libversion());
    printf("%-10s  trace %d, journal %x, debugger's table %u.%u\n", "formats", CS_TRACE_VERSION, CS_JOURNAL_VERSION,
           CALLSIGN_DEBUG_MAJOR, CALLSIGN_DEBUG_MINOR);
    return cs_command_close_output(stdout, NULL);
}
