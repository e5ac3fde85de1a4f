/* The plugin of the translator, linked with the MPI. It knows one communicator. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static MPI_Comm native(uintptr_t comm)
{
    if (comm != 0x101) {
        printf("no communicator of this interface: %#lx\n", (unsigned long)comm);
        exit(1);
    }
    return MPI_COMM_WORLD;
}

static int comm_rank(uintptr_t comm, int *rank)
{
    return MPI_Comm_rank(native(comm), rank);
}

static int comm_size(uintptr_t comm, int *size)
{
    return MPI_Comm_size(native(comm), size);
}

static int barrier(uintptr_t comm)
{
    return MPI_Barrier(native(comm));
}

extern const struct translated {
    int (*init)(int *, char ***);
    int (*comm_rank)(uintptr_t, int *);
    int (*comm_size)(uintptr_t, int *);
    int (*barrier)(uintptr_t);
    int (*finalize)(void);
} translated;

const struct translated translated = {MPI_Init, comm_rank, comm_size, barrier, MPI_Finalize};
