/* Messages that are refused, cancelled, too long, or partitioned, or that lose their communicator or request. */
#include <sched.h>

#include "books.h"

static int after(const struct place *on, int distance)
{
    return (on->rank + distance + on->size[0]) % on->size[0];
}

static void send_some(const struct place *on, int dest, int tag, int ints, MPI_Request *request)
{
    static int data[INTS_MAX];
    struct envelope message = {
        .data = data, .count = ints, .type = MPI_INT, .dest = dest, .tag = tag, .on = on, .bytes = 4L * ints};
    send_by(NONBLOCKING, STANDARD, &message, request);
}

static void came(struct actor *actor, const struct place *on, const MPI_Status *status)
{
    int bytes;
    CALL(MPI_Get_count)(status, MPI_BYTE, &bytes);
    book_received(on, status->MPI_SOURCE, status->MPI_TAG, bytes);
    see(actor, 'c', status->MPI_SOURCE, status->MPI_TAG, bytes);
}

/* ---- cancelled ---- */

static bool was_cancelled(const MPI_Status *status)
{
    int flag;
    CALL(MPI_Test_cancelled)(status, &flag);
    return flag;
}

void cancel_receives(struct actor *actor, const struct place *on)
{
    enum { NEVER_SENT = 777 };
    int data[4];
    MPI_Request request, both[2];
    MPI_Status status;
    CALL(MPI_Irecv)(data, 4, MPI_INT, MPI_ANY_SOURCE, NEVER_SENT, on->comm, &request);
    CALL(MPI_Cancel)(&request);
    CALL(MPI_Wait)(&request, &status);
    CHECK(was_cancelled(&status));
    CALL(MPI_Irecv)(data, 4, MPI_INT, 0, NEVER_SENT, on->comm, &request);
    CALL(MPI_Cancel)(&request);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    CALL(MPI_Irecv)(data, 4, MPI_INT, 0, NEVER_SENT, on->comm, &request);
    CALL(MPI_Cancel)(&request);
    CALL(MPI_Request_free)(&request);
    CALL(MPI_Recv_init)(data, 4, MPI_INT, MPI_ANY_SOURCE, NEVER_SENT, on->comm, &request);
    for (int i = 0; i < 2; i++) {
        CALL(MPI_Start)(&request);
        CALL(MPI_Cancel)(&request);
        int flag = 0;
        MPI_Status queried;
        while (!flag)
            CALL(MPI_Request_get_status)(request, &flag, &queried);
        CHECK(was_cancelled(&queried));
        bool ended = ended_by_asking(request, &queried);
        CALL(MPI_Wait)(&request, &status);
        CHECK(was_cancelled(&status) == !ended);
        see(actor, 'q', ended, 0, 0);
    }
    CALL(MPI_Request_free)(&request);
    /* Too late: it has come. */
    CALL(MPI_Barrier)(actor->together);
    CALL(MPI_Irecv)(data, 4, MPI_INT, on->rank, 5, on->comm, &both[0]);
    send_some(on, on->rank, 5, 2, &both[1]);
    for (int flag = 0; !flag;)
        CALL(MPI_Request_get_status)(both[0], &flag, MPI_STATUS_IGNORE);
    CALL(MPI_Cancel)(&both[0]);
    CALL(MPI_Wait)(&both[0], &status);
    CALL(MPI_Wait)(&both[1], MPI_STATUS_IGNORE);
    CHECK(!was_cancelled(&status));
    came(actor, on, &status);
}

/* Not every MPI can: the receiver is told whether it was. */
void cancel_sends(struct actor *actor, const struct place *on)
{
    enum { SENT = 8, TOLD = 9 };
    int data[3] = {0}, cancelled, theirs, next = after(on, 1), previous = after(on, -1);
    MPI_Request request;
    MPI_Status status;
    CALL(MPI_Isend)(data, 3, MPI_INT, next, SENT, on->comm, &request);
    CALL(MPI_Cancel)(&request);
    CALL(MPI_Wait)(&request, &status);
    cancelled = was_cancelled(&status);
    CALL(MPI_Sendrecv)(&cancelled, 1, MPI_INT, next, TOLD, &theirs, 1, MPI_INT, previous, TOLD, on->comm, &status);
    book_sent(on, next, TOLD, sizeof cancelled);
    came(actor, on, &status);
    if (!cancelled)
        book_sent(on, next, SENT, sizeof data);
    if (!theirs) {
        CALL(MPI_Recv)(data, 3, MPI_INT, previous, SENT, on->comm, &status);
        came(actor, on, &status);
    }
}

/* ---- too long ---- */

static int class_of(int result)
{
    int class = MPI_SUCCESS;
    if (result != MPI_SUCCESS)
        CALL(MPI_Error_class)(result, &class);
    return class;
}

struct too_long {
    struct actor *actor;
    const struct place *on;
    int source, dest, *in;
    MPI_Status status, statuses[2];
    MPI_Request requests[2];
};

enum { TOO_LONG = 61, RIGHT = 62, ROOM = 4 };

static void send_too_long(struct too_long *it, int ints, MPI_Request *sent)
{
    CALL(MPI_Barrier)(it->actor->together);
    send_some(it->on, it->dest, TOO_LONG, ints, sent);
}

