/* A random program of one-sided calls, the same on all ranks: each rank draws the accesses of all, so that each place
 * of a window has one writer, readers, or equal atomic operations in each epoch. Optionally one handle, request, buffer
 * or epoch is wrong on one rank.
 *
 *     random_windows SEED ROUNDS [FAULT RANK ROUND]
 *
 * The fault is made in the first suitable round from ROUND on, and prints its name and line. Errors are returned. */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS = 12, SLOT = 4, OPS = 6, MOST = 8, SECONDS = 60 };
enum round { FENCES, ALL, SHARED, EXCLUSIVE, GROUPS, ROUNDS };
enum access { NONE, PUT, GET, SUM, GET_SUM, FETCH, NO_OP, REQUEST_PUT, REQUEST_GET, PUT_GAPS, GET_GAPS };

static uint64_t state;
static int rank, size, wrong_round = -1;
static const char *fault = "";
static MPI_Win win, exclusive; /* whose accesses are ordered by exclusive locks */
static MPI_Datatype gaps;      /* two numbers, and a gap of one */
static struct access_of {
    enum access access;
    int target, slot, count;
} drawn[MOST][OPS];
static int room[OPS][SLOT], result[OPS][SLOT], spare[SLOT];
static MPI_Request request[OPS];

static unsigned below(unsigned limit)
{
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ (z >> 31)) % limit);
}

/* True once, if this is the fault. */
static bool is_wrong(const char *name)
{
    if (wrong_round < 0 || strcmp(fault, name) != 0)
        return false;
    fault = "";
    return true;
}

#define FAULT(...)                                                                                                     \
    do {                                                                                                               \
        printf("fault %d\n", __LINE__);                                                                                \
        fflush(stdout);                                                                                                \
        __VA_ARGS__;                                                                                                   \
    } while (0)

static void draw_round(enum round kind)
{
    static const enum access writes[] = {PUT, GET, SUM, GET_SUM, FETCH, PUT_GAPS, GET_GAPS, REQUEST_PUT, REQUEST_GET},
                             reads[] = {GET, NO_OP, GET_GAPS, REQUEST_GET}, adds[] = {SUM, GET_SUM, FETCH, NO_OP};
    unsigned mode[MOST][SLOTS];
    int writer[MOST][SLOTS];
    bool used[MOST][MOST][SLOTS] = {0};
    for (int t = 0; t < size; t++)
        for (int s = 0; s < SLOTS; s++) {
            mode[t][s] = below(3);
            writer[t][s] = (int)below((unsigned)size);
        }
    for (int r = 0; r < size; r++)
        for (int i = 0; i < OPS; i++) {
            struct access_of *it = &drawn[r][i];
            *it = (struct access_of){NONE, (int)below((unsigned)size), (int)below(SLOTS), 1 + (int)below(SLOT)};
            unsigned choice = below(36), m = mode[it->target][it->slot];
            if (used[r][it->target][it->slot] || (m == 0 && writer[it->target][it->slot] != r))
                continue;
            used[r][it->target][it->slot] = true;
            it->access = m == 0 ? writes[choice % 9] : m == 1 ? reads[choice % 4] : adds[choice % 4];
            bool passive = kind == ALL || kind == SHARED || kind == EXCLUSIVE;
            if (!passive && it->access == REQUEST_PUT)
                it->access = PUT;
            if (!passive && it->access == REQUEST_GET)
                it->access = GET;
        }
}

static void access_one(const struct access_of *it, int i, MPI_Win of)
{
    int at = it->slot * SLOT, n = it->count, t = it->target, *own = room[i], *back = result[i];
    switch (it->access) {
    case PUT:
        MPI_Put(own, n, MPI_INT, t, at, n, MPI_INT, of);
        break;
    case GET:
        MPI_Get(own, n, MPI_INT, t, at, n, MPI_INT, of);
        break;
    case SUM:
        MPI_Accumulate(own, n, MPI_INT, t, at, n, MPI_INT, MPI_SUM, of);
        break;
    case GET_SUM:
        MPI_Get_accumulate(own, n, MPI_INT, back, n, MPI_INT, t, at, n, MPI_INT, MPI_SUM, of);
        break;
    case FETCH:
        MPI_Fetch_and_op(own, back, MPI_INT, t, at, MPI_SUM, of);
        break;
    case NO_OP:
        MPI_Get_accumulate(NULL, 0, MPI_INT, back, n, MPI_INT, t, at, n, MPI_INT, MPI_NO_OP, of);
        break;
    case REQUEST_PUT:
        MPI_Rput(own, n, MPI_INT, t, at, n, MPI_INT, of, &request[i]);
        break;
    case REQUEST_GET:
        MPI_Rget(own, n, MPI_INT, t, at, n, MPI_INT, of, &request[i]);
        break;
    case PUT_GAPS:
        MPI_Put(own, 1, gaps, t, at, 1, gaps, of);
        break;
    case GET_GAPS:
        MPI_Get(own, 1, gaps, t, at, 1, gaps, of);
        break;
    case NONE:
        break;
    }
}

