/* No MPI anywhere; asks politely, as libraries with optional MPI support do. */
#include <stdio.h>

int MPI_Initialized(int *flag) __attribute__((weak));

int main(void)
{
    int flag = 0;
    if (MPI_Initialized && (MPI_Initialized(&flag) || flag))
        return 1;
    puts("done");
    return 5;
}
