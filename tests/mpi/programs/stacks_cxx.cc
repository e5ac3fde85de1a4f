// C++: a template, a member function, an inlined one.
#include <mpi.h>

namespace solver
{
struct Grid {
    template <class T> MPI_Comm split(T color);
    MPI_Comm rows();
};

static inline __attribute__((always_inline)) void duplicate(MPI_Comm *comm)
{
    MPI_Comm_dup(MPI_COMM_SELF, comm);
}

template <class T> __attribute__((noinline)) MPI_Comm Grid::split(T)
{
    MPI_Comm comm;
    duplicate(&comm);
    MPI_Comm_set_name(comm, "made in C++");
    return comm;
}

__attribute__((noinline)) MPI_Comm Grid::rows()
{
    MPI_Comm comm = split(3);
    asm volatile("");
    return comm;
}
} // namespace solver

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm comm = solver::Grid().rows();
    MPI_Comm_free(&comm);
    MPI_Finalize();
}
