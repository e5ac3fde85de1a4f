/* What calls do to epochs and locks of windows, by rank: rows of event_window, read beside the pass over the events. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/trace/event_pass.h"

enum cs_epoch_does {
    CS_EPOCH_NOTHING,
    CS_EPOCH_POSTS,
    CS_EPOCH_COMPLETES,
    CS_EPOCH_LOCKS,
    CS_EPOCH_UNLOCKS,
    CS_EPOCH_LOCKS_ALL,
    CS_EPOCH_UNLOCKS_ALL
};
enum cs_epoch_waits {
    CS_EPOCH_WAITS_NOT,
    CS_EPOCH_WAITS_FOR_POSTS,
    CS_EPOCH_WAITS_FOR_COMPLETES,
    CS_EPOCH_WAITS_FOR_TARGET
};

struct cs_epoch_function {
    enum cs_epoch_does does;
    enum cs_epoch_waits waits;
};

struct cs_epoch_peer {
    int64_t event, window, peer;
    int64_t nth; /* 0: an exclusive lock */
};

struct cs_replay_epochs;

/* *epochs NULL: the run has none. Returns SQLite's code. */
int cs_replay_epochs_open(sqlite3 *db, size_t threads, struct cs_replay_epochs **epochs);
void cs_replay_epochs_close(struct cs_replay_epochs *epochs);

/* Begins again before the first event of each thread. */
void cs_replay_epochs_rewind(struct cs_replay_epochs *epochs);

/* epochs NULL: nothing. */
struct cs_epoch_function cs_replay_epochs_function(const struct cs_replay_epochs *epochs, int64_t function);

/* The rows of an event that was not before the last one asked for; valid until the next call. */
const struct cs_epoch_peer *cs_replay_epochs_peers(struct cs_replay_epochs *epochs, const struct cs_pass_thread *thread,
                                                   int64_t event, size_t *count);
