/* A random program of collective calls, the same on all ranks: arguments follow from the seed, and differ between ranks
 * only as the standard allows. Optionally one argument of one call is wrong on one rank.
 *
 *     random_collectives SEED CALLS [MUTATION RANK CALL]
 *
 * MUTATION: root, operation, count, type, function. It hits the first suitable call from CALL on; the program then
 * prints "mutated NUMBER", the number of that call on its communicator, and ends soon after. */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMMS = 4, FORMS = 6, ROOM = 1 << 16, MOST = 16, SECONDS = 20 };

static uint64_t state;

static unsigned below(unsigned limit)
{
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ (z >> 31)) % limit);
}

static MPI_Comm comm[COMMS];
static unsigned calls_on[COMMS];
static int world_rank;
static char send[ROOM], receive[ROOM];

/* ---- datatypes ---- */

/* All of a family have the same signature: so many times four integers, or pairs of a double and an integer. */
static struct form {
    MPI_Datatype type;
    int each; /* elements for one unit */
} integers[FORMS], pairs[FORMS], untyped;

static void commit(struct form *form, MPI_Datatype type, int each)
{
    *form = (struct form){type, each};
    MPI_Type_commit(&form->type);
}

static void make_types(void)
{
    MPI_Datatype type, other;
    integers[0] = (struct form){MPI_INT, 4};
    MPI_Type_contiguous(2, MPI_INT, &type);
    commit(&integers[1], type, 2);
    MPI_Type_vector(2, 2, 3, MPI_INT, &type);
    commit(&integers[2], type, 1);
    MPI_Type_create_resized(integers[1].type, 0, 12, &type);
    commit(&integers[3], type, 2);
    MPI_Type_create_subarray(1, (int[]){8}, (int[]){4}, (int[]){2}, MPI_ORDER_C, MPI_INT, &type);
    commit(&integers[4], type, 1);
    MPI_Type_create_struct(2, (int[]){3, 1}, (MPI_Aint[]){0, 16}, (MPI_Datatype[]){MPI_INT, MPI_INT}, &type);
    commit(&integers[5], type, 1);

    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_DOUBLE, MPI_INT}, &type);
    commit(&pairs[0], type, 1);
    pairs[1] = (struct form){MPI_DOUBLE_INT, 1};
    MPI_Type_contiguous(1, MPI_DOUBLE_INT, &other);
    commit(&pairs[2], other, 1);
    MPI_Type_dup(pairs[0].type, &other);
    commit(&pairs[3], other, 1);
    MPI_Type_indexed(1, (int[]){1}, (int[]){1}, pairs[0].type, &other);
    commit(&pairs[4], other, 1);
    MPI_Type_create_hindexed(1, (int[]){1}, (MPI_Aint[]){8}, MPI_DOUBLE_INT, &other);
    commit(&pairs[5], other, 1);
    untyped = (struct form){MPI_BYTE, 16};
}

static void free_types(void)
{
    for (int i = 1; i < FORMS; i++)
        MPI_Type_free(&integers[i].type);
    for (int i = 0; i < FORMS; i++)
        if (i != 1)
            MPI_Type_free(&pairs[i].type);
}

/* ---- one call ---- */

enum function {
    BARRIER,
    BCAST,
    GATHER,
    SCATTER,
    ALLGATHER,
    ALLTOALL,
    GATHERV,
    SCATTERV,
    ALLGATHERV,
    ALLTOALLV,
    ALLTOALLW,
    REDUCE,
    ALLREDUCE,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    SCAN,
    EXSCAN,
    IBCAST,
    IALLREDUCE,
    DUP,
    FUNCTIONS
};

static bool has_root(enum function f)
{
    return f == BCAST || f == GATHER || f == SCATTER || f == REDUCE || f == IBCAST;
}

static bool has_op(enum function f)
{
    return f == REDUCE || f == ALLREDUCE || f == REDUCE_SCATTER_BLOCK || f == SCAN || f == EXSCAN || f == IALLREDUCE;
}

struct call {
    enum function function;
    int root, units;
    struct form form[2]; /* for what this rank sends and receives */
    MPI_Datatype reduced;
    MPI_Op op;
    bool in_place;
};

