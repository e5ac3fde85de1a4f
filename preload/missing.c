#include "preload/missing.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "preload/reference.h"

static atomic_int error_other = 16; /* for processes without MPI: any error code */

static int fails(void)
{
    return atomic_load_explicit(&error_other, memory_order_relaxed);
}

static int nothing(void)
{
    return 0;
}

/* MPI_Initialized and MPI_Finalized without MPI: libraries with weak references to MPI call them first. */
static int never(int *flag)
{
    *flag = 0;
    return 0;
}

/* These need no MPI (MPI 4.1, 5.1.5). Where mpi.h defines them as macros, the MPI may lack them. */
static intptr_t aint_add(intptr_t base, intptr_t displacement)
{
    return (intptr_t)((uintptr_t)base + (uintptr_t)displacement);
}

static intptr_t aint_diff(intptr_t address, intptr_t base)
{
    return (intptr_t)((uintptr_t)address - (uintptr_t)base);
}

/* True for functions that return no error code: an error code would look like true, a handle or a number. Every MPI
   has the functions that return a floating-point number, so these cannot be missing. */
static bool returns_a_value(const char *name)
{
    static const char *const endings[] = {"_support", "_f2c", "_c2f", "_toint", "_fromint"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t ending = strlen(endings[i]);
        if (length > ending && strcmp(name + length - ending, endings[i]) == 0)
            return true;
    }
    return false;
}

/* Ends the program as the dynamic linker would if callsign did not define the name. */
static void die(const char *name)
{
    char line[256];
    int length = snprintf(line, sizeof line, "%s: symbol lookup error: %s: undefined symbol: %s\n",
                          program_invocation_name, program_invocation_name, name);
    if (length > (int)sizeof line - 1)
        length = (int)sizeof line - 1;
    ssize_t written = write(STDERR_FILENO, line, (size_t)length);
    (void)written;
    _exit(127);
}

static void tell_once(const char *name, const struct cs_mapped *mpi)
{
    static atomic_flag told = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set_explicit(&told, memory_order_relaxed))
        return;
    cs_log(
        "%s is not in %s; %s refers to it weakly and believes that it is there because libcallsign.so has all names: "
        "the call fails. `callsign run` preloads the names of the program's MPI only",
        name, mpi ? mpi->soname : "any library here", program_invocation_short_name);
}

void *cs_front_missing(const char *name, const void *caller, const struct cs_map *map, const struct cs_mapped *mpi)
{
    if (map->mpi_count == 0 && (strcmp(name, "MPI_Initialized") == 0 || strcmp(name, "MPI_Finalized") == 0))
        return (void *)never;
    if (cs_front_reference(caller, name) != CS_REFERENCE_WEAK)
        die(name);
    if (strcmp(name, "MPI_Aint_add") == 0)
        return (void *)aint_add;
    if (strcmp(name, "MPI_Aint_diff") == 0)
        return (void *)aint_diff;
    tell_once(name, mpi);
    if (mpi && mpi->mpi)
        atomic_store_explicit(&error_other, mpi->mpi->error_other, memory_order_relaxed);
    return returns_a_value(name) ? (void *)nothing : (void *)fails;
}
