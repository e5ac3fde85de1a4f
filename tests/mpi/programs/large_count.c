/* The large-count functions count like the others, also with counts that no int can hold. */
#include "check.h"

static int delete_pair(MPI_Datatype type, int keyval, void *value, void *extra_state)
{
    (void)type, (void)keyval, (void)extra_state;
    ++*(int *)value;
    return MPI_SUCCESS;
}

/* A returned handle is one more reference: its attributes are deleted when the program frees its own. */
static void handed_out(void)
{
    MPI_Datatype pair, outer, inside;
    MPI_Count integers, addresses, counts, types, count[2];
    MPI_Aint places[2];
    int combiner, keyval, number[2], deleted = 0;
    CALL(MPI_Type_create_keyval)(MPI_TYPE_NULL_COPY_FN, delete_pair, &keyval, NULL);
    CALL(MPI_Type_contiguous)(2, MPI_INT, &pair);
    CALL(MPI_Type_set_attr)(pair, keyval, &deleted);
    CALL(MPI_Type_contiguous_c)(2, pair, &outer);
    CALL(MPI_Type_get_envelope_c)(outer, &integers, &addresses, &counts, &types, &combiner);
    CHECK(integers <= 2 && addresses <= 2 && counts <= 2 && types == 1);
    CALL(MPI_Type_get_contents_c)(outer, integers, addresses, counts, types, number, places, count, &inside);
    /* MPICH hands out the same handle once more, Open MPI another one. */
    bool another = inside != pair;
    CALL(MPI_Type_free)(&inside);
    CHECK(deleted == 0);
    CALL(MPI_Type_free)(&outer);
    CALL(MPI_Type_free)(&pair);
    CHECK(deleted == 1);
    CALL(MPI_Type_free_keyval)(&keyval);
    check_made("datatype", "MPI_Type_contiguous", 1);
    check_made("datatype", "MPI_Type_contiguous_c", 1);
    if (another)
        check_made("datatype", "MPI_Type_get_contents_c", 1);
    check_freed("datatype", "MPI_Type_free", 2 + another);
}

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
    handed_out();
    check_say("rank %d done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
