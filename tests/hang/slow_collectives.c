/* Like slow.c, for collective calls, windows, files, partitions. */
#include "plant.h"

#define WORLD MPI_COMM_WORLD
enum { FEW = 4 };

static int value, values[4 * FEW];

/* Rank 1 has left the reduction and is in the broadcast, in which rank 0 is not yet. */
static void reduce_then_bcast(int rank)
{
    if (rank == 2)
        plant_hold();
    MPI_Reduce(&rank, &value, 1, MPI_INT, MPI_SUM, 0, WORLD);
    MPI_Bcast(&value, 1, MPI_INT, 0, WORLD);
}

static void gather_then_barrier(int rank)
{
    if (rank == 2)
        plant_hold();
    MPI_Gather(&rank, 1, MPI_INT, values, 1, MPI_INT, 0, WORLD);
    MPI_Barrier(WORLD);
}

/* The root has left the broadcast and waits for rank 3, which waits in it for what rank 2 hands on. */
static void bcast_then_receive(int rank)
{
    if (rank == 2)
        plant_hold();
    MPI_Bcast(&value, 1, MPI_INT, 0, WORLD);
    if (rank == 0)
        plant_receive(3, 1, WORLD);
    if (rank == 3)
        plant_send(0, 1, WORLD);
}

/* Two ranks: rank 1 is before the broadcast that the root has left. */
static void bcast_that_the_root_has_left(int rank)
{
    if (rank == 1)
        plant_hold();
    MPI_Bcast(&value, 1, MPI_INT, 0, WORLD);
    MPI_Barrier(WORLD);
}

static void root_that_runs_ahead(int rank)
{
    if (rank == 2)
        plant_hold();
    for (int round = 0; round < 20; round++)
        MPI_Bcast(&value, 1, MPI_INT, 0, WORLD);
    MPI_Reduce(&rank, &value, 1, MPI_INT, MPI_SUM, 0, WORLD);
}

static void late_root_of_a_bcast(int rank)
{
    if (rank == 1)
        plant_hold();
    MPI_Bcast(&value, 1, MPI_INT, 1, WORLD);
    MPI_Barrier(WORLD);
}

static void scan(int rank)
{
    if (rank == 0)
        plant_hold();
    MPI_Scan(&rank, &value, 1, MPI_INT, MPI_SUM, WORLD);
    MPI_Exscan(&rank, &value, 1, MPI_INT, MPI_SUM, WORLD);
}

static int applied, hold_when_applied;

