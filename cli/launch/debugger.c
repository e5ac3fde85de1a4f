/* callsign gdb, lldb, core and attach: names of MPI objects in a debugger, a core, or a live process. One Python
   package (debugger/) reads them: gdb and lldb need Python, and two readers of one table could disagree. */
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/symbols/resolver.h"
#include "cli/command/command.h"
#include "cli/command/options.h"
#include "cli/command/program.h"

/* Finds a file of the package. Returns false if it is missing; that was logged. */
static bool find_file(const char *name, char path[PATH_MAX])
{
    char folder[PATH_MAX];
    if (cs_libraries_folder(folder)) {
        int length = snprintf(path, PATH_MAX, "%s/%s/%s", folder, CALLSIGN_DEBUGGER_FROM_LIB, name);
        if (length < PATH_MAX && access(path, R_OK) == 0)
            return true;
    }
    cs_log("this callsign is not complete: share/callsign/debugger/%s is missing", name);
    return false;
}

/* Runs the reader with an isolated Python: it ignores the user's environment and writes no files into the package. */
static int run_reader(char *command, char *subject)
{
    char package[PATH_MAX], self[PATH_MAX];
    char *python;
    if (!find_file("__main__.py", package))
        return CS_EXIT_TROUBLE;
    *strrchr(package, '/') = 0;
    int error = cs_program_look_up("python3", &python);
    if (error) {
        cs_log("%s needs python3: %s", command, strerror(error));
        return CS_EXIT_TROUBLE;
    }
    char isolated[] = "-I", silent[] = "-B";
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = 0;
    char *arguments[] = {python, isolated, silent, package, command, subject, length > 0 ? self : NULL, NULL};
    int failed = cs_program_exec(python, arguments);
    free(python);
    return failed;
}

/* The only argument of a command. NULL: *code is the exit code. */
static char *only_argument(int argc, char **argv, const char *help, const char *question, int *code)
{
    *code = cs_options_only_help(argc, argv, "", help);
    if (*code >= 0)
        return NULL;
    if (argc - optind == 1)
        return argv[optind];
    cs_log("%s: %s", argv[0], question);
    *code = cs_command_usage(argv[0]);
    return NULL;
}

int cmd_core(int argc, char **argv)
{
    static const char help[] = "Usage: callsign core FILE\n\n"
                               "Reads a core file of a recorded program. Shows the current or last MPI call of\n"
                               "each thread, with the name of its communicator, peer and tag. Shows pending\n"
                               "requests, the objects of the program, and where a signal ended it. Needs no\n"
                               "gdb. Functions and lines need the program and libraries that were recorded.\n\n"
                               "Example:\n"
                               "  callsign core core.4711\n";
    int code;
    char *file = only_argument(argc, argv, help, "give one core file", &code);
    return file ? run_reader(argv[0], file) : code;
}

int cmd_attach(int argc, char **argv)
{
    static const char help[] = "Usage: callsign attach PID\n\n"
                               "Reads a live process without stopping it. Shows the MPI call of each thread and\n"
                               "how long it lasts, pending requests, and the objects of the program.\n\n"
                               "Example:\n"
                               "  callsign attach $(pgrep -n program)\n";
    int code;
    char *pid = only_argument(argc, argv, help, "give one process id", &code);
    return pid ? run_reader(argv[0], pid) : code;
}

/* Reads one text of a query, up to its NUL. */
static bool read_text(char *text, int size)
{
    int length = 0;
    for (int c; (c = getchar()) != EOF && length < size;) {
        text[length++] = (char)c;
        if (!c)
            return true;
    }
    return false;
}

/* An internal command that the reader starts. It reads return address, build id and module, each ended by NUL, and
   answers with the source line, until there are no more queries. */
int cmd_lines(int argc, char **argv)
{
    (void)argc, (void)argv;
    char address[32], build_id[256], module[PATH_MAX], text[2048];
    struct cs_resolver *resolver = cs_resolver_new(CS_RESOLVER_IN_COMMAND);
    if (!resolver)
        return CS_EXIT_TROUBLE;
    while (read_text(address, sizeof address) && read_text(build_id, sizeof build_id) &&
           read_text(module, sizeof module)) {
        const struct cs_resolve_frame frame = {
            .module = module, .build_id = build_id, .offset = (int64_t)strtoull(address, NULL, 10)};
        cs_resolver_write(resolver, &frame, text, sizeof text);
        fwrite(text, 1, strlen(text) + 1, stdout);
        fflush(stdout);
    }
    cs_resolver_free(resolver);
    return CS_EXIT_OK;
}

/* ---- gdb and lldb ---- */

