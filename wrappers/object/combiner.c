#include "wrappers/object/combiner.h"

#include "asked.h"
#include "db/journal/names.h"
#include "functions.h"

int cs_combiner_number(int combiner)
{
    static const struct {
        int mpi, number;
    } combiners[] = {
        {MPI_COMBINER_NAMED, CS_COMBINER_NAMED},
        {MPI_COMBINER_DUP, CS_COMBINER_DUP},
        {MPI_COMBINER_CONTIGUOUS, CS_COMBINER_CONTIGUOUS},
        {MPI_COMBINER_VECTOR, CS_COMBINER_VECTOR},
        {MPI_COMBINER_HVECTOR, CS_COMBINER_HVECTOR},
        {MPI_COMBINER_INDEXED, CS_COMBINER_INDEXED},
        {MPI_COMBINER_HINDEXED, CS_COMBINER_HINDEXED},
        {MPI_COMBINER_INDEXED_BLOCK, CS_COMBINER_INDEXED_BLOCK},
        {MPI_COMBINER_HINDEXED_BLOCK, CS_COMBINER_HINDEXED_BLOCK},
        {MPI_COMBINER_STRUCT, CS_COMBINER_STRUCT},
        {MPI_COMBINER_SUBARRAY, CS_COMBINER_SUBARRAY},
        {MPI_COMBINER_DARRAY, CS_COMBINER_DARRAY},
        {MPI_COMBINER_F90_REAL, CS_COMBINER_F90_REAL},
        {MPI_COMBINER_F90_COMPLEX, CS_COMBINER_F90_COMPLEX},
        {MPI_COMBINER_F90_INTEGER, CS_COMBINER_F90_INTEGER},
        {MPI_COMBINER_RESIZED, CS_COMBINER_RESIZED},
    };
    for (size_t i = 0; i < sizeof combiners / sizeof *combiners; i++)
        if (combiners[i].mpi == combiner)
            return combiners[i].number;
    return CS_COMBINER_UNKNOWN;
}

/* Not static: these constants are addresses in some MPIs. */
bool cs_type_is_predefined(MPI_Datatype type)
{
    const MPI_Datatype predefined[] = {
        MPI_CHAR,
        MPI_SIGNED_CHAR,
        MPI_UNSIGNED_CHAR,
        MPI_BYTE,
        MPI_WCHAR,
        MPI_SHORT,
        MPI_UNSIGNED_SHORT,
        MPI_INT,
        MPI_UNSIGNED,
        MPI_LONG,
        MPI_UNSIGNED_LONG,
        MPI_LONG_LONG,
        MPI_UNSIGNED_LONG_LONG,
        MPI_FLOAT,
        MPI_DOUBLE,
        MPI_LONG_DOUBLE,
        MPI_INT8_T,
        MPI_INT16_T,
        MPI_INT32_T,
        MPI_INT64_T,
        MPI_UINT8_T,
        MPI_UINT16_T,
        MPI_UINT32_T,
        MPI_UINT64_T,
        MPI_C_BOOL,
        MPI_C_COMPLEX,
        MPI_C_DOUBLE_COMPLEX,
        MPI_C_LONG_DOUBLE_COMPLEX,
        MPI_AINT,
        MPI_COUNT,
        MPI_OFFSET,
        MPI_PACKED,
        MPI_FLOAT_INT,
        MPI_DOUBLE_INT,
        MPI_LONG_INT,
        MPI_2INT,
        MPI_SHORT_INT,
        MPI_LONG_DOUBLE_INT,
        MPI_CHARACTER,
        MPI_LOGICAL,
        MPI_INTEGER,
        MPI_REAL,
        MPI_DOUBLE_PRECISION,
        MPI_COMPLEX,
        MPI_DOUBLE_COMPLEX,
        MPI_2INTEGER,
        MPI_2REAL,
        MPI_2DOUBLE_PRECISION,
    };
    for (size_t i = 0; i < sizeof predefined / sizeof *predefined; i++)
        if (predefined[i] == type)
            return type != MPI_DATATYPE_NULL; /* what an MPI was built without */
    return false;
}

/* Of a function that makes datatypes. */
static int combiner_by(uint16_t function)
{
    static const struct {
        uint16_t function;
        int combiner;
    } makers[] = {
        {CS_MPI_Type_dup, MPI_COMBINER_DUP},
        {CS_MPI_Type_contiguous, MPI_COMBINER_CONTIGUOUS},
        {CS_MPI_Type_vector, MPI_COMBINER_VECTOR},
        {CS_MPI_Type_hvector, MPI_COMBINER_HVECTOR},
        {CS_MPI_Type_create_hvector, MPI_COMBINER_HVECTOR},
        {CS_MPI_Type_indexed, MPI_COMBINER_INDEXED},
        {CS_MPI_Type_hindexed, MPI_COMBINER_HINDEXED},
        {CS_MPI_Type_create_hindexed, MPI_COMBINER_HINDEXED},
        {CS_MPI_Type_create_indexed_block, MPI_COMBINER_INDEXED_BLOCK},
        {CS_MPI_Type_struct, MPI_COMBINER_STRUCT},
        {CS_MPI_Type_create_struct, MPI_COMBINER_STRUCT},
        {CS_MPI_Type_create_subarray, MPI_COMBINER_SUBARRAY},
        {CS_MPI_Type_create_darray, MPI_COMBINER_DARRAY},
        {CS_MPI_Type_create_resized, MPI_COMBINER_RESIZED},
    };
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (makers[i].function == function)
            return makers[i].combiner;
    return MPI_UNDEFINED;
}

int cs_combiner_of(MPI_Datatype type, uint16_t function)
{
    int combiner = MPI_COMBINER_NAMED;
    /* The older function fails, loudly, on types that were made with large counts. */
    MPI_Count integers, addresses, counts, types;
    cs_mpi_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner);
    if (combiner != MPI_UNDEFINED)
        return combiner;
    return cs_type_is_predefined(type) ? MPI_COMBINER_NAMED : combiner_by(function);
}
