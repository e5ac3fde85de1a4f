/* What synchronizing collectives tell of the clocks of nodes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By how much a clock that runs evenly may be read wrongly, when two clocks of a computer are read at once: each bound
   is that much wider. */
#define CS_CLOCK_SLACK_NS 200

/* What the ranks of one clock tell of the n-th call on one communicator. Instants are nanoseconds on the clock itself,
   counted from one instant of UTC that is the same for all clocks. */
struct cs_clock_bound {
    uint64_t communicator; /* its uid */
    uint64_t nth;
    uint32_t clock;
    int64_t entered_ns; /* by the last of them; INT64_MIN: by nobody for whom others wait */
    int64_t left_ns;    /* by the first of them; INT64_MAX: by nobody who waits */
};

static inline bool cs_clock_has_entered(const struct cs_clock_bound *bound)
{
    return bound->entered_ns != INT64_MIN;
}

static inline bool cs_clock_has_left(const struct cs_clock_bound *bound)
{
    return bound->left_ns != INT64_MAX;
}

static inline bool cs_clock_same_call(const struct cs_clock_bound *a, const struct cs_clock_bound *b)
{
    return a->communicator == b->communicator && a->nth == b->nth;
}

/* Sorts the bounds and adds up those of equal communicator, number and clock. The number of those that are left. */
size_t cs_clock_bounds_add_up(struct cs_clock_bound *bound, size_t count);

/* Likewise, and forgets those of calls that only one clock tells of. */
size_t cs_clock_bounds_join(struct cs_clock_bound *bound, size_t count);

/* The calls of bounds that were joined, and whose they are. */
struct cs_clock_calls {
    const struct cs_clock_bound *bound;
    size_t bounds;
    size_t *group; /* of a bound, the first one of the same call */
    size_t *own;   /* bounds of clock c: own[first[c]] to own[first[c + 1] - 1] */
    size_t *first;
};

/* False without memory; to be freed all the same. */
bool cs_clock_calls_index(struct cs_clock_calls *calls, size_t clocks, const struct cs_clock_bound *bound,
                          size_t bounds);
void cs_clock_calls_free(struct cs_clock_calls *calls);

/* Behind the last bound of the call that begins with this one. */
size_t cs_clock_call_end(const struct cs_clock_calls *calls, size_t group);
