/* mpi.h with all of the standard's names and attributes (MPI 4.1, 7.7 and 7.8): what the MPI at hand lacks of them is
   declared here and defined by callsign. Include it in place of <mpi.h>, and link callsign in front of the MPI; with an
   MPI that lacks nothing it is just <mpi.h>. In C or C++. Where the MPI has no windows there are none to name. */
#pragma once

#include <mpi.h>

/* Each is written when callsign is built, by compiling a use of everything with the mpi.h of that MPI. */
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
