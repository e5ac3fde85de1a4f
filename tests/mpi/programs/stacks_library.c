/* A library that makes objects; compiled twice, with frames of different size. */
#include <mpi.h>
#include <string.h>

#ifndef FRAME_BYTES
#define FRAME_BYTES 32
#endif

void make_and_free(void);

static __attribute__((noinline)) void make(volatile char *room)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_free(&comm);
    room[0]++;
}

void make_and_free(void)
{
    volatile char room[FRAME_BYTES];
    memset((char *)room, 0, sizeof room);
    make(room);
    room[1]++;
}
