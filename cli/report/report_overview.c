/* The sentences at the top of the overview: the reports run, endings and verdict. Most sentences
 * are templates (gen/model/finding.model); those here need several rows, or call sites that only the command knows. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/deadlock/deadlocks.h"
#include "cli/report/finding.h"
#include "cli/report/report_checks.h"
#include "cli/report/report_placement.h"
#include "cli/report/report_print.h"
#include "cli/report/report_why.h"
#include "cli/rows/location.h"
#include "cli/rows/rows.h"
#include "findings.h"
#include "reports_sql.h"

/* ---- run: what ran, and what is missing ---- */

/* Appends "2026-11-22T10:05:28Z" in a readable form. */
static void add_instant(struct cs_phrase *line, const char *utc)
{
    for (; *utc; utc++) {
        if (*utc == 'Z')
            cs_phrase_add(line, " UTC");
        else
            cs_phrase_add(line, "%c", *utc == 'T' ? ' ' : *utc);
    }
}

/* "solver: 4 ranks on node1, Open MPI v4.1.4, 2026-09-21 14:13:20 UTC, ran 10.0 s, all finalized" */
static void add_run(struct cs_phrase *line, struct cs_rows *row)
{
    int64_t ranks = cs_rows_integer(row, "ranks"), nodes = cs_rows_integer(row, "nodes");
    const char *programs = cs_rows_text(row, "programs"), *node = cs_rows_text(row, "node");
    cs_phrase_add(line, "%s: ", programs ? programs : "a program");
    if (ranks == 0) {
        cs_phrase_add_count(line, cs_rows_integer(row, "unranked"), "process", "processes");
        cs_phrase_add(line, " without a rank");
    } else {
        cs_phrase_add_count(line, ranks, "rank", "ranks");
    }
    if (nodes == 1)
        cs_phrase_add(line, " on %s", node);
    else
        cs_phrase_add(line, " on %" PRId64 " nodes", nodes);
    if (cs_rows_has(row, "mpi"))
        cs_phrase_add(line, ", %s", cs_rows_text(row, "mpi"));
    if (cs_rows_integer(row, "standard_abi"))
        cs_phrase_add(line, " (standard ABI)");
    if (cs_rows_has(row, "started_utc")) {
        cs_phrase_add(line, ", ");
        add_instant(line, cs_rows_text(row, "started_utc"));
    }
    if (cs_rows_has(row, "seconds")) {
        cs_phrase_add(line, cs_rows_integer(row, "cut_short") ? ", last seen after " : ", ran ");
        cs_phrase_add_seconds(line, cs_rows_real(row, "seconds"));
    }
    if (cs_rows_integer(row, "unfinished") == 0)
        cs_phrase_add(line, ranks == 1 ? ", finalized" : ", all finalized");
}

/* Prints a line for each row. */
static enum cs_status print_each(struct cs_report_output *output, const char *sql,
                                 void (*add)(struct cs_phrase *line, struct cs_rows *row))
{
    struct cs_phrase line = {0};
    struct cs_rows row = cs_rows_begin(output->db, sql);
    while (cs_rows_next(&row)) {
        add(&line, &row);
        cs_report_print_line(output, &line);
    }
    output->about = NULL;
    cs_phrase_free(&line);
    return cs_rows_end(&row);
}

/* "Slurm job 4711 (weather) in long, on node[1-4]" */
static void add_batch_job(struct cs_phrase *line, struct cs_rows *row)
{
    cs_phrase_add(line, "%s job %s", cs_rows_text(row, "system"), cs_rows_text(row, "id"));
    if (cs_rows_has(row, "name"))
        cs_phrase_add(line, " (%s)", cs_rows_text(row, "name"));
    if (cs_rows_has(row, "queue"))
        cs_phrase_add(line, " in %s", cs_rows_text(row, "queue"));
    if (cs_rows_has(row, "nodes"))
        cs_phrase_add(line, ", on %s", cs_rows_text(row, "nodes"));
}

/* Gaps in the recording; severity 0: all. If a single file of a run was named, the other ranks are not missing. */
static enum cs_status print_gaps(struct cs_report_output *output, int severity)
{
    return cs_findings_print(output,
                             "SELECT * FROM recording_findings\n"
                             "WHERE NOT (kind = 'missing_ranks' AND single() AND (SELECT count(*) FROM process) = 1)",
                             severity);
}

