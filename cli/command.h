/* The subcommands of callsign and what they share. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "db/run/run.h"

/* Exit codes. Trouble and usage errors have been logged in one line. */
enum { CS_EXIT_OK = 0, CS_EXIT_TROUBLE = 1, CS_EXIT_USAGE = 2 };

/* One file each. argv[0] is the command's name; they return the exit code. */
int cmd_run(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_hang(int argc, char **argv);
int cmd_query(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_names(int argc, char **argv);
int cmd_seal(int argc, char **argv);
int cmd_gdb(int argc, char **argv);
int cmd_lldb(int argc, char **argv);
int cmd_core(int argc, char **argv);
int cmd_attach(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_version(int argc, char **argv);
int cmd_lines(int argc, char **argv);

/* Prints a help text on stdout; returns CS_EXIT_OK. */
int cs_command_help(const char *text);

/* After getopt_long has complained, or a wrong number of arguments: points to the command's help. Returns
 * CS_EXIT_USAGE. */
int cs_command_usage(const char *command);

/* The number of rows that an option of the command asks for. False: it is none, logged. */
bool cs_command_rows(const char *command, const char *text, size_t *rows);

/* Opens a run with a progress bar and the SQL functions of cli/sql_functions.h; NULL: logged. patient: as in struct
   cs_run_options. */
struct cs_run *cs_command_open(const char *path, bool patient);

/* Flushes stdout or closes a file of --output; a full disk is logged. `name` NULL: stdout. Returns an exit code. */
int cs_command_close_output(FILE *stream, const char *name);
