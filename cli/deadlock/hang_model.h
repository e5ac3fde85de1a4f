/* The state of all ranks of a run at one moment, and the ranks that can never continue. No SQL, no MPI, no wording:
 * cli/deadlock/hang_load.c fills the model, cli/deadlock/hang_needs.c and cli/deadlock/hang_windows.c say what each
 * thread waits for, cli/deadlock/hang_find.c draws conclusions, cli/hang/hang_print.c has the words.
 *
 * A rank is stuck only if that is proven, by logic and not by time. All ranks of a stuck set are in the same
 * snapshot (`steady`). Each waits for something that only ranks of the set can give and that was not given before.
 * Message counts and collective call numbers show what was given. If these are incomplete, a rank is not called
 * stuck: a false accusation is worse than a missed one.
 *
 * A job that was ended from outside leaves the last state of each rank in the journals. A rank that is frozen in a call
 * is like one that the system never runs again, so the same logic holds although ranks end one after the other. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/activity.h"
#include "functions.h"
#include "journal/format.h"

enum cs_hang_outcome { CS_HANG_RUNNING, CS_HANG_FINALIZED, CS_HANG_GONE };

enum { CS_HANG_NONE = -1 /* no index */ };

struct cs_hang_rank {
    int rank; /* in MPI_COMM_WORLD */
    enum cs_activity activity;
    uint32_t pid;
    const char *node, *outcome_word;
    enum cs_hang_outcome outcome;
    bool steady;             /* its state belongs to the moment of the snapshot, and it may run */
    bool stopped;            /* by a signal */
    bool moved;              /* it and others moved while they were read: they are shown at different moments */
    bool advanced;           /* it entered or left calls between the two looks */
    bool exact;              /* all its calls and messages were counted */
    bool bypasses;           /* it calls, or may call, MPI past callsign */
    bool whole;              /* all its active requests are known */
    bool open;               /* a thread outside MPI may make MPI calls */
    bool cancels;            /* it cancelled a request: a pending receive may take no message */
    bool handles_errors;     /* it made an error handler, which any call may run */
    bool handles_attributes; /* it made keyvals with functions, which calls that copy or delete attributes may run */
    bool open_callback;      /* a conclusion: it may be inside such a function, and call MPI */
    bool elsewhere;          /* on another node: its state is older */
    size_t thread, threads;
    int64_t seen_ns;
    /* conclusions */
    bool waits, stuck;
    int core; /* the deadlock that it belongs to, or CS_HANG_NONE */
};

/* A communicator, window or file, as one rank sees it. */
struct cs_hang_object {
    int rank;
    uint32_t object;
    uint64_t uid;          /* equal on all members; 0: only this rank, or unknown */
    uint64_t side;         /* uid of its parent: distinguishes the groups of an intercommunicator */
    int size, remote_size; /* remote_size -1: intracommunicator. size 0: unknown */
    int own;               /* own rank in it */
    bool adopted, freed, world;
    bool spans_worlds; /* made by MPI_Comm_spawn, MPI_Comm_accept or similar */
    uint32_t begun;    /* number of collective calls on it */
    uint16_t function; /* function of the last one */
    int32_t root;      /* root of the last one */
    const char *label;
};

struct cs_hang_request {
    int rank, thread; /* the rank and thread that wait for it, or CS_HANG_NONE */
    uint32_t object, collective, partitions, ready, copies;
    uint16_t function;
    bool receives, sends, persistent;
    int32_t peer, tag;
    int64_t site;
};

struct cs_hang_traffic {
    int rank;
    uint32_t object;
    bool sent;      /* else received */
    bool one_sided; /* operations of this rank on the peer's window, not messages */
    int32_t peer;
    int64_t messages;
};

struct cs_hang_tag { /* The tag of sent messages. */
    int rank;
    uint32_t object;
    int32_t first, last;
    int64_t site; /* CS_HANG_NONE: several */
};

/* A call that sent to MPI_PROC_NULL. */
struct cs_hang_dropped {
    int rank;
    uint32_t object;
    uint16_t function;
    int32_t tag;
    int64_t site;
};

struct cs_hang_lock {
    int rank;
    uint32_t object;
    int32_t target; /* CS_PEER_ANY: all */
    bool exclusive;
};

/* Epochs of a window that MPI_Win_start and MPI_Win_post opened. The n-th start at a peer belongs to its n-th post for
   this rank. */
struct cs_hang_epoch {
    int rank;
    uint32_t object;
    int32_t peer; /* CS_PEER_OTHERS: not all are counted */
    uint32_t starts, completes, posts, waits;
    bool unchecked; /* the last start waits for no post */
};

struct cs_hang_call {
    uint16_t function; /* 0: none */
    uint32_t object, collective;
    int32_t peer, tag;
    int64_t site, since_ns;
};

enum cs_hang_state {
    CS_HANG_GIVEN,   /* given, or about to be: no wait */
    CS_HANG_MAY_BE,  /* may have been given, and be on its way */
    CS_HANG_MISSING, /* not given */
    CS_HANG_PERHAPS, /* not given, but the call may not need it */
};