static void arrived(struct too_long *it, int result, const MPI_Status *status)
{
    int bytes;
    CHECK(class_of(result) == MPI_ERR_TRUNCATE);
    CALL(MPI_Get_count)(status, MPI_BYTE, &bytes); /* in MPICH it depends on who came first */
    book_received(it->on, status->MPI_SOURCE, status->MPI_TAG, bytes);
    see(it->actor, 't', status->MPI_SOURCE, status->MPI_TAG, 0);
}

static void received_at_once(struct too_long *it, int way)
{
    MPI_Message message;
    int result;
    if (way == 0) {
        result = CALL(MPI_Recv)(it->in, ROOM, MPI_INT, it->source, TOO_LONG, it->on->comm, &it->status);
    } else if (way == 1) {
        CALL(MPI_Mprobe)(it->source, MPI_ANY_TAG, it->on->comm, &message, MPI_STATUS_IGNORE);
        result = CALL(MPI_Mrecv)(it->in, ROOM, MPI_INT, &message, &it->status);
    } else {
        result = CALL(MPI_Sendrecv)(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, it->in, ROOM, MPI_INT, MPI_ANY_SOURCE, TOO_LONG,
                                    it->on->comm, &it->status);
        book_sent(it->on, MPI_PROC_NULL, 0, 0);
    }
    arrived(it, result, &it->status);
}

/* One request by itself. */
static void completed_alone(struct too_long *it, int way)
{
    int index = 0, flag = 1, count, result;
    CALL(MPI_Irecv)(it->in, ROOM, MPI_INT, it->source, TOO_LONG, it->on->comm, &it->requests[0]);
    do {
        result = way == 3   ? CALL(MPI_Wait)(&it->requests[0], &it->status)
                 : way == 4 ? CALL(MPI_Test)(&it->requests[0], &flag, &it->status)
                 : way == 5 ? CALL(MPI_Waitany)(1, it->requests, &index, &it->status)
                            : CALL(MPI_Waitsome)(1, it->requests, &count, &index, &it->status);
    } while (result == MPI_SUCCESS && !flag);
    if (way == 6) {
        CHECK(class_of(result) == MPI_ERR_IN_STATUS && count == 1);
        result = it->status.MPI_ERROR;
    }
    arrived(it, result, &it->status);
}

/* Together with a correct one, which may need another wait. */
static void completed_together(struct too_long *it)
{
    MPI_Request sent;
    CALL(MPI_Irecv)(it->in, ROOM, MPI_INT, MPI_ANY_SOURCE, TOO_LONG, it->on->comm, &it->requests[0]);
    CALL(MPI_Irecv)(it->in, ROOM, MPI_INT, MPI_ANY_SOURCE, RIGHT, it->on->comm, &it->requests[1]);
    send_some(it->on, it->dest, RIGHT, ROOM, &sent);
    int result = CALL(MPI_Waitall)(2, it->requests, it->statuses);
    CHECK(class_of(result) == MPI_ERR_IN_STATUS);
    arrived(it, it->statuses[0].MPI_ERROR, &it->statuses[0]);
    int class = class_of(it->statuses[1].MPI_ERROR);
    CHECK(class == MPI_SUCCESS || class == MPI_ERR_PENDING);
    if (class == MPI_ERR_PENDING)
        CALL(MPI_Wait)(&it->requests[1], &it->statuses[1]);
    came(it->actor, it->on, &it->statuses[1]);
    CALL(MPI_Wait)(&sent, MPI_STATUS_IGNORE);
}

/* Messages that do not fit into their buffers, on a communicator of their own: both accounts differ there. */
void truncate_messages(struct actor *actor)
{
    enum { WAYS = 8 };
    place_like(actor, MPI_COMM_WORLD, "too long", true);
    struct place *on = &actor->place[--actor->places];
    /* Open MPI fetches a large message whole when the sender is on this node, however short the buffer is (5.0.7:
       mca_pml_ob1_recv_request_progress_rget). */
    static int in[INTS_MAX];
    struct too_long it = {.actor = actor, .on = on, .dest = after(on, 1), .source = after(on, -1), .in = in};
    CALL(MPI_Comm_set_errhandler)(on->comm, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* errors of MPI_Mrecv come here in MPICH */
    for (int way = 0; way < WAYS; way++)
        for (int large = 0; large < 2; large++) {
            MPI_Request sent;
            send_too_long(&it, large ? INTS_MAX : 50, &sent);
            if (way < 3)
                received_at_once(&it, way);
            else if (way < 7)
                completed_alone(&it, way);
            else
                completed_together(&it);
            CALL(MPI_Wait)(&sent, MPI_STATUS_IGNORE);
        }
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    CALL(MPI_Comm_free)(&on->comm);
}

/* A message that the MPI rejects does not count. */
void be_refused(struct actor *actor)
{
    int data = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm comm;
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &comm);
    CALL(MPI_Comm_set_name)(comm, "refused");
    CALL(MPI_Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
    CHECK(CALL(MPI_Send)(&data, 1, MPI_INT, actor->size, 0, comm) != MPI_SUCCESS);
    CHECK(CALL(MPI_Send)(&data, 1, MPI_INT, 0, -5, comm) != MPI_SUCCESS);
    CHECK(CALL(MPI_Isend)(&data, -1, MPI_INT, 0, 0, comm, &request) != MPI_SUCCESS);
    CHECK(CALL(MPI_Recv)(&data, 1, MPI_INT, actor->size, 0, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS);
    CHECK(CALL(MPI_Sendrecv)(&data, 1, MPI_INT, actor->size, 0, &data, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE) !=
          MPI_SUCCESS);
    CALL(MPI_Comm_free)(&comm);
}
