/* The files of a run: a folder with one trace or journal per rank, or a single file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum cs_run_file_kind { CS_RUN_TRACE, CS_RUN_JOURNAL };

struct cs_run_file {
    char *path;
    enum cs_run_file_kind kind;
    bool ranked;     /* named after a rank; otherwise after a process that never learned its rank, or a single file */
    bool blocked;    /* a journal whose trace cannot be written: another file has that name */
    uint64_t number; /* rank; or process id, unique only on one node */
    uint64_t inode;  /* of a file of a folder: what it is, whatever its name */
};

struct cs_run_files {
    struct cs_run_file *file; /* ranks in order, then processes */
    size_t count, room;
    bool single; /* the path named one file, not a folder */
    size_t
        left_out; /* named like files of a run, but they cannot be read: pipes, folders (each was logged in one line) */
};

/* Lists what belongs to the run at path. In a folder: rank-*.db, process-*.db, and *.journal for which there is no .db
   that is a trace.
   Temporary files of killed processes are removed. What a single file is, its first bytes say. CS_INVALID: no such
   thing, or not a run (logged in one line); CS_IO, CS_NO_MEMORY (logged). */
enum cs_status cs_run_files_list(const char *path, struct cs_run_files *files);

void cs_run_files_free(struct cs_run_files *files);

/* A process may have learned its rank, and renamed its journal, since the folder was listed: gives the file its name of
   now. Whether it has another one. */
bool cs_run_file_follow(struct cs_run_file *file);

/* Whether files can be created in this one's folder. */
bool cs_run_folder_is_writable(const char *path);
