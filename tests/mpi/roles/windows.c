#include "roles.h"

enum { BYTES = 256 };

static int in[4], out[4], result[4];

/* The four requests of a window, in this form or with large counts. */
#define REQUESTS(win, suffix)                                                                                          \
    do {                                                                                                               \
        MPI_Request request;                                                                                           \
        CALL(MPI_Rput##suffix)(in, 1, MPI_INT, rank, 0, 1, MPI_INT, win, &request);                                    \
        CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);                                                                   \
        CALL(MPI_Rget##suffix)(out, 1, MPI_INT, rank, 0, 1, MPI_INT, win, &request);                                   \
        CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);                                                                   \
        CALL(MPI_Raccumulate##suffix)(in, 1, MPI_INT, rank, 0, 1, MPI_INT, MPI_SUM, win, &request);                    \
        CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);                                                                   \
        CALL(MPI_Rget_accumulate##suffix)                                                                              \
        (in, 1, MPI_INT, result, 1, MPI_INT, rank, 0, 1, MPI_INT, MPI_SUM, win, &request);                             \
        CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);                                                                   \
    } while (0)

static void on_win(MPI_Win *win, int *code, ...)
{
    (void)win;
    (void)code;
}

static void ask(MPI_Win win)
{
    MPI_Group group;
    MPI_Info info;
    MPI_Errhandler handler;
    CALL(MPI_Win_get_group)(win, &group);
    free_group(group);
    CALL(MPI_Win_get_info)(win, &info);
    free_info(info);
    CALL(MPI_Win_create_errhandler)(on_win, &handler);
    CALL(MPI_Win_set_errhandler)(win, handler);
    free_handler(handler);
    CALL(MPI_Win_get_errhandler)(win, &handler);
    free_handler(handler);
}

static void use(MPI_Win win)
{
    CALL(MPI_Win_lock_all)(0, win);
    REQUESTS(win, );
#ifdef HAS_LARGE_COUNTS
    REQUESTS(win, _c);
#endif
    CALL(MPI_Win_unlock_all)(win);
}

static void free_win(MPI_Win win)
{
    CHECK(win != MPI_WIN_NULL);
    CALL(MPI_Win_free)(&win);
}

void windows(void)
{
    static int memory[BYTES];
    MPI_Win win;
    void *base;
    CALL(MPI_Win_allocate)(BYTES, 4, MPI_INFO_NULL, comm, &base, &win);
    ask(win);
    use(win);
    free_win(win);
    /* MPICH 5 on UCX does not know which ranks share memory. */
    MPI_Comm sharing;
    CALL(MPI_Comm_split_type)(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &sharing);
    CALL(MPI_Win_allocate_shared)(BYTES, 4, MPI_INFO_NULL, sharing, &base, &win);
    free_win(win);
    CALL(MPI_Win_create_dynamic)(MPI_INFO_NULL, comm, &win);
    free_win(win);
    CALL(MPI_Win_create)(memory, sizeof memory, 4, MPI_INFO_NULL, comm, &win);
    free_win(win);
#ifdef HAS_LARGE_COUNTS
    CALL(MPI_Win_allocate_c)(BYTES, 4, MPI_INFO_NULL, comm, &base, &win);
    free_win(win);
    CALL(MPI_Win_allocate_shared_c)(BYTES, 4, MPI_INFO_NULL, sharing, &base, &win);
    free_win(win);
    CALL(MPI_Win_create_c)(memory, sizeof memory, 4, MPI_INFO_NULL, comm, &win);
    free_win(win);
#endif
    CALL(MPI_Comm_free)(&sharing);
}
