/* One time axis for the traces of all nodes: converts instants of each trace to instants of the run.
 *
 * Ranks of a node share a clock: their kernel's monotonic clock puts them on one axis. db/run/clocks.h puts the
 * clocks of nodes on that of the lowest rank. If no calls relate two clocks, their UTC is used. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_axis;

/* Conversion of a trace's instants, in nanoseconds: t becomes t + offset + drift * t. */
struct cs_axis_shift {
    int64_t offset_ns; /* to an axis with an arbitrary zero, equal for all traces of the run */
    double drift;
    double correction_ns; /* part of the offset that corrects the clock's error */
    bool one_clock;       /* the trace has one clock, with this error and contradiction: */
    bool bounded;         /* false: its error is unknown */
    double error_ns, contradiction_ns;
};

/* Creates an axis for this number of traces; NULL without memory. */
struct cs_axis *cs_axis_create(size_t traces);
void cs_axis_destroy(struct cs_axis *axis);

/* Reads an open trace's facts about its clock; the lowest rank comes first. It has all tables. Invalid ones add
   nothing. Returns false without memory. */
bool cs_axis_read(struct cs_axis *axis, sqlite3 *db, size_t trace);

/* Computes the axis after all traces were read. Without memory all clocks keep their UTC. */
void cs_axis_solve(struct cs_axis *axis);

/* The conversion for a trace. Returns false if the trace has no time. Before cs_axis_solve it uses the UTC of the
   node, without drift and with less than a second of correction. */
bool cs_axis_shift(const struct cs_axis *axis, size_t trace, struct cs_axis_shift *shift);
