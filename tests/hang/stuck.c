/* Programs that deadlock. slow.c has innocent ones that look like them. */
#include "plant.h"

#include <pthread.h>
#include <stdlib.h>

#define WORLD MPI_COMM_WORLD
enum { LARGE = 1 << 20, FEW = 4, MANY = 100 };

static int value, values[4 * FEW];

/* Rank 1 waits for rank 0 in a receive, which half of all deadlocks need. */
static void second_waits_for_first(int rank)
{
    if (rank == 1)
        plant_receive(0, 77, WORLD);
}

/* -- messages -- */

static void receive_cycle(int rank)
{
    int size = plant_size();
    plant_receive((rank + 1) % size, 1, WORLD);
    plant_send((rank + size - 1) % size, 1, WORLD);
}

static void synchronous_send_cycle(int rank)
{
    int size = plant_size();
    MPI_Ssend(&value, 1, MPI_INT, (rank + 1) % size, 1, WORLD);
    plant_receive((rank + size - 1) % size, 1, WORLD);
}

static void large_sends_to_each_other(int rank)
{
    int *large = calloc(LARGE, sizeof(int));
    MPI_Send(large, LARGE, MPI_INT, 1 - rank, 1, WORLD);
    MPI_Recv(large, LARGE, MPI_INT, 1 - rank, 1, WORLD, MPI_STATUS_IGNORE);
}

