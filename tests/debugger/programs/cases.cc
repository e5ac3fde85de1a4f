// Where C++ loses the names of types: auto, results of functions, vectors; and where it keeps them.
#include <mpi.h>
#include <vector>

struct Grid {
    std::vector<MPI_Comm> list;
    MPI_Comm &first;
};

static void __attribute__((noinline)) stop_here(MPI_Comm &&moved)
{
    (void)moved;
    __asm__ volatile("" ::: "memory");
}

static MPI_Comm __attribute__((noinline)) chosen(const Grid &grid)
{
    return grid.list[0];
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm rows;
    MPI_Comm_dup(MPI_COMM_WORLD, &rows);
    MPI_Comm_set_name(rows, "rows");
    Grid grid{{rows, MPI_COMM_SELF}, rows};
    auto copied = chosen(grid);
    const auto &seen = copied;
    stop_here(MPI_Comm(seen));
    MPI_Comm_free(&rows);
    MPI_Finalize();
}
