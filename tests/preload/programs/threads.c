/* Eight threads make the first MPI call together; each call must see its own arguments. */
#include "fake_mpi.h"

#include <pthread.h>
#include <stdio.h>

enum { THREADS = 8 };
static pthread_barrier_t barrier;

static void *run(void *argument)
{
    long number = *(const int *)argument;
    int rank = 0;
    pthread_barrier_wait(&barrier);
    long sum = MPI_Alltoallw(number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
    MPI_Comm_rank((int)number, &rank);
    return sum == number + 12 && rank == number + 1 ? NULL : "wrong";
}

int main(void)
{
    pthread_t threads[THREADS];
    int numbers[THREADS];
    int failed = 0;
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, run, &numbers[i]))
            return 1;
    }
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        failed += result != NULL;
    }
    puts(failed ? "failed" : "done");
    return failed ? 1 : 5;
}
