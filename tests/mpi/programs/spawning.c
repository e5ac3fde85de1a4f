/* A program that spawns two copies of itself: both worlds are recorded, each as a run of its own. */
#include "check.h"

int main(int argc, char **argv)
{
    int rank, value = 0, sum = 0;
    MPI_Comm parent, children;
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_get_parent)(&parent);
    if (parent == MPI_COMM_NULL) {
        int codes[2];
        CALL(MPI_Comm_spawn)(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, codes);
        check_made("communicator", "MPI_Comm_spawn", 1);
        CALL(MPI_Comm_set_name)(children, "children");
        check_sql("SELECT remote_size = 2 FROM object JOIN communicator USING (object) WHERE name = 'children'");
        check_sql(
            "SELECT json_extract(detail, '$.maxprocs', '$.root') = '[2,0]' AND json_extract(detail, '$.command') = "
            "(SELECT program FROM process) AND json_extract(detail, '$.info') IS NULL FROM object WHERE name = "
            "'children'");
        value = 10 + rank;
        CALL(MPI_Allreduce)(&value, &sum, 1, MPI_INT, MPI_SUM, children);
        check_bytes("MPI_Allreduce", "children", 4, 4);
        CHECK(sum == 201);
        CALL(MPI_Comm_disconnect)(&children);
        check_freed("communicator", "MPI_Comm_disconnect", 1);
        check_say("parent %d got %d", rank, sum);
    } else {
        value = 100 + rank;
        CALL(MPI_Allreduce)(&value, &sum, 1, MPI_INT, MPI_SUM, parent);
        /* Handed to the program, not made by it: no birth is counted. */
        check_skip("objects");
        check_skip("bytes");
        check_sql("SELECT sum(sent_bytes) = 4 FROM calls WHERE function = 'MPI_Allreduce'");
        CALL(MPI_Comm_disconnect)(&parent);
        check_say("child %d got %d", rank, sum);
    }
    CALL(MPI_Finalize)();
    check_outcome("finalized");
    return check_write();
}
