/* The large-count functions count like the others, also with counts that no int can hold. */
#include "check.h"

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Datatype huge;
    MPI_Count bytes, count = (MPI_Count)3 << 30, counts[8];
    MPI_Aint places[8];
    int out[64] = {0}, in[64];
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    int other = (rank + 1) % size, before = (rank + size - 1) % size;
    CALL(MPI_Sendrecv_c)(out, 5, MPI_INT, other, 1, in, 5, MPI_INT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check_bytes("MPI_Sendrecv_c", "MPI_COMM_WORLD", 20, 20);
    CALL(MPI_Allreduce_c)(out, in, 5, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check_bytes("MPI_Allreduce_c", "MPI_COMM_WORLD", 20, 20);
    for (int i = 0; i < size; i++) {
        counts[i] = 2;
        places[i] = 2 * i;
    }
    CALL(MPI_Allgatherv_c)(out, 2, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
    check_bytes("MPI_Allgatherv_c", "MPI_COMM_WORLD", 8, 8 * size);
    CALL(MPI_Alltoallv_c)(out, counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
    check_bytes("MPI_Alltoallv_c", "MPI_COMM_WORLD", 8 * size, 8 * size);
    CALL(MPI_Type_contiguous_c)(count, MPI_DOUBLE, &huge);
    check_made("datatype", "MPI_Type_contiguous_c", 1);
    CALL(MPI_Type_set_name)(huge, "huge");
    check_sql("SELECT json_extract(detail, '$.count') = %lld FROM object WHERE name = 'huge'", (long long)count);
    CALL(MPI_Type_commit)(&huge);
    CALL(MPI_Type_size_c)(huge, &bytes);
    CHECK(bytes == count * 8);
    check_sql("SELECT size_bytes = %lld FROM object JOIN datatype USING (object) WHERE name = 'huge'",
              (long long)bytes);
    CALL(MPI_Send_c)(NULL, 0, huge, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    CALL(MPI_Type_free)(&huge);
    check_freed("datatype", "MPI_Type_free", 1);
    check_say("rank %d done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
