#include "wrappers/mpi/instead.h"

#include "asked.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "fortran_next.h"

int cs_type_size_x(MPI_Datatype type, MPI_Count *size)
{
    int small = 0;
    int result = cs_mpi_Type_size(type, &small);
    *size = small;
    return result;
}

int cs_type_get_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent)
{
    int result = cs_mpi_Type_lb(type, lower);
    return result == MPI_SUCCESS ? cs_mpi_Type_extent(type, extent) : result;
}

int cs_type_get_extent_x(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent)
{
    MPI_Aint small_lower = 0, small_extent = 0;
    int result = cs_mpi_Type_get_extent(type, &small_lower, &small_extent);
    *lower = small_lower;
    *extent = small_extent;
    return result;
}

int cs_type_get_envelope_c(MPI_Datatype type, MPI_Count *integers, MPI_Count *addresses, MPI_Count *counts,
                           MPI_Count *types, int *combiner)
{
    int small_integers = 0, small_addresses = 0, small_types = 0;
    int result = cs_mpi_Type_get_envelope(type, &small_integers, &small_addresses, &small_types, combiner);
    *integers = small_integers;
    *addresses = small_addresses;
    *counts = 0;
    *types = small_types;
    return result;
}

/* Of bytes there are as many elements as whole ones. */
int cs_get_elements(const MPI_Status *status, MPI_Datatype type, int *count)
{
    return cs_mpi_Get_count(status, type, count);
}

int cs_get_elements_x(const MPI_Status *status, MPI_Datatype type, MPI_Count *count)
{
    int small = 0;
    int result = cs_mpi_Get_elements(status, type, &small);
    *count = small;
    return result;
}

/* Whether a status of Fortran is one of C: mpif.h gives it the same size, and the same places to what programs read. */
static bool has_words_of_c(void)
{
    enum { WORD = sizeof(MPI_Fint) };
    return CS_MPIF_STATUS_SIZE * WORD == sizeof(MPI_Status) &&
           (CS_MPIF_SOURCE - 1) * WORD == offsetof(MPI_Status, MPI_SOURCE) &&
           (CS_MPIF_TAG - 1) * WORD == offsetof(MPI_Status, MPI_TAG) &&
           (CS_MPIF_ERROR - 1) * WORD == offsetof(MPI_Status, MPI_ERROR);
}

int cs_status_c2f(const MPI_Status *status, MPI_Fint *words)
{
    if (!has_words_of_c())
        return MPI_ERR_OTHER;
    memcpy(words, status, sizeof *status);
    return MPI_SUCCESS;
}

int cs_status_f2c(const MPI_Fint *words, MPI_Status *status)
{
    if (!has_words_of_c())
        return MPI_ERR_OTHER;
    memcpy(status, words, sizeof *status);
    return MPI_SUCCESS;
}
