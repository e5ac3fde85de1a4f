/* Waits whose cause is known, on three ranks. A rank that waits prints "wait KIND FUNCTION RANK BEGIN END": when it
   entered the call and left it. The rank that it waits for prints "cause KIND FUNCTION RANK TIME": when it entered its
   own call. Both print the line of the call at the end. Arguments: kill: rank 1 of team kills itself at the end;
   groups: also a wait between two groups of team; across: there are four ranks on two nodes, and ranks 0 and 1 of team
   are on different ones; its ranks 1 and 2 are 2 and 1 of MPI_COMM_WORLD. RANK is that in MPI_COMM_WORLD. */
#include <mpi.h>

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SLEEP_US = 400000, LARGE = 1 << 20 };

static int rank, world_rank;
static double begun;
static int line;

/* A clock that all ranks share: the system call does not see the wrong clocks of simulated hosts. */
static double now(void)
{
    struct timespec time;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* The call is on the next line. */
#define begin() (line = __LINE__ + 1, begun = now())

static void waited(const char *kind, const char *function)
{
    printf("wait %s %s %d %.6f %.6f %d\n", kind, function, world_rank, begun, now(), line);
    fflush(stdout);
}

static void caused(const char *kind, const char *function)
{
    printf("cause %s %s %d %.6f %d\n", kind, function, world_rank, begun, line);
    fflush(stdout);
}

static void late_sender(MPI_Comm comm)
{
    int value = 0;
    if (rank == 0) {
        usleep(SLEEP_US);
        begin();
        MPI_Send(&value, 1, MPI_INT, 1, 5, comm);
        caused("late_sender", __func__);
    } else if (rank == 1) {
        begin();
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
        waited("late_sender", __func__);
    }
}

static void late_sender_of_a_request(MPI_Comm comm)
{
    int value[2] = {0, 0};
    MPI_Request request[2];
    MPI_Status status[2];
    if (rank == 2) {
        usleep(SLEEP_US);
        begin();
        MPI_Send(value, 1, MPI_INT, 1, 6, comm);
        caused("late_sender", __func__);
    } else if (rank == 1) {
        MPI_Irecv(&value[0], 1, MPI_INT, 2, 6, comm, &request[0]);
        MPI_Isend(&value[1], 1, MPI_INT, world_rank, 7, MPI_COMM_WORLD, &request[1]);
        MPI_Recv(&value[1], 1, MPI_INT, world_rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        begin();
        MPI_Waitall(2, request, status);
        waited("late_sender", __func__);
    }
}

static void wrong_order(MPI_Comm comm)
{
    int value = 0;
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 1, comm);
        usleep(SLEEP_US);
        begin();
        MPI_Send(&value, 1, MPI_INT, 1, 2, comm);
        caused("wrong_order", __func__);
    } else if (rank == 1) {
        begin();
        MPI_Recv(&value, 1, MPI_INT, 0, 2, comm, MPI_STATUS_IGNORE);
        waited("wrong_order", __func__);
        MPI_Recv(&value, 1, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE);
    }
}

static void late_receiver(MPI_Comm comm)
{
    int value = 0;
    if (rank == 0) {
        begin();
        MPI_Ssend(&value, 1, MPI_INT, 1, 3, comm);
        waited("late_receiver", __func__);
    } else if (rank == 1) {
        usleep(SLEEP_US);
        begin();
        MPI_Recv(&value, 1, MPI_INT, 0, 3, comm, MPI_STATUS_IGNORE);
        caused("late_receiver", __func__);
    }
}