static void slow_sum(void *in, void *inout, int *length, MPI_Datatype *type)
{
    (void)type;
    if (++applied == hold_when_applied)
        plant_hold();
    for (int i = 0; i < *length; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

/* The one rank is inside its operation; the others have left or are waiting. */
static void reduce_slowly(int rank, int slow, int time)
{
    MPI_Op op;
    MPI_Op_create(slow_sum, 1, &op);
    hold_when_applied = rank == slow ? time : 0;
    MPI_Allreduce(&rank, &value, 1, MPI_INT, op, WORLD);
    MPI_Barrier(WORLD);
    MPI_Op_free(&op);
}

static void operation_of_two(int rank)
{
    reduce_slowly(rank, 1, 1);
}

static void operation_of_four(int rank)
{
    reduce_slowly(rank, 2, 2);
}

/* The others have given their part and wait for the root elsewhere. */
static void operation_of_the_root(int rank)
{
    MPI_Op op;
    MPI_Op_create(slow_sum, 1, &op);
    hold_when_applied = rank == 0 ? 1 : 0;
    MPI_Reduce(&rank, &value, 1, MPI_INT, op, 0, WORLD);
    if (rank == 0)
        plant_send(1, 1, WORLD);
    if (rank == 1)
        plant_receive(0, 1, WORLD);
    MPI_Op_free(&op);
}

static void late_member_of_a_split(int rank)
{
    MPI_Comm comm;
    if (rank == 2)
        plant_hold();
    MPI_Comm_split(WORLD, rank % 2, rank, &comm);
    MPI_Comm_free(&comm);
}

/* {0,1} and {2,3} each wait for one that waits for rank 3. */
static void teams_that_wait_for_one(int rank)
{
    MPI_Comm team;
    MPI_Comm_split(WORLD, rank / 2, rank, &team);
    if (rank == 1)
        plant_receive(3, 1, WORLD);
    if (rank == 3) {
        plant_hold();
        plant_send(1, 1, WORLD);
    }
    MPI_Barrier(team);
    MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_MAX, WORLD);
    MPI_Comm_free(&team);
}

static int copy_slowly(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)keyval;
    if (*(int *)extra == 1)
        plant_hold();
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static void copy_callback_that_computes(int rank)
{
    MPI_Comm copy;
    int keyval;
    MPI_Comm_create_keyval(copy_slowly, MPI_COMM_NULL_DELETE_FN, &keyval, &rank);
    MPI_Comm_set_attr(WORLD, keyval, &value);
    MPI_Comm_dup(WORLD, &copy);
    MPI_Comm_free(&copy);
    MPI_Comm_delete_attr(WORLD, keyval);
    MPI_Comm_free_keyval(&keyval);
}

static int copy_and_send(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    copy_slowly(comm, keyval, extra, in, out, flag);
    if (*(int *)extra == 1)
        plant_send(0, 1, WORLD);
    return MPI_SUCCESS;
}

static int send_at_the_end(MPI_Comm comm, int keyval, void *in, void *extra)
{
    (void)comm, (void)keyval, (void)in;
    if (*(int *)extra == 1) {
        plant_hold();
        plant_send(0, 1, WORLD);
    }
    return MPI_SUCCESS;
}

/* Rank 0 comes to the duplication when the callback of rank 1, which is in it, has sent. */
static void copy_callback_that_sends(int rank)
{
    MPI_Comm copy;
    int keyval;
    MPI_Comm_create_keyval(copy_and_send, MPI_COMM_NULL_DELETE_FN, &keyval, &rank);
    MPI_Comm_set_attr(WORLD, keyval, &value);
    if (rank == 0)
        plant_receive(1, 1, WORLD);
    MPI_Comm_dup(WORLD, &copy);
    MPI_Comm_free(&copy);
    MPI_Comm_delete_attr(WORLD, keyval);
    MPI_Comm_free_keyval(&keyval);
}

static void delete_callback_that_sends(int rank)
{
    MPI_Comm copy;
    int keyval;
    MPI_Comm_dup(WORLD, &copy);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, send_at_the_end, &keyval, &rank);
    MPI_Comm_set_attr(copy, keyval, &value);
    if (rank == 0)
        plant_receive(1, 1, WORLD);
    MPI_Comm_free(&copy);
    MPI_Comm_free_keyval(&keyval);
}

