/* Exchanges of which some end only because the MPI keeps small messages: the modes that begin with "bad". With messages
   of 1 MiB these wait for ever, and the others do not. Usage: circles [MODE [BYTES]]; without MODE: all of them. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define PLAIN static __attribute__((noinline))

enum { ROUNDS = 3 };

static int rank, size, bytes;
static char *out, *in;
static MPI_Comm world = MPI_COMM_WORLD;

/* Each is a call of its mode. */
#define SEND(to, tag)      MPI_Send(out, bytes, MPI_CHAR, to, tag, world)
#define RECEIVE(from, tag) MPI_Recv(in, bytes, MPI_CHAR, from, tag, world, MPI_STATUS_IGNORE)

static int right(void)
{
    return (rank + 1) % size;
}

static int left(void)
{
    return (rank + size - 1) % size;
}

static int partner(void)
{
    return rank ^ 1;
}

static int has_partner(void)
{
    return partner() < size;
}

/* ---- in a circle ---- */

PLAIN void bad_ring(void)
{
    SEND(right(), 1);
    RECEIVE(left(), 1);
}

PLAIN void bad_pairs(void)
{
    if (!has_partner())
        return;
    SEND(partner(), 1);
    RECEIVE(partner(), 1);
}

PLAIN void bad_lines(void)
{
    if (rank == 0) {
        SEND(1, 1);
        RECEIVE(1, 2);
    } else if (rank == 1) {
        SEND(0, 2);
        RECEIVE(0, 1);
    }
}

