/* Fills the model of a run from its database. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "cli/deadlock/hang_model.h"

/* The activity of running ranks: their journals and processes at one look. */
struct cs_hang_pulse {
    int rank; /* in MPI_COMM_WORLD */
    uint32_t pid;
    uint64_t state; /* a hash of the state of all its threads */
    bool here;      /* it runs on this machine, and the other fields are known */
    bool stopped;
    bool sleeps;
    uint64_t cpu_ticks; /* processor time in clock ticks */
    long os_threads;
};

/* Reads the journals of all ranks of a run that have not ended; the caller frees *pulses. Returns false if there is
 * no such run; that was logged. */
bool cs_hang_pulse_take(const char *run, struct cs_hang_pulse **pulses, size_t *count);

struct cs_hang_source {
    sqlite3 *db;
    /* Looks before and after the database was made. Ranks without one are read from traces. There only the times
       show that all were in their calls at one moment. */
    struct cs_hang_pulse *before, *after;
    size_t befores, afters;
};

/* Loads the model. After a look before, it looks again, one second apart, until each waiting rank is known to be idle
   or active. CS_IO, CS_SQL (logged), CS_NO_MEMORY. */
enum cs_status cs_hang_look(const char *path, struct cs_hang_source *source, struct cs_hang *hang);

/* Frees the model with its conclusions. */
void cs_hang_free(struct cs_hang *hang);
