/* asking FUNCTION: uses a function of newer or of older MPIs if it is there, as portable libraries do; says what it
 * found. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int MPI_Abi_get_version(int *major, int *minor) __attribute__((weak));
int MPIX_Delete_error_code(int code) __attribute__((weak));

int main(int argc, char **argv)
{
    int major = 0, minor = 0;
    const char *wanted = argc > 1 ? argv[1] : "", *found = "absent";
    MPI_Init(&argc, &argv);
    if (strcmp(wanted, "MPI_Abi_get_version") == 0 && MPI_Abi_get_version)
        found = MPI_Abi_get_version(&major, &minor) == MPI_ERR_OTHER ? "MPI_ERR_OTHER" : "present";
    if (strcmp(wanted, "MPIX_Delete_error_code") == 0 && MPIX_Delete_error_code)
        found = MPIX_Delete_error_code(0) == MPI_ERR_OTHER ? "MPI_ERR_OTHER" : "present";
    /* In one write: the launcher mixes what the ranks write, and their stdout may have no buffer. */
    char line[32];
    int length = snprintf(line, sizeof line, "%s\n", found);
    if (write(STDOUT_FILENO, line, (size_t)length) != length)
        return 1;
    MPI_Finalize();
    return 0;
}
