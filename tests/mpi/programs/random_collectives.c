/* A random program of collective calls, the same on all ranks: arguments follow from the seed, and differ between ranks
 * only as the standard allows. Optionally one argument of one call is wrong on one rank. At least three ranks.
 *
 *     random_collectives SEED CALLS [MUTATION RANK CALL]
 *
 * MUTATION: root, operation, count, type, function, form (nonblocking or not), skip, order (the call and the next one),
 * communicator. It hits the first suitable call from CALL on, and the program ends soon after. Before it, this rank
 * writes the file "wrong": number of the call on its communicator, communicator, line of the call in this file (0:
 * none).
 *
 * With even seeds, and a wrong communicator, errors are returned; else they end the program. */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef WITH_FORTRAN /* random_collectives_fortran.F90 */
enum { HAS_FORTRAN = 1 };
void fortran_barrier(MPI_Fint comm);
void fortran_bcast(void *buffer, int count, MPI_Fint type, int root, MPI_Fint comm);
void fortran_ibcast(void *buffer, int count, MPI_Fint type, int root, MPI_Fint comm);
void fortran_gather(void *send, int s, MPI_Fint st, void *receive, int r, MPI_Fint rt, int root, MPI_Fint comm);
void fortran_alltoallv(void *send, const int *s, const int *sd, MPI_Fint st, void *receive, const int *r, const int *rd,
                       MPI_Fint rt, MPI_Fint comm);
void fortran_reduce(void *send, void *receive, int count, MPI_Fint type, MPI_Fint op, int root, MPI_Fint comm);
void fortran_allreduce(void *send, void *receive, int count, MPI_Fint type, MPI_Fint op, int in_place, MPI_Fint comm);
#else
enum { HAS_FORTRAN = 0 };
#endif

enum { FORMS = 6, ROOM = 1 << 16, MOST = 16, BLOCK = 64, SLOTS = 4, SECONDS = 120 };

static uint64_t state;

static unsigned below(unsigned limit)
{
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ (z >> 31)) % limit);
}

static int world_rank, world_size;

/* ---- communicators ---- */

enum which { WORLD, COPY, PAIRS, REVERSED, RING, GRAPH, INTER, COMMS };

static const char *const names[COMMS] = {"MPI_COMM_WORLD", "copy", "pairs", "reversed", "ring", "graph", "inter"};
static MPI_Comm comm[COMMS];
static unsigned calls_on[COMMS];
static int peers[COMMS], peer[COMMS][MOST]; /* the ranks that data goes to, as ranks of the world */
static int own_rank[COMMS];

static void find_peers(enum which which)
{
    int remote;
    MPI_Group all, group;
    MPI_Comm_test_inter(comm[which], &remote);
    (remote ? MPI_Comm_remote_group : MPI_Comm_group)(comm[which], &group);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_size(group, &peers[which]);
    for (int i = 0; i < peers[which]; i++)
        MPI_Group_translate_ranks(group, 1, &i, all, &peer[which][i]);
    MPI_Comm_rank(comm[which], &own_rank[which]);
    MPI_Group_free(&group);
    MPI_Group_free(&all);
}

static void make_communicators(void)
{
    int n = world_size, r = world_rank, sources[] = {(r + n - 1) % n, (r + n - 2) % n},
        targets[] = {(r + 1) % n, (r + 2) % n};
    MPI_Comm base, half;
    comm[WORLD] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm[COPY]);
    MPI_Comm_split(MPI_COMM_WORLD, r / 2, 0, &comm[PAIRS]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -r, &comm[REVERSED]);
    MPI_Comm_dup(MPI_COMM_WORLD, &base);
    MPI_Cart_create(base, 1, (int[]){n}, (int[]){1}, 0, &comm[RING]);
    MPI_Comm_free(&base);
    MPI_Comm_dup(MPI_COMM_WORLD, &base);
    MPI_Dist_graph_create_adjacent(base, 2, sources, MPI_UNWEIGHTED, 2, targets, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &comm[GRAPH]);
    MPI_Comm_free(&base);
    MPI_Comm_split(MPI_COMM_WORLD, r % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - r % 2, 5, &comm[INTER]);
    MPI_Comm_free(&half);
    calls_on[WORLD] = 6;
    for (enum which i = 0; i < COMMS; i++) {
        if (i != WORLD)
            MPI_Comm_set_name(comm[i], names[i]);
        find_peers(i);
    }
}

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
    NEIGHBOR_ALLGATHER,
    NEIGHBOR_ALLGATHERV,
    NEIGHBOR_ALLTOALL,
    NEIGHBOR_ALLTOALLV,
    NEIGHBOR_ALLTOALLW,
    DUP, /* these have one form */
    IDUP,
    SPLIT,
    CREATE,
    WINDOW,
    FUNCTIONS
};