enum cs_status report_run(struct cs_report_output *output)
{
    /* If ranks died and no launcher says when, the last sign of life is all that is known. */
    static const char run[] = "SELECT *, dead AND NOT EXISTS (SELECT 1 FROM job WHERE of_ranks) AS cut_short\n"
                              "FROM run_summary";
    enum cs_status status = print_each(output, run, add_run);
    if (status == CS_OK)
        status = print_each(output, "SELECT * FROM batch_job", add_batch_job);
    if (status == CS_OK && output->named)
        status = cs_report_print_texts(output, cs_sql_verdict_shares);
    if (status == CS_OK && output->named)
        status = cs_usage_print(output);
    return status == CS_OK && output->named ? print_gaps(output, 0) : status;
}

/* ---- endings: how the command and the ranks ended ---- */

/* "mpirun ended with exit code 137 (as for SIGKILL) after 9.10 s" */
static void add_job(struct cs_phrase *line, struct cs_rows *row)
{
    const char *received = cs_rows_text(row, "received"), *program = cs_rows_text(row, "program");
    bool of_ranks = cs_rows_integer(row, "of_ranks");
    if (received && cs_rows_integer(row, "killed")) {
        cs_phrase_add(line, of_ranks ? "The job was killed after " : "callsign run received ");
        if (!of_ranks)
            cs_phrase_add(line, "%s after ", received);
        cs_phrase_add_seconds(line, cs_rows_real(row, "received_seconds"));
        if (of_ranks)
            cs_phrase_add(line, ": callsign run received %s", received);
        return;
    }
    if (cs_rows_has(row, "signal")) {
        cs_phrase_add(line, "%s was killed by %s", program, cs_rows_text(row, "signal"));
    } else {
        cs_phrase_add(line, "%s ended with exit code %" PRId64, program, cs_rows_integer(row, "exit_code"));
        if (cs_rows_has(row, "as_after"))
            cs_phrase_add(line, " (as for %s)", cs_rows_text(row, "as_after"));
        else if (cs_rows_has(row, "error_signal"))
            cs_phrase_add(line, " (as for %s, and for %s)", cs_rows_text(row, "error"),
                          cs_rows_text(row, "error_signal"));
        else if (cs_rows_has(row, "error"))
            cs_phrase_add(line, " (as for %s)", cs_rows_text(row, "error"));
    }
    cs_phrase_add(line, " after ");
    cs_phrase_add_seconds(line, cs_rows_real(row, "seconds"));
}

/* ", root rank 0", " from any rank", ", tag 7", ", 2.00 KiB" */
static void add_envelope(struct cs_phrase *line, struct cs_rows *row)
{
    static const char *const special[] = {"any rank", "MPI_PROC_NULL", "MPI_ROOT"};
    const char *direction = cs_rows_text(row, "direction");
    int64_t peer = cs_rows_integer(row, "peer"), tag = cs_rows_integer(row, "tag");
    if (cs_rows_has(row, "peer")) {
        cs_phrase_add(line, "%s%s ", direction && strcmp(direction, "root") == 0 ? ", " : " ",
                      direction ? direction : "with");
        if (peer < 0 && peer >= -(int64_t)(sizeof special / sizeof *special))
            cs_phrase_add(line, "%s", special[-peer - 1]);
        else
            cs_phrase_add(line, "rank %" PRId64, peer);
    }
    if (cs_rows_has(row, "tag") && tag == -1)
        cs_phrase_add(line, ", any tag");
    else if (cs_rows_has(row, "tag"))
        cs_phrase_add(line, ", tag %" PRId64, tag);
    if (cs_rows_has(row, "bytes")) {
        cs_phrase_add(line, ", ");
        cs_phrase_add_bytes(line, cs_rows_real(row, "bytes"));
    }
}

/* Appends "MPI_Recv on rows from rank 1, tag 7, 2.00 KiB, at main solver.c:12" after `before`; nothing if there is
   no call. */
