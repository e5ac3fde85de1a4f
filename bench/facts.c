/* Writes the requested number of facts and cells into its journal, for bench/convert.py. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void types(long count)
{
    for (long i = 0; i < count; i++) {
        MPI_Datatype type;
        MPI_Type_contiguous(1 + (int)(i % 1000), MPI_DOUBLE, &type);
        MPI_Type_commit(&type);
        MPI_Type_free(&type);
    }
}

static void duplicates(long count)
{
    for (long i = 0; i < count; i++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_SELF, &comm);
        MPI_Comm_free(&comm);
    }
}

/* One profile cell for each communicator. */
static void calls(long count)
{
    for (long i = 0; i < count; i++) {
        MPI_Comm comm;
        int rank;
        MPI_Comm_dup(MPI_COMM_SELF, &comm);
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_free(&comm);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*make)(long count);
    } kinds[] = {{"types", types}, {"duplicates", duplicates}, {"calls", calls}};
    MPI_Init(&argc, &argv);
    for (size_t i = 0; argc > 2 && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(argv[1], kinds[i].name) == 0)
            kinds[i].make(atol(argv[2]));
    MPI_Finalize();
    return 0;
}
