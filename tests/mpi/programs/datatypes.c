/* Every way to make a datatype: birth, parent, size, extent, commits, name and death. */
#include "check.h"

static const char *const kind = "datatype";

static void follow(MPI_Datatype type, const char *name, const char *function, const char *parent)
{
    MPI_Count bytes;
    MPI_Aint low, extent;
    check_made(kind, function, 1);
    CALL(MPI_Type_set_name)(type, name);
    CALL(MPI_Type_commit)(&type);
    CALL(MPI_Type_size_x)(type, &bytes);
    CALL(MPI_Type_get_extent)(type, &low, &extent);
    check_sql("SELECT f.name = '%s' FROM object o JOIN function f USING (function) WHERE o.name = '%s' AND o.kind = "
              "'datatype'",
              function, name);
    check_sql("SELECT p.name = '%s' FROM object o JOIN object p ON p.object = o.parent WHERE o.name = '%s'", parent,
              name);
    check_sql(
        "SELECT size_bytes = %lld AND lower_bound_bytes = %ld AND extent_bytes = %ld AND commits = 1 FROM object JOIN "
        "datatype USING (object) WHERE name = '%s'",
        (long long)bytes, (long)low, (long)extent, name);
    check_sql("SELECT freed_ns >= created_ns FROM object WHERE name = '%s'", name);
    CALL(MPI_Type_free)(&type);
    check_freed(kind, "MPI_Type_free", 1);
    CHECK(type == MPI_DATATYPE_NULL);
}

static void simple(void)
{
    MPI_Datatype type;
    CALL(MPI_Type_contiguous)(3, MPI_INT, &type);
    follow(type, "contiguous", "MPI_Type_contiguous", "MPI_INT");
    CALL(MPI_Type_vector)(3, 2, 4, MPI_DOUBLE, &type);
    follow(type, "vector", "MPI_Type_vector", "MPI_DOUBLE");
    CALL(MPI_Type_create_hvector)(3, 2, 100, MPI_DOUBLE, &type);
    follow(type, "hvector", "MPI_Type_create_hvector", "MPI_DOUBLE");
    CALL(MPI_Type_create_resized)(MPI_INT, -4, 16, &type);
    follow(type, "resized", "MPI_Type_create_resized", "MPI_INT");
    CALL(MPI_Type_dup)(MPI_FLOAT, &type);
    follow(type, "dup", "MPI_Type_dup", "MPI_FLOAT");
}

static void indexed(void)
{
    MPI_Datatype type;
    int lengths[2] = {1, 2}, places[2] = {0, 5};
    MPI_Aint addresses[2] = {0, 40};
    CALL(MPI_Type_indexed)(2, lengths, places, MPI_INT, &type);
    follow(type, "indexed", "MPI_Type_indexed", "MPI_INT");
    CALL(MPI_Type_create_hindexed)(2, lengths, addresses, MPI_INT, &type);
    follow(type, "hindexed", "MPI_Type_create_hindexed", "MPI_INT");
    CALL(MPI_Type_create_indexed_block)(2, 2, places, MPI_INT, &type);
    follow(type, "indexed_block", "MPI_Type_create_indexed_block", "MPI_INT");
    CALL(MPI_Type_create_hindexed_block)(2, 2, addresses, MPI_INT, &type);
    follow(type, "hindexed_block", "MPI_Type_create_hindexed_block", "MPI_INT");
}

static void arrays(void)
{
    MPI_Datatype type;
    int sizes[2] = {8, 8}, subsizes[2] = {2, 3}, starts[2] = {1, 1};
    int spread[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, how[2] = {MPI_DISTRIBUTE_DFLT_DARG, 2},
        grid[2] = {2, 2};
    CALL(MPI_Type_create_subarray)(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &type);
    follow(type, "subarray", "MPI_Type_create_subarray", "MPI_INT");
    CALL(MPI_Type_create_darray)(4, 1, 2, sizes, spread, how, grid, MPI_ORDER_C, MPI_INT, &type);
    follow(type, "darray", "MPI_Type_create_darray", "MPI_INT");
}

/* A struct of a type of the program's own; and what MPI_Type_get_contents hands out must be freed as well. */
static void nested(void)
{
    MPI_Datatype pair, type, parts[2];
    int lengths[2] = {1, 2}, integers[8], counts[4];
    MPI_Aint places[2] = {0, 16}, addresses[8];
    CALL(MPI_Type_contiguous)(2, MPI_INT, &pair);
    check_made(kind, "MPI_Type_contiguous", 1);
    CALL(MPI_Type_set_name)(pair, "pair");
    MPI_Datatype of[2] = {pair, MPI_DOUBLE};
    CALL(MPI_Type_create_struct)(2, lengths, places, of, &type);
    CALL(MPI_Type_get_envelope)(type, &counts[0], &counts[1], &counts[2], &counts[3]);
    CALL(MPI_Type_get_contents)(type, counts[0], counts[1], counts[2], integers, addresses, parts);
    CHECK(parts[1] == MPI_DOUBLE);
    CALL(MPI_Type_free)(&parts[0]);
    follow(type, "struct", "MPI_Type_create_struct", "pair");
    CALL(MPI_Type_free)(&pair);
    check_sql("SELECT freed_ns IS NOT NULL FROM object WHERE name = 'pair'");
    /* MPIs differ in whether that handle is another one, and so another object. */
    check_sql("SELECT count(*) = 0 FROM leaks WHERE kind = 'datatype'");
}

/* The MPI owns these: handed out many times, never freed, no leak. */
static void shared_types(void)
{
    MPI_Datatype type, again;
    CALL(MPI_Type_match_size)(MPI_TYPECLASS_REAL, 8, &type);
    CALL(MPI_Type_create_f90_integer)(9, &type);
    CALL(MPI_Type_create_f90_integer)(9, &again);
    CHECK(type == again);
    CALL(MPI_Type_create_f90_real)(6, 30, &type);
    check_sql(
        "SELECT name_origin = 'derived' AND predefined AND detail = '{\"p\":6,\"r\":30}' FROM object WHERE name = "
        "'f90_real(6,30)'");
    check_sql("SELECT name_origin = 'derived' AND detail = '{\"r\":9}' FROM object WHERE name = 'f90_integer(9)'");
}

int main(int argc, char **argv)
{
    int rank;
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    simple();
    indexed();
    arrays();
    check_say("rank %d done", rank);
    if (argc > 1) { /* argv[1]: also where the count of objects depends on the MPI */
        check_skip("objects");
        nested();
        shared_types();
    }
    CALL(MPI_Finalize)();
    return check_write();
}
