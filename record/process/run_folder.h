/* The run folder, in which a rank writes. All ranks of one launch find the same folder, each alone, because callsign
   must not communicate and starts before MPI does. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

/* All fields may be zero: then it is about this process. */
struct cs_run_request {
    /* CALLSIGN_OUTPUT: parent of run folders; NULL or "": the current folder. */
    const char *output;
    /* CALLSIGN_RUN: the run folder, absolute or in `output`; NULL or "": <program>.<id>.callsign. */
    const char *run;
    /* First part of a generated name; NULL: name of the executable or its script. */
    const char *program;
    /* How many folders already had files of this rank. */
    unsigned attempt;
    /* "NAME=value", ended by NULL; NULL: the process's own (ignored in setuid programs). */
    char *const *environment;
    const char *proc; /* folder of /proc; NULL: "/proc" */
    pid_t pid;        /* the rank; 0: this process */
};

/* Makes the run folder and missing parents, with the umask, and returns its absolute path. A folder that another
   rank of the launch made is used. If another launch left one with that name, "-2", "-3" is put before ".callsign".
   Open rank files with O_EXCL; if one exists (a second program of the launch), call again with attempt + 1. path:
   buffer of `size` bytes, PATH_MAX is enough; *run_hash: equal on all ranks of a launch, different between launches;
   *processes: how many the launcher started together, 0: unknown; may be NULL.
   CS_IO: the folder cannot be made or written, errno has the cause. CS_INVALID: the name is too long. */
enum cs_status cs_run_folder(const struct cs_run_request *request, char *path, size_t size, uint64_t *run_hash,
                             unsigned *processes);

/* True if the launcher says that all ranks of a world of this size are on this node. Variables of an outer launcher
   may make this wrong, so a wrong answer must do no harm. */
bool cs_launch_is_on_node(char *const *environment, int size);

/* ---- the journal's file: where it lies and what it is called ---- */

/* Chooses the run's folder and moves the journal there, under a name without rank; only the first call does it.
   Ranks of a launcher call it at their first MPI call, other processes before MPI_Init. If the journal cannot be
   saved, the recording stops, one line on stderr says why, and the program continues. */
void cs_recorder_save(void);

/* MPI is initialised: the journal gets its final name. rank -1: a process without MPI_COMM_WORLD (sessions). */
void cs_recorder_set_world(int rank, int size);

/* False before MPI_Init, and in a process of sessions alone: it has neither MPI_COMM_WORLD nor a main thread. */
bool cs_recorder_has_world(void);

/* The run folder; "": it is not chosen. */
const char *cs_recorder_run_folder(void);

/* The folder of this node's journals, if one file is written for each node; "": each rank has its own. */
const char *cs_recorder_node_folder(void);

/* True if that folder is on storage of the node. */
bool cs_recorder_node_is_elsewhere(void);

/* Prepares the closed journal in a folder on storage of the node for cs_journal_move_to_run. */
void cs_recorder_leave_node(void);

/* True if this process is the first of its run to call this with this name: it then acts for all. Also true if the
   run's folder cannot tell. */
bool cs_recorder_is_first_to(const char *name);

/* Withdraws the recording because it would mislead. The program continues unrecorded. */
void cs_recorder_withdraw(void);
