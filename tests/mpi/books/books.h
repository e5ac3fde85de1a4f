/* A random message program that keeps books of the envelope of every message that it sends and receives, with which
   tests/mpi/books.py compares the trace. All ranks draw the same plan from the seed, so that each message has a sender
   and a receiver and none waits for ever; how a rank completes its requests it draws alone. */
#pragma once

#include <stdint.h>

#include "check.h"

enum { RANKS_MAX = 8, PLACES_MAX = 8, INTS_MAX = 12000, HEADER = 3 /* ints: source, tag, length */ };

struct dice {
    uint64_t state;
};
/* 0 to sides - 1 */
int roll(struct dice *dice, int sides);

/* A communicator as all ranks know it. */
struct place {
    MPI_Comm comm; /* MPI_COMM_NULL: this rank has no part in it */
    const char *name;
    bool inter;
    int sides, size[2], member[2][RANKS_MAX]; /* ranks in MPI_COMM_WORLD; an intercommunicator has two sides */
    int side, rank;                           /* this rank's */
    bool shared;                              /* by threads, who tell their messages by the tag */
};

/* The follower of a plan: the process, or one of its threads. */
struct actor {
    struct dice common, own;
    struct place place[PLACES_MAX];
    int places;
    MPI_Comm together; /* all that follow the same plan */
    int tag_step, first_tag, largest_tag;
    int me, size;
    uint64_t seen; /* a sum of all that the statuses said: the same bare and recorded */
    long messages; /* received messages */
};

/* ---- the books ---- */

/* MPI_PROC_NULL too, which has no tag and no bytes. */
void book_sent(const struct place *on, int dest, int tag, long bytes);
void book_received(const struct place *on, int source, int tag, long bytes);

/* Adds to what was seen, in any order. */
void see(struct actor *actor, int what, int source, int tag, long bytes);

static inline int other_side(const struct place *on, int side)
{
    return on->inter ? 1 - side : side;
}

/* ---- places.c ---- */

/* A place of all members; reversed: the last is the first. They are named. */
void place_like(struct actor *actor, MPI_Comm from, const char *name, bool reversed);
void make_places(struct actor *actor);
void free_places(struct actor *actor);

/* ---- sending ---- */

enum send_mode { STANDARD, BUFFERED, SYNCHRONOUS, READY, SEND_MODES };
enum send_way { BLOCKING, NONBLOCKING, PERSISTENT, SEND_WAYS };

struct envelope {
    const void *data;
    int count;
    MPI_Datatype type;
    int dest, tag;
    const struct place *on;
    long bytes;
};
/* Sends, or makes a persistent request, which books nothing. */
void send_by(enum send_way way, enum send_mode mode, const struct envelope *message, MPI_Request *request);

/* Pairs of ints. */
MPI_Datatype pairs(void);
/* count ints, every second one */
MPI_Datatype every_second(int count);

/* ---- completing ---- */

/* One request has completed. status NULL: it was ignored. */
typedef void completed(void *context, int index, const MPI_Status *status);

/* Completes all that are not null, in a way that the actor draws. */
void complete(struct actor *actor, MPI_Request requests[], int count, bool blind, completed *done, void *context);

/* True if a request that MPI_Request_get_status found complete, with that status, is inactive now. MPICH 4.2
   completes persistent requests there, as a wait would: later queries return the empty status. */
bool ended_by_asking(MPI_Request request, const MPI_Status *said);

/* A request that is complete, and whose status says something of its own. */
MPI_Request generalized(void);
void see_generalized(struct actor *actor, const MPI_Status *status);

/* ---- what there is to do ---- */

void posted_round(struct actor *actor);   /* receives are posted before anything is sent */
void blocking_round(struct actor *actor); /* one after the other */
void exchange_round(struct actor *actor); /* to a neighbour, from another */

void exchange_at_once(struct actor *actor);
void talk_to_nobody(struct actor *actor, const struct place *on);
void cancel_receives(struct actor *actor, const struct place *on);
void cancel_sends(struct actor *actor, const struct place *on);
void truncate_messages(struct actor *actor);
void be_refused(struct actor *actor);
void free_before_completion(struct actor *actor);
void abandon_requests(struct actor *actor);
void send_partitions(struct actor *actor, const struct place *on);
void access_memory(struct actor *actor);
