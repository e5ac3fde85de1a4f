/* One rank: random messages to itself are pending at the same time, and use random bytes of one array, often those of
   the last time. Eight times calls at eleven lines use some more. The program compares all bytes of each call with all
   pending ones, one after another. Where they conflict, it prints "fault KIND LINE". Argument: a seed. */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS = 4096, MESSAGES = 64, LAST = 10, PREPARED = 8, COUNT_MOST = 8, ROUNDS = 8, STEPS = 400 };

static int numbers[NUMBERS];
static struct message {
    MPI_Request request;
    int begin, end; /* its numbers */
    bool receives, pending;
} messages[MESSAGES + LAST + PREPARED]; /* the last ones are persistent */
static uint64_t state;

static int chance(int below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (unsigned)below);
}

/* Three of four times it is the one that was last at this place. */
static struct message any(int at, bool receives)
{
    const struct message *last = &messages[at];
    if (last->end > 0 && last->receives == receives && chance(4))
        return *last;
    const int count = 1 + chance(COUNT_MOST), begin = chance(NUMBERS - COUNT_MOST);
    return (struct message){.begin = begin, .end = begin + count, .receives = receives};
}

static bool conflicts(struct message one)
{
    for (const struct message *other = messages; other < messages + MESSAGES + LAST + PREPARED; other++)
        if (other->pending && (one.receives || other->receives) && one.begin < other->end && other->begin < one.end)
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
    messages[at].pending = false;
}

static void begin_or_complete(int at)
{
    if (messages[at].pending) {
        complete(at);
        return;
    }
    const bool prepared = at >= MESSAGES + LAST;
    const struct message one =
        prepared ? messages[at] : any(at, messages[at].end && chance(4) ? messages[at].receives : chance(2));
    if (conflicts(one))
        return;
    messages[at] = one;
    messages[at].pending = true;
    if (prepared)
        MPI_Start(&messages[at].request);
    else if (one.receives)
        BEGIN_RECEIVE(at);
    else
        BEGIN_SEND(at);
}

#define TRY_SEND(at)    (try(at, any(at, false), __LINE__), BEGIN_SEND(at))
#define TRY_RECEIVE(at) (try(at, any(at, true), __LINE__), BEGIN_RECEIVE(at))
#define TRY_START(at)   (complete_if_pending(at), try(at, messages[at], __LINE__), MPI_Start(&messages[at].request))
static void try(int at, struct message one, int line)
{
    if (conflicts(one))
        printf("fault %s %d\n", one.receives ? "overwritten_buffer" : "unfinished_buffer", line);
    messages[at] = one;
    messages[at].pending = true;
}

static void complete_if_pending(int at)
{
    if (messages[at].pending)
        complete(at);
}

static void prepare(int at)
{
    messages[at] = any(at, at % 2);
    int *const first = &numbers[messages[at].begin], count = messages[at].end - messages[at].begin;
    if (messages[at].receives)
        MPI_Recv_init(first, count, MPI_INT, 0, at, MPI_COMM_SELF, &messages[at].request);
    else
        MPI_Ssend_init(first, count, MPI_INT, 0, at, MPI_COMM_SELF, &messages[at].request);
}

int main(int argc, char **argv)
{
    state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    MPI_Init(&argc, &argv);
    for (int i = MESSAGES + LAST; i < MESSAGES + LAST + PREPARED; i++)
        prepare(i);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < STEPS; i++)
            begin_or_complete(chance(8) ? chance(MESSAGES) : MESSAGES + LAST + chance(PREPARED));
        TRY_SEND(MESSAGES);
        TRY_RECEIVE(MESSAGES + 1);
        TRY_SEND(MESSAGES + 2);
        TRY_SEND(MESSAGES + 3);
        TRY_RECEIVE(MESSAGES + 4);
        TRY_RECEIVE(MESSAGES + 5);
        TRY_SEND(MESSAGES + 6);
        TRY_RECEIVE(MESSAGES + 7);
        for (int i = MESSAGES + 8; i < MESSAGES + LAST; i++) { /* often the same bytes twice */
            messages[i].begin = messages[MESSAGES + 8].begin;
            messages[i].end = messages[MESSAGES + 8].end;
            TRY_RECEIVE(i);
        }
        TRY_START(MESSAGES + LAST);
        TRY_START(MESSAGES + LAST + 1);
        for (int i = MESSAGES; i < MESSAGES + LAST; i++)
            complete(i);
    }
    for (int i = 0; i < MESSAGES + LAST + PREPARED; i++)
        complete_if_pending(i);
    for (int i = MESSAGES + LAST; i < MESSAGES + LAST + PREPARED; i++)
        MPI_Request_free(&messages[i].request);
    MPI_Finalize();
    return 0;
}
