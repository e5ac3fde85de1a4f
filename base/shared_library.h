/* What a library is to callsign, by the name of its file: the one list of such names (the view `libraries` has it,
 * too). */
#pragma once

#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* ---- libraries that are loaded ---- */

/* The program and its libraries as dl_iterate_phdr shows them, and what they ask the dynamic linker for. Libc only, no
   allocation: the front library has it too. */

struct cs_loaded {
    uintptr_t base, low, high; /* its memory: low <= address < high */
    const ElfW(Dyn) * dynamic;
    const char *strings; /* NULL: it has no dynamic section */
};

struct cs_loaded cs_loaded_read(const struct dl_phdr_info *info);

/* The value of the dynamic section's first entry of this kind (DT_SONAME, ...) as a text, or NULL. */
const char *cs_loaded_text(const struct cs_loaded *loaded, ElfW(Sxword) tag);

/* Calls visit() with the name of every library that it names as needed, until it says true. Whether it did. */
bool cs_loaded_needed(const struct cs_loaded *loaded, bool (*visit)(void *context, const char *soname), void *context);

/* A symbol that it takes from elsewhere. */
struct cs_import {
    const char *name;
    bool weak;         /* may be missing */
    bool is_call;      /* for calls alone (a slot of the procedure linkage table), not for its address */
    void *const *slot; /* where the address stands once it is known; NULL: somewhere in its data */
};

/* Calls visit() for every symbol of its relocations that it does not define itself; one may come several times. */
void cs_loaded_imports(const struct cs_loaded *loaded, void (*visit)(void *context, const struct cs_import *import),
                       void *context);

/* ---- where callsign's libraries are, for one of them that is to open another ---- */

/* The folder, absolute, of the library (or program) that this function is linked into. False: it is not known. */
bool cs_own_folder(char folder[PATH_MAX]);
