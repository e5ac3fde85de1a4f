/* Where a rank writes: the run folder, the same for all ranks of one launch and decided by each alone, because callsign
   must not communicate and is ready before MPI is. */
#pragma once

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
   before
   ".callsign". Rank files are to be opened with O_EXCL; when one exists (a second program of the same launch), ask
   again with attempt + 1. path: size bytes, PATH_MAX is enough; *run_hash: equal on all ranks of the launch, differs
   between launches. CS_IO: the folder cannot be made or written, errno says why. CS_INVALID: the name is too long. */
enum cs_status cs_run_folder(const struct cs_run_request *request, char *path, size_t size, uint64_t *run_hash);