static void large_isends_to_each_other(int rank)
{
    int *large = calloc(LARGE, sizeof(int));
    MPI_Request request;
    MPI_Isend(large, LARGE, MPI_INT, 1 - rank, 1, WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Recv(large, LARGE, MPI_INT, 1 - rank, 1, WORLD, MPI_STATUS_IGNORE);
}

static void two_cycles(int rank)
{
    plant_receive(rank ^ 1, 1, WORLD);
}

static void wrong_tag(int rank)
{
    if (rank == 0)
        plant_receive(1, 1, WORLD);
    else
        MPI_Ssend(&value, 1, MPI_INT, 0, 2, WORLD);
}

/* The message was sent and is there, with another tag. */
static void wrong_tag_of_a_message_that_came(int rank)
{
    if (rank == 1)
        plant_send(0, 2, WORLD);
    plant_receive(1 - rank, 1, WORLD);
}

static void wrong_communicator(int rank)
{
    MPI_Comm other;
    MPI_Comm_dup(WORLD, &other);
    if (rank == 0)
        plant_receive(1, 1, other);
    else
        MPI_Ssend(&value, 1, MPI_INT, 0, 1, WORLD);
}

static void probe_cycle(int rank)
{
    MPI_Probe(1 - rank, 1, WORLD, MPI_STATUS_IGNORE);
    plant_send(1 - rank, 1, WORLD);
}

static void mprobe_cycle(int rank)
{
    MPI_Message message;
    int size = plant_size();
    MPI_Mprobe((rank + 1) % size, MPI_ANY_TAG, WORLD, &message, MPI_STATUS_IGNORE);
}

/* Rank 2 has sent; rank 1 has not and waits for rank 0. */
static void waitall_of_which_one_is_missing(int rank)
{
    MPI_Request requests[2];
    if (rank == 0) {
        MPI_Irecv(&values[2], 1, MPI_INT, 2, 1, WORLD, &requests[0]);
        MPI_Irecv(&values[1], 1, MPI_INT, 1, 1, WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        plant_send(1, 77, WORLD);
    }
    second_waits_for_first(rank);
    if (rank > 0)
        plant_send(0, 1, WORLD);
    MPI_Barrier(WORLD);
}

static void waitall_cycle(int rank)
{
    MPI_Request requests[2];
    int size = plant_size(), left = (rank + size - 1) % size, right = (rank + 1) % size;
    plant_send(right, 1, WORLD);
    MPI_Irecv(&values[0], 1, MPI_INT, left, 1, WORLD, &requests[0]);
    MPI_Irecv(&values[1], 1, MPI_INT, right, 1, WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/* The last of them, which rank 1 sends after it received. */
static void waitall_of_many(int rank)
{
    static int many[MANY];
    MPI_Request requests[MANY];
    if (rank == 0) {
        for (int i = 0; i < MANY; i++)
            MPI_Irecv(&many[i], 1, MPI_INT, 1, i, WORLD, &requests[i]);
        MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
    } else {
        for (int i = 0; i < MANY - 1; i++)
            plant_send(0, i, WORLD);
        second_waits_for_first(rank);
    }
}

static void cycle_while_another_computes(int rank)
{
    if (rank == 2)
        plant_hold();
    else
        plant_receive(1 - rank, 1, WORLD);
}

static void sendrecv_of_a_wrong_tag(int rank)
{
    MPI_Sendrecv(&value, 1, MPI_INT, 1 - rank, rank, &values[0], 1, MPI_INT, 1 - rank, rank, WORLD, MPI_STATUS_IGNORE);
}

/* Each sends to the one from which it receives the other way round. */
static void sendrecv_in_a_wrong_direction(int rank)
{
    int right = (rank + 1) % 3, left = (rank + 2) % 3, source = rank == 0 ? right : left;
    MPI_Sendrecv(&value, 1, MPI_INT, right, 1, &values[0], 1, MPI_INT, source, 1, WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(WORLD);
}

static void receive_from_itself(int rank)
{
    if (rank == 0)
        plant_receive(0, 1, WORLD);
    MPI_Barrier(WORLD);
}

static void receives_from_any_rank(int rank)
{
    plant_receive(rank == 0 ? MPI_ANY_SOURCE : 0, 1, WORLD);
}

/* Two receives from any rank, and one message. */
static void waitall_of_any_rank(int rank)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, 1, WORLD, &requests[i]);
        MPI_Waitall(2, requests, statuses);
    } else if (rank == 1) {
        plant_send(0, 1, WORLD);
    }
    MPI_Barrier(WORLD);
}

/* The pending receive takes the message. */
static void receive_behind_a_pending_one(int rank)
{
    MPI_Request request;
    if (rank == 0) {
        MPI_Irecv(&values[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &request);
        plant_receive(1, 1, WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        plant_send(0, 1, WORLD);
    }
    MPI_Barrier(WORLD);
}

static void probes_of_any_rank(int rank)
{
    (void)rank;
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, MPI_STATUS_IGNORE);
}

static void waitany_of_ranks_that_wait(int rank)
{
    MPI_Request requests[2];
    int index;
    if (rank > 0)
        plant_receive(0, 1, WORLD);
    else {
        MPI_Irecv(&values[1], 1, MPI_INT, 1, 1, WORLD, &requests[0]);
        MPI_Irecv(&values[2], 1, MPI_INT, 2, 1, WORLD, &requests[1]);
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    }
}

static void waitsome_of_ranks_that_wait(int rank)
{
    MPI_Request requests[2];
    int count, indices[2];
    if (rank > 0)
        plant_receive(0, 1, WORLD);
    else {
        MPI_Irecv(&values[1], 1, MPI_INT, 1, 1, WORLD, &requests[0]);
        MPI_Irecv(&values[2], 1, MPI_INT, 2, 1, WORLD, &requests[1]);
        MPI_Waitsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
    }
}

static void persistent_cycle(int rank)
{
    MPI_Request requests[2];
    MPI_Recv_init(&value, 1, MPI_INT, 1 - rank, 1, WORLD, &requests[0]);
    MPI_Send_init(&value, 1, MPI_INT, 1 - rank, 1, WORLD, &requests[1]);
    for (int round = 0; round < 2; round++) {
        MPI_Start(&requests[0]);
        if (round == 0)
            MPI_Start(&requests[1]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        if (round == 0)
            MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    }
}

/* Receive, synchronous send, barrier of a team, completion. */
static void cycle_of_many_kinds(int rank)
{
    MPI_Comm team = plant_team(0xc);
    MPI_Request request;
    if (rank == 0)
        plant_receive(1, 1, WORLD);
    if (rank == 1)
        MPI_Ssend(&value, 1, MPI_INT, 2, 1, WORLD);
    if (rank == 2)
        MPI_Barrier(team);
    if (rank == 3) {
        MPI_Irecv(&value, 1, MPI_INT, 0, 1, WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

/* Ranks of this communicator are those of MPI_COMM_WORLD backwards: 0 and 3 wait for each other. */
static void cycle_on_reversed_ranks(int rank)
{
    MPI_Comm reversed;
    MPI_Comm_split(WORLD, 0, -rank, &reversed);
    if (rank == 0)
        plant_receive(0, 1, reversed);
    if (rank == 3)
        plant_receive(3, 1, reversed);
    MPI_Barrier(reversed);
}

static void cycle_between_two_groups(int rank)
{
    MPI_Comm local, other;
    MPI_Comm_split(WORLD, rank % 2, rank, &local);
    MPI_Intercomm_create(local, 0, WORLD, 1 - rank % 2, 11, &other);
    if (rank == 0)
        plant_receive(1, 1, other);
    if (rank == 3)
        plant_receive(0, 1, other);
    MPI_Barrier(WORLD);
}

/* The exit condition of rank 1 was met one round earlier. */
static void loop_left_too_early(int rank)
{
    for (int round = 0; round < (rank == 1 ? 4 : 5); round++)
        MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_MAX, WORLD);
    second_waits_for_first(rank);
    if (rank == 0)
        plant_send(1, 77, WORLD);
}

/* -- collective calls -- */

static void barrier_against_allreduce(int rank)
{
    if (rank == 0)
        MPI_Barrier(WORLD);
    else
        MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_MAX, WORLD);
}

static void bcast_of_different_roots(int rank)
{
    MPI_Bcast(&value, 1, MPI_INT, (rank + 1) % plant_size(), WORLD);
}

static void reduce_of_different_roots(int rank)
{
    MPI_Reduce(&rank, &value, 1, MPI_INT, MPI_SUM, rank, WORLD);
}

static void bcast_against_reduce(int rank)
{
    if (rank == 0)
        MPI_Bcast(&value, 1, MPI_INT, 1, WORLD);
    else
        MPI_Reduce(&rank, &value, 1, MPI_INT, MPI_SUM, 1, WORLD);
}

static void gather_against_barrier(int rank)
{
    if (rank == 0)
        MPI_Gather(&rank, 1, MPI_INT, values, 1, MPI_INT, 0, WORLD);
    else
        MPI_Barrier(WORLD);
}

static void collective_missing_on_a_team(int rank)
{
    MPI_Comm team = plant_team(0x3);
    second_waits_for_first(rank);
    if (rank < 2)
        MPI_Barrier(team);
    if (rank == 0)
        plant_send(1, 77, WORLD);
    MPI_Barrier(WORLD);
}

static void two_communicators_in_opposite_order(int rank)
{
    MPI_Comm pair[2];
    MPI_Comm_dup(WORLD, &pair[rank % 2]);
    MPI_Comm_dup(WORLD, &pair[1 - rank % 2]);
    /* Odd ranks make the two in the other order. */
    MPI_Barrier(pair[0]);
    MPI_Barrier(pair[1]);
}

static void three_teams_in_a_circle(int rank)
{
    MPI_Comm team[3] = {plant_team(0x3), plant_team(0x6), plant_team(0x5)};
    MPI_Barrier(team[rank]);
    MPI_Barrier(team[(rank + 2) % 3]);
}

/* A two by two grid: 0 and 3 begin with their rows {0,1}, {2,3}, the others with their columns {0,2}, {1,3}. */
static void rows_against_columns(int rank)
{
    MPI_Comm row, column;
    MPI_Comm_split(WORLD, rank / 2, rank, &row);
    MPI_Comm_split(WORLD, rank % 2, rank, &column);
    bool row_first = rank == 0 || rank == 3;
    MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_SUM, row_first ? row : column);
    MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_SUM, row_first ? column : row);
}

/* Rank 2 needs what rank 0 gives; rank 1 needs that too. */
static void scan_without_the_first(int rank)
{
    if (rank == 0)
        plant_receive(2, 1, WORLD);
    MPI_Scan(&rank, &value, 1, MPI_INT, MPI_SUM, WORLD);
    if (rank == 2)
        plant_send(0, 1, WORLD);
}

static void nonblocking_allreduce(int rank)
{
    MPI_Request request;
    second_waits_for_first(rank);
    MPI_Iallreduce(&rank, &value, 1, MPI_INT, MPI_SUM, WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0)
        plant_send(1, 77, WORLD);
}

static void nonblocking_barrier_in_a_waitall(int rank)
{
    MPI_Request requests[2];
    second_waits_for_first(rank);
    MPI_Ibarrier(WORLD, &requests[0]);
    MPI_Irecv(&value, 1, MPI_INT, (rank + 2) % 3, 1, WORLD, &requests[1]);
    plant_send((rank + 1) % 3, 1, WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void dup_against_barrier(int rank)
{
    MPI_Comm copy;
    if (rank == 0)
        MPI_Comm_dup(WORLD, &copy);
    else
        MPI_Barrier(WORLD);
}

static void split_without_one(int rank)
{
    MPI_Comm comm;
    second_waits_for_first(rank);
    MPI_Comm_split(WORLD, 0, rank, &comm);
    if (rank == 0)
        plant_send(1, 77, WORLD);
}

static void disconnect_without_one(int rank)
{
    MPI_Comm comm;
    MPI_Comm_dup(WORLD, &comm);
    second_waits_for_first(rank);
    MPI_Comm_disconnect(&comm);
    if (rank == 0)
        plant_send(1, 77, WORLD);
}

static int receive_in_copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)keyval;
    plant_receive(1 - *(int *)extra, 1, WORLD);
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static void cycle_in_a_copy_callback(int rank)
{
    MPI_Comm copy;
    int keyval;
    MPI_Comm_create_keyval(receive_in_copy, MPI_COMM_NULL_DELETE_FN, &keyval, &rank);
    MPI_Comm_set_attr(WORLD, keyval, &value);
    MPI_Comm_dup(WORLD, &copy);
}

/* Neighbor 3 of rank 0 waits for it, neighbor 1 in a receive. */
static void neighbor_missing(int rank)
{
    MPI_Comm ring;
    int size = plant_size(), around = 1;
    MPI_Cart_create(WORLD, 1, &size, &around, 0, &ring);
    if (rank == 0)
        plant_receive(1, 77, WORLD);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, values, 1, MPI_INT, ring);
    if (rank == 1)
        plant_send(0, 77, WORLD);
}

static void finalize_against_receive(int rank)
{
    second_waits_for_first(rank);
}

/* -- windows, files, partitions -- */

static MPI_Win make_window(void)
{
    MPI_Win window;
    void *cells;
    MPI_Win_allocate(FEW * sizeof(int), sizeof(int), MPI_INFO_NULL, WORLD, &cells, &window);
    return window;
}

static void fence_missing(int rank)
{
    MPI_Win window = make_window();
    MPI_Win_fence(0, window);
    second_waits_for_first(rank);
    MPI_Win_fence(0, window);
    if (rank == 0)
        plant_send(1, 77, WORLD);
}

static void window_not_freed_by_one(int rank)
{
    MPI_Win window = make_window();
    second_waits_for_first(rank);
    MPI_Win_free(&window);
    if (rank == 0)
        plant_send(1, 77, WORLD);
}

static void take_lock(int rank, int target, MPI_Win window)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, window);
    MPI_Put(&rank, 1, MPI_INT, target, 0, 1, MPI_INT, window);
    MPI_Win_flush(target, window); /* until then an MPI may put the lock off */
}

/* Rank 1 has the lock and waits for rank 2, which wants the lock. */
static void lock_held_by_one_that_waits(int rank)
{
    MPI_Win window = make_window();
    if (rank == 1) {
        take_lock(rank, 0, window);
        plant_send(2, 1, WORLD);
        plant_receive(2, 2, WORLD);
        MPI_Win_unlock(0, window);
    }
    if (rank == 2) {
        plant_receive(1, 1, WORLD);
        take_lock(rank, 0, window);
        MPI_Win_unlock(0, window);
        plant_send(1, 2, WORLD);
    }
    MPI_Barrier(WORLD);
}

/* Each has a lock that the other wants. */
static void two_locks(int rank)
{
    MPI_Win window[2] = {make_window(), make_window()};
    if (rank > 0) {
        take_lock(rank, 0, window[rank - 1]);
        plant_send(3 - rank, 1, WORLD);
        plant_receive(3 - rank, 1, WORLD);
        take_lock(rank, 0, window[2 - rank]);
    }
    MPI_Barrier(WORLD);
}

static void window_against_barrier(int rank)
{
    if (rank == 0)
        make_window();
    else
        MPI_Barrier(WORLD);
}

static void file_not_opened_by_one(int rank)
{
    MPI_File file;
    second_waits_for_first(rank);
    MPI_File_open(WORLD, plant_file("data"), MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    if (rank == 0)
        plant_send(1, 77, WORLD);
}

static void file_not_closed_by_one(int rank)
{
    MPI_File file;
    MPI_File_open(WORLD, plant_file("data"), MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    second_waits_for_first(rank);
    MPI_File_close(&file);
    if (rank == 0)
        plant_send(1, 77, WORLD);
}

#ifdef HAS_MPI_4
/* Rank 0 makes one of two partitions ready and waits for rank 1, which waits for the other. */
static void partition_never_ready(int rank)
{
    MPI_Request request;
    if (rank == 0)
        MPI_Psend_init(values, 2, 1, MPI_INT, 1, 1, WORLD, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(values, 2, 1, MPI_INT, 0, 1, WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    if (rank == 0) {
        MPI_Pready(0, request);
        plant_receive(1, 77, WORLD);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}
#endif

/* -- threads -- */

static void *receives(void *tag)
{
    plant_receive(0, *(int *)tag, WORLD);
    return NULL;
}

/* Both threads of rank 1 wait for rank 0, which waits for rank 1. */
static void all_threads_wait(int rank)
{
    pthread_t thread;
    int tag = 5;
    if (rank == 1)
        pthread_create(&thread, NULL, receives, &tag);
    plant_receive(1 - rank, 6, WORLD);
}

const struct plant plants[] = {
    {"receive_cycle_of_two", 2, receive_cycle, "0,1"},
    {"receive_cycle_of_three", 3, receive_cycle, "0,1,2"},
    {"receive_cycle_of_four", 4, receive_cycle, "0,1,2,3"},
    {"synchronous_send_cycle_of_two", 2, synchronous_send_cycle, "0,1"},
    {"synchronous_send_cycle_of_three", 3, synchronous_send_cycle, "0,1,2"},
    {"large_sends_to_each_other", 2, large_sends_to_each_other, "0,1"},
    {"large_sends_over_tcp", 2, large_sends_to_each_other, "0,1", .over_tcp = true},
    {"large_isends_to_each_other", 2, large_isends_to_each_other, "0,1"},
    {"two_cycles", 4, two_cycles, "0,1 2,3"},
    {"wrong_tag", 2, wrong_tag, "0,1"},
    {"wrong_tag_of_a_message_that_came", 2, wrong_tag_of_a_message_that_came, "0,1"},
    {"wrong_communicator", 2, wrong_communicator, "0,1"},
    {"probe_cycle", 2, probe_cycle, "0,1"},
    {"mprobe_cycle", 3, mprobe_cycle, "0,1,2"},
    {"waitall_of_which_one_is_missing", 3, waitall_of_which_one_is_missing, "0,1 (2)"},
    {"waitall_cycle", 3, waitall_cycle, "0,1,2"},
    {"waitall_of_many", 2, waitall_of_many, "0,1"},
    {"cycle_while_another_computes", 3, cycle_while_another_computes, "0,1"},
    {"sendrecv_of_a_wrong_tag", 2, sendrecv_of_a_wrong_tag, "0,1"},
    {"sendrecv_in_a_wrong_direction", 3, sendrecv_in_a_wrong_direction, "0,1 (2)"},
    {"receive_from_itself", 2, receive_from_itself, "0 (1)"},
    {"receives_from_any_rank", 3, receives_from_any_rank, "0,1,2"},
    {"waitall_of_any_rank", 3, waitall_of_any_rank, "0,1,2"},
    {"receive_behind_a_pending_one", 3, receive_behind_a_pending_one, "0,1,2"},
    {"probes_of_any_rank", 3, probes_of_any_rank, "0,1,2"},
    {"waitany_of_ranks_that_wait", 3, waitany_of_ranks_that_wait, "0,1,2"},
    {"waitsome_of_ranks_that_wait", 3, waitsome_of_ranks_that_wait, "0,1,2"},
    {"persistent_cycle", 2, persistent_cycle, "0,1"},
    {"cycle_of_many_kinds", 4, cycle_of_many_kinds, "0,1,2,3"},
    {"cycle_on_reversed_ranks", 4, cycle_on_reversed_ranks, "0,3 (1,2)"},
    {"cycle_between_two_groups", 4, cycle_between_two_groups, "0,3 (1,2)"},
    {"loop_left_too_early", 3, loop_left_too_early, "0,1 (2)"},
    {"barrier_against_allreduce", 3, barrier_against_allreduce, "0,1,2"},
    {"bcast_of_different_roots", 3, bcast_of_different_roots, "0,1,2"},
    {"reduce_of_different_roots", 2, reduce_of_different_roots, "0,1"},
    {"bcast_against_reduce", 2, bcast_against_reduce, "0,1"},
    {"gather_against_barrier", 2, gather_against_barrier, "0,1"},
    {"collective_missing_on_a_team", 4, collective_missing_on_a_team, "0,1 (2,3)"},
    {"two_communicators_in_opposite_order", 2, two_communicators_in_opposite_order, "0,1"},
    {"three_teams_in_a_circle", 3, three_teams_in_a_circle, "0,1,2"},
    {"rows_against_columns", 4, rows_against_columns, "0,1,2,3"},
    {"scan_without_the_first", 3, scan_without_the_first, "0,2 (1)"},
    {"nonblocking_allreduce", 3, nonblocking_allreduce, "0,1 (2)"},
    {"nonblocking_barrier_in_a_waitall", 3, nonblocking_barrier_in_a_waitall, "0,1 (2)"},
    {"dup_against_barrier", 2, dup_against_barrier, "0,1"},
    {"split_without_one", 3, split_without_one, "0,1 (2)"},
    {"disconnect_without_one", 2, disconnect_without_one, "0,1", .only = "openmpi"},
    {"cycle_in_a_copy_callback", 2, cycle_in_a_copy_callback, "0,1"},
    {"neighbor_missing", 4, neighbor_missing, "0,1 (2,3)"},
    {"finalize_against_receive", 3, finalize_against_receive, "0,1 (2)"},
    {"fence_missing", 3, fence_missing, "0,1 (2)"},
    {"window_not_freed_by_one", 2, window_not_freed_by_one, "0,1"},
    {"lock_held_by_one_that_waits", 3, lock_held_by_one_that_waits, "1,2 (0)"},
    {"two_locks", 3, two_locks, "1,2 (0)"},
    {"window_against_barrier", 2, window_against_barrier, "0,1"},
    {"file_not_opened_by_one", 2, file_not_opened_by_one, "0,1"},
    {"file_not_closed_by_one", 2, file_not_closed_by_one, "0,1"},
#ifdef HAS_MPI_4
    {"partition_never_ready", 2, partition_never_ready, "0,1"},
#endif
    {"all_threads_wait", 2, all_threads_wait, "0,1?", .threads = true},
};
const size_t plants_count = sizeof plants / sizeof *plants;
