/* Four threads at once under MPI_THREAD_MULTIPLE: nothing lost, nothing mixed up. Each has its own communicator;
   requests are completed by another thread than the one that made them; handles are reused by threads racing for them.
 */
#include "check.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 200, CHURN = 50 };

static int rank, size;
static MPI_Comm comms[THREADS];
static MPI_Request handed_over[THREADS][ROUNDS];
static int cells[THREADS][ROUNDS];
static pthread_barrier_t barrier;

static void talk(int self, const char *name)
{
    int other = (rank + 1) % size, before = (rank + size - 1) % size;
    for (int i = 0; i < ROUNDS; i++) {
        int out = rank * 1000 + i, in = -1;
        CALL(MPI_Sendrecv)(&out, 1, MPI_INT, other, i, &in, 1, MPI_INT, before, i, comms[self], MPI_STATUS_IGNORE);
        CHECK(in == before * 1000 + i);
    }
    check_bytes("MPI_Sendrecv", name, 4 * ROUNDS, 4 * ROUNDS);
}

/* Posted here, completed by the next thread. */
static void hand_over(int self, const char *name)
{
    for (int i = 0; i < ROUNDS; i++)
        CALL(MPI_Irecv)(&cells[self][i], 1, MPI_INT, rank, 1000 + i, comms[self], &handed_over[self][i]);
    check_bytes("MPI_Irecv", name, 0, 4 * ROUNDS);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < ROUNDS; i++)
        CALL(MPI_Send)(&i, 1, MPI_INT, rank, 1000 + i, comms[self]);
    check_bytes("MPI_Send", name, 4 * ROUNDS, 0);
    int theirs = (self + 1) % THREADS;
    for (int i = 0; i < ROUNDS; i++)
        CALL(MPI_Wait)(&handed_over[theirs][i], MPI_STATUS_IGNORE);
    for (int i = 0; i < ROUNDS; i++)
        CHECK(cells[theirs][i] == i);
}

/* Types come and go in all threads: a handle freed here is at once another thread's new type. */
static void churn(int self)
{
    for (int i = 0; i < CHURN; i++) {
        MPI_Datatype type;
        char name[32], back[MPI_MAX_OBJECT_NAME];
        int length;
        snprintf(name, sizeof name, "type %d %d", self, i);
        CALL(MPI_Type_contiguous)(self + 1, MPI_INT, &type);
        CALL(MPI_Type_set_name)(type, name);
        CALL(MPI_Type_get_name)(type, back, &length);
        CHECK(strcmp(name, back) == 0);
        CALL(MPI_Type_free)(&type);
    }
    check_made("datatype", "MPI_Type_contiguous", CHURN);
    check_freed("datatype", "MPI_Type_free", CHURN);
}

static void *run(void *argument)
{
    int self = *(int *)argument;
    char name[16];
    snprintf(name, sizeof name, "thread %d", self);
    talk(self, name);
    hand_over(self, name);
    churn(self);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, numbers[THREADS];
    pthread_t threads[THREADS];
    CALL(MPI_Init_thread)(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    CHECK(provided == MPI_THREAD_MULTIPLE);
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        char name[16];
        snprintf(name, sizeof name, "thread %d", i);
        CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &comms[i]);
        CALL(MPI_Comm_set_name)(comms[i], name);
        numbers[i] = i;
    }
    check_made("communicator", "MPI_Comm_dup", THREADS);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, &numbers[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        CALL(MPI_Comm_free)(&comms[i]);
    check_freed("communicator", "MPI_Comm_free", THREADS);
    /* Each type kept its own name and size although the handles went round. */
    check_sql("SELECT count(*) = %d FROM object JOIN datatype USING (object) WHERE name LIKE 'type %%' AND "
              "size_bytes = 4 * (1 + cast(substr(name, 6, 1) AS INT))",
              THREADS * CHURN);
    check_sql("SELECT thread_level LIKE '%%MULTIPLE%%' OR thread_level LIKE '%%multiple%%' FROM process");
    check_say("rank %d done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
