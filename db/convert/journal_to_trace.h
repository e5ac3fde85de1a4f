/* Converts a journal to an SQLite trace. The same code serves MPI_Finalize and the callsign command. MPI_Finalize
   loads it with libcallsign-convert.so only then, so that SQLite is not in the running program. */
#pragma once

#include "base/status.h"
#include <stdbool.h>

struct cs_convert_options {
    bool alive_ok;     /* the writer may still run: convert what is there, keep the journal, outcome "running" */
    bool keep_journal; /* do not remove the journal after success */
    bool patient;      /* a writer on another machine counts as alive, however long its journal has not changed */
    bool unsynced;     /* removes the journal before the trace is on the disk */
    bool all_events;   /* all events in the journal become rows; else a process that runs gets its last ones */
    bool aside;        /* the trace is private and elsewhere: nobody else may read it */
};

/* Reads the journal, writes the trace under a temporary name in the same folder, renames it to trace_path, and
   removes the journal. Unless aside, the trace gets the owner, group and mode of the journal; CS_DENIED: we are
   neither its owner nor root. After a failure the journal stays and no trace is left. CS_BUSY: the writer is alive
   and alive_ok is false. Each failure has been logged in one line that names the file. */
enum cs_status cs_convert(const char *journal_path, const char *trace_path, const struct cs_convert_options *options);

/* cs_convert under a plain C name for dlsym, as MPI_Finalize calls it. options bits: 1 keep_journal, 2 unsynced.
 * Returns an enum cs_status. */
int callsign_convert(const char *journal_path, const char *trace_path, unsigned options);
