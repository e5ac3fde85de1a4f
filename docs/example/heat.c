/* A heat equation on a ring of ranks, with three faults: rank 2 has four times the work, each checkpoint leaves a
   communicator behind, and with the argument "hang" it deadlocks after the first step. README.md and docs/tutorial.md
   show what callsign says about each.

       mpicc -g heat.c -o heat && callsign run -- mpirun -n 4 ./heat */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { CELLS = 4000, STEPS = 100, CHECKPOINT_EVERY = 10, TAG_HALO = 7, TAG_LAST = 8 };

static double cell[CELLS + 2], next[CELLS + 2];
static MPI_Comm ring;
static int rank, size;

static int neighbour(int distance)
{
    return (rank + distance + size) % size;
}

static void exchange(void)
{
    MPI_Sendrecv(&cell[CELLS], 1, MPI_DOUBLE, neighbour(1), TAG_HALO, &cell[0], 1, MPI_DOUBLE, neighbour(-1), TAG_HALO,
                 ring, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&cell[1], 1, MPI_DOUBLE, neighbour(-1), TAG_HALO, &cell[CELLS + 1], 1, MPI_DOUBLE, neighbour(1),
                 TAG_HALO, ring, MPI_STATUS_IGNORE);
}

static double compute(void)
{
    double change = 0;
    int rounds = rank == 2 ? 800 : 200; /* the first fault: rank 2 is late */
    for (int round = 0; round < rounds; round++) {
        change = 0;
        for (int i = 1; i <= CELLS; i++) {
            next[i] = cell[i] + 0.25 * (cell[i - 1] - 2 * cell[i] + cell[i + 1]);
            change += (next[i] - cell[i]) * (next[i] - cell[i]);
        }
        memcpy(&cell[1], &next[1], CELLS * sizeof *cell);
    }
    return change;
}

static double norm(double change)
{
    double sum;
    MPI_Allreduce(&change, &sum, 1, MPI_DOUBLE, MPI_SUM, ring);
    return sum;
}

static void checkpoint(void)
{
    MPI_Comm quiet; /* the second fault: nobody frees it */
    MPI_Comm_dup(ring, &quiet);
    MPI_Barrier(quiet);
}

static void finish(void)
{
    double last; /* the third fault: everybody receives first */
    MPI_Recv(&last, 1, MPI_DOUBLE, neighbour(-1), TAG_LAST, ring, MPI_STATUS_IGNORE);
    MPI_Send(&cell[CELLS], 1, MPI_DOUBLE, neighbour(1), TAG_LAST, ring);
}

int main(int argc, char **argv)
{
    double change = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &ring);
    MPI_Comm_set_name(ring, "ring");
    if (rank == 0)
        cell[1] = 1;
    for (int step = 0, steps = argc > 1 ? 1 : STEPS; step < steps; step++) {
        exchange();
        change = norm(compute());
        if (step % CHECKPOINT_EVERY == 0)
            checkpoint();
    }
    if (argc > 1 && strcmp(argv[1], "hang") == 0)
        finish();
    if (rank == 0)
        printf("change %g\n", change);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
