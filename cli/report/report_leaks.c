/* The report leaks: objects that were never freed, and below it objects that were freed too early. */
#include "cli/report/report_print.h"
#include "cli/rows/rows.h"
#include "reports_sql.h"

#define LINES 8 /* lines about objects freed with pending requests */

/* "rows was freed by MPI_Comm_free at main grid.c:9 while 2 requests of MPI_Irecv were pending, ranks 0-3" */
static void add_pending(const struct cs_report_output *output, struct cs_phrase *line, struct cs_rows *row)
{
    int64_t requests = cs_rows_integer(row, "requests"), names = cs_rows_integer(row, "names");
    const char *function = cs_rows_text(row, "function");
    cs_phrase_add(line, "%s", cs_rows_text(row, "communicator"));
    if (names > 1)
        cs_phrase_add(line, " (%lld)", (long long)names);
    cs_phrase_add(line, " was freed");
    if (cs_rows_has(row, "freed_by"))
        cs_phrase_add(line, " by %s", cs_rows_text(row, "freed_by"));
    cs_report_add_site(output, line, " at ", cs_rows_integer(row, "freed_site"));
    cs_phrase_add(line, " while ");
    cs_phrase_add_count(line, requests, "request of ", "requests of ");
    cs_phrase_add(line, "%s", function ? function : "other functions");
    cs_report_add_site(output, line, " at ", cs_rows_integer(row, "site"));
    cs_phrase_add(line, "%s pending, ", cs_plural(requests, " was", " were"));
    cs_phrase_add_ranks(line, cs_rows_text(row, "ranks"), 0);
}

enum cs_status report_leaks(struct cs_report_output *output)
{
    enum cs_status status = cs_report_print_table(output);
    if (status != CS_OK)
        return status;
    struct cs_phrase line = {0};
    size_t lines = 0;
    struct cs_rows row = cs_rows_begin(output->db, cs_sql_leaks_pending);
    while (cs_rows_next(&row))
        if (lines++ < LINES) {
            add_pending(output, &line, &row);
            cs_report_print_line(output, &line);
        }
    if (lines > LINES) {
        cs_phrase_add(&line, "and %zu more: view pending_requests", lines - LINES);
        cs_report_print_line(output, &line);
    }
    cs_phrase_free(&line);
    return cs_rows_end(&row);
}
