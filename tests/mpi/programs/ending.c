/* The ways a program can end. argv[1]: return (without MPI_Finalize, code 7), exit (likewise), abort (code 3, one
   rank), abort-sub (in a communicator of one rank), kill (one rank by SIGKILL, in the middle), crash (by a null
   pointer), truncate (one rank has no room for a message: the MPI ends the job), quit (one rank: _exit(1)), finalize,
   fail (code 7, after MPI_Finalize), late (rank 1 calls MPI in a destructor, all make calls that are right at any
   time). Everything until then is in the trace. */
#include "check.h"

#include <signal.h>
#include <unistd.h>

static int rank, size, numbers[100];

static void work(void)
{
    int value = rank, sum = 0;
    MPI_Comm team;
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &team);
    check_made("communicator", "MPI_Comm_dup", 1);
    CALL(MPI_Comm_set_name)(team, "team");
    for (int i = 0; i < 100; i++)
        CALL(MPI_Allreduce)(&value, &sum, 1, MPI_INT, MPI_SUM, team);
    check_bytes("MPI_Allreduce", "team", 400, 400);
    CHECK(sum == size * (size - 1) / 2);
    check_sql("SELECT freed_ns IS NULL FROM object WHERE name = 'team'");
}

/* Waits long enough that the launcher ends this process; never forever. */
static void linger(void)
{
    for (int i = 0; i < 200; i++)
        usleep(100000);
}

static const char *how;
static MPI_Status status;

__attribute__((destructor)) static void end(void)
{
    int version, subversion, flag, count;
    if (!how || strcmp(how, "late") != 0)
        return;
    MPI_Finalized(&flag);
    MPI_Initialized(&flag);
    MPI_Get_version(&version, &subversion);
    if (rank == 1)
        for (int i = 0; i < 3; i++)
            MPI_Get_count(&status, MPI_INT, &count);
}

int main(int argc, char **argv)
{
    how = argc > 1 ? argv[1] : "finalize";
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    work();
    if (strcmp(how, "finalize") == 0 || strcmp(how, "fail") == 0 || strcmp(how, "late") == 0) {
        check_outcome("finalized");
        CALL(MPI_Finalize)();
        if (check_write() != 0)
            return 1;
        return strcmp(how, "fail") == 0 ? 7 : 0;
    }
    if (strcmp(how, "return") == 0 || strcmp(how, "exit") == 0) {
        check_outcome("exited");
        if (check_write() != 0)
            return 1;
        if (strcmp(how, "exit") == 0)
            exit(7);
        return 7;
    }
    if (rank != size - 1) { /* the launcher kills these, or they are cut off from the last one */
        check_skip("outcome");
        if (strcmp(how, "kill") == 0) /* where it was when the launcher ended it */
            check_sql("SELECT f.name = 'MPI_Barrier' FROM process p JOIN function f ON f.function = p.last_function");
        check_write();
        if (strcmp(how, "truncate") == 0 && rank == 0)
            MPI_Send(numbers, 100, MPI_INT, size - 1, 3, MPI_COMM_WORLD);
        CALL(MPI_Barrier)(MPI_COMM_WORLD);
        linger();
        return 0;
    }
    if (strcmp(how, "abort") == 0 || strcmp(how, "abort-sub") == 0) {
        check_outcome("aborted");
        check_count("MPI_Abort", 1);
        check_skip("calls"); /* whether MPI_Abort itself is counted, as it never returns, is left open */
        check_sql("SELECT sum(calls) = 100 FROM calls WHERE function = 'MPI_Allreduce'");
        check_write();
        usleep(200000); /* the others have written what they know */
        MPI_Abort(strcmp(how, "abort") == 0 ? MPI_COMM_WORLD : MPI_COMM_SELF, 3);
        return 9;
    }
    check_outcome("died");
    check_write();
    usleep(200000);
    if (strcmp(how, "truncate") == 0)
        MPI_Recv(numbers, 2, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(how, "quit") == 0)
        _exit(1);
    if (strcmp(how, "crash") == 0)
        signal(SIGSEGV, SIG_DFL), raise(SIGSEGV);
    kill(getpid(), SIGKILL);
    return 9;
}
