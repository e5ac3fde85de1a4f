/* What a library is to callsign, by the name of its file: the one list of such names (the view `libraries` has it,
 * too). */
#pragma once

enum cs_library_kind {
    CS_LIBRARY_OTHER, /* the program and its libraries */
    CS_LIBRARY_CALLSIGN,
    CS_LIBRARY_MPI,            /* programs are linked with it */
    CS_LIBRARY_MPI_INSIDE,     /* a part or plugin that only the MPI itself uses */
    CS_LIBRARY_MPI_RUNTIME,    /* of Open MPI: its launchers have it, too */
    CS_LIBRARY_MPI_FORTRAN,    /* the entry points for Fortran */
    CS_LIBRARY_MPI_BINDING,    /* of C++ or Java, on top of the C interface: what it calls, the program calls */
    CS_LIBRARY_MPI_TRANSLATOR, /* has an MPI's functions with handles of its own, and calls another MPI */
    CS_LIBRARY_C,
};

/* What makes traces. Every recorder names it, so that a program which has one inside is known by it. */
#define CS_SEAL_LIBRARY "libcallsign-seal.so"

/* path: of the file, or its name alone. */
enum cs_library_kind cs_library_kind_of(const char *path);

/* The MPI that this library of callsign was built for: it may have any name. "": it is part of its program. Before
   anything is asked; the name is kept as it is. */
void cs_library_is_mpi(const char *soname);
