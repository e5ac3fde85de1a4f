/* Uses a function of a newer MPI if it is there, as portable libraries do; says what it found. */
#include <mpi.h>
#include <stdio.h>

int MPI_Abi_get_version(int *major, int *minor) __attribute__((weak));

int main(int argc, char **argv)
{
    int major = 0, minor = 0;
    MPI_Init(&argc, &argv);
    const char *found = "absent";
    if (MPI_Abi_get_version)
        found = MPI_Abi_get_version(&major, &minor) == MPI_ERR_OTHER ? "MPI_ERR_OTHER" : "present";
    printf("%s\n", found); /* in one piece: the launcher mixes the ranks' output */
    MPI_Finalize();
    return 0;
}
