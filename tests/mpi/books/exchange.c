/* Messages to a neighbour and from another one, in one call; and to nobody. */
#include "books.h"

#ifdef HAS_MPI_4
/* In MPICH the status of MPI_Isendrecv is left over from an earlier request. */
static bool isendrecv_has_status(void)
{
    return !check_is_mpich();
}
#endif

/* The plan of one rank. */
struct shift {
    struct actor *actor;
    const struct place *on;
    int dest, source, send_tag, receive_tag; /* as it names them */
    int sent;                                /* bytes */
    bool blind, replaces;
    char *in, *out;
};

static int neighbour(const struct place *on, int distance, bool cyclic)
{
    int size = on->size[0], rank = on->rank + distance;
    return cyclic ? (rank + size) % size : rank < 0 || rank >= size ? MPI_PROC_NULL : rank;
}

/* The length is known by the sender and the tag. */
static int bytes_of(int sender, int tag)
{
    return (sender * 37 + tag % 1000) % 200;
}

static void book_both(const struct shift *shift, const MPI_Status *status)
{
    int source = shift->source, tag = shift->send_tag, bytes = source < 0 ? 0 : bytes_of(source, tag);
    if (status) {
        int said;
        CALL(MPI_Get_count)(status, MPI_CHAR, &said);
        CHECK(said == bytes && status->MPI_SOURCE == source && (source < 0 || status->MPI_TAG == tag));
        see(shift->actor, 'x', status->MPI_SOURCE, status->MPI_TAG, said);
    }
    book_sent(shift->on, shift->dest, tag, shift->sent);
    book_received(shift->on, source, tag, bytes);
}

static void exchange(struct shift *shift)
{
    enum { ROOM = 200 };
    MPI_Status kept, *status = shift->blind ? MPI_STATUS_IGNORE : &kept;
    const struct place *on = shift->on;
    int source = shift->source == MPI_PROC_NULL || roll(&shift->actor->own, 2) ? shift->source : MPI_ANY_SOURCE;
#ifdef HAS_MPI_4
    if (isendrecv_has_status() && roll(&shift->actor->own, 2)) {
        MPI_Request request;
        CALL(MPI_Isendrecv)
        (shift->out, shift->sent, MPI_CHAR, shift->dest, shift->send_tag, shift->in, ROOM, MPI_CHAR, source,
         shift->receive_tag, on->comm, &request);
        CALL(MPI_Wait)(&request, status);
        book_both(shift, shift->blind ? NULL : status);
        return;
    }
#endif
    CALL(MPI_Sendrecv)
    (shift->out, shift->sent, MPI_CHAR, shift->dest, shift->send_tag, shift->in, ROOM, MPI_CHAR, source,
     shift->receive_tag, on->comm, status);
    book_both(shift, shift->blind ? NULL : status);
}

/* One buffer for both: the messages are as long as each other. */
static void replace(const struct shift *shift, int bytes)
{
    const struct place *on = shift->on;
    MPI_Status status;
    int said;
#ifdef HAS_MPI_4
    if (isendrecv_has_status()) {
        MPI_Request request;
        CALL(MPI_Isendrecv_replace)
        (shift->out, bytes, MPI_CHAR, shift->dest, shift->send_tag, shift->source, shift->receive_tag, on->comm,
         &request);
        CALL(MPI_Wait)(&request, &status);
        book_sent(on, shift->dest, shift->send_tag, bytes);
        book_received(on, shift->source, shift->send_tag, bytes);
    }
#endif
    CALL(MPI_Sendrecv_replace)
    (shift->out, bytes, MPI_CHAR, shift->dest, shift->send_tag, shift->source, shift->receive_tag, on->comm, &status);
    CALL(MPI_Get_count)(&status, MPI_CHAR, &said);
    CHECK(said == (shift->source == MPI_PROC_NULL ? 0 : bytes));
    book_sent(on, shift->dest, shift->send_tag, bytes);
    book_received(on, shift->source, shift->send_tag, bytes);
    see(shift->actor, 'r', status.MPI_SOURCE, status.MPI_TAG, said);
}

void exchange_round(struct actor *actor)
{
    struct dice *dice = &actor->common;
    const struct place *on = &actor->place[roll(dice, actor->places)];
    int distance = roll(dice, 3) - 1, bytes = roll(dice, 150), tag = roll(dice, 500) * actor->tag_step;
    bool cyclic = roll(dice, 2), replaces = roll(dice, 2), any_tag = roll(dice, 2) && !on->shared;
    char in[200], out[200] = "";
    CALL(MPI_Barrier)(actor->together);
    if (on->comm == MPI_COMM_NULL || on->inter)
        return;
    struct shift shift = {.actor = actor,
                          .on = on,
                          .dest = neighbour(on, distance, cyclic),
                          .source = neighbour(on, -distance, cyclic),
                          .send_tag = tag + actor->first_tag,
                          .blind = roll(&actor->own, 2),
                          .in = in,
                          .out = out};
    shift.receive_tag = any_tag ? MPI_ANY_TAG : shift.send_tag;
    shift.sent = bytes_of(on->rank, shift.send_tag);
    if (replaces)
        replace(&shift, bytes);
    else
        exchange(&shift);
}

