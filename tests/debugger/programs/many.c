/* A hundred thousand datatypes that live, and one that was freed. */
#include <mpi.h>

enum { MANY = 100000 };

static MPI_Datatype types[MANY];

void __attribute__((noinline)) stop_here(MPI_Datatype living, MPI_Datatype freed);
void stop_here(MPI_Datatype living, MPI_Datatype freed)
{
    (void)living;
    (void)freed;
    __asm__ volatile("" ::: "memory");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < MANY; i++)
        MPI_Type_vector(4, 2, 8 + i, MPI_DOUBLE, &types[i]);
    MPI_Datatype freed = types[77];
    MPI_Type_free(&types[77]);
    stop_here(types[MANY - 1], freed);
    MPI_Finalize();
}
