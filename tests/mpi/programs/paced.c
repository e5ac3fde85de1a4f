/* Two ranks send each other a message of 100 bytes each millisecond, for argv[1] seconds. Then rank 0 sleeps outside
   MPI for argv[2] seconds, while rank 1 waits in MPI_Recv for it. Prints "sent RANK TIME MESSAGES" of each 50th
   millisecond, and "stop RANK BEGIN END". Times are those of the day. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double day_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Both ranks are on one machine and its clock. */
static void sleep_until(struct timespec *at)
{
    at->tv_nsec += 1000000;
    if (at->tv_nsec >= 1000000000) {
        at->tv_nsec -= 1000000000;
        at->tv_sec++;
    }
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, at, NULL);
}

int main(int argc, char **argv)
{
    char out[100] = "", in[100];
    int rank, messages = argc > 1 ? (int)(atof(argv[1]) * 1000) : 1000;
    double stop = argc > 2 ? atof(argv[2]) : 1;
    struct timespec at;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    clock_gettime(CLOCK_MONOTONIC, &at);
    for (int i = 0; i < messages; i++) {
        sleep_until(&at);
        if (i % 50 == 0) {
            printf("sent %d %.6f %d\n", rank, day_time(), i);
            fflush(stdout);
        }
        MPI_Sendrecv(out, sizeof out, MPI_CHAR, 1 - rank, 1, in, sizeof in, MPI_CHAR, 1 - rank, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    double begun = day_time();
    if (rank == 0) {
        nanosleep(&(struct timespec){.tv_sec = (time_t)stop, .tv_nsec = (long)((stop - (double)(long)stop) * 1e9)},
                  NULL);
        printf("stop %d %.6f %.6f\n", rank, begun, day_time());
        MPI_Send(out, 1, MPI_CHAR, 1, 2, MPI_COMM_WORLD);
    } else {
        MPI_Recv(in, 1, MPI_CHAR, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("stop %d %.6f %.6f\n", rank, begun, day_time());
    }
    MPI_Finalize();
    return 0;
}
