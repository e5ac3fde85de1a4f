/* Communicators and datatypes that are freed while transfers are under way: the transfers go on, and their bytes and
   the time that they are waited for belong to what was freed. */
#include "check.h"

static int rank, size, in, out;

/* A communicator of that name, with a receive and a send under way on it. */
static MPI_Comm begin(const char *name, MPI_Request pair[2])
{
    MPI_Comm comm;
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &comm);
    check_made("communicator", "MPI_Comm_dup", 1);
    CALL(MPI_Comm_set_name)(comm, name);
    out = 10 + rank;
    in = -1;
    CALL(MPI_Irecv)(&in, 1, MPI_INT, from, 0, comm, &pair[0]);
    CALL(MPI_Isend)(&out, 1, MPI_INT, to, 0, comm, &pair[1]);
    check_bytes("MPI_Irecv", name, 0, 4);
    check_bytes("MPI_Isend", name, 4, 0);
    return comm;
}

static void finish(const char *name, const char *function)
{
    CHECK(in == 10 + (rank + size - 1) % size);
    check_sql("SELECT count(*) = 1 AND total(calls) = 1 FROM calls WHERE communicator = '%s' AND function = '%s'", name,
              function);
    check_sql("SELECT freed_ns IS NOT NULL FROM object WHERE name = '%s'", name);
}

static void communicator_freed(void)
{
    MPI_Request pair[2];
    MPI_Comm comm = begin("freed early", pair);
    CALL(MPI_Comm_free)(&comm);
    check_freed("communicator", "MPI_Comm_free", 1);
    /* Its handle may be another communicator's by now. */
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &comm);
    CALL(MPI_Comm_set_name)(comm, "in its place");
    check_made("communicator", "MPI_Comm_dup", 1);
    CALL(MPI_Waitall)(2, pair, MPI_STATUSES_IGNORE);
    finish("freed early", "MPI_Waitall");
    check_sql("SELECT a.freed_ns < b.created_ns FROM object a JOIN object b WHERE a.name = 'freed early' AND "
              "b.name = 'in its place'");
    check_sql("SELECT count(*) = 0 FROM calls WHERE communicator = 'in its place' AND function = 'MPI_Waitall'");
    CALL(MPI_Comm_free)(&comm);
    check_freed("communicator", "MPI_Comm_free", 1);
}

static void communicator_disconnected(void)
{
    MPI_Request pair[2];
    MPI_Comm comm = begin("disconnected", pair);
    CALL(MPI_Waitall)(2, pair, MPI_STATUSES_IGNORE);
    CALL(MPI_Comm_disconnect)(&comm);
    check_freed("communicator", "MPI_Comm_disconnect", 1);
    CHECK(comm == MPI_COMM_NULL);
    finish("disconnected", "MPI_Waitall");
}

static void datatype_freed(void)
{
    static int many[20], more[20];
    MPI_Request pair[2];
    MPI_Datatype type;
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    CALL(MPI_Type_contiguous)(20, MPI_INT, &type);
    check_made("datatype", "MPI_Type_contiguous", 1);
    CALL(MPI_Type_set_name)(type, "freed in use");
    CALL(MPI_Type_commit)(&type);
    many[19] = rank;
    CALL(MPI_Irecv)(more, 1, type, from, 1, MPI_COMM_WORLD, &pair[0]);
    CALL(MPI_Isend)(many, 1, type, to, 1, MPI_COMM_WORLD, &pair[1]);
    CALL(MPI_Type_free)(&type);
    check_freed("datatype", "MPI_Type_free", 1);
    CALL(MPI_Waitall)(2, pair, MPI_STATUSES_IGNORE);
    CHECK(more[19] == from);
    check_bytes("MPI_Irecv", "MPI_COMM_WORLD", 0, 80);
    check_bytes("MPI_Isend", "MPI_COMM_WORLD", 80, 0);
    check_sql("SELECT freed_ns IS NOT NULL FROM object WHERE name = 'freed in use'");
}

/* A request may be freed before it has completed; a persistent one dies then, and only then. */
static void request_freed(void)
{
    static int word = 3, back;
    MPI_Request request, receive;
    MPI_Comm comm;
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &comm);
    check_made("communicator", "MPI_Comm_dup", 1);
    CALL(MPI_Comm_set_name)(comm, "alone");
    CALL(MPI_Send_init)(&word, 1, MPI_INT, 0, 0, comm, &request);
    for (int i = 0; i < 3; i++) {
        CALL(MPI_Irecv)(&back, 1, MPI_INT, 0, 0, comm, &receive);
        CALL(MPI_Start)(&request);
        if (i == 2)
            CALL(MPI_Request_free)(&request);
        else
            CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
        CALL(MPI_Wait)(&receive, MPI_STATUS_IGNORE);
    }
    check_bytes("MPI_Irecv", "alone", 0, 12);
    check_bytes("MPI_Start", "alone", 12, 0);
    check_sql("SELECT count(*) = 1 FROM object o JOIN function f ON f.function = o.freed_function "
              "JOIN object p ON p.object = o.parent WHERE o.kind = 'request' AND f.name = 'MPI_Request_free' AND "
              "p.name = 'alone'");
    CALL(MPI_Comm_free)(&comm);
    check_freed("communicator", "MPI_Comm_free", 1);
}

int main(int argc, char **argv)
{
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    communicator_freed();
    communicator_disconnected();
    datatype_freed();
    request_freed();
    check_sql("SELECT count(*) = 0 FROM leaks");
    check_say("rank %d done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
