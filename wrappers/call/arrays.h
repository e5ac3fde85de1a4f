/* Array arguments whose element size differs between functions or languages. */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

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

/* Integers of any type. */
struct cs_integers {
    const void *values;
    unsigned bytes; /* size of each */
};
static inline struct cs_integers cs_integers_int(const int values[])
{
    return (struct cs_integers){values, sizeof *values};
}
static inline struct cs_integers cs_integers_address(const MPI_Aint values[])
{
    return (struct cs_integers){values, sizeof *values};
}
static inline struct cs_integers cs_integers_large(const MPI_Count values[])
{
    return (struct cs_integers){values, sizeof *values};
}
static inline int64_t cs_integer_at(struct cs_integers integers, int i)
{
    return integers.bytes == sizeof(int) ? ((const int *)integers.values)[i] : ((const int64_t *)integers.values)[i];
}
static_assert(sizeof(MPI_Aint) == sizeof(int64_t) && sizeof(MPI_Count) == sizeof(int64_t),
              "integers of arrays have 32 or 64 bits");

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
