#include "db/run/merge_correct.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/array.h"

enum cs_status cs_merge_ranks_add(struct cs_merge_ranks *ranks, sqlite3 *db, const char *schema, size_t trace,
                                  const struct cs_merge_shift *shift)
{
    char sql[64];
    snprintf(sql, sizeof sql, "SELECT rank FROM %s.process", schema);
    sqlite3_stmt *rows;
    int result = sqlite3_prepare_v2(db, sql, -1, &rows, NULL);
    bool good = true;
    while (result == SQLITE_OK && good && sqlite3_step(rows) == SQLITE_ROW) {
        good = cs_array_grow(&ranks->rank, ranks->count, &ranks->room, sizeof *ranks->rank);
        if (good)
            ranks->rank[ranks->count++] = (struct cs_merge_rank){
                .rank = sqlite3_column_int64(rows, 0) + shift->rank, .trace = trace, .was = shift->on_axis};
    }
    if (result == SQLITE_OK)
        result = sqlite3_finalize(rows);
    return good ? cs_merge_status(db, result) : CS_NO_MEMORY;
}

/* ---- what is to be done to each rank ---- */

/* An instant t of a trace stands at t + was and belongs at t + offset + drift * t; zero is added to the readings of
   clocks at instant 0. The others are NULL if nothing was found. */
static const char make_table[] =
    "CREATE TEMP TABLE correction (rank INTEGER PRIMARY KEY, was_ns INT, offset_ns INT, drift REAL, zero_ns INT,"
    " seconds TEXT, drift_ppb INT, error_ns INT, contradiction_ns INT)";

enum parameter {
    RANK = 1,
    WAS,
    OFFSET,
    DRIFT,
    ZERO,
    SECONDS,
    DRIFT_PPB,
    ERROR,
    CONTRADICTION,
};

static void bind_found(sqlite3_stmt *row, enum parameter parameter, bool known, double value)
{
    if (known && fabs(value) < 9e18)
        sqlite3_bind_int64(row, parameter, llround(value));
}

static bool insert(sqlite3_stmt *row, const struct cs_merge_rank *rank, const struct cs_axis_shift *is)
{
    char seconds[32];
    sqlite3_clear_bindings(row);
    sqlite3_bind_int64(row, RANK, rank->rank);
    sqlite3_bind_int64(row, WAS, rank->was.offset_ns);
    sqlite3_bind_int64(row, OFFSET, is->offset_ns);
    sqlite3_bind_double(row, DRIFT, is->drift);
    sqlite3_bind_int64(row, ZERO, cs_merge_zero(is) - cs_merge_zero(&rank->was));
    snprintf(seconds, sizeof seconds, "%.3f seconds", is->correction_ns / 1e9);
    if (fabs(is->correction_ns) >= 1e9)
        sqlite3_bind_text(row, SECONDS, seconds, -1, SQLITE_STATIC);
    bind_found(row, DRIFT_PPB, is->one_clock, is->drift * 1e9);
    bind_found(row, ERROR, is->one_clock && is->bounded, ceil(is->error_ns));
    bind_found(row, CONTRADICTION, is->one_clock && is->contradiction_ns > 0, is->contradiction_ns);
    sqlite3_step(row);
    return sqlite3_reset(row) == SQLITE_OK;
}

/* *moved: some instants do not stand right. */
static bool fill_table(sqlite3 *db, const struct cs_merge_ranks *ranks, const struct cs_axis *axis, bool *moved)
{
    static const char sql[] = "INSERT OR REPLACE INTO temp.correction VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    sqlite3_stmt *row;
    bool good = sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK;
    bool has_zero = false;
    int64_t zero_ns = 0;
    *moved = false;
    for (size_t i = 0; good && i < ranks->count; i++) {
        struct cs_axis_shift is = {0};
        if (cs_axis_shift(axis, ranks->rank[i].trace, &is)) {
            zero_ns = has_zero ? zero_ns : is.offset_ns;
            has_zero = true;
            is.offset_ns -= zero_ns;
        }
        *moved = *moved || is.drift != 0 || is.offset_ns != ranks->rank[i].was.offset_ns;
        good = insert(row, &ranks->rank[i], &is);
    }
    sqlite3_finalize(row);
    return good;
}

