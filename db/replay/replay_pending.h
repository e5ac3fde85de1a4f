/* What some rank has begun and another one, or a later call, will need: messages, requests, collective calls. Each
   keeps the recorded instant and one for each question (struct cs_moment). If there are too many, the oldest ones go.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/trace/partners.h"

/* An instant as recorded, and as it would be with each change; then the path to it with each change, if the replay
   follows paths. */
struct cs_moment {
    int64_t recorded_ns;
    bool known;
    int64_t *at_ns;
};

struct cs_pending_message {
    struct cs_partner_message key;
    struct cs_moment sent, posted;
    bool received, completed; /* nobody needs the send, or the post, any more */
    int64_t bytes;
    bool synchronous, persistent;
};

struct cs_pending_collective {
    struct cs_pending_collective_key {
        int64_t id, number;
    } key;
    struct cs_moment last, root; /* the last member that has begun; the root */
    struct cs_moment *lower;     /* of each member; NULL: not needed */
    int64_t members, ended;
    bool barrier;
};

struct cs_pending_request_key {
    int64_t rank, thread, number;
};

/* A message that a receive will get, known before it ends. */
struct cs_pending_awaited {
    struct cs_partner_message message;
    struct cs_pending_awaited *next;
};

/* A request: a send or a collective call that a later call completes, or a posted receive. */
struct cs_pending_request {
    struct cs_pending_request_key key;
    bool sends, collects;
    struct cs_partner_message message;
    struct cs_pending_collective_key collective;
    enum cs_partner_collective waits_for;
    bool is_root;
    int64_t own;
    struct cs_moment posted; /* of a receive */
    struct cs_pending_awaited *awaited;
    int64_t receives; /* messages that it will still get */
};

struct cs_pending;

/* words: of at_ns of each moment. NULL: out of memory. */
struct cs_pending *cs_pending_new(size_t words);
void cs_pending_free(struct cs_pending *pending);

/* Each finds one, or adds an empty one if `add`. NULL: there is none, or out of memory. */
struct cs_pending_message *cs_pending_message(struct cs_pending *pending, const struct cs_partner_message *key,
                                              bool add);
struct cs_pending_collective *cs_pending_collective(struct cs_pending *pending,
                                                    const struct cs_pending_collective_key *key, bool add);
struct cs_pending_request *cs_pending_request(struct cs_pending *pending, const struct cs_pending_request_key *key,
                                              bool add);

void cs_pending_drop_message(struct cs_pending *pending, struct cs_pending_message *message);
void cs_pending_drop_collective(struct cs_pending *pending, struct cs_pending_collective *collective);
void cs_pending_drop_request(struct cs_pending *pending, struct cs_pending_request *request);

/* Makes room for the instants of all members of a collective call. False: out of memory. */
bool cs_pending_add_lower(struct cs_pending *pending, struct cs_pending_collective *collective);
