/* Uses a function of a newer MPI if it is there, as portable libraries do; says what it found. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int MPI_Abi_get_version(int *major, int *minor) __attribute__((weak));

int main(int argc, char **argv)
{
    int major = 0, minor = 0;
    MPI_Init(&argc, &argv);
    const char *found = "absent";
    if (MPI_Abi_get_version)
        found = MPI_Abi_get_version(&major, &minor) == MPI_ERR_OTHER ? "MPI_ERR_OTHER" : "present";
    /* In one write: the launcher mixes what the ranks write, and their stdout may have no buffer. */
    char line[32];
    int length = snprintf(line, sizeof line, "%s\n", found);
    if (write(STDOUT_FILENO, line, (size_t)length) != length)
        return 1;
    MPI_Finalize();
    return 0;
}
