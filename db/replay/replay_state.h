/* The state of a replay, and the instants that it hands from thread to thread. For db/replay alone. */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "db/replay/fitted_costs.h"
#include "db/replay/pass_tape.h"
#include "db/replay/replay.h"
#include "db/replay/replay_epochs.h"
#include "db/replay/replay_needs.h"
#include "db/replay/replay_pending.h"
#include "db/replay/replay_regions.h"
#include "db/replay/replay_sums.h"

/* A thread in the replay. */
struct cs_replay_lane {
    const struct cs_pass_thread *thread;
    size_t rank;         /* place of its rank */
    int64_t recorded_ns; /* end of its last call */
    int64_t polled_ns;   /* time before that in vain polls, which the next call may need as well */
    bool begun, finalized;
    int64_t *at_ns; /* the clock of each question, without polled_ns; then the paths */
};

struct cs_replay {
    struct cs_pass *pass;
    struct cs_pass_tape *tape;
    struct cs_replay_needs needs; /* room for those of a call */
    struct cs_partners *partners;
    struct cs_distances *distances;
    struct cs_fitted_costs *costs;
    struct cs_replay_epochs *epochs; /* NULL: none */
    struct cs_pending *pending;
    struct cs_replay_lane *lane;
    struct cs_replay_rank *rank;
    size_t ranks;
    struct cs_replay_sums sums;
    struct cs_replay_regions regions;
    uint64_t *within; /* by rank: the regions that it is in */
    struct cs_replay_facts facts;
    bool measuring;
    /* the questions */
    const struct cs_change *change;
    size_t changes;
    double **factor; /* of each question: by rank; NULL: none */
    int64_t *ended_ns;
    const struct cs_replay_lane **ended; /* by the last thread */
    bool follows;                        /* paths */
};

enum { PATH_WORDS = sizeof(struct cs_path) / sizeof(int64_t) };
static_assert(sizeof(struct cs_path) % sizeof(int64_t) == 0, "paths follow clocks in one array");

static inline size_t cs_replay_words(const struct cs_replay *replay)
{
    return replay->changes * (replay->follows ? 1 + PATH_WORDS : 1);
}

static inline struct cs_path *cs_replay_path(const struct cs_replay *replay, int64_t *at_ns, size_t change)
{
    return (struct cs_path *)(void *)(at_ns + replay->changes + change * PATH_WORDS);
}

static inline void cs_replay_add_to_path(const struct cs_replay *replay, struct cs_replay_lane *lane, size_t change,
                                         int64_t group, bool in_call, int64_t ns)
{
    if (replay->follows && !lane->finalized)
        cs_path_add(cs_replay_path(replay, lane->at_ns, change), group, in_call, lane->thread->rank, ns);
}

static inline void cs_replay_copy_path(const struct cs_replay *replay, int64_t *to, int64_t *from, size_t change)
{
    if (replay->follows)
        *cs_replay_path(replay, to, change) = *cs_replay_path(replay, from, change);
}

static inline void cs_replay_set_moment(const struct cs_replay *replay, struct cs_moment *moment,
                                        const struct cs_replay_lane *lane, int64_t recorded_ns)
{
    moment->known = true;
    moment->recorded_ns = recorded_ns;
    memcpy(moment->at_ns, lane->at_ns, cs_replay_words(replay) * sizeof *moment->at_ns);
}

static inline void cs_replay_copy_moment(const struct cs_replay *replay, struct cs_moment *to,
                                         const struct cs_moment *from)
{
    to->known = true;
    to->recorded_ns = from->recorded_ns;
    memcpy(to->at_ns, from->at_ns, cs_replay_words(replay) * sizeof *to->at_ns);
}

/* The later one, for each question. */
static inline void cs_replay_raise_moment(const struct cs_replay *replay, struct cs_moment *moment,
                                          const struct cs_replay_lane *lane, int64_t recorded_ns)
{
    if (!moment->known) {
        cs_replay_set_moment(replay, moment, lane, recorded_ns);
        return;
    }
    if (recorded_ns > moment->recorded_ns)
        moment->recorded_ns = recorded_ns;
    for (size_t i = 0; i < replay->changes; i++)
        if (lane->at_ns[i] > moment->at_ns[i]) {
            moment->at_ns[i] = lane->at_ns[i];
            cs_replay_copy_path(replay, moment->at_ns, lane->at_ns, i);
        }
}
