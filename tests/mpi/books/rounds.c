/* Rounds of messages that all ranks have planned alike. */
#include <sched.h>

#include "books.h"

enum { MESSAGES_MAX = 24, WILD_TAG = 1, WILD_SOURCE = 2, SMALL = 100 };

struct message {
    struct place *on;
    int side, source, dest; /* side: of the source */
    int tag, ints, wild;
    enum send_way way, receive_way;
    enum send_mode mode;
    bool strided, in_pairs, start_together;
};

struct round {
    struct actor *actor;
    struct message message[MESSAGES_MAX];
    int messages, repetitions;
    bool blind, wild_source; /* statuses are ignored, and all messages have a header; somebody receives from anybody */
    MPI_Datatype pairs;
    int (*in)[INTS_MAX], (*out)[2 * INTS_MAX];
};

static int draw_ints(struct dice *dice)
{
    static const int most[] = {1, 2, 8, 100, 1500, INTS_MAX};
    return roll(dice, most[roll(dice, 6)] + 1);
}

static int draw_tag(struct actor *actor)
{
    static const int tags[] = {0, 1, 2, 7, 100, 4095, 32767, 32768, 100000};
    int which = roll(&actor->common, sizeof tags / sizeof *tags + 1);
    if (which == sizeof tags / sizeof *tags)
        return actor->largest_tag;
    return tags[which] * actor->tag_step + actor->first_tag;
}

/* All receives of one rank on one communicator are wild in the same way: whichever messages they take, each finds one.
 */
static void plan(struct round *round, struct actor *actor)
{
    struct dice *dice = &actor->common;
    int wild[PLACES_MAX][2][RANKS_MAX];
    *round = (struct round){.actor = actor, .blind = roll(dice, 3) == 0, .repetitions = 1 + roll(dice, 3)};
    for (int i = 0; i < PLACES_MAX * 2 * RANKS_MAX; i++)
        (&wild[0][0][0])[i] = roll(dice, 2) ? roll(dice, 4) : 0;
    round->messages = 1 + roll(dice, MESSAGES_MAX);
    for (int i = 0; i < round->messages; i++) {
        struct message *message = &round->message[i];
        int where = roll(dice, actor->places);
        struct place *on = &actor->place[where];
        *message = (struct message){.on = on, .side = roll(dice, on->sides)};
        int other = other_side(on, message->side);
        message->source = roll(dice, on->size[message->side]);
        message->dest = roll(dice, on->size[other]);
        message->tag = draw_tag(actor);
        message->ints = draw_ints(dice);
        if (round->blind && message->ints < HEADER)
            message->ints = HEADER;
        message->wild = wild[where][other][message->dest] & (on->shared ? WILD_SOURCE : WILD_SOURCE | WILD_TAG);
        round->wild_source |= message->wild & WILD_SOURCE;
        message->way = (enum send_way)roll(dice, SEND_WAYS);
        message->mode = (enum send_mode)roll(dice, SEND_MODES);
        /* Open MPI 4.1 sends something else when a large buffered one is started once more. */
        if (message->way == PERSISTENT && message->mode == BUFFERED && message->ints > SMALL)
            message->ints = SMALL;
        message->receive_way = roll(dice, 3) ? NONBLOCKING : PERSISTENT;
        message->strided = roll(dice, 4) == 0;
        message->in_pairs = roll(dice, 4) == 0;
        message->start_together = roll(dice, 2);
    }
    round->in = calloc(MESSAGES_MAX, sizeof *round->in);
    round->out = calloc(MESSAGES_MAX, sizeof *round->out);
    if (!round->in || !round->out)
        abort();
    round->pairs = pairs();
}

static void end(struct round *round)
{
    CALL(MPI_Type_free)(&round->pairs);
    free(round->in);
    free(round->out);
}

static bool is_sent_here(const struct message *message)
{
    const struct place *on = message->on;
    return on->comm != MPI_COMM_NULL && on->side == message->side && on->rank == message->source;
}

static bool is_received_here(const struct message *message)
{
    const struct place *on = message->on;
    return on->comm != MPI_COMM_NULL && on->side == other_side(on, message->side) && on->rank == message->dest;
}

