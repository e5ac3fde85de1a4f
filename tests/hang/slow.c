/* Correct programs in which nothing moves for a while: a rank computes, is stopped or sends much, and others wait for
   it, many of them in what looks like a circle. Here messages, threads and programs that end; slow_collectives.c has
   the rest. */
#include "plant.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORLD MPI_COMM_WORLD
enum { FEW = 4, MUCH = 1 << 25, STRIDED = 1 << 24, FLOOD = 20000, MANY = 100 };

static int value, values[4 * FEW];

/* -- what is under way -- */

/* Both send before they wait for what they receive. The first number of rank 0 says whether there is another round. */
static void exchange(int rank, MPI_Datatype type, int count, size_t size)
{
    int *out = calloc(size, 1), *in = calloc(size, 1), again;
    MPI_Request request;
    do {
        out[0] = rank == 0 && plant_goes_on();
        MPI_Irecv(in, count, type, 1 - rank, 5, WORLD, &request);
        MPI_Send(out, count, type, 1 - rank, 5, WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        again = rank == 0 ? out[0] : in[0];
    } while (again);
    free(out);
    free(in);
}

static void exchange_of_much(int rank)
{
    exchange(rank, MPI_INT, MUCH, MUCH * sizeof(int));
}

static void exchange_of_every_other_int(int rank)
{
    MPI_Datatype type;
    MPI_Type_vector(STRIDED, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    exchange(rank, type, 1, 2 * STRIDED * sizeof(int));
    MPI_Type_free(&type);
}

static void halo(int rank)
{
    int size = plant_size(), left = (rank + size - 1) % size, right = (rank + 1) % size, again = 1;
    static double out[2][20000], in[2][20000];
    for (int round = 1; again; round++) {
        MPI_Request requests[2];
        MPI_Irecv(in[0], 20000, MPI_DOUBLE, left, 1, WORLD, &requests[0]);
        MPI_Irecv(in[1], 20000, MPI_DOUBLE, right, 2, WORLD, &requests[1]);
        MPI_Send(out[0], 20000, MPI_DOUBLE, right, 1, WORLD);
        MPI_Send(out[1], 20000, MPI_DOUBLE, left, 2, WORLD);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        int mine = plant_goes_on();
        if (round % 8 == 0)
            MPI_Allreduce(&mine, &again, 1, MPI_INT, MPI_MIN, WORLD);
    }
}

static void collectives(int rank)
{
    int size = plant_size(), again = 1, in[FEW], out[FEW] = {0};
    for (int round = 0; again; round++) {
        int root = round % size;
        MPI_Reduce(out, in, FEW, MPI_INT, MPI_SUM, root, WORLD);
        MPI_Bcast(out, FEW, MPI_INT, root, WORLD);
        MPI_Gather(&rank, 1, MPI_INT, in, 1, MPI_INT, root, WORLD);
        MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, WORLD);
        MPI_Scan(out, in, 1, MPI_INT, MPI_SUM, WORLD);
        MPI_Barrier(WORLD);
        int mine = plant_goes_on();
        MPI_Allreduce(&mine, &again, 1, MPI_INT, MPI_MIN, WORLD);
    }
}

static void token_in_a_ring(int rank)
{
    int size = plant_size(), again = 1;
    while (again) {
        if (rank == 0) {
            again = plant_goes_on();
            MPI_Send(&again, 1, MPI_INT, 1, 3, WORLD);
        }
        MPI_Recv(&again, 1, MPI_INT, (rank + size - 1) % size, 3, WORLD, MPI_STATUS_IGNORE);
        if (rank != 0)
            MPI_Send(&again, 1, MPI_INT, (rank + 1) % size, 3, WORLD);
    }
}

static void messages_to_itself(int rank)
{
    int again = 1;
    while (again) {
        MPI_Request request;
        MPI_Irecv(&value, 1, MPI_INT, rank, 3, WORLD, &request);
        plant_send(rank, 3, WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        int mine = plant_goes_on();
        MPI_Allreduce(&mine, &again, 1, MPI_INT, MPI_MIN, WORLD);
    }
}

/* Each sends before it receives: small messages need no partner. */
static void small_sends_to_each_other(int rank)
{
    int out = 1, in;
    do {
        if (rank == 0)
            out = plant_goes_on();
        MPI_Send(&out, 1, MPI_INT, 1 - rank, 1, WORLD);
        MPI_Recv(&in, 1, MPI_INT, 1 - rank, 1, WORLD, MPI_STATUS_IGNORE);
    } while (rank == 0 ? out : in);
}

/* -- messages -- */

static void late_sender_of_a_chain(int rank)
{
    int size = plant_size();
    if (rank == size - 1)
        plant_hold();
    else
        plant_receive(rank + 1, 1, WORLD);
    if (rank > 0)
        plant_send(rank - 1, 1, WORLD);
}

/* Rank 1 has sent and is in the barrier, where it waits for rank 0. */
static void waitall_for_one_that_sent(int rank)
{
    if (rank == 0) {
        MPI_Request requests[2];
        MPI_Irecv(&values[1], 1, MPI_INT, 1, 1, WORLD, &requests[0]);
        MPI_Irecv(&values[2], 1, MPI_INT, 2, 1, WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        if (rank == 2)
            plant_hold();
        plant_send(0, 1, WORLD);
    }
    MPI_Barrier(WORLD);
}

/* The same, with an answer instead of the barrier. */
static void waitall_for_one_that_waits(int rank)
{
    MPI_Request requests[2];
    if (rank == 0) {
        for (int source = 1; source < 3; source++)
            MPI_Irecv(&values[source], 1, MPI_INT, source, 1, WORLD, &requests[source - 1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        plant_send(1, 2, WORLD);
    }
    if (rank == 2)
        plant_hold();
    if (rank > 0)
        plant_send(0, 1, WORLD);
    if (rank == 1)
        plant_receive(0, 2, WORLD);
}

/* Rank 0 takes what comes first, which is from rank 2; rank 1 waits for rank 0. */
static void serve(int rank, void (*take)(void))
{
    if (rank == 0) {
        take();
        plant_send(1, 2, WORLD);
        plant_receive(1, 1, WORLD);
    } else if (rank == 1) {
        plant_receive(0, 2, WORLD);
        plant_send(0, 1, WORLD);
    } else {
        plant_hold();
        plant_send(0, 1, WORLD);
    }
}

static void take_any(void)
{
    plant_receive(MPI_ANY_SOURCE, 1, WORLD);
}

static MPI_Request choice[2];

static void post_choice(void)
{
    MPI_Irecv(&values[1], 1, MPI_INT, 1, 7, WORLD, &choice[0]);
    MPI_Irecv(&values[2], 1, MPI_INT, 2, 1, WORLD, &choice[1]);
}

static void drop_choice(void)
{
    MPI_Cancel(&choice[0]);
    MPI_Wait(&choice[0], MPI_STATUS_IGNORE);
}

static void take_by_waitany(void)
{
    int index;
    post_choice();
    MPI_Waitany(2, choice, &index, MPI_STATUS_IGNORE);
    drop_choice();
}

static void take_behind_a_pending_one(void)
{
    MPI_Irecv(&values[1], 1, MPI_INT, MPI_ANY_SOURCE, 7, WORLD, &choice[0]);
    take_any();
    drop_choice();
}

static void take_by_waitsome(void)
{
    int count, indices[2];
    post_choice();
    MPI_Waitsome(2, choice, &count, indices, MPI_STATUSES_IGNORE);
    drop_choice();
}

static void take_by_testany(void)
{
    int index, done = 0;
    post_choice();
    while (!done)
        MPI_Testany(2, choice, &index, &done, MPI_STATUS_IGNORE);
    drop_choice();
}

static void take_by_iprobe(void)
{
    MPI_Status status;
    int there = 0;
    while (!there)
        MPI_Iprobe(MPI_ANY_SOURCE, 1, WORLD, &there, &status);
    plant_receive(status.MPI_SOURCE, 1, WORLD);
}

static void take_by_probe(void)
{
    MPI_Status status;
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &status);
    plant_receive(status.MPI_SOURCE, status.MPI_TAG, WORLD);
}

static void receive_from_any_rank(int rank)
{
    serve(rank, take_any);
}

static void receive_behind_a_pending_one(int rank)
{
    serve(rank, take_behind_a_pending_one);
}

static void waitany(int rank)
{
    serve(rank, take_by_waitany);
}

static void waitsome(int rank)
{
    serve(rank, take_by_waitsome);
}

static void testany_loop(int rank)
{
    serve(rank, take_by_testany);
}

static void iprobe_loop(int rank)
{
    serve(rank, take_by_iprobe);
}

static void probe_of_any(int rank)
{
    serve(rank, take_by_probe);
}

/* Rank 0 asks for a message of rank 1 again and again; that waits for rank 2, and rank 2 is late. */
static void test_loop(int rank)
{
    if (rank == 0) {
        MPI_Request request;
        int done = 0;
        MPI_Irecv(&value, 1, MPI_INT, 1, 1, WORLD, &request);
        while (!done)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    if (rank == 1) {
        plant_receive(2, 1, WORLD);
        plant_send(0, 1, WORLD);
    }
    if (rank == 2) {
        plant_hold();
        plant_send(1, 1, WORLD);
    }
}

static void late_receiver_of_a_synchronous_send(int rank)
{
    if (rank == 1)
        plant_hold();
    if (rank == 0)
        MPI_Ssend(&value, 1, MPI_INT, 1, 1, WORLD);
    if (rank == 1)
        plant_receive(0, 1, WORLD);
    MPI_Barrier(WORLD);
}

/* The receive is posted, and its rank computes. */
static void large_message_to_one_that_computes(int rank)
{
    int *buffer = calloc(1 << 20, sizeof(int));
    MPI_Request request;
    if (rank == 0)
        MPI_Send(buffer, 1 << 20, MPI_INT, 1, 1, WORLD);
    if (rank == 1) {
        MPI_Irecv(buffer, 1 << 20, MPI_INT, 0, 1, WORLD, &request);
        plant_hold();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(WORLD);
    free(buffer);
}

/* Rank 0 waits for the answer before it waits for its own message. */
static void isend_before_a_receive(int rank)
{
    int *buffer = calloc(1 << 20, sizeof(int));
    MPI_Request request;
    if (rank == 0) {
        MPI_Isend(buffer, 1 << 20, MPI_INT, 1, 1, WORLD, &request);
        plant_receive(1, 2, WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        plant_hold();
        MPI_Recv(buffer, 1 << 20, MPI_INT, 0, 1, WORLD, MPI_STATUS_IGNORE);
        plant_send(0, 2, WORLD);
    }
    free(buffer);
}

/* All messages but one are there; who sends that waits for rank 2. */
static void waitall_of_many(int rank)
{
    static int many[MANY];
    MPI_Request requests[MANY];
    if (rank == 0) {
        for (int i = 0; i < MANY; i++)
            MPI_Irecv(&many[i], 1, MPI_INT, 1, i, WORLD, &requests[i]);
        MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
    }
    if (rank == 1)
        for (int i = 0; i < MANY; i++) {
            if (i == MANY - 1)
                plant_receive(2, 1, WORLD);
            plant_send(0, i, WORLD);
        }
    if (rank == 2) {
        plant_hold();
        plant_send(1, 1, WORLD);
    }
}

static void handle_slowly(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    plant_hold();
}

/* Rank 1 is in a receive from rank 0 that failed: in its error handler. It sends later what rank 0 waits for. */
static void error_handler_that_computes(int rank)
{
    MPI_Errhandler handler;
    MPI_Comm comm;
    MPI_Comm_dup(WORLD, &comm);
    MPI_Comm_create_errhandler(handle_slowly, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    if (rank == 1)
        MPI_Recv(&value, -1, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE);
    if (rank == 1)
        plant_send(0, 1, comm);
    else
        plant_receive(1, 1, comm);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);
}

static void late_start_of_a_persistent_send(int rank)
{
    MPI_Request request;
    for (int round = 0; round < 3; round++) {
        if (rank == 0)
            MPI_Recv_init(&value, 1, MPI_INT, 1, round, WORLD, &request);
        else
            MPI_Send_init(&value, 1, MPI_INT, 0, round, WORLD, &request);
        if (rank == 1 && round == 2)
            plant_hold();
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    }
}

static void late_rank_of_a_sendrecv_ring(int rank)
{
    int size = plant_size();
    if (rank == 1)
        plant_hold();
    for (int round = 0; round < 4; round++)
        MPI_Sendrecv_replace(&value, 1, MPI_INT, (rank + 1) % size, 1, (rank + size - 1) % size, 1, WORLD,
                             MPI_STATUS_IGNORE);
}

static void flood_of_small_messages(int rank)
{
    static char block[1024];
    if (rank == 1)
        plant_hold();
    for (int i = 0; i < FLOOD; i++)
        if (rank == 0)
            MPI_Send(block, sizeof block, MPI_CHAR, 1, i % 7, WORLD);
        else
            MPI_Recv(block, sizeof block, MPI_CHAR, 0, i % 7, WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        plant_receive(1, 9, WORLD);
    else
        plant_send(0, 9, WORLD);
}

static void mprobe(int rank)
{
    MPI_Message message;
    if (rank == 0) {
        MPI_Mprobe(1, 1, WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        plant_send(1, 2, WORLD);
    } else {
        plant_hold();
        plant_send(0, 1, WORLD);
        plant_receive(0, 2, WORLD);
    }
}

/* The server takes requests in turn and computes for one of them. */
static void slow_server_behind_an_intercommunicator(int rank)
{
    MPI_Comm local, server;
    MPI_Comm_split(WORLD, rank == 2, rank, &local);
    MPI_Intercomm_create(local, 0, WORLD, rank == 2 ? 0 : 2, 11, &server);
    if (rank == 2)
        for (int client = 0; client < 2; client++) {
            plant_receive(client, 1, server);
            if (client == 0)
                plant_hold();
            plant_send(client, 2, server);
        }
    else {
        plant_send(0, 1, server);
        plant_receive(0, 2, server);
    }
    MPI_Barrier(server);
    MPI_Comm_free(&server);
    MPI_Comm_free(&local);
}

/* The spawned process is in a world of its own. */
static void spawned_process_that_computes(int rank)
{
    MPI_Comm other;
    MPI_Comm_get_parent(&other);
    if (other != MPI_COMM_NULL) {
        plant_hold();
        plant_send(0, 1, other);
    } else {
        static char name[] = "spawned_process_that_computes", *arguments[] = {name, NULL};
        char program[4096] = "";
        if (readlink("/proc/self/exe", program, sizeof program - 1) < 0)
            abort();
        MPI_Comm_spawn(program, arguments, 1, MPI_INFO_NULL, 0, WORLD, &other, MPI_ERRCODES_IGNORE);
        if (rank == 0)
            plant_receive(0, 1, other);
        MPI_Barrier(WORLD);
    }
    MPI_Comm_disconnect(&other);
}

/* -- threads -- */

static void *sends_late(void *ignored)
{
    plant_hold();
    plant_send(0, 1, WORLD);
    return ignored;
}

static void answer_each_other(int rank, void *(*other)(void *))
{
    pthread_t thread;
    if (rank == 0) {
        plant_receive(1, 1, WORLD);
        plant_send(1, 2, WORLD);
    }
    if (rank == 1) {
        pthread_create(&thread, NULL, other, NULL);
        plant_receive(0, 2, WORLD);
        pthread_join(thread, NULL);
    }
}

/* The ranks wait for each other, and another thread, which MPI does not know yet, will send. */
static void thread_without_a_call(int rank)
{
    answer_each_other(rank, sends_late);
}

static void *asks_and_sends_late(void *ignored)
{
    int rank;
    MPI_Comm_rank(WORLD, &rank);
    return sends_late(ignored);
}

static void thread_with_a_call(int rank)
{
    answer_each_other(rank, asks_and_sends_late);
}

static void *hands_on(void *ignored)
{
    plant_receive(2, 1, WORLD);
    plant_send(0, 1, WORLD);
    return ignored;
}

/* The other thread is in a call too, and waits for rank 2. */
static void thread_that_waits_for_a_third(int rank)
{
    answer_each_other(rank, hands_on);
    if (rank == 2) {
        plant_hold();
        plant_send(1, 1, WORLD);
    }
}

static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int nothing_to_free(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int nothing_to_cancel(void *state, int complete)
{
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

static void *completes_late(void *request)
{
    plant_hold();
    MPI_Grequest_complete(*(MPI_Request *)request);
    return NULL;
}

/* A thread that computes completes the request, which waits for nobody else. */
static void generalized_request(int rank)
{
    MPI_Request request;
    if (rank == 0) {
        pthread_t thread;
        MPI_Grequest_start(query, nothing_to_free, nothing_to_cancel, NULL, &request);
        pthread_create(&thread, NULL, completes_late, &request);
        MPI_Request waited = request;
        MPI_Wait(&waited, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
        plant_send(1, 1, WORLD);
    }
    if (rank == 1)
        plant_receive(0, 1, WORLD);
}

/* -- what ends -- */

static void truncated_receive(int rank)
{
    static int many[100];
    if (rank == 0)
        plant_receive(1, 1, WORLD);
    if (rank == 1)
        MPI_Send(many, 100, MPI_INT, 0, 1, WORLD);
    plant_receive((rank + 1) % 3, 2, WORLD);
}

static void truncated_reduce(int rank)
{
    static int in[1000], out[1000];
    MPI_Reduce(in, out, rank == 0 ? 1 : 1000, MPI_INT, MPI_SUM, 0, WORLD);
    plant_receive((rank + 1) % 3, 2, WORLD);
}

static void crash(int rank)
{
    if (rank == 1) {
        plant_hold();
        raise(SIGKILL);
    }
    plant_receive(1, 1, WORLD);
}

static void left_without_finalize(int rank)
{
    if (rank == 1) {
        plant_hold();
        _exit(3);
    }
    MPI_Barrier(WORLD);
}

const struct plant plants[] = {
    {"exchange_of_much", 2, exchange_of_much, "moves", .over_tcp = true},
    {"exchange_of_every_other_int", 2, exchange_of_every_other_int, "moves", .over_tcp = true},
    {"halo", 4, halo, "moves"},
    {"collectives", 4, collectives, "moves"},
    {"token_in_a_ring", 3, token_in_a_ring, "moves"},
    {"messages_to_itself", 2, messages_to_itself, "moves"},
    {"small_sends_to_each_other", 2, small_sends_to_each_other, "moves"},
    {"late_sender_of_a_chain", 3, late_sender_of_a_chain, "2"},
    {"waitall_for_one_that_sent", 3, waitall_for_one_that_sent, "2"},
    {"waitall_for_one_that_waits", 3, waitall_for_one_that_waits, "2"},
    {"receive_from_any_rank", 3, receive_from_any_rank, "2"},
    {"receive_behind_a_pending_one", 3, receive_behind_a_pending_one, "2"},
    {"waitany", 3, waitany, "2"},
    {"waitsome", 3, waitsome, "2"},
    {"testany_loop", 3, testany_loop, ""},
    {"iprobe_loop", 3, iprobe_loop, ""},
    {"probe_of_any", 3, probe_of_any, "2"},
    {"test_loop", 3, test_loop, "2"},
    {"late_receiver_of_a_synchronous_send", 2, late_receiver_of_a_synchronous_send, "1"},
    {"large_message_to_one_that_computes", 2, large_message_to_one_that_computes, "1"},
    {"isend_before_a_receive", 2, isend_before_a_receive, "1"},
    {"waitall_of_many", 3, waitall_of_many, "2"},
    {"error_handler_that_computes", 2, error_handler_that_computes, ""},
    {"late_start_of_a_persistent_send", 2, late_start_of_a_persistent_send, "1"},
    {"late_rank_of_a_sendrecv_ring", 3, late_rank_of_a_sendrecv_ring, "1"},
    {"flood_of_small_messages", 2, flood_of_small_messages, "1"},
    {"mprobe", 2, mprobe, "1"},
    {"slow_server_behind_an_intercommunicator", 3, slow_server_behind_an_intercommunicator, "2"},
    {"spawned_process_that_computes", 2, spawned_process_that_computes, "", .only = "openmpi"},
    {"thread_without_a_call", 2, thread_without_a_call, "", .threads = true},
    {"thread_with_a_call", 2, thread_with_a_call, "", .threads = true},
    {"thread_that_waits_for_a_third", 3, thread_that_waits_for_a_third, "2", .threads = true},
    {"generalized_request", 2, generalized_request, "", .threads = true},
    {"truncated_receive", 3, truncated_receive, "dies"},
    {"truncated_reduce", 3, truncated_reduce, "dies"},
    {"crash", 3, crash, "dies"},
    {"left_without_finalize", 3, left_without_finalize, "dies"},
};
const size_t plants_count = sizeof plants / sizeof *plants;