/* A debugger, and its option to read a script before the program. */
struct debugger {
    const char *name, *option, *command, *script, *help;
    const char *library_variable; /* tells the script which library records the programs that it starts */
};

static const struct debugger gdb = {
    .name = "gdb",
    .option = "-ix",
    .command = "%s",
    .script = "start.py",
    .library_variable = "CALLSIGN_GDB_LIBRARY",
    .help = "Usage: callsign gdb [--] ARGUMENT...\n\n"
            "Starts gdb with these arguments. gdb then shows MPI handles by name, and records\n"
            "programs that it starts. Commands in gdb: info mpi, mpi name, mpi where,\n"
            "mpi members, mpi waiting, $callsign_name(handle), $callsign_handle(\"name\").\n\n"
            "Examples:\n"
            "  callsign gdb -- --args ./program input\n"
            "  callsign gdb -- -p 4711\n"
            "  callsign gdb -- ./program core.4711\n",
};

static const struct debugger lldb = {
    .name = "lldb",
    .option = "-O",
    .command = "command script import \"%s\"",
    .script = "callsign_lldb.py",
    .library_variable = "CALLSIGN_LLDB_LIBRARY",
    .help = "Usage: callsign lldb [--] ARGUMENT...\n\n"
            "Starts lldb with these arguments. lldb then shows MPI handles by name, and\n"
            "records programs that it starts. Commands in lldb: mpi info, mpi name,\n"
            "mpi where, mpi members, mpi waiting.\n\n"
            "Examples:\n"
            "  callsign lldb -- -- ./program input\n"
            "  callsign lldb -- -p 4711\n"
            "  callsign lldb -- -c core.4711 ./program\n",
};

static bool set_library(const char *variable)
{
    char folder[PATH_MAX], library[PATH_MAX];
    return cs_libraries_folder(folder) &&
           snprintf(library, sizeof library, "%s/libcallsign.so", folder) < (int)sizeof library &&
           setenv(variable, library, 1) == 0;
}

/* In Debian 12 and Ubuntu 22.04, lldb looks for its Python modules in a folder that does not exist. If exactly one
   such folder is next to it, this is used. Its imports are in the distribution's own folder, which another Python
   that comes first in PATH does not search. The script restores the program's PYTHONPATH. */
#define PYTHON_OF_DEBIAN ":/usr/lib/python3/dist-packages"
static void set_python_of_lldb(const char *lldb_file)
{
    char prefix[PATH_MAX], pattern[PATH_MAX + 64];
    glob_t found;
    if (!realpath(lldb_file, prefix))
        return;
    for (int parts = 0; parts < 2; parts++)
        if (strrchr(prefix, '/'))
            *strrchr(prefix, '/') = 0;
    snprintf(pattern, sizeof pattern, "%s/lib*/python3*/*-packages/lldb/__init__.py", prefix);
    if (glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc == 1) {
        const char *former = getenv("PYTHONPATH"), *own = found.gl_pathv[0];
        int length = (int)(strstr(own, "/lldb/__init__.py") - own);
        const char *more = strstr(own, "/dist-packages/") ? PYTHON_OF_DEBIAN : "";
        char *path;
        if (asprintf(&path, "%.*s%s%s%s", length, own, more, former ? ":" : "", former ? former : "") >= 0) {
            setenv("CALLSIGN_LLDB_PYTHONPATH", former ? former : "", 1);
            setenv("PYTHONPATH", path, 1);
            free(path);
        }
    }
    globfree(&found);
}

static int start(const struct debugger *debugger, int argc, char **argv)
{
    int stopped = cs_options_only_help(argc, argv, "+", debugger->help);
    if (stopped >= 0)
        return stopped;
    char script[PATH_MAX], command[PATH_MAX + 64], flag[8];
    char *file;
    int failed = cs_program_find(debugger->name, &file);
    if (failed)
        return failed;
    char **arguments = calloc((size_t)argc + 4, sizeof *arguments);
    if (arguments && find_file(debugger->script, script) && set_library(debugger->library_variable)) {
        snprintf(flag, sizeof flag, "%s", debugger->option);
        snprintf(command, sizeof command, debugger->command, script);
        if (debugger == &lldb)
            set_python_of_lldb(file);
        arguments[0] = file;
        arguments[1] = flag;
        arguments[2] = command;
        memcpy(arguments + 3, argv + optind, (size_t)(argc - optind) * sizeof *arguments);
        failed = cs_program_exec(file, arguments);
    } else {
        failed = CS_EXIT_TROUBLE;
    }
    free(arguments);
    free(file);
    return failed;
}

int cmd_gdb(int argc, char **argv)
{
    return start(&gdb, argc, argv);
}

int cmd_lldb(int argc, char **argv)
{
    return start(&lldb, argc, argv);
}
