// An error handler that leaves MPI_Send by an exception. argv[1]: die (it ends outside MPI after that), inside (an exception is caught
// in a callback of MPI, which then does not come back), or nothing.
#include <cstring>
#include <csignal>
#include <mpi.h>
#include <unistd.h>

static void leave(MPI_Comm *, int *code, ...)
{
    throw *code;
}

static int fail(MPI_Comm comm)
{
    int number = 0, caught = 0;
    for (int i = 0; i < 3; i++)
        try {
            MPI_Send(&number, 1, MPI_INT, 9999, 0, comm);
        } catch (int) {
            caught++;
        }
    return caught;
}

static MPI_Comm team;

static int copy(MPI_Comm, int, void *, void *, void *, int *flag)
{
    *flag = 0;
    if (fail(team) == 3)
        kill(getpid(), SIGKILL);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    MPI_Comm twin;
    int key;
    const char *how = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_SELF, &team);
    MPI_Comm_set_name(team, "team");
    MPI_Comm_create_errhandler(leave, &handler);
    MPI_Comm_set_errhandler(team, handler);
    if (std::strcmp(how, "inside") == 0) {
        MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
        MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
        MPI_Comm_dup(MPI_COMM_SELF, &twin);
    }
    if (fail(team) != 3)
        return 1;
    if (std::strcmp(how, "die") == 0)
        kill(getpid(), SIGKILL);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&team);
    MPI_Finalize();
    return 0;
}
