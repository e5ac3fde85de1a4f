/* The test double as an implementation of the standard ABI: what its programs and callsign are compiled with. It has no
   variables, and one function more than the library. */
#ifndef SMALL_ABI_H
#define SMALL_ABI_H

#define MPI_GROUP_EMPTY small_has_no_variable
#include "../library/mpi.h"
#undef MPI_GROUP_EMPTY
#define MPI_GROUP_EMPTY 1

#define MPI_ABI_VERSION 1
int MPI_Abi_get_version(int *abi_major, int *abi_minor);

#endif