/* An access of another rank to a place that this rank does not use in this round. NULL: there is none. */
static const struct access_of *find_others(void)
{
    for (int r = 0; r < size; r++)
        for (int i = 0; r != rank && i < OPS; i++) {
            const struct access_of *it = &drawn[r][i];
            bool own = it->access == NONE;
            for (int k = 0; k < OPS; k++)
                own |= drawn[rank][k].access != NONE && drawn[rank][k].target == it->target &&
                       drawn[rank][k].slot == it->slot;
            if (!own)
                return it;
        }
    return NULL;
}

/* The first access of this rank of such a kind; -1: none. */
static int find_own(enum access first, enum access second)
{
    for (int i = 0; i < OPS; i++)
        if (drawn[rank][i].access == first || drawn[rank][i].access == second)
            return i;
    return -1;
}

/* In an epoch for all targets, before the accesses. */
static void break_place(enum round kind)
{
    static const char *const races[] = {
        [FENCES] = "race_of_fences", [ALL] = "race_of_all", [SHARED] = "race_of_locks", [GROUPS] = "race_of_groups"};
    const struct access_of *other = find_others();
    if (kind != EXCLUSIVE && other && is_wrong(races[kind]))
        FAULT(MPI_Put(spare, 1, MPI_INT, other->target, other->slot * SLOT, 1, MPI_INT, win));
    if (is_wrong("beyond"))
        FAULT(MPI_Get(spare, SLOT, MPI_INT, (rank + 1) % size, SLOTS * SLOT - 1, SLOT, MPI_INT, win));
    if (is_wrong("uncommitted")) {
        MPI_Datatype made;
        MPI_Type_contiguous(2, MPI_INT, &made);
        FAULT(MPI_Get(spare, 1, made, rank, 0, 1, made, win));
        MPI_Type_free(&made);
    }
    if (is_wrong("room"))
        FAULT(MPI_Get(spare, 1, MPI_INT, rank, 0, 2, MPI_INT, win));
}

/* In such an epoch, after the accesses. */
static void break_buffer(enum round kind)
{
    int put = find_own(PUT, PUT_GAPS), got = find_own(GET, GET_GAPS), any = put >= 0 ? put : got;
    const struct access_of *it = any >= 0 ? &drawn[rank][any] : NULL;
    if (kind == EXCLUSIVE)
        return;
    if (it && put >= 0 && is_wrong("own_race"))
        FAULT(MPI_Put(spare, 1, MPI_INT, it->target, it->slot * SLOT, 1, MPI_INT, win));
    if (got >= 0 && is_wrong("read_unfinished"))
        FAULT(MPI_Send(room[got], 1, MPI_INT, rank, 5, MPI_COMM_SELF));
    if (it && is_wrong("overwritten"))
        FAULT(MPI_Get(room[any], 1, MPI_INT, rank, SLOTS * SLOT, 1, MPI_INT, win));
    if (put >= 0 && is_wrong("received_into"))
        FAULT(MPI_Sendrecv(spare, 1, MPI_INT, 0, 6, room[put], 1, MPI_INT, 0, 6, MPI_COMM_SELF, MPI_STATUS_IGNORE));
}

static void break_request(enum round kind)
{
    MPI_Request pair[2];
    if (kind != ALL && kind != SHARED)
        return;
    if (is_wrong("same_request")) {
        MPI_Irecv(spare, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &pair[0]);
        pair[1] = pair[0];
        MPI_Send(result[0], 1, MPI_INT, 0, 9, MPI_COMM_SELF);
        FAULT(MPI_Waitany(2, pair, &(int){0}, MPI_STATUS_IGNORE)); /* completes one of them */
    }
    if (is_wrong("lost_request")) {
        FAULT(MPI_Irecv(spare, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &pair[0]));
        MPI_Send(result[0], 1, MPI_INT, 0, 9, MPI_COMM_SELF);
    }
    if (is_wrong("started_twice")) {
        MPI_Recv_init(spare, 1, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_SELF, &pair[0]);
        MPI_Start(&pair[0]);
        FAULT(MPI_Start(&pair[0]));
        MPI_Wait(&pair[0], MPI_STATUS_IGNORE);
        MPI_Request_free(&pair[0]);
    }
    if (is_wrong("never_started")) {
        FAULT(MPI_Send_init(spare, 1, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_SELF, &pair[0]));
        MPI_Request_free(&pair[0]);
    }
}

