/* Two ranks, as in misuse.c: buffers in pieces, blocks of collective calls, graphs, lists, calls with one element, and
   persistent requests. "wrong" or "right". */
#include "misuse.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

/* A column of a grid of 8 by 8, and other datatypes with gaps. */
static struct {
    MPI_Datatype column, square, places, pair;
} gapped;

static void make_gapped(void)
{
    MPI_Datatype number;
    MPI_Type_vector(8, 1, 8, MPI_INT, &gapped.column);
    MPI_Type_create_subarray(2, (int[]){8, 8}, (int[]){3, 3}, (int[]){2, 2}, MPI_ORDER_C, MPI_INT, &gapped.square);
    MPI_Type_indexed(3, (int[]){1, 2, 1}, (int[]){0, 10, 30}, MPI_INT, &gapped.places);
    MPI_Type_dup(MPI_INT, &number);
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){number, MPI_FLOAT}, &gapped.pair);
    MPI_Type_free(&number);
    MPI_Type_commit(&gapped.column);
    MPI_Type_commit(&gapped.square);
    MPI_Type_commit(&gapped.places);
    MPI_Type_commit(&gapped.pair);
}

static void free_gapped(void)
{
    MPI_Type_free(&gapped.column);
    MPI_Type_free(&gapped.square);
    MPI_Type_free(&gapped.places);
    MPI_Type_free(&gapped.pair);
}

/* A message that somebody will receive, and one for a receive that is pending. */
static void send_to_self(int tag, MPI_Datatype type)
{
    MPI_Send(other, 1, type, 0, tag, MPI_COMM_SELF);
}

static void wrong_pieces(void)
{
    MPI_Request request[2];
    make_gapped();
    MPI_Irecv(data + 3, 1, gapped.column, 0, 51, MPI_COMM_SELF, &request[0]);
    FAULT("overwritten_buffer", MPI_Irecv(data, 1, gapped.square, 0, 52, MPI_COMM_SELF, &request[1]));
    send_to_self(51, gapped.column);
    send_to_self(52, gapped.square);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Irecv(data, 1, gapped.places, 0, 53, MPI_COMM_SELF, &request[0]);
    FAULT("overwritten_buffer", MPI_Irecv(data + 11, 1, MPI_INT, 0, 54, MPI_COMM_SELF, &request[1]));
    send_to_self(53, gapped.places);
    send_to_self(54, MPI_INT);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Irecv(data, 4, gapped.pair, 0, 55, MPI_COMM_SELF, &request[0]);
    FAULT("unfinished_buffer", MPI_Isend(data + 6, 1, gapped.column, 0, 56, MPI_COMM_SELF, &request[1]));
    MPI_Recv(other, 1, gapped.column, 0, 56, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Send(other, 4, gapped.pair, 0, 55, MPI_COMM_SELF);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    FAULT("aliased_buffers", MPI_Sendrecv(data, 1, gapped.column, 0, 57, data + 8, 1, gapped.column, 0, 57,
                                          MPI_COMM_SELF, MPI_STATUS_IGNORE));
    free_gapped();
}

/* Pieces that lie between each other. */
static void right_pieces(void)
{
    MPI_Request request[4];
    MPI_Datatype absolute;
    MPI_Aint address;
    make_gapped();
    for (int i = 0; i < 2; i++) {
        MPI_Irecv(data + i, 1, gapped.column, 0, 51 + i, MPI_COMM_SELF, &request[i]);
        MPI_Isend(data + 4 + i, 1, gapped.column, 0, 51 + i, MPI_COMM_SELF, &request[2 + i]);
    }
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    MPI_Irecv(data + 5, 1, gapped.column, 0, 53, MPI_COMM_SELF, &request[0]);
    MPI_Irecv(data, 1, gapped.square, 0, 54, MPI_COMM_SELF, &request[1]);
    MPI_Irecv(data + 1, 1, gapped.column, 0, 55, MPI_COMM_SELF, &request[2]);
    send_to_self(53, gapped.column);
    send_to_self(54, gapped.square);
    send_to_self(55, gapped.column);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    MPI_Irecv(data, 1, gapped.places, 0, 56, MPI_COMM_SELF, &request[0]);
    MPI_Sendrecv(other, 9, MPI_INT, 0, 57, data + 1, 9, MPI_INT, 0, 57, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    send_to_self(56, gapped.places);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Irecv(data, 4, gapped.pair, 0, 58, MPI_COMM_SELF, &request[0]);
    MPI_Irecv(data + 1, 1, MPI_INT, 0, 59, MPI_COMM_SELF, &request[1]); /* the gap */
    send_to_self(59, MPI_INT);
    MPI_Send(other, 4, gapped.pair, 0, 58, MPI_COMM_SELF);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Get_address(data + 40, &address);
    MPI_Type_create_hindexed(2, (int[]){1, 1}, (MPI_Aint[]){address, address + 8}, MPI_INT, &absolute);
    MPI_Type_commit(&absolute);
    MPI_Irecv(MPI_BOTTOM, 1, absolute, 0, 60, MPI_COMM_SELF, &request[0]);
    MPI_Irecv(data + 41, 1, MPI_INT, 0, 61, MPI_COMM_SELF, &request[1]);
    MPI_Send(other, 2, MPI_INT, 0, 60, MPI_COMM_SELF);
    send_to_self(61, MPI_INT);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Type_free(&absolute);
    free_gapped();
}

/* Rank 1 does not know that rank 0 sends to it. */
static void wrong_graphs(void)
{
    MPI_Comm graph;
    int peer = 1 - rank;
    MPI_Info info = MPI_INFO_NULL;
    if (rank == 0)
        FAULT("unmatched_neighbor", MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &peer, MPI_UNWEIGHTED, 1, &peer,
                                                                   MPI_UNWEIGHTED, info, 0, &graph));
    else
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, &peer, MPI_UNWEIGHTED, 1, &peer, MPI_UNWEIGHTED, info, 0,
                                       &graph);
    MPI_Comm_free(&graph);
    if (rank == 0) {
        FAULT("invalid_dimensions", MPI_Graph_create(MPI_COMM_SELF, 2, (int[]){1, 2}, (int[]){1, 0}, 0, &graph));
        FAULT("invalid_rank", MPI_Graph_create(MPI_COMM_SELF, 1, (int[]){1}, (int[]){1}, 0, &graph));
        FAULT("invalid_rank", MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, (int[]){5}, MPI_UNWEIGHTED, 0, NULL,
                                                             MPI_UNWEIGHTED, info, 0, &graph));
#ifdef MPICH_VERSION /* Open MPI reads the weights */
        FAULT("mixed_weights", MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, (int[]){0}, MPI_UNWEIGHTED, 1,
                                                              (int[]){0}, (int[]){1}, info, 0, &graph));
