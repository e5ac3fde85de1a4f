/* Opens a recorded run for queries: one database that shows all ranks in the same tables and views. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/status.h"
#include "db/run/merge_ranks.h"
#include "db/trace/event_tables.h"
#include "db/trace/schema.h"

struct cs_run;

/* Runs of more ranks, or whose files are larger, as with all events, keep a merged file. */
enum { CS_RUN_KEPT_ABOVE = 16, CS_RUN_KEPT_ABOVE_BYTES = 32 << 20 };

struct cs_run_options {
    cs_merge_progress progress; /* called while ranks are read; may be NULL */
    void *progress_context;
    void (*look_over)(void *context, const char *trace); /* called for each trace before it is read, except when the
                                                            merged file is read; may be NULL */
    void (*look_over_merged)(void *context, const char *database); /* called for a new merged file; may be NULL */
    void *look_over_context;
    bool patient; /* if nobody here knows whether a process runs, it counts as alive, however long its journal has not
                     changed */
    bool all_events;                  /* of processes that run, too; else their last ones */
    enum cs_materialized materialize; /* for commands that read many views: computes the costly ones once, and keeps
                                         them in the merged file if there is one */
    const char *through; /* more layers that calls are charged through, as in the view asked_layers; NULL: those of the
                            recording. Materialized views are not read then */
    const char *region;  /* the profile is reduced to this region of the program, as by cs_schema_ask_region; NULL:
                            whole.   Materialized views are not read then */
    const struct cs_event_finder *forecasts; /* finds the rows of computed_forecasts, until the run is closed; NULL: the
                                                usual ones. Materialized views are not read then */
    const char *database; /* path of an empty file of ours for the merged ranks; NULL: a temporary database */
    const char *shown;    /* what messages call it */
    const struct cs_parallel *parallel; /* connects the processes that read ranks, as in struct cs_merge_job; or NULL */
    int processes;
};

/* Findings while opening. */
struct cs_run_info {
    size_t files;       /* traces and journals of the run */
    size_t left_out;    /* unreadable ones (each was logged in one line) */
    size_t journals;    /* journals of dead processes, converted now */
    size_t alive;       /* journals of running processes: their state until now is shown */
    size_t unknown;     /* journals of processes that may run: nobody here can tell */
    bool single;        /* the path was one file, not the folder of a run */
    struct stat folder; /* the file or folder that was opened */
};

/* Sets SQLite up for this process, before its first use. */
void cs_run_set_up(void);

/* Opens the run at path: a folder of rank files, or a single trace or journal. Journals of dead processes are
   converted first, into the folder if it is writable. Otherwise, and for running processes, they are converted into
   a temporary folder. A single trace with exactly our schema is read in place. Several traces, or a changed one, are
   copied into a temporary database (in memory while it is small). If they are many or large, and none is of
   a running process, they are copied into a merged file that later commands read: db/run/merged_file.h. The connection
   is read-only: SQL that writes, attaches or changes settings is refused. Files are untrusted. CS_INVALID: no run
   there; CS_CORRUPT: nothing readable in it; CS_NOT_OURS, CS_TOO_NEW, CS_IO, CS_NO_SPACE, CS_NO_MEMORY, CS_SQL. Each
   failure has been logged in one line. */
enum cs_status cs_run_open(const char *path, const struct cs_run_options *options, struct cs_run **run);

/* Closes the run. If SQLite found damage in a merged file meanwhile, the file is removed, which is logged. */
void cs_run_close(struct cs_run *run);

/* Returns the database; valid until cs_run_close. */
sqlite3 *cs_run_database(struct cs_run *run);

const struct cs_run_info *cs_run_info(const struct cs_run *run);

/* Computes the rows of a view once: later queries read them from a temporary table. CS_SQL: logged. */
enum cs_status cs_run_share(struct cs_run *run, const char *view);

/* Does so for the views that the SQL reads, where that makes it faster. It never fails. */
void cs_run_share_read(struct cs_run *run, const char *sql);

/* Says whether statements that are prepared from now on may make temporary tables, as SQL of our own does. At first
   they may only read. */
void cs_run_allow_temporary(struct cs_run *run, bool allowed);

/* The path of the merged file that is read; NULL: none. */
const char *cs_run_merged_file(const struct cs_run *run);