static int source_of(const struct message *message)
{
    return message->wild & WILD_SOURCE ? MPI_ANY_SOURCE : message->source;
}

static int tag_of(const struct message *message)
{
    return message->wild & WILD_TAG ? MPI_ANY_TAG : message->tag;
}

static MPI_Datatype type_in(const struct round *round, const struct message *message)
{
    return message->in_pairs ? round->pairs : MPI_INT;
}

static int count_in(const struct message *message)
{
    return message->in_pairs ? INTS_MAX / 2 : INTS_MAX;
}

/* The message that the receive of message i got; it may be another one. */
static void landed(struct round *round, int i, const MPI_Status *status)
{
    const struct message *message = &round->message[i];
    const int *header = round->in[i];
    int source = header[0], tag = header[1], ints = header[2];
    if (status) {
        CALL(MPI_Get_elements)(status, type_in(round, message), &ints);
        source = status->MPI_SOURCE;
        tag = status->MPI_TAG;
        CHECK(ints < HEADER || (header[0] == source && header[1] == tag && header[2] == ints));
    }
    book_received(message->on, source, tag, 4L * ints);
    see(round->actor, 'm', source, tag, 4L * ints);
}

static void send_message(struct round *round, int i, enum send_way way, enum send_mode mode, MPI_Request *request)
{
    const struct message *message = &round->message[i];
    int header[HEADER] = {message->source, message->tag, message->ints}, step = message->strided ? 2 : 1;
    for (int at = 0; at < HEADER && at < message->ints; at++)
        round->out[i][at * step] = header[at];
    struct envelope envelope = {.data = round->out[i],
                                .count = message->ints,
                                .type = MPI_INT,
                                .dest = message->dest,
                                .tag = message->tag,
                                .on = message->on,
                                .bytes = 4L * message->ints};
    if (message->strided) {
        envelope.count = 1;
        envelope.type = every_second(message->ints);
    }
    send_by(way, mode, &envelope, request);
    if (message->strided)
        CALL(MPI_Type_free)(&envelope.type);
}

/* ---- posted ---- */

/* Begins what is persistent. Ready sends find their receives posted. */
static void start(struct round *round, bool sends, MPI_Request requests[])
{
    MPI_Request together[MESSAGES_MAX];
    int where[MESSAGES_MAX], count = 0;
    for (int i = 0; i < round->messages; i++) {
        const struct message *message = &round->message[i];
        if (requests[i] == MPI_REQUEST_NULL || (sends ? message->way : message->receive_way) != PERSISTENT)
            continue;
        if (sends)
            book_sent(message->on, message->dest, message->tag, 4L * message->ints);
        if (!message->start_together) {
            CALL(MPI_Start)(&requests[i]);
            continue;
        }
        where[count] = i;
        together[count++] = requests[i];
    }
    if (count)
        CALL(MPI_Startall)(count, together);
    for (int i = 0; i < count; i++)
        requests[where[i]] = together[i];
}

static void post_receives(struct round *round, MPI_Request requests[])
{
    for (int i = 0; i < round->messages; i++) {
        const struct message *message = &round->message[i];
        if (!is_received_here(message) || requests[i] != MPI_REQUEST_NULL)
            continue;
        if (message->receive_way == PERSISTENT)
            CALL(MPI_Recv_init)
        (round->in[i], count_in(message), type_in(round, message), source_of(message), tag_of(message),
         message->on->comm, &requests[i]);
        else CALL(MPI_Irecv)(round->in[i], count_in(message), type_in(round, message), source_of(message),
                             tag_of(message), message->on->comm, &requests[i]);
    }
    start(round, false, requests);
}

static void post_sends(struct round *round, MPI_Request requests[])
{
    for (int i = 0; i < round->messages; i++)
        if (is_sent_here(&round->message[i]) && requests[i] == MPI_REQUEST_NULL)
            send_message(round, i, round->message[i].way, round->message[i].mode, &requests[i]);
    start(round, true, requests);
}

