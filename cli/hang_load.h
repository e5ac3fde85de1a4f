/* The model of a run, from its database. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "cli/hang_find.h"

/* Whether ranks that run do anything: their journals and processes, looked at twice. */
struct cs_hang_pulse {
    int rank; /* in MPI_COMM_WORLD */
    uint32_t pid;
    uint64_t state; /* a hash of what all its threads do */
    bool here;      /* it runs on this machine, and the rest is known */
    bool stopped;
    bool sleeps;
    uint64_t cpu_ticks; /* that it has run */
    long os_threads;
};

/* The journals of all ranks of a run that have not ended; *pulses is to be freed. False: there is no such run, logged.
 */
bool cs_hang_pulse_take(const char *run, struct cs_hang_pulse **pulses, size_t *count);

struct cs_hang_source {
    sqlite3 *db;
    /* Looks before and after the database was made. Ranks without one are taken from traces, where only the times tell
       that all were in their calls at one moment. */
    struct cs_hang_pulse *before, *after;
    size_t befores, afters;
};

/* *undecided: some rank had no processor between the looks. CS_SQL (logged), CS_NO_MEMORY. */
enum cs_status cs_hang_load(const struct cs_hang_source *source, struct cs_hang *hang, bool *undecided);

/* Frees all, conclusions too. */
void cs_hang_free(struct cs_hang *hang);
