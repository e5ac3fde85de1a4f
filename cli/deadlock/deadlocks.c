#include "cli/deadlock/deadlocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cli/deadlock/hang_find.h"
#include "cli/deadlock/hang_load.h"
#include "cli/text/phrase.h"
#include "db/trace/each_row.h"
#include "db/trace/untrusted.h"
#include "functions.h"
#include "reports_sql.h"

/* A deadlock in the model. */
struct deadlock {
    int64_t *rank;
    size_t ranks;
    bool proven;
    const struct cs_hang_object *object; /* object that all wait on; NULL: several, or none */
    const char *function;                /* call that all wait in; NULL: several */
    int64_t seconds_ns;                  /* time that all have waited */
};

/* The call that a stuck rank waits in; NULL: none. */
static const struct cs_hang_thread *waiting_thread(const struct cs_hang *hang, const struct cs_hang_rank *rank)
{
    for (size_t i = 0; i < rank->threads; i++)
        if (hang->thread[rank->thread + i].wait != CS_NO_WAIT)
            return &hang->thread[rank->thread + i];
    return NULL;
}

static void add_member(const struct cs_hang *hang, struct deadlock *deadlock, const struct cs_hang_rank *rank)
{
    const struct cs_hang_thread *thread = waiting_thread(hang, rank);
    const struct cs_hang_call *call = thread ? cs_hang_call_of(thread) : NULL;
    const struct cs_function *function = call ? cs_function_find(call->function) : NULL;
    const struct cs_hang_object *object = call ? cs_hang_object_of(hang, rank->rank, call->object) : NULL;
    const char *name = function ? function->name : NULL;
    int64_t waited = call && rank->seen_ns > call->since_ns ? rank->seen_ns - call->since_ns : 0;
    bool first = deadlock->ranks == 0;
    deadlock->rank[deadlock->ranks++] = rank->rank;
    deadlock->proven &= !rank->open && !rank->open_callback && !rank->elsewhere;
    if (first || waited < deadlock->seconds_ns)
        deadlock->seconds_ns = waited;
    if (first) {
        deadlock->function = name;
        deadlock->object = object;
        return;
    }
    if (!name || !deadlock->function || strcmp(name, deadlock->function) != 0)
        deadlock->function = NULL;
    if (!object || !deadlock->object || !object->uid || object->uid != deadlock->object->uid)
        deadlock->object = NULL;
}

/* Fills deadlock->rank, which has room for all ranks. False: it is not proven. */
static bool describe(const struct cs_hang *hang, int core, struct deadlock *deadlock)
{
    *deadlock = (struct deadlock){.rank = deadlock->rank, .proven = true};
    for (size_t i = 0; i < hang->ranks; i++)
        if (hang->rank[i].core == core)
            add_member(hang, deadlock, &hang->rank[i]);
    return deadlock->ranks && deadlock->proven;
}

/* Puts the row, a longer array, into *found, and ends the statement. Returns SQLite's code. */
static int keep(sqlite3_stmt *row, char **found)
{
    int result = sqlite3_step(row);
    char *longer = result == SQLITE_ROW ? sqlite3_mprintf("%s", sqlite3_column_text(row, 0)) : NULL;
    sqlite3_finalize(row);
    if (!longer)
        return result == SQLITE_ROW ? SQLITE_NOMEM : result;
    sqlite3_free(*found);
    *found = longer;
    return SQLITE_OK;
}

static enum cs_status status_of(int result)
{
    return result == SQLITE_OK ? CS_OK : result == SQLITE_NOMEM ? CS_NO_MEMORY : CS_SQL;
}