static void add_call(const struct cs_report_output *output, struct cs_phrase *line, const char *before,
                     struct cs_rows *row)
{
    if (!cs_rows_has(row, "function"))
        return;
    cs_phrase_add(line, "%s%s", before, cs_rows_text(row, "function"));
    if (cs_rows_has(row, "object_name"))
        cs_phrase_add(line, " on %s", cs_rows_text(row, "object_name"));
    add_envelope(line, row);
    cs_report_add_site(output, line, ", at ", cs_rows_integer(row, "site"));
    if (!cs_rows_has(row, "begun_by"))
        return;
    cs_phrase_add(line, ", for the request of %s", cs_rows_text(row, "begun_by"));
    cs_report_add_site(output, line, " at ", cs_rows_integer(row, "begun_site"));
}

/* " died", " aborted with code 3", " are running" */
static void add_outcome(struct cs_phrase *line, struct cs_rows *row, const char *outcome)
{
    if (strcmp(outcome, "exited") == 0)
        cs_phrase_add(line, " exited without MPI_Finalize");
    else if (strcmp(outcome, "running") != 0)
        cs_phrase_add(line, " %s", outcome);
    else if (cs_rows_integer(row, "alive"))
        cs_phrase_add(line, cs_rows_integer(row, "count") == 1 ? " is running" : " are running");
    else
        cs_phrase_add(line, " may be running");
    if (cs_rows_has(row, "abort_code"))
        cs_phrase_add(line, " with code %s", cs_rows_text(row, "abort_code"));
}

/* Appends "4.00 s" or "4.00 s to 5.00 s" after `before`; nothing if it is unknown. */
static void add_span(struct cs_phrase *line, const char *before, struct cs_rows *row)
{
    if (!cs_rows_has(row, "least_seconds"))
        return;
    struct cs_phrase least = {0}, most = {0};
    cs_phrase_add_seconds(&least, cs_rows_real(row, "least_seconds"));
    cs_phrase_add_seconds(&most, cs_rows_real(row, "most_seconds"));
    cs_phrase_add(line, "%s%s", before, cs_phrase_text(&least));
    if (strcmp(cs_phrase_text(&least), cs_phrase_text(&most)) != 0)
        cs_phrase_add(line, " to %s", cs_phrase_text(&most));
    cs_phrase_free(&least);
    cs_phrase_free(&most);
}

static void add_ending(const struct cs_report_output *output, struct cs_phrase *line, struct cs_rows *row)
{
    const char *outcome = cs_rows_text(row, "outcome"), *function = cs_rows_text(row, "function");
    bool running = strcmp(outcome, "running") == 0, inside = cs_rows_integer(row, "inside");
    int64_t count = cs_rows_integer(row, "count");
    if (cs_rows_integer(row, "unranked"))
        cs_phrase_add(line, "%s", cs_plural(count, "Process ", "Processes "));
    else
        cs_phrase_add(line, "%s", cs_plural(count, "Rank ", "Ranks "));
    cs_phrase_add(line, "%s", cs_rows_text(row, "ranks"));
    if (cs_rows_has(row, "thread"))
        cs_phrase_add(line, ", thread %" PRId64 ",", cs_rows_integer(row, "thread"));
    add_outcome(line, row, outcome);
    /* Exit handlers may run before or after MPI_Abort returns; that depends only on the MPI. */
    if (strcmp(outcome, "aborted") == 0 && function && strcmp(function, "MPI_Abort") == 0) {
        add_call(output, line, " in ", row);
        return;
    }
    if (inside) {
        add_call(output, line, running ? ", in " : " in ", row);
        add_span(line, running ? ", for " : ", entered after ", row);
    } else {
        if (running || strcmp(outcome, "died") == 0)
            cs_phrase_add(line, running ? ", outside MPI" : " outside MPI");
        add_span(line, running ? " for " : ", last seen after ", row);
        add_call(output, line, "; last call: ", row);
    }
}

static enum cs_status print_causes(struct cs_report_output *output);

