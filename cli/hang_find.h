/* What is known of the ranks of a run at one moment, and what follows from it: who cannot go on any more. No SQL, no
 * MPI, no wording: cli/hang_load.c fills the model, cli/hang_find.c draws the conclusions, cli/hang_print.c has the
 * words.
 *
 * A rank is stuck only if that is proven. The proof is one of logic, not of time: ranks whose state is one picture of
 * one moment (`steady`), each of which waits for what only ranks of the set can give, and which was not given before.
 * Accounts of messages and numbers of collective calls tell what was given. Where these are not whole, a rank is not
 * stuck: a false accusation is worse than a missed one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "functions.h"
#include "journal/format.h"

enum cs_hang_outcome { CS_HANG_RUNNING, CS_HANG_FINALIZED, CS_HANG_GONE };

enum { CS_HANG_NONE = -1 /* no index */ };

struct cs_hang_rank {
    int rank; /* in MPI_COMM_WORLD */
    uint32_t pid;
    const char *node, *outcome_word;
    enum cs_hang_outcome outcome;
    bool steady;             /* its state is one of the moment that the picture is of, and it may run */
    bool stopped;            /* by a signal */
    bool exact;              /* all its calls and messages were counted */
    bool whole;              /* all its active requests are known */
    bool open;               /* a thread that is not inside MPI may call it */
    bool handles_errors;     /* it made an error handler, which any call may run */
    bool handles_attributes; /* it made keyvals with functions, which calls that copy or delete attributes run */
    bool open_callback;      /* a conclusion: it may be in one of these, and call MPI */
    bool elsewhere;          /* on another node: the picture is older */
    size_t thread, threads;
    int64_t seen_ns;
    /* conclusions */
    bool waits, stuck;
    int core; /* the deadlock that it is part of; CS_HANG_NONE */
};

/* A communicator, window or file as one rank has it. */
struct cs_hang_object {
    int rank;
    uint32_t object;
    uint64_t uid;          /* the same on all members; 0: this rank's alone, or not known */
    uint64_t side;         /* uid of its parent: tells the groups of an intercommunicator apart */
    int size, remote_size; /* remote_size -1: intracommunicator. size 0: not known */
    int own;               /* own rank in it */
    bool adopted, freed, world;
    uint32_t begun;    /* collective calls on it */
    uint16_t function; /* of the last one */
    int32_t root;      /* of the last one */
    const char *label;
};

struct cs_hang_request {
    int rank, thread; /* that waits for it; CS_HANG_NONE: none does */
    uint32_t object, collective, partitions, ready, copies;
    uint16_t function;
    bool receives, sends, persistent;
    int32_t peer, tag;
    int64_t site;
};

struct cs_hang_traffic {
    int rank;
    uint32_t object;
    bool sent; /* else received */
    int32_t peer;
    int64_t messages;
};

struct cs_hang_tag { /* of messages that were sent */
    int rank;
    uint32_t object;
    int32_t first, last;
};

struct cs_hang_lock {
    int rank;
    uint32_t object;
    int32_t target; /* CS_PEER_ANY: all */
    bool exclusive;
};

struct cs_hang_call {
    uint16_t function; /* 0: none */
    uint32_t object, collective;
    int32_t peer, tag;
    int64_t site, since_ns;
};

enum cs_hang_state {
    CS_HANG_GIVEN,   /* or will be: nothing to wait for */
    CS_HANG_MAY_BE,  /* it may have been given, and be under way */
    CS_HANG_MISSING, /* it was not given */
    CS_HANG_PERHAPS, /* it was not given, but perhaps the call does not wait for it */
};

/* One thing that a call waits for. */
struct cs_hang_need {
    enum cs_hang_state state;
    bool any;        /* one of the givers is enough; else all have to give */
    bool not_ready;  /* a partition was not marked as ready */
    bool wrong_tag;  /* there are messages of the giver that were not received, with other tags */
    bool holds_lock; /* the givers hold a lock */
    int *giver;      /* numbers of ranks, as in the model */
    size_t givers;
    int request; /* CS_HANG_NONE: none */
};

/* What a thread does. */
struct cs_hang_thread {
    int rank; /* number in the model */
    uint32_t thread, tid;
    enum cs_thread_doing doing;
    struct cs_hang_call call, inner;
    int32_t source, source_tag;
    uint32_t awaited;
    int64_t until_ns;
    /* conclusions */
    enum cs_wait wait; /* CS_NO_WAIT: not in a call that waits */
    bool any;          /* one need is enough */
    size_t need, needs;
};

/* Members of one collective call that are in different functions, or name different roots. */
struct cs_hang_mismatch {
    uint64_t uid;
    uint32_t number;
};

struct cs_hang {
    struct cs_hang_rank *rank;       /* ascending */
    struct cs_hang_thread *thread;   /* by rank */
    struct cs_hang_object *object;   /* by rank and object */
    struct cs_hang_request *request; /* by rank */
    struct cs_hang_traffic *traffic; /* by rank, object, sent, peer */
    struct cs_hang_tag *tag;         /* by rank and object */
    struct cs_hang_lock *lock;
    size_t ranks, threads, objects, requests, traffics, tags, locks;
    int world_size;
    /* conclusions */
    int *member; /* numbers of objects by uid */
    struct cs_hang_need *need;
    size_t needs, needs_room;
    struct cs_hang_mismatch *mismatch;
    size_t mismatches, mismatches_room;
    int cores;   /* deadlocks */
    bool failed; /* out of memory */
};

/* Fills the conclusions. False without memory. */
bool cs_hang_find(struct cs_hang *hang);
void cs_hang_free_conclusions(struct cs_hang *hang);

/* The call that a thread waits in: that of a callback, or its own. */
static inline const struct cs_hang_call *cs_hang_call_of(const struct cs_hang_thread *thread)
{
    return thread->inner.function ? &thread->inner : &thread->call;
}

/* The object of that number on that rank; NULL: not known. */
const struct cs_hang_object *cs_hang_object_of(const struct cs_hang *hang, int rank, uint32_t object);

/* The number of the rank in the model; CS_HANG_NONE: it is not there. */
int cs_hang_number_of(const struct cs_hang *hang, int rank);

/* The number of the rank in the model that is this peer in the object of a call; CS_HANG_NONE: not known. */
int cs_hang_peer(const struct cs_hang *hang, const struct cs_hang_object *object, int32_t peer);

/* All that have a part in an object: numbers of objects with that uid; *count of them. */
const int *cs_hang_members(const struct cs_hang *hang, uint64_t uid, size_t *count);

/* How many members have begun a call of that number on the object; a member that freed it has. */
static inline bool cs_hang_has_begun(const struct cs_hang_object *object, uint32_t number)
{
    return object->freed || object->begun >= number;
}
