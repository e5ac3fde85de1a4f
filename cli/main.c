/* callsign: runs programs under the recorder and reports on recordings. */
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/settings.h"
#include "cli/command/command.h"
#include "cli/report/reports.h"
#include "cli/rows/frames.h"
#include "cli/rows/similar_name.h"
#include "db/run/open_run.h"

static int cmd_help(int argc, char **argv);

static const struct command {
    const char *name;
    const char *summary;                    /* NULL: an internal command, not listed */
    int (*function)(int argc, char **argv); /* argv[0] is the command's name; returns the exit code */
} commands[] = {
    {"run", "record a program", cmd_run},
    {"report", "print where time and bytes went, who is late, what leaks", cmd_report},
    {"timeline", "draw what each rank did when", cmd_timeline},
    {"whatif", "forecast how long a run takes with something changed", cmd_whatif},
    {"hang", "find out why a program hangs: who waits for whom", cmd_hang},
    {"top", "print what a running job does now", cmd_top},
    {"query", "run SQL on all ranks, or list the views and tables", cmd_query},
    {"merge", "write all ranks of a run into one SQLite database", cmd_merge},
    {"snapshot", "write what is recorded of a running job into a database", cmd_snapshot},
    {"export", "write the tables of a run as CSV files", cmd_export},
    {"compare", "show what changed from some runs to others", cmd_compare},
    {"check", "list collective calls whose arguments differ between ranks", cmd_check},
    {"names", "show what naming rules named, or check a file of rules", cmd_names},
    {"convert", "convert the journals of a crashed run to traces", cmd_convert},
    {"gdb", "start gdb, showing MPI objects by name", cmd_gdb},
    {"lldb", "start lldb, showing MPI objects by name", cmd_lldb},
    {"core", "show the MPI calls and objects in a core file", cmd_core},
    {"attach", "show the MPI calls and objects of a live process", cmd_attach},
    {"config", "list the options in force, and where each comes from", cmd_config},
    {"doctor", "check whether callsign can record a program", cmd_doctor},
    {"version", "print the version and the MPIs that callsign was built for", cmd_version},
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

static int refuse_command(const char *word)
{
    struct cs_similar_name nearest = {.word = word};
    for (size_t i = 0; i < commands_count; i++)
        if (commands[i].summary)
            cs_similar_name_offer(&nearest, commands[i].name);
    if (cs_report_find(word))
        cs_log("there is no command %s; callsign report %s prints the report of that name", word, word);
    else if (*nearest.name)
        cs_log("there is no command %s; the nearest is %s", word, nearest.name);
    else
        cs_log("there is no command %s; callsign help lists them", word);
    return CS_EXIT_USAGE;
}

static void print_overview(void)
{
    puts("callsign - records MPI programs: time, messages, objects by name, leaks, hangs\n\n"
         "Usage: callsign COMMAND [ARGUMENT...]\n");
    for (size_t i = 0; i < commands_count; i++)
        if (commands[i].summary)
            printf("  %-8s  %s\n", commands[i].name, commands[i].summary);
    puts("\ncallsign COMMAND --help explains a command.\n"
         "callsign help settings explains the settings.\n\n"
         "Example:\n"
         "  callsign run -- mpirun -n 4 ./program\n"
         "  callsign report");
}

/* Prints a text in lines of at most 80 characters, each indented by four blanks. */
static void print_paragraph(const char *text)
{
    enum { WIDTH = 76 };
    while (*text) {
        size_t length = strlen(text);
        if (length > WIDTH) {
            length = WIDTH;
            while (text[length] != ' ')
                length--;
        }
        printf("    %.*s\n", (int)length, text);
        text += length + strspn(text + length, " ");
    }
}

static int help_settings(void)
{
    puts("Settings are environment variables, and options of callsign run. A wrong value\n"
         "or an unknown variable gives one line on stderr and does no harm.");
    for (size_t i = 0; i < cs_settings_count; i++) {
        const struct cs_setting *setting = &cs_settings[i];
        if (!setting->option)
            continue;
        printf("\n  CALLSIGN_%s, --%s %s\n", setting->name, setting->option, setting->argument);
        printf("    %s\n", setting->help);
        if (*setting->fallback && !strstr(setting->help, "(default "))
            printf("    Default: %s\n", setting->fallback);
        print_paragraph(setting->details);
    }
    puts("\nExample:\n"
         "  CALLSIGN_JOURNAL=/dev/shm CALLSIGN_STACKS=calls callsign run -- srun ./program");
    return CS_EXIT_OK;
}

static int cmd_help(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "settings") == 0)
        return help_settings();
    const struct command *command = argc > 1 ? find_command(argv[1]) : NULL;
    if (argc > 1 && !command && argv[1][0] != '-')
        return refuse_command(argv[1]);
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
    if (!command)
        return refuse_command(name);
    cs_run_set_up();
    struct job job = {.command = command, .argc = argc - 1, .argv = argv + 1};
    if (command->function == cmd_run)
        work(&job); /* signals are handled by the thread that waits for the program, and the program inherits this
                       process's limits */
    else
        cs_large_stack_call(work, &job);
    return job.code;
}
