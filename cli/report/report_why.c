/* The report why: the code that makes ranks late, and what takes its time; then a table of all code between calls. The
   report noise: nodes and cores that are slow, and code whose time varies. */
#include "cli/report/report_why.h"

#include <string.h>

#include "cli/report/finding.h"
#include "cli/rows/rows.h"

static void add_range(struct cs_phrase *line, struct cs_rows *row)
{
    cs_phrase_add_bytes(line, cs_rows_real(row, "least_peak_bytes"));
    cs_phrase_add(line, " (rank %lld) to ", (long long)cs_rows_integer(row, "least_rank"));
    cs_phrase_add_bytes(line, cs_rows_real(row, "most_peak_bytes"));
    cs_phrase_add(line, " (rank %lld), median ", (long long)cs_rows_integer(row, "most_rank"));
    cs_phrase_add_bytes(line, cs_rows_real(row, "median_peak_bytes"));
}

enum cs_status cs_usage_print(struct cs_report_output *output)
{
    struct cs_phrase line = {0};
    struct cs_rows row = cs_rows_begin(output->db, "SELECT * FROM run_usage");
    while (cs_rows_next(&row)) {
        cs_phrase_add(&line, "Peak memory: ");
        if (cs_rows_integer(&row, "ranks") > 1)
            add_range(&line, &row);
        else
            cs_phrase_add_bytes(&line, cs_rows_real(&row, "most_peak_bytes"));
        cs_phrase_add(&line, "; time on cores: ");
        cs_phrase_add_seconds(&line, cs_rows_real(&row, "cpu_seconds"));
        if (cs_rows_has(&row, "read_bytes")) {
            cs_phrase_add(&line, "; read ");
            cs_phrase_add_bytes(&line, cs_rows_real(&row, "read_bytes"));
            cs_phrase_add(&line, ", written ");
            cs_phrase_add_bytes(&line, cs_rows_real(&row, "written_bytes"));
        }
        cs_report_print_line(output, &line);
    }
    cs_phrase_free(&line);
    return cs_rows_end(&row);
}

/* Without the next command, which is this one. *works, if asked: more work is one of the causes. */
static enum cs_status print_sentences(struct cs_report_output *output, const char *sql, bool *works)
{
    struct cs_phrase line = {0};
    struct cs_rows row = cs_rows_begin(output->db, sql);
    while (cs_rows_next(&row))
        if (cs_finding_add(output, &line, &row)) {
            cs_report_print_line(output, &line);
            if (works && cs_rows_has(&row, "cause") && strcmp(cs_rows_text(&row, "cause"), "work") == 0)
                *works = true;
        }
    cs_phrase_free(&line);
    return cs_rows_end(&row);
}

enum cs_status report_why(struct cs_report_output *output)
{
    bool works = false;
    enum cs_status status = print_sentences(output, "SELECT * FROM core_findings", NULL);
    if (status == CS_OK)
        status = print_sentences(output, "SELECT * FROM core_wait_findings", NULL);
    if (status == CS_OK)
        status = print_sentences(output, "SELECT * FROM late_causes", &works);
    if (status == CS_OK && works) {
        struct cs_phrase line = {0};
        cs_phrase_add(&line, "No hardware counters could be read: more work and a slower core look alike");
        cs_report_print_line(output, &line);
        cs_phrase_free(&line);
    }
    if (status == CS_OK)
        status = cs_usage_print(output);
    return status == CS_OK ? cs_report_print_table(output) : status;
}

enum cs_status report_noise(struct cs_report_output *output)
{
    enum cs_status status = print_sentences(output, "SELECT * FROM slow_findings", NULL);
    if (status == CS_OK)
        status = print_sentences(output, "SELECT * FROM varying_findings", NULL);
    return status == CS_OK ? cs_report_print_table(output) : status;
}
