/* The MPI libraries that callsign knows, by soname. CMake writes the table (base/CMakeLists.txt) from the installed
   MPIs and the usual names of others. */
#pragma once

#include <stddef.h>

struct cs_known_mpi {
    const char *soname;  /* "libmpi.so.40"; "": a static library inside its programs */
    const char *flavour; /* the part of libcallsign-<flavour>.so: "openmpi" */
    const char *title;   /* for messages: "Open MPI" */
    int error_other;     /* its MPI_ERR_OTHER: the front library includes no mpi.h */
};

extern const struct cs_known_mpi cs_known_mpis[];
extern const size_t cs_known_mpis_count;

/* Finds the MPI by its soname; NULL: unknown. */
const struct cs_known_mpi *cs_known_mpi_of(const char *soname);
