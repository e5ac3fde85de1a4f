/* Classifies libraries by file name. This is the only list of such names; the view `libraries` shows it too. */
#pragma once

#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cs_library_kind {
    CS_LIBRARY_OTHER, /* the program and its libraries */
    CS_LIBRARY_CALLSIGN,
    CS_LIBRARY_MPI,            /* an MPI: programs link with it */
    CS_LIBRARY_MPI_INSIDE,     /* a part or plugin that only the MPI uses */
    CS_LIBRARY_MPI_RUNTIME,    /* a part of Open MPI that its launchers use too */
    CS_LIBRARY_MPI_FORTRAN,    /* Fortran entry points */
    CS_LIBRARY_MPI_BINDING,    /* bindings for C++ or Java on top of C: their calls count as the program's */
    CS_LIBRARY_MPI_TRANSLATOR, /* offers an MPI's functions with its own handles, and calls another MPI */
    CS_LIBRARY_C,
};

/* The library that converts journals to traces. Every recorder names it; a program that contains the recorder is
   recognized by this name. */
#define CS_CONVERT_LIBRARY "libcallsign-convert.so"

/* path: a path or a file name. */
enum cs_library_kind cs_library_kind_of(const char *path);

/* True for the runtime of a compiler's sanitizer (-fsanitize), which replaces functions of the C library. */
bool cs_library_is_sanitizer(const char *path);

/* Declares the MPI that this callsign library was built for, which may have any name. "": it is part of its program.
   Call it before any query; `soname` is kept, not copied. */
void cs_library_is_mpi(const char *soname);

/* ---- libraries that are loaded ---- */

/* The program and its libraries as dl_iterate_phdr shows them, and their requests to the dynamic linker. Uses only
   libc and never allocates: the front library contains it. */

struct cs_loaded {
    uintptr_t base, low, high; /* memory: low <= address < high */
    const ElfW(Dyn) * dynamic;
    const char *strings;               /* NULL: no dynamic section */
    uintptr_t sealed_low, sealed_high; /* read-only since it was relocated (PT_GNU_RELRO); 0: nothing */
};

struct cs_loaded cs_loaded_read(const struct dl_phdr_info *info);

/* The text of the first dynamic-section entry of this kind (DT_SONAME, ...), or NULL. */
const char *cs_loaded_text(const struct cs_loaded *loaded, ElfW(Sxword) tag);

/* Calls visit() with the name of each needed library until it returns true. Returns whether it did. */
bool cs_loaded_needed(const struct cs_loaded *loaded, bool (*visit)(void *context, const char *soname), void *context);

/* A reference to a symbol, in a relocation. */
struct cs_import {
    const char *name;
    bool weak;         /* weak: may be missing */
    bool is_call;      /* used for calls only (a slot of the procedure linkage table); its address is not taken */
    void *const *slot; /* location of the address once it is resolved; NULL: somewhere in data */
    uintptr_t *word;   /* location of the address plus `addend`, also in data; NULL: no address */
    uintptr_t addend;
};

/* Calls visit() for every symbol in relocations that the library does not define itself. A symbol may come several
   times. */
void cs_loaded_imports(const struct cs_loaded *loaded, void (*visit)(void *context, const struct cs_import *import),
                       void *context);

/* The same for every symbol that the dynamic linker looks up for the library, also if the library defines it. */
void cs_loaded_references(const struct cs_loaded *loaded, void (*visit)(void *context, const struct cs_import *import),
                          void *context);

/* The address of a function that the library exports, or NULL. Reads its GNU hash table only: unlike dlsym, a signal
   handler may call this. */
void *cs_loaded_function(const struct cs_loaded *loaded, const char *name);

/* ---- where callsign's libraries are, for one of them that is to open another ---- */

/* Writes the absolute folder of the library (or program) that this function is linked into. Returns false if it is
   unknown. */
bool cs_library_find_own_folder(char folder[PATH_MAX]);

/* ---- tools that wrap an MPI ---- */

/* True if it refers to MPI functions, in C or Fortran, that it does not define. A library that defines some itself is
   then a tool that wraps an MPI, even if it defines PMPI_ names. */
bool cs_loaded_calls_mpi(const struct cs_loaded *loaded);

/* True for MPI_Send, PMPI_Send, mpi_send_ and pmpi_send_. */
bool cs_is_mpi_name(const char *name);