/* ---- moving ---- */

/* The statement that moves all instants of a table; *instants: how many it has. */
static char *write_move(sqlite3 *db, const char *table, int *instants)
{
    sqlite3_stmt *columns;
    *instants = 0;
    if (sqlite3_prepare_v2(db, "SELECT name FROM pragma_table_info(?1, 'main')", -1, &columns, NULL) != SQLITE_OK)
        return NULL;
    sqlite3_bind_text(columns, 1, table, -1, SQLITE_STATIC);
    sqlite3_str *sql = sqlite3_str_new(db);
    sqlite3_str_appendf(sql, "UPDATE main.\"%w\" AS t SET ", table);
    while (sqlite3_step(columns) == SQLITE_ROW) {
        const char *column = (const char *)sqlite3_column_text(columns, 0);
        if (!column || !cs_merge_is_instant(column))
            continue;
        sqlite3_str_appendf(sql,
                            "%s\"%w\" = t.\"%w\" - c.was_ns + c.offset_ns"
                            " + CAST(round((t.\"%w\" - c.was_ns) * c.drift) AS INT)",
                            (*instants)++ ? ", " : "", column, column, column);
    }
    sqlite3_finalize(columns);
    sqlite3_str_appendall(sql, " FROM temp.correction c WHERE c.rank = t.rank"
                               " AND (c.offset_ns <> c.was_ns OR c.drift <> 0)");
    return sqlite3_str_finish(sql);
}

static bool move_table(sqlite3 *db, const char *table)
{
    int instants;
    char *sql = write_move(db, table, &instants);
    bool good = sql && (!instants || sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_free(sql);
    return good;
}

static bool move(sqlite3 *db)
{
    sqlite3_stmt *tables;
    static const char list[] = "SELECT name FROM main.sqlite_schema WHERE type = 'table'";
    if (sqlite3_prepare_v2(db, list, -1, &tables, NULL) != SQLITE_OK)
        return false;
    bool good = true;
    while (good && sqlite3_step(tables) == SQLITE_ROW)
        good = move_table(db, (const char *)sqlite3_column_text(tables, 0));
    return sqlite3_finalize(tables) == SQLITE_OK && good;
}

enum cs_status cs_merge_correct(sqlite3 *db, const struct cs_merge_ranks *ranks, const struct cs_axis *axis)
{
    static const char tell[] =
        "UPDATE main.process AS t SET zero_utc_ns = t.zero_utc_ns + c.zero_ns,"
        " zero_monotonic_ns = t.zero_monotonic_ns + c.zero_ns,"
        " clock_offset_ns = t.clock_offset_ns - c.was_ns + c.offset_ns,"
        " started_utc = coalesce(strftime('%Y-%m-%dT%H:%M:%SZ', t.started_utc, c.seconds), t.started_utc),"
        " clock_drift_ppb = coalesce(c.drift_ppb, t.clock_drift_ppb),"
        " clock_error_ns = coalesce(c.error_ns, t.clock_error_ns),"
        " clock_contradiction_ns = coalesce(c.contradiction_ns, t.clock_contradiction_ns)"
        " FROM temp.correction c WHERE c.rank = t.rank";
    bool moved = false;
    bool good = sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK &&
                sqlite3_exec(db, make_table, NULL, NULL, NULL) == SQLITE_OK && fill_table(db, ranks, axis, &moved) &&
                (!moved || move(db)) && sqlite3_exec(db, tell, NULL, NULL, NULL) == SQLITE_OK &&
                sqlite3_exec(db, "DROP TABLE temp.correction; COMMIT", NULL, NULL, NULL) == SQLITE_OK;
    if (good)
        return CS_OK;
    enum cs_status status = cs_merge_status(db, SQLITE_ERROR);
    return status == CS_CORRUPT ? CS_SQL : status; /* none of these reads a trace */
}
