/* One rank: random messages to itself are pending at the same time, and use random bytes of one array, until calls at
   eight lines use some more. The program compares all bytes of each call with all pending ones, one after another.
   Where they conflict, it prints "fault KIND LINE". Argument: a seed. */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS = 1024, MESSAGES = 64, LAST = 8, COUNT_MOST = 8, STEPS = 2000 };

static int numbers[NUMBERS];
static struct message {
    MPI_Request request; /* MPI_REQUEST_NULL: it is not pending */
    int begin, end;      /* its numbers */
    bool receives;
} messages[MESSAGES + LAST];
static uint64_t state;

static int chance(int below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (unsigned)below);
}

static struct message any(bool receives)
{
    const int count = 1 + chance(COUNT_MOST), begin = chance(NUMBERS - COUNT_MOST);
    return (struct message){.begin = begin, .end = begin + count, .receives = receives};
}

static bool conflicts(struct message one)
{
    for (const struct message *other = messages; other < messages + MESSAGES + LAST; other++)
        if (other->request != MPI_REQUEST_NULL && (one.receives || other->receives) && one.begin < other->end &&
            other->begin < one.end)
            return true;
    return false;
}

/* Its place is its tag, so that no message completes another one. A synchronous send is not complete at once. */
#define BEGIN_SEND(at)                                                                                                 \
    MPI_Issend(&numbers[messages[at].begin], messages[at].end - messages[at].begin, MPI_INT, 0, at, MPI_COMM_SELF,     \
               &messages[at].request)
#define BEGIN_RECEIVE(at)                                                                                              \
    MPI_Irecv(&numbers[messages[at].begin], messages[at].end - messages[at].begin, MPI_INT, 0, at, MPI_COMM_SELF,      \
              &messages[at].request)

static void complete(int at)
{
    int apart[COUNT_MOST];
    if (messages[at].receives)
        MPI_Send(NULL, 0, MPI_INT, 0, at, MPI_COMM_SELF);
    else
        MPI_Recv(apart, COUNT_MOST, MPI_INT, 0, at, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&messages[at].request, MPI_STATUS_IGNORE);
}

static void begin_or_complete(int at)
{
    if (messages[at].request != MPI_REQUEST_NULL) {
        complete(at);
        return;
    }
    const struct message one = any(chance(2));
    if (conflicts(one))
        return;
    messages[at] = one;
    if (one.receives)
        BEGIN_RECEIVE(at);
    else
        BEGIN_SEND(at);
}

#define TRY_SEND(at)    (try(at, false, __LINE__), BEGIN_SEND(at))
#define TRY_RECEIVE(at) (try(at, true, __LINE__), BEGIN_RECEIVE(at))
static void try(int at, bool receives, int line)
{
    const struct message one = any(receives);
    if (conflicts(one))
        printf("fault %s %d\n", receives ? "overwritten_buffer" : "unfinished_buffer", line);
    messages[at] = one;
}

int main(int argc, char **argv)
{
    state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < MESSAGES + LAST; i++)
        messages[i].request = MPI_REQUEST_NULL;
    for (int i = 0; i < STEPS; i++)
        begin_or_complete(chance(MESSAGES));
    TRY_SEND(MESSAGES);
    TRY_RECEIVE(MESSAGES + 1);
    TRY_SEND(MESSAGES + 2);
    TRY_SEND(MESSAGES + 3);
    TRY_RECEIVE(MESSAGES + 4);
    TRY_RECEIVE(MESSAGES + 5);
    TRY_SEND(MESSAGES + 6);
    TRY_RECEIVE(MESSAGES + 7);
    for (int i = 0; i < MESSAGES + LAST; i++)
        if (messages[i].request != MPI_REQUEST_NULL)
            complete(i);
    MPI_Finalize();
    return 0;
}
