/* Wrong arguments under MPI_ERRORS_RETURN: the same class and text as without callsign, nothing made, nothing freed. */
#include "check.h"

static int rank;

static void say(const char *what, int result)
{
    char text[MPI_MAX_ERROR_STRING];
    int class, length;
    CALL(MPI_Error_class)(result, &class);
    CALL(MPI_Error_string)(class, text, &length);
    check_say("rank %d: %s: class %d: %s", rank, what, class, text);
}

#define TRY(name, ...) say(#name, CALL(name)(__VA_ARGS__))

static void messages(void)
{
    int value = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    TRY(MPI_Send, &value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    TRY(MPI_Send, &value, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD);
    TRY(MPI_Send, &value, 1, MPI_INT, 4711, 0, MPI_COMM_WORLD);
    TRY(MPI_Send, &value, 1, MPI_INT, 0, -5, MPI_COMM_WORLD);
    TRY(MPI_Send, &value, 1, MPI_INT, 0, 0, MPI_COMM_NULL);
    TRY(MPI_Isend, &value, 1, MPI_INT, 4711, 0, MPI_COMM_WORLD, &request);
    TRY(MPI_Recv, &value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
    TRY(MPI_Irecv, &value, 1, MPI_INT, 4711, 0, MPI_COMM_WORLD, &request);
#ifndef STANDARD_ABI /* MPICH 5 copies so many handles */
    int flag, index;
    TRY(MPI_Waitany, -1, &request, &index, &status);
    TRY(MPI_Testall, -1, &request, &flag, MPI_STATUSES_IGNORE);
#endif
    /* Truncation: an error that comes with the message, to itself. */
    int two[2] = {1, 2};
    CALL(MPI_Irecv)(&value, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &request);
    CALL(MPI_Send)(two, 2, MPI_INT, 0, 9, MPI_COMM_SELF);
    TRY(MPI_Wait, &request, &status);
}

static void collectives(void)
{
    int value = 0, sum;
    TRY(MPI_Bcast, &value, 1, MPI_INT, 4711, MPI_COMM_WORLD);
    TRY(MPI_Bcast, &value, -1, MPI_INT, 0, MPI_COMM_WORLD);
    TRY(MPI_Bcast, &value, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD); /* in reductions MPICH 5 ends the program */
    TRY(MPI_Allreduce, &value, &sum, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD);
    TRY(MPI_Barrier, MPI_COMM_NULL);
}

static void objects(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int dims[1] = {4711}, periods[1] = {0}, flag, key = MPI_KEYVAL_INVALID;
    void *value;
    TRY(MPI_Comm_dup, MPI_COMM_NULL, &comm);
    TRY(MPI_Comm_split, MPI_COMM_NULL, 0, 0, &comm);
    TRY(MPI_Cart_create, MPI_COMM_WORLD, 1, dims, periods, 0, &comm);
    TRY(MPI_Comm_create, MPI_COMM_WORLD, MPI_GROUP_NULL, &comm);
    TRY(MPI_Comm_free, &comm);
    comm = MPI_COMM_WORLD;
    TRY(MPI_Comm_free, &comm);
    TRY(MPI_Type_contiguous, -1, MPI_INT, &type);
    TRY(MPI_Type_vector, 1, 1, 1, MPI_DATATYPE_NULL, &type);
    TRY(MPI_Type_commit, &type);
    type = MPI_INT;
    TRY(MPI_Type_free, &type);
    TRY(MPI_Comm_get_attr, MPI_COMM_WORLD, key, &value, &flag);
    TRY(MPI_Comm_set_attr, MPI_COMM_WORLD, key, NULL);
    TRY(MPI_Comm_free_keyval, &key);
    /* MPI_COMM_WORLD and MPI_INT live on, under their names. */
    check_sql("SELECT count(*) = 1 FROM object WHERE name = 'MPI_COMM_WORLD' AND freed_ns IS NULL");
    check_sql("SELECT count(*) = 0 FROM object WHERE name = 'MPI_INT' AND freed_ns IS NOT NULL");
}

int main(int argc, char **argv)
{
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    messages();
    collectives();
    objects();
    check_bytes("MPI_Send", "MPI_COMM_SELF", 8, 0);
    /* The count of a truncated receive is left open; all others count nothing. */
    check_skip("bytes");
    check_sql(
        "SELECT total(sent_bytes) = 0 AND total(received_bytes) = 0 FROM calls WHERE communicator = 'MPI_COMM_WORLD'");
    CALL(MPI_Finalize)();
    return check_write();
}
