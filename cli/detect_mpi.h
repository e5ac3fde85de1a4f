/* What a command line will run in the end. */
#pragma once

#include "base/known_mpi.h"

/* The MPI that the programs of this command line name among the libraries that they need: the command itself, or what
   launchers (mpirun, srun) and commands that run others (env, numactl) find in their arguments, after each ':' too.
   NULL: it is not known (scripts, interpreters), or there are several. path: the file of arguments[0]. A program that
   is linked statically is logged in one line. */
const struct cs_known_mpi *cs_detect_mpi(const char *path, char *const arguments[]);
