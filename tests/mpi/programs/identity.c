/* Random collective creations, each named so that the name tells the truth about who shares it: processes that have a
   part in one object agree on a number by talking over it. identity.py compares that with what the traces say.
   Usage: identity SEED STEPS [threads]. The same seed on all ranks makes them agree on what to do. */
#include "check.h"

#include <pthread.h>
#include <stdint.h>

enum { LIVE_MAX = 24, COMMS_PER_THREAD = 12, THREADS = 2 };

static int world_rank, world_size;

/* ---- the truth ---- */

static int counter;

/* A number that no other process ever takes. */
static int fresh(void)
{
    return __atomic_add_fetch(&counter, 1, __ATOMIC_RELAXED) * 1000 + world_rank;
}

/* The members of a communicator, on both sides, agree on one of their numbers. */
static int agree(MPI_Comm comm)
{
    int own = fresh(), lowest = own, inter, remote;
    MPI_Comm_test_inter(comm, &inter);
    if (!inter) {
        MPI_Allreduce(&own, &lowest, 1, MPI_INT, MPI_MIN, comm);
        return lowest;
    }
    MPI_Allreduce(&own, &remote, 1, MPI_INT, MPI_MIN, comm); /* of the other side */
    MPI_Allreduce(&remote, &lowest, 1, MPI_INT, MPI_MIN, comm);
    return remote < lowest ? remote : lowest;
}

static void name_it(MPI_Comm made, int family)
{
    char name[MPI_MAX_OBJECT_NAME];
    snprintf(name, sizeof name, "truth/%d/%d", family, agree(made));
    MPI_Comm_set_name(made, name);
}

/* ---- creating ---- */

static uint64_t state;

/* xorshift: the same on all ranks. */
static int chance(int below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)(state % (uint64_t)below);
}

static MPI_Comm live[LIVE_MAX]; /* MPI_COMM_NULL where this process has no part */
static int lives;

static void keep(MPI_Comm made, int family)
{
    if (made != MPI_COMM_NULL)
        name_it(made, family);
    if (lives == LIVE_MAX) { /* all ranks forget the same place */
        int gone = 1 + chance(LIVE_MAX - 1);
        if (live[gone] != MPI_COMM_NULL)
            MPI_Comm_free(&live[gone]);
        live[gone] = made;
    } else {
        live[lives++] = made;
    }
}

static MPI_Comm make_split(MPI_Comm parent)
{
    MPI_Comm made;
    int colors = 1 + chance(3), nobody = chance(4), rank;
    MPI_Comm_rank(parent, &rank);
    int color = rank % colors;
    MPI_Comm_split(parent, color == nobody ? MPI_UNDEFINED : color, chance(2) ? rank : -rank, &made);
    return made;
}

