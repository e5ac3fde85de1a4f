#include "cli/report/report_delays.h"

#include "base/log.h"
#include "cli/report/report_print.h"
#include "cli/rows/rows.h"
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

enum cs_status cs_delays_write(sqlite3 *run, sqlite3 *to)
{
    sqlite3_stmt *row = NULL;
    int result = sqlite3_exec(to, "CREATE TABLE delay (rank INT, site INT, part TEXT, direct REAL, indirect REAL)",
                              NULL, NULL, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_prepare_v2(to, "INSERT INTO delay VALUES (?1, ?2, ?3, ?4, ?5)", -1, &row, NULL);
    if (result == SQLITE_OK) {
        result = cs_delays_find(run, add_delay, row);
        if (result == SQLITE_FULL || result == SQLITE_IOERR)
            cs_log("report delays: no room for temporary files in /tmp");
        else if (result != SQLITE_OK)
            cs_log("report delays: %s", sqlite3_errmsg(run));
    } else {
        cs_log("report delays: %s", sqlite3_errmsg(to));
    }
    sqlite3_finalize(row);
    return result == SQLITE_OK ? CS_OK : CS_SQL;
}

enum cs_status report_delays(struct cs_report_output *output)
{
    struct cs_phrase line = {0};
    struct cs_rows row = cs_rows_begin(
        output->db, "SELECT total(waits) AS waits, count(DISTINCT rank) AS ranks, total(wait_ns) / 1e9 AS seconds\n"
                    "FROM wait_sums");
    if (cs_rows_next(&row) && cs_rows_integer(&row, "waits")) {
        cs_phrase_add_count(&line, cs_rows_integer(&row, "ranks"), "rank waits ", "ranks wait ");
        cs_phrase_add_seconds(&line, cs_rows_real(&row, "seconds"));
        cs_phrase_add(&line, " in all, because of the code below. These are seconds of ranks, not of the run:"
                             " callsign whatif forecasts what less work gains.");
        cs_report_print_line(output, &line);
    }
    enum cs_status status = cs_rows_end(&row);
    cs_phrase_free(&line);
    return status == CS_OK ? cs_report_print_table(output) : status;
}
