#include "wrappers/request/arrays.h"

#include <string.h>

#include "asked.h"

MPI_Fint cs_null_request_number(void)
{
    static MPI_Fint number = -1; /* atomic */
    MPI_Fint known = __atomic_load_n(&number, __ATOMIC_RELAXED);
    if (__builtin_expect(known == -1, 0)) {
        known = cs_mpi_Request_c2f(MPI_REQUEST_NULL);
        __atomic_store_n(&number, known, __ATOMIC_RELAXED);
    }
    return known;
}

bool cs_request_is_null(struct cs_handles requests, int i)
{
    return cs_are_numbers(requests) ? ((const MPI_Fint *)requests.handles)[i] == cs_null_request_number()
                                    : ((const MPI_Request *)requests.handles)[i] == MPI_REQUEST_NULL;
}

/* Whether a status in Fortran has the words of one in C: asked with words that are all different. */
static bool is_same_in_fortran(void)
{
    enum { WORDS = sizeof(MPI_Status) / sizeof(MPI_Fint), ROOM = 2 * WORDS };
    MPI_Fint c_words[ROOM] = {0}, fortran_words[ROOM] = {0};
    MPI_Status status;
    for (int i = 0; i < WORDS; i++)
        c_words[i] = 0x1010101 * (i + 1);
    memcpy(&status, c_words, sizeof status);
    return sizeof status % sizeof(MPI_Fint) == 0 && cs_mpi_Status_c2f(&status, fortran_words) == MPI_SUCCESS &&
           memcmp(c_words, fortran_words, sizeof c_words) == 0;
}

const MPI_Status *cs_status_of_fortran(const void *status, MPI_Status *decoded)
{
    enum { UNKNOWN, SAME, OTHER };
    static int words = UNKNOWN; /* atomic */
    int is = __atomic_load_n(&words, __ATOMIC_RELAXED);
    if (__builtin_expect(is == UNKNOWN, 0)) {
        is = is_same_in_fortran() ? SAME : OTHER;
        __atomic_store_n(&words, is, __ATOMIC_RELAXED);
    }
    /* Arrays of INTEGER may lie where no MPI_Status may. */
    if (is == SAME && (uintptr_t)status % _Alignof(MPI_Status) == 0)
        return status;
    cs_mpi_Status_f2c((MPI_Fint *)(uintptr_t)status, decoded);
    return decoded;
}

const MPI_Status *cs_status_at(struct cs_statuses statuses, int i, MPI_Status *decoded)
{
    if (statuses.ignored)
        return NULL;
    const MPI_Status *status = (const MPI_Status *)statuses.elements + i; /* in Fortran it is as large */
    return statuses.fortran ? cs_status_of_fortran(status, decoded) : status;
}
