/* The report regions: a table, and what changed in the course of the run. */
#include <inttypes.h>

#include "cli/report/report_print.h"
#include "cli/rows/rows.h"

/* "MPI share of the run's fifths: 12.0 %, 12.1 %, 11.8 %, 14.0 %, 30.3 %" */
static enum cs_status print_fifths(struct cs_report_output *output, struct cs_phrase *line)
{
    struct cs_rows row = cs_rows_begin(output->db, "SELECT mpi_percent FROM fifths ORDER BY fifth");
    struct cs_list list = {.phrase = line};
    while (cs_rows_next(&row)) {
        if (!list.count)
            cs_phrase_add(line, "MPI share of the run's fifths: ");
        cs_list_next(&list);
        cs_phrase_add(line, "%.1f %%", cs_rows_real(&row, "mpi_percent"));
    }
    if (list.count)
        cs_report_print_line(output, line);
    return cs_rows_end(&row);
}

/* "The MPI share of rank 3 changed most: 10.0 % in the first fifth, 61.2 % in the last": only where it is more than
   noise. */
static enum cs_status print_change(struct cs_report_output *output, struct cs_phrase *line)
{
    struct cs_rows row = cs_rows_begin(
        output->db, "SELECT a.rank, a.mpi_percent AS early, b.mpi_percent AS late\n"
                    "FROM rank_fifths a JOIN rank_fifths b ON b.rank = a.rank AND b.fifth = 5\n"
                    "WHERE a.fifth = 1 AND abs(late - early) >= 5 ORDER BY abs(late - early) DESC, a.rank LIMIT 1");
    if (cs_rows_next(&row)) {
        cs_phrase_add(line, "The MPI share of rank %" PRId64 " changed most: ", cs_rows_integer(&row, "rank"));
        cs_phrase_add(line, "%.1f %% in the first fifth", cs_rows_real(&row, "early"));
        cs_phrase_add(line, ", %.1f %% in the last", cs_rows_real(&row, "late"));
        cs_report_print_line(output, line);
    }
    return cs_rows_end(&row);
}

/* "solve takes 2.10 times as long in the last fifth of the run as in the first: 25.2 ms, not 12.0 ms" */
static enum cs_status print_slower(struct cs_report_output *output, struct cs_phrase *line)
{
    struct cs_rows row =
        cs_rows_begin(output->db, "SELECT path, early_ns, late_ns, late_ns / early_ns AS ratio FROM regions\n"
                                  "WHERE early_ns > 0 AND (late_ns >= 1.2 * early_ns OR early_ns >= 1.2 * late_ns)\n"
                                  "ORDER BY abs(late_ns - early_ns) * entries DESC, path");
    while (cs_rows_next(&row)) {
        cs_phrase_add(line, "%s takes ", cs_rows_text(&row, "path"));
        cs_phrase_add(line,
                      "%.2f times as long in the last fifth of the run as in the first: ", cs_rows_real(&row, "ratio"));
        cs_phrase_add_seconds(line, cs_rows_real(&row, "late_ns") / 1e9);
        cs_phrase_add(line, ", not ");
        cs_phrase_add_seconds(line, cs_rows_real(&row, "early_ns") / 1e9);
        cs_report_print_line(output, line);
    }
    return cs_rows_end(&row);
}

static enum cs_status print_hint(struct cs_report_output *output, struct cs_phrase *line)
{
    struct cs_rows row = cs_rows_begin(output->db, "SELECT 1 FROM region LIMIT 1");
    if (!cs_rows_next(&row)) {
        cs_phrase_add(line, "The program named no region: MPI_Pcontrol(1, \"name\") begins one, MPI_Pcontrol(-1, "
                            "\"name\") ends it");
        cs_report_print_line(output, line);
    }
    return cs_rows_end(&row);
}

enum cs_status report_regions(struct cs_report_output *output)
{
    struct cs_phrase line = {0};
    enum cs_status (*const parts[])(struct cs_report_output *, struct cs_phrase *) = {print_fifths, print_change,
                                                                                      print_slower, print_hint};
    enum cs_status status = cs_report_print_table(output);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == CS_OK; i++)
        status = parts[i](output, &line);
    cs_phrase_free(&line);
    return status;
}