static void ibarrier(int rank)
{
    MPI_Request request;
    MPI_Ibarrier(WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 1)
        plant_hold();
    MPI_Ibarrier(WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Rank 1 is in the collective call and computes: the others wait until it completes it. */
static void iallreduce_with_a_message(int rank)
{
    MPI_Request requests[2];
    int others = rank == 0 ? 1 : 0;
    if (rank == 1)
        plant_hold();
    MPI_Iallreduce(&rank, &value, 1, MPI_INT, MPI_SUM, WORLD, &requests[0]);
    if (rank == 2)
        requests[1] = MPI_REQUEST_NULL;
    else
        MPI_Irecv(&values[0], 1, MPI_INT, others, 4, WORLD, &requests[1]);
    if (rank < 2)
        plant_send(others, 4, WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/* Rank 2 has what its neighbors gave and waits for rank 1, which waits for its neighbor 0. */
static void late_neighbor(int rank)
{
    MPI_Comm ring;
    int size = plant_size(), around = 1;
    MPI_Cart_create(WORLD, 1, &size, &around, 0, &ring);
    if (rank == 0)
        plant_hold();
    MPI_Neighbor_alltoall(values, 1, MPI_INT, values + FEW, 1, MPI_INT, ring);
    if (rank == 2)
        plant_receive(1, 1, WORLD);
    if (rank == 1)
        plant_send(2, 1, WORLD);
    MPI_Barrier(ring);
    MPI_Comm_free(&ring);
}

static void finalize(int rank)
{
    if (rank == 1)
        plant_hold();
}

static void same_order_of_two_communicators(int rank)
{
    MPI_Comm first, second;
    MPI_Comm_dup(WORLD, &first);
    MPI_Comm_dup(WORLD, &second);
    if (rank == 1)
        plant_hold();
    MPI_Barrier(first);
    MPI_Barrier(second);
    MPI_Comm_free(&first);
    MPI_Comm_free(&second);
}

/* -- windows, files, partitions -- */

static MPI_Win make_window(void)
{
    MPI_Win window;
    void *cells;
    MPI_Win_allocate(FEW * sizeof(int), sizeof(int), MPI_INFO_NULL, WORLD, &cells, &window);
    return window;
}

/* Rank 0 waits for rank 2, that for the lock, and rank 1 computes while it has it. */
static void lock_held_by_one_that_computes(int rank)
{
    MPI_Win window = make_window();
    if (rank > 0) {
        if (rank == 2)
            plant_receive(1, 1, WORLD);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_flush(0, window);
        if (rank == 1) {
            plant_send(2, 1, WORLD);
            plant_hold();
        }
        MPI_Win_unlock(0, window);
    }
    if (rank == 2)
        plant_send(0, 1, WORLD);
    if (rank == 0)
        plant_receive(2, 1, WORLD);
    MPI_Win_free(&window);
}

/* Two want the lock of one that computes. */
static void queue_for_a_lock(int rank)
{
    MPI_Win window = make_window();
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_flush(0, window);
    }
    MPI_Barrier(WORLD);
    if (rank == 1)
        plant_hold();
    else {
        MPI_Win_lock(rank == 0 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    }
    MPI_Win_unlock(0, window);
    MPI_Win_free(&window);
}

static void late_fence(int rank)
{
    MPI_Win window = make_window();
    MPI_Win_fence(0, window);
    if (rank == 1)
        plant_hold();
    MPI_Put(&rank, 1, MPI_INT, 0, rank, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

static void file_opened_late(int rank)
{
    MPI_File file;
    if (rank == 1)
        plant_hold();
    MPI_File_open(WORLD, plant_file("data"), MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
}

static void file_written_late(int rank)
{
    MPI_File file;
    MPI_File_open(WORLD, plant_file("data"), MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    if (rank == 1)
        plant_hold();
    MPI_File_write_at_all(file, 4 * rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

#ifdef HAS_MPI_4
static void late_partition(int rank)
{
    MPI_Request request;
    if (rank == 0)
        MPI_Psend_init(values, 2, 1, MPI_INT, 1, 1, WORLD, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(values, 2, 1, MPI_INT, 0, 1, WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    if (rank == 0) {
        MPI_Pready(0, request);
        plant_hold();
        MPI_Pready(1, request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}
#endif

const struct plant plants[] = {
    {"reduce_then_bcast", 3, reduce_then_bcast, "2"},
    {"gather_then_barrier", 3, gather_then_barrier, "2"},
    {"bcast_then_receive", 4, bcast_then_receive, "2"},
    {"bcast_that_the_root_has_left", 2, bcast_that_the_root_has_left, "1"},
    {"root_that_runs_ahead", 3, root_that_runs_ahead, "2"},
    {"late_root_of_a_bcast", 3, late_root_of_a_bcast, "1"},
    {"scan", 4, scan, "0"},
    {"operation_of_two", 2, operation_of_two, ""},
    {"operation_of_four", 4, operation_of_four, ""},
    {"operation_of_the_root", 2, operation_of_the_root, ""},
    {"late_member_of_a_split", 3, late_member_of_a_split, "2"},
    {"teams_that_wait_for_one", 4, teams_that_wait_for_one, "3"},
    {"copy_callback_that_computes", 3, copy_callback_that_computes, ""},
    {"copy_callback_that_sends", 2, copy_callback_that_sends, ""},
    {"delete_callback_that_sends", 2, delete_callback_that_sends, ""},
    {"ibarrier", 3, ibarrier, "1"},
    {"iallreduce_with_a_message", 3, iallreduce_with_a_message, "1"},
    {"late_neighbor", 4, late_neighbor, "0"},
    {"finalize", 3, finalize, "1"},
    {"same_order_of_two_communicators", 2, same_order_of_two_communicators, "1"},
    {"lock_held_by_one_that_computes", 3, lock_held_by_one_that_computes, "1"},
    {"queue_for_a_lock", 3, queue_for_a_lock, "1"},
    {"late_fence", 3, late_fence, "1"},
    {"file_opened_late", 3, file_opened_late, "1"},
    {"file_written_late", 3, file_written_late, "1"},
#ifdef HAS_MPI_4
    {"late_partition", 2, late_partition, "0"},
#endif
};
const size_t plants_count = sizeof plants / sizeof *plants;
