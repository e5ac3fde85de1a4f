/* callsign: runs programs under the recorder, and asks questions about what was recorded. */
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "cli/command.h"
#include "cli/frames.h"

static int cmd_help(int argc, char **argv);

static const struct command {
    const char *name;
    const char *summary;                    /* NULL: for callsign itself, not listed */
    int (*function)(int argc, char **argv); /* argv[0] is the command's name; returns the exit code */
} commands[] = {
    {"run", "record a program", cmd_run},
    {"report", "print where the time and the bytes went, and what was never freed", cmd_report},
    {"hang", "say who waits for whom in a run that hangs, and who is missing", cmd_hang},
    {"query", "run SQL on all ranks of a run, or list what can be asked", cmd_query},
    {"merge", "write all ranks of a run into one SQLite database", cmd_merge},
    {"names", "show what naming rules named, or check a file of them", cmd_names},
    {"seal", "turn the journals of a crashed run into traces", cmd_seal},
    {"gdb", "start gdb so that it shows MPI objects by name", cmd_gdb},
    {"lldb", "start lldb so that it shows MPI objects by name", cmd_lldb},
    {"core", "show MPI calls and objects of a core file", cmd_core},
    {"attach", "show MPI calls and objects of a live process", cmd_attach},
    {"doctor", "say which MPI a program has, and what prevents its recording", cmd_doctor},
    {"version", "print the version and what this callsign was built for", cmd_version},
    {"help", "print the help of a command", cmd_help},
    {"lines", NULL, cmd_lines},
};
static const size_t commands_count = sizeof commands / sizeof *commands;

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < commands_count; i++)
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
    return NULL;
}

static void print_overview(void)
{
    puts("callsign - names, births and deaths of MPI objects, and where the time went\n\n"
         "Usage: callsign COMMAND [ARGUMENT...]\n");
    for (size_t i = 0; i < commands_count; i++)
        if (commands[i].summary)
            printf("  %-8s  %s\n", commands[i].name, commands[i].summary);
    puts("\ncallsign COMMAND --help explains a command.\n\n"
         "Example:\n"
         "  callsign run -- mpirun -n 4 ./program\n"
         "  callsign report program.*.callsign");
}

static int cmd_help(int argc, char **argv)
{
    const struct command *command = argc > 1 ? find_command(argv[1]) : NULL;
    if (argc > 1 && !command && argv[1][0] != '-') {
        cs_log("there is no command %s; callsign help lists them", argv[1]);
        return CS_EXIT_USAGE;
    }
    if (!command || command->function == cmd_help) {
        print_overview();
        return CS_EXIT_OK;
    }
    char help[] = "--help";
    char *arguments[] = {argv[1], help, NULL};
    return command->function(2, arguments);
}

struct job {
    const struct command *command;
    int argc;
    char **argv;
    int code;
};

static void work(void *argument)
{
    struct job *job = argument;
    job->code = job->command->function(job->argc, job->argv);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_overview();
        return CS_EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        name = "version";
    const struct command *command = find_command(name);
    if (!command) {
        cs_log("there is no command %s; callsign help lists them", name);
        return CS_EXIT_USAGE;
    }
    struct job job = {.command = command, .argc = argc - 1, .argv = argv + 1};
    if (command->function == cmd_run)
        work(&job); /* signals are for the thread that waits for the program, and the program has the same limits */
    else
        cs_large_stack_call(work, &job);
    return job.code;
}
