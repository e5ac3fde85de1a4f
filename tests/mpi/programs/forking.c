/* A child that a rank forks neither disturbs the parent's trace nor writes one of its own. argv[1]: exec (the child
   becomes another program) or exit (it leaves through exit and its atexit functions). */
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, status = 0, value = 1, sum;
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Allreduce)(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (argc > 1 && strcmp(argv[1], "exec") == 0)
            execl("/bin/sh", "sh", "-c", "exit 5", (char *)NULL);
        exit(5);
    }
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 5);
    CALL(MPI_Allreduce)(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check_bytes("MPI_Allreduce", "MPI_COMM_WORLD", 8, 8);
    check_say("rank %d: child exited with %d", rank, WEXITSTATUS(status));
    CALL(MPI_Finalize)();
    check_outcome("finalized");
    return check_write();
}
