/* The MPI hands out a freed handle again at once: each birth is another object, with its own name and time. */
#include "check.h"

enum { ROUNDS = 100 };

static MPI_Comm seen[ROUNDS];
static int distinct;

static void note(MPI_Comm comm)
{
    int i = 0;
    while (i < distinct && seen[i] != comm)
        i++;
    if (i == distinct)
        seen[distinct++] = comm;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm comm;
    MPI_Datatype type;
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < ROUNDS; i++) {
        char name[MPI_MAX_OBJECT_NAME];
        int value = i, sum;
        CALL(MPI_Comm_dup)(MPI_COMM_SELF, &comm);
        note(comm);
        snprintf(name, sizeof name, "round %d", i);
        if (i % 2 == 0)
            CALL(MPI_Comm_set_name)(comm, name);
        CALL(MPI_Allreduce)(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
        check_bytes("MPI_Allreduce", i % 2 == 0 ? name : NULL, 4, 4);
        CALL(MPI_Comm_free)(&comm);
        CALL(MPI_Type_contiguous)(i + 1, MPI_INT, &type);
        CALL(MPI_Type_free)(&type);
    }
    check_made("communicator", "MPI_Comm_dup", ROUNDS);
    check_freed("communicator", "MPI_Comm_free", ROUNDS);
    check_made("datatype", "MPI_Type_contiguous", ROUNDS);
    check_freed("datatype", "MPI_Type_free", ROUNDS);
#ifndef BESIDE_ADDRESS_SANITIZER /* which sees to it that no memory is reused soon */
    CHECK(distinct < ROUNDS);
#endif
    check_sql(
        "SELECT count(DISTINCT handle) = %d AND count(DISTINCT object) = %d FROM object JOIN function USING (function) "
        "WHERE function.name = 'MPI_Comm_dup'",
        distinct, ROUNDS);
    check_sql("SELECT count(DISTINCT communicator) = %d FROM profile JOIN function USING (function) WHERE name = "
              "'MPI_Allreduce'",
              ROUNDS);
    check_sql("SELECT count(DISTINCT size_bytes) = %d FROM object JOIN datatype USING (object) JOIN function USING "
              "(function) "
              "WHERE function.name = 'MPI_Type_contiguous'",
              ROUNDS);
    check_say("rank %d done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
