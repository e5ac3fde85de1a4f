#include "roles.h"

void groups(void)
{
    MPI_Group whole, again, one, made, nobody;
    int range[1][3] = {{0, 0, 1}};
    CALL(MPI_Comm_group)(comm, &whole);
    CALL(MPI_Comm_group)(comm, &again);
    CALL(MPI_Group_incl)(whole, 1, &rank, &one);
    CALL(MPI_Group_excl)(whole, 1, &rank, &made);
    free_group(made);
    CALL(MPI_Group_union)(one, whole, &made);
    free_group(made);
    CALL(MPI_Group_intersection)(whole, one, &made);
    free_group(made);
    CALL(MPI_Group_difference)(whole, one, &made);
    free_group(made);
    CALL(MPI_Group_range_incl)(whole, 1, range, &made);
    free_group(made);
    CALL(MPI_Group_range_excl)(whole, 1, range, &made);
    free_group(made);
    CALL(MPI_Group_difference)(whole, whole, &nobody);
    CHECK(nobody == MPI_GROUP_EMPTY);
    free_group(one);
    free_group(again);
    free_group(whole);
}