#endif
    }
}

/* Neighbors of this rank, with weights. */
struct edges {
    int count;
    const int *ranks, *weights;
};

static MPI_Comm make_graph(MPI_Comm comm, struct edges in, struct edges out, int reorder)
{
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(comm, in.count, in.ranks, in.weights, out.count, out.ranks, out.weights,
                                   MPI_INFO_NULL, reorder, &graph);
    return graph;
}

static void make_and_free_graph(MPI_Comm comm, struct edges in, struct edges out)
{
    MPI_Comm graph = make_graph(comm, in, out, 0);
    MPI_Comm_free(&graph);
}

/* Neighbors that agree, weights that are both there, and weights of no edges. */
static void right_graphs(void)
{
    enum { MANY = 300 };
    static int many[MANY];
    const int peer = 1 - rank, one[] = {1}, ones[] = {1, 1}, numbers[] = {4, 5, 6}, zero[] = {0, 0, 0};
    const struct edges both = {1, &peer, MPI_UNWEIGHTED}, none = {0, NULL, MPI_WEIGHTS_EMPTY};
    MPI_Comm graph, of_graph, reversed;
    for (int i = 0; i < MANY; i++)
        many[i] = peer;
    make_and_free_graph(MPI_COMM_WORLD, both, both);
    make_and_free_graph(MPI_COMM_WORLD, none, none);
    /* a neighbor that is there twice, a rank that is its own; edges of one direction only */
    make_and_free_graph(MPI_COMM_WORLD, rank ? (struct edges){3, (int[]){0, 0, 1}, numbers} : none,
                        rank ? (struct edges){1, one, numbers} : (struct edges){2, ones, numbers});
    make_and_free_graph(MPI_COMM_WORLD, rank ? (struct edges){1, &peer, numbers} : none,
                        rank ? none : (struct edges){1, &peer, numbers});
    make_and_free_graph(MPI_COMM_WORLD, rank ? (struct edges){1, &peer, one} : (struct edges){0, one, numbers},
                        rank ? (struct edges){0, one, numbers} : (struct edges){1, &peer, one});
    make_and_free_graph(MPI_COMM_WORLD, (struct edges){1, &peer, zero}, (struct edges){1, &peer, zero});
    /* in another order, and with other weights */
    make_and_free_graph(MPI_COMM_WORLD, (struct edges){3, rank ? (int[]){1, 0, 1} : (int[]){1, 0, 0}, numbers},
                        (struct edges){3, rank ? (int[]){1, 1, 0} : (int[]){0, 1, 0}, zero});
    make_and_free_graph(MPI_COMM_WORLD, (struct edges){MANY, many, MPI_UNWEIGHTED},
                        (struct edges){MANY, many, MPI_UNWEIGHTED});
    make_and_free_graph(MPI_COMM_SELF, (struct edges){2, zero, MPI_UNWEIGHTED},
                        (struct edges){2, zero, MPI_UNWEIGHTED});
    make_and_free_graph(MPI_COMM_SELF, (struct edges){1, zero, one}, (struct edges){1, zero, numbers});
    /* rank 0 of this communicator is rank 1 of all, and sends to the other one */
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    make_and_free_graph(reversed, rank ? none : (struct edges){1, zero, one},
                        rank ? (struct edges){1, one, one} : none);
    MPI_Comm_free(&reversed);
    graph = make_graph(MPI_COMM_WORLD, both, both, 1);
    of_graph = make_graph(graph, none, none, 1);
    MPI_Comm_free(&graph);
    MPI_Comm_dup(of_graph, &graph);
    MPI_Comm_free(&of_graph);
    MPI_Comm_free(&graph);
    /* the edges of others */
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, one, &peer, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Comm_free(&graph);
    MPI_Dist_graph_create(MPI_COMM_WORLD, rank ? 0 : 2, (int[]){0, 1}, ones, (int[]){1, 0}, numbers, MPI_INFO_NULL, 0,
                          &graph);
    MPI_Comm_free(&graph);
    MPI_Graph_create(MPI_COMM_WORLD, 2, (int[]){1, 2}, (int[]){1, 0}, 0, &graph);
    MPI_Comm_free(&graph);
}

static void wrong_lists(void)
{
    MPI_Group world, made = MPI_GROUP_EMPTY;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    FAULT("repeated_rank", MPI_Group_range_incl(world, 2, (int[][3]){{0, 1, 1}, {1, 1, 1}}, &made));
    if (made != MPI_GROUP_EMPTY) /* Open MPI makes it */
        MPI_Group_free(&made);
#ifdef OPEN_MPI /* MPICH reads the list */
    FAULT("null_array", MPI_Group_incl(world, 1, NULL, &made));
#endif
    FAULT("invalid_rank", MPI_Group_range_incl(world, 1, (int[][3]){{0, 2, 1}}, &made));
    MPI_Group_free(&world);
}

static void right_lists(void)
{
    MPI_Group world, made;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 2, (int[][3]){{0, 0, 1}, {1, 1, 1}}, &made);
    MPI_Group_free(&made);
    MPI_Group_free(&world);
}