/* A large message, and a synchronous one: rank 1 receives both late. A small message need not wait. */
static void late_receiver_of_requests(MPI_Comm comm)
{
    static int value[LARGE];
    int small = 0;
    MPI_Request request[2];
    if (rank == 0) {
        MPI_Isend(value, LARGE, MPI_INT, 1, 9, comm, &request[0]);
        begin();
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
        waited("late_receiver", __func__);
    } else if (rank == 2) {
        MPI_Issend(&small, 1, MPI_INT, 1, 9, comm, &request[0]);
        MPI_Isend(&small, 1, MPI_INT, 1, 10, comm, &request[1]);
        begin();
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        waited("late_receiver", __func__);
        MPI_Isend(&small, 1, MPI_INT, 1, 11, comm, &request[0]);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    } else {
        usleep(SLEEP_US);
        begin();
        MPI_Irecv(value, LARGE, MPI_INT, 0, 9, comm, &request[0]);
        MPI_Irecv(&small, 1, MPI_INT, 2, 9, comm, &request[1]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        caused("late_receiver", __func__);
        usleep(SLEEP_US);
        MPI_Recv(&small, 1, MPI_INT, 2, 10, comm, MPI_STATUS_IGNORE);
        MPI_Recv(&small, 1, MPI_INT, 2, 11, comm, MPI_STATUS_IGNORE);
    }
}

static void slow_rank(MPI_Comm comm)
{
    int value = 1, sum;
    if (rank == 2)
        usleep(SLEEP_US);
    begin();
    MPI_Barrier(comm);
    if (rank != 2)
        waited("wait_at_barrier", __func__);
    else
        caused("wait_at_barrier", __func__);
    if (rank == 1)
        usleep(SLEEP_US);
    begin();
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (rank != 1)
        waited("wait_at_nxn", __func__);
    else
        caused("wait_at_nxn", __func__);
}

static void rooted(MPI_Comm comm)
{
    int value = 1, sum;
    if (rank == 0)
        usleep(SLEEP_US);
    begin();
    MPI_Bcast(&value, 1, MPI_INT, 0, comm);
    if (rank)
        waited("late_broadcast", __func__);
    else
        caused("late_broadcast", __func__);
    MPI_Barrier(comm);
    if (rank == 2)
        usleep(SLEEP_US);
    begin();
    MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, comm);
    if (rank == 0)
        waited("early_reduce", __func__);
    else if (rank == 2)
        caused("early_reduce", __func__);
}

/* Rank 1 can only work once it has the message of rank 0, and rank 2 that of rank 1. */
static void chain_begins(MPI_Comm comm)
{
    int value = 0;
    if (rank == 0) {
        usleep(SLEEP_US);
        begin();
        MPI_Send(&value, 1, MPI_INT, 1, 8, comm);
        caused("late_sender", __func__);
    } else if (rank == 1) {
        begin();
        MPI_Recv(&value, 1, MPI_INT, 0, 8, comm, MPI_STATUS_IGNORE);
        waited("late_sender", __func__);
    }
}

static void chain_ends(MPI_Comm comm)
{
    int value = 0;
    if (rank == 1) {
        usleep(SLEEP_US);
        begin();
        MPI_Send(&value, 1, MPI_INT, 2, 8, comm);
        caused("late_sender", __func__);
    } else if (rank == 2) {
        begin();
        MPI_Recv(&value, 1, MPI_INT, 1, 8, comm, MPI_STATUS_IGNORE);
        waited("late_sender", __func__);
    }
}