/* Appends it to the array in *found. */
static enum cs_status append(sqlite3 *db, const struct deadlock *deadlock, bool ended, char **found)
{
    struct cs_phrase ranks = {0};
    sqlite3_stmt *row = NULL;
    cs_phrase_add_numbers(&ranks, deadlock->rank, deadlock->ranks);
    if (ranks.failed || sqlite3_prepare_v2(db, cs_sql_proven_deadlock, -1, &row, NULL) != SQLITE_OK) {
        enum cs_status status = ranks.failed ? CS_NO_MEMORY : CS_SQL;
        cs_phrase_free(&ranks);
        return status;
    }
    sqlite3_bind_text(row, 1, *found, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(row, 2, cs_phrase_text(&ranks), -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(row, 3, (sqlite3_int64)deadlock->ranks);
    sqlite3_bind_text(row, 4, deadlock->function, -1, SQLITE_STATIC);
    if (deadlock->object && deadlock->object->uid) {
        sqlite3_bind_text(row, 5, deadlock->object->label, -1, SQLITE_STATIC);
        sqlite3_bind_int64(row, 6, (sqlite3_int64)deadlock->object->uid);
    }
    sqlite3_bind_double(row, 7, (double)deadlock->seconds_ns / 1e9);
    sqlite3_bind_text(row, 8, ended ? "job" : NULL, -1, SQLITE_STATIC);
    cs_phrase_free(&ranks);
    return status_of(keep(row, found));
}

static enum cs_status collect(sqlite3 *db, struct cs_hang *hang, char **found)
{
    struct deadlock deadlock = {.rank = calloc(hang->ranks + 1, sizeof *deadlock.rank)};
    enum cs_status status = deadlock.rank && cs_hang_find(hang) ? CS_OK : CS_NO_MEMORY;
    for (int core = 0; core < hang->cores && status == CS_OK; core++)
        if (describe(hang, core, &deadlock))
            status = append(db, &deadlock, hang->ended, found);
    free(deadlock.rank);
    return status;
}

static enum cs_status find_in(const char *run, struct cs_hang_source *source, char **found)
{
    struct cs_hang hang = {0};
    enum cs_status status = cs_hang_look(run, source, &hang);
    if (status == CS_OK)
        status = collect(source->db, &hang, found);
    cs_hang_free(&hang);
    return status;
}

static bool has_running_rank(sqlite3 *db)
{
    return cs_query_is_true(db, "SELECT 1 FROM process WHERE outcome = 'running' AND rank >= 0", NULL);
}

/* Traces show a run at one moment only. */
static bool has_journal_of_running_rank(const char *run)
{
    struct cs_hang_pulse *pulse = NULL;
    size_t count = 0;
    bool has = cs_hang_pulse_take(run, &pulse, &count) && count;
    free(pulse);
    return has;
}

/* ---- hidden ones ---- */

static enum cs_status find_hidden(sqlite3 *db, char **found)
{
    sqlite3_stmt *row = NULL;
    int result = sqlite3_prepare_v2(db, cs_sql_hidden_deadlocks, -1, &row, NULL);
    if (result == SQLITE_OK)
        result = keep(row, found);
    if (result != SQLITE_OK && result != SQLITE_DONE && result != SQLITE_NOMEM)
        cs_log("SQL: %s", sqlite3_errmsg(db));
    return status_of(result == SQLITE_DONE ? SQLITE_OK : result);
}

enum cs_status cs_deadlocks_find(sqlite3 *db, const char *run, char **found)
{
    struct cs_hang_source source = {.db = db};
    int64_t ended_utc_ns;
    *found = NULL;
    if (!has_running_rank(db) && !cs_hang_was_ended(db, &ended_utc_ns))
        return find_hidden(db, found);
    /* The times alone may tell of a deadlock: only then the run is worth two looks, as in callsign hang. */
    enum cs_status status = find_in(run, &source, found);
    if (status != CS_OK || !*found || !has_journal_of_running_rank(run))
        return status;
    sqlite3_free(*found);
    *found = NULL;
    status = cs_hang_open(run, &source) ? find_in(run, &source, found) : CS_IO;
    cs_hang_close(&source);
    return status;
}
