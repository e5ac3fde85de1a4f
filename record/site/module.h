/* Finds the library of an address: to store return addresses as module + offset, and to tell the MPI's own calls
   from the program's. */
#pragma once

#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum cs_module_owner {
    CS_MODULE_PROGRAM,     /* the program and its libraries, including bindings of other languages */
    CS_MODULE_MPI,         /* an MPI library or one of its plugins */
    CS_MODULE_MPI_FORTRAN, /* the MPI's library with Fortran entry points */
    CS_MODULE_CALLSIGN,    /* us */
};

/* Makes sure that the journal has the module of this address; records new modules if the address is in none that is
   known. Fast and without lock for known modules. */
void cs_module_record(uint64_t address);

/* The owner of the code at an address. */
enum cs_module_owner cs_module_find_owner(uint64_t address);

/* The same without a look for new modules, for signal handlers: code of an unknown module is the program's. */
enum cs_module_owner cs_module_find_known_owner(uint64_t address);

/* True if this code creates objects for itself and not for its caller: it belongs neither to callsign nor to MPI or
   the C library. The view `libraries` uses the same classes. */
bool cs_module_is_maker(uint64_t address);

/* True if the code at an address is in no library or program: it was generated at run time. */
bool cs_module_is_generated(uint64_t address);

/* How often new code replaced other code at its addresses: a library was unloaded, and another one loaded there.
   Checks whether libraries came or went, which takes two dozen nanoseconds. */
uint32_t cs_module_count_replaced(void);

/* True if a library of the program, which is no part of the MPI, was ever replaced so. Only cs_module_count_replaced
   notices it. */
bool cs_module_was_program_replaced(void);

/* A hash of path and build id of the library at an address. 0: the program, code that is never unloaded, or generated
   code. */
uint64_t cs_module_find_name(uint64_t address);

/* How often the loaded libraries were scanned: once for each change that was noticed. */
uint32_t cs_module_count_scans(void);

/* True if the code at an address can never be unloaded while callsign is loaded: the program itself, callsign, the C
   library. False if unknown. */
bool cs_module_is_permanent(uint64_t address);

/* The address range of a library; no bytes: not loaded, or not seen yet. */
struct cs_module_range {
    _Atomic uint64_t begin, bytes;
};
static inline bool cs_module_is_in(const struct cs_module_range *range, uint64_t address)
{
    uint64_t begin = atomic_load_explicit(&range->begin, memory_order_relaxed);
    uint64_t bytes = atomic_load_explicit(&range->bytes, memory_order_relaxed);
    return address - begin < bytes;
}

/* Two ranges for fast checks: the library of MPICH and its derivatives whose functions all call the C interface, and
   the library of this code. */
extern struct cs_module_range cs_module_fortran, cs_module_self;

/* Called for each new module of the program, by one thread at a time, which may have a small stack. */
typedef void cs_module_watcher(const struct dl_phdr_info *info, const char *path);
void cs_module_watch(cs_module_watcher *function);

/* In a forked child. */
void cs_module_forget(void);

/* ---- the files that loaded modules, the program and its libraries, come from ---- */

struct cs_module_about {
    char path[4096];
    char build_id[129]; /* hexadecimal; "": none */
    uint64_t base;      /* load bias: address in memory minus address in the file */
};

/* Describes the module loaded at an address now. Returns false if there is none. Slow. */
bool cs_module_describe(uint64_t address, struct cs_module_about *about);

/* True if the address is in a file of the program or its libraries that was seen before; nothing is recorded. */
bool cs_module_is_of_program(uint64_t address);

/* The path of a loaded module's file. The program itself has no name: its path is written to `program`. */
const char *cs_module_path(const struct dl_phdr_info *info, char program[PATH_MAX]);

/* The owner of a file's code. */
enum cs_module_owner cs_module_owner_of_path(const char *path);
