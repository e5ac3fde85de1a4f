/* MPI_Pcontrol(0) pauses the profile and MPI_Pcontrol(1) resumes it; objects and names are followed regardless. */
#include "check.h"

int main(int argc, char **argv)
{
    int rank, value = 1, sum;
    MPI_Comm comm, later;
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Allreduce)(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Pcontrol(0);
    for (int i = 0; i < 10; i++)
        MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_name(comm, "made in the pause");
    MPI_Comm_dup(MPI_COMM_SELF, &later);
    MPI_Comm_set_name(later, "freed later");
    MPI_Comm_free(&comm);
    MPI_Pcontrol(1);
    CALL(MPI_Allreduce)(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CALL(MPI_Comm_free)(&later);
    check_bytes("MPI_Allreduce", "MPI_COMM_WORLD", 8, 8);
    check_made("communicator", "MPI_Comm_dup", 2);
    check_freed("communicator", "MPI_Comm_free", 2);
    check_sql("SELECT freed_ns IS NOT NULL FROM object WHERE name = 'made in the pause'");
    check_sql("SELECT freed_ns IS NOT NULL FROM object WHERE name = 'freed later'");
    /* The two calls of MPI_Pcontrol may be in the profile or not; paused calls must not be. */
    check_skip("calls");
    check_sql("SELECT sum(calls) = 2 FROM calls WHERE function = 'MPI_Allreduce'");
    check_sql("SELECT total(calls) = 0 FROM calls WHERE function IN ('MPI_Comm_dup', 'MPI_Comm_set_name')");
    check_sql("SELECT sum(calls) = 1 FROM calls WHERE function = 'MPI_Comm_free'");
    check_say("rank %d done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
