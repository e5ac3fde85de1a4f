/* Declares for itself what the mpi.h at hand may lack, and uses it: no library that lacks it makes this a program. */
#include <mpi.h>

#if defined(OF_COMMUNICATORS)
int MPI_Comm_set_attr(MPI_Comm comm, int comm_keyval, void *attribute_val);
#define USE MPI_Comm_set_attr(MPI_COMM_WORLD, 0, argv)
#elif defined(OF_DATATYPES)
int MPI_Type_set_name(MPI_Datatype datatype, const char *type_name);
#define USE MPI_Type_set_name(MPI_INT, "")
#elif defined(OF_WINDOWS)
int MPI_Win_free_keyval(int *win_keyval);
#define USE MPI_Win_free_keyval(&argc)
#elif defined(TWIN)
int PMPI_Barrier(MPI_Comm comm);
#define USE PMPI_Barrier(MPI_COMM_WORLD)
#else
#define USE MPI_Barrier(MPI_COMM_WORLD)
#endif

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    USE;
    return MPI_Finalize();
}
