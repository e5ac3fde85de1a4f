/* Finds the program that a command line will finally run. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

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

/* For each of the `count` arguments: true if it belongs to a program that was found, not to a launcher or a command
   that runs others. The caller frees it. NULL: no memory. */
bool *cs_detect_program_words(char *const arguments[], size_t count);

/* The MPI whose programs a launcher connects, as in cs_known_mpi.title: "Open MPI" (by PMIx; also prun and prterun), or
   "MPICH" (Hydra). NULL: unknown, because others, such as srun, support several protocols or are scripts. */
const char *cs_mpi_of_launcher(const char *path);

/* True if the file needs Open MPI's runtime, or PMIx, its counterpart in other MPIs. */
bool cs_needs_pmix(const char *path);
