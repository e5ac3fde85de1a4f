/* The report sizes: for each kind of call, the typical size and the size that carries most data; below, a histogram. */
#include <string.h>

#include "cli/report/report_print.h"
#include "cli/rows/rows.h"

static const struct {
    const char *kind, *one, *many;
} kinds[] = {{"point-to-point", "message", "messages"},
             {"persistent", "started transfer", "started transfers"},
             {"collective", "collective call", "collective calls"},
             {"one-sided", "one-sided transfer", "one-sided transfers"},
             {"file", "file access", "file accesses"}};

/* "28 messages, 1.00 MiB: half have at most 15 B; half of the data is in those of 1.00 MiB or more" */
static void add_halves(struct cs_phrase *line, struct cs_rows *row, size_t kind)
{
    int64_t messages = cs_rows_integer(row, "messages");
    double bytes = cs_rows_real(row, "bytes"), half = cs_rows_real(row, "messages_half_bytes");
    cs_phrase_add_count(line, messages, kinds[kind].one, kinds[kind].many);
    if (bytes == 0) {
        cs_phrase_add(line, " without data");
        return;
    }
    cs_phrase_add(line, ", ");
    cs_phrase_add_bytes(line, bytes);
    if (messages == 1)
        return;
    cs_phrase_add(line, ": half ");
    if (half == 0) {
        cs_phrase_add(line, "carry no data");
    } else {
        cs_phrase_add(line, "have at most ");
        cs_phrase_add_bytes(line, half);
    }
    cs_phrase_add(line, "; half of the data is in those of ");
    cs_phrase_add_bytes(line, cs_rows_real(row, "bytes_half_bytes"));
    cs_phrase_add(line, " or more");
}

enum cs_status report_sizes(struct cs_report_output *output)
{
    static const char sql[] = "SELECT * FROM message_size_halves\n"
                              "ORDER BY instr('point-to-point persistent collective one-sided file', kind)";
    struct cs_phrase line = {0};
    struct cs_rows row = cs_rows_begin(output->db, sql);
    while (cs_rows_next(&row)) {
        const char *kind = cs_rows_text(&row, "kind");
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (kind && strcmp(kind, kinds[i].kind) == 0) {
                add_halves(&line, &row, i);
                cs_report_print_line(output, &line);
            }
    }
    cs_phrase_free(&line);
    enum cs_status status = cs_rows_end(&row);
    return status == CS_OK ? cs_report_print_table(output) : status;
}
