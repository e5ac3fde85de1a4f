/* The MPI libraries that callsign knows, by their sonames. The table is written by CMake
   (base/CMakeLists.txt) from the MPIs at hand and the usual names of others. */
#pragma once

#include <stddef.h>

struct cs_known_mpi {
    const char *soname;  /* "libmpi.so.40"; "": a static library, which is in its programs */
    const char *flavour; /* "openmpi": the part of libcallsign-<flavour>.so */
    const char *title;   /* "Open MPI", for messages */
    int error_other;     /* its MPI_ERR_OTHER: the front library has no mpi.h to take it from */
};

extern const struct cs_known_mpi cs_known_mpis[];
extern const size_t cs_known_mpis_count;

/* The MPI of this soname; NULL: it is not known. */
const struct cs_known_mpi *cs_known_mpi_of(const char *soname);
