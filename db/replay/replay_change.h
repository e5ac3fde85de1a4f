/* What a question changes: the code between calls, calls, and what they wait for. */
#pragma once

#include <sqlite3.h>

#include "db/replay/distances.h"
#include "db/replay/replay_pending.h"
#include "db/replay/replay_sums.h"

enum { CS_CHANGES_MOST = 64 };

enum cs_change_kind {
    CS_CHANGE_NOTHING,
    CS_CHANGE_TO_FITTED, /* each transfer and call takes what is typical for its kind: how well that explains the run */
    CS_CHANGE_IDEAL,     /* transfers take no time; rendezvous stays */
    CS_CHANGE_NETWORK,   /* another one: `more` is added */
    CS_CHANGE_PLACEMENT, /* `target` ranks on each node, in order: `more` is added between nodes, `together` within */
    CS_CHANGE_RANK,      /* the code of rank `target` between calls takes `factor` of its time */
    CS_CHANGE_BALANCE,   /* all ranks take the mean time between calls */
    CS_CHANGE_BALANCE_CODE, /* likewise, only in the code before the call sites of group `target` */
    CS_CHANGE_SITES,        /* calls from the sites of group `target` take no time but to wait for data */
    CS_CHANGE_OBJECTS,      /* calls on similar objects take no time but what they wait for */
    CS_CHANGE_REGION,       /* the code between calls in the region of bit `target` takes `factor` of its time */
    CS_CHANGE_BARRIERS,     /* MPI_Barrier and MPI_Ibarrier are left out */
    CS_CHANGE_WAITS,        /* nobody waits in the way of `target`, an enum cs_need_kind */
};

/* Ways to wait, each for another rank. */
enum cs_need_kind {
    CS_NEED_MESSAGE,   /* a receive for its send */
    CS_NEED_RECEIVE,   /* a send for its receive */
    CS_NEED_BARRIER,   /* a barrier for its last member */
    CS_NEED_ALL,       /* another call for its last member */
    CS_NEED_ROOT,      /* members for the root */
    CS_NEED_MEMBERS,   /* the root for the members */
    CS_NEED_LOWER,     /* members for lower ranks */
    CS_NEED_EPOCH,     /* a one-sided epoch for the other side */
    CS_NEED_LOCK,      /* a lock of a window for its holder */
    CS_NEED_ALGORITHM, /* for the last member, though the call does not need it */
    CS_NEED_KINDS
};

/* Times of messages, or differences between them. */
struct cs_network {
    double latency_ns, ns_per_byte;
};

struct cs_change {
    enum cs_change_kind kind;
    int64_t target;
    double factor;
    struct cs_network more[CS_DISTANCES]; /* for messages that came from this distance */
    struct cs_network together;           /* for those that came from another node, and now stay in one */
    struct cs_network more_of_calls;      /* for each stage of a collective call */
    const struct cs_node_stages *stages;  /* CS_CHANGE_PLACEMENT */
};

/* Something that a call waited for. */
struct cs_replay_need {
    const struct cs_moment *moment;
    int64_t transfer_ns; /* from there to here, as far as it is known */
    int64_t bytes;
    enum cs_need_kind kind;
    enum cs_distance distance;
    int64_t source, dest;         /* of the message */
    bool in_call;                 /* the transfer begins with the need: it is part of the time of the call */
    bool synchronous, persistent; /* CS_NEED_RECEIVE: how it was sent */
};

/* A call, as far as questions need it. */
struct cs_replay_cost {
    int64_t ns;      /* the rest of its time, after what it waited for */
    int64_t typical; /* for calls of its kind */
    int64_t group, similar;
    int64_t object;         /* id of the communicator, window or file; 0: unknown */
    int64_t members, bytes; /* of a collective call */
    bool network, waits_unknown, barrier;
};

/* Code between calls. */
struct cs_replay_code {
    const struct cs_replay_rank *rank;
    size_t place;    /* of the rank */
    int64_t group;   /* of the site that it ends at */
    uint64_t within; /* as in cs_replay_region */
    int64_t ns;
};

/* What it takes then. factor: by place, if the question has any. */
int64_t cs_change_work(const struct cs_change *change, const double *factor, const struct cs_replay_code *code);

int64_t cs_change_cost(const struct cs_change *change, const struct cs_replay_cost *cost);

/* For collective calls: how many more stages of their exchanges go between nodes with so many ranks on each node. NULL:
   out of memory, or an error of SQLite. */
struct cs_node_stages *cs_node_stages_read(sqlite3 *db, int64_t ranks_per_node);
void cs_node_stages_free(struct cs_node_stages *stages);

/* Whether nobody waits any more. */
bool cs_change_leaves_out(const struct cs_change *change, const struct cs_replay_need *need,
                          const struct cs_replay_cost *cost);

/* What a transfer of recorded length takes. */
int64_t cs_change_transfer(const struct cs_change *change, const struct cs_replay_need *need, int64_t ns);

/* By place, what each rank's time becomes if all had the mean; to be freed. NULL: out of memory. */
double *cs_change_balance(const struct cs_change *change, const struct cs_replay_rank *rank,
                          const struct cs_replay_sums *sums);
