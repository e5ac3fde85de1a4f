/* Typical calls with a small MPI: communicators, datatypes, groups, messages to itself, collectives, errors. */
#include <check.h>

enum { NUMBERS = 6 };

static MPI_Status status;

static void communicators(void)
{
    MPI_Comm twin, part, none, grid, leaked;
    MPI_Group group, everybody;
    int dims[2] = {1, 1}, periods[2] = {0, 1}, zero = 0, size, ndims;

    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &twin);
    MPI_Comm first = twin;
    CALL(MPI_Comm_free)(&twin);
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &twin);
    CHECK(twin == first); /* handles are given out again at once */
    CALL(MPI_Comm_split)(twin, 3, 0, &part);
    CALL(MPI_Comm_split)(twin, MPI_UNDEFINED, 0, &none);
    CHECK(none == MPI_COMM_NULL);
    CALL(MPI_Comm_group)(part, &group);
    CALL(MPI_Group_incl)(group, 1, &zero, &everybody);
    CALL(MPI_Comm_create)(part, everybody, &leaked);
    CALL(MPI_Cart_create)(part, 2, dims, periods, 0, &grid);
    CALL(MPI_Cartdim_get)(grid, &ndims);
    CALL(MPI_Comm_size)(grid, &size);
    CHECK(ndims == 2 && size == 1);
    CALL(MPI_Group_free)(&group);
    CALL(MPI_Group_free)(&everybody);
    CALL(MPI_Comm_free)(&grid);
    CALL(MPI_Comm_free)(&part);
    CALL(MPI_Comm_free)(&twin);
    check_made("communicator", "MPI_Comm_dup", 2);
    check_made("communicator", "MPI_Comm_split", 1);
    check_made("communicator", "MPI_Comm_create", 1);
    check_made("communicator", "MPI_Cart_create", 1);
    check_freed("communicator", "MPI_Comm_free", 4);
    check_sql("SELECT count(*) = 1 FROM leaks WHERE kind = 'communicator' AND name LIKE '%%split%%.create%%'");
}

static void datatypes(void)
{
    MPI_Datatype row, column, pair, old[2] = {MPI_INT, MPI_DOUBLE};
    MPI_Aint at[2] = {0, 8}, extent;
    int lengths[2] = {1, 2}, size;

    CALL(MPI_Type_contiguous)(4, MPI_INT, &row);
    CALL(MPI_Type_vector)(3, 1, 2, MPI_DOUBLE, &column);
    CALL(MPI_Type_struct)(2, lengths, at, old, &pair);
    CALL(MPI_Type_commit)(&row);
    CALL(MPI_Type_size)(column, &size);
    CALL(MPI_Type_extent)(pair, &extent);
    CHECK(size == 24 && extent == 24);
    double from[6] = {1, 2, 3, 4, 5, 6}, to[3] = {0};
    CALL(MPI_Sendrecv)(from, 1, column, 0, 4, to, 3, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD, &status);
    CHECK(to[0] == 1 && to[1] == 3 && to[2] == 5);
    check_message("MPI_COMM_WORLD", "send", 0, 0, 0, 4, 24);
    check_message("MPI_COMM_WORLD", "receive", 0, 0, 0, 4, 24);
    check_bytes("MPI_Sendrecv", "MPI_COMM_WORLD", 24, 24);
    CALL(MPI_Type_free)(&row);
    CALL(MPI_Type_free)(&column);
    check_made("datatype", "MPI_Type_contiguous", 1);
    check_made("datatype", "MPI_Type_vector", 1);
    check_made("datatype", "MPI_Type_struct", 1);
    check_freed("datatype", "MPI_Type_free", 2);
    check_sql("SELECT count(*) = 1 FROM leaks WHERE kind = 'datatype' AND created_by = 'MPI_Type_struct'");
    check_sql("SELECT combiner = 'vector' AND size_bytes = 24 AND extent_bytes = 40 FROM object o JOIN datatype USING "
              "(object) "
              "JOIN function f USING (function) WHERE f.name = 'MPI_Type_vector' AND internal IS NOT 1");
}

