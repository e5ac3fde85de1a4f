/* Calls whose place and peer readers must show: `placed receive` and `placed send` wait for ever, `placed sent` is
   ended by a signal after a completed wait, `placed fault` in a function of its own, `placed astray` outside any
   function. A part of the program's file is mapped a second time, below everything else. */
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BELOW = 0x20000000, PART = 0x1000 };

static int map_again(void)
{
    int file = open("/proc/self/exe", O_RDONLY);
    void *found = mmap((void *)BELOW, PART, PROT_READ, MAP_PRIVATE | MAP_FIXED_NOREPLACE, file, PART);
    close(file);
    return found == (void *)BELOW;
}

static void __attribute__((noinline)) fault_here(volatile int *nowhere)
{
    *nowhere = 1; /* the fault */
}

int main(int argc, char **argv)
{
    int number = 0, more = 0;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    const char *mode = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    signal(SIGSEGV, SIG_DFL); /* both MPIs catch it */
    if (!map_again()) {
        perror("mmap");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (strcmp(mode, "receive") == 0) {
        MPI_Irecv(&number, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&more, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, statuses);
    } else if (strcmp(mode, "send") == 0) {
        MPI_Issend(&number, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    } else if (strcmp(mode, "sent") == 0) {
        MPI_Irecv(&number, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &requests[0]);
        MPI_Send(&more, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        abort();
    } else if (strcmp(mode, "fault") == 0) {
        MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
        fault_here((volatile int *)0x18);
    } else {
        void (*volatile astray)(void) = (void (*)(void))0x10;
        astray();
    }
    MPI_Finalize();
    return 0;
}
