/* What a call waited for, of all that is known. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/replay/replay_change.h"
#include "db/replay/replay_pending.h"
#include "db/trace/partners.h"

/* Who was there so long before the other one surely waited. */
enum { CS_SURE_WAIT_NS = 20000 };

struct cs_replay_needs {
    struct cs_replay_need *need;
    size_t count, room;
    bool lost; /* a partner is not known */
    bool failed;
};

/* Adds one, if its instant is known. */
void cs_replay_needs_add(struct cs_replay_needs *needs, struct cs_replay_need need);

/* Adds what this member of a collective call waits for. own: its rank in the call. */
void cs_replay_needs_add_collective(struct cs_replay_needs *needs, const struct cs_pending_collective *collective,
                                    enum cs_partner_collective waits_for, bool root, int64_t own);

/* An MPI's algorithm may let members wait for more than they need, such as in a prefix reduction by exchanges: such a
   call ends as soon as the last member has come. */
void cs_replay_needs_add_algorithm(struct cs_replay_needs *needs, const struct cs_pending_collective *collective,
                                   int64_t start_ns, int64_t end_ns);
