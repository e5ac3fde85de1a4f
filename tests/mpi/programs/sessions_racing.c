/* The first sessions of a process, opened by several threads at the same time. */
#include "check.h"

#include <pthread.h>

enum { THREADS = 4 };

static pthread_barrier_t together;

static void *open_one(void *argument)
{
    MPI_Session *session = argument;
    pthread_barrier_wait(&together);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session);
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    MPI_Session session[THREADS];
    pthread_barrier_init(&together, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&thread[i], NULL, open_one, &session[i]) == 0);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(thread[i], NULL) == 0);
    check_count("MPI_Session_init", THREADS);
    for (int i = 0; i < THREADS; i++)
        CALL(MPI_Session_finalize)(&session[i]);
    check_sql("SELECT count(*) = 1 FROM meta WHERE key = 'mpi'");
    check_outcome("finalized");
    return check_write();
}