static bool is_rooted(enum function f)
{
    return f == BCAST || f == GATHER || f == SCATTER || f == GATHERV || f == SCATTERV || f == REDUCE;
}

static bool has_op(enum function f)
{
    return f >= REDUCE && f <= EXSCAN;
}

static bool has_forms(enum function f)
{
    return f < DUP;
}

static bool is_neighborhood(enum function f)
{
    return f >= NEIGHBOR_ALLGATHER && f <= NEIGHBOR_ALLTOALLW;
}

struct call {
    enum function function;
    enum { BLOCKING, NONBLOCKING, PERSISTENT } form;
    enum which which;
    int root; /* INTER: in the group of ranks whose parity is `roots` */
    int roots;
    int units, salt; /* sizes */
    int family;      /* 0: untyped, 1: pairs, 2: integers */
    struct form sent, received;
    MPI_Datatype reduced;
    MPI_Op op;
    bool in_place;
    bool large, fortran; /* this rank calls the form with large counts, or from Fortran */
    int more;            /* wrong: so many units more in one piece */
    MPI_Comm instead;    /* wrong: the communicator; MPI_COMM_NULL: none */
};

/* What a call uses until it is complete. */
static struct slot {
    MPI_Request request;
    bool active, persistent;
    int out[MOST], in[MOST], place[MOST], byte_place[MOST], single[MOST];
    MPI_Datatype out_type[MOST], in_type[MOST];
    MPI_Aint long_place[MOST];
    char send[ROOM], receive[ROOM];
} slots[SLOTS + 1]; /* the last one: blocking calls */

static const char *announced; /* the name of the communicator */
static unsigned announced_number;

static void announce(int line)
{
    if (!announced)
        return;
    FILE *file = fopen("wrong", "w"); /* launchers lose what an aborted rank has printed */
    if (file) {
        fprintf(file, "%u %s %d\n", announced_number, announced, line);
        fclose(file);
    }
    announced = NULL;
}

/* Ranks of the world. */
static int units_between(const struct call *call, int from, int to)
{
    return (call->in_place ? from + to + call->salt : from + 2 * to + call->salt) % 3;
}

static int units_of(const struct call *call, int rank)
{
    return (rank + call->salt) % 3;
}

static int degree_of(const struct call *call)
{
    return is_neighborhood(call->function) ? 2 : peers[call->which];
}

/* Neighbor i that sends to this rank, or that it sends to. */
static int neighbor(enum which which, int i, bool sends)
{
    int n = world_size, step = which == RING ? (i == 0 ? -1 : 1) : sends ? -1 - i : 1 + i;
    return (world_rank + step + n) % n;
}

static bool is_root(const struct call *call)
{
    if (call->which == INTER)
        return world_rank % 2 == call->roots && own_rank[INTER] == call->root;
    return own_rank[call->which] == call->root;
}

static int root_argument(const struct call *call)
{
    if (call->which != INTER || world_rank % 2 != call->roots)
        return call->root;
    return is_root(call) ? MPI_ROOT : MPI_PROC_NULL;
}

static void fill(struct slot *slot, const struct call *call)
{
    int n = degree_of(call);
    enum which which = call->which;
    for (int i = 0; i < n; i++) {
        bool near = is_neighborhood(call->function);
        int to = near ? neighbor(which, i, false) : peer[which][i], from = near ? neighbor(which, i, true) : to;
        bool one = call->function == GATHERV || call->function == SCATTERV || call->function == ALLGATHERV ||
                   call->function == NEIGHBOR_ALLGATHERV;
        slot->out[i] = (one ? units_of(call, to) : units_between(call, world_rank, to)) * call->sent.each;
        slot->in[i] = (one ? units_of(call, from) : units_between(call, from, world_rank)) * call->received.each;
        slot->single[i] = (i + call->salt) % 3;
        slot->place[i] = i * BLOCK;
        slot->byte_place[i] = i * BLOCK * 32;
        slot->long_place[i] = i * BLOCK * 32;
        slot->out_type[i] = call->sent.type;
        slot->in_type[i] = call->received.type;
    }
    if (call->more) { /* in one piece that is not this rank's own */
        int i = (own_rank[which] + 1) % n;
        slot->out[i] += call->more * call->sent.each;
        slot->in[i] += call->more * call->received.each;
        slot->single[i] += call->more;
    }
}