enum cs_status report_endings(struct cs_report_output *output)
{
    /* If all ranks finalized, only a launcher's failure says something about this run: a script may fail for others. */
    static const char job_sql[] = "SELECT * FROM job LEFT JOIN ended_by_error,\n"
                                  "     (SELECT total(outcome <> 'finalized') > 0 AS unfinished FROM process)\n"
                                  "WHERE unfinished OR (of_ranks AND (exit_code <> 0 OR signal IS NOT NULL))";
    enum cs_status status = output->named ? CS_OK : print_causes(output);
    if (status == CS_OK)
        status = cs_findings_print(output, "SELECT * FROM ending_findings WHERE kind = 'died_first'", 0);
    if (status == CS_OK)
        status = print_each(output, job_sql, add_job);
    if (status != CS_OK)
        return status;
    struct cs_phrase line = {0};
    struct cs_rows row = cs_rows_begin(output->db, cs_sql_overview_endings);
    if (row.statement)
        sqlite3_bind_int(row.statement, 1, !output->named && output->deadlocked);
    bool unfinished = false;
    while (cs_rows_next(&row)) {
        add_ending(output, &line, &row);
        cs_report_be_about(output, cs_rows_text(&row, "outcome"));
        cs_report_print_line(output, &line);
        unfinished = true;
    }
    if (!unfinished && output->named && output->above == CS_ABOVE_LINE) {
        cs_phrase_add(&line, "%s", output->report->empty);
        cs_report_print_line(output, &line);
    }
    cs_phrase_free(&line);
    return cs_rows_end(&row);
}

/* ---- verdict: what stands out about the program ---- */

/* True if both percentages look the same. Sums in another order differ in their last bits. */
static bool show_alike(double a, double b)
{
    char first[32], second[32];
    snprintf(first, sizeof first, "%.1f", a);
    snprintf(second, sizeof second, "%.1f", b);
    return strcmp(first, second) == 0;
}

/* Appends how to get lines if the site is shown as "hpcc+0x1c14e": many users take addresses for all there is. */
static void add_lack_of_lines(const struct cs_report_output *output, struct cs_phrase *line, int64_t site)
{
    char location[512];
    if (!site)
        return;
    cs_location_of_site(output->db, output->resolver, site, location, sizeof location);
    if (strstr(location, "+0x") && !strchr(location, ' ') && !cs_location_is_lost())
        cs_phrase_add(line, " (for lines, compile with -g or install its debug symbols)");
}

/* Appends the call site with the most MPI time. Call sites on one source line count as one. */
static enum cs_status add_busiest_site(const struct cs_report_output *output, struct cs_phrase *line,
                                       struct cs_rows *time)
{
    const char *function = cs_rows_text(time, "function");
    double percent = cs_rows_real(time, "function_percent");
    struct cs_rows row = cs_rows_begin(output->db, cs_sql_busiest_site);
    if (cs_rows_next(&row)) {
        const char *name = cs_rows_text(&row, "function");
        double site_percent = cs_rows_real(&row, "percent");
        int64_t site = cs_rows_integer(&row, "site");
        bool same = strcmp(name, function) == 0, part = same && !show_alike(site_percent, percent);
        if (!same || part)
            cs_phrase_add(line, "; %.1f %% in %s", percent, function);
        if (part && site)
            cs_phrase_add(line, ", %.1f %%", site_percent);
        else if (!part)
            cs_phrase_add(line, "; %.1f %% in %s", site_percent, name);
        cs_report_add_site(output, line, " at ", site);
        add_lack_of_lines(output, line, site);
    }
    return cs_rows_end(&row);
}

/* "MPI time: 57.1 % on rows; 71.4 % in MPI_Allreduce, 57.1 % at main solver.c:12" */
static enum cs_status print_time(struct cs_report_output *output, struct cs_phrase *line)
{
    enum cs_status status = CS_OK;
    struct cs_rows row = cs_rows_begin(output->db, "SELECT * FROM time_findings");
    while (status == CS_OK && cs_rows_next(&row)) {
        cs_report_be_about(output, cs_rows_text(&row, "kind"));
        if (!cs_finding_add(output, line, &row)) {
            cs_phrase_add(line, "MPI time: ");
            cs_phrase_add_percent(line, cs_rows_real(&row, "percent"));
            if (cs_rows_has(&row, "communicator"))
                cs_finding_add_communicator(line, &row);
            else
                cs_phrase_add(line, " in calls without a communicator");
            status = add_busiest_site(output, line, &row);
            if (cs_rows_has(&row, "calls"))
                cs_phrase_add(line, "; %.1f %% in %" PRId64 " %s not returned", cs_rows_real(&row, "open_percent"),
                              cs_rows_integer(&row, "calls"),
                              cs_plural(cs_rows_integer(&row, "calls"), "call that has", "calls that have"));
            if (cs_rows_has(&row, "unknown_calls"))
                cs_phrase_add(line, ". The last calls of dead ranks are not included");
        }
        cs_report_print_line(output, line);
    }
    output->about = NULL;
    enum cs_status ended = cs_rows_end(&row);
    return status == CS_OK ? ended : status;
}

