/* The report waits: who makes whom wait, from events. Sentences about the longest waits, then a table. */
#include "cli/report/report_waits.h"

#include <inttypes.h>
#include <string.h>

#include "cli/report/finding.h"
#include "cli/rows/rows.h"
#include "cli/rows/threads_without.h"
#include "reports_sql.h"

static enum cs_status print_longest(struct cs_report_output *output, bool *any)
{
    struct cs_phrase line = {0};
    struct cs_rows row = cs_rows_begin(output->db, cs_sql_waits_longest);
    while (cs_rows_next(&row)) {
        *any = true;
        cs_finding_add(output, &line, &row);
        cs_report_print_line(output, &line);
    }
    cs_phrase_free(&line);
    return cs_rows_end(&row);
}

bool cs_waits_have_events(struct sqlite3 *db)
{
    struct cs_rows row = cs_rows_begin(db, "SELECT EXISTS (SELECT 1 FROM event) AS events");
    bool any = cs_rows_next(&row) && cs_rows_integer(&row, "events");
    return cs_rows_end(&row) == CS_OK && any;
}

void cs_waits_add_span(struct cs_phrase *line, const char *before, double from, double to)
{
    cs_phrase_add(line, "%sfrom ", before);
    cs_phrase_add_instant(line, from);
    cs_phrase_add(line, " to ");
    cs_phrase_add_instant(line, to);
}

enum cs_status cs_waits_print_threads_without(struct cs_report_output *output)
{
    struct cs_phrase line = {0};
    enum cs_status status = output->writer ? CS_OK : cs_threads_without_events(output->db, &line);
    if (*cs_phrase_text(&line))
        cs_report_print_line(output, &line);
    cs_phrase_free(&line);
    return status;
}

/* The time that the events of all these ranks cover. */
static enum cs_status print_range(struct cs_report_output *output)
{
    struct cs_phrase line = {0};
    struct cs_rows row = cs_rows_begin(
        output->db, "SELECT ranges(rank) AS ranks, max(from_ns) / 1e9 AS least, min(to_ns) / 1e9 AS most,\n"
                    "       count(*) AS count FROM event_ranges");
    if (cs_rows_next(&row) && cs_rows_integer(&row, "count") == 0) {
        cs_phrase_add(&line, CS_WAITS_NO_EVENTS);
        cs_report_print_line(output, &line);
    } else if (cs_rows_real(&row, "least") < cs_rows_real(&row, "most")) {
        cs_phrase_add(&line, "The events of ");
        cs_phrase_add_ranks(&line, cs_rows_text(&row, "ranks"), 40);
        cs_waits_add_span(&line, " cover the time ", cs_rows_real(&row, "least"), cs_rows_real(&row, "most"));
        cs_phrase_add(&line, " after MPI_Init.");
        cs_report_print_line(output, &line);
    } else {
        cs_phrase_add(&line, "The events of the ranks have no time in common.");
        cs_report_print_line(output, &line);
    }
    cs_phrase_free(&line);
    return cs_rows_end(&row);
}

enum cs_status report_waits(struct cs_report_output *output)
{
    bool any = false;
    enum cs_status status = print_longest(output, &any);
    if (status == CS_OK && any)
        status = cs_report_print_table(output);
    if (status == CS_OK)
        status = print_range(output);
    return status == CS_OK ? cs_waits_print_threads_without(output) : status;
}
