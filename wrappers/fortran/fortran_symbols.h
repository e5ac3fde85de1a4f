/* Functions and constants of the MPI's Fortran libraries. */
#pragma once

#include <stdatomic.h>

#include "fortran_next.h"
#include "wrappers/request/request_list.h"

/* C programs do not load these libraries. NULL: the symbol is missing. */

/* ---- constants ---- */

enum { CS_FORTRAN_SPELLINGS = 2 }; /* mpif.h and mpi_f08 may have different ones */

struct cs_fortran_constants {
    const void *in_place[CS_FORTRAN_SPELLINGS];
    const void *status_ignore[CS_FORTRAN_SPELLINGS];
    const void *statuses_ignore[CS_FORTRAN_SPELLINGS];
};
extern struct cs_fortran_constants cs_fortran_constants __attribute__((visibility("hidden")));

static inline bool cs_fortran_is(const void *address, const void *const constant[CS_FORTRAN_SPELLINGS])
{
    return address == constant[0] || address == constant[1];
}

static inline bool cs_fortran_ignores_status(const void *status)
{
    return cs_fortran_is(status, cs_fortran_constants.status_ignore);
}

static inline struct cs_statuses cs_status_fortran(void *status)
{
    return (struct cs_statuses){status, cs_fortran_ignores_status(status), true};
}

static inline struct cs_statuses cs_statuses_fortran(void *statuses)
{
    return (struct cs_statuses){statuses, cs_fortran_is(statuses, cs_fortran_constants.statuses_ignore), true};
}

/* A choice buffer: MPI_IN_PLACE of C, or the address. */
static inline const void *cs_fortran_buffer(const void *buffer)
{
    return cs_fortran_is(buffer, cs_fortran_constants.in_place) ? MPI_IN_PLACE : buffer;
}

/* A choice buffer in an array descriptor, which begins with the address. */
static inline const void *cs_fortran_descriptor(const void *descriptor)
{
    return cs_fortran_buffer(*(const void *const *)descriptor);
}

/* The native function of an entry point, looked up at its first call, because C programs load no Fortran library. */
void *cs_fortran_native_find(enum cs_fortran_number number);

static inline void *cs_fortran_native(enum cs_fortran_number number)
{
    void *native = atomic_load_explicit(&cs_fortran_natives[number], memory_order_acquire);
    return __builtin_expect(native != NULL, 1) ? native : cs_fortran_native_find(number);
}
