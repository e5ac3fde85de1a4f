/* One-sided communication: only the origin has an account. */
#include "books.h"

enum { N = 8, UNIT = N * sizeof(int) };

struct shelf {
    MPI_Win win;
    int size, me; /* ranks in it: the world's, reversed */
};

/* Counts `bytes` put there and `got` taken from there; -1: no transfer in that direction. */
static void book(const struct shelf *shelf, int target, long put, long got)
{
    bool nobody = target == MPI_PROC_NULL;
    int peer = nobody ? -2 : target, own = shelf->size - 1 - shelf->me, other = nobody ? -1 : shelf->size - 1 - target;
    if (put >= 0)
        check_message("shelf", "put", peer, own, other, -1, nobody ? 0 : put);
    if (got >= 0)
        check_message("shelf", "get", peer, other, own, -1, nobody ? 0 : got);
}

static void access(const struct shelf *shelf, int target, int what)
{
    static int data[N], result[N], one = 1, zero;
    MPI_Win win = shelf->win;
    int at = shelf->me * N; /* each origin has its own place */
    switch (what) {
    case 0:
        CALL(MPI_Put)(data, N, MPI_INT, target, at, N, MPI_INT, win);
        book(shelf, target, UNIT, -1);
        break;
    case 1:
        CALL(MPI_Get)(result, N, MPI_INT, target, at, N, MPI_INT, win);
        book(shelf, target, -1, UNIT);
        break;
    case 2:
        CALL(MPI_Accumulate)(data, 3, MPI_INT, target, at, 3, MPI_INT, MPI_SUM, win);
        book(shelf, target, 12, -1);
        break;
    case 3:
        CALL(MPI_Get_accumulate)(data, N, MPI_INT, result, N, MPI_INT, target, at, N, MPI_INT, MPI_SUM, win);
        book(shelf, target, UNIT, UNIT);
        break;
    case 4:
        CALL(MPI_Get_accumulate)(NULL, 0, MPI_INT, result, N, MPI_INT, target, at, N, MPI_INT, MPI_NO_OP, win);
        book(shelf, target, -1, UNIT);
        break;
    case 5:
        CALL(MPI_Fetch_and_op)(&one, result, MPI_INT, target, at, MPI_SUM, win);
        book(shelf, target, 4, 4);
        break;
    case 6:
        CALL(MPI_Fetch_and_op)(NULL, result, MPI_INT, target, at, MPI_NO_OP, win);
        book(shelf, target, -1, 4);
        break;
    case 7:
        CALL(MPI_Compare_and_swap)(&one, &zero, result, MPI_INT, target, at, win);
        book(shelf, target, 4, 4);
        break;
    case 8:
        CALL(MPI_Put)(data, 0, MPI_INT, target, at, 0, MPI_INT, win);
        book(shelf, target, 0, -1);
        break;
    case 9:
        CALL(MPI_Get_accumulate)(data, 0, MPI_INT, result, 0, MPI_INT, target, at, 0, MPI_INT, MPI_SUM, win);
        book(shelf, target, 0, 0);
        break;
    default:
        abort();
    }
}

static void access_by_request(const struct shelf *shelf, int target, int what)
{
    static int data[N], result[N];
    MPI_Win win = shelf->win;
    MPI_Request request;
    int at = shelf->me * N;
    switch (what) {
    case 0:
        CALL(MPI_Rput)(data, N, MPI_INT, target, at, N, MPI_INT, win, &request);
        book(shelf, target, UNIT, -1);
        break;
    case 1:
        CALL(MPI_Rget)(result, N, MPI_INT, target, at, N, MPI_INT, win, &request);
        book(shelf, target, -1, UNIT);
        break;
    case 2:
        CALL(MPI_Raccumulate)(data, 3, MPI_INT, target, at, 3, MPI_INT, MPI_SUM, win, &request);
        book(shelf, target, 12, -1);
        break;
    default:
        CALL(MPI_Rget_accumulate)(data, N, MPI_INT, result, N, MPI_INT, target, at, N, MPI_INT, MPI_SUM, win, &request);
        book(shelf, target, UNIT, UNIT);
    }
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
}

void access_memory(struct actor *actor)
{
    enum { EPOCHS = 6, KINDS = 10, KINDS_BY_REQUEST = 4 };
    int *memory;
    MPI_Comm comm;
    struct shelf shelf = {.size = actor->size, .me = actor->size - 1 - actor->me};
    CALL(MPI_Comm_split)(MPI_COMM_WORLD, 0, -actor->me, &comm);
    CALL(MPI_Win_allocate)((MPI_Aint)actor->size * UNIT, sizeof(int), MPI_INFO_NULL, comm, &memory, &shelf.win);
    CALL(MPI_Win_set_name)(shelf.win, "shelf");
    CALL(MPI_Comm_free)(&comm);
    CALL(MPI_Win_fence)(0, shelf.win);
    for (int i = 0; i < EPOCHS * KINDS; i++) {
        int target = roll(&actor->own, actor->size + 1);
        access(&shelf, target == actor->size ? MPI_PROC_NULL : target, roll(&actor->own, KINDS));
        if (i % KINDS == 0)
            CALL(MPI_Win_fence)(0, shelf.win);
    }
    CALL(MPI_Win_fence)(0, shelf.win);
    CALL(MPI_Win_lock_all)(0, shelf.win);
    for (int i = 0; i < EPOCHS * KINDS_BY_REQUEST; i++)
        access_by_request(&shelf, roll(&actor->own, actor->size), roll(&actor->own, KINDS_BY_REQUEST));
    CALL(MPI_Win_unlock_all)(shelf.win);
    CALL(MPI_Win_free)(&shelf.win);
}
