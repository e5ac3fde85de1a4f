/* Programs with one thing to change, whose gain callsign whatif forecasts. Arguments: the case; "changed": with the
   change; ranks sleep instead of computing, so that they need no cores. Rank 0 prints the time from the first barrier
   to the last. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 6, LARGE = 1 << 19 };

static int rank, size;
static char out[LARGE], in[LARGE];

static void work(int ms)
{
    const struct timespec time = {0, (long)ms * 1000000};
    nanosleep(&time, NULL);
}

/* Rank 1 takes 120 ms instead of 60 between collective calls. */
static void late_rank(int changed)
{
    double sum, mine = rank;
    for (int i = 0; i < ROUNDS; i++) {
        work(rank == 1 && !changed ? 120 : 60);
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

/* The same with messages of 4 bytes, or of half a mebibyte, around a ring. */
static void ring(int changed, int bytes)
{
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Request request[2];
        MPI_Status status[2];
        work(rank == 1 && !changed ? 120 : 60);
        MPI_Irecv(in, bytes, MPI_CHAR, (rank + size - 1) % size, 3, MPI_COMM_WORLD, &request[0]);
        MPI_Isend(out, bytes, MPI_CHAR, (rank + 1) % size, 3, MPI_COMM_WORLD, &request[1]);
        MPI_Waitall(2, request, status);
    }
}

static void small_messages(int changed)
{
    ring(changed, 4);
}

static void large_messages(int changed)
{
    ring(changed, LARGE);
}

/* Each round another rank is late. Without the barrier that is balanced over the rounds. */
static void extra_barrier(int changed)
{
    for (int i = 0; i < ROUNDS; i++) {
        work(i % size == rank ? 120 : 30);
        if (!changed)
            MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* Each rank works when it has the message of the one before. Rank 1 takes 100 ms instead of 50. */
static void chain(int changed)
{
    for (int i = 0; i < ROUNDS; i++) {
        if (rank > 0)
            MPI_Recv(in, 8, MPI_CHAR, rank - 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        work(rank == 1 && !changed ? 100 : 50);
        if (rank + 1 < size)
            MPI_Ssend(out, 8, MPI_CHAR, rank + 1, 4, MPI_COMM_WORLD);
    }
}

/* A blocking send of half a mebibyte waits for its receive, which comes late. */
static void late_receiver(int changed)
{
    for (int i = 0; i < ROUNDS; i++)
        if (rank == 0) {
            work(30);
            MPI_Send(out, LARGE, MPI_CHAR, 1, 5, MPI_COMM_WORLD);
        } else if (rank == 1) {
            work(changed ? 60 : 120);
            MPI_Recv(in, LARGE, MPI_CHAR, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
}

static const struct {
    const char *name;
    void (*run)(int changed);
} cases[] = {
    {"late_rank", late_rank},
    {"small_messages", small_messages},
    {"large_messages", large_messages},
    {"extra_barrier", extra_barrier},
    {"chain", chain},
    {"late_receiver", late_receiver},
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int changed = argc > 2 && strcmp(argv[2], "changed") == 0;
    MPI_Barrier(MPI_COMM_WORLD);
    double begun = MPI_Wtime();
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
        if (strcmp(argv[1], cases[i].name) == 0)
            cases[i].run(changed);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.6f\n", MPI_Wtime() - begun);
    MPI_Finalize();
    return 0;
}
