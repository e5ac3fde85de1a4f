/* Has communicators alive, many of them. argv: then pairs of a word and a number, done in order:
 *   world N   N duplicates of MPI_COMM_WORLD, made in `hoard`
 *   few N     the same, made in `few`
 *   self N    N duplicates of MPI_COMM_SELF, made in `hoard`
 *   last N    the last rank alone makes N duplicates of MPI_COMM_SELF
 *   free N    the last N are freed */
#include "check.h"

enum { ROOM = 4096 };

static MPI_Comm kept[ROOM];
static int count;

int hoard(MPI_Comm comm, int number);
int few(MPI_Comm comm, int number);

__attribute__((noinline, visibility("default"))) int hoard(MPI_Comm comm, int number)
{
    for (int i = 0; i < number; i++)
        MPI_Comm_dup(comm, &kept[count++]);
    return number;
}

__attribute__((noinline, visibility("default"))) int few(MPI_Comm comm, int number)
{
    for (int i = 0; i < number; i++)
        MPI_Comm_dup(comm, &kept[count++]);
    return number;
}

int main(int argc, char **argv)
{
    int rank, size, live;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i + 1 < argc; i += 2) {
        int number = atoi(argv[i + 1]);
        if (strcmp(argv[i], "world") == 0)
            hoard(MPI_COMM_WORLD, number);
        else if (strcmp(argv[i], "few") == 0)
            few(MPI_COMM_WORLD, number);
        else if (strcmp(argv[i], "self") == 0)
            hoard(MPI_COMM_SELF, number);
        else if (strcmp(argv[i], "last") == 0)
            hoard(MPI_COMM_SELF, rank == size - 1 ? number : 0);
        else
            for (int n = 0; n < number; n++)
                MPI_Comm_free(&kept[--count]);
    }
    live = count;
    while (count)
        MPI_Comm_free(&kept[--count]);
    check_say("rank %d: %d at the end", rank, live);
    MPI_Finalize();
    return 0;
}
