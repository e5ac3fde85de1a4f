/* How far this process reaches into the windows of other processes: for each window and target the farthest access.
   Only the target knows the size of its part: the view misuses compares both. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "journal/format.h"

struct cs_window_reach {
    uint32_t window;
    int32_t target; /* rank in the window's communicator */
    int64_t displacement;
    int64_t span_bytes; /* from the displacement to the end of the data */
    uint64_t site;
    uint16_t function;
};

/* Keeps the access if it reaches farther than earlier ones, by the displacement unit of this process. Beyond
   CS_REACHES_MOST windows and targets, further ones are left out. */
enum { CS_REACHES_MOST = 1024 };
void cs_window_reach_note(const struct cs_window_reach *reach, int64_t unit_bytes);

/* What cs_window_reach_note does for an access of the same call that reached farthest, if it differs in its
   displacement only. Returns false, and does nothing, for any other than the last window and target. The caller is
   inside alone (base/guard.h). */
extern struct cs_reach_cell *cs_window_reach_last __attribute__((visibility("hidden")));
static inline __attribute__((always_inline)) bool cs_window_reach_moves(struct cs_window_reach reach,
                                                                        int64_t unit_bytes)
{
    struct cs_reach_cell *last = cs_window_reach_last;
    if (!last || last->object != reach.window || last->target != reach.target || last->site != reach.site ||
        last->function != reach.function || last->span_bytes != reach.span_bytes || unit_bytes <= 0 ||
        reach.displacement > INT32_MAX)
        return false;
    if (reach.displacement > last->displacement)
        last->displacement = reach.displacement;
    return true;
}

/* In a forked child. */
void cs_window_reach_forget(void);