static void messages(void)
{
    int numbers[NUMBERS] = {1, 2, 3, 4, 5, 6}, got[NUMBERS] = {0}, count, flag;
    MPI_Request requests[2];
    MPI_Status statuses[2];

    CALL(MPI_Irecv)(got, NUMBERS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
    CALL(MPI_Isend)(numbers, 3, MPI_INT, 0, 7, MPI_COMM_WORLD, &requests[1]);
    CALL(MPI_Waitall)(2, requests, statuses);
    CALL(MPI_Get_count)(&statuses[0], MPI_INT, &count);
    CHECK(count == 3 && got[2] == 3 && statuses[0].MPI_TAG == 7);
    check_message("MPI_COMM_WORLD", "send", 0, 0, 0, 7, 12);
    check_message("MPI_COMM_WORLD", "receive", 0, 0, 0, 7, 12);
    check_bytes("MPI_Isend", "MPI_COMM_WORLD", 12, 0);
    check_bytes("MPI_Irecv", "MPI_COMM_WORLD", 0, 12);

    CALL(MPI_Send)(numbers, NUMBERS, MPI_INT, 0, 8, MPI_COMM_WORLD);
    CALL(MPI_Iprobe)(0, 8, MPI_COMM_WORLD, &flag, &status);
    CHECK(flag);
    CALL(MPI_Recv)(got, NUMBERS, MPI_INT, 0, 8, MPI_COMM_WORLD, &status);
    CHECK(got[5] == 6);
    check_message("MPI_COMM_WORLD", "send", 0, 0, 0, 8, 24);
    check_message("MPI_COMM_WORLD", "receive", 0, 0, 0, 8, 24);
    check_bytes("MPI_Send", "MPI_COMM_WORLD", 24, 0);
    check_bytes("MPI_Recv", "MPI_COMM_WORLD", 0, 24);
    check_sql("SELECT count(*) > 0 AND count(partner) = 0 FROM traffic_pairs");

    CALL(MPI_Recv_init)(got, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &requests[0]);
    CALL(MPI_Send_init)(numbers, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 2; i++) {
        CALL(MPI_Startall)(2, requests);
        CALL(MPI_Waitall)(2, requests, statuses);
        check_message("MPI_COMM_WORLD", "send", 0, 0, 0, 9, 4);
        check_message("MPI_COMM_WORLD", "receive", 0, 0, 0, 9, 4);
    }
    check_bytes("MPI_Startall", "MPI_COMM_WORLD", 8, 8);
    CALL(MPI_Request_free)(&requests[0]);
    CALL(MPI_Request_free)(&requests[1]);
}

static void collectives(void)
{
    double one = 1, all = 0;
    CALL(MPI_Barrier)(MPI_COMM_WORLD);
    CALL(MPI_Allreduce)(&one, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all == 1);
    check_bytes("MPI_Allreduce", "MPI_COMM_WORLD", 8, 8);
}

static void errors(void)
{
    int size, code, of_class, length;
    char text[MPI_MAX_ERROR_STRING];
    CALL(MPI_Errhandler_set)(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    code = CALL(MPI_Comm_size)(4000, &size);
    CALL(MPI_Error_class)(code, &of_class);
    CALL(MPI_Error_string)(code, text, &length);
    CHECK(of_class == MPI_ERR_COMM && strcmp(text, "bad communicator") == 0);
    CHECK(CALL(MPI_Send)(&size, 1, MPI_INT, 5, 0, MPI_COMM_WORLD) == MPI_ERR_RANK);
}

int main(int argc, char **argv)
{
    int rank;
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    communicators();
    datatypes();
    messages();
    collectives();
    errors();
    check_say("rank %d did it", rank);
    check_outcome("finalized");
    CALL(MPI_Finalize)();
    return check_write();
}
