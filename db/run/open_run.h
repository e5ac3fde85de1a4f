/* A recorded run, opened for questions: one database in which all ranks are visible in the same tables and views. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "db/run/merge_ranks.h"

struct cs_run;

struct cs_run_options {
    cs_merge_progress progress; /* called while ranks are read; may be NULL */
    void *progress_context;
    void (*look_over)(void *context, const char *trace); /* called for each trace before it is read; may be NULL */
    void *look_over_context;
    bool patient; /* processes of which nobody here knows whether they run are taken to be alive however long their
                     journals have not changed */
    const char
        *database; /* path of an empty file of ours in which all ranks are put together; NULL: a temporary database */
};

/* What was found while opening. */
struct cs_run_info {
    size_t files;    /* traces and journals that belong to the run */
    size_t left_out; /* of these: could not be read (each was logged in one line) */
    size_t journals; /* of dead processes, sealed now */
    size_t alive;    /* journals of processes that still run: what they had recorded until now is shown */
    size_t unknown;  /* likewise, of processes that may still run: nobody here can tell */
    bool single;     /* one file was named, and not the folder of a run */
};

/* Opens the run at path: a folder of rank files, or a single trace or journal. Journals of dead processes are sealed
   first, into the folder if it is writable, otherwise (and for processes that still run) into a temporary folder. A
   single trace that has exactly our schema is read where it is; several, or one that somebody changed, are copied into
   a temporary database (in memory while it is small). The connection only reads: SQL that writes, attaches or changes
   settings is refused. Files are untrusted. CS_INVALID: no run there; CS_CORRUPT: nothing readable in it; CS_NOT_OURS,
   CS_TOO_NEW, CS_IO, CS_NO_SPACE, CS_NO_MEMORY, CS_SQL. Every failure has been logged in one line. */
enum cs_status cs_run_open(const char *path, const struct cs_run_options *options, struct cs_run **run);

void cs_run_close(struct cs_run *run);

/* The database; valid until cs_run_close. */
sqlite3 *cs_run_database(struct cs_run *run);

const struct cs_run_info *cs_run_info(const struct cs_run *run);