/* The MPI refuses these. */
static void wrong_in_place_of_groups(void)
{
    MPI_Comm inter;
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 3, &inter);
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
#ifdef MPICH_VERSION /* Open MPI 4.1 crashes */
    FAULT("misplaced_in_place", MPI_Allreduce(MPI_IN_PLACE, data, 1, MPI_INT, MPI_SUM, inter));
#endif
    MPI_Comm_free(&inter);
}

/* Buffers of calls that change one element. */
static void wrong_elements(void)
{
    MPI_Win win;
    MPI_Request request;
    int *memory;
    MPI_Win_allocate(sizeof data, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    MPI_Get(other, 4, MPI_INT, rank, 0, 4, MPI_INT, win);
    FAULT("unfinished_buffer", MPI_Fetch_and_op(other + 1, data, MPI_INT, rank, 8, MPI_SUM, win));
    FAULT("overwritten_buffer", MPI_Fetch_and_op(data + 1, other + 2, MPI_INT, rank, 9, MPI_SUM, win));
    FAULT("aliased_buffers", MPI_Fetch_and_op(data + 2, data + 2, MPI_INT, rank, 10, MPI_SUM, win));
    FAULT("aliased_buffers", MPI_Compare_and_swap(data + 3, data + 4, data + 4, MPI_INT, rank, 11, win));
    FAULT("unfinished_buffer", MPI_Compare_and_swap(data + 5, data, data + 6, MPI_INT, rank, 12, win));
    MPI_Fetch_and_op(data + 7, other + 8, MPI_INT, rank, 13, MPI_SUM, win);
    FAULT("overwritten_buffer", MPI_Irecv(other + 8, 1, MPI_INT, 0, 71, MPI_COMM_SELF, &request));
    MPI_Win_unlock_all(win);
    MPI_Send(data + 20, 1, MPI_INT, 0, 71, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_free(&win);
}

/* A call that was right becomes wrong, though its arguments stay the same. */
static void wrong_repeats(void)
{
    MPI_Request request;
    for (int i = 0; i < 4; i++) {
        if (i == 3)
            MPI_Irecv(data, 1, MPI_INT, 0, 92, MPI_COMM_SELF, &request);
        FAULT_IF(i == 3, "unfinished_buffer",
                 MPI_Sendrecv(data, 1, MPI_INT, 0, 91, other, 1, MPI_INT, 0, 91, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    }
    send_to_self(92, MPI_INT);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

enum { MANY = 3000, PLACES = 1000, STRIDE = 37 };
static int many[MANY];
static MPI_Request all[MANY];

static void begin_many(void)
{
    for (int i = 0; i < MANY; i++)
        MPI_Irecv(&many[i], 1, MPI_INT, 0, 1000 + i, MPI_COMM_SELF, &all[i]);
}

static void end_many(int begin)
{
    for (int i = begin; i < MANY; i++)
        MPI_Send(&rank, 1, MPI_INT, 0, 1000 + i, MPI_COMM_SELF);
    MPI_Waitall(MANY - begin, all + begin, MPI_STATUSES_IGNORE);
}

static void put_many(MPI_Win win)
{
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    for (int i = 0; i < PLACES; i++)
        MPI_Put(&many[i], 1, MPI_INT, rank, i * STRIDE % PLACES, 1, MPI_INT, win);
    for (int i = 0; i < MANY; i++)
        MPI_Accumulate(&many[i], 1, MPI_INT, rank, PLACES, 1, MPI_INT, MPI_SUM, win);
}

/* One wrong use among thousands that are pending. */
static void wrong_many(void)
{
    MPI_Request request;
    MPI_Win win;
    int *memory, fresh[3];
    begin_many();
    FAULT("unfinished_buffer", MPI_Isend(&many[MANY / 2], 1, MPI_INT, 0, 999, MPI_COMM_SELF, &request));
    MPI_Recv(fresh, 1, MPI_INT, 0, 999, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    end_many(0);
    MPI_Win_allocate((PLACES + 2) * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    put_many(win);
    FAULT("conflicting_access", MPI_Get(fresh, 1, MPI_INT, rank, 700 * STRIDE % PLACES, 1, MPI_INT, win));
    FAULT("conflicting_access", MPI_Get(fresh + 1, 1, MPI_INT, rank, PLACES, 1, MPI_INT, win));
    FAULT("overwritten_buffer", MPI_Get(&many[700], 1, MPI_INT, rank, PLACES + 1, 1, MPI_INT, win));
    MPI_Win_unlock(rank, win);
    MPI_Win_free(&win);
}

enum { ROW = 120, IN_WINDOW = 400 };

static MPI_Win make_window(void)
{
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(IN_WINDOW * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    return win;
}

static void free_window(MPI_Win *win)
{
    MPI_Win_unlock(rank, *win);
    MPI_Win_free(win);
}

/* Calls of one call site, some of which are wrong: a condition in the loop could give those another one. */
#define FAULT_IN_ROW(kind, begin, end, ...)                                                                            \
    do {                                                                                                               \
        printf("fault %s %d\n", kind, __LINE__);                                                                       \
        fflush(stdout);                                                                                                \
        for (int i = begin; i < end; i++)                                                                              \
            __VA_ARGS__;                                                                                               \
    } while (0)

/* One access after another, of which one is wrong, or something after them is. */
static void wrong_rows(void)
{
    static int sent[ROW], one, two;
    MPI_Win win = make_window();
    MPI_Request request[3];
    int fresh[2];
    MPI_Put(&two, 1, MPI_INT, rank, 50, 1, MPI_INT, win);
    FAULT_IN_ROW("conflicting_access", 0, ROW, MPI_Put(&sent[i], 1, MPI_INT, rank, i, 1, MPI_INT, win));
    FAULT("conflicting_access", MPI_Get(fresh, 1, MPI_INT, rank, 70, 1, MPI_INT, win));
    FAULT("overwritten_buffer", MPI_Irecv(&sent[80], 1, MPI_INT, 0, 88, MPI_COMM_SELF, &request[0]));
    for (int i = ROW; i < 2 * ROW; i++) {
        if (i == ROW + 50)
            FAULT("overwritten_buffer", MPI_Irecv(&one, 1, MPI_INT, 0, 89, MPI_COMM_SELF, &request[1]));
        FAULT_IF(i == ROW + 50, "unfinished_buffer", MPI_Put(&one, 1, MPI_INT, rank, i, 1, MPI_INT, win));
    }
    FAULT_IN_ROW("beyond_window", IN_WINDOW - ROW, IN_WINDOW + 1,
                 MPI_Accumulate(&two, 1, MPI_INT, rank, i, 1, MPI_INT, MPI_SUM, win));
    FAULT("overwritten_buffer", MPI_Irecv(&two, 1, MPI_INT, 0, 90, MPI_COMM_SELF, &request[2]));
    FAULT("conflicting_access", MPI_Put(&fresh[1], 1, MPI_INT, rank, IN_WINDOW - 20, 1, MPI_INT, win));
    free_window(&win);
    for (int tag = 88; tag <= 90; tag++)
        send_to_self(tag, MPI_INT);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
}

static void right_rows(void)
{
    static int sent[ROW], one, two;
    MPI_Win win = make_window();
    int fresh[2];
    for (int round = 0; round < 3; round++) {
        MPI_Put(&two, 1, MPI_INT, rank, ROW, 1, MPI_INT, win);
        for (int i = 0; i < ROW; i++)
            MPI_Put(&sent[i], 1, MPI_INT, rank, i, 1, MPI_INT, win);
        MPI_Get(fresh, 1, MPI_INT, rank, ROW + 1, 1, MPI_INT, win);
        for (int i = IN_WINDOW - ROW; i < IN_WINDOW; i++) {
            MPI_Accumulate(&one, 1, MPI_INT, rank, i, 1, MPI_INT, MPI_SUM, win);
            MPI_Sendrecv(&one, 1, MPI_INT, 0, 91, &fresh[1], 1, MPI_INT, 0, 91, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        }
        MPI_Accumulate(&two, 1, MPI_INT, rank, IN_WINDOW - 20, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_flush(rank, win);
        sent[80] = one = two = round;
        MPI_Sendrecv(&two, 1, MPI_INT, 0, 92, &one, 1, MPI_INT, 0, 92, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
    free_window(&win);
}

/* Places in no order, none twice, and none of the first 100 and the last one. */
static void scatter(int place[static ROW], int begin)
{
    for (int i = 0; i < ROW; i++)
        place[i] = begin + i * 53 % ROW;
}

/* As rows, but the places do not follow each other; and both in turn. */
static void wrong_scattered(void)
{
    static int sent[4 * ROW], one, place[ROW], *from[ROW];
    MPI_Win win = make_window();
    MPI_Request request[2];
    scatter(place, 100);
    place[90] = place[40];
    FAULT_IN_ROW("conflicting_access", 0, ROW, MPI_Put(&sent[2 * i], 1, MPI_INT, rank, place[i], 1, MPI_INT, win));
    MPI_Win_flush(rank, win);
    scatter(place, 100);
    for (int i = 0; i < 100; i++)
        MPI_Put(&sent[i], 1, MPI_INT, rank, i, 1, MPI_INT, win);
    place[70] = 30;
    FAULT_IN_ROW("conflicting_access", 0, ROW, MPI_Put(&sent[3 * i], 1, MPI_INT, rank, place[i], 1, MPI_INT, win));
    FAULT("overwritten_buffer", MPI_Irecv(&sent[3 * 77], 1, MPI_INT, 0, 86, MPI_COMM_SELF, &request[0]));
    FAULT_IN_ROW("conflicting_access", IN_WINDOW - 100, IN_WINDOW,
                 MPI_Put(&sent[i], 1, MPI_INT, rank, i == IN_WINDOW - 60 ? place[99] : i, 1, MPI_INT, win));
    MPI_Win_flush(rank, win);
    scatter(place, 200);
    for (int i = 0; i < ROW; i++)
        MPI_Put(&sent[i], 1, MPI_INT, rank, place[i], 1, MPI_INT, win);
    FAULT_IN_ROW("conflicting_access", 101, 201, MPI_Put(&sent[i], 1, MPI_INT, rank, i, 1, MPI_INT, win));
    MPI_Win_flush(rank, win);
    MPI_Irecv(&one, 1, MPI_INT, 0, 87, MPI_COMM_SELF, &request[1]);
    for (int i = 0; i < ROW; i++)
        from[i] = i == 60 ? &one : &sent[2 * i];
    FAULT_IN_ROW("unfinished_buffer", 0, ROW, MPI_Put(from[i], 1, MPI_INT, rank, place[i], 1, MPI_INT, win));
    MPI_Win_flush(rank, win);
    place[30] = IN_WINDOW;
    FAULT_IN_ROW("beyond_window", 0, ROW,
                 MPI_Accumulate(&sent[2 * i], 1, MPI_INT, rank, place[i], 1, MPI_INT, MPI_SUM, win));
    free_window(&win);
    send_to_self(86, MPI_INT);
    send_to_self(87, MPI_INT);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

static void right_scattered(void)
{
    static int sent[3 * ROW], place[ROW];
    MPI_Win win = make_window();
    for (int round = 0; round < 3; round++) {
        scatter(place, 100);
        for (int i = 0; i < 100; i++)
            MPI_Put(&sent[i], 1, MPI_INT, rank, i, 1, MPI_INT, win);
        for (int i = 0; i < ROW; i++)
            MPI_Put(&sent[3 * i], 1, MPI_INT, rank, place[i], 1, MPI_INT, win);
        MPI_Sendrecv(&sent[2], 1, MPI_INT, 0, 85, &sent[1 + 3 * 100], 1, MPI_INT, 0, 85, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE);
        for (int i = 100 + ROW; i < IN_WINDOW; i++)
            MPI_Put(&sent[1], 1, MPI_INT, rank, i, 1, MPI_INT, win);
        MPI_Win_flush(rank, win);
        for (int i = 0; i < 2 * ROW; i++)
            MPI_Accumulate(&sent[i], 1, MPI_INT, rank, place[i % ROW], 1, MPI_INT, MPI_SUM, win);
        for (int i = 0; i < ROW; i++)
            MPI_Get(&sent[2 * ROW + i], 1, MPI_INT, rank, i % 100, 1, MPI_INT, win);
        MPI_Win_flush(rank, win);
        for (int i = 0; i < 3 * ROW; i++)
            sent[i] = round;
    }
    free_window(&win);
}

static void right_many(void)
{
    MPI_Win win;
    int *memory, fresh[2];
    begin_many();
    for (int i = 0; i < MANY / 2; i++) {
        MPI_Send(&rank, 1, MPI_INT, 0, 1000 + i, MPI_COMM_SELF);
        MPI_Wait(&all[i], MPI_STATUS_IGNORE);
        MPI_Sendrecv(&many[i], 1, MPI_INT, 0, 999, fresh, 1, MPI_INT, 0, 999, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
    end_many(MANY / 2);
    MPI_Win_allocate((PLACES + 2) * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < 2; i++) {
        put_many(win);
        MPI_Get(fresh, 1, MPI_INT, rank, PLACES + 1, 1, MPI_INT, win);
        MPI_Win_flush(rank, win);
        MPI_Get(fresh + 1, 1, MPI_INT, rank, PLACES, 1, MPI_INT, win);
        MPI_Get(&many[1], 1, MPI_INT, rank, 5, 1, MPI_INT, win);
        MPI_Win_unlock(rank, win);
    }
    MPI_Win_free(&win);
}

static MPI_File open_file(void)
{
    MPI_File file;
    MPI_File_open(MPI_COMM_SELF, "misuse.data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_write(file, data, 16, MPI_INT, MPI_STATUS_IGNORE);
    return file;
}

/* Only one rank calls these. */
static void wrong_files(void)
{
    MPI_Request request;
    MPI_File file = open_file();
    MPI_File_iread_at(file, 0, data, 8, MPI_INT, &request);
    FAULT("unfinished_buffer",
          MPI_Sendrecv(data + 4, 1, MPI_INT, 0, 3, other, 1, MPI_INT, 0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    FAULT("unfinished_buffer", MPI_File_write_at(file, 32, data + 7, 1, MPI_INT, MPI_STATUS_IGNORE));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at(file, 0, data, 8, MPI_INT, &request);
    FAULT("overwritten_buffer", MPI_File_read_at(file, 32, data + 6, 2, MPI_INT, MPI_STATUS_IGNORE));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Irecv(data + 8, 4, MPI_INT, 0, 4, MPI_COMM_SELF, &request);
    FAULT("unfinished_buffer", MPI_File_write_at(file, 0, data + 11, 2, MPI_INT, MPI_STATUS_IGNORE));
    MPI_Send(other, 4, MPI_INT, 0, 4, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_write_all_begin(file, data, 8, MPI_INT);
    FAULT("overwritten_buffer",
          MPI_Sendrecv(other, 1, MPI_INT, 0, 5, data + 7, 1, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    MPI_File_write_all_end(file, data, MPI_STATUS_IGNORE);
    MPI_File_read_at_all_begin(file, 0, data, 8, MPI_INT);
    FAULT("unfinished_buffer",
          MPI_Sendrecv(data, 1, MPI_INT, 0, 6, other, 1, MPI_INT, 0, 6, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    MPI_File_read_at_all_end(file, data, MPI_STATUS_IGNORE);
#ifndef OPEN_MPI /* which reads there */
    FAULT("null_buffer", MPI_File_write_at(file, 0, NULL, 1, MPI_INT, MPI_STATUS_IGNORE));
#endif
    MPI_File_close(&file);
}

static void right_files(void)
{
    MPI_Request request[2];
    MPI_File file = open_file();
    MPI_File_iwrite_at(file, 0, data, 8, MPI_INT, &request[0]);
    MPI_Isend(data + 2, 2, MPI_INT, 0, 4, MPI_COMM_SELF, &request[1]); /* both read */
    MPI_File_read_at(file, 32, data + 8, 8, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Recv(other, 2, MPI_INT, 0, 4, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_File_iread_at(file, 0, data, 8, MPI_INT, &request[0]);
    MPI_File_write_at(file, 32, data + 8, 8, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_File_write_at(file, 0, data, 8, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_at(file, 0, NULL, 0, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; i++) {
        MPI_File_read_at_all_begin(file, 0, data, 8, MPI_INT);
        MPI_Sendrecv(data + 8, 8, MPI_INT, 0, 5, other, 8, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        MPI_File_read_at_all_end(file, data, MPI_STATUS_IGNORE);
        MPI_Sendrecv(other, 8, MPI_INT, 0, 5, data, 8, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        MPI_File_write_all_begin(file, data, 8, MPI_INT);
        MPI_Sendrecv(data, 8, MPI_INT, 0, 5, other, 8, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        MPI_File_write_all_end(file, data, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
}

/* A fence is missing. */
static void wrong_free(void)
{
    MPI_Win win;
    int *memory;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_SELF, &memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Put(data, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    FAULT("open_epoch", MPI_Win_free(&win));
    if (win != MPI_WIN_NULL) { /* MPICH refuses */
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
        MPI_Win_free(&win);
    }
}

static void right_elements(void)
{
    MPI_Win win;
    MPI_Request request;
    int *memory;
    MPI_Win_allocate(sizeof data, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    MPI_Get(other, 4, MPI_INT, rank, 0, 4, MPI_INT, win);
    MPI_Fetch_and_op(other, data, MPI_INT, rank, 8, MPI_NO_OP, win); /* does not read its origin */
    MPI_Fetch_and_op(data + 1, data + 2, MPI_INT, rank, 9, MPI_SUM, win);
    MPI_Fetch_and_op(data + 1, data + 3, MPI_INT, rank, 10, MPI_SUM, win);
    MPI_Compare_and_swap(data + 1, data + 1, data + 4, MPI_INT, rank, 11, win);
    MPI_Win_flush_local(rank, win);
    MPI_Fetch_and_op(data + 2, other, MPI_INT, rank, 12, MPI_SUM, win);
    MPI_Rget(other + 20, 1, MPI_INT, rank, 20, 1, MPI_INT, win, &request);
    MPI_Win_flush(rank, win); /* completes it, too */
    MPI_Fetch_and_op(other + 20, data + 20, MPI_INT, rank, 21, MPI_SUM, win);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(win);
    MPI_Sendrecv(other, 1, MPI_INT, 0, 72, data, 1, MPI_INT, 0, 72, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Win_free(&win);
}

/* Blocks of collective calls that overlap what the call sends. */
static void wrong_blocks(void)
{
    MPI_Request request;
    FAULT("aliased_buffers",
          MPI_Allgatherv(data + 2 * rank, 2, MPI_INT, data, (int[]){2, 2}, (int[]){0, 2}, MPI_INT, MPI_COMM_WORLD));
    FAULT("aliased_buffers", MPI_Alltoallv(data, (int[]){2, 2}, (int[]){0, 8}, MPI_INT, data, (int[]){2, 2},
                                           (int[]){4, 9}, MPI_INT, MPI_COMM_WORLD));
    FAULT("aliased_buffers",
          MPI_Alltoallw(data, (int[]){1, 1}, (int[]){0, 16}, (MPI_Datatype[]){MPI_INT, MPI_INT}, data, (int[]){1, 1},
                        (int[]){4, 16}, (MPI_Datatype[]){MPI_INT, MPI_INT}, MPI_COMM_WORLD));
    FAULT("aliased_buffers", MPI_Reduce_scatter(data, data + 3, (int[]){2, 2}, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    FAULT("aliased_buffers", MPI_Reduce_scatter_block(data, data + 3, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    if (rank == 0) {
        FAULT("aliased_buffers",
              MPI_Gatherv(data + 8, 2, MPI_INT, data, (int[]){2, 2}, (int[]){0, 8}, MPI_INT, 0, MPI_COMM_WORLD));
        FAULT("aliased_buffers",
              MPI_Scatterv(data, (int[]){2, 2}, (int[]){0, 8}, MPI_INT, data + 9, 2, MPI_INT, 0, MPI_COMM_WORLD));
    } else {
        MPI_Gatherv(data, 2, MPI_INT, NULL, NULL, NULL, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Scatterv(NULL, NULL, NULL, MPI_INT, data, 2, MPI_INT, 0, MPI_COMM_WORLD);
    }
#ifndef OPEN_MPI /* which writes to it */
    FAULT("null_buffer", MPI_Allgatherv(data, 1, MPI_INT, NULL, (int[]){1, 1}, (int[]){0, 1}, MPI_INT, MPI_COMM_WORLD));
    FAULT("null_buffer",
          MPI_Alltoallw(data, (int[]){1, 1}, (int[]){0, 16}, (MPI_Datatype[]){MPI_INT, MPI_INT}, NULL, (int[]){1, 1},
                        (int[]){0, 16}, (MPI_Datatype[]){MPI_INT, MPI_INT}, MPI_COMM_WORLD));
#endif
    MPI_Ialltoallv(data, (int[]){1, 1}, (int[]){0, 8}, MPI_INT, other, (int[]){1, 1}, (int[]){0, 8}, MPI_INT,
                   MPI_COMM_WORLD, &request);
    FAULT("overwritten_buffer",
          MPI_Sendrecv(data + 20, 1, MPI_INT, 0, 1, other + 8, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Blocks at addresses, and no blocks. */
static void gather_at_addresses(void)
{
    MPI_Aint at;
    MPI_Datatype there, next;
    MPI_Get_address(other, &at);
    MPI_Type_create_hindexed(1, (int[]){1}, &at, MPI_INT, &there);
    MPI_Type_create_resized(there, 0, sizeof(int), &next);
    MPI_Type_commit(&next);
    MPI_Gatherv(data, 1, MPI_INT, MPI_BOTTOM, (int[]){1, 1}, (int[]){0, 1}, next, 0, MPI_COMM_WORLD);
    MPI_Allgatherv(data, 0, MPI_INT, NULL, (int[]){0, 0}, (int[]){0, 0}, MPI_INT, MPI_COMM_WORLD);
    MPI_Type_free(&there);
    MPI_Type_free(&next);
}

/* Blocks between each other, empty ones, in place, and on other ranks without meaning. */
static void right_blocks(void)
{
    MPI_Request request;
    const int two[] = {2, 2}, one[] = {1, 1}, zero[] = {0, 0};
    const MPI_Datatype numbers[] = {MPI_INT, MPI_INT};
    MPI_Datatype gaps;
    MPI_Type_vector(2, 1, 2, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    MPI_Allgatherv(data, 2, MPI_INT, data + 2, two, (int[]){0, 4}, MPI_INT, MPI_COMM_WORLD); /* the next bytes */
    MPI_Allgatherv(data + 4, 2, MPI_INT, data, two, (int[]){0, 8}, MPI_INT, MPI_COMM_WORLD); /* the gap */
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, two, (int[]){0, 2}, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(data, two, (int[]){0, 8}, MPI_INT, data + 1, two, (int[]){3, 11}, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(data, one, (int[]){0, 0}, MPI_INT, data + 4, one, (int[]){0, 1}, MPI_INT,
                  MPI_COMM_WORLD); /* sent twice */
    MPI_Alltoallv(data, zero, (int[]){0, 4}, MPI_INT, data + 1, zero, (int[]){0, 3}, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_INT, data, one, (int[]){0, 4}, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(data, one, (int[]){0, 4}, gaps, data + 1, one, (int[]){0, 4}, gaps, MPI_COMM_WORLD);
    MPI_Alltoallw(data, one, (int[]){0, 16}, numbers, data + 1, one, (int[]){0, 16}, numbers, MPI_COMM_WORLD);
    MPI_Alltoallw(data, zero, (int[]){0, 0}, numbers, data + 1, zero, (int[]){0, 0}, numbers, MPI_COMM_WORLD);
    MPI_Reduce_scatter(data, data + 4, two, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter(MPI_IN_PLACE, data, two, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(data, data + 4, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Gatherv(data, 2, MPI_INT, rank ? data : data + 2, two, (int[]){0, 2}, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gatherv(rank ? data : MPI_IN_PLACE, 2, MPI_INT, data, two, (int[]){0, 2}, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatterv(data, two, (int[]){0, 2}, MPI_INT, rank ? data : data + 4, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatterv(data, two, (int[]){0, 2}, MPI_INT, rank ? data : MPI_IN_PLACE, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Ialltoallv(data, one, (int[]){0, 8}, MPI_INT, other, one, (int[]){0, 8}, MPI_INT, MPI_COMM_WORLD, &request);
    MPI_Sendrecv(data, 4, MPI_INT, 0, 1, other + 1, 4, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Type_free(&gaps);
    gather_at_addresses();
}

/* Waits for rank 0 by a file: no MPI call of rank 1 can know of it. */
static void wait_past_the_mpi(int number)
{
    char name[32];
    snprintf(name, sizeof name, "misuse.turn%d", number);
    if (rank == 0)
        close(open(name, O_CREAT | O_WRONLY, 0600));
    for (int i = 0; rank == 1 && i < 10000 && access(name, F_OK) != 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* All meet; then rank 0 puts one number to its own part, and has completed that when the other rank begins. */
static void put_first(MPI_Win win, int place, int number)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Put(data, 1, MPI_INT, 0, place, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    wait_past_the_mpi(number);
}

static void wrong_turns(void)
{
    MPI_Win win;
    MPI_Datatype column;
    int *memory, fresh[16] = {0};
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    put_first(win, 0, 1);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Put(fresh, 1, MPI_INT, 0, 8, 1, MPI_INT, win);
        FAULT("unordered_access", MPI_Get(fresh + 1, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
        MPI_Win_unlock(0, win);
    }
    put_first(win, 24, 2);
    if (rank == 1) { /* the third number of the column */
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        FAULT("unordered_access", MPI_Put(fresh + 2, 1, column, 0, 16, 1, column, win));
        MPI_Win_unlock(0, win);
    }
    /* a number of a column and the column, by one process */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    MPI_Put(data, 1, column, rank, 32, 1, column, win);
    FAULT("conflicting_access", MPI_Get(fresh, 1, column, rank, 32, 1, column, win));
    MPI_Win_unlock(rank, win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    if (rank == 0)
        MPI_Put(data, 1, column, 1, 40, 1, column, win);
    else
        FAULT("racing_access", MPI_Put(fresh, 1, column, 1, 40, 1, column, win));
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_free(&win);
    MPI_Type_free(&column);
}

/* The same accesses, but ordered by calls, to other places, atomic, or between each other. */
static void right_turns(void)
{
    MPI_Win win;
    MPI_Datatype column;
    int *memory, fresh[16] = {0}, token = 0;
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    put_first(win, 0, 3); /* a message */
    if (rank == 0)
        MPI_Send(&token, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    else
        MPI_Recv(&token, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Put(fresh, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    put_first(win, 1, 4); /* a number that it has read tells it */
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Get(fresh, 1, MPI_INT, 0, 9, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Put(fresh + 1, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    put_first(win, 2, 5); /* another collective call */
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Put(fresh, 1, MPI_INT, 0, 2, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    put_first(win, 24, 6); /* between the numbers of a column, and a column between those of another one */
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Put(fresh, 1, column, 0, 17, 1, column, win);
        MPI_Put(fresh, 1, column, 0, 18, 1, column, win);
        MPI_Win_unlock(0, win);
    }
    put_first(win, 3, 7); /* ordered past the MPI, and by MPI_Win_sync */
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Win_sync(win);
        MPI_Put(fresh, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* atomic */
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Accumulate(data, 1, column, 0, 32, 1, column, MPI_SUM, win);
    MPI_Win_unlock(0, win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Put(data + 20 * rank, 1, column, 1, 40 + rank, 1, column, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_free(&win);
    /* an exclusive lock of this window would silence all above */
    MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    put_first(win, 0, 8);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(fresh, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Type_free(&column);
}

/* Persistent requests that are never started, one that is gone, and a generalized one that is never complete. */
static void wrong_starts(void)
{
    MPI_Request request, copy, list[2];
    FAULT("never_started", MPI_Recv_init(data, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request));
    FAULT("inactive_wait", MPI_Wait(&request, MPI_STATUS_IGNORE));
    MPI_Request_free(&request);
    FAULT("never_started", MPI_Send_init(data, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &list[0]));
    list[1] = MPI_REQUEST_NULL;
    FAULT("inactive_wait", MPI_Waitall(2, list, MPI_STATUSES_IGNORE));
    MPI_Send_init(data, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_SELF, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    copy = request;
    MPI_Request_free(&request);
#ifdef MPICH_VERSION /* Open MPI crashes */
    FAULT("freed_handle", MPI_Start(&copy));
#endif
    (void)copy;
    FAULT("never_completed", MPI_Grequest_start(no_query, no_free, no_cancel, NULL, &request));
}

/* Requests that are not always started, inactive ones, and handles that are used again. */
static void right_starts(void)
{
    MPI_Request list[4];
    int index, flag;
    for (int i = 0; i < 4; i++)
        MPI_Recv_init(data + i, 1, MPI_INT, 0, i, MPI_COMM_SELF, &list[i]);
    MPI_Start(&list[0]);
    MPI_Send(other, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Waitall(4, list, MPI_STATUSES_IGNORE); /* three were not started, but one was */
    MPI_Wait(&list[0], MPI_STATUS_IGNORE);     /* was started before */
    MPI_Waitany(1, list, &index, MPI_STATUS_IGNORE);
    MPI_Test(&list[1], &flag, MPI_STATUS_IGNORE); /* asks */
    MPI_Testall(3, list + 1, &flag, MPI_STATUSES_IGNORE);
    for (int i = 1; i < 4; i++) {
        MPI_Start(&list[i]);
        MPI_Send(other, 1, MPI_INT, 0, i, MPI_COMM_SELF);
        MPI_Wait(&list[i], MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&list[i]);
    for (int round = 0; round < 3; round++) { /* with the handles of the requests that were freed */
        for (int i = 0; i < 4; i++)
            MPI_Irecv(data + i, 1, MPI_INT, 0, i, MPI_COMM_SELF, &list[i]);
        for (int i = 0; i < 4; i++)
            MPI_Send(other, 1, MPI_INT, 0, i, MPI_COMM_SELF);
        MPI_Waitall(4, list, MPI_STATUSES_IGNORE);
    }
    MPI_Grequest_start(no_query, no_free, no_cancel, NULL, &list[0]);
    MPI_Request_free(&list[0]); /* MPI frees it when it is complete */
    MPI_Wait(&list[0], MPI_STATUS_IGNORE);
}

static void add_all(void *in, void *inout, int *length, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *length; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

/* Objects that are freed while something uses them, or whose handles other objects get. */
static void right_frees(void)
{
    MPI_Datatype type, copy;
    MPI_Comm comm, part;
    MPI_Group group;
    MPI_Request request;
    MPI_Errhandler handler;
    MPI_Info info;
    MPI_Op op;
    MPI_Win win;
    int *memory;
    for (int i = 0; i < 3; i++) {
        MPI_Type_contiguous(2, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Irecv(other, 1, type, 0, 81, MPI_COMM_SELF, &request);
        MPI_Type_dup(type, &copy);
        MPI_Type_free(&type); /* the receive and the copy still have it */
        MPI_Send(data, 1, copy, 0, 81, MPI_COMM_SELF);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Type_free(&copy);
        MPI_Op_create(add_all, 1, &op);
        MPI_Iallreduce(data, other, 4, MPI_INT, op, MPI_COMM_WORLD, &request);
        MPI_Op_free(&op);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Info_create(&info);
        MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
        MPI_Info_free(&info);
        MPI_Comm_get_info(comm, &info);
        MPI_Info_free(&info);
        MPI_Comm_get_errhandler(comm, &handler);
        MPI_Comm_set_errhandler(comm, handler);
        MPI_Errhandler_free(&handler);
        MPI_Comm_group(comm, &group);
        MPI_Comm_create(comm, group, &part);
        MPI_Group_free(&group);
        MPI_Irecv(other, 1, MPI_INT, 1 - rank, 82, comm, &request);
        MPI_Send(data, 1, MPI_INT, 1 - rank, 82, comm);
        MPI_Comm_free(&comm); /* with a pending receive */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Barrier(part);
        MPI_Comm_free(&part);
        MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
        MPI_Win_free(&win);
    }
}

/* NULL and null handles where there is nothing, and buffers that are used again. */
static void right_nothing(void)
{
    MPI_Datatype empty, absolute;
    MPI_Comm comm;
    MPI_Request request;
    MPI_Aint address;
    const int zero[] = {0, 0};
    int flag, count, size;
    MPI_Type_create_struct(0, NULL, NULL, NULL, &empty);
    MPI_Type_commit(&empty);
    MPI_Sendrecv(NULL, 1, empty, 0, 83, NULL, 1, empty, 0, 83, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Type_free(&empty);
    MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
    MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE);
    MPI_Waitsome(0, NULL, &count, NULL, MPI_STATUSES_IGNORE);
    MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Alltoallv(NULL, zero, zero, MPI_INT, other, zero, zero, MPI_INT, MPI_COMM_WORLD);
    MPI_Bcast(MPI_BOTTOM, 0, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Cart_create(MPI_COMM_SELF, 0, NULL, NULL, 0, &comm);
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
    MPI_Get_address(data, &address);
    MPI_Type_create_hindexed(1, (int[]){4}, &address, MPI_INT, &absolute);
    MPI_Type_commit(&absolute);
    MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, MPI_COMM_WORLD);
    MPI_Sendrecv(MPI_BOTTOM, 1, absolute, 0, 84, data + 4, 4, MPI_INT, 0, 84, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Type_free(&absolute);
    MPI_Exscan(data, other, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scan(MPI_IN_PLACE, data, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(MPI_IN_PLACE, data, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, 2, MPI_INT, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(MPI_IN_PLACE, data, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank ? MPI_UNDEFINED : 0, -7, &comm);
    MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_SELF, &flag);
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
    MPI_Irecv(other, 4, MPI_INT, 0, 85, MPI_COMM_SELF, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Sendrecv(data, 4, MPI_INT, 0, 86, other, 4, MPI_INT, 0, 86, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Pack_size(0, MPI_INT, MPI_COMM_SELF, &size);
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    if (argc > 1 && argv[1][0] == 'w') {
        wrong_blocks();
        wrong_graphs();
        wrong_in_place_of_groups();
        wrong_elements();
        wrong_turns();
        wrong_many();
        wrong_rows();
        wrong_scattered();
        if (rank == 0) {
            wrong_pieces();
            wrong_lists();
            wrong_free();
            wrong_repeats();
            wrong_files();
            wrong_starts();
        }
    } else {
        right_blocks();
        right_pieces();
        right_graphs();
        right_lists();
        right_elements();
        right_many();
        right_rows();
        right_scattered();
        if (rank == 0)
            right_files();
        right_turns();
        right_starts();
        right_frees();
        right_nothing();
    }
    MPI_Finalize();
    return 0;
}
