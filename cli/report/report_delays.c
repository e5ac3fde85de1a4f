#include "cli/report/report_delays.h"

#include "base/log.h"
#include "cli/report/report_print.h"
#include "cli/rows/rows.h"
#include "cli/rows/sql.h"
#include "db/replay/delays.h"

static void add_delay(void *context, const struct cs_delay *delay)
{
    sqlite3_stmt *row = context;
    sqlite3_clear_bindings(row);
    if (delay->rank >= 0)
        sqlite3_bind_int64(row, 1, delay->rank);
    if (delay->site > 0)
        sqlite3_bind_int64(row, 2, delay->site);
    const char *kind = delay->rank < 0 ? "unknown" : delay->site < 0 ? "other" : delay->in_call ? "in" : "before";
    sqlite3_bind_text(row, 3, kind, -1, SQLITE_STATIC);
    sqlite3_bind_double(row, 4, delay->direct_ns / 1e9);
    sqlite3_bind_double(row, 5, delay->indirect_ns / 1e9);
    sqlite3_step(row);
    sqlite3_reset(row);
}

static enum cs_status write_waits(sqlite3 *to, const struct cs_delayed *waits)
{
    char *sql = sqlite3_mprintf("CREATE TABLE delayed AS SELECT %lld AS ranks, %!.17g AS seconds",
                                (long long)waits->ranks, (double)waits->wait_ns / 1e9);
    int result = sql ? sqlite3_exec(to, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
    sqlite3_free(sql);
    return result == SQLITE_OK ? CS_OK : CS_NO_MEMORY;
}

enum cs_status cs_delays_write(sqlite3 *run, sqlite3 *to)
{
    sqlite3_stmt *row = NULL;
    struct cs_delayed waits;
    int result = sqlite3_exec(to, "CREATE TABLE delay (rank INT, site INT, part TEXT, direct REAL, indirect REAL)",
                              NULL, NULL, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_prepare_v2(to, "INSERT INTO delay VALUES (?1, ?2, ?3, ?4, ?5)", -1, &row, NULL);
    if (result == SQLITE_OK) {
        result = cs_delays_find(run, add_delay, row, &waits);
        if (result == SQLITE_FULL || result == SQLITE_IOERR)
            cs_log("report delays: no room for temporary files in /tmp");
        else if (result != SQLITE_OK)
            cs_log("report delays: %s", sqlite3_errmsg(run));
    } else {
        cs_log("report delays: %s", sqlite3_errmsg(to));
    }
    sqlite3_finalize(row);
    return result == SQLITE_OK ? write_waits(to, &waits) : CS_SQL;
}

static enum cs_status print_waits(struct cs_report_output *output, sqlite3 *table)
{
    struct cs_phrase line = {0};
    struct cs_rows row = cs_rows_begin(table, "SELECT ranks, seconds FROM delayed");
    if (cs_rows_next(&row) && cs_rows_integer(&row, "ranks")) {
        cs_phrase_add_count(&line, cs_rows_integer(&row, "ranks"), "rank waits ", "ranks wait ");
        cs_phrase_add_seconds(&line, cs_rows_real(&row, "seconds"));
        cs_phrase_add(&line, " in all, because of the code below. These are seconds of ranks, not of the run:"
                             " callsign whatif forecasts what less work gains.");
        cs_report_print_line(output, &line);
    }
    cs_phrase_free(&line);
    return cs_rows_end(&row);
}

/* The line and the table come from one pass over the waits. */
enum cs_status report_delays(struct cs_report_output *output)
{
    sqlite3 *table;
    enum cs_status status = CS_NO_MEMORY;
    if (sqlite3_open(":memory:", &table) == SQLITE_OK)
        status = cs_delays_write(output->db, table);
    if (status == CS_OK)
        status = print_waits(output, table);
    if (status == CS_OK)
        status = cs_report_print_rows(output, cs_sql_prepare(table, output->report->sql));
    sqlite3_close_v2(table);
    return status;
}
