#include "roles.h"

static void free_type(MPI_Datatype type)
{
    int integers, addresses, types, combiner;
    CALL(MPI_Type_get_envelope)(type, &integers, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED)
        CALL(MPI_Type_free)(&type);
}

/* One function, in this form or with large counts: the arguments stay the same. */
#define MAKE(name, ...)                                                                                                \
    do {                                                                                                               \
        MPI_Datatype made;                                                                                             \
        CALL(name)(__VA_ARGS__, &made);                                                                                \
        CALL(MPI_Type_free)(&made);                                                                                    \
    } while (0)

enum { ORDER = MPI_ORDER_C };

static void from_counts(void)
{
    int ones[2] = {1, 1}, at[2] = {0, 2}, sizes[2] = {4, 4}, zeros[2] = {0, 0}, square[2] = {1, 1};
    int distributions[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_BLOCK};
    int arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    MPI_Aint far[2] = {0, 64};
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE};
    MAKE(MPI_Type_contiguous, 3, MPI_INT);
    MAKE(MPI_Type_vector, 2, 1, 2, MPI_INT);
    MAKE(MPI_Type_create_hvector, 2, 1, 8, MPI_INT);
    MAKE(MPI_Type_indexed, 2, ones, at, MPI_INT);
    MAKE(MPI_Type_create_hindexed, 2, ones, far, MPI_INT);
    MAKE(MPI_Type_create_indexed_block, 2, 1, at, MPI_INT);
    MAKE(MPI_Type_create_hindexed_block, 2, 1, far, MPI_INT);
    MAKE(MPI_Type_create_struct, 2, ones, far, types);
    MAKE(MPI_Type_create_subarray, 2, sizes, ones, zeros, ORDER, MPI_INT);
    MAKE(MPI_Type_create_darray, 1, 0, 2, sizes, distributions, arguments, square, ORDER, MPI_INT);
    MAKE(MPI_Type_create_resized, MPI_INT, 0, 16);
    MAKE(MPI_Type_dup, MPI_INT);
#ifndef STANDARD_ABI
    MAKE(MPI_Type_hvector, 2, 1, 8, MPI_INT);
    MAKE(MPI_Type_hindexed, 2, ones, far, MPI_INT);
    MAKE(MPI_Type_struct, 2, ones, far, types);
#endif
}

#ifdef HAS_LARGE_COUNTS
static void from_large_counts(void)
{
    MPI_Count ones[2] = {1, 1}, at[2] = {0, 64}, sizes[2] = {4, 4}, zeros[2] = {0, 0};
    int distributions[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_BLOCK}, square[2] = {1, 1};
    int arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE};
    MAKE(MPI_Type_contiguous_c, 3, MPI_INT);
    MAKE(MPI_Type_vector_c, 2, 1, 2, MPI_INT);
    MAKE(MPI_Type_create_hvector_c, 2, 1, 8, MPI_INT);
    MAKE(MPI_Type_indexed_c, 2, ones, at, MPI_INT);
    MAKE(MPI_Type_create_hindexed_c, 2, ones, at, MPI_INT);
    MAKE(MPI_Type_create_indexed_block_c, 2, 1, at, MPI_INT);
    MAKE(MPI_Type_create_hindexed_block_c, 2, 1, at, MPI_INT);
    MAKE(MPI_Type_create_struct_c, 2, ones, at, types);
    MAKE(MPI_Type_create_subarray_c, 2, sizes, ones, zeros, ORDER, MPI_INT);
    MAKE(MPI_Type_create_darray_c, 1, 0, 2, sizes, distributions, arguments, square, ORDER, MPI_INT);
    MAKE(MPI_Type_create_resized_c, MPI_INT, 0, 16);
}

static void large_contents(MPI_Datatype type)
{
    int integers[8];
    MPI_Aint addresses[8];
    MPI_Count counts[8], ni, na, nc, nt;
    int combiner;
    MPI_Datatype inside = MPI_DATATYPE_NULL;
    CALL(MPI_Type_get_envelope_c)(type, &ni, &na, &nc, &nt, &combiner);
    CALL(MPI_Type_get_contents_c)(type, ni, na, nc, nt, integers, addresses, counts, &inside);
    free_type(inside);
}
#endif

static void contents(void)
{
    int integers[8];
    MPI_Aint addresses[8];
    MPI_Datatype inner, outer, inside;
    CALL(MPI_Type_vector)(2, 1, 2, MPI_INT, &inner);
    CALL(MPI_Type_dup)(inner, &outer);
    CALL(MPI_Type_commit)(&outer);
    CALL(MPI_Type_get_contents)(outer, 0, 0, 1, integers, addresses, &inside);
    free_type(inside);
    CALL(MPI_Type_set_name)(inner, "still in use");
    CALL(MPI_Type_free)(&outer);
#ifdef HAS_LARGE_COUNTS
    CALL(MPI_Type_contiguous)(2, inner, &outer);
    large_contents(outer);
    CALL(MPI_Type_set_name)(inner, "still in use");
    CALL(MPI_Type_free)(&outer);
#endif
    CALL(MPI_Type_free)(&inner);
}

/* The MPI's own: nothing to free. */
static void shown(void)
{
    MPI_Datatype type;
    CALL(MPI_Type_create_f90_real)(6, 30, &type);
    CALL(MPI_Type_create_f90_complex)(6, 30, &type);
    CALL(MPI_Type_create_f90_integer)(6, &type);
    CALL(MPI_Type_match_size)(MPI_TYPECLASS_INTEGER, 4, &type);
#ifdef HAS_MPI_4_1
    CALL(MPI_Type_get_value_index)(MPI_DOUBLE, MPI_INT, &type);
#endif
}

void datatypes(void)
{
    from_counts();
#ifdef HAS_LARGE_COUNTS
    from_large_counts();
#endif
    contents();
    shown();
}
