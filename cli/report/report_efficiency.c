/* The reports efficiency and critical_path: how well the ranks were used while the events last, and which work decided
 * how long the run took. */
#include <inttypes.h>

#include "cli/report/report_waits.h"
#include "cli/rows/rows.h"
#include "reports_sql.h"

enum { RANKS_SHOWN = 4 };

/* A line for a run without rows. */
static void print_nothing(struct cs_report_output *output, struct cs_phrase *line)
{
    cs_phrase_add(line, "%s",
                  cs_waits_have_events(output->db) ? "The events of the ranks have no time in common."
                                                   : CS_WAITS_NO_EVENTS);
    cs_report_print_line(output, line);
}

/* "Parallel efficiency from 0.000 s to 3.231 s: 33.2 %. Load balance 88.8 % x communication 37.4 % (serialization
   37.5 % x transfer 99.8 %)" */
static enum cs_status print_product(struct cs_report_output *output, struct cs_phrase *line)
{
    struct cs_rows row =
        cs_rows_begin(output->db, "SELECT e.*, s.from_ns / 1e9 AS least, s.to_ns / 1e9 AS most, s.ranks AS recorded\n"
                                  "FROM efficiency e JOIN event_span s WHERE e.id IS NULL");
    bool any = cs_rows_next(&row);
    if (any) {
        cs_phrase_add(line, "Parallel efficiency of ");
        cs_phrase_add_count(line, cs_rows_integer(&row, "recorded"), "rank", "ranks");
        cs_waits_add_span(line, " ", cs_rows_real(&row, "least"), cs_rows_real(&row, "most"));
        cs_phrase_add(line, ": %.1f %%. Load balance %.1f %%", cs_rows_real(&row, "parallel_percent"),
                      cs_rows_real(&row, "load_balance_percent"));
        cs_phrase_add(line, " x communication %.1f %%", cs_rows_real(&row, "communication_percent"));
        cs_phrase_add(line, " (serialization %.1f %%", cs_rows_real(&row, "serialization_percent"));
        cs_phrase_add(line, " x transfer %.1f %%)", cs_rows_real(&row, "transfer_percent"));
        cs_report_print_line(output, line);
    }
    enum cs_status status = cs_rows_end(&row);
    if (status == CS_OK && !any)
        print_nothing(output, line);
    return status;
}

enum cs_status report_efficiency(struct cs_report_output *output)
{
    struct cs_phrase line = {0};
    enum cs_status status = print_product(output, &line);
    cs_phrase_free(&line);
    if (status == CS_OK)
        status = cs_report_print_table(output);
    return status == CS_OK ? cs_waits_print_threads_without(output) : status;
}

/* "Critical path from 0.000 s to 3.231 s: rank 0 38.1 %, rank 1 24.8 %, rank 2 37.1 %; 0.5 % of it in MPI calls" */
static enum cs_status print_shares(struct cs_report_output *output, struct cs_phrase *line)
{
    struct cs_rows row = cs_rows_begin(output->db, cs_sql_efficiency_ranks);
    struct cs_list ranks = {.phrase = line, .limit = RANKS_SHOWN};
    double mpi = 0;
    while (cs_rows_next(&row)) {
        if (!ranks.count) {
            cs_waits_add_span(line, "Critical path ", cs_rows_real(&row, "least"), cs_rows_real(&row, "most"));
            cs_phrase_add(line, ": ");
        }
        if (cs_list_next(&ranks))
            cs_phrase_add(line, "rank %" PRId64 " %.1f %%", cs_rows_integer(&row, "rank"),
                          cs_rows_real(&row, "percent"));
        mpi = cs_rows_real(&row, "mpi_percent");
    }
    cs_list_end(&ranks);
    enum cs_status status = cs_rows_end(&row);
    if (ranks.count) {
        cs_phrase_add(line, "; %.1f %% of it in MPI calls", mpi);
        cs_report_print_line(output, line);
    } else if (status == CS_OK) {
        print_nothing(output, line);
    }
    return status;
}

enum cs_status report_critical_path(struct cs_report_output *output)
{
    struct cs_phrase line = {0};
    enum cs_status status = print_shares(output, &line);
    cs_phrase_free(&line);
    if (status == CS_OK)
        status = cs_report_print_table(output);
    return status == CS_OK ? cs_waits_print_threads_without(output) : status;
}
