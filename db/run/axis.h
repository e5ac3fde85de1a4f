/* One time axis for the traces of all nodes: how the instants of each trace become instants of the run.
 *
 * Ranks of a node share a clock, and are brought onto one axis by the monotonic clock of their kernel. Clocks of nodes
 * are brought onto that of the lowest rank by db/run/clocks.h; where nothing binds them, their UTC stands. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_axis;

/* What is to be done to the instants of a trace, in nanoseconds: t becomes t + offset + drift * t. */
struct cs_axis_shift {
    int64_t offset_ns; /* to an axis whose zero is some instant, the same for all traces of the run */
    double drift;
    double correction_ns; /* the part of the offset by which the clock is wrong */
    bool one_clock;       /* the trace has one clock, whose error and contradiction these are: */
    bool bounded;         /* false: its error is not known */
    double error_ns, contradiction_ns;
};

/* For so many traces; NULL without memory. */
struct cs_axis *cs_axis_create(size_t traces);
void cs_axis_destroy(struct cs_axis *axis);

/* Reads what an attached trace tells of its clock; the lowest rank comes first. Of one that makes no sense nothing is
   taken. False without memory. */
bool cs_axis_read(struct cs_axis *axis, sqlite3 *db, const char *schema, size_t trace);

/* All traces were read. Without memory the UTC of all clocks stands. */
void cs_axis_solve(struct cs_axis *axis);

/* False: the trace does not say when it was. Before all is solved: by the UTC of its node, without drift, and by less
   than a second of correction. */
bool cs_axis_shift(const struct cs_axis *axis, size_t trace, struct cs_axis_shift *shift);
