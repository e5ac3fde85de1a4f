/* Finds the program that a command line will finally run. */
#pragma once

#include <limits.h>
#include <stdbool.h>

#include "base/known_mpi.h"

struct cs_detected {
    char program[PATH_MAX];         /* the file that calls MPI, or is unknown to callsign; empty: none was found */
    char launcher[PATH_MAX];        /* the first MPI launcher; empty: none was found */
    bool is_static;                 /* linked statically: nothing can be preloaded */
    const struct cs_known_mpi *mpi; /* NULL: unknown (scripts, interpreters), or several */
};

/* Finds the MPI that the programs of a command line need, by their libraries. The programs are the command itself,
   and those in the arguments of launchers (mpirun, srun) and of commands that run others (env, numactl), also after
   each ':'. Of several programs, the first is reported. path: the file of arguments[0]. */
void cs_detect_mpi(const char *path, char *const arguments[], struct cs_detected *detected);
