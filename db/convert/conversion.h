/* Shared state of a conversion: journal, trace, and conversion of numbers. A damaged journal may contain any number.
   Impossible values are limited or skipped, and remembered, so that no SQL sum overflows and no report shows a run
   of thirty years. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/number_table.h"
#include "base/status.h"
#include "db/trace/trace_writer.h"
#include "journal/format.h"
#include "journal/reader.h"

/* Values for the process's row that come as facts. */
enum cs_about {
    CS_ABOUT_NODE,
    CS_ABOUT_PROGRAM,
    CS_ABOUT_ARGUMENTS,
    CS_ABOUT_THREAD_LEVEL,
    CS_ABOUT_STARTED,
    CS_ABOUT_COUNT
};

/* Activity of a thread when the journal was read. */
struct cs_thread_calls {
    uint32_t thread;
    uint64_t calls, until_ticks;
};

/* Rows that all ranks of a trace share and that were written. The other tables have rows for each rank. */
struct cs_shared_rows {
    struct cs_number_table sites, frames; /* their numbers, which are never 0 */
    unsigned char function[UINT16_MAX + 1];
};

/* Frees the sets. */
void cs_shared_rows_free(struct cs_shared_rows *shared);

struct cs_conversion {
    struct cs_shared_rows *shared;
    struct cs_journal_reader *reader;
    const struct cs_journal_header *header;
    struct cs_trace_writer *rows;
    struct cs_sites *sites;
    struct cs_objects *objects;
    struct cs_profile_rows *profile;
    struct cs_errors *errors;
    struct cs_regions *regions;
    int64_t rank; /* as in the trace */
    double ns_per_tick;
    uint64_t zero_ticks;              /* instant 0 of the rank */
    int64_t shift_ns;                 /* instant 0 of the rank in a trace of several ranks, on their common clock */
    uint64_t seen_ticks;              /* last instant of any event */
    uint64_t least_ticks, most_ticks; /* limits of all instants */
    bool damaged;                     /* invalid content was found */
    bool finalizing;                  /* it was writing its trace: for the program, MPI_Finalize has not returned */
    bool finalize_open;               /* the row of a thread has the open MPI_Finalize, so the profile leaves it out */
    char *about[CS_ABOUT_COUNT];
    struct cs_thread_state last;     /* the first thread that was inside MPI; function 0: none */
    int64_t last_site;               /* call site of its call */
    uint64_t threads, calls, mpi_ns; /* over all threads */
    uint64_t unknown_ns;             /* sum of the values of the table stretch that may be unknown */
    struct cs_thread_calls *thread;
    size_t thread_count, thread_room;
    bool keeps_events;                           /* CALLSIGN_EVENTS */
    bool all_events;                             /* as in struct cs_convert_options */
    bool aside;                                  /* the trace is for one look */
    bool unfinished;                             /* the process did not reach the end of MPI_Finalize */
    unsigned char function_used[UINT16_MAX + 1]; /* functions that occur; only these get a row */
};

/* Sets rank and clock from the journal's header. The structure must be zeroed. */
void cs_conversion_begin(struct cs_conversion *conversion, struct cs_journal_reader *reader);

/* Instant 0 of the rank on the monotonic clock of its node. */
int64_t cs_conversion_zero_monotonic(struct cs_conversion *conversion);

/* The process's clock now, derived from the time of day, which all machines share. 0: the clocks disagree. */
uint64_t cs_conversion_now(const struct cs_conversion *conversion);

/* The run between MPI_Init and MPI_Finalize, or what is known of it, in ticks since the journal began. False: it is
   unknown. */
bool cs_conversion_run(const struct cs_conversion *conversion, uint64_t *begin, uint64_t *end);

/* The run is divided into so many parts. */
enum { CS_FIFTHS = 5 };

/* Notes an event at that instant. */
void cs_conversion_note_instant(struct cs_conversion *conversion, uint64_t ticks);

/* Converts an instant to *_ns of the trace; an impossible one to the nearest possible. */
int64_t cs_conversion_instant(struct cs_conversion *conversion, uint64_t ticks);

/* cs_conversion_instant as a column; NULL for 0, which means "did not happen". */
struct cs_value cs_conversion_instant_unless_0(struct cs_conversion *conversion, uint64_t ticks);

/* Converts a span of ticks to nanoseconds, at most the length of the run. */
int64_t cs_conversion_span(struct cs_conversion *conversion, uint64_t ticks);

/* What of the bytes may be added to a sum over this rank; adds it. Programs reach any number of bytes at no cost, with
   MPI_PROC_NULL, so this is no damage. */
uint64_t cs_conversion_add_bytes(uint64_t *sum, uint64_t bytes);

/* Converts the bytes of one call to an SQL number that allows sums. */
int64_t cs_conversion_bytes(uint64_t bytes);

/* Converts a count to an SQL number, which is signed and must allow sums. */
int64_t cs_conversion_count(struct cs_conversion *conversion, uint64_t count);

/* Adds a count or nanoseconds to a sum over this rank. Returns false if the result is impossible; then the sum is
   unchanged. */
bool cs_conversion_add(struct cs_conversion *conversion, uint64_t *sum, uint64_t count);
bool cs_conversion_add_span(struct cs_conversion *conversion, uint64_t *sum, uint64_t ticks);

/* The number of a function, whose row will be written; NULL for 0. */
struct cs_value cs_conversion_function(struct cs_conversion *conversion, uint32_t number);
