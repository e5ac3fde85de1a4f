/* Four ranks on a grid that hang in the way argv[1] says: deadlock (each waits for the next, over two communicators),
   barrier (rank 2 sleeps and never comes), finalize (rank 1 computes and never comes to that). Or rank 1 is
   killed while the others wait for it: killed. Or all go on, a step in a fraction of a
   millisecond: steps. Or they end after a call between rows in which MPI_ROOT is on the wrong rank: roots. An alarm
   ends who is left after argv[2] seconds. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static MPI_Comm rows, cols;

static void sleep_for_ever(void)
{
    for (;;)
        pause();
}

static void compute(void)
{
    for (;;)
        ;
}

/* 0 waits for 1, that for 3, that for 2, and that in a barrier for 0. */
static void deadlock(int rank)
{
    int value;
    if (rank == 0)
        MPI_Recv(&value, 1, MPI_INT, 1, 7, rows, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Recv(&value, 1, MPI_INT, 1, 8, cols, MPI_STATUS_IGNORE);
    if (rank == 3) {
        MPI_Request request;
        MPI_Irecv(&value, 1, MPI_INT, 0, 9, rows, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank == 2)
        MPI_Barrier(cols);
}

/* From rank 0 to the other row; then rank 1 passes MPI_ROOT, but the others name rank 0. */
static void cross(int rank)
{
    MPI_Comm bridge;
    MPI_Request request;
    int value = 0, root = rank < 2 ? MPI_PROC_NULL : 0;
    MPI_Intercomm_create(rows, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 5, &bridge);
    MPI_Comm_set_name(bridge, "bridge");
    MPI_Bcast(&value, 1, MPI_INT, rank == 0 ? MPI_ROOT : root, bridge);
    MPI_Ibcast(&value, 1, MPI_INT, rank == 1 ? MPI_ROOT : root, bridge, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    _exit(0);
}

static void step(void)
{
    for (;;) {
        MPI_Barrier(MPI_COMM_SELF);
        usleep(300);
    }
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int rank;
    MPI_Init(&argc, &argv);
    alarm(argc > 2 ? (unsigned)atoi(argv[2]) : 10);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &rows);
    MPI_Comm_set_name(rows, "rows");
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &cols);
    MPI_Comm_set_name(cols, "cols");
    MPI_Barrier(cols);
    if (strcmp(how, "deadlock") == 0)
        deadlock(rank);
    if (strcmp(how, "barrier") == 0) {
        if (rank == 2)
            sleep_for_ever();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (strcmp(how, "roots") == 0)
        cross(rank);
    if (strcmp(how, "steps") == 0)
        step();
    if (strcmp(how, "finalize") == 0 && rank == 1)
        compute();
    if (strcmp(how, "killed") == 0) {
        if (rank == 1) {
            sleep(1);
            raise(SIGKILL);
        }
        MPI_Barrier(rows);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Comm_free(&rows);
    MPI_Comm_free(&cols);
    MPI_Finalize();
    return 0;
}
