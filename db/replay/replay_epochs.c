#include "db/replay/replay_epochs.h"

#include <stdlib.h>

#include "base/array.h"
#include "db/trace/each_row.h"

enum { FUNCTIONS_MOST = 32 };

struct cursor {
    sqlite3_stmt *row; /* NULL: not yet */
    bool ahead, ended; /* the row is one of a later event */
    struct cs_epoch_peer *peer;
    size_t peers, room;
    int64_t event; /* of these */
};

struct cs_replay_epochs {
    sqlite3 *db;
    struct {
        int64_t number;
        struct cs_epoch_function is;
    } function[FUNCTIONS_MOST];
    size_t functions, threads;
    struct cursor *cursor; /* by thread */
};

static const char functions_sql[] =
    "SELECT function, CASE epoch_act WHEN 'post' THEN 1 WHEN 'complete' THEN 2 WHEN 'lock' THEN 3"
    " WHEN 'unlock' THEN 4 WHEN 'lock_all' THEN 5 WHEN 'unlock_all' THEN 6 ELSE 0 END, CASE waits WHEN 'posts' THEN 1 "
    "WHEN 'completes' THEN 2 WHEN 'target' THEN 3 ELSE 0 END"
    " FROM main.function WHERE epoch_act IS NOT NULL OR waits IN ('posts', 'completes', 'target')";
static const char peers_sql[] = "SELECT event, window, peer, coalesce(nth, 0) FROM main.event_window"
                                " WHERE rank = ?1 AND thread = ?2 AND event IS NOT NULL ORDER BY entry";

static int add_function(void *context, sqlite3_stmt *row)
{
    struct cs_replay_epochs *epochs = context;
    if (epochs->functions == FUNCTIONS_MOST)
        return SQLITE_OK;
    size_t i = epochs->functions++;
    epochs->function[i].number = sqlite3_column_int64(row, 0);
    epochs->function[i].is.does = (enum cs_epoch_does)sqlite3_column_int(row, 1);
    epochs->function[i].is.waits = (enum cs_epoch_waits)sqlite3_column_int(row, 2);
    return SQLITE_OK;
}

int cs_replay_epochs_open(sqlite3 *db, size_t threads, struct cs_replay_epochs **opened)
{
    *opened = NULL;
    if (!cs_query_is_true(db, "SELECT EXISTS (SELECT 1 FROM main.event_window)", NULL))
        return SQLITE_OK;
    struct cs_replay_epochs *epochs = calloc(1, sizeof *epochs);
    if (!epochs || !(epochs->cursor = calloc(threads + 1, sizeof *epochs->cursor))) {
        free(epochs);
        return SQLITE_NOMEM;
    }
    epochs->db = db;
    epochs->threads = threads;
    *opened = epochs;
    return cs_each_row(db, functions_sql, add_function, epochs);
}

void cs_replay_epochs_close(struct cs_replay_epochs *epochs)
{
    if (!epochs)
        return;
    for (size_t i = 0; i < epochs->threads; i++) {
        sqlite3_finalize(epochs->cursor[i].row);
        free(epochs->cursor[i].peer);
    }
    free(epochs->cursor);
    free(epochs);
}

void cs_replay_epochs_rewind(struct cs_replay_epochs *epochs)
{
    for (size_t i = 0; epochs && i < epochs->threads; i++) {
        struct cursor *cursor = &epochs->cursor[i];
        sqlite3_reset(cursor->row);
        cursor->ahead = cursor->ended = false;
        cursor->event = 0;
        cursor->peers = 0;
    }
}

struct cs_epoch_function cs_replay_epochs_function(const struct cs_replay_epochs *epochs, int64_t function)
{
    for (size_t i = 0; epochs && i < epochs->functions; i++)
        if (epochs->function[i].number == function)
            return epochs->function[i].is;
    return (struct cs_epoch_function){CS_EPOCH_NOTHING, CS_EPOCH_WAITS_NOT};
}

static bool add_peer(struct cursor *cursor)
{
    if (!cs_array_grow(&cursor->peer, cursor->peers, &cursor->room, sizeof *cursor->peer))
        return false;
    cursor->peer[cursor->peers++] = (struct cs_epoch_peer){.event = sqlite3_column_int64(cursor->row, 0),
                                                           .window = sqlite3_column_int64(cursor->row, 1),
                                                           .peer = sqlite3_column_int64(cursor->row, 2),
                                                           .nth = sqlite3_column_int64(cursor->row, 3)};
    return true;
}

static void read_peers(struct cursor *cursor, int64_t event)
{
    cursor->peers = 0;
    cursor->event = event;
    while (!cursor->ended) {
        if (!cursor->ahead && sqlite3_step(cursor->row) != SQLITE_ROW) {
            cursor->ended = true;
            return;
        }
        int64_t of = sqlite3_column_int64(cursor->row, 0);
        cursor->ahead = of > event;
        if (cursor->ahead || (of == event && !add_peer(cursor)))
            return;
    }
}

const struct cs_epoch_peer *cs_replay_epochs_peers(struct cs_replay_epochs *epochs, const struct cs_pass_thread *thread,
                                                   int64_t event, size_t *count)
{
    struct cursor *cursor = &epochs->cursor[thread->index];
    if (!cursor->row && sqlite3_prepare_v2(epochs->db, peers_sql, -1, &cursor->row, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(cursor->row, 1, thread->rank);
        sqlite3_bind_int64(cursor->row, 2, thread->thread);
    }
    if (cursor->event != event)
        read_peers(cursor, event);
    *count = cursor->peers;
    return cursor->peer;
}
