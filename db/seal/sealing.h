/* What all parts of a seal share: the journal, the trace, and how numbers of the one become numbers of the other. A
   damaged journal may hold any number: what cannot be is bounded or left out, and remembered, so that no sum in SQL
   overflows and no report has a run of thirty years. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "db/trace/trace_writer.h"
#include "journal/format.h"
#include "journal/reader.h"

/* What goes into the row of the process and comes as facts. */
enum cs_about {
    CS_ABOUT_NODE,
    CS_ABOUT_PROGRAM,
    CS_ABOUT_ARGUMENTS,
    CS_ABOUT_THREAD_LEVEL,
    CS_ABOUT_STARTED,
    CS_ABOUT_COUNT
};

/* What a thread had done when the journal was read. */
struct cs_thread_calls {
    uint32_t thread;
    uint64_t calls, until_ticks;
};

struct cs_sealing {
    struct cs_journal_reader *reader;
    const struct cs_journal_header *header;
    struct cs_rows *rows;
    struct cs_sites *sites;
    struct cs_objects *objects;
    struct cs_profile *profile;
    struct cs_errors *errors;
    int64_t rank; /* as in the trace */
    double ns_per_tick;
    uint64_t zero_ticks;              /* instant 0 of the trace */
    uint64_t seen_ticks;              /* last instant that anything happened at */
    uint64_t least_ticks, most_ticks; /* no instant is outside of these */
    bool damaged;                     /* something made no sense */
    bool finalizing;                  /* it was writing its trace: for the program, MPI_Finalize has not returned */
    bool finalize_open;               /* the row of a thread says so: the profile leaves that call out */
    char *about[CS_ABOUT_COUNT];
    struct cs_thread_state last;     /* the first thread that was inside MPI; function 0: none was */
    int64_t last_site;               /* call site of its call */
    uint64_t threads, calls, mpi_ns; /* over all threads */
    struct cs_thread_calls *thread;
    size_t thread_count, thread_room;
    bool unfinished;                             /* the process did not end by MPI_Finalize */
    unsigned char function_used[UINT16_MAX + 1]; /* functions that occur; the others need no row */
};

/* Sets what follows from the journal's header: rank and clock. The structure was zero. */
void cs_sealing_begin(struct cs_sealing *sealing, struct cs_journal_reader *reader);

/* The clock of the process now, by the time of day, which alone is the same on all machines. 0: the clocks disagree. */
uint64_t cs_sealing_now(const struct cs_sealing *sealing);

/* Something happened at that instant. */
void cs_sealing_see(struct cs_sealing *sealing, uint64_t ticks);

/* An instant as *_ns of the trace; the nearest that can be, if it cannot. */
int64_t cs_sealing_instant(struct cs_sealing *sealing, uint64_t ticks);

/* The same as a column; NULL for 0, which stands for "did not happen". */
struct cs_value cs_sealing_instant_unless_0(struct cs_sealing *sealing, uint64_t ticks);

/* A span of ticks in nanoseconds; no longer than the run can have been. */
int64_t cs_sealing_span(struct cs_sealing *sealing, uint64_t ticks);

/* A count of the journal as a number of SQL, which has a sign and is added to others. */
int64_t cs_sealing_count(struct cs_sealing *sealing, uint64_t count);

/* Adds to a sum over this rank, of a count or in nanoseconds. False: that cannot be, the sum stays as it was. */
bool cs_sealing_add(struct cs_sealing *sealing, uint64_t *sum, uint64_t count);
bool cs_sealing_add_span(struct cs_sealing *sealing, uint64_t *sum, uint64_t ticks);

/* The number of a function, whose row is needed then; 0 is NULL. */
struct cs_value cs_sealing_function(struct cs_sealing *sealing, uint32_t number);
