/* Figures of one interval, for every form in which callsign top shows them. */
#pragma once

#include "cli/top/top_reading.h"

struct cs_top_rates {
    bool known;                    /* false for a rank that began or ended before this interval */
    double share;                  /* of its time that it was in MPI: 0 to 1 */
    double calls, messages, bytes; /* a second */
};

struct cs_top_rates cs_top_rates_of(const struct cs_top_rank *rank);

/* What a rank does, in a word: "computing" and other states of its process if it is outside MPI, or the function. */
const char *cs_top_state(const struct cs_top_rank *rank);

/* All ranks of a run that can be read. */
struct cs_top_whole {
    size_t ranks, running, silent, unread;
    size_t elsewhere; /* ranks whose journals are on storage of other nodes */
    const char *node; /* one of these nodes */
    double age_ns;
    double mpi_ns, lived_ns; /* of the ranks that run, in this interval */
    double share;            /* mpi_ns of lived_ns */
    double messages_per_second, bytes_per_second;
    uint64_t calls, messages, bytes; /* since the start */
    double total_mpi_ns;             /* the same */
    uint64_t resident;               /* bytes of memory of ranks on this machine */
    size_t stuck;                    /* ranks that have been in one call for longer than the interval */
};

struct cs_top_whole cs_top_whole_of(const struct cs_top *top);

/* The only rank that is outside MPI while all others have been in one call each for a second or longer; else NULL. */
const struct cs_top_rank *cs_top_awaited(const struct cs_top *top);
