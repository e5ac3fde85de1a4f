/* Correct programs whose calls go past callsign: past pmpi calls PMPI_ names on some ranks; past own, in the executable
   past_own, calls MPI_ functions that it defines itself. past looked LIBRARY looks up PMPI_Send by name, and calls
   PMPI_Barrier in a library that it unloads. past none calls none, but could, and looks up a harmless one. The last
   word hangs: rank 0 then waits for a message until the launcher ends it. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef OWN
int MPI_Send(const void *data, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    return PMPI_Send(data, count, type, dest, tag, comm);
}
int MPI_Barrier(MPI_Comm comm)
{
    return PMPI_Barrier(comm);
}
#endif

static int (*send_by_name)(const void *, int, MPI_Datatype, int, int, MPI_Comm);

static void *look_up(void *handle, const char *name)
{
    void *found = dlsym(handle, name);
    if (!found)
        abort();
    return found;
}

static void send(int past, int i)
{
    if (send_by_name)
        send_by_name(&i, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
    else if (past)
        PMPI_Send(&i, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
    else
        MPI_Send(&i, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
}

static void barrier(int past)
{
    if (past)
        PMPI_Barrier(MPI_COMM_WORLD);
    else
        MPI_Barrier(MPI_COMM_WORLD);
}

static void barrier_of_library(const char *path)
{
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL), (*work)(void);
    if (!library)
        abort();
    *(void **)&work = look_up(library, "work");
    MPI_Barrier(MPI_COMM_WORLD);
    usleep(1000);
    MPI_Barrier(MPI_COMM_WORLD);
    work();
    dlclose(library);
}

int main(int argc, char **argv)
{
    int rank, value = 0, past = argc > 1 && strcmp(argv[1], "pmpi") == 0,
              hangs = argc > 1 && strcmp(argv[argc - 1], "hangs") == 0;
    int looks = argc > 2 && strcmp(argv[1], "looked") == 0;
    MPI_Comm split, copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *(void **)&send_by_name = looks ? look_up(RTLD_DEFAULT, "PMPI_Send") : NULL;
    look_up(RTLD_DEFAULT, "PMPI_Comm_rank");
    for (int i = 0; i < 7; i++) {
        if (rank == 0)
            send(past, i);
        if (rank == 1)
            MPI_Recv(&value, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (looks && rank > 0)
        barrier_of_library(argv[2]);
    else if (looks)
        for (int i = 0; i < 3; i++)
            barrier(0);
    barrier(past && rank > 0);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &split);
    MPI_Comm_free(&split);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (past)
        PMPI_Comm_free(&copy);
    else
        MPI_Comm_free(&copy);
    if (rank == 2)
        usleep(100000);
    barrier(past && rank == 1);
    for (int i = 0; i < 3; i++)
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (hangs && rank == 0)
        MPI_Recv(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (hangs)
        barrier(past);
    printf("rank %d is done\n", rank);
    MPI_Finalize();
    return 0;
}
