/* What a command line will run in the end. */
#pragma once

#include <limits.h>
#include <stdbool.h>

#include "base/known_mpi.h"

struct cs_detected {
    char program[PATH_MAX];         /* the file that calls MPI, or nothing callsign knows of; empty: none was found */
    char launcher[PATH_MAX];        /* the first launcher of MPI programs; empty: none was found */
    bool is_static;                 /* it is linked statically: nothing can be preloaded into it */
    const struct cs_known_mpi *mpi; /* NULL: it is not known (scripts, interpreters), or there are several */
};

/* The MPI that the programs of this command line name among the libraries that they need: the command itself, or what
   launchers (mpirun, srun) and commands that run others (env, numactl) find in their arguments, after each ':' too. Of
   several programs the first is told. path: the file of arguments[0]. */
void cs_detect_mpi(const char *path, char *const arguments[], struct cs_detected *detected);
