/* Seal: turn a journal into an ordinary SQLite trace. The same code serves MPI_Finalize (through libcallsign-seal.so,
   loaded at that moment so that SQLite is not in the program while it runs) and the callsign command. */
#pragma once

#include "base/status.h"
#include <stdbool.h>

struct cs_seal_options {
    bool alive_ok;     /* the writer may still run: read what is there, leave the journal, outcome "running" */
    bool keep_journal; /* do not remove the journal after success */
    bool patient;      /* a writer on another machine is taken to be alive however long its journal has not changed */
    bool unsynced;     /* the journal is removed before the trace is on the disk */
    bool aside;        /* the trace is for ourselves, somewhere else: nobody else may read it */
};

/* Reads the journal and writes the trace under a temporary name in the same folder, then renames it to trace_path and
   removes the journal. Unless aside, the trace gets the owner, group and mode of the journal; CS_DENIED: we are neither
   its owner nor root. On failure the journal stays and no trace is left. CS_BUSY: the writer is alive and alive_ok is
   false. Every failure has been logged in one line that names the file. */
enum cs_status cs_seal(const char *journal_path, const char *trace_path, const struct cs_seal_options *options);

/* The same under a plain C name, for dlsym: what MPI_Finalize calls. options bits: 1 keep_journal, 2 unsynced. Returns
 * an enum cs_status. */
int callsign_seal(const char *journal_path, const char *trace_path, unsigned options);
