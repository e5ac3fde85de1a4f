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

/* The passage of a trace's process through a synchronizing call, by its clock. */
struct cs_clock_passage {
    int64_t communicator, nth, entered_ns, left_ns;
    bool has_entered, has_left;
};

/* Facts of a trace about its clock. Zeroed, or read of another trace before. */
struct cs_clock_facts {
    int64_t processes; /* 0: nothing is known */
    int64_t utc_ns, monotonic_ns, begin_ns, end_ns;
    char *node; /* NULL: not known */
    struct cs_clock_passage *passage;
    size_t passages, room;
};

/* Reads them from an open trace that has all tables; in any thread. Returns false without memory. */
bool cs_clock_facts_read(struct cs_clock_facts *facts, sqlite3 *db);

void cs_clock_facts_free(struct cs_clock_facts *facts);

/* Adds the facts of a trace; the lowest rank comes first. Invalid ones add nothing. Returns false without memory. */
bool cs_axis_add(struct cs_axis *axis, const struct cs_clock_facts *facts, size_t trace);

/* Computes the axis after all traces were read. Without memory all clocks keep their UTC. */
void cs_axis_solve(struct cs_axis *axis);

/* The conversion for a trace. Returns false if the trace has no time. Before cs_axis_solve it uses the UTC of the
   node, without drift and with less than a second of correction. */
bool cs_axis_shift(const struct cs_axis *axis, size_t trace, struct cs_axis_shift *shift);
