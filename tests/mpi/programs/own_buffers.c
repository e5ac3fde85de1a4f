/* Threads receive into buffers of their own, again and again, while MPI gives the handles of completed requests to
   other threads. */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 5000, COUNT = 8 };

static void *exchange(void *number)
{
    int tag = (int)(intptr_t)number, sent[COUNT] = {tag}, received[COUNT];
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Request request[2];
        MPI_Status status[2];
        MPI_Irecv(received, COUNT, MPI_INT, 0, tag, MPI_COMM_SELF, &request[0]);
        MPI_Isend(sent, COUNT, MPI_INT, 0, tag, MPI_COMM_SELF, &request[1]);
        MPI_Waitall(2, request, status);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, threads;
    pthread_t thread[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE)
        printf("provided %d\n", provided);
    threads = provided == MPI_THREAD_MULTIPLE ? THREADS : 0;
    for (int i = 0; i < threads; i++)
        pthread_create(&thread[i], NULL, exchange, (void *)(intptr_t)i);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    MPI_Finalize();
    return 0;
}
