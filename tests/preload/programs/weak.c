/* weak [NAME]: asks politely for functions that may not be there, as libraries with optional MPI support do. NAME:
   calls that one if it is there, and prints what it returns. */
#include <stdio.h>
#include <string.h>

int MPI_Initialized(int *flag) __attribute__((weak));
int MPI_Abi_get_version(int *major, int *minor) __attribute__((weak));
int MPIX_Query_hip_support(void) __attribute__((weak));
long MPI_Aint_add(long base, long displacement) __attribute__((weak));
long MPI_Aint_diff(long address, long base) __attribute__((weak));

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int flag = 0, minor = 0;
    if (MPI_Initialized && (MPI_Initialized(&flag) || flag))
        return 1;
    if (strcmp(name, "MPI_Abi_get_version") == 0 && MPI_Abi_get_version) {
        printf("%d", MPI_Abi_get_version(&flag, &minor));
        printf(" %d\n", MPI_Abi_get_version(&flag, &minor));
    }
    if (strcmp(name, "MPIX_Query_hip_support") == 0 && MPIX_Query_hip_support)
        printf("%d\n", MPIX_Query_hip_support());
    if (strcmp(name, "MPI_Aint_add") == 0 && MPI_Aint_add && MPI_Aint_diff)
        printf("%ld %ld\n", MPI_Aint_add(100, 4), MPI_Aint_diff(100, 4));
    puts("done");
    return 5;
}
