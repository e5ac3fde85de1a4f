/* Rank 0 has two threads, at the thread level that argv[1] names. Prints the line and kind of each fault; calls before
   it look alike and are allowed. The faulty calls do nothing in the MPI: they send to nobody, or have a wrong argument.
 */
#include "fault.h"

#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static sem_t inside;
static atomic_bool calling, called;
static atomic_long other;
static MPI_Comm one, two; /* of all, of this process */
static int level, rank, size;

/* The main thread is outside the MPI. */
static void *outside(void *nothing)
{
    int data = 0, flag, provided;
    MPI_Is_thread_main(&flag); /* any thread may ask this, and the following */
    MPI_Query_thread(&provided);
    MPI_Initialized(&flag);
    MPI_Finalized(&flag);
    if (level == MPI_THREAD_FUNNELED)
        FAULT("thread_level", MPI_Send(&data, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
    else
        MPI_Bcast(&data, 1, MPI_INT, 0, two);
    return nothing;
}

/* The main thread waits in a callback: of its collective call on `one`, if there are two ranks. */
static void *while_inside(void *nothing)
{
    int data = 0;
    atomic_store(&other, syscall(SYS_gettid));
    sem_wait(&inside);
    MPI_Comm_rank(one, &data);
    atomic_store(&calling, true);
    FAULT("concurrent_collectives", MPI_Bcast(&data, -1, MPI_INT, 0, one));
    atomic_store(&called, true);
    return nothing;
}

static void *while_inside_serialized(void *nothing)
{
    int data = 0;
    sem_wait(&inside);
    FAULT("concurrent_calls", MPI_Send(&data, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
    atomic_store(&called, true);
    return nothing;
}

/* True if the other thread sleeps in its call: MPICH lets no second thread in before the callback has returned. */
static bool other_sleeps(void)
{
    char path[64], state = 0;
    snprintf(path, sizeof path, "/proc/self/task/%ld/stat", atomic_load(&other));
    FILE *file = atomic_load(&calling) ? fopen(path, "r") : NULL;
    if (!file)
        return false;
    if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = 0;
    fclose(file);
    return state == 'S';
}

static void add(void *in, void *inout, int *length, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *length; i++)
        ((int *)inout)[i] += ((int *)in)[i];
    if (rank)
        return;
    sem_post(&inside);
    while (!atomic_load(&called) && !other_sleeps())
        usleep(1000);
}

#ifndef MPICH_VERSION /* MPICH 4.0 hangs if a thread waits for a persistent request that another one completes */
static MPI_Request shared[2];

static void *wait_for_first(void *nothing)
{
    atomic_store(&other, syscall(SYS_gettid));
    atomic_store(&calling, true);
    MPI_Wait(&shared[0], MPI_STATUS_IGNORE);
    return nothing;
}

static void *send_later(void *nothing)
{
    usleep(200000);
    MPI_Send(&level, 1, MPI_INT, 0, 0, two);
    return nothing;
}

/* A thread waits for the first persistent request. The main thread waits for the second one at the same time, or for
   the first one, too. */
static void wait_together(bool same)
{
    int received[2];
    pthread_t waiting, sending;
    for (int i = 0; i < 2; i++) {
        MPI_Recv_init(&received[i], 1, MPI_INT, 0, i, two, &shared[i]);
        MPI_Start(&shared[i]);
    }
    atomic_store(&calling, false);
    pthread_create(&waiting, NULL, wait_for_first, NULL);
    while (!atomic_load(&calling))
        usleep(1000);
    usleep(50000);
    MPI_Send(&level, 1, MPI_INT, 0, 1, two);
    MPI_Wait(&shared[1], MPI_STATUS_IGNORE);
    pthread_create(&sending, NULL, send_later, NULL);
    if (same)
        FAULT("concurrent_completion", MPI_Wait(&shared[0], MPI_STATUS_IGNORE));
    pthread_join(sending, NULL);
    pthread_join(waiting, NULL);
    for (int i = 0; i < 2; i++)
        MPI_Request_free(&shared[i]);
}
#endif

/* ---- messages between a probe and its receive ---- */

static MPI_Comm taken_on;
static int taken_tag;

static void *take(void *nothing)
{
    int data;
    MPI_Recv(&data, 1, MPI_INT, 0, taken_tag, taken_on, MPI_STATUS_IGNORE);
    return nothing;
}

static void take_beside(MPI_Comm comm, int tag)
{
    pthread_t thread;
    taken_on = comm;
    taken_tag = tag;
    pthread_create(&thread, NULL, take, NULL);
    pthread_join(thread, NULL);
}

static MPI_Request sends[64];
static int sends_count;

/* Without waiting: MPICH keeps no messages of a process to itself. */
static void send_to_self(int tag, MPI_Comm comm)
{
    static const int nothing;
    MPI_Isend(&nothing, 1, MPI_INT, 0, tag, comm, &sends[sends_count++]);
}

static void send_some(int count, int tag)
{
    while (count--)
        send_to_self(tag, two);
}

static void receive(int source, int tag)
{
    int data;
    MPI_Recv(&data, 1, MPI_INT, source, tag, two, MPI_STATUS_IGNORE);
}

static void *probe(void *nothing)
{
    MPI_Probe(0, taken_tag, taken_on, MPI_STATUS_IGNORE);
    return nothing;
}

static void *probe_and_take(void *nothing)
{
    return take(probe(nothing));
}

static void run_beside(void *work(void *nothing), int tag)
{
    pthread_t thread;
    taken_on = two;
    taken_tag = tag;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
}

/* Another thread receives messages of the same tag, but none that this one has probed and not received. */
static void probe_and_receive_rightly(void)
{
    MPI_Message message;
    MPI_Request request;
    int data = 0, found = 1;
    send_some(2, 11); /* before the probe */
    take_beside(two, 11);
    MPI_Probe(0, 11, two, MPI_STATUS_IGNORE);
    receive(0, 11);
    send_some(2, 12); /* probed again */
    MPI_Probe(0, 12, two, MPI_STATUS_IGNORE);
    take_beside(two, 12);
    MPI_Probe(0, 12, two, MPI_STATUS_IGNORE);
    receive(0, 12);
    send_some(3, 13); /* received from any rank */
    MPI_Probe(0, 13, two, MPI_STATUS_IGNORE);
    receive(MPI_ANY_SOURCE, 13);
    take_beside(two, 13);
    receive(0, 13);
    send_some(3, 14); /* by a persistent request */
    MPI_Recv_init(&data, 1, MPI_INT, 0, 14, two, &request);
    MPI_Probe(0, 14, two, MPI_STATUS_IGNORE);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    take_beside(two, 14);
    receive(0, 14);
    MPI_Request_free(&request);
    send_some(3, 15); /* by MPI_Mprobe */
    MPI_Probe(0, 15, two, MPI_STATUS_IGNORE);
    MPI_Mprobe(0, 15, two, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&data, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    take_beside(two, 15);
    receive(0, 15);
    MPI_Iprobe(0, 16, two, &found, MPI_STATUS_IGNORE); /* finds nothing */
    send_some(2, 16);
    take_beside(two, 16);
    receive(0, 16);
    send_some(1, 17); /* each thread has probed its own */
    send_some(1, 18);
    MPI_Probe(0, 17, two, MPI_STATUS_IGNORE);
    run_beside(probe_and_take, 18);
    receive(0, 17);
    send_some(2, 19); /* by a receive that is complete later */
    MPI_Probe(0, 19, two, MPI_STATUS_IGNORE);
    MPI_Irecv(&data, 1, MPI_INT, 0, 19, two, &request);
    take_beside(two, 19);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    send_some(3, 20); /* by MPI_Sendrecv */
    MPI_Probe(0, 20, two, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&found, 1, MPI_INT, MPI_PROC_NULL, 20, &data, 1, MPI_INT, 0, 20, two, MPI_STATUS_IGNORE);
    take_beside(two, 20);
    receive(0, 20);
    MPI_Probe(MPI_PROC_NULL, 21, two, MPI_STATUS_IGNORE); /* no message */
    send_some(2, 21);
    take_beside(two, 21);
    receive(0, 21);
    send_some(2, 22); /* a thread that has ended had probed it */
    run_beside(probe, 22);
    receive(0, 22);
    take_beside(two, 22);
}

/* Another thread receives a message between the probe and the receive of this one: another message, or the same one. */
static void probe_and_receive(void)
{
    MPI_Comm third;
    MPI_Message message;
    int data = 0, found = 0;
    MPI_Comm_dup(two, &third);
    for (int tag = 5; tag < 7; tag++)
        for (int i = 0; i < 4; i++)
            send_to_self(tag, two);
    send_to_self(5, third);
    MPI_Probe(0, 5, two, MPI_STATUS_IGNORE);
    take_beside(two, 6);
    take_beside(third, 5);
    MPI_Recv(&data, 1, MPI_INT, 0, 5, two, MPI_STATUS_IGNORE);
    take_beside(two, 5);
    MPI_Mprobe(0, 5, two, &message, MPI_STATUS_IGNORE);
    take_beside(two, 6);
    MPI_Mrecv(&data, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Probe(MPI_ANY_SOURCE, 6, two, MPI_STATUS_IGNORE);
    take_beside(two, 6);
    MPI_Recv(&data, 1, MPI_INT, 0, 5, two, MPI_STATUS_IGNORE); /* not the one that was probed */
    MPI_Recv(&data, 1, MPI_INT, 0, 6, two, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; i++)
        send_to_self(5, two);
    while (!found)
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, two, &found, MPI_STATUS_IGNORE);
    take_beside(two, 5);
    FAULT("stolen_message", MPI_Recv(&data, 1, MPI_INT, 0, 5, two, MPI_STATUS_IGNORE));
    while (sends_count)
        MPI_Wait(&sends[--sends_count], MPI_STATUS_IGNORE);
    MPI_Comm_free(&third);
}

static void run(void *work(void *nothing), MPI_Op op)
{
    int a = 1, b = 2;
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    if (op != MPI_OP_NULL && size == 1)
        MPI_Reduce_local(&a, &b, 1, MPI_INT, op);
    else if (op != MPI_OP_NULL)
        MPI_Reduce(&a, &b, 1, MPI_INT, op, 0, one);
    pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Op op;
    const char *wanted = argc > 1 ? argv[1] : "";
    level = strcmp(wanted, "funneled") == 0     ? MPI_THREAD_FUNNELED
            : strcmp(wanted, "serialized") == 0 ? MPI_THREAD_SERIALIZED
                                                : MPI_THREAD_MULTIPLE;
    MPI_Init_thread(&argc, &argv, level, &provided);
    if (provided != level) {
        printf("provided %d\n", provided);
        MPI_Finalize();
        return 0;
    }
    sem_init(&inside, 0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    MPI_Comm_dup(MPI_COMM_SELF, &two);
    MPI_Comm_set_errhandler(one, MPI_ERRORS_RETURN);
    MPI_Op_create(add, 1, &op);
    if (rank == 0) {
        run(outside, MPI_OP_NULL);
        if (level == MPI_THREAD_MULTIPLE) {
            probe_and_receive_rightly();
            probe_and_receive();
        }
#ifndef MPICH_VERSION
        if (level == MPI_THREAD_MULTIPLE) {
            wait_together(false);
            wait_together(true);
        }
#endif
        if (level != MPI_THREAD_FUNNELED)
            run(level == MPI_THREAD_MULTIPLE ? while_inside : while_inside_serialized, op);
    } else {
        MPI_Reduce(&level, NULL, 1, MPI_INT, op, 0, one);
    }
    MPI_Op_free(&op);
    MPI_Comm_free(&one);
    MPI_Comm_free(&two);
    MPI_Finalize();
    return 0;
}
