/* Functions and constants of the MPI's Fortran libraries. */
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "fortran_next.h"
#include "wrappers/check/pending.h"
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

/* An array descriptor of GNU Fortran, as it passes arrays between its own procedures (libgfortran.h). */
struct cs_fortran_array {
    const void *address;
    size_t offset, element_bytes;
    int version;
    int8_t rank, type;
    int16_t attribute;
    ptrdiff_t span_bytes; /* of an element and the space behind it */
    struct {
        ptrdiff_t stride, first, last; /* in elements */
    } dimension[];
};

/* Whether its elements follow each other in memory. False also for descriptors of other compilers: their second word
   has the size of an element, and the third one the rank in its upper half. Of an assumed-size array, the last extent
   is unknown. */
static inline bool cs_fortran_is_contiguous(const struct cs_fortran_array *array)
{
    ptrdiff_t stride = 1;
    if (array->rank == 0)
        return array->element_bytes <= INT32_MAX;
    if (array->rank < 0 || array->rank > 15 || array->span_bytes != (ptrdiff_t)array->element_bytes)
        return false;
    for (int i = 0; i < array->rank; i++) {
        ptrdiff_t extent = array->dimension[i].last - array->dimension[i].first + 1;
        if (extent != 1 && array->dimension[i].stride != stride)
            return false;
        stride *= extent;
    }
    return true;
}

/* A choice buffer in an array descriptor. The data of a section, a(1:n:2), does not follow from its address. */
static inline const void *cs_fortran_descriptor(const void *descriptor)
{
    const struct cs_fortran_array *array = descriptor;
    return cs_fortran_is_contiguous(array) ? cs_fortran_buffer(array->address) : cs_scattered_buffer;
}

/* The native function of an entry point, looked up at its first call, because C programs load no Fortran library. */
void *cs_fortran_native_find(enum cs_fortran_number number);

static inline void *cs_fortran_native(enum cs_fortran_number number)
{
    void *native = atomic_load_explicit(&cs_fortran_natives[number], memory_order_acquire);
    return __builtin_expect(native != NULL, 1) ? native : cs_fortran_native_find(number);
}
