/* What makes others wait, through chains of waits: the costs of delays as Böhme, Geimer, Arnold and others define them
   (ICPP 2010; TOPC 3(2), 2016). One pass over the events and the wait states forward in time finds what each wait is
   divided among; the costs then go backward, from each wait to the earlier waits that it is due to. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/* The code before the calls from a site, or these calls themselves without their waits. site -1: other code, beyond
   the first ones of the run. */
struct cs_delay {
    int64_t rank; /* -1: nobody: before the events of all ranks begin, or within the error of the clocks */
    int64_t site;
    bool in_call;
    double direct_ns;   /* waits of threads that waited for this one, because of it */
    double indirect_ns; /* waits that these waits caused, and so on */
};

/* All wait states. */
struct cs_delayed {
    int64_t ranks, wait_ns;
};

/* Calls `each` for every delay of a thread with a cost. They add up to all wait states. Returns SQLite's code. */
int cs_delays_find(sqlite3 *db, void (*each)(void *context, const struct cs_delay *delay), void *context,
                   struct cs_delayed *delayed);