#ifdef HAS_MPI_4
#define INIT(name, ...) (slot->persistent = true, MPI_##name##_init(__VA_ARGS__, MPI_INFO_NULL, &slot->request))
#else
#define INIT(name, ...) MPI_ERR_OTHER
#endif

/* The call in its form, on one line: its call site. */
#define CALL(name, iname, ...)                                                                                         \
    do {                                                                                                               \
        announce(__LINE__);                                                                                            \
        if (call->form == NONBLOCKING)                                                                                 \
            code = MPI_I##iname(__VA_ARGS__, &slot->request);                                                          \
        else if (call->form == PERSISTENT)                                                                             \
            code = INIT(name, __VA_ARGS__);                                                                            \
        else                                                                                                           \
            code = MPI_##name(__VA_ARGS__);                                                                            \
    } while (0)

static int make_v(const struct call *call, struct slot *slot, MPI_Comm on)
{
    int code = MPI_SUCCESS, root = root_argument(call), own = units_of(call, world_rank);
    int *out = slot->out, *in = slot->in, *at = slot->place, *bytes = slot->byte_place;
    int s = (own + (is_root(call) ? 0 : call->more)) * call->sent.each;
    int r = (own + (is_root(call) ? 0 : call->more)) * call->received.each;
    MPI_Datatype st = call->sent.type, rt = call->received.type, *sts = slot->out_type, *rts = slot->in_type;
    void *from = slot->send, *to = slot->receive;
    switch (call->function) {
    case GATHERV:
        from = call->in_place && is_root(call) ? MPI_IN_PLACE : from;
        CALL(Gatherv, gatherv, from, s, st, to, in, at, rt, root, on);
        break;
    case SCATTERV:
        to = call->in_place && is_root(call) ? MPI_IN_PLACE : to;
        CALL(Scatterv, scatterv, from, out, at, st, to, r, rt, root, on);
        break;
    case ALLGATHERV:
        if (!call->in_place && call->more) { /* only in what it sends */
            s = (own + call->more) * call->sent.each;
            in[(own_rank[call->which] + 1) % degree_of(call)] -= call->more * call->received.each;
        }
        from = call->in_place ? MPI_IN_PLACE : from;
        CALL(Allgatherv, allgatherv, from, s, st, to, in, at, rt, on);
        break;
    case ALLTOALLV:
    case ALLTOALLW:
        if (!call->in_place && call->more)
            in[(own_rank[call->which] + 1) % degree_of(call)] -= call->more * call->received.each;
        from = call->in_place ? MPI_IN_PLACE : from;
        if (call->function == ALLTOALLV)
            CALL(Alltoallv, alltoallv, from, out, at, st, to, in, at, rt, on);
        else
            CALL(Alltoallw, alltoallw, from, out, bytes, sts, to, in, bytes, rts, on);
        break;
    case NEIGHBOR_ALLGATHERV:
        CALL(Neighbor_allgatherv, neighbor_allgatherv, from, own * call->sent.each, st, to, in, at, rt, on);
        break;
    case NEIGHBOR_ALLTOALLV:
        CALL(Neighbor_alltoallv, neighbor_alltoallv, from, out, at, st, to, in, at, rt, on);
        break;
    default:
        CALL(Neighbor_alltoallw, neighbor_alltoallw, from, out, slot->long_place, sts, to, in, slot->long_place, rts,
             on);
        break;
    }
    return code;
}

