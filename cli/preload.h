/* What `callsign run` puts into the environment and onto the command line so that all ranks load callsign. */
#pragma once

#include <stdbool.h>

/* Puts the library that fits this command line in front of LD_PRELOAD: the front library with the names of one MPI when
   it is known which one (cli/detect_mpi.h), that with the names of all otherwise. program: the file of arguments[0].
   0, or an exit code (logged). */
int cs_preload_set(const char *program, char *const arguments[]);

/* The arguments, with what Open MPI's launchers need to hand the settings to other nodes. Others hand on everything.
   NULL: out of memory. */
char **cs_preload_arguments(const char *program, char **arguments);
