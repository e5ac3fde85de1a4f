/* Ranks that die before MPI_Init has returned. argv[1]: asked (the last rank has called MPI_Initialized and nothing
   else), waiting (it is in MPI_Init, for a rank that does not come), sending or reducing (all ranks: they must have
   called MPI_Init before, and the MPI ends them). Else the other ranks make no call at all. */
#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_last(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]))
            return atoi(getenv(names[i])) == 1;
    return 0;
}

int main(int argc, char **argv)
{
    int initialized;
    double value = 0, sum;
    bool too_early = argc > 1 && (strcmp(argv[1], "sending") == 0 || strcmp(argv[1], "reducing") == 0);
    if (argc > 1 && (is_last() || too_early)) {
        if (strcmp(argv[1], "waiting") == 0) {
            alarm(1);
            MPI_Init(&argc, &argv);
        }
        if (strcmp(argv[1], "sending") == 0)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (too_early)
            MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Initialized(&initialized);
        raise(SIGKILL);
    }
    for (int i = 0; i < 200; i++) /* until the launcher ends this process; never forever */
        usleep(100000);
    return 0;
}
