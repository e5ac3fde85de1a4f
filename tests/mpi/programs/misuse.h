/* Programs of two ranks with wrong calls, which print their kind and line. The MPI returns errors. */
#pragma once

#include "check.h"

#include <stdio.h>

static int rank;
static int data[64], other[64];

#define FAULT(kind, ...)                                                                                               \
    do {                                                                                                               \
        printf("fault %s %d\n", kind, __LINE__);                                                                       \
        fflush(stdout);                                                                                                \
        __VA_ARGS__;                                                                                                   \
    } while (0)

static void begin(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
}
