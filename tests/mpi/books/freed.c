/* Transfers whose communicator, or whose request, is freed before they are complete. */
#include "books.h"

enum { TAG = 31, INTS = 2, BYTES = INTS * sizeof(int) };

struct freed {
    struct actor *actor;
    const struct place *on;
    int in[INTS], source, dest;
    MPI_Request requests[2];
};

static void came(void *context, int index, const MPI_Status *status)
{
    const struct freed *freed = context;
    if (index != 0)
        return;
    if (status) {
        CHECK(status->MPI_SOURCE == freed->source && status->MPI_TAG == TAG);
        see(freed->actor, 'f', status->MPI_SOURCE, status->MPI_TAG, BYTES);
    }
    book_received(freed->on, freed->source, TAG, BYTES);
}

static void send_to_next(struct freed *freed, enum send_way way, MPI_Request *request)
{
    static const int data[INTS];
    struct envelope message = {
        .data = data, .count = INTS, .type = MPI_INT, .dest = freed->dest, .tag = TAG, .on = freed->on, .bytes = BYTES};
    send_by(way, STANDARD, &message, request);
}

enum { FROM_ONE, FROM_ANY, PROBED, PERSISTENT_ONE, PERSISTENT_ANY, KINDS };

static void begin(struct freed *freed, int kind, MPI_Message *message)
{
    MPI_Comm comm = freed->on->comm;
    int source = kind == FROM_ONE || kind == PERSISTENT_ONE ? freed->source : MPI_ANY_SOURCE;
    send_to_next(freed, kind >= PERSISTENT_ONE ? PERSISTENT : NONBLOCKING, &freed->requests[1]);
    if (kind == PROBED)
        CALL(MPI_Mprobe)(source, TAG, comm, message, MPI_STATUS_IGNORE);
    else if (kind >= PERSISTENT_ONE)
        CALL(MPI_Recv_init)(freed->in, INTS, MPI_INT, source, TAG, comm, &freed->requests[0]);
    else
        CALL(MPI_Irecv)(freed->in, INTS, MPI_INT, source, TAG, comm, &freed->requests[0]);
}

static void go_on(struct freed *freed, int kind, MPI_Message *message)
{
    if (kind == PROBED)
        CALL(MPI_Imrecv)(freed->in, INTS, MPI_INT, message, &freed->requests[0]);
    if (kind < PERSISTENT_ONE)
        return;
    CALL(MPI_Startall)(2, freed->requests);
    book_sent(freed->on, freed->dest, TAG, BYTES);
}

/* The only message on each: who is who must be known without an earlier one. Its handle may be another's by then. */
void free_before_completion(struct actor *actor)
{
    static const char *const names[KINDS] = {"freed of one", "freed of any", "freed when probed", "freed before start",
                                             "freed before start of any"};
    for (int kind = 0; kind < KINDS; kind++) {
        MPI_Message message;
        MPI_Comm another;
        place_like(actor, MPI_COMM_WORLD, names[kind], true);
        struct place *on = &actor->place[--actor->places];
        struct freed freed = {.actor = actor,
                              .on = on,
                              .dest = (on->rank + 1) % on->size[0],
                              .source = (on->rank + on->size[0] - 1) % on->size[0]};
        begin(&freed, kind, &message);
        CALL(MPI_Comm_free)(&on->comm);
        CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &another);
        go_on(&freed, kind, &message);
        complete(actor, freed.requests, 2, roll(&actor->own, 2), came, &freed);
        for (int i = 0; i < 2; i++)
            if (freed.requests[i] != MPI_REQUEST_NULL)
                CALL(MPI_Request_free)(&freed.requests[i]);
        CALL(MPI_Comm_free)(&another);
    }
}

/* A request that is freed before it is complete: nobody is told what came. */
void abandon_requests(struct actor *actor)
{
    static int in[INTS], out[INTS];
    MPI_Request request;
    MPI_Status status;
    place_like(actor, MPI_COMM_WORLD, "abandoned", false);
    struct place *on = &actor->place[--actor->places];
    int dest = (on->rank + 1) % on->size[0];
    struct envelope message = {
        .data = out, .count = INTS, .type = MPI_INT, .dest = dest, .tag = TAG, .on = on, .bytes = BYTES};
    CALL(MPI_Irecv)(in, INTS, MPI_INT, MPI_ANY_SOURCE, TAG, on->comm, &request);
    CALL(MPI_Request_free)(&request);
    CALL(MPI_Barrier)(actor->together);
    send_by(BLOCKING, SYNCHRONOUS, &message, NULL); /* it has come */
    message.tag = TAG + 1;
    send_by(NONBLOCKING, STANDARD, &message, &request);
    CALL(MPI_Request_free)(&request);
    CALL(MPI_Recv)(in, INTS, MPI_INT, MPI_ANY_SOURCE, TAG + 1, on->comm, &status);
    book_received(on, status.MPI_SOURCE, TAG + 1, BYTES);
    CALL(MPI_Comm_free)(&on->comm);
}
