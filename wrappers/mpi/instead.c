#include "wrappers/mpi/instead.h"

#include "asked.h"

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
