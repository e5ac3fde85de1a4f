/* Programs with one thing to change, whose gain callsign whatif forecasts. Arguments: the case; "changed": with the
   change; ranks sleep instead of computing, so that they need no cores. Rank 0 prints the time from the first barrier
   to the last. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 6, LARGE = 1 << 19 };

static int rank, size;
static char out[LARGE], in[LARGE];

static void work(int ms)
{
    const struct timespec time = {0, (long)ms * 1000000};
    nanosleep(&time, NULL);
}

/* Rank 1 takes 120 ms instead of 60 between collective calls. */
static void late_rank(int changed)
{
    double sum, mine = rank;
    for (int i = 0; i < ROUNDS; i++) {
        work(rank == 1 && !changed ? 120 : 60);
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

/* The same with messages of 4 bytes, or of half a mebibyte, around a ring. */
static void ring(int changed, int bytes)
{
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Request request[2];
        MPI_Status status[2];
        work(rank == 1 && !changed ? 120 : 60);
        MPI_Irecv(in, bytes, MPI_CHAR, (rank + size - 1) % size, 3, MPI_COMM_WORLD, &request[0]);
        MPI_Isend(out, bytes, MPI_CHAR, (rank + 1) % size, 3, MPI_COMM_WORLD, &request[1]);
        MPI_Waitall(2, request, status);
    }
}

static void small_messages(int changed)
{
    ring(changed, 4);
}

static void large_messages(int changed)
{
    ring(changed, LARGE);
}

/* The code in region solve takes 30 ms instead of 60; the same call ends it and the code outside. */
static void region(int changed)
{
    double sum, mine = rank;
    for (int i = 0; i < ROUNDS; i++) {
        work(40);
        MPI_Pcontrol(1, "solve");
        for (int part = 0; part < 2; part++) {
            work(changed ? 15 : 30);
            MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        }
        MPI_Pcontrol(-1, "solve");
    }
}

/* Each round another rank is late. Without the barrier that is balanced over the rounds. */
static void extra_barrier(int changed)
{
    for (int i = 0; i < ROUNDS; i++) {
        work(i % size == rank ? 120 : 30);
        if (!changed)
            MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* Each rank works when it has the message of the one before. Rank 1 takes 100 ms instead of 50. */
static void chain(int changed)
{
    for (int i = 0; i < ROUNDS; i++) {
        if (rank > 0)
            MPI_Recv(in, 8, MPI_CHAR, rank - 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        work(rank == 1 && !changed ? 100 : 50);
        if (rank + 1 < size)
            MPI_Ssend(out, 8, MPI_CHAR, rank + 1, 4, MPI_COMM_WORLD);
    }
}

/* A blocking send of half a mebibyte waits for its receive, which comes late. */
static void late_receiver(int changed)
{
    for (int i = 0; i < ROUNDS; i++)
        if (rank == 0) {
            work(30);
            MPI_Send(out, LARGE, MPI_CHAR, 1, 5, MPI_COMM_WORLD);
        } else if (rank == 1) {
            work(changed ? 60 : 120);
            MPI_Recv(in, LARGE, MPI_CHAR, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
}

/* Only the code before the second call is uneven; the mean of three ranks is 80 ms. */
static void uneven_code(int changed)
{
    double sum, mine = rank;
    for (int i = 0; i < ROUNDS; i++) {
        work(30);
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        work(changed ? 80 : rank == 1 ? 160 : 40);
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
}

static int op_ms;

static void add_slowly(void *invec, void *inoutvec, int *len, MPI_Datatype *datatype)
{
    (void)datatype;
    work(op_ms);
    for (int i = 0; i < *len; i++)
        ((double *)inoutvec)[i] += ((double *)invec)[i];
}

/* A reduction takes long by itself: its operation is slow. */
static void slow_site(int changed)
{
    double sum, mine = rank;
    MPI_Op op;
    MPI_Op_create(add_slowly, 1, &op);
    op_ms = changed ? 0 : 20;
    for (int i = 0; i < ROUNDS; i++) {
        work(60);
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
    }
    MPI_Op_free(&op);
}

/* Each item goes through all ranks in turn. The slowest one decides; the mean is 70 ms. */
static void pipeline(int changed)
{
    static const int ms[] = {40, 140, 30};
    for (int i = 0; i < ROUNDS; i++) {
        if (rank > 0)
            MPI_Recv(in, 8, MPI_CHAR, rank - 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        work(changed ? 70 : ms[rank % 3]);
        if (rank + 1 < size)
            MPI_Send(out, 8, MPI_CHAR, rank + 1, 4, MPI_COMM_WORLD);
    }
}

/* Rank 1 works longer while its messages are under way. */
static void overlap(int changed)
{
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Request request[2];
        MPI_Irecv(in, 64, MPI_CHAR, (rank + size - 1) % size, 3, MPI_COMM_WORLD, &request[0]);
        work(20);
        MPI_Isend(out, 64, MPI_CHAR, (rank + 1) % size, 3, MPI_COMM_WORLD, &request[1]);
        work(rank == 1 && !changed ? 100 : 40);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        work(rank == 1 && !changed ? 40 : 20);
    }
}

/* Each rank has another load, 70 ms on average. */
static void alltoall(int changed)
{
    static const int ms[] = {30, 60, 120};
    for (int i = 0; i < ROUNDS; i++) {
        work(changed ? 70 : ms[rank % 3]);
        MPI_Alltoall(out, 1024, MPI_CHAR, in, 1024, MPI_CHAR, MPI_COMM_WORLD);
    }
}

/* Rank 1 and its neighbour wait for each other, apart from the rest. */
static void subcommunicators(int changed)
{
    double sum, mine = rank;
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    for (int i = 0; i < ROUNDS; i++) {
        work(rank == 1 && !changed ? 140 : rank / 2 ? 90 : 70);
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, half);
    }
    MPI_Comm_free(&half);
}

/* Rank 0 gives out work and takes the results as they come. Rank 1 takes 120 ms for each. */
static void master_worker(int changed)
{
    for (int i = 0; i < ROUNDS; i++)
        if (rank == 0) {
            for (int worker = 1; worker < size; worker++)
                MPI_Send(out, 8, MPI_CHAR, worker, 6, MPI_COMM_WORLD);
            for (int worker = 1; worker < size; worker++) {
                MPI_Recv(in, 8, MPI_CHAR, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                work(5);
            }
        } else {
            MPI_Recv(in, 8, MPI_CHAR, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            work(rank == 1 ? (changed ? 60 : 120) : 40);
            MPI_Send(out, 8, MPI_CHAR, 0, 7, MPI_COMM_WORLD);
        }
}

static void persistent(int changed)
{
    MPI_Request request[2];
    MPI_Recv_init(in, 64, MPI_CHAR, (rank + size - 1) % size, 3, MPI_COMM_WORLD, &request[0]);
    MPI_Send_init(out, 64, MPI_CHAR, (rank + 1) % size, 3, MPI_COMM_WORLD, &request[1]);
    for (int i = 0; i < ROUNDS; i++) {
        work(rank == 1 && !changed ? 120 : 60);
        MPI_Startall(2, request);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
}

/* A message goes to the next rank and back, many times: all of them wait for the network. */
static void latency(int changed)
{
    (void)changed; /* planted_delay.c delays the messages */
    for (int i = 0; i < 40; i++) {
        if (rank == 0) {
            work(5);
            MPI_Send(out, 8, MPI_CHAR, 1, 8, MPI_COMM_WORLD);
            MPI_Recv(in, 8, MPI_CHAR, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == 1) {
            MPI_Recv(in, 8, MPI_CHAR, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            work(5);
            MPI_Send(out, 8, MPI_CHAR, 0, 8, MPI_COMM_WORLD);
        }
    }
}

/* Messages have come long before rank 1 asks for them: their latency is hidden. */
static void hidden_latency(int changed)
{
    (void)changed;
    for (int i = 0; i < 4 * ROUNDS; i++) {
        if (rank == 0)
            MPI_Send(out, 8, MPI_CHAR, 1, 8, MPI_COMM_WORLD);
        work(30);
        if (rank == 1 && i % 6)
            work(10);
        if (rank == 1)
            MPI_Recv(in, 8, MPI_CHAR, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 4 * ROUNDS; i++) /* a few receives that wait, from which the latency is known */
        if (rank == 2 && size > 2)
            MPI_Recv(in, 8, MPI_CHAR, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else if (rank == 0 && size > 2) {
            work(2);
            MPI_Send(out, 8, MPI_CHAR, 2, 9, MPI_COMM_WORLD);
        }
}

/* The root has the data late; the others wait for it. */
static void bcast_root(int changed)
{
    for (int i = 0; i < ROUNDS; i++) {
        work(rank == 1 && !changed ? 120 : 60);
        MPI_Bcast(out, 4096, MPI_CHAR, 1, MPI_COMM_WORLD);
    }
}

/* Each rank needs those of lower ranks. */
static void scan(int changed)
{
    double sum, mine = rank;
    for (int i = 0; i < ROUNDS; i++) {
        work(rank == 1 && !changed ? 120 : rank == 0 ? 50 : 60);
        MPI_Scan(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

/* Eager messages: rank 0 sends them ahead, rank 1 is behind. */
static void producer(int changed)
{
    for (int i = 0; i < ROUNDS; i++)
        if (rank == 0) {
            work(40);
            MPI_Send(out, 64, MPI_CHAR, 1, 5, MPI_COMM_WORLD);
        } else if (rank == 1) {
            MPI_Recv(in, 64, MPI_CHAR, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            work(changed ? 60 : 120);
        }
}

static void fence(int changed)
{
    MPI_Win win;
    void *memory;
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < ROUNDS; i++) {
        work(rank == 1 && !changed ? 120 : 60);
        MPI_Put(out, 8, MPI_CHAR, (rank + 1) % size, 0, 8, MPI_CHAR, win);
        MPI_Win_fence(0, win);
    }
    MPI_Win_free(&win);
}

/* Nothing to gain. */
static void balanced(int changed)
{
    double sum, mine = rank;
    (void)changed;
    for (int i = 0; i < 2 * ROUNDS; i++) {
        work(60);
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

/* Rank 1 opens its exposure epoch late: rank 0 waits for it, then rank 1 for rank 0's accesses. */
static void epoch(int changed)
{
    MPI_Win win;
    MPI_Group world, other;
    void *memory;
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &(int){1 - rank}, &other);
    for (int i = 0; rank < 2 && i < ROUNDS; i++) {
        work(rank == 1 && !changed ? 100 : 40);
        if (rank == 1)
            MPI_Win_post(other, 0, win);
        else
            MPI_Win_start(other, 0, win);
        if (rank == 0) {
            MPI_Put(out, 8, MPI_CHAR, 1, 0, 8, MPI_CHAR, win);
            work(20);
            MPI_Win_complete(win);
        } else {
            MPI_Win_wait(win);
        }
    }
    MPI_Group_free(&other);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
}

/* Rank 1 keeps a lock of rank 0's memory for long. Rank 2 comes 5 ms later and needs it, too. */
static void lock(int changed)
{
    MPI_Win win;
    void *memory;
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
            continue;
        work(rank == 2 ? 25 : 20);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(out, 8, MPI_CHAR, 0, 0, 8, MPI_CHAR, win);
        MPI_Win_flush(0, win);
        work(rank == 1 && !changed ? 80 : 20);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
}

/* Rank 1 keeps an exclusive lock for long. Rank 2 comes 5 ms later and locks all targets. */
static void lock_all(int changed)
{
    MPI_Win win;
    void *memory;
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1) {
            work(20);
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
            work(changed ? 20 : 80);
            MPI_Win_unlock(0, win);
        } else if (rank == 2) {
            work(25);
            MPI_Win_lock_all(0, win);
            MPI_Put(out, 8, MPI_CHAR, 0, 0, 8, MPI_CHAR, win);
            work(20);
            MPI_Win_unlock_all(win);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
}

static const struct {
    const char *name;
    void (*run)(int changed);
} cases[] = {
    {"late_rank", late_rank},
    {"small_messages", small_messages},
    {"large_messages", large_messages},
    {"region", region},
    {"extra_barrier", extra_barrier},
    {"chain", chain},
    {"late_receiver", late_receiver},
    {"uneven_code", uneven_code},
    {"slow_site", slow_site},
    {"pipeline", pipeline},
    {"overlap", overlap},
    {"alltoall", alltoall},
    {"subcommunicators", subcommunicators},
    {"master_worker", master_worker},
    {"persistent", persistent},
    {"latency", latency},
    {"hidden_latency", hidden_latency},
    {"bcast_root", bcast_root},
    {"scan", scan},
    {"producer", producer},
    {"fence", fence},
    {"epoch", epoch},
    {"lock", lock},
    {"lock_all", lock_all},
    {"balanced", balanced},
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int changed = argc > 2 && strcmp(argv[2], "changed") == 0;
    MPI_Barrier(MPI_COMM_WORLD);
    double begun = MPI_Wtime();
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
        if (strcmp(argv[1], cases[i].name) == 0)
            cases[i].run(changed);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.6f\n", MPI_Wtime() - begun);
    MPI_Finalize();
    return 0;
}