/* Prints those findings that no view has. */
static enum cs_status print_besides(struct cs_report_output *output)
{
    struct cs_rows rows = cs_rows_begin(output->db, cs_findings_of_json);
    if (rows.statement)
        sqlite3_bind_text(rows.statement, 1, output->besides, -1, SQLITE_TRANSIENT);
    return cs_findings_print_rows(output, &rows, 0);
}

static enum cs_status print_deadlocks(struct cs_report_output *output)
{
    sqlite3_free(output->besides);
    output->besides = NULL;
    enum cs_status status = cs_deadlocks_find(output->db, output->run, &output->besides);
    if (status == CS_OK && output->besides)
        status = print_besides(output);
    /* not one that buffers hide */
    output->deadlocked = output->besides && strstr(output->besides, "\"kind\":\"deadlock\"");
    return status;
}

enum { MISMATCHES = 3 };

struct mismatches {
    struct cs_report_output *output;
    size_t count;
};

/* "Mismatch: call 17 on rows, MPI_Reduce at main solve.c:214: ranks 0,1 name root 0, ranks 2,3 name root 1 (MPI ...)"
 */
static void print_mismatch(void *context, const struct cs_check *check, struct cs_phrase *line)
{
    struct mismatches *mismatches = context;
    struct cs_phrase sentence = {0};
    bool counted = strcmp(check->kind, "not_received") && strcmp(check->kind, "not_sent") &&
                   strcmp(check->kind, "truncated"); /* add_differences has these in one line */
    if (!counted || mismatches->count++ >= MISMATCHES)
        return;
    cs_phrase_add(&sentence, "Mismatch: %s", cs_phrase_text(line));
    cs_report_print_line(mismatches->output, &sentence);
    cs_phrase_free(&sentence);
}

static enum cs_status print_mismatches(struct cs_report_output *output)
{
    struct mismatches mismatches = {output, 0};
    struct cs_phrase line = {0};
    output->about = "collective_differs";
    enum cs_status status = cs_checks_tell(output, print_mismatch, &mismatches);
    if (mismatches.count > MISMATCHES) {
        cs_phrase_add(&line, "and %zu more: report checks", mismatches.count - MISMATCHES);
        cs_report_print_line(output, &line);
    }
    cs_phrase_free(&line);
    return status;
}

/* Prints the findings of this severity that need no more than their row. */
static enum cs_status print_rows(struct cs_report_output *output, int severity)
{
    enum cs_status status = CS_OK;
    for (size_t i = 0; i < cs_overview_findings_count && status == CS_OK; i++)
        if (cs_overview_findings[i].severity == severity)
            status = cs_findings_print(output, cs_overview_findings[i].sql, 0);
    return status;
}

/* What may have ended the run stands before how it ended. */
static enum cs_status print_causes(struct cs_report_output *output)
{
    enum cs_status status = print_mismatches(output);
    if (status == CS_OK)
        status = print_deadlocks(output);
    output->about = NULL;
    return status;
}

static enum cs_status print_error_findings(struct cs_report_output *output)
{
    enum cs_status status = output->named ? print_causes(output) : print_gaps(output, CS_SEVERITY_ERROR);
    if (status == CS_OK)
        status = cs_report_print_texts(output, cs_sql_verdict_differences);
    return status == CS_OK ? print_rows(output, CS_SEVERITY_ERROR) : status;
}

/* Too few cores: one line, although three views find it. */
static enum cs_status print_cores(struct cs_report_output *output)
{
    output->about = "oversubscribed";
    enum cs_status status = print_each(output, cs_sql_overview_cores, cs_placement_add_finding);
    if (status == CS_OK)
        status =
            cs_findings_print(output, "SELECT * FROM core_findings WHERE NOT (SELECT wrong FROM run_placement)", 0);
    if (status == CS_OK)
        status = cs_findings_print(output,
                                   "SELECT * FROM core_wait_findings WHERE NOT (SELECT wrong FROM run_placement)", 0);
    return status;
}

