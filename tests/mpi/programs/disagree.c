/* Communicators whose members differ: another name on the last rank, an attribute that only rank 0 stores, two
   duplicates that the last rank makes in the other order, one that the last rank never frees. Also three duplicates
   of the world, and the world reversed. Three ranks or more. */
#include "check.h"

static void names(MPI_Comm world, int last)
{
    MPI_Comm rows;
    MPI_Comm_split(world, 0, 0, &rows);
    MPI_Comm_set_name(rows, last ? "lines" : "rows");
    MPI_Comm_free(&rows);
}

static void attributes(MPI_Comm comm, int rank)
{
    static int value;
    int key, found;
    void *answer;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    if (rank == 0)
        MPI_Comm_set_attr(comm, key, &value);
    MPI_Comm_get_attr(comm, key, &answer, &found);
    MPI_Comm_free_keyval(&key);
}

/* Nonblocking collectives on different communicators may be begun in any order. */
static void orders(MPI_Comm a, MPI_Comm b, int last)
{
    MPI_Comm made[2];
    MPI_Request request[2];
    MPI_Comm_idup(last ? b : a, &made[last], &request[0]);
    MPI_Comm_idup(last ? a : b, &made[1 - last], &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Comm_set_name(made[0], "first");
    MPI_Comm_set_name(made[1], "second");
    MPI_Comm_free(&made[0]);
    MPI_Comm_free(&made[1]);
}

static void ends(MPI_Comm world, int last)
{
    MPI_Comm kept;
    MPI_Comm_dup(world, &kept);
    MPI_Comm_set_name(kept, "kept");
    if (!last)
        MPI_Comm_free(&kept);
}

/* The same group, but not in the same order. */
static void turned(MPI_Comm world, int rank)
{
    MPI_Comm back;
    MPI_Comm_split(world, 0, -rank, &back);
    MPI_Comm_set_name(back, "back");
    MPI_Comm_free(&back);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm dup[3];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 3; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &dup[i]);
    names(MPI_COMM_WORLD, rank == size - 1);
    attributes(dup[2], rank);
    orders(dup[0], dup[1], rank == size - 1);
    turned(MPI_COMM_WORLD, rank);
    ends(MPI_COMM_WORLD, rank == size - 1);
    for (int i = 0; i < 3; i++)
        MPI_Comm_free(&dup[i]);
    check_say("rank %d is done", rank);
    MPI_Finalize();
    return 0;
}
