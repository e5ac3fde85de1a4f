/* mpi.h with all names and attributes of the standard (MPI 4.1, 7.7 and 7.8): callsign declares and defines what the
   installed MPI lacks. Include it instead of <mpi.h>, and link callsign before the MPI. With a complete MPI it is
   just <mpi.h>. For C and C++. If the MPI has no windows, it has no functions for them. */
#pragma once

#include <mpi.h>

/* The build of callsign writes each of these headers, by compiling a use of everything with that MPI's mpi.h. */
#if defined(OPEN_MPI)
#if __has_include(<callsign/names_openmpi.h>)
#include <callsign/names_openmpi.h>
#endif
#elif defined(MPICH_NAME) || defined(MPICH_VERSION)
#if __has_include(<callsign/names_mpich.h>)
#include <callsign/names_mpich.h>
#endif
#elif defined(MPI_ABI_VERSION)
#if __has_include(<callsign/names_abi.h>)
#include <callsign/names_abi.h>
#endif
#elif __has_include(<callsign/names_mpi.h>)
#include <callsign/names_mpi.h>
#else
#error "callsign was built without this MPI: build it with -DCALLSIGN_MPI_INCLUDES=... -DCALLSIGN_MPI_LIBRARY=..."
#endif