static void scanned(MPI_Comm comm)
{
    int value = 1, sum;
    if (rank == 0)
        usleep(SLEEP_US);
    begin();
    MPI_Scan(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (rank)
        waited("early_scan", __func__);
    else
        caused("early_scan", __func__);
    MPI_Barrier(comm);
    /* nobody waits for the last rank */
    if (rank == 2)
        usleep(SLEEP_US);
    MPI_Scan(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
}

/* Rank 0 is late with a message that rank 1 probes for, and with the receive of a persistent send of rank 2. */
static void unready(MPI_Comm comm)
{
    static int value[LARGE];
    MPI_Request request;
    MPI_Status status;
    if (rank == 0) {
        usleep(SLEEP_US);
        begin();
        MPI_Send(value, 1, MPI_INT, 1, 13, comm);
        caused("late_sender", __func__);
        begin();
        MPI_Recv(value, LARGE, MPI_INT, 2, 13, comm, MPI_STATUS_IGNORE);
        caused("late_receiver", __func__);
    } else if (rank == 1) {
        begin();
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
        waited("late_sender", __func__);
        MPI_Recv(value, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, comm, MPI_STATUS_IGNORE);
    } else if (rank == 2) {
        MPI_Send_init(value, LARGE, MPI_INT, 0, 13, comm, &request);
        MPI_Start(&request);
        begin();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        waited("late_receiver", __func__);
        MPI_Request_free(&request);
    }
}

/* Starts two receives together, and completes the second one first. */
static void started(MPI_Comm comm)
{
    int value[3] = {0};
    MPI_Request request[3];
    if (rank == 0) {
        MPI_Recv_init(&value[0], 1, MPI_INT, 2, 16, comm, &request[0]);
        MPI_Recv_init(&value[1], 1, MPI_INT, 2, 16, comm, &request[1]);
        MPI_Send_init(&value[2], 1, MPI_INT, 1, 17, comm, &request[2]);
        MPI_Startall(3, request);
        begin();
        MPI_Wait(&request[1], MPI_STATUS_IGNORE);
        waited("late_sender", __func__);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
        MPI_Wait(&request[2], MPI_STATUS_IGNORE);
        for (int i = 0; i < 3; i++)
            MPI_Request_free(&request[i]);
    } else if (rank == 1) {
        MPI_Recv(value, 1, MPI_INT, 0, 17, comm, MPI_STATUS_IGNORE);
    } else if (rank == 2) {
        MPI_Send(value, 1, MPI_INT, 0, 16, comm);
        usleep(SLEEP_US);
        begin();
        MPI_Send(value, 1, MPI_INT, 0, 16, comm);
        caused("late_sender", __func__);
    }
}

/* Rank 1 takes the messages of its two probes in the other order. */
static void matched(MPI_Comm comm)
{
    int value = 0;
    MPI_Message message[2];
    MPI_Request request;
    if (rank == 2) {
        MPI_Send(&value, 1, MPI_INT, 1, 18, comm);
        usleep(SLEEP_US);
        begin();
        MPI_Send(&value, 1, MPI_INT, 1, 18, comm);
        caused("late_sender", __func__);
    } else if (rank == 1) {
        MPI_Mprobe(2, 18, comm, &message[0], MPI_STATUS_IGNORE);
        begin();
        MPI_Mprobe(MPI_ANY_SOURCE, 18, comm, &message[1], MPI_STATUS_IGNORE);
        waited("late_sender", __func__);
        MPI_Imrecv(&value, 1, MPI_INT, &message[1], &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Mrecv(&value, 1, MPI_INT, &message[0], MPI_STATUS_IGNORE);
    }
}

static MPI_Comm make_bridge(MPI_Comm comm)
{
    MPI_Comm group, bridge;
    MPI_Comm_split(comm, rank == 1, 0, &group);
    MPI_Intercomm_create(group, 0, comm, rank != 1, 14, &bridge);
    MPI_Comm_set_name(bridge, "team");
    MPI_Comm_free(&group);
    MPI_Barrier(comm);
    return bridge;
}

/* Rank 2 enters a barrier between two groups late: rank 1, the other group, waits for it. */
static void between(MPI_Comm bridge)
{
    if (rank == 1) {
        begin();
        MPI_Barrier(bridge);
        waited("wait_at_barrier", __func__);
    } else {
        usleep(rank == 2 ? SLEEP_US : 0);
        begin();
        MPI_Barrier(bridge);
        if (rank == 2)
            caused("wait_at_barrier", __func__);
    }
}

/* One request is all that the call waits for. */
static void alone(MPI_Comm comm)
{
    static int value[LARGE];
    MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    if (rank == 0) {
        MPI_Isend(value, LARGE, MPI_INT, 1, 15, comm, &request[0]);
        begin();
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        waited("late_receiver", __func__);
    } else if (rank == 1) {
        usleep(SLEEP_US);
        begin();
        MPI_Recv(value, LARGE, MPI_INT, 0, 15, comm, MPI_STATUS_IGNORE);
        caused("late_receiver", __func__);
    }
}

static void fenced(MPI_Win window)
{
    MPI_Win_fence(0, window);
    if (rank == 2)
        usleep(SLEEP_US);
    begin();
    MPI_Win_fence(0, window);
    if (rank != 2)
        waited("wait_at_fence", __func__);
    else
        caused("wait_at_fence", __func__);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
}

/* Rank 1 exposes its memory late, then rank 0 completes its epoch late. */
static void opened(MPI_Win window)
{
    MPI_Group all, other;
    int peer = 1 - rank;
    if (rank == 2)
        return;
    MPI_Win_get_group(window, &all);
    MPI_Group_incl(all, 1, &peer, &other);
    if (rank == 0) {
        begin();
        MPI_Win_start(other, 0, window);
        waited("late_post", __func__);
        usleep(SLEEP_US);
        begin();
        MPI_Win_complete(window);
        caused("late_complete", __func__);
    } else {
        usleep(SLEEP_US);
        begin();
        MPI_Win_post(other, 0, window);
        caused("late_post", __func__);
        begin();
        MPI_Win_wait(window);
        waited("late_complete", __func__);
    }
    MPI_Group_free(&other);
    MPI_Group_free(&all);
}

/* Rank 0 holds a lock that rank 1 wants. Rank 2 wants another one: if it waits, then because rank 0 sleeps. */
static void locked(MPI_Win window, MPI_Comm comm)
{
    int value = 0, target = rank == 1 ? 1 : 0;
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
        MPI_Send(&value, 1, MPI_INT, 1, 12, comm);
        MPI_Send(&value, 1, MPI_INT, 2, 12, comm);
        usleep(SLEEP_US);
        begin();
        MPI_Win_unlock(1, window);
        caused("wait_for_lock", __func__);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 12, comm, MPI_STATUS_IGNORE);
        begin();
        MPI_Win_lock(rank == 1 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, target, 0, window);
        if (rank == 1)
            waited("wait_for_lock", __func__);
        MPI_Win_unlock(target, window);
    }
}

static void access_windows(MPI_Comm comm)
{
    MPI_Win window;
    int *memory;
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, comm, &memory, &window);
    MPI_Win_set_name(window, "field");
    fenced(window);
    opened(window);
    MPI_Barrier(comm);
    locked(window, comm);
    MPI_Barrier(comm);
    MPI_Win_free(&window);
}

