/* Works until the file argv[1] is there, or for a minute at most. Rank 0 makes argv[1].ready when all have begun. */
#include "check.h"

#include <unistd.h>

enum { ROUNDS_MOST = 6000, PAUSE_US = 10000 };

static void make(const char *name, const char *suffix)
{
    char path[4096];
    snprintf(path, sizeof path, "%s%s", name, suffix);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    if (file)
        fclose(file);
}

int main(int argc, char **argv)
{
    int rank, rounds = 0, end = 0;
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    while (!end) {
        usleep(PAUSE_US);
        end = rank == 0 && (access(argv[1], F_OK) == 0 || rounds == ROUNDS_MOST);
        CALL(MPI_Bcast)(&end, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (rank == 0 && rounds == 1)
            make(argv[1], ".ready");
        rounds++;
    }
    check_bytes("MPI_Bcast", "MPI_COMM_WORLD", rank ? 0 : 4 * rounds, rank ? 4 * rounds : 0);
    check_outcome("finalized");
    CALL(MPI_Finalize)();
    return check_write();
}
