/* An interface that is no MPI's: handles are numbers of its own. What programs are compiled with, as with
 * MPItrampoline's mpi.h. */
#pragma once

#include <stdint.h>

typedef uintptr_t MPI_Comm;
#define MPI_COMM_WORLD ((MPI_Comm)0x101)

/* Functions of the plugin, which is linked with the MPI, on handles of this interface. */
struct translated {
    int (*init)(int *, char ***);
    int (*comm_rank)(MPI_Comm, int *);
    int (*comm_size)(MPI_Comm, int *);
    int (*barrier)(MPI_Comm);
    int (*finalize)(void);
};

int MPI_Init(int *argc, char ***argv);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Barrier(MPI_Comm comm);
int MPI_Finalize(void);
