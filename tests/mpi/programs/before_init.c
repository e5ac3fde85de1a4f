/* Ranks that die before MPI_Init has returned. argv[1]: asked (the last rank has called MPI_Initialized and nothing
   else) or waiting (it is in MPI_Init, for a rank that does not come). The other ranks make no call at all. */
#include <mpi.h>
#include <signal.h>
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
    if (argc > 1 && is_last()) {
        if (strcmp(argv[1], "waiting") == 0) {
            alarm(1);
            MPI_Init(&argc, &argv);
        }
        MPI_Initialized(&initialized);
        raise(SIGKILL);
    }
    for (int i = 0; i < 200; i++) /* until the launcher ends this process; never forever */
        usleep(100000);
    return 0;
}