/* One thing that a call waits for. */
struct cs_hang_need {
    enum cs_hang_state state;
    bool any;        /* one giver is enough; false: all must give */
    bool not_ready;  /* a partition was not marked as ready */
    bool taken;      /* pending receives that were posted before take what was sent */
    bool wrong_tag;  /* the giver sent messages with other tags that were not received */
    bool holds_lock; /* the givers hold a lock */
    bool post;       /* it is MPI_Win_post */
    bool complete;   /* it is MPI_Win_complete */
    int *giver;      /* indices of ranks in the model */
    size_t givers;
    int request; /* CS_HANG_NONE: none */
};

/* The activity of a thread. */
struct cs_hang_thread {
    int rank; /* index in the model */
    uint32_t thread, tid;
    enum cs_thread_doing doing;
    struct cs_hang_call call, inner;
    int32_t source, source_tag;
    uint32_t awaited;
    int64_t until_ns;
    /* conclusions */
    enum cs_wait wait; /* CS_NO_WAIT: not in a waiting call */
    bool any;          /* one need is enough */
    size_t need, needs;
};

/* Members of one collective call that call different functions or name different roots. */
struct cs_hang_mismatch {
    uint64_t uid;
    uint32_t number;
};

struct cs_hang {
    struct cs_hang_rank *rank;       /* ascending */
    struct cs_hang_thread *thread;   /* by rank */
    struct cs_hang_object *object;   /* ordered by rank and object */
    struct cs_hang_request *request; /* by rank */
    struct cs_hang_traffic *traffic; /* ordered by rank, object, sent, peer */
    struct cs_hang_tag *tag;         /* ordered by rank and object */
    struct cs_hang_dropped *dropped; /* latest first */
    struct cs_hang_lock *lock;
    struct cs_hang_epoch *epoch; /* by rank, object, peer */
    size_t ranks, threads, objects, requests, traffics, tags, droppeds, locks, epochs;
    int world_size;
    bool ended; /* the job was ended from outside: the model shows the moment before, and ranks that lived then as
                   running */
    int64_t ended_utc_ns;
    int64_t apart_ns; /* the time between the two looks; 0: there was one */
    /* conclusions */
    int *member; /* indices of objects, ordered by uid */
    struct cs_hang_need *need;
    size_t needs, needs_room;
    struct cs_hang_mismatch *mismatch;
    size_t mismatches, mismatches_room;
    int cores;   /* deadlocks */
    bool failed; /* out of memory */
};

/* The call that a thread waits in: the callback's or its own. */
static inline const struct cs_hang_call *cs_hang_call_of(const struct cs_hang_thread *thread)
{
    return thread->inner.function ? &thread->inner : &thread->call;
}

/* The object with this id on this rank; NULL: unknown. */
const struct cs_hang_object *cs_hang_object_of(const struct cs_hang *hang, int rank, uint32_t object);

/* True if a thread of the rank is in an MPI call. */
bool cs_hang_is_inside(const struct cs_hang *hang, const struct cs_hang_rank *rank);

/* The index of a rank in the model; CS_HANG_NONE: missing. */
int cs_hang_number_of(const struct cs_hang *hang, int rank);

/* The index of the rank that is this peer in the object of a call; CS_HANG_NONE: unknown. */
int cs_hang_peer(const struct cs_hang *hang, const struct cs_hang_object *object, int32_t peer);

/* Indices of all objects with this uid, one per member; *count of them. */
const int *cs_hang_members(const struct cs_hang *hang, uint64_t uid, size_t *count);

/* True if a member has begun the call with this number. A member that freed the object has. */
static inline bool cs_hang_has_begun(const struct cs_hang_object *object, uint32_t number)
{
    return object->freed || object->begun >= number;
}

/* The object of the rank that is this peer; NULL: unknown. */
const struct cs_hang_object *cs_hang_peer_object(const struct cs_hang *hang, const struct cs_hang_object *object,
                                                 int32_t peer);

/* Number of messages that the rank sent to, or received from, the peer; -1: unknown. */
int64_t cs_hang_messages(const struct cs_hang *hang, const struct cs_hang_object *object, bool sent, int32_t peer);

/* True if the rank ever called a one-sided operation on the peer, or on peers that are not counted apart. */
bool cs_hang_has_operated(const struct cs_hang *hang, const struct cs_hang_object *object, int32_t peer);

/* Adds a need of the thread whose needs are being found. Without memory: sets `failed`, and returns one that is lost.
 */
struct cs_hang_need *cs_hang_add_need(struct cs_hang *hang, enum cs_hang_state state);

/* Adds a rank that can give what is needed. */
void cs_hang_add_giver(struct cs_hang *hang, struct cs_hang_need *need, int giver);

/* Adds a need with one giver; CS_HANG_NONE: unknown. request: the request that waits; CS_HANG_NONE: none. */
void cs_hang_need_of(struct cs_hang *hang, enum cs_hang_state state, int giver, int request);

/* Frees what cs_hang_find made. */
void cs_hang_free_conclusions(struct cs_hang *hang);