static void make(const struct call *call, int which)
{
    MPI_Comm on = comm[which];
    int rank, size, s = call->units * call->form[0].each, r = call->units * call->form[1].each;
    int counts[MOST], back[MOST], zero[MOST] = {0}, single[MOST];
    MPI_Datatype sent[MOST], received[MOST], st = call->form[0].type, rt = call->form[1].type;
    MPI_Request request;
    MPI_Comm made;
    MPI_Comm_rank(on, &rank);
    MPI_Comm_size(on, &size);
    for (int i = 0; i < size; i++) {
        counts[i] = (rank + i) % 3 * call->form[0].each; /* from here to i, and from i to here */
        back[i] = (rank + i) % 3 * call->form[1].each;
        single[i] = i % 3;
        sent[i] = st;
        received[i] = rt;
    }
    switch (call->function) {
    case BARRIER:
        MPI_Barrier(on);
        break;
    case BCAST:
        MPI_Bcast(send, s, st, call->root, on);
        break;
    case GATHER:
        MPI_Gather(call->in_place && rank == call->root ? MPI_IN_PLACE : send, s, st, receive, r, rt, call->root, on);
        break;
    case SCATTER:
        MPI_Scatter(send, s, st, call->in_place && rank == call->root ? MPI_IN_PLACE : receive, r, rt, call->root, on);
        break;
    case ALLGATHER:
        MPI_Allgather(call->in_place ? MPI_IN_PLACE : send, s, st, receive, r, rt, on);
        break;
    case ALLTOALL:
        MPI_Alltoall(send, s, st, receive, r, rt, on);
        break;
    case GATHERV:
        for (int i = 0; i < size; i++)
            back[i] = single[i] * call->form[1].each;
        MPI_Gatherv(send, single[rank] * call->form[0].each, st, receive, back, zero, rt, call->root, on);
        break;
    case SCATTERV:
        for (int i = 0; i < size; i++)
            counts[i] = single[i] * call->form[0].each;
        MPI_Scatterv(send, counts, zero, st, receive, single[rank] * call->form[1].each, rt, call->root, on);
        break;
    case ALLGATHERV:
        for (int i = 0; i < size; i++)
            back[i] = single[i] * call->form[1].each;
        MPI_Allgatherv(send, single[rank] * call->form[0].each, st, receive, back, zero, rt, on);
        break;
    case ALLTOALLV:
        MPI_Alltoallv(send, counts, zero, st, receive, back, zero, rt, on);
        break;
    case ALLTOALLW:
        MPI_Alltoallw(send, counts, zero, sent, receive, back, zero, received, on);
        break;
    case REDUCE:
        MPI_Reduce(send, receive, call->units, call->reduced, call->op, call->root, on);
        break;
    case ALLREDUCE:
        MPI_Allreduce(call->in_place ? MPI_IN_PLACE : send, receive, call->units, call->reduced, call->op, on);
        break;
    case REDUCE_SCATTER:
        MPI_Reduce_scatter(send, receive, single, call->reduced, call->op, on);
        break;
    case REDUCE_SCATTER_BLOCK:
        MPI_Reduce_scatter_block(send, receive, call->units, call->reduced, call->op, on);
        break;
    case SCAN:
        MPI_Scan(send, receive, call->units, call->reduced, call->op, on);
        break;
    case EXSCAN:
        MPI_Exscan(send, receive, call->units, call->reduced, call->op, on);
        break;
    case IBCAST:
        MPI_Ibcast(send, s, st, call->root, on, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    case IALLREDUCE:
        MPI_Iallreduce(send, receive, call->units, call->reduced, call->op, on, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    case DUP:
        MPI_Comm_dup(on, &made);
        MPI_Barrier(made);
        MPI_Comm_free(&made);
        break;
    default:
        break;
    }
}

static struct call choose(int which)
{
    static const MPI_Datatype reduced[] = {MPI_INT, MPI_DOUBLE, MPI_LONG, MPI_FLOAT};
    const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD};
    int size;
    MPI_Comm_size(comm[which], &size);
    struct call call = {.function = below(FUNCTIONS), .root = (int)below((unsigned)size), .units = (int)below(5)};
    unsigned family = below(5), own = below(1u << 20) + (unsigned)world_rank * 7919u;
    for (int i = 0; i < 2; i++)
        call.form[i] = family == 0 ? untyped : family < 3 ? pairs[(own >> i) % FORMS] : integers[(own >> i) % FORMS];
    call.reduced = reduced[below(4)];
    call.op = ops[below(4)];
    call.in_place = below(4) == 0;
    return call;
}

/* ---- one wrong argument ---- */

/* Returns false if this call cannot have this error. All ranks decide alike. */
static bool mutate(struct call *call, const char *what, int which)
{
    int size;
    bool typed = call->form[0].type != MPI_BYTE;
    MPI_Comm_size(comm[which], &size);
    if (size < 2)
        return false;
    if (strcmp(what, "root") == 0 && has_root(call->function)) {
        call->root = (call->root + 1) % size;
        return true;
    }
    if (strcmp(what, "operation") == 0 && has_op(call->function)) {
        call->op = call->op == MPI_SUM ? MPI_MAX : MPI_SUM;
        return true;
    }
    if (strcmp(what, "count") == 0 && (call->function == BCAST || has_op(call->function))) {
        call->units++;
        return true;
    }
    if (strcmp(what, "type") == 0 && call->units && has_op(call->function)) {
        call->reduced = call->reduced == MPI_INT      ? MPI_FLOAT
                        : call->reduced == MPI_FLOAT  ? MPI_INT
                        : call->reduced == MPI_DOUBLE ? MPI_LONG
                                                      : MPI_DOUBLE;
        return true;
    }
    if (strcmp(what, "function") == 0 && typed && (call->function == BARRIER || call->function == ALLREDUCE)) {
        call->function = call->function == BARRIER ? ALLREDUCE : BARRIER;
        return true;
    }
    return false;
}

int main(int argc, char **argv)
{
    long calls = argc > 2 ? atol(argv[2]) : 100;
    const char *mutation = argc > 5 ? argv[3] : NULL;
    int wrong = argc > 5 ? atoi(argv[4]) : -1;
    long from = argc > 5 ? atol(argv[5]) : -1;
    bool done = false;
    MPI_Init(&argc, &argv);
    state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    comm[0] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm[1]);
    MPI_Comm_split(MPI_COMM_WORLD, world_rank / 2, 0, &comm[2]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &comm[3]);
    calls_on[0] = 3;
    make_types();
    memset(send, 0, sizeof send);
    for (long i = 0; i < calls; i++) {
        int which = (int)below(COMMS);
        struct call call = choose(which), mutated = call;
        calls_on[which]++;
        if (mutation && !done && i >= from && which != 2 && mutate(&mutated, mutation, which)) {
            done = true;
            calls = i + 4;
            if (world_rank == wrong) {
                call = mutated;
                printf("mutated %u\n", calls_on[which]);
                fflush(stdout);
            }
            alarm(SECONDS / 4); /* the wrong call may block */
        }
        make(&call, which);
    }
    free_types();
    for (int i = 1; i < COMMS; i++)
        MPI_Comm_free(&comm[i]);
    MPI_Finalize();
    return 0;
}