static void wait_for_each_other(MPI_Comm comm, bool across)
{
    MPI_Request request;
    late_sender(comm);
    MPI_Barrier(comm);
    late_sender_of_a_request(comm);
    MPI_Barrier(comm);
    wrong_order(comm);
    MPI_Barrier(comm);
    late_receiver(comm);
    MPI_Barrier(comm);
    late_receiver_of_requests(comm);
    MPI_Barrier(comm);
    slow_rank(comm);
    MPI_Barrier(comm);
    rooted(comm);
    MPI_Barrier(comm);
    chain_begins(comm);
    chain_ends(comm);
    MPI_Barrier(comm);
    scanned(comm);
    MPI_Ibarrier(comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    unready(comm);
    MPI_Barrier(comm);
    alone(comm);
    MPI_Barrier(comm);
    started(comm);
    MPI_Barrier(comm);
    matched(comm);
    MPI_Barrier(comm);
    if (!across) /* not every MPI has windows there */
        access_windows(comm);
    MPI_Barrier(comm);
}

static bool has_argument(int argc, char **argv, const char *word)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], word) == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    static const int role[] = {0, 2, 1, 3};
    bool across = has_argument(argc, argv, "across"), kill = has_argument(argc, argv, "kill");
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    if (across)
        MPI_Comm_split(MPI_COMM_WORLD, world_rank == 3 ? MPI_UNDEFINED : 0, role[world_rank], &comm);
    else
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_set_name(comm, "team");
        MPI_Comm_rank(comm, &rank);
        wait_for_each_other(comm, across);
        if (has_argument(argc, argv, "groups")) {
            MPI_Comm bridge = make_bridge(comm);
            between(bridge);
            MPI_Comm_free(&bridge);
        }
        if (kill) {
            MPI_Barrier(comm); /* all have printed */
            if (rank == 1) {
                usleep(SLEEP_US); /* MPICH's launcher ends at once, with what it has read until then */
                raise(SIGKILL);
            }
            MPI_Barrier(comm);
            usleep(20000000);
        }
        MPI_Comm_free(&comm);
    }
    MPI_Finalize();
    return 0;
}
