/* Which library an address lies in: to turn return addresses into module + offset after the process is gone, and to
   tell the MPI's own calls from the program's. And libraries of callsign that are opened only when they are needed. */
#pragma once

#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum cs_module_owner {
    CS_MODULE_PROGRAM,     /* the program and its libraries, bindings of other languages among them */
    CS_MODULE_MPI,         /* an MPI library or one of its plugins */
    CS_MODULE_MPI_FORTRAN, /* the part of it that its entry points for Fortran are in */
    CS_MODULE_CALLSIGN,    /* us */
};

/* Makes sure that the journal knows the module of this address; logs the modules that are new when it lies in none that
   is known. Cheap when it is known; takes no lock then. */
void cs_module_see(uint64_t address);

/* Whose code lies there. */
enum cs_module_owner cs_module_find_owner(uint64_t address);

/* Whether what this code makes is made for itself and not on behalf of its caller: it belongs to none of callsign, MPI
   and the C library. The same libraries as in the view `libraries`. */
bool cs_module_makes(uint64_t address);

/* How often code has come to lie where other code was: a library was unloaded, and another one loaded at its addresses.
   Looks whether libraries came or went, which takes two dozen nanoseconds. */
uint32_t cs_module_count_replaced(void);

/* Whether the code at an address can never be unloaded while callsign is there: the program itself, callsign, the C
   library. False when that is not known. */
bool cs_module_stays(uint64_t address);

/* Where a library lies; no bytes: not loaded, or not seen yet. */
struct cs_module_range {
    _Atomic uint64_t begin, bytes;
};
static inline bool cs_module_is_in(const struct cs_module_range *range, uint64_t address)
{
    uint64_t begin = atomic_load_explicit(&range->begin, memory_order_relaxed);
    uint64_t bytes = atomic_load_explicit(&range->bytes, memory_order_relaxed);
    return address - begin < bytes;
}

/* Two of them, to be asked at once: the library of MPICH and its kin whose every function calls the C interface, and
   the one that this code is in. */
extern struct cs_module_range cs_module_fortran, cs_module_self;

/* In a forked child. */
void cs_module_forget(void);

/* ---- the files that loaded modules, the program and its libraries, come from ---- */

struct cs_module_about {
    char path[4096];
    char build_id[129]; /* in hex; "": it has none */
    uint64_t base;      /* address in memory - address in the file's own numbering */
};

/* The module that is loaded there now. False: none is. Slow. */
bool cs_module_describe(uint64_t address, struct cs_module_about *about);

/* ---- libraries of ours that come into the program only when they are needed ---- */

/* Opens the library of this file name, from the folder of the one that this code is in, so that nobody else sees its
   names, and it sees those of its own libraries and not the program's. Returns the address of `function`; NULL: dlerror
   may tell why. */
void *cs_private_library_open(const char *library, const char *function);

/* Whether this code is in the program itself, which was linked with an archive of it (`-static`): there is nothing
   beside it, and mostly no dynamic linker either. What such a library does is left to the command then. */
bool cs_private_library_none(void);

/* ---- libraries that bypass callsign ---- */

/* Libraries whose calls do not come by here: opened with RTLD_DEEPBIND they find the MPI before callsign. */

/* Looks where the MPI calls of all libraries lead that are loaded now. Those that lead straight into the MPI are noted
   in the journal, and told in one line by the first rank. Once, at the end of the recording: nothing is intercepted for
   it, and a call shows where it leads only when it was made. */
void cs_bypass_look(void);
