/* The merged file that callsign keeps of a run with many ranks, so that the next command need not read their files: in
   the folder of the run, or under $XDG_CACHE_HOME/callsign if that cannot be written. It is valid as long as the names,
   sizes and times of the files are those that it was made of, and its own bytes have the sum that follows them. */
#pragma once

#include <limits.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/status.h"

#define CS_MERGED_NAME "merged.db" /* in the folder of the run */

enum { CS_MERGED_FILES_BYTES = 40, CS_MERGED_IN_CACHE = 1, CS_MERGED_PLACES = 2 };

struct cs_merged_file {
    char path[CS_MERGED_PLACES][PATH_MAX]; /* where it may be, the best place first; "": nowhere */
    char files[CS_MERGED_FILES_BYTES];     /* what the files of the run are now */
    struct stat like;                      /* the first of them: the merged file gets its group and mode */
};

/* Looks at the files of the run at `folder`. False: it is no run whose merged file can be kept. */
bool cs_merged_file_find(struct cs_merged_file *merged, const char *folder, char *const *trace, size_t count);

/* Opens the valid merged file in place; the lines about files that are not in it are logged again, and counted in
 *left_out. NULL: there is none. */
sqlite3 *cs_merged_file_open(const struct cs_merged_file *merged, size_t *left_out);

/* A merged file that is being made. */
struct cs_merged_draft {
    char path[PATH_MAX], temporary[PATH_MAX];
    bool among_ranks; /* it belongs to their owner */
    int file;
    void *lock;
};

/* Begins a new one at a place. False: it cannot be written there, for whatever reason. */
bool cs_merged_draft_begin(struct cs_merged_draft *draft, const struct cs_merged_file *merged, int place);

/* Copies the merged file that is at the draft's place into the draft. */
bool cs_merged_draft_copy(const struct cs_merged_draft *draft);

/* Writes into the merged database what it was made of. lines: about files that were left out, each with a newline. */
enum cs_status cs_merged_draft_sign(sqlite3 *db, const struct cs_merged_file *merged, size_t left_out,
                                    const char *lines);

/* Takes function, file and line of frames from the merged file that this one replaces: the program that has them may be
   gone. */
void cs_merged_draft_inherit(sqlite3 *db, const struct cs_merged_draft *draft);

/* Puts it in place; in the cache, older files make room. False: it stays a draft. */
bool cs_merged_draft_publish(struct cs_merged_draft *draft, const struct cs_merged_file *merged);

/* Ends it; a draft that is not in place is removed. */
void cs_merged_draft_end(struct cs_merged_draft *draft);
