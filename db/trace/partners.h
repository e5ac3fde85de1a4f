/* What a pass over the events must know of functions, objects and processes, in memory. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "db/trace/event_pass.h"
#include "db/trace/message_links.h"

/* What a call of a function waits for. */
enum cs_partner_wait {
    CS_WAIT_NOTHING,
    CS_WAIT_SEND,        /* for the receiver, if the message was not buffered */
    CS_WAIT_SYNCHRONOUS, /* for the receiver */
    CS_WAIT_RECEIVE,     /* for the sender */
    CS_WAIT_EXCHANGE,
    CS_WAIT_REQUESTS,
    CS_WAIT_OTHER /* for members of a collective call, or for something that a replay does not know */
};

enum cs_partner_collective {
    CS_MEMBERS_NONE,
    CS_MEMBERS_ALL,
    CS_MEMBERS_ROOT,    /* they wait for the root */
    CS_MEMBERS_AT_ROOT, /* the root waits for all */
    CS_MEMBERS_LOWER,   /* each waits for those of lower ranks */
    CS_MEMBERS_UNKNOWN
};

struct cs_partner_function {
    bool known;
    bool network; /* its time is that of the network, unless it waits */
    bool lifecycle;
    bool nonblocking; /* a request completes what it begins */
    bool starts;      /* persistent operations */
    bool synchronous; /* its sends are complete only when their receive has begun */
    bool completes;   /* requests */
    bool chooses;     /* some of several requests */
    bool blocking;
    bool completes_one, completes_all;
    bool takes; /* a matched message */
    bool sends;
    bool exchanges; /* sends and receives */
    bool carries_data;
    bool one_sided;
    bool synchronizing; /* waits for members even without data of theirs; if all take part, nobody leaves it before all
                           have come */
    bool barrier;       /* all wait for all, without data */
    enum cs_partner_wait waits;
    enum cs_partner_collective members;
};

struct cs_partner_object {
    int64_t id;      /* equal on all members */
    int64_t similar; /* equal for similar objects */
    int64_t own;     /* rank of the process in it */
    int64_t members; /* 0: unknown, or of two groups */
    int64_t all;     /* members of both groups; 0: unknown */
    int64_t group;   /* of two groups: the id of the communicator of the own one */
    bool has_communicator, has_own, has_group, has_two_groups;
};

struct cs_partner_process {
    int64_t node;     /* its number; 0: unknown */
    int64_t error_ns; /* of its clock */
    bool has_error;
};

/* A message, equal on both sides. */
struct cs_partner_message {
    int64_t id, source, dest, tag, nth;
};

struct cs_partners;

/* Returns SQLite's code. */
int cs_partners_read(sqlite3 *db, struct cs_partners **partners);
void cs_partners_free(struct cs_partners *partners);

/* The function of this number; one that is not known waits for something unknown. */
const struct cs_partner_function *cs_partners_function(const struct cs_partners *partners, int64_t function);

/* Whether some call started persistent requests. */
bool cs_partners_have_persistent(const struct cs_partners *partners);

/* NULL: the object is of this rank alone, or unknown. */
const struct cs_partner_object *cs_partners_object(const struct cs_partners *partners, int64_t rank, int64_t object);

/* Calls `each` for all objects until it returns false; then returns false. */
bool cs_partners_each_object(const struct cs_partners *partners,
                             bool (*each)(void *context, int64_t rank, const struct cs_partner_object *object),
                             void *context);

/* Who a message of this communicator would be from, or to. NULL: unknown. */
const struct cs_message_link *cs_partners_link(const struct cs_partners *partners, int64_t rank,
                                               const struct cs_pass_message *said, enum cs_pass_direction direction);

/* False: it is not certain which message it is. */
bool cs_partners_message(const struct cs_partners *partners, int64_t rank, const struct cs_pass_message *said,
                         struct cs_partner_message *message);

/* NULL: the trace lacks it. */
const struct cs_partner_process *cs_partners_process(const struct cs_partners *partners, int64_t rank);

/* The possible error of the difference between the clocks of two processes. False: it has no bound. */
bool cs_partners_clock_error(const struct cs_partners *partners, int64_t rank, int64_t other, int64_t *error_ns);
