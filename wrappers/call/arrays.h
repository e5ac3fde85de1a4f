/* Array arguments whose element size differs between functions or languages. */
#pragma once

#include <stdbool.h>

#include "pmpi_queries.h"

struct cs_counts {
    const void *values;
    bool large; /* MPI_Count instead of int */
};
static inline struct cs_counts cs_counts_int(const int values[])
{
    return (struct cs_counts){values, false};
}
static inline struct cs_counts cs_counts_large(const MPI_Count values[])
{
    return (struct cs_counts){values, true};
}
static inline MPI_Count cs_count_at(struct cs_counts counts, int i)
{
    return counts.large ? ((const MPI_Count *)counts.values)[i] : ((const int *)counts.values)[i];
}

/* Datatypes of C or Fortran. */
struct cs_types {
    const void *handles;
    bool fortran; /* MPI_Fint instead of MPI_Datatype */
};
static inline struct cs_types cs_types_c(const MPI_Datatype types[])
{
    return (struct cs_types){types, false};
}
static inline struct cs_types cs_types_fortran(const void *types)
{
    return (struct cs_types){types, true};
}
static inline MPI_Datatype cs_type_at(struct cs_types types, MPI_Count i)
{
    return types.fortran ? cs_mpi_Type_f2c(((const MPI_Fint *)types.handles)[i])
                         : ((const MPI_Datatype *)types.handles)[i];
}
