/* Sets the environment and the command line of `callsign run`, so that all ranks load callsign. */
#pragma once

#include <stdbool.h>

/* Puts the front library that fits this command line at the head of LD_PRELOAD: the one with the names of a single
   MPI if that is known (cli/launch/detect_mpi.h), else the one with the names of all. program: the file of
   arguments[0]. Returns 0 or an exit code (logged). */
int cs_preload_set(const char *program, char *const arguments[]);

/* Returns the arguments, with callsign's library in each LD_PRELOAD that the command line gives to its programs:
   options of launchers, and assignments behind env. Other words stay. */
char **cs_preload_merge(char **arguments);

/* Returns cs_preload_merge's arguments, with the options that the launcher needs to pass the settings to other nodes:
   Open MPI's and PRRTE's, jsrun, aprun; srun, flux run and MPICH's if the user limits which variables they pass. NULL:
   out of memory.
 */
char **cs_preload_arguments(const char *program, char **arguments);