static int make_reduction(const struct call *call, struct slot *slot, MPI_Comm on)
{
    int code = MPI_SUCCESS, root = root_argument(call), n = call->units + call->more;
    void *from = call->in_place && (call->function != REDUCE || is_root(call)) ? MPI_IN_PLACE : slot->send;
    void *to = slot->receive;
    MPI_Datatype type = call->reduced;
    switch (call->function) {
    case REDUCE:
        CALL(Reduce, reduce, from, to, n, type, call->op, root, on);
        break;
    case ALLREDUCE:
        CALL(Allreduce, allreduce, from, to, n, type, call->op, on);
        break;
    case REDUCE_SCATTER:
        CALL(Reduce_scatter, reduce_scatter, from, to, slot->single, type, call->op, on);
        break;
    case REDUCE_SCATTER_BLOCK:
        CALL(Reduce_scatter_block, reduce_scatter_block, from, to, n, type, call->op, on);
        break;
    case SCAN:
        CALL(Scan, scan, from, to, n, type, call->op, on);
        break;
    default:
        CALL(Exscan, exscan, from, to, n, type, call->op, on);
        break;
    }
    return code;
}

static int make_object(const struct call *call, MPI_Comm on)
{
    MPI_Comm made;
    MPI_Group group;
    MPI_Win win;
    MPI_Request request;
    double *memory;
    int code;
    switch (call->function) {
    case DUP:
        announce(__LINE__ + 1);
        code = MPI_Comm_dup(on, &made);
        MPI_Barrier(made);
        break;
    case IDUP:
        announce(__LINE__ + 1);
        code = MPI_Comm_idup(on, &made, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    case SPLIT:
        announce(__LINE__ + 1);
        code = MPI_Comm_split(on, call->salt, world_rank, &made);
        break;
    case CREATE:
        MPI_Comm_group(on, &group);
        announce(__LINE__ + 1);
        code = MPI_Comm_create(on, group, &made);
        MPI_Group_free(&group);
        break;
    default:
        announce(__LINE__ + 1);
        code = MPI_Win_allocate(4 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, on, &memory, &win);
        MPI_Win_fence(0, win);
        MPI_Win_fence(0, win);
        return MPI_Win_free(&win) | code;
    }
    return MPI_Comm_free(&made) | code;
}

/* Returns false if there is no such call in Fortran. */
static bool make_in_fortran(const struct call *call, struct slot *slot, MPI_Comm comm_in_c)
{
#ifdef WITH_FORTRAN
    MPI_Fint on = MPI_Comm_c2f(comm_in_c), st = MPI_Type_c2f(call->sent.type), rt = MPI_Type_c2f(call->received.type);
    MPI_Fint type = MPI_Type_c2f(call->reduced), op = MPI_Op_c2f(call->op);
    int root = root_argument(call), s = call->units * call->sent.each, r = call->units * call->received.each;
    if (call->more || call->form == PERSISTENT || (call->form == NONBLOCKING && call->function != BCAST))
        return false;
    switch (call->function) {
    case BARRIER:
        fortran_barrier(on);
        return true;
    case BCAST:
        (call->form == NONBLOCKING ? fortran_ibcast : fortran_bcast)(slot->send, s, st, root, on);
        return true;
    case GATHER:
        if (call->in_place)
            return false;
        fortran_gather(slot->send, s, st, slot->receive, r, rt, root, on);
        return true;
    case ALLTOALLV:
        if (call->in_place)
            return false;
        fortran_alltoallv(slot->send, slot->out, slot->place, st, slot->receive, slot->in, slot->place, rt, on);
        return true;
    case REDUCE:
        if (call->in_place)
            return false;
        fortran_reduce(slot->send, slot->receive, call->units, type, op, root, on);
        return true;
    case ALLREDUCE:
        fortran_allreduce(slot->send, slot->receive, call->units, type, op, call->in_place, on);
        return true;
    default:
        return false;
    }
#else
    (void)call, (void)slot, (void)comm_in_c;
    return false;
#endif
}

/* Returns false if there is no such call with large counts. */
static bool make_large(const struct call *call, struct slot *slot, MPI_Comm on, int *code)
{
#ifdef HAS_LARGE_COUNTS
    MPI_Count units = call->units, s = units * call->sent.each, out[MOST], in[MOST];
    MPI_Aint at[MOST];
    void *from = call->in_place ? MPI_IN_PLACE : slot->send, *to = slot->receive;
    if (call->more || call->form != BLOCKING)
        return false;
    for (int i = 0; i < degree_of(call); i++) {
        out[i] = slot->out[i];
        in[i] = slot->in[i];
        at[i] = slot->place[i];
    }
    switch (call->function) {
    case BCAST:
        announce(__LINE__ + 1);
        *code = MPI_Bcast_c(slot->send, s, call->sent.type, root_argument(call), on);
        return true;
    case ALLREDUCE:
        announce(__LINE__ + 1);
        *code = MPI_Allreduce_c(from, to, units, call->reduced, call->op, on);
        return true;
    case ALLTOALLV:
        announce(__LINE__ + 1);
        *code = MPI_Alltoallv_c(from, out, at, call->sent.type, to, in, at, call->received.type, on);
        return true;
    default:
        return false;
    }
#else
    (void)call, (void)slot, (void)on, (void)code;
    return false;
#endif
}

static int make_fixed(const struct call *call, struct slot *slot, MPI_Comm on)
{
    bool rooted_here = is_root(call);
    int code = MPI_SUCCESS, root = root_argument(call), more = call->more;
    /* what is wrong in a block: what the root, or a member that sends in place, receives; else what is sent. */
    bool in_received = call->function == SCATTER  ? !rooted_here
                       : call->function == GATHER ? rooted_here
                                                  : call->in_place && call->function != BCAST;
    int s = (call->units + (in_received ? 0 : more)) * call->sent.each;
    int r = (call->units + (in_received ? more : 0)) * call->received.each;
    MPI_Datatype st = call->sent.type, rt = call->received.type;
    void *from = slot->send, *to = slot->receive, *in_place = call->in_place ? MPI_IN_PLACE : from;
    switch (call->function) {
    case BARRIER:
        CALL(Barrier, barrier, on);
        break;
    case BCAST:
        CALL(Bcast, bcast, from, s, st, root, on);
        break;
    case GATHER:
        CALL(Gather, gather, rooted_here ? in_place : from, s, st, to, r, rt, root, on);
        break;
    case SCATTER:
        to = rooted_here && call->in_place ? MPI_IN_PLACE : to;
        CALL(Scatter, scatter, from, s, st, to, r, rt, root, on);
        break;
    case ALLGATHER:
        CALL(Allgather, allgather, in_place, s, st, to, r, rt, on);
        break;
    case ALLTOALL:
        CALL(Alltoall, alltoall, in_place, s, st, to, r, rt, on);
        break;
    case NEIGHBOR_ALLGATHER:
        CALL(Neighbor_allgather, neighbor_allgather, from, s, st, to, r, rt, on);
        break;
    default:
        CALL(Neighbor_alltoall, neighbor_alltoall, from, s, st, to, r, rt, on);
        break;
    }
    return code;
}

static void complete(struct slot *slot)
{
    MPI_Wait(&slot->request, MPI_STATUS_IGNORE);
    if (slot->persistent) /* started once: MPICH 4.0.2 fails in the second start of MPI_Bcast_init */
        MPI_Request_free(&slot->request);
    slot->active = slot->persistent = false;
}

static void complete_all(void)
{
    MPI_Request requests[SLOTS];
    int count = 0;
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].active && !slots[i].persistent) {
            requests[count++] = slots[i].request;
            slots[i].active = false;
        }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].active)
            complete(&slots[i]);
}

