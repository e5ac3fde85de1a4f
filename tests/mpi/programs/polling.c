/* Polls for messages with work between the polls, in each way that MPI has, and counts. Rank 1 prints what it polled
 * and how long that took. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { ROUNDS = 30, WAYS = 5, LONGEST_US = 40 };

static const char *const name[WAYS] = {"MPI_Test", "MPI_Testany", "MPI_Testall", "MPI_Testsome", "MPI_Iprobe"};
static long calls[WAYS];
static double seconds[WAYS];

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void work(int microseconds)
{
    double end = now() + 1e-6 * microseconds;
    while (now() < end)
        continue;
}

static int poll_once(int way, MPI_Request *request, int source)
{
    int index = 0, found = 0, count = 0, indices[1];
    switch (way) {
    case 0:
        MPI_Test(request, &found, MPI_STATUS_IGNORE);
        break;
    case 1:
        MPI_Testany(1, request, &index, &found, MPI_STATUS_IGNORE);
        break;
    case 2:
        MPI_Testall(1, request, &found, MPI_STATUSES_IGNORE);
        break;
    case 3:
        MPI_Testsome(1, request, &count, indices, MPI_STATUSES_IGNORE);
        found = count != 0;
        break;
    default:
        MPI_Iprobe(source, way, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    }
    return found;
}

static void receive(int way, int source)
{
    int value = 0, found = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    if (way < 4)
        MPI_Irecv(&value, 1, MPI_INT, source, way, MPI_COMM_WORLD, &request);
    while (!found) {
        double begin = now();
        found = poll_once(way, &request, source);
        seconds[way] += now() - begin;
        calls[way]++;
        work(LONGEST_US);
    }
    if (way == 4)
        MPI_Recv(&value, 1, MPI_INT, source, way, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < ROUNDS * WAYS; i++) {
        if (rank == 0) {
            work(1500);
            MPI_Send(&i, 1, MPI_INT, 1, i % WAYS, MPI_COMM_WORLD);
        } else if (rank == 1) {
            receive(i % WAYS, 0);
        }
    }
    for (int way = 0; way < WAYS && rank == 1; way++)
        printf("%s %ld %.9f\n", name[way], calls[way], seconds[way]);
    MPI_Finalize();
    return 0;
}