/* Ranks that share memory. MPICH 5 on UCX reports none, and communicators of one rank are not checked. */
static MPI_Comm make_shared(MPI_Comm parent)
{
    MPI_Comm made;
    int size, most;
    MPI_Comm_split_type(parent, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
    MPI_Comm_size(made, &size);
    MPI_Allreduce(&size, &most, 1, MPI_INT, MPI_MAX, parent);
    if (most > 1)
        return made;
    name_it(made, -1);
    MPI_Comm_free(&made);
    MPI_Comm_dup(parent, &made);
    return made;
}

/* Groups that lie apart: even ranks backwards, odd ones forwards. */
static MPI_Comm make_create(MPI_Comm parent)
{
    MPI_Comm made;
    MPI_Group all, some;
    int rank, size, ranks[64], count = 0;
    MPI_Comm_rank(parent, &rank);
    MPI_Comm_size(parent, &size);
    for (int i = 0; i < size; i++)
        if (i % 2 == rank % 2)
            ranks[count++] = rank % 2 ? i : size - 1 - i - (size % 2 == 0);
    for (int i = 0; rank % 2 == 0 && i < count; i++)
        ranks[i] = 2 * (count - 1 - i);
    MPI_Comm_group(parent, &all);
    MPI_Group_incl(all, count, ranks, &some);
    MPI_Comm_create(parent, some, &made);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    return made;
}

static MPI_Comm make_cart(MPI_Comm parent)
{
    MPI_Comm made, part = MPI_COMM_NULL;
    int size, dims[2] = {0, 0}, periods[2] = {1, 0}, remain[2] = {chance(2), 1};
    MPI_Comm_size(parent, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(parent, 2, dims, periods, chance(2), &made);
    name_it(made, -1);
    MPI_Cart_sub(made, remain, &part);
    name_it(part, -1);
    MPI_Comm_free(&part);
    return made;
}

static MPI_Comm make_graph(MPI_Comm parent)
{
    MPI_Comm made;
    int rank, size;
    MPI_Comm_rank(parent, &rank);
    MPI_Comm_size(parent, &size);
    int from = (rank + size - 1) % size, to = (rank + 1) % size;
    MPI_Dist_graph_create_adjacent(parent, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    return made;
}

/* Two halves, an intercommunicator between them, and what comes of that. */
static MPI_Comm make_inter(MPI_Comm parent)
{
    MPI_Comm half, between, merged, copy;
    int rank, size, merge = chance(2);
    MPI_Comm_rank(parent, &rank);
    MPI_Comm_size(parent, &size);
    if (size < 2)
        return MPI_COMM_NULL;
    int upper = rank >= size / 2;
    MPI_Comm_split(parent, upper, rank, &half);
    name_it(half, -1);
    MPI_Intercomm_create(half, 0, parent, upper ? 0 : size / 2, 7, &between);
    name_it(between, -1);
    MPI_Comm_dup(between, &copy);
    name_it(copy, -1);
    MPI_Comm_free(&copy);
    if (merge) {
        MPI_Intercomm_merge(between, upper, &merged);
        name_it(merged, -1);
        MPI_Comm_free(&merged);
    }
    if (size >= 4) { /* each part has members on both sides */
        MPI_Comm_rank(half, &rank);
        MPI_Comm_split(between, rank % 2, rank, &copy);
        name_it(copy, -1);
        MPI_Comm_free(&copy);
    }
    MPI_Comm_free(&between);
    return half;
}

static void make_window(MPI_Comm parent)
{
    MPI_Win window;
    char name[MPI_MAX_OBJECT_NAME];
    void *part;
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, parent, &part, &window);
    snprintf(name, sizeof name, "truth/-1/%d", agree(parent));
    MPI_Win_set_name(window, name);
    MPI_Win_free(&window);
}

/* Only the members take part: every rank has made another number of these on the parent. */
static void make_pairs(MPI_Comm parent)
{
    MPI_Group all, pair;
    MPI_Comm made;
    int rank, size;
    MPI_Comm_rank(parent, &rank);
    MPI_Comm_size(parent, &size);
    MPI_Comm_group(parent, &all);
    for (int low = 0; low < size; low++)
        for (int high = low + 1; high < size; high++) {
            if (rank != low && rank != high)
                continue;
            for (int times = (low + high) % 3; times >= 0; times--) {
                MPI_Group_incl(all, 2, times % 2 ? (int[]){low, high} : (int[]){high, low}, &pair);
                MPI_Comm_create_group(parent, pair, times, &made);
                name_it(made, -1);
                MPI_Comm_free(&made);
                MPI_Group_free(&pair);
            }
        }
    MPI_Group_free(&all);
}

static void step(void)
{
    MPI_Comm parent = live[chance(lives)], made = MPI_COMM_NULL;
    int what = chance(9), family = -1;
    uint64_t before = state;
    if (parent != MPI_COMM_NULL) {
        family = agree(parent);
        MPI_Request request;
        switch (what) {
        case 0:
            MPI_Comm_dup(parent, &made);
            break;
        case 1:
            MPI_Comm_idup(parent, &made, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            break;
        case 2:
            made = make_split(parent);
            break;
        case 3:
            made = make_shared(parent);
            break;
        case 4:
            made = make_create(parent);
            break;
        case 5:
            made = make_cart(parent);
            break;
        case 6:
            made = make_graph(parent);
            break;
        case 7:
            made = make_inter(parent);
            break;
        default:
            make_pairs(parent);
        }
    }
    state = before ^ (uint64_t)(what + 1) * 0x9e3779b97f4a7c15u; /* those who had no part go on with the same */
    keep(made, what == 5 || what == 7 ? -1 : family);
}

/* ---- threads that create at once, each on its own communicator ---- */

static void *create_some(void *argument)
{
    MPI_Comm parent = *(MPI_Comm *)argument, made;
    for (int i = 0; i < COMMS_PER_THREAD; i++) {
        int family = agree(parent);
        if (i % 2)
            MPI_Comm_dup(parent, &made);
        else
            MPI_Comm_split(parent, world_rank % 2, 0, &made);
        name_it(made, family);
        MPI_Comm_free(&made);
    }
    return NULL;
}

static void create_in_threads(void)
{
    pthread_t threads[THREADS];
    MPI_Comm own[THREADS];
    for (int i = 0; i < THREADS; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &own[i]);
        name_it(own[i], -1);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, create_some, &own[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&own[i]);
}

int main(int argc, char **argv)
{
    int provided, steps = argc > 2 ? atoi(argv[2]) : 10;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    state = 0x2545f4914f6cdd1du ^ (uint64_t)(argc > 1 ? atoi(argv[1]) : 1);
    live[lives++] = MPI_COMM_WORLD;
    if (argc > 3 && provided == MPI_THREAD_MULTIPLE)
        create_in_threads();
    for (int i = 0; i < steps; i++)
        step();
    for (int i = 0; i < 3; i++)
        make_window(MPI_COMM_WORLD);
    for (int i = 1; i < lives; i++)
        if (live[i] != MPI_COMM_NULL)
            MPI_Comm_free(&live[i]);
    MPI_Finalize();
    return 0;
}
