/* Nonblocking calls and the whole wait and test family, with requests of two communicators mixed: each call counted
   once, each byte on the communicator of its request. */
#include "check.h"

enum { MESSAGES = 6 };

static int rank, other;
static MPI_Comm red, blue;
static int out[MESSAGES][8], in[MESSAGES][8];

/* Message i has i + 1 integers; even ones go over red, odd ones over blue. */
static void post(MPI_Request receives[MESSAGES], MPI_Request sends[MESSAGES])
{
    for (int i = 0; i < MESSAGES; i++) {
        MPI_Comm comm = i % 2 ? blue : red;
        const char *name = i % 2 ? "blue" : "red";
        CALL(MPI_Irecv)(in[i], 8, MPI_INT, other, i, comm, &receives[i]);
        check_bytes("MPI_Irecv", name, 0, 4 * (i + 1));
    }
    CALL(MPI_Barrier)(MPI_COMM_WORLD); /* so that the ready sends find their receives */
    for (int i = 0; i < MESSAGES; i++) {
        MPI_Comm comm = i % 2 ? blue : red;
        const char *name = i % 2 ? "blue" : "red";
        if (i == 0) {
            CALL(MPI_Issend)(out[i], i + 1, MPI_INT, other, i, comm, &sends[i]);
            check_bytes("MPI_Issend", name, 4 * (i + 1), 0);
        } else if (i == 1) {
            CALL(MPI_Ibsend)(out[i], i + 1, MPI_INT, other, i, comm, &sends[i]);
            check_bytes("MPI_Ibsend", name, 4 * (i + 1), 0);
        } else if (i == 2) {
            CALL(MPI_Irsend)(out[i], i + 1, MPI_INT, other, i, comm, &sends[i]);
            check_bytes("MPI_Irsend", name, 4 * (i + 1), 0);
        } else {
            CALL(MPI_Isend)(out[i], i + 1, MPI_INT, other, i, comm, &sends[i]);
            check_bytes("MPI_Isend", name, 4 * (i + 1), 0);
        }
    }
}

/* The ways to complete; each also looks at the statuses, or ignores them. */

static void wait_one_by_one(MPI_Request *requests)
{
    MPI_Status status;
    for (int i = 0; i < MESSAGES; i++)
        CALL(MPI_Wait)(&requests[i], i % 2 ? &status : MPI_STATUS_IGNORE);
}

static void wait_all(MPI_Request *requests)
{
    MPI_Status statuses[MESSAGES];
    CALL(MPI_Waitall)(MESSAGES, requests, statuses);
}

static void wait_all_blindly(MPI_Request *requests)
{
    CALL(MPI_Waitall)(MESSAGES, requests, MPI_STATUSES_IGNORE);
}

static void wait_any(MPI_Request *requests)
{
    int index;
    MPI_Status status;
    for (int i = 0; i < MESSAGES; i++) {
        CALL(MPI_Waitany)(MESSAGES, requests, &index, i % 2 ? &status : MPI_STATUS_IGNORE);
        CHECK(index >= 0 && index < MESSAGES);
    }
    CALL(MPI_Waitany)(MESSAGES, requests, &index, MPI_STATUS_IGNORE);
    CHECK(index == MPI_UNDEFINED);
}

static void wait_some_into(MPI_Request *requests, MPI_Status *statuses)
{
    int indices[MESSAGES], done = 0, total = 0;
    while (done != MPI_UNDEFINED) {
        total += done;
        CALL(MPI_Waitsome)(MESSAGES, requests, &done, indices, statuses);
    }
    CHECK(total == MESSAGES);
}

static void wait_some(MPI_Request *requests)
{
    MPI_Status statuses[MESSAGES];
    wait_some_into(requests, statuses);
}

static void wait_some_blindly(MPI_Request *requests)
{
    wait_some_into(requests, MPI_STATUSES_IGNORE);
}

static void test_one_by_one(MPI_Request *requests)
{
    for (int i = 0; i < MESSAGES; i++)
        for (int flag = 0; !flag;)
            CALL(MPI_Test)(&requests[i], &flag, MPI_STATUS_IGNORE);
}

static void test_any(MPI_Request *requests)
{
    for (int done = 0; done < MESSAGES;) {
        int index, flag;
        MPI_Status status;
        CALL(MPI_Testany)(MESSAGES, requests, &index, &flag, &status);
        done += flag;
    }
}

