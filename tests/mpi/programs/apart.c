/* Communicators of neighbours ("row 0", "row 1") and of ranks that are half of the world apart ("column 0", ...). */
#include "check.h"

static void use(const char *name, int color, int rank)
{
    MPI_Comm part;
    char text[32];
    int size;
    CALL(MPI_Comm_split)(MPI_COMM_WORLD, color, rank, &part);
    check_made("communicator", "MPI_Comm_split", 1);
    snprintf(text, sizeof text, "%s %d", name, color);
    CALL(MPI_Comm_set_name)(part, text);
    CALL(MPI_Comm_size)(part, &size);
    CALL(MPI_Barrier)(part);
    check_say("rank %d is one of %d in %s", rank, size, text);
    CALL(MPI_Comm_free)(&part);
    check_freed("communicator", "MPI_Comm_free", 1);
}

int main(int argc, char **argv)
{
    int rank, size;
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    int half = (size + 1) / 2;
    use("row", rank / half, rank);
    use("column", rank % half, rank);
    CALL(MPI_Finalize)();
    return check_write();
}
