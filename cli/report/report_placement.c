/* The report placement: a summary with the unknown parts; a table of nodes, packages and cores with the ranks that made
   most of their calls there; then what stands out. */
#include "cli/report/report_placement.h"

#include <inttypes.h>

#include "cli/report/finding.h"
#include "cli/rows/rows.h"
#include "reports_sql.h"

static void add_binding(struct cs_phrase *line, struct cs_rows *row)
{
    int64_t ranks = cs_rows_integer(row, "ranks"), bound = cs_rows_integer(row, "bound");
    if (cs_rows_integer(row, "bindings") == 0)
        cs_phrase_add(line, "binding unknown");
    else if (bound == 0)
        cs_phrase_add(line, "no rank bound");
    else if (bound < ranks)
        cs_phrase_add_count(line, bound, "rank bound", "ranks bound");
    else if (cs_rows_integer(row, "bound_to_core") == ranks)
        cs_phrase_add(line, "all bound to a core");
    else if (cs_rows_integer(row, "bound_to_package") == ranks)
        cs_phrase_add(line, "all bound to a package");
    else
        cs_phrase_add(line, "all bound");
}

static void add_troubles(struct cs_phrase *line, struct cs_rows *row, const char *units)
{
    int64_t nodes = cs_rows_integer(row, "nodes"), crowded = cs_rows_integer(row, "oversubscribed_nodes");
    int64_t elsewhere = cs_rows_integer(row, "elsewhere");
    if (crowded) {
        cs_phrase_add(line, "oversubscribed %.3gx", cs_rows_real(row, "load"));
        if (crowded < nodes) {
            cs_phrase_add(line, " on ");
            cs_phrase_add_count(line, crowded, "node", "nodes");
        }
        cs_phrase_add(line, "; ");
    }
    if (cs_rows_integer(row, "quota_nodes")) {
        cs_phrase_add(line, "CPU quota of %.3g for %" PRId64 " %s in use", cs_rows_real(row, "cpu_quota"),
                      cs_rows_integer(row, "quota_cores"), units);
        if (nodes > 1) {
            cs_phrase_add(line, " on ");
            cs_phrase_add_count(line, cs_rows_integer(row, "quota_nodes"), "node", "nodes");
        }
        cs_phrase_add(line, "; ");
    }
    if (elsewhere) {
        cs_phrase_add(line, "memory of ");
        cs_phrase_add_count(line, elsewhere, "rank", "ranks");
        cs_phrase_add(line, " bound to another NUMA node; ");
    }
}

/* "8 ranks on 2 nodes, 6 cores: oversubscribed 2x; " */
static void add_load(struct cs_phrase *line, struct cs_rows *row)
{
    bool cores = cs_rows_integer(row, "cores_known");
    const char *units = cores ? "cores" : "processors";
    cs_phrase_add_count(line, cs_rows_integer(row, "ranks"), "rank", "ranks");
    cs_phrase_add(line, " on ");
    cs_phrase_add_count(line, cs_rows_integer(row, "nodes"), "node", "nodes");
    cs_phrase_add(line, ", ");
    if (cs_rows_has(row, "cores")) {
        cs_phrase_add_count(line, cs_rows_integer(row, "cores"), cores ? "core" : "processor", units);
        if (cs_rows_integer(row, "unknown_nodes")) {
            cs_phrase_add(line, " (unknown on ");
            cs_phrase_add_count(line, cs_rows_integer(row, "unknown_nodes"), "node)", "nodes)");
        }
    } else {
        cs_phrase_add(line, "cores unknown");
    }
    cs_phrase_add(line, ": ");
    add_troubles(line, row, units);
}

static void add_summary(struct cs_phrase *line, struct cs_rows *row)
{
    if (cs_rows_integer(row, "ranks") == 0) {
        cs_phrase_add(line, "No rank is recorded");
        return;
    }
    add_load(line, row);
    add_binding(line, row);
}

/* "ranks wait 88.1 % of their time outside MPI for a core: report why" */
static void add_wait(struct cs_phrase *line, struct cs_rows *row, const char *percent, const char *where,
                     const char *more)
{
    cs_phrase_add(line, "ranks wait ");
    cs_phrase_add_percent(line, cs_rows_real(row, percent));
    cs_phrase_add(line, " of their time%s for a core%s", where, more);
}

void cs_placement_add_finding(struct cs_phrase *line, struct cs_rows *row)
{
    add_load(line, row);
    if (cs_rows_integer(row, "bound")) {
        add_binding(line, row);
        cs_phrase_add(line, "; ");
    }
    if (cs_rows_has(row, "waiting_percent"))
        add_wait(line, row, "waiting_percent", " outside MPI", ": report why");
    else if (cs_rows_has(row, "all_percent"))
        add_wait(line, row, "all_percent", "", cs_rows_integer(row, "inside") ? ", mostly in MPI" : "");
    else if (line->length > 2) /* without the last "; " */
        line->text[line->length -= 2] = '\0';
}

static enum cs_status print_summary(struct cs_report_output *output)
{
    struct cs_phrase line = {0};
    struct cs_rows row = cs_rows_begin(output->db, "SELECT * FROM run_placement");
    while (cs_rows_next(&row)) {
        add_summary(&line, &row);
        cs_report_print_line(output, &line);
    }
    cs_phrase_free(&line);
    return cs_rows_end(&row);
}

enum cs_status report_placement(struct cs_report_output *output)
{
    enum cs_status status = print_summary(output);
    if (status == CS_OK)
        status = cs_report_print_texts(output, cs_sql_placement_unknown);
    if (status == CS_OK)
        status = cs_report_print_table(output);
    if (status == CS_OK)
        status = cs_findings_print(output, "SELECT * FROM placement_findings", 0);
    return status == CS_OK ? cs_report_print_texts(output, cs_sql_placement_others) : status;
}