PLAIN void bad_nonblocking(void)
{
    MPI_Request request;
    MPI_Isend(out, bytes, MPI_CHAR, right(), 1, world, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    RECEIVE(left(), 1);
}

PLAIN void bad_waitall(void)
{
    MPI_Request request[2];
    MPI_Isend(out, bytes, MPI_CHAR, right(), 1, world, &request[0]);
    MPI_Isend(out, bytes, MPI_CHAR, right(), 2, world, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    RECEIVE(left(), 1);
    RECEIVE(left(), 2);
}

PLAIN void bad_late_receive(void)
{
    MPI_Request request;
    SEND(right(), 1);
    MPI_Irecv(in, bytes, MPI_CHAR, left(), 1, world, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

PLAIN void bad_tags(void)
{
    if (rank == 0) {
        SEND(1, 1);
        SEND(1, 2);
    } else if (rank == 1) {
        RECEIVE(0, 2);
        RECEIVE(0, 1);
    }
}

PLAIN void bad_barrier(void)
{
    if (rank == 0)
        SEND(1, 1);
    MPI_Barrier(world);
    if (rank == 1)
        RECEIVE(0, 1);
}

PLAIN void bad_reduction(void)
{
    int one = 1, sum;
    if (rank == 0)
        SEND(1, 1);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, world);
    if (rank == 1)
        RECEIVE(0, 1);
}

PLAIN void bad_broadcast(void)
{
    int one = 1;
    if (rank == 0)
        SEND(1, 1);
    MPI_Bcast(&one, 1, MPI_INT, 0, world);
    if (rank == 1)
        RECEIVE(0, 1);
}

PLAIN void bad_three(void)
{
    if (rank > 2 || size < 3)
        return;
    SEND((rank + 1) % 3, 1);
    RECEIVE((rank + 2) % 3, 1);
}

PLAIN void bad_halves(void)
{
    int half = size / 2, other = (rank + half) % size;
    if (rank >= 2 * half)
        return;
    SEND(other, 1);
    RECEIVE(other, 1);
}

PLAIN void bad_one_of_two_receives(void)
{
    MPI_Request request;
    MPI_Irecv(in, bytes, MPI_CHAR, left(), 1, world, &request);
    SEND(right(), 1);
    SEND(right(), 2);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    RECEIVE(left(), 2);
}

PLAIN void bad_communicator(void)
{
    MPI_Comm own;
    MPI_Comm_dup(world, &own);
    MPI_Send(out, bytes, MPI_CHAR, right(), 1, own);
    MPI_Recv(in, bytes, MPI_CHAR, left(), 1, own, MPI_STATUS_IGNORE);
    MPI_Comm_free(&own);
}

PLAIN void bad_probe(void)
{
    MPI_Status status;
    SEND(right(), 1);
    MPI_Probe(left(), 1, world, &status);
    RECEIVE(left(), 1);
}

PLAIN void bad_synchronous_one(void)
{
    if (rank == 0) {
        MPI_Ssend(out, bytes, MPI_CHAR, 1, 1, world);
        RECEIVE(1, 2);
    } else if (rank == 1) {
        SEND(0, 2);
        RECEIVE(0, 1);
    }
}

PLAIN void bad_last_round(void)
{
    for (int i = 0; i < ROUNDS; i++)
        MPI_Sendrecv(out, bytes, MPI_CHAR, right(), 1, in, bytes, MPI_CHAR, left(), 1, world, MPI_STATUS_IGNORE);
    SEND(right(), 1);
    RECEIVE(left(), 1);
}

PLAIN void bad_gather(void)
{
    int one = 1;
    int *all = calloc((size_t)size, sizeof *all);
    if (rank == 0)
        SEND(1, 1);
    MPI_Allgather(&one, 1, MPI_INT, all, 1, MPI_INT, world);
    if (rank == 1)
        RECEIVE(0, 1);
    free(all);
}

PLAIN void bad_any_source(void)
{
    SEND(right(), 1);
    MPI_Recv(in, bytes, MPI_CHAR, MPI_ANY_SOURCE, 1, world, MPI_STATUS_IGNORE);
}

PLAIN void bad_collective_request(void)
{
    MPI_Request request;
    MPI_Ibarrier(world, &request);
    if (rank != 1)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    SEND(right(), 1);
    RECEIVE(left(), 1);
    if (rank == 1)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* ---- innocent ---- */

PLAIN void good_sendrecv(void)
{
    MPI_Sendrecv(out, bytes, MPI_CHAR, right(), 1, in, bytes, MPI_CHAR, left(), 1, world, MPI_STATUS_IGNORE);
}

PLAIN void good_posted(void)
{
    MPI_Request request;
    MPI_Irecv(in, bytes, MPI_CHAR, left(), 1, world, &request);
    SEND(right(), 1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

PLAIN void good_isend(void)
{
    MPI_Request request;
    MPI_Isend(out, bytes, MPI_CHAR, right(), 1, world, &request);
    RECEIVE(left(), 1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

PLAIN void good_both(void)
{
    MPI_Request request[2];
    MPI_Isend(out, bytes, MPI_CHAR, right(), 1, world, &request[0]);
    MPI_Irecv(in, bytes, MPI_CHAR, left(), 1, world, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

PLAIN void good_bsend(void)
{
    int room = bytes + MPI_BSEND_OVERHEAD;
    char *buffer = malloc((size_t)room);
    MPI_Buffer_attach(buffer, room);
    MPI_Bsend(out, bytes, MPI_CHAR, right(), 1, world);
    RECEIVE(left(), 1);
    MPI_Buffer_detach(&buffer, &room);
    free(buffer);
}

PLAIN void good_ibsend(void)
{
    int room = bytes + MPI_BSEND_OVERHEAD;
    char *buffer = malloc((size_t)room);
    MPI_Request request;
    MPI_Buffer_attach(buffer, room);
    MPI_Ibsend(out, bytes, MPI_CHAR, right(), 1, world, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    RECEIVE(left(), 1);
    MPI_Buffer_detach(&buffer, &room);
    free(buffer);
}

PLAIN void good_even_odd(void)
{
    if (!has_partner())
        return;
    if (rank % 2 == 0)
        SEND(partner(), 1);
    RECEIVE(partner(), 1);
    if (rank % 2)
        SEND(partner(), 1);
}

PLAIN void good_chain(void)
{
    if (rank > 0)
        RECEIVE(rank - 1, 1);
    if (rank + 1 < size)
        SEND(rank + 1, 1);
}

PLAIN void good_ring_with_one_that_receives(void)
{
    if (rank == 0)
        RECEIVE(left(), 1);
    SEND(right(), 1);
    if (rank)
        RECEIVE(left(), 1);
}

PLAIN void good_open_line(void)
{
    if (rank + 1 < size)
        SEND(rank + 1, 1);
    if (rank > 0)
        RECEIVE(rank - 1, 1);
}

PLAIN void good_replace(void)
{
    MPI_Sendrecv_replace(out, bytes, MPI_CHAR, right(), 1, left(), 1, world, MPI_STATUS_IGNORE);
}

PLAIN void good_persistent(void)
{
    MPI_Request request[2];
    MPI_Send_init(out, bytes, MPI_CHAR, right(), 1, world, &request[0]);
    MPI_Recv_init(in, bytes, MPI_CHAR, left(), 1, world, &request[1]);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Startall(2, request);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
}

PLAIN void good_persistent_receive(void)
{
    MPI_Request request;
    MPI_Recv_init(in, bytes, MPI_CHAR, left(), 1, world, &request);
    MPI_Start(&request);
    SEND(right(), 1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

PLAIN void good_master(void)
{
    MPI_Status status;
    for (int i = 1; rank == 0 && i < size; i++) {
        MPI_Recv(in, bytes, MPI_CHAR, MPI_ANY_SOURCE, 1, world, &status);
        SEND(status.MPI_SOURCE, 2);
    }
    if (rank) {
        SEND(0, 1);
        RECEIVE(0, 2);
    }
}

PLAIN void good_waitany(void)
{
    MPI_Request request[2];
    int index;
    MPI_Irecv(in, bytes, MPI_CHAR, left(), 1, world, &request[0]);
    MPI_Isend(out, bytes, MPI_CHAR, right(), 1, world, &request[1]);
    MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
    MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
}

PLAIN void good_polls(void)
{
    MPI_Request request;
    int done = 0, there = 0;
    MPI_Isend(out, bytes, MPI_CHAR, right(), 1, world, &request);
    while (!done || !there) {
        if (!done)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        int found = 0;
        if (!there)
            MPI_Iprobe(left(), 1, world, &found, MPI_STATUS_IGNORE);
        if (found) {
            RECEIVE(left(), 1);
            there = 1;
        }
    }
}

PLAIN void good_barrier(void)
{
    MPI_Request request;
    if (rank == 0)
        MPI_Isend(out, bytes, MPI_CHAR, 1, 1, world, &request);
    MPI_Barrier(world);
    if (rank == 1)
        RECEIVE(0, 1);
    if (rank == 0)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
}

PLAIN void good_rooted(void)
{
    int one = 1;
    if (rank == 1)
        RECEIVE(0, 1);
    if (rank == 0)
        SEND(1, 1);
    MPI_Bcast(&one, 1, MPI_INT, 0, world);
}

PLAIN void good_null(void)
{
    int to = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, from = rank ? rank - 1 : MPI_PROC_NULL;
    SEND(to, 1);
    RECEIVE(from, 1);
}

PLAIN void good_empty(void)
{
    MPI_Send(out, 0, MPI_CHAR, right(), 1, world);
    MPI_Recv(in, 0, MPI_CHAR, left(), 1, world, MPI_STATUS_IGNORE);
}

#define MODE(name)                                                                                                     \
    {                                                                                                                  \
#name, name                                                                                                    \
    }

static const struct {
    const char *name;
    void (*run)(void);
} modes[] = {
    MODE(bad_ring),
    MODE(bad_pairs),
    MODE(bad_lines),
    MODE(bad_nonblocking),
    MODE(bad_waitall),
    MODE(bad_late_receive),
    MODE(bad_tags),
    MODE(bad_barrier),
    MODE(bad_reduction),
    MODE(bad_broadcast),
    MODE(bad_three),
    MODE(bad_halves),
    MODE(bad_one_of_two_receives),
    MODE(bad_communicator),
    MODE(bad_probe),
    MODE(bad_synchronous_one),
    MODE(bad_last_round),
    MODE(bad_gather),
    MODE(bad_any_source),
    MODE(bad_collective_request),
    MODE(good_sendrecv),
    MODE(good_posted),
    MODE(good_isend),
    MODE(good_both),
    MODE(good_bsend),
    MODE(good_ibsend),
    MODE(good_even_odd),
    MODE(good_chain),
    MODE(good_ring_with_one_that_receives),
    MODE(good_open_line),
    MODE(good_replace),
    MODE(good_persistent),
    MODE(good_persistent_receive),
    MODE(good_master),
    MODE(good_waitany),
    MODE(good_polls),
    MODE(good_barrier),
    MODE(good_rooted),
    MODE(good_null),
    MODE(good_empty),
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    bytes = argc > 2 ? atoi(argv[2]) : 2000;
    out = calloc((size_t)bytes + 1, 1);
    in = calloc((size_t)bytes + 1, 1);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (argc < 2 || strcmp(argv[1], modes[i].name) == 0) {
            modes[i].run();
            MPI_Barrier(world);
        }
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