static void test_some(MPI_Request *requests)
{
    int indices[MESSAGES], done = 0;
    while (done != MPI_UNDEFINED)
        CALL(MPI_Testsome)(MESSAGES, requests, &done, indices, MPI_STATUSES_IGNORE);
}

static void test_all(MPI_Request *requests)
{
    MPI_Status statuses[MESSAGES];
    for (int flag = 0; !flag;)
        CALL(MPI_Testall)(MESSAGES, requests, &flag, statuses);
}

static void test_all_blindly(MPI_Request *requests)
{
    for (int flag = 0; !flag;)
        CALL(MPI_Testall)(MESSAGES, requests, &flag, MPI_STATUSES_IGNORE);
}

static void (*const ways[])(MPI_Request *requests) = {
    wait_one_by_one, wait_all, wait_all_blindly, wait_any, wait_some,        wait_some_blindly,
    test_one_by_one, test_any, test_some,        test_all, test_all_blindly,
};
enum { WAYS = sizeof ways / sizeof ways[0] };

static void round_trip(int way)
{
    MPI_Request receives[MESSAGES], sends[MESSAGES];
    static char buffer[4096];
    int bytes;
    void *detached;
    for (int i = 0; i < MESSAGES; i++)
        for (int k = 0; k < 8; k++)
            out[i][k] = rank * 1000 + way * 100 + i * 10 + k;
    CALL(MPI_Buffer_attach)(buffer, sizeof buffer);
    post(receives, sends);
    ways[way](receives);
    wait_one_by_one(sends);
    for (int i = 0; i < MESSAGES; i++)
        CHECK(receives[i] == MPI_REQUEST_NULL && in[i][i] == other * 1000 + way * 100 + i * 10 + i);
    CALL(MPI_Buffer_detach)(&detached, &bytes);
}

/* Freed before it is complete, cancelled, already null, to nobody. */
static void odd_ends(void)
{
    MPI_Request request, two[2];
    MPI_Status status;
    int flag, value = 7;
    if (rank == 0) {
        CALL(MPI_Isend)(&value, 1, MPI_INT, other, 50, red, &request);
        check_bytes("MPI_Isend", "red", 4, 0);
        CALL(MPI_Request_free)(&request);
    } else {
        CALL(MPI_Recv)(&value, 1, MPI_INT, other, 50, red, MPI_STATUS_IGNORE);
        check_bytes("MPI_Recv", "red", 0, 4);
    }
    CALL(MPI_Irecv)(&value, 1, MPI_INT, other, 51, red, &request);
    CALL(MPI_Cancel)(&request);
    CALL(MPI_Wait)(&request, &status);
    CALL(MPI_Test_cancelled)(&status, &flag);
    CHECK(flag);
    CALL(MPI_Wait)(&request, &status);
    CALL(MPI_Test)(&request, &flag, MPI_STATUS_IGNORE);
    CALL(MPI_Waitall)(0, NULL, MPI_STATUSES_IGNORE);
    /* Both MPIs hand out one and the same request here. */
    CALL(MPI_Isend)(&value, 1, MPI_INT, MPI_PROC_NULL, 52, red, &two[0]);
    CALL(MPI_Isend)(&value, 1, MPI_INT, MPI_PROC_NULL, 52, blue, &two[1]);
    CALL(MPI_Waitall)(2, two, MPI_STATUSES_IGNORE);
    CALL(MPI_Irecv)(&value, 1, MPI_INT, MPI_PROC_NULL, 53, blue, &request);
    for (flag = 0; !flag;)
        CALL(MPI_Request_get_status)(request, &flag, &status);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &red);
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &blue);
    check_made("communicator", "MPI_Comm_dup", 2);
    CALL(MPI_Comm_set_name)(red, "red");
    CALL(MPI_Comm_set_name)(blue, "blue");
    for (int way = 0; way < WAYS; way++)
        round_trip(way);
    odd_ends();
    CALL(MPI_Comm_free)(&red);
    CALL(MPI_Comm_free)(&blue);
    check_freed("communicator", "MPI_Comm_free", 2);
    check_say("rank %d done", rank);
    /* Waiting for one request belongs to its communicator. */
    check_sql("SELECT sum(calls) > 0 FROM calls WHERE function = 'MPI_Wait' AND communicator = 'red'");
    check_sql("SELECT sum(calls) > 0 FROM calls WHERE function = 'MPI_Wait' AND communicator = 'blue'");
    CALL(MPI_Finalize)();
    return check_write();
}
