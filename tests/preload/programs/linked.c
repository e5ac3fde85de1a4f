/* linked NAME...: calls the functions in this order and checks what they return; exit code 5 when all is well. */
#include "fake_mpi.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int call(const char *name)
{
    if (strcmp(name, "init") == 0)
        return MPI_Init(NULL, NULL) == 0 && USE_MPI_DATA();
    if (strcmp(name, "finalize") == 0)
        return MPI_Finalize() == 0;
    if (strcmp(name, "integers") == 0)
        return MPI_Alltoallw(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) == 650;
    if (strcmp(name, "doubles") == 0)
        return MPI_Wtime(1, 2, 3, 4, 5, 6, 7, 8, 9) == 285;
    if (strcmp(name, "variadic") == 0)
        return MPI_Pcontrol(9, 1., 2., 3., 4., 5., 6., 7., 8., 9.) == 285;
    if (strcmp(name, "structure") == 0) {
        struct big big = MPI_Get_count(7, 8.0, 9, 10.0);
        return big.words[0] == 7 && big.words[1] == 8 && big.words[2] == 9 && big.words[3] == 10 && big.words[4] == 16;
    }
    if (strcmp(name, "missing") == 0)
        return MPI_Session_init(0, 0, NULL) == 0;
    return 0;
}

int main(int argc, char **argv)
{
    errno = 77;
    for (int i = 1; i < argc; i++) {
        if (!call(argv[i])) {
            printf("wrong result: %s\n", argv[i]);
            return 1;
        }
        if (errno != 77) {
            printf("errno changed: %s\n", argv[i]);
            return 1;
        }
    }
    puts("done");
    return 5;
}
