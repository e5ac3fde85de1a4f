/* Meets in a hundred barriers and sends a message around in between. The ranks come to a barrier one after the other,
   each of them last in turn: who comes last binds the others, when they wait on processors of their own. Instants that
   the trace has, too (calls of MPI_Pcontrol), go with what the kernel's clock said before and after into the file
   true.RANK of CHECK_FOLDER: asked by a system call, which the wrong clocks of simulated hosts leave alone. */
#include "check.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 100, PAUSE_US = 1000 };

static FILE *books;

static long long true_ns(void)
{
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void mark(void)
{
    long long before = true_ns();
    CALL(MPI_Pcontrol)(1);
    if (books)
        fprintf(books, "%lld\t%lld\n", before, true_ns());
}

static void open_books(int rank)
{
    char path[4096];
    const char *folder = getenv("CHECK_FOLDER");
    if (!folder)
        return;
    snprintf(path, sizeof path, "%s/true.%d", folder, rank);
    books = fopen(path, "w");
    CHECK(books);
}

int main(int argc, char **argv)
{
    int rank, size;
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    open_books(rank);
    for (int i = 1; i <= ROUNDS; i++) {
        int got = -1;
        MPI_Request request;
        usleep(PAUSE_US * (useconds_t)(1 + (rank + i) % size));
        CALL(MPI_Barrier)(MPI_COMM_WORLD);
        mark(); /* it sends */
        CALL(MPI_Isend)(&rank, 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD, &request);
        CALL(MPI_Recv)(&got, 1, MPI_INT, (rank + size - 1) % size, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        mark(); /* it has received */
        CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
        CHECK(got == (rank + size - 1) % size);
    }
    check_sql("SELECT count(*) = 23 FROM synchronization"); /* 1, 2, 4, ... 64, and 85 to 100 */
    check_bytes("MPI_Isend", "MPI_COMM_WORLD", ROUNDS * (long)sizeof rank, 0);
    check_bytes("MPI_Recv", "MPI_COMM_WORLD", 0, ROUNDS * (long)sizeof rank);
    CALL(MPI_Finalize)();
    if (books)
        fclose(books);
    return check_write();
}
