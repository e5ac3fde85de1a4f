#include <dirent.h>
#include <getopt.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/command.h"
#include "db/journal_format.h"
#include "db/schema.h"

static const char help[] = "Usage: callsign version\n\n"
                           "Prints the version of callsign, the flavours (MPIs) that were built and are\n"
                           "found beside it, and the SQLite that reads traces.\n\n"
                           "Example:\n"
                           "  callsign version\n";

/* "libcallsign-openmpi.so" -> "openmpi"; false: another file. */
static bool parse_flavour(const char *name, char *flavour, size_t size)
{
    static const char prefix[] = "libcallsign-";
    static const char suffix[] = ".so";
    size_t length = strlen(name);
    if (length <= strlen(prefix) + strlen(suffix) || strncmp(name, prefix, strlen(prefix)) != 0 ||
        strcmp(name + length - strlen(suffix), suffix) != 0)
        return false;
    snprintf(flavour, size, "%.*s", (int)(length - strlen(prefix) - strlen(suffix)), name + strlen(prefix));
    return strcmp(flavour, "seal") != 0; /* not an MPI: the converter that MPI_Finalize loads */
}

static void print_flavours(const char *folder_name)
{
    DIR *folder = opendir(folder_name);
    size_t found = 0;
    const struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        char flavour[NAME_MAX + 1];
        if (parse_flavour(entry->d_name, flavour, sizeof flavour))
            printf("%-10s  %s/%s (%s)\n", found++ ? "" : "flavours", folder_name, entry->d_name, flavour);
    }
    if (folder)
        closedir(folder);
    if (!found)
        printf("%-10s  none in %s: nothing can be recorded\n", "flavours", folder_name);
}

/* The folder of the libraries: known relative to the program's own, so that the installed tree can be moved. */
static bool find_libraries(char *path, size_t size)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return false;
    self[length] = '\0';
    char *slash = strrchr(self, '/');
    if (!slash)
        return false;
    *slash = '\0';
    char joined[PATH_MAX + sizeof CALLSIGN_LIBRARIES_FROM_BIN];
    snprintf(joined, sizeof joined, "%s/%s", self, CALLSIGN_LIBRARIES_FROM_BIN);
    char real[PATH_MAX];
    snprintf(path, size, "%s", realpath(joined, real) ? real : joined);
    return true;
}

int cmd_version(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
    int option;
    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1)
        return option == 'h' ? cs_command_help(help) : cs_command_usage("version");
    if (optind < argc)
        return cs_command_usage("version");
    char libraries[PATH_MAX + 64];
    printf("%-10s  %s\n", "callsign", CALLSIGN_VERSION);
    if (find_libraries(libraries, sizeof libraries))
        print_flavours(libraries);
    printf("%-10s  %s\n", "SQLite", sqlite3_libversion());
    printf("%-10s  trace %d, journal %u\n", "formats", CS_TRACE_VERSION, CS_JOURNAL_VERSION);
    return cs_command_close_output(stdout, NULL);
}
