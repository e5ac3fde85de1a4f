/* Rank 2 comes to every barrier after the others, rank 0 to every fence of a window, rank 1 to every collective write.
   Then a call in which nobody waits for anybody. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void come_late(int rank, int late)
{
    if (rank == late)
        usleep(200 * 1000);
}

static void use_window(int rank)
{
    int *memory;
    MPI_Win window;
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_set_name(window, "queue");
    MPI_Win_fence(0, window);
    for (int i = 0; i < 4; i++) {
        MPI_Put(&rank, 1, MPI_INT, (rank + 1) % 3, 0, 1, MPI_INT, window);
        come_late(rank, 0);
        MPI_Win_fence(0, window);
    }
    MPI_Win_free(&window);
}

static void write_file(int rank)
{
    char path[4096];
    MPI_File file;
    snprintf(path, sizeof path, "%s/late.dat", getenv("CHECK_FOLDER"));
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    for (int i = 0; i < 4; i++) {
        come_late(rank, 1);
        MPI_File_write_at_all(file, (MPI_Offset)sizeof rank * (3 * i + rank), &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
}

static void use_communicator(int rank)
{
    MPI_Comm solver;
    MPI_Comm_dup(MPI_COMM_WORLD, &solver);
    MPI_Comm_set_name(solver, "solver");
    for (int i = 0; i < 4; i++) {
        come_late(rank, 2);
        MPI_Barrier(solver);
    }
    int value = rank;
    MPI_Bcast(&value, 1, MPI_INT, 0, solver);
    MPI_Comm_free(&solver);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc == 1) {
        use_communicator(rank);
    } else {
        use_window(rank);
        write_file(rank);
    }
    MPI_Finalize();
    return 0;
}