static void break_handle(void)
{
    MPI_Comm comm, copy;
    MPI_Group group, old;
    int number;
    if (is_wrong("null_window"))
        FAULT(MPI_Win_get_group(MPI_WIN_NULL, &group));
    if (is_wrong("null_communicator"))
        FAULT(MPI_Comm_size(MPI_COMM_NULL, &number));
    if (is_wrong("null_datatype"))
        FAULT(MPI_Send(spare, 1, MPI_DATATYPE_NULL, 0, 5, MPI_COMM_SELF));
    if (is_wrong("freed_communicator")) {
        MPI_Comm_dup(MPI_COMM_SELF, &comm);
        copy = comm;
        MPI_Comm_free(&comm);
        FAULT(MPI_Send(spare, 0, MPI_INT, MPI_PROC_NULL, 0, copy));
    }
    if (is_wrong("freed_group")) {
        MPI_Win_get_group(win, &group);
        MPI_Group_incl(group, 1, &(int){0}, &old);
        MPI_Group_free(&group);
        group = old;
        MPI_Group_free(&old);
        FAULT(MPI_Group_incl(group, 0, NULL, &old));
    }
}

/* Outside of all epochs: all have met, and meet again. */
static void break_epoch(void)
{
    if (is_wrong("no_epoch"))
        FAULT(MPI_Get(spare, 1, MPI_INT, rank, 0, 1, MPI_INT, win));
    if (is_wrong("not_locked"))
        FAULT(MPI_Win_unlock(rank, win));
    if (is_wrong("flush_outside"))
        FAULT(MPI_Win_flush(rank, win));
    if (is_wrong("complete_outside"))
        FAULT(MPI_Win_complete(win));
    if (is_wrong("locked_twice")) {
        MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
        FAULT(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win));
        MPI_Win_unlock(rank, win);
    }
    if (is_wrong("all_twice")) {
        MPI_Win_lock_all(0, win);
        FAULT(MPI_Win_lock_all(0, win));
        MPI_Win_unlock_all(win);
    }
}

static void access_all(enum round kind)
{
    break_place(kind);
    for (int i = 0; i < OPS; i++) {
        request[i] = MPI_REQUEST_NULL;
        access_one(&drawn[rank][i], i, win);
    }
    break_buffer(kind);
    break_request(kind);
    MPI_Waitall(OPS, request, MPI_STATUSES_IGNORE);
}

static void make_round(enum round kind, MPI_Group all)
{
    switch (kind) {
    case FENCES:
        MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
        access_all(kind);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
        break;
    case ALL:
        MPI_Win_lock_all(0, win);
        access_all(kind);
        MPI_Win_unlock_all(win);
        break;
    case SHARED:
        for (int t = 0; t < size; t++)
            MPI_Win_lock(MPI_LOCK_SHARED, t, 0, win);
        access_all(kind);
        for (int t = 0; t < size; t++)
            MPI_Win_unlock(t, win);
        break;
    case GROUPS:
        MPI_Win_post(all, 0, win);
        MPI_Win_start(all, 0, win);
        access_all(kind);
        MPI_Win_complete(win);
        MPI_Win_wait(win);
        break;
    default: /* one after the other: any accesses */
        for (int i = 0; i < OPS; i++) {
            const struct access_of *it = &drawn[rank][i];
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, it->target, 0, exclusive);
            request[i] = MPI_REQUEST_NULL;
            access_one(it, i, exclusive);
            MPI_Wait(&request[i], MPI_STATUS_IGNORE);
            MPI_Win_unlock(it->target, exclusive);
        }
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 3 || size < 2 || size > MOST)
        MPI_Abort(MPI_COMM_WORLD, 2);
    alarm(SECONDS);
    state = strtoull(argv[1], NULL, 10);
    int rounds = atoi(argv[2]), first = argc > 5 ? atoi(argv[5]) : 0, *memory;
    bool is_this = argc > 5 && atoi(argv[4]) == rank;
    MPI_Group all;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    /* one number more, which only faults use */
    const MPI_Aint bytes = (SLOTS * SLOT + 1) * (MPI_Aint)sizeof(int);
    MPI_Win_allocate(bytes, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memset(memory, 0, (size_t)bytes);
    MPI_Win_allocate(bytes, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &exclusive);
    memset(memory, 0, (size_t)bytes);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_get_group(win, &all);
    MPI_Type_vector(2, 1, 2, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    for (int i = 0; i < rounds; i++) {
        enum round kind = below(8) == 0 ? EXCLUSIVE : (enum round[]){FENCES, ALL, SHARED, GROUPS}[below(4)];
        draw_round(kind);
        if (is_this && i == first) {
            fault = argv[3];
            wrong_round = i;
        }
        break_handle();
        break_epoch();
        MPI_Barrier(MPI_COMM_WORLD);
        make_round(kind, all);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (is_wrong("left_locked")) {
        MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
        FAULT(MPI_Win_free(&win));
        if (win != MPI_WIN_NULL) /* refused */
            MPI_Win_unlock(rank, win);
    }
    MPI_Type_free(&gaps);
    MPI_Group_free(&all);
    if (win != MPI_WIN_NULL)
        MPI_Win_free(&win);
    MPI_Win_free(&exclusive);
    MPI_Finalize();
    return 0;
}