static void start(const struct call *call)
{
    MPI_Comm on = call->instead != MPI_COMM_NULL ? call->instead : comm[call->which];
    struct slot *slot = &slots[SLOTS];
    int code = MPI_SUCCESS, i = 0;
    if (call->form != BLOCKING) {
        while (i < SLOTS && slots[i].active)
            i++;
        if (i == SLOTS)
            complete_all();
        slot = &slots[i % SLOTS];
    }
    fill(slot, call);
    if (call->fortran && make_in_fortran(call, slot, on))
        return;
    if (call->large && make_large(call, slot, on, &code))
        return;
    if (call->function >= DUP)
        code = make_object(call, on);
    else if (has_op(call->function))
        code = make_reduction(call, slot, on);
    else if ((call->function >= GATHERV && call->function <= ALLTOALLW) || call->function == NEIGHBOR_ALLGATHERV ||
             call->function == NEIGHBOR_ALLTOALLV || call->function == NEIGHBOR_ALLTOALLW)
        code = make_v(call, slot, on);
    else
        code = make_fixed(call, slot, on);
    if (code == MPI_SUCCESS && call->form != BLOCKING) {
        slot->active = true;
        if (slot->persistent)
            MPI_Start(&slot->request);
    }
}

static bool fits(enum function f, enum which which)
{
    if (which == INTER)
#ifdef OPEN_MPI /* 4.1.4 ends the others with MPI_ERR_TRUNCATE */
        return (f <= REDUCE_SCATTER_BLOCK && (f < GATHERV || f > ALLGATHERV)) || f == DUP || f == SPLIT;
#else
        return f <= REDUCE_SCATTER_BLOCK || f == DUP || f == SPLIT;
#endif
    return !is_neighborhood(f) || which == RING || which == GRAPH;
}