/* If the status does not tell what arrived, the receiver does not count it. */
void exchange_at_once(struct actor *actor)
{
#ifdef HAS_MPI_4
    int in[4], out[4] = {0};
    MPI_Request request;
    place_like(actor, MPI_COMM_WORLD, "at once", true);
    struct place *on = &actor->place[--actor->places];
    int dest = neighbour(on, 1, true), source = neighbour(on, -1, true);
    CALL(MPI_Isendrecv)(out, 4, MPI_INT, dest, 1, in, 4, MPI_INT, source, 1, on->comm, &request);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    book_sent(on, dest, 1, sizeof out);
    if (isendrecv_has_status())
        book_received(on, source, 1, sizeof in);
    CALL(MPI_Comm_free)(&on->comm);
#else
    (void)actor;
#endif
}

/* ---- nobody ---- */

static void nothing_came(struct actor *actor, const MPI_Status *status)
{
    int count;
    CALL(MPI_Get_count)(status, MPI_INT, &count);
    CHECK(status->MPI_SOURCE == MPI_PROC_NULL && status->MPI_TAG == MPI_ANY_TAG && count == 0);
    see(actor, 'n', status->MPI_SOURCE, status->MPI_TAG, count);
}

static void ignore(void *context, int index, const MPI_Status *status)
{
    (void)context, (void)index, (void)status;
}

void talk_to_nobody(struct actor *actor, const struct place *on)
{
    enum { REQUESTS = SEND_MODES * 2 + 3 };
    int data[4] = {0};
    MPI_Request requests[REQUESTS];
    MPI_Status status;
    struct envelope nobody = {.data = data, .count = 4, .type = MPI_INT, .dest = MPI_PROC_NULL, .tag = 3, .on = on};
    int made = 0;
    for (int mode = 0; mode < SEND_MODES; mode++) {
        send_by(BLOCKING, (enum send_mode)mode, &nobody, NULL);
        send_by(NONBLOCKING, (enum send_mode)mode, &nobody, &requests[made++]);
        send_by(PERSISTENT, (enum send_mode)mode, &nobody, &requests[made++]);
        CALL(MPI_Start)(&requests[made - 1]);
        book_sent(on, MPI_PROC_NULL, 3, 0);
    }
    CALL(MPI_Irecv)(data, 4, MPI_INT, MPI_PROC_NULL, 3, on->comm, &requests[made++]);
    CALL(MPI_Irecv)(data, 4, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, on->comm, &requests[made++]);
    CALL(MPI_Recv_init)(data, 4, MPI_INT, MPI_PROC_NULL, 3, on->comm, &requests[made++]);
    CALL(MPI_Startall)(1, &requests[made - 1]);
    for (int i = 0; i < 3; i++)
        book_received(on, MPI_PROC_NULL, -1, 0);
    complete(actor, requests, made, roll(&actor->own, 2), ignore, NULL);
    for (int i = 0; i < made; i++)
        if (requests[i] != MPI_REQUEST_NULL)
            CALL(MPI_Request_free)(&requests[i]);
    CALL(MPI_Recv)(data, 4, MPI_INT, MPI_PROC_NULL, 3, on->comm, &status);
    nothing_came(actor, &status);
    CALL(MPI_Recv)(data, 4, MPI_INT, MPI_PROC_NULL, 3, on->comm, MPI_STATUS_IGNORE);
    book_received(on, MPI_PROC_NULL, -1, 0);
    book_received(on, MPI_PROC_NULL, -1, 0);
    CALL(MPI_Sendrecv)(data, 2, MPI_INT, MPI_PROC_NULL, 3, data + 2, 2, MPI_INT, MPI_PROC_NULL, 3, on->comm, &status);
    nothing_came(actor, &status);
    book_sent(on, MPI_PROC_NULL, 3, 0);
    book_received(on, MPI_PROC_NULL, -1, 0);
    CALL(MPI_Probe)(MPI_PROC_NULL, 3, on->comm, &status);
    nothing_came(actor, &status);
    /* The communicator of what is received from a message of nobody is nowhere in the call: it is in no book. */
    MPI_Message message;
    CALL(MPI_Mprobe)(MPI_PROC_NULL, 3, on->comm, &message, &status);
    nothing_came(actor, &status);
    CALL(MPI_Mrecv)(data, 4, MPI_INT, &message, &status);
    nothing_came(actor, &status);
}
