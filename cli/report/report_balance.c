/* The report balance: a table, or the reason why it is empty. */
#include <inttypes.h>

#include "cli/report/report_print.h"
#include "cli/rows/rows.h"

static void add_reason(struct cs_phrase *line, struct cs_rows *row)
{
    int64_t recorded = cs_rows_integer(row, "recorded"), size = cs_rows_integer(row, "world_size");
    if (recorded == 0)
        cs_phrase_add(line, "No rank is recorded.");
    else if (size == 1)
        cs_phrase_add(line, "The run has one rank, which waits for no other.");
    else if (recorded < size)
        cs_phrase_add(line,
                      "The balance of a communicator needs the traces of all members. Here are those of %" PRId64
                      " of %" PRId64 " ranks: %s.",
                      recorded, size, cs_rows_text(row, "ranks"));
    else
        cs_phrase_add(line, "No call was recorded in which all members of a communicator, window or file wait for each "
                            "other.");
}

enum cs_status report_balance(struct cs_report_output *output)
{
    enum cs_status status = cs_report_print_table(output);
    if (status != CS_OK || output->above != CS_ABOVE_EMPTY_TABLE || !output->named)
        return status;
    struct cs_phrase line = {0};
    struct cs_rows row = cs_rows_begin(output->db, "SELECT count(*) AS recorded, ranges(rank) AS ranks,\n"
                                                   "       max(world_size) AS world_size\n"
                                                   "FROM process WHERE rank >= 0");
    if (cs_rows_next(&row)) {
        add_reason(&line, &row);
        cs_report_print_line(output, &line);
    }
    cs_phrase_free(&line);
    return cs_rows_end(&row);
}
