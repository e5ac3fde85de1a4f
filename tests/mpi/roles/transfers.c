/* Requests of point-to-point communication, and those that the program completes itself; messages. */
#include "roles.h"

static int in[2] = {1, 2}, out[2];
static MPI_Request pair[2];

static void wait_for_both(void)
{
    CALL(MPI_Waitall)(2, pair, MPI_STATUSES_IGNORE);
}

/* Every nonblocking transfer, in this form or with large counts; to this rank itself. */
#define SEND(name, receive)                                                                                            \
    do {                                                                                                               \
        CALL(receive)(out, 1, MPI_INT, 0, 1, own, &pair[0]);                                                           \
        CALL(name)(in, 1, MPI_INT, 0, 1, own, &pair[1]);                                                               \
        wait_for_both();                                                                                               \
    } while (0)
#define MATCHED(suffix)                                                                                                \
    do {                                                                                                               \
        MPI_Message message;                                                                                           \
        int found = 0;                                                                                                 \
        CALL(MPI_Isend##suffix)(in, 1, MPI_INT, 0, 2, own, &pair[0]);                                                  \
        CALL(MPI_Isend##suffix)(in, 1, MPI_INT, 0, 3, own, &pair[1]);                                                  \
        CALL(MPI_Mprobe)(0, 2, own, &message, MPI_STATUS_IGNORE);                                                      \
        CALL(MPI_Mrecv##suffix)(out, 1, MPI_INT, &message, MPI_STATUS_IGNORE);                                         \
        while (!found)                                                                                                 \
            CALL(MPI_Improbe)(0, 3, own, &found, &message, MPI_STATUS_IGNORE);                                         \
        MPI_Request request;                                                                                           \
        CALL(MPI_Imrecv##suffix)(out, 1, MPI_INT, &message, &request);                                                 \
        CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);                                                                   \
        wait_for_both();                                                                                               \
    } while (0)

/* Every persistent one. */
#define START(name, receive)                                                                                           \
    do {                                                                                                               \
        CALL(receive)(out, 1, MPI_INT, 0, 4, own, &pair[0]);                                                           \
        CALL(name)(in, 1, MPI_INT, 0, 4, own, &pair[1]);                                                               \
        CALL(MPI_Start)(&pair[0]);                                                                                     \
        CALL(MPI_Startall)(1, &pair[1]);                                                                               \
        wait_for_both();                                                                                               \
        CALL(MPI_Request_free)(&pair[0]);                                                                              \
        CALL(MPI_Request_free)(&pair[1]);                                                                              \
    } while (0)

#define TRANSFERS(suffix)                                                                                              \
    do {                                                                                                               \
        SEND(MPI_Isend##suffix, MPI_Irecv##suffix);                                                                    \
        SEND(MPI_Ibsend##suffix, MPI_Irecv##suffix);                                                                   \
        SEND(MPI_Issend##suffix, MPI_Irecv##suffix);                                                                   \
        SEND(MPI_Irsend##suffix, MPI_Irecv##suffix);                                                                   \
        MATCHED(suffix);                                                                                               \
        START(MPI_Send_init##suffix, MPI_Recv_init##suffix);                                                           \
        START(MPI_Bsend_init##suffix, MPI_Recv_init##suffix);                                                          \
        START(MPI_Ssend_init##suffix, MPI_Recv_init##suffix);                                                          \
        START(MPI_Rsend_init##suffix, MPI_Recv_init##suffix);                                                          \
    } while (0)

#ifdef HAS_MPI_4
#define BOTH_WAYS(suffix)                                                                                              \
    do {                                                                                                               \
        CALL(MPI_Isendrecv##suffix)(in, 1, MPI_INT, 0, 5, out, 1, MPI_INT, 0, 5, own, &pair[0]);                       \
        CALL(MPI_Wait)(&pair[0], MPI_STATUS_IGNORE);                                                                   \
        CALL(MPI_Isendrecv_replace##suffix)(in, 1, MPI_INT, 0, 5, 0, 5, own, &pair[0]);                                \
        CALL(MPI_Wait)(&pair[0], MPI_STATUS_IGNORE);                                                                   \
    } while (0)

static void partitioned(void)
{
    CALL(MPI_Precv_init)(out, 1, 1, MPI_INT, 0, 6, own, MPI_INFO_NULL, &pair[0]);
    CALL(MPI_Psend_init)(in, 1, 1, MPI_INT, 0, 6, own, MPI_INFO_NULL, &pair[1]);
    CALL(MPI_Startall)(2, pair);
    CALL(MPI_Pready)(0, pair[1]);
    wait_for_both();
    CALL(MPI_Request_free)(&pair[0]);
    CALL(MPI_Request_free)(&pair[1]);
}
#endif

/* ---- every way to complete ---- */

static void post(void)
{
    CALL(MPI_Irecv)(out, 1, MPI_INT, 0, 7, own, &pair[0]);
    CALL(MPI_Isend)(in, 1, MPI_INT, 0, 7, own, &pair[1]);
}

static void complete(void)
{
    int index, done, indices[2], flag = 0;
    post();
    for (int i = 0; i < 2; i++)
        CALL(MPI_Waitany)(2, pair, &index, MPI_STATUS_IGNORE);
    post();
    for (int left = 2; left > 0; left -= done)
        CALL(MPI_Waitsome)(2, pair, &done, indices, MPI_STATUSES_IGNORE);
    post();
    for (int i = 0; i < 2; i++)
        for (flag = 0; !flag;)
            CALL(MPI_Test)(&pair[i], &flag, MPI_STATUS_IGNORE);
    post();
    for (flag = 0; !flag;)
        CALL(MPI_Testall)(2, pair, &flag, MPI_STATUSES_IGNORE);
    post();
    for (int i = 0; i < 2; i++)
        for (flag = 0; !flag;)
            CALL(MPI_Testany)(2, pair, &index, &flag, MPI_STATUS_IGNORE);
    post();
    for (int left = 2; left > 0; left -= done)
        CALL(MPI_Testsome)(2, pair, &done, indices, MPI_STATUSES_IGNORE);
    post();
    for (flag = 0; !flag;)
        CALL(MPI_Request_get_status)(pair[1], &flag, MPI_STATUS_IGNORE);
    wait_for_both();
#ifdef HAS_MPI_4_1
    post();
    for (flag = 0; !flag;)
        CALL(MPI_Request_get_status_all)(2, pair, &flag, MPI_STATUSES_IGNORE);
    CALL(MPI_Request_get_status_any)(2, pair, &index, &flag, MPI_STATUS_IGNORE);
    CALL(MPI_Request_get_status_some)(2, pair, &done, indices, MPI_STATUSES_IGNORE);
    wait_for_both();
#endif
    CALL(MPI_Irecv)(out, 1, MPI_INT, 0, 99, own, &pair[0]);
    CALL(MPI_Cancel)(&pair[0]);
    CALL(MPI_Wait)(&pair[0], MPI_STATUS_IGNORE);
}

/* ---- generalized ones ---- */

static int query(void *extra, MPI_Status *status)
{
    (void)extra;
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int forget(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    (void)extra;
    (void)complete;
    return MPI_SUCCESS;
}

static void generalized(void)
{
    MPI_Request request;
    CALL(MPI_Grequest_start)(query, forget, cancel, NULL, &request);
    CALL(MPI_Grequest_complete)(request);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
}

#ifdef MPICH_VERSION
static int poll(void *extra, MPI_Status *status)
{
    (void)status;
    return MPI_Grequest_complete(*(MPI_Request *)extra);
}

static int wait_for_all(int count, void **extras, double limit, MPI_Status *statuses)
{
    (void)limit;
    (void)statuses;
    for (int i = 0; i < count; i++)
        MPI_Grequest_complete(*(MPI_Request *)extras[i]);
    return MPI_SUCCESS;
}

static void extended(void)
{
    static MPIX_Grequest_class class;
    MPI_Request request;
    CALL(MPIX_Grequest_start)(query, forget, cancel, poll, wait_for_all, &request, &request);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    CALL(MPIX_Grequest_class_create)(query, forget, cancel, poll, wait_for_all, &class);
    CALL(MPIX_Grequest_class_allocate)(class, &request, &request);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
}
#endif

#ifdef HAS_MPI_4_1
static void flushed(void)
{
    static char buffer[1 << 12];
    MPI_Request request;
    void *detached;
    int bytes;
    CALL(MPI_Buffer_iflush)(&request);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    CALL(MPI_Comm_attach_buffer)(own, buffer, sizeof buffer);
    CALL(MPI_Comm_iflush_buffer)(own, &request);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    CALL(MPI_Comm_detach_buffer)(own, &detached, &bytes);
}
#endif

#ifdef HAS_STREAMS
static void on_streams(void)
{
    MPI_Comm where;
    CALL(MPIX_Stream_comm_create)(own, MPIX_STREAM_NULL, &where);
    CALL(MPIX_Stream_irecv)(out, 1, MPI_INT, 0, 7, where, 0, 0, &pair[0]);
    CALL(MPIX_Stream_isend)(in, 1, MPI_INT, 0, 7, where, 0, 0, &pair[1]);
    wait_for_both();
    CALL(MPIX_Stream_irecv_c)(out, 1, MPI_INT, 0, 7, where, 0, 0, &pair[0]);
    CALL(MPIX_Stream_isend_c)(in, 1, MPI_INT, 0, 7, where, 0, 0, &pair[1]);
    wait_for_both();
    CALL(MPI_Comm_free)(&where);
}
#endif

void transfers(void)
{
    static char buffer[1 << 16];
    void *detached;
    int bytes;
    CALL(MPI_Buffer_attach)(buffer, sizeof buffer);
    TRANSFERS();
#ifdef HAS_MPI_4
    BOTH_WAYS();
    partitioned();
#endif
#ifdef HAS_LARGE_COUNTS
    TRANSFERS(_c);
    BOTH_WAYS(_c);
#endif
#ifdef HAS_MPI_4_1
    flushed();
#endif
#ifdef HAS_STREAMS
    on_streams();
#endif
    CALL(MPI_Buffer_detach)(&detached, &bytes);
    complete();
    generalized();
#ifdef MPICH_VERSION
    extended();
#endif
}
