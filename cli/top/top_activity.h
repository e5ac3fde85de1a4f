/* What the ranks of a running job do, by communicator, function and call site, and the objects that they hold: sums
   over their journals, and the differences between two readings. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct cs_journal_reader;

enum cs_top_subject {
    CS_TOP_COMMUNICATOR, /* or a window or file; in rows: all that one call site created under one name */
    CS_TOP_FUNCTION,
    CS_TOP_CALL_SITE,
    CS_TOP_OBJECT, /* what one call site created, of one kind, and is not freed */
    CS_TOP_SUBJECTS
};

enum { CS_TOP_HISTORY = 60 };

/* Where a line occurs: enough to find its name. */
struct cs_top_where {
    size_t journal; /* place among the journals, in the order in which they were found */
    uint32_t object;
    int64_t site;
};

struct cs_top_extreme {
    int rank;
    double ns;
};

struct cs_top_line {
    uint64_t key; /* equal on all ranks; CS_TOP_FUNCTION: number in gen/spec; 0: no communicator, no call site */
    enum cs_top_subject subject;
    uint16_t kind;                     /* CS_TOP_COMMUNICATOR, CS_TOP_OBJECT: enum callsign_kind */
    double ns;                         /* in calls, in the last interval, of all ranks */
    uint64_t calls, bytes;             /* the same; bytes sent and received in these calls */
    uint64_t live;                     /* CS_TOP_OBJECT: objects now */
    size_t ranks;                      /* that have calls here and run */
    struct cs_top_extreme least, most; /* of these ranks */
    double history[CS_TOP_HISTORY];    /* a value for each of the last intervals, the newest last: share of the time of
                                          these ranks; CS_TOP_OBJECT: live objects */
    size_t known;                      /* values that history has */
    struct cs_top_where where;
    char *name; /* for cli/top/top_names.h; NULL: not known yet */
};

struct cs_top_activity;
struct cs_top_process;

/* NULL: out of memory. */
struct cs_top_activity *cs_top_activity_new(void);
void cs_top_activity_free(struct cs_top_activity *activity);

/* Begins to follow a journal; `journal` is its place. NULL: out of memory. */
struct cs_top_process *cs_top_process_new(struct cs_journal_reader *reader, size_t journal);
void cs_top_process_free(struct cs_top_process *process);

/* A call that is not in the cells yet. */
struct cs_top_current {
    uint64_t site;
    uint32_t object;
    uint16_t function; /* 0: none */
    uint64_t ticks;    /* that it has lasted */
};

/* Which calls count. */
struct cs_top_filter {
    bool by_rank, by_communicator;
    int rank;
    uint64_t communicator; /* key of its line; the lines of communicators stay */
};

/* From the next reading on. */
void cs_top_activity_filter(struct cs_top_activity *activity, struct cs_top_filter filter);

/* Begins an interval: all differences are 0. */
void cs_top_activity_begin(struct cs_top_activity *activity);

/* Adds what a process did since it was read before: nothing, if this is the first time. It lived lived_ns since then.
   Facts are read again if there are new ones, but not so often that this takes more than a fiftieth of the time.
   CS_NO_MEMORY, CS_IO. */
enum cs_status cs_top_activity_add(struct cs_top_activity *activity, struct cs_top_process *process, int rank,
                                   double lived_ns, double ns_per_tick, const struct cs_top_current *current,
                                   size_t currents);

/* The process has ended: its objects are gone. */
void cs_top_activity_end(struct cs_top_activity *activity, struct cs_top_process *process);

void cs_top_activity_close(struct cs_top_activity *activity);

/* How long the ranks lived together in the interval. */
double cs_top_activity_lived(const struct cs_top_activity *activity);

/* The lines of a subject, those with most time first (objects: those of which most are live), at most `most`. Returns
   their number. They stay until the next cs_top_activity_begin. */
size_t cs_top_activity_lines(struct cs_top_activity *activity, enum cs_top_subject subject, struct cs_top_line **line,
                             size_t most);
