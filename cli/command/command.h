/* The subcommands of callsign and their common functions. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/output_file.h"
#include "db/run/open_run.h"

/* Exit codes. For trouble and usage errors, one line has been logged. */
enum { CS_EXIT_OK = 0, CS_EXIT_TROUBLE = 1, CS_EXIT_USAGE = 2 };

/* The commands, each in its own file. argv[0] is the command's name; they return the exit code. */
int cmd_run(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_timeline(int argc, char **argv);
int cmd_whatif(int argc, char **argv);
int cmd_hang(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_query(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_snapshot(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_names(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_gdb(int argc, char **argv);
int cmd_lldb(int argc, char **argv);
int cmd_core(int argc, char **argv);
int cmd_attach(int argc, char **argv);
int cmd_config(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_version(int argc, char **argv);
int cmd_lines(int argc, char **argv);

/* Prints a help text on stdout; returns CS_EXIT_OK. */
int cs_command_help(const char *text);

/* Points to the command's help, after an error of getopt_long or a wrong number of arguments. Returns CS_EXIT_USAGE. */
int cs_command_usage(const char *command);

/* Parses the value of --rows. Returns false if it is no number; that was logged. */
bool cs_command_rows(const char *command, const char *text, size_t *rows);

/* Flags of cs_command_open, as in struct cs_run_options. */
enum {
    CS_OPEN_PATIENT = 1,
    CS_OPEN_FOR_OVERVIEW = 2,
    CS_OPEN_FOR_REPORTS = 4,
    CS_OPEN_NAMES_MISSING = 8, /* the caller names ranks without trace */
    CS_OPEN_FOR_FORECASTS = 16
};

/* Opens a run with a progress bar and the SQL functions of cli/command/sql_functions.h. One line on stderr names ranks
   that have no trace. NULL: an error was logged. */
struct cs_run *cs_command_open(const char *path, unsigned flags);

/* How the calls of a run are read; as in struct cs_run_options. NULL: not asked for. */
struct cs_reading {
    const char *through, *region;
    const struct cs_event_finder *forecasts;
};

/* As cs_command_open, with calls read in another way. */
struct cs_run *cs_command_open_as(const char *path, unsigned flags, struct cs_reading reading);

/* Flushes stdout, or closes a file. Logs a full disk. `name` NULL: stdout. Returns an exit code. */
int cs_command_close_output(FILE *stream, const char *name);

/* cs_output_open, after removing what killed commands left beside the file. False: logged. */
bool cs_command_open_output(struct cs_output *output, const char *path, enum cs_output_kind kind,
                            const struct stat *folder);

/* Completes the output if all went well until now; else removes it. Returns an exit code. */
int cs_command_end_output(struct cs_output *output, const char *path, bool good);

/* ---- a progress bar on stderr: only on a terminal, and only for work that lasts longer than a second ---- */

struct cs_progress {
    const char *what; /* "reading ranks" */
    uint64_t begun_ns, drawn_ns;
    bool wanted, drawn;
};

void cs_progress_begin(struct cs_progress *progress, const char *what);

/* For struct cs_run_options.progress; progress points to a struct cs_progress. */
void cs_progress_step(void *progress, uint64_t done, uint64_t total);

/* Erases the bar. */
void cs_progress_end(struct cs_progress *progress);

/* Finds the absolute folder of callsign's libraries, relative to the command's own folder, so that the installed
   tree can be moved. Returns false if there is none. */
bool cs_libraries_folder(char folder[PATH_MAX]);
