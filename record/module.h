/* Which library an address lies in: to turn return addresses into module + offset after the process is gone, and to
   tell the MPI's own calls from the program's. */
#ifndef CS_RECORD_MODULE_H
#define CS_RECORD_MODULE_H

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
enum cs_module_owner cs_module_owner(uint64_t address);

/* Whether what this code makes is made for itself and not on behalf of its caller: it belongs to none of callsign, MPI
   and the C library. The same libraries as in the view `libraries`. */
bool cs_module_makes(uint64_t address);

struct cs_module_about {
    char path[4096];
    char build_id[129]; /* in hex; "": it has none */
    uint64_t base;      /* address in memory - address in the file's own numbering */
};

/* The module that is loaded there now. False: none is. Slow. */
bool cs_module_describe(uint64_t address, struct cs_module_about *about);

/* How often code has come to lie where other code was: a library was unloaded, and another one loaded at its addresses.
   Looks whether libraries came or went, which takes two dozen nanoseconds. */
uint32_t cs_module_replaced(void);

/* The same at once for the library of MPICH and its kin whose every function calls the C interface: where it lies, or
 * nothing. Atomic. */
extern uint64_t cs_module_fortran_begin, cs_module_fortran_bytes;
static inline enum cs_module_owner cs_module_owner_nested(uint64_t address)
{
    uint64_t begin = __atomic_load_n(&cs_module_fortran_begin, __ATOMIC_RELAXED);
    uint64_t bytes = __atomic_load_n(&cs_module_fortran_bytes, __ATOMIC_RELAXED);
    return __builtin_expect(address - begin < bytes, 1) ? CS_MODULE_MPI_FORTRAN : cs_module_owner(address);
}

/* In a forked child. */
void cs_module_forget(void);

#endif