static void done_posted(void *context, int index, const MPI_Status *status)
{
    struct round *round = context;
    if (index < round->messages)
        landed(round, index, status);
    else if (index == 2 * round->messages)
        see_generalized(round->actor, status);
}

void posted_round(struct actor *actor)
{
    struct round round;
    MPI_Request requests[2 * MESSAGES_MAX + 1];
    plan(&round, actor);
    int *last = &round.messages;
    for (int i = 0; i <= 2 * MESSAGES_MAX; i++)
        requests[i] = MPI_REQUEST_NULL;
    for (int i = 0; i < round.repetitions; i++) {
        post_receives(&round, requests);
        CALL(MPI_Barrier)(actor->together);
        post_sends(&round, requests + *last);
        if (roll(&actor->own, 3) == 0)
            requests[2 * *last] = generalized();
        complete(actor, requests, 2 * *last + 1, round.blind, done_posted, &round);
    }
    for (int i = 0; i < 2 * *last; i++)
        if (requests[i] != MPI_REQUEST_NULL)
            CALL(MPI_Request_free)(&requests[i]);
    end(&round);
}

/* ---- one after the other ---- */

static void match(const struct round *round, const struct message *message, int i, bool wait, MPI_Status *status)
{
    MPI_Message matched = MPI_MESSAGE_NULL;
    MPI_Request request;
    if (wait)
        CALL(MPI_Mprobe)(source_of(message), tag_of(message), message->on->comm, &matched, MPI_STATUS_IGNORE);
    for (int flag = wait; !flag; sched_yield())
        CALL(MPI_Improbe)(source_of(message), tag_of(message), message->on->comm, &flag, &matched, MPI_STATUS_IGNORE);
    if (message->start_together) {
        CALL(MPI_Mrecv)(round->in[i], count_in(message), type_in(round, message), &matched, status);
    } else {
        CALL(MPI_Imrecv)(round->in[i], count_in(message), type_in(round, message), &matched, &request);
        CALL(MPI_Wait)(&request, status);
    }
}

static void probe(const struct message *message, bool wait, MPI_Status *status)
{
    if (wait)
        CALL(MPI_Probe)(source_of(message), tag_of(message), message->on->comm, status);
    for (int flag = wait; !flag; sched_yield())
        CALL(MPI_Iprobe)(source_of(message), tag_of(message), message->on->comm, &flag, status);
}

static void receive(struct round *round, int i)
{
    const struct message *message = &round->message[i];
    MPI_Status kept, *status = round->blind ? MPI_STATUS_IGNORE : &kept, probed;
    int source = source_of(message), tag = tag_of(message), way = roll(&round->actor->own, 5);
    if (way >= 3) {
        match(round, message, i, way == 3, status);
    } else {
        if (way) {
            probe(message, way == 1, &probed);
            source = probed.MPI_SOURCE;
            tag = probed.MPI_TAG;
        }
        CALL(MPI_Recv)
        (round->in[i], count_in(message), type_in(round, message), source, tag, message->on->comm, status);
    }
    landed(round, i, round->blind ? NULL : status);
}

static void nothing(void *context, int index, const MPI_Status *status)
{
    (void)context, (void)index, (void)status;
}

/* The earliest message that has not arrived can always go on. But where somebody receives from anybody, and so takes a
   later one, no sender may wait for its turn. */
void blocking_round(struct actor *actor)
{
    struct round round;
    MPI_Request requests[MESSAGES_MAX];
    plan(&round, actor);
    CALL(MPI_Barrier)(actor->together);
    for (int i = 0; i < round.messages; i++) {
        const struct message *message = &round.message[i];
        bool waits = round.wild_source || message->source == message->dest;
        enum send_mode mode = message->mode == READY ? STANDARD : message->mode;
        enum send_way way = message->way == PERSISTENT ? BLOCKING : message->way;
        requests[i] = MPI_REQUEST_NULL;
        if (is_sent_here(message))
            send_message(&round, i, waits && mode != BUFFERED ? NONBLOCKING : way, mode, &requests[i]);
        if (is_received_here(message))
            receive(&round, i);
    }
    complete(actor, requests, round.messages, round.blind, nothing, NULL);
    end(&round);
}
