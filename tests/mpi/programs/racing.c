/* Four threads make and free objects of all kinds at the same time, so that a handle freed in one becomes another's
   new object at once. All of them get groups of one communicator under one handle. */
#include "callbacks.h"
#include "check.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 150 };

static int rank;
static pthread_barrier_t barrier;

/* Made here, freed by the thread that comes next. */
static struct handed {
    MPI_Datatype type;
    MPI_Info info;
    MPI_Group group;
} handed[THREADS];

static void hand_over(int self)
{
    struct handed *mine = &handed[self], *theirs = &handed[(self + 1) % THREADS];
    CALL(MPI_Type_contiguous)(self + 1, MPI_INT, &mine->type);
    CALL(MPI_Info_create)(&mine->info);
    CALL(MPI_Comm_group)(MPI_COMM_WORLD, &mine->group);
    pthread_barrier_wait(&barrier);
    CALL(MPI_Type_free)(&theirs->type);
    CALL(MPI_Info_free)(&theirs->info);
    CALL(MPI_Group_free)(&theirs->group);
    pthread_barrier_wait(&barrier);
}

static void churn(int self)
{
    MPI_Datatype type;
    MPI_Info info, twin;
    MPI_Group group, one;
    MPI_Op op;
    MPI_Errhandler handler;
    int key;
    CALL(MPI_Type_contiguous)(self + 1, MPI_INT, &type);
    CALL(MPI_Info_create)(&info);
    CALL(MPI_Comm_group)(MPI_COMM_WORLD, &group);
    CALL(MPI_Type_free)(&type);
    CALL(MPI_Info_dup)(info, &twin);
    CALL(MPI_Info_free)(&info);
    CALL(MPI_Group_incl)(group, 1, &rank, &one);
    CALL(MPI_Group_free)(&group);
    CALL(MPI_Op_create)(add, 1, &op);
    CALL(MPI_Info_free)(&twin);
    CALL(MPI_Comm_create_errhandler)(ignore, &handler);
    CALL(MPI_Op_free)(&op);
    CALL(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    CALL(MPI_Group_free)(&one);
    CALL(MPI_Errhandler_free)(&handler);
    CALL(MPI_Comm_free_keyval)(&key);
}

static void *run(void *argument)
{
    int self = *(int *)argument;
    for (int i = 0; i < ROUNDS; i++)
        churn(self);
    for (int i = 0; i < ROUNDS; i++)
        hand_over(self);
    return NULL;
}

int main(int argc, char **argv)
{
    static const char *const once[] = {"MPI_Info_dup", "MPI_Group_incl", "MPI_Op_create", "MPI_Comm_create_errhandler",
                                       "MPI_Comm_create_keyval"};
    int provided, numbers[THREADS];
    pthread_t threads[THREADS];
    CALL(MPI_Init_thread)(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CHECK(provided == MPI_THREAD_MULTIPLE);
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, run, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    check_made("datatype", "MPI_Type_contiguous", 2 * THREADS * ROUNDS);
    check_freed("datatype", "MPI_Type_free", 2 * THREADS * ROUNDS);
    for (size_t i = 0; i < sizeof once / sizeof *once; i++)
        check_sql("SELECT sum(created) = %d AND sum(freed) = %d FROM object_counts WHERE created_by = '%s'",
                  THREADS * ROUNDS, THREADS * ROUNDS, once[i]);
    check_sql("SELECT sum(created) = %d AND sum(freed) = %d FROM object_counts WHERE created_by = 'MPI_Info_create'",
              2 * THREADS * ROUNDS, 2 * THREADS * ROUNDS);
    check_sql("SELECT count(*) = 0 FROM leaks");
    check_sql("SELECT count(*) = 0 FROM object WHERE freed_ns IS NOT NULL AND freed_function IS NULL");
    check_say("rank %d done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
