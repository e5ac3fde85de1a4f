/* Threads that make communicators. With an argument it has errors: a race of threads, an overflow of a number, and an
   overrun of a block. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* The MPI's plugins stay where they are, so that an address in a report belongs to one library. */
int dlclose(void *library);
int dlclose(void *library)
{
    (void)library;
    return 0;
}

static int shared;
static int has_errors;

static void *work(void *comm)
{
    if (has_errors)
        shared++;
    for (int i = 0; i < 20; i++) {
        MPI_Comm copy;
        MPI_Comm_dup(*(MPI_Comm *)comm, &copy);
        MPI_Comm_free(&copy);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Comm comm[2];
    pthread_t thread[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    has_errors = argc > 1;
    volatile int end = 8, most = 0x7fffffff;
    volatile char *block = malloc(8);
    if (has_errors)
        most++;
    for (int i = 0; i < 2; i++)
        MPI_Comm_dup(MPI_COMM_SELF, &comm[i]);
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, work, &comm[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < 2; i++)
        MPI_Comm_free(&comm[i]);
    if (has_errors)
        block[end] = 1;
    free((void *)block);
    MPI_Finalize();
    puts("done");
    return 0;
}
