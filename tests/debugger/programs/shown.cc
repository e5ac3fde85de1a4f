// Handles where C++ keeps them: behind references, in vectors.
#include <mpi.h>
#include <vector>

struct Grid {
    MPI_Comm comm;
    std::vector<MPI_Comm> list;
};

static void __attribute__((noinline)) stop_here(const MPI_Comm &comm, Grid &grid)
{
    auto same = comm;
    (void)same;
    (void)grid;
    __asm__ volatile("" ::: "memory");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm rows;
    MPI_Comm_dup(MPI_COMM_WORLD, &rows);
    MPI_Comm_set_name(rows, "rows");
    Grid grid{rows, {rows, MPI_COMM_SELF}};
    stop_here(rows, grid);
    MPI_Finalize();
}