/* True if ranks ended by themselves before MPI_Finalize. A job that was killed from outside may be healthy. */
static bool is_broken(struct cs_report_output *output)
{
    struct cs_rows row = cs_rows_begin(output->db, "SELECT total(outcome IN ('died', 'aborted', 'exited')) > 0\n"
                                                   "       AND NOT (SELECT total(killed) FROM job) AS broken\n"
                                                   "FROM process");
    bool broken = cs_rows_next(&row) && cs_rows_integer(&row, "broken");
    return cs_rows_end(&row) == CS_OK && broken;
}

/* Prints the rows of `sql` whose mean wait is at least this share of the run, ?1. */
static enum cs_status print_long_waits(struct cs_report_output *output, const char *sql, double share)
{
    struct cs_rows rows = cs_rows_begin(output->db, sql);
    if (rows.statement)
        sqlite3_bind_double(rows.statement, 1, share);
    return cs_findings_print_rows(output, &rows, 0);
}

#define LONG_WAITS "WHERE mean_seconds >= ?1 * (SELECT max(last_seen_ns) - min(began_ns) FROM process) / 1e9"

/* Waits for other ranks. Beside a deadlock only those that events prove, of 1 % of the run or more: they are of calls
   that returned. Sums of time have the calls of the deadlock, too, and would call its members late. Beside a crash only
   those of a tenth of the run: others are not what the reader looks for. */
static enum cs_status print_waits(struct cs_report_output *output)
{
    static const char events[] = "SELECT * FROM wait_findings " LONG_WAITS
                                 " LIMIT CASE WHEN EXISTS (SELECT 1 FROM core_findings) THEN 1 ELSE -1 END";
    static const char profile[] = "SELECT * FROM late_rank_findings " LONG_WAITS;
    if (output->deadlocked)
        return print_long_waits(output, events, 0.01);
    if (!output->named && is_broken(output)) {
        enum cs_status status = print_long_waits(output, profile, 0.1);
        if (status == CS_OK)
            status = print_long_waits(output, events, 0.1);
        return status == CS_OK ? cs_findings_print(output, "SELECT * FROM growing_findings", 0) : status;
    }
    /* First: beside a late rank, it explains more. */
    enum cs_status status = cs_report_print_texts(output, cs_sql_verdict_busy_rank);
    return status == CS_OK ? print_rows(output, CS_SEVERITY_WARNING) : status;
}

/* Too many ranks for the cores come first: they cause other waits. */
static enum cs_status print_warnings(struct cs_report_output *output)
{
    enum cs_status status = print_cores(output);
    if (status == CS_OK && !output->named)
        status = print_gaps(output, CS_SEVERITY_WARNING);
    if (status == CS_OK)
        status = print_waits(output);
    if (status == CS_OK)
        status = cs_findings_print(
            output, "SELECT 'tag_too_large' AS kind, tag, communicator FROM largest_tag WHERE too_large", 0);
    return status == CS_OK ? cs_report_print_texts(output, cs_sql_verdict_leaks) : status;
}

/* So that the first lines have an answer for a healthy run, too. */
static void print_no_fault(struct cs_report_output *output, struct cs_phrase *line)
{
    if (output->faults || output->named || output->writer)
        return;
    cs_phrase_add(line, "No error, late rank or leak was found");
    cs_report_print_line(output, line);
}

static enum cs_status print_notes(struct cs_report_output *output, struct cs_phrase *line)
{
    output->about = NULL;
    print_no_fault(output, line);
    enum cs_status status = cs_findings_print(output, "SELECT * FROM gain_findings", 0);
    output->about = NULL;
    if (status == CS_OK)
        status = cs_report_print_texts(output, cs_sql_verdict_shares);
    if (status == CS_OK)
        status = print_time(output, line);
    if (status == CS_OK)
        status = cs_report_print_texts(output, cs_sql_verdict_spread);
    if (status == CS_OK)
        status = cs_usage_print(output);
    if (status == CS_OK)
        status = print_rows(output, CS_SEVERITY_NOTE);
    return status == CS_OK && !output->named ? print_gaps(output, CS_SEVERITY_NOTE) : status;
}

/* Errors first, then warnings, then notes: the order of the page, too. */
enum cs_status report_verdict(struct cs_report_output *output)
{
    struct cs_phrase line = {0};
    enum cs_status status = print_error_findings(output);
    if (status == CS_OK)
        status = print_warnings(output);
    if (status == CS_OK)
        status = print_notes(output, &line);
    cs_phrase_free(&line);
    return status;
}