/* All ranks draw alike; what may differ between them follows from one number and the rank. */
static struct call choose(void)
{
    static const MPI_Datatype reduced[] = {MPI_INT, MPI_DOUBLE, MPI_LONG, MPI_FLOAT};
    const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD};
    struct call call = {.which = below(COMMS), .instead = MPI_COMM_NULL};
    do
        call.function = below(FUNCTIONS);
    while (!fits(call.function, call.which));
    bool rare = call.function >= DUP; /* expensive */
    if (rare && below(4))
        call.function = ALLREDUCE;
    call.root = (int)below((unsigned)(call.which == INTER ? world_size / 2 : peers[call.which]));
    call.roots = (int)below(2);
    call.units =
        below(20) || call.which == INTER ? (int)below(5) : 300; /* MPICH 4.0.2 hangs in a long scatter on INTER */
    call.salt = (int)below(3);
    unsigned family = below(5), own = below(1u << 20) + (unsigned)world_rank * 7919u;
    call.family = family == 0 ? 0 : family < 3 ? 1 : 2;
    call.sent = call.family == 0 ? untyped : call.family == 1 ? pairs[own % FORMS] : integers[own % FORMS];
    call.received = call.family == 0   ? untyped
                    : call.family == 1 ? pairs[(own >> 1) % FORMS]
                                       : integers[(own >> 1) % FORMS];
    call.reduced = reduced[below(4)];
    call.op = ops[below(4)];
    call.in_place = below(4) == 0 && call.which != INTER && !is_neighborhood(call.function);
    unsigned form = below(4);
#ifdef HAS_MPI_4
    call.form = form == 1 ? NONBLOCKING : form == 2 ? PERSISTENT : BLOCKING;
#else
    call.form = form == 1 ? NONBLOCKING : BLOCKING;
#endif
    if (!has_forms(call.function))
        call.form = BLOCKING;
    call.large = own % 3 == 0;
    call.fortran = own % 4 == 1;
    if (call.function == REDUCE && call.units > 4) /* MPICH 4.0.2 crashes in a long MPI_Reduce in place */
        call.in_place = false;
    return call;
}

/* ---- one wrong argument ---- */

static const struct call barrier = {.function = BARRIER, .instead = MPI_COMM_NULL};

/* The datatype of another family with the same size. */
static struct form other_type(const struct call *call)
{
    return call->family == 2 ? (struct form){MPI_DOUBLE, 2} : (struct form){MPI_INT, 3};
}

static MPI_Datatype other_reduced(MPI_Datatype type)
{
    return type == MPI_INT ? MPI_FLOAT : type == MPI_FLOAT ? MPI_INT : type == MPI_DOUBLE ? MPI_LONG : MPI_DOUBLE;
}

/* The smallest number of units that rank `wrong` names in the piece that becomes wrong; -1: data is not compared. */
static int units_at(const struct call *call, int wrong)
{
    enum function f = call->function;
    if (call->which == INTER || f == BARRIER || f >= NEIGHBOR_ALLGATHER)
        return -1;
    int rank = -1, n = peers[call->which];
    for (int i = 0; i < n; i++)
        rank = peer[call->which][i] == wrong ? i : rank;
    int next = (rank + 1) % n, next_world = peer[call->which][next];
    bool root = rank == call->root;
    switch (f) {
    case GATHERV:
    case SCATTERV:
        return units_of(call, root ? next_world : wrong);
    case ALLGATHERV:
        return units_of(call, call->in_place ? next_world : wrong);
    case ALLTOALLV:
    case ALLTOALLW:
        return units_between(call, wrong, next_world);
    case REDUCE_SCATTER:
        return (next + call->salt) % 3;
    default:
        return call->units;
    }
}

