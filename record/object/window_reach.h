/* How far this process reaches into the windows of other processes: for each window and target the farthest access.
   Only the target knows the size of its part: the view misuses compares both. */
#pragma once

#include <stdint.h>

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

/* In a forked child. */
void cs_window_reach_forget(void);
