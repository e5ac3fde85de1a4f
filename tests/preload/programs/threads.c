/* Eight threads make the first MPI call together; each call must see its own arguments. With an argument, a library to
   load: one thread makes the first call while another is in that library's constructor, which is about to do the same.
 */
#include "fake_mpi.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

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

static void *call_soon(void *argument)
{
    int rank = 0;
    pthread_barrier_wait(&barrier);
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    MPI_Comm_rank(5, &rank);
    return rank == 6 ? argument : "wrong";
}

static int race_with_a_constructor(const char *library)
{
    pthread_t thread;
    void *result;
    /* The front library looks for the real dlsym once, which would wait for the constructor before anything else. */
    if (!dlsym(RTLD_DEFAULT, "malloc"))
        return 1;
    pthread_barrier_init(&barrier, NULL, 2);
    if (pthread_create(&thread, NULL, call_soon, NULL))
        return 1;
    pthread_barrier_wait(&barrier);
    int failed = dlopen(library, RTLD_NOW | RTLD_LOCAL) == NULL;
    pthread_join(thread, &result);
    return failed || result;
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        int lost = race_with_a_constructor(argv[1]);
        puts(lost ? "failed" : "done");
        return lost ? 1 : 5;
    }
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
