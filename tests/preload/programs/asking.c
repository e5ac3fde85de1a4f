/* Uses a function of a newer MPI if it is there, as portable libraries do; says what it found. */
#include <mpi.h>
#include <stdio.h>

int MPI_Abi_get_version(int *major, int *minor) __attribute__((weak));

int main(int argc, char **argv)
{
    int major = 0, minor = 0;
    MPI_Init(&argc, &argv);
    if (!MPI_Abi_get_version)
        puts("absent");
    else
        puts(MPI_Abi_get_version(&major, &minor) == MPI_ERR_OTHER ? "MPI_ERR_OTHER" : "present");
    MPI_Finalize();
    return 0;
}