/* Makes the argument wrong. Returns false if this call cannot have this error on this rank. All ranks decide alike. */
static bool mutate(struct call *call, const char *what, int wrong)
{
    enum function f = call->function;
    bool roots = call->which != INTER || wrong % 2 == call->roots;
    int size = call->which == INTER ? world_size / 2 : peers[call->which], units = units_at(call, wrong);
    call->fortran = call->large = false; /* rank `wrong` has the line of this file */
    if (call->which == PAIRS || size < 2)
        return false;
    if (strcmp(what, "root") == 0 && is_rooted(f) && (call->which != INTER || !roots)) {
        call->root = (call->root + 1) % size;
        return true;
    }
    if (strcmp(what, "operation") == 0 && has_op(f) && (call->which != INTER || f != REDUCE || !roots)) {
        call->op = call->op == MPI_SUM ? MPI_MAX : MPI_SUM;
        return true;
    }
    if (strcmp(what, "count") == 0 && units >= 0) {
        call->more = units > 0 && call->salt ? -1 : 1;
        return true;
    }
    if (strcmp(what, "type") == 0 && units > 0 && (has_op(f) || call->family)) {
        call->reduced = other_reduced(call->reduced);
        call->sent = call->received = other_type(call);
        if (f == ALLTOALL || f == ALLGATHER || f == ALLTOALLV || f == ALLTOALLW || f == ALLGATHERV)
            call->received = call->in_place ? call->sent : call->family == 1 ? pairs[0] : integers[0];
        return true;
    }
    if (strcmp(what, "function") == 0) {
        call->function = f == BARRIER ? ALLREDUCE : BARRIER;
        return true;
    }
    if (strcmp(what, "form") == 0 && has_forms(f) && call->form != PERSISTENT) {
        call->form = call->form == BLOCKING ? NONBLOCKING : BLOCKING;
        return true;
    }
    if (f == BARRIER && call->form == BLOCKING) /* the next call of all */
        return false;
    if (strcmp(what, "communicator") == 0 && is_rooted(f)) /* a root of the other one may lack the arguments of roots */
        return false;
    if (strcmp(what, "communicator") == 0 && (call->which == WORLD || call->which == COPY || call->which == REVERSED)) {
        call->instead = comm[call->which == WORLD ? COPY : WORLD];
        return true;
    }
    return strcmp(what, "skip") == 0 || strcmp(what, "order") == 0;
}

/* The call, wrong on one rank, and a barrier on the same communicator. */
static void make_wrong(const struct call *call, const struct call *mutated, const char *what, bool here)
{
    struct call next = barrier;
    next.which = call->which;
    complete_all();
    alarm(SECONDS); /* the call may block */
    if (here) {
        announced = names[call->which];
        announced_number = calls_on[call->which];
    }
    if (here && strcmp(what, "skip") != 0 && strcmp(what, "order") != 0) {
        start(mutated);
        announce(0);
    } else if (!here) {
        start(call);
    }
    start(&next); /* skip, order: announced with its line */
    if (here && strcmp(what, "order") == 0)
        start(call);
    complete_all();
    next.which = call->which == WORLD ? COPY : WORLD;
    start(&next);
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
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    if (world_size < 3 || world_size > MOST || world_size % 2)
        MPI_Abort(MPI_COMM_WORLD, 2);
    make_communicators();
    bool returned = mutation && (state % 2 == 0 || strcmp(mutation, "communicator") == 0);
    for (int i = 0; i < COMMS && returned; i++)
        MPI_Comm_set_errhandler(comm[i], MPI_ERRORS_RETURN);
    make_types();
    for (long i = 0; i < calls && !done; i++) {
        struct call call = choose(), mutated = call;
        calls_on[call.which]++;
        done = mutation && i >= from && mutate(&mutated, mutation, wrong);
        if (done)
            make_wrong(&call, &mutated, mutation, world_rank == wrong);
        else
            start(&call);
        if (below(4) == 0 && !done)
            complete_all();
    }
    complete_all();
    if (!done) {
        free_types();
        for (int i = 1; i < COMMS; i++)
            MPI_Comm_free(&comm[i]);
    }
    if (world_rank == 0 && !mutation)
        printf("%ld calls, Fortran %d\n", calls, HAS_FORTRAN);
    MPI_Finalize();
    return 0;
}
