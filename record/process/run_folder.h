/* Where a rank writes: the run folder, the same for all ranks of one launch and decided by each alone, because callsign
   must not communicate and is ready before MPI is. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

/* All fields may be zero: then it is about this process. */
struct cs_run_request {
    /* CALLSIGN_OUTPUT: the folder in which run folders are made; NULL or "": the current one. */
    const char *output;
    /* CALLSIGN_RUN: the run folder, absolute or in `output`; NULL or "": <program>.<id>.callsign. */
    const char *run;
    /* First part of a made up name; NULL: the name of the executable or of its script. */
    const char *program;
    /* How often a folder turned out to hold this rank's files already. */
    unsigned attempt;
    /* "NAME=value", ended by NULL; NULL: the process's own (nothing is read of it in setuid programs). */
    char *const *environment;
    const char *proc; /* where /proc is; NULL: "/proc" */
    pid_t pid;        /* the rank; 0: this process */
};

/* Makes the run folder, with the umask and with the folders above it, and returns its absolute path. One that another
   rank of the launch has made is fine; one of the same name that another launch left is passed over: "-2", "-3" goes
   before ".callsign". Rank files are to be opened with O_EXCL; when one exists (a second program of the same launch),
   ask again with attempt + 1. path: size bytes, PATH_MAX is enough; *run_hash: equal on all ranks of the launch,
   differs between launches. CS_IO: the folder cannot be made or written, errno says why. CS_INVALID: the name is too
   long. */
enum cs_status cs_run_folder(const struct cs_run_request *request, char *path, size_t size, uint64_t *run_hash);

/* Whether the launcher says that all ranks of a world of this size are on this node. What an outer launcher left in the
   environment may make it so: whoever believes it must not do harm. */
bool cs_launch_is_on_node(char *const *environment, int size);

/* ---- the journal's file: where it lies and what it is called ---- */

/* Chooses the run's folder and moves the journal there, under a name without rank; once, whoever comes first. At the
   first call of a process that a launcher started as a rank, of others before MPI_Init is forwarded. When the journal
   cannot be saved the recording stops, one line on stderr says why, and the program goes on. */
void cs_recorder_save(void);

/* MPI is initialised: the journal gets its final name. rank -1: a process without MPI_COMM_WORLD (sessions). */
void cs_recorder_set_world(int rank, int size);

/* Whether this process is the first of its run that comes here with this name: then it speaks for all. True, too, where
   the run's folder does not tell. */
bool cs_recorder_is_first_to(const char *name);

/* What was recorded until now would mislead: takes it back. The program goes on bare. */
void cs_recorder_withdraw(void);
