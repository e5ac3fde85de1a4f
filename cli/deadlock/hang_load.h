/* Fills the model of a run from its database. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/activity.h"
#include "base/status.h"
#include "cli/deadlock/hang_model.h"

/* The activity of running ranks: their journals and processes at one look. */
struct cs_hang_pulse {
    int rank; /* in MPI_COMM_WORLD */
    uint32_t pid;
    uint64_t state;      /* a hash of the state of all its threads */
    struct cs_look look; /* known if it runs on this machine */
};

/* Reads the journals of all ranks of a run that have not ended; the caller frees *pulses. Returns false if there is
 * no such run; that was logged. */
bool cs_hang_pulse_take(const char *run, struct cs_hang_pulse **pulses, size_t *count);

struct cs_hang_source {
    struct cs_run *run; /* that cs_hang_open opened, or NULL */
    sqlite3 *db;
    /* Looks before the database was made, as soon as it was made, and a second later. Ranks without one are read from
       traces. There only the times show that all were in their calls at one moment. */
    struct cs_hang_pulse *before, *read, *after;
    size_t befores, reads, afters;
    int64_t before_ns, after_ns; /* monotonic */
};

/* True if somebody ended the job from outside, by a signal or the time limit of a launcher, before its ranks finalized.
 *utc_ns: when. The journals show what the ranks did at that moment. */
bool cs_hang_was_ended(sqlite3 *db, int64_t *utc_ns);

/* Opens a run between two looks. Opens it again if several ranks moved meanwhile, because their journals show different
   moments then; after some attempts it leaves that to the model. Returns false if it cannot be opened (logged). */
bool cs_hang_open(const char *path, struct cs_hang_source *source);

/* Closes what cs_hang_open and cs_hang_look opened. */
void cs_hang_close(struct cs_hang_source *source);

/* Loads the model. After a look before, it looks again, one second apart, until each waiting rank is known to be idle
   or active. CS_IO, CS_SQL (logged), CS_NO_MEMORY. */
enum cs_status cs_hang_look(const char *path, struct cs_hang_source *source, struct cs_hang *hang);

/* Frees the model with its conclusions. */
void cs_hang_free(struct cs_hang *hang);
