/* What `callsign run` puts into the environment and onto the command line so that all ranks load callsign. */
#ifndef CS_CLI_PRELOAD_H
#define CS_CLI_PRELOAD_H

#include <stdbool.h>

/* Puts the library that fits this program in front of LD_PRELOAD: the flavour itself when the program names its MPI
   among the libraries that it needs, the front library otherwise (launchers, scripts, interpreters). 0, or an exit code
   (told). */
int cs_preload_set(const char *program);

/* The arguments, with what Open MPI's launchers need to hand the settings to other nodes. Others hand on everything.
   NULL: out of memory. */
char **cs_preload_arguments(const char *program, char **arguments);

#endif
