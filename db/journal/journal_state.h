/* The state of a journal's writer, for journal.c, block.c and save.c alone. */
#pragma once

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#include "db/journal/format.h"

struct cs_journal {
    struct cs_journal_header *header;
    struct cs_block *log;     /* the log block that is being filled */
    struct cs_block **blocks; /* while in memory: what is to be moved into the file */
    size_t block_count, block_room;
    pthread_mutex_t lock; /* of all above and of the file's size */
    uint64_t pause_ns;    /* no block could be had: for how long none is asked for. 0: one could */
    uint64_t retry_ns;    /* until when, on the monotonic clock */
    bool complained;      /* that was logged */
    bool closed;          /* it gets no more blocks, and nobody is told */
    dev_t device;         /* identity of the file, checked whenever it is opened */
    ino_t inode;
    char path[PATH_MAX]; /* "" while in memory */
    char file[PATH_MAX]; /* where it lies, if path is a link to it; otherwise "" */
};
