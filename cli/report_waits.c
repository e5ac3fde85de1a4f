/* The report waits: who makes whom wait, from events. Sentences about the longest waits, then a table. */
#include "cli/report_waits.h"

#include <math.h>
#include <string.h>

#include "cli/rows.h"

/* The waits with one cause, longest first. */
static const char longest_sql[] =
    "SELECT kind, object_name, function, min(site) AS site, cause, cause_function, min(cause_site) AS cause_site,\n"
    "       ranges(DISTINCT rank) AS ranks, count(*) AS waits, sum(wait_ns) / 1e9 AS seconds\n"
    "FROM wait_states GROUP BY kind, object_name, function, location(charged(site)), cause, cause_function, "
    "location(charged(cause_site))\n"
    "ORDER BY sum(wait_ns) DESC LIMIT 3";

static const struct {
    const char *kind, *why;
} kinds[] = {
    {"late_sender", "sends late"},
    {"wrong_order", "sends late"},
    {"late_receiver", "posts its receive late"},
    {"wait_at_barrier", "enters last"},
    {"wait_at_nxn", "enters last"},
    {"wait_at_fence", "enters last"},
    {"late_broadcast", "is the root and enters late"},
    {"early_reduce", "enters last"},
    {"early_scan", "enters late"},
    {"late_post", "posts its window late"},
    {"late_complete", "completes its accesses late"},
    {"wait_for_lock", "holds the lock"},
};

/* "Rank 2 makes ranks 0,1 wait 0.80 s in MPI_Barrier on team at main a.c:9: it enters last" */
static void add_cause(const struct cs_report_output *output, struct cs_phrase *line, struct cs_rows *row)
{
    const char *kind = cs_rows_text(row, "kind"), *function = cs_rows_text(row, "function");
    const char *name = cs_rows_text(row, "object_name"), *late = cs_rows_text(row, "cause_function");
    cs_phrase_add(line, "Rank %lld makes ", (long long)cs_rows_integer(row, "cause"));
    cs_phrase_add_ranks(line, cs_rows_text(row, "ranks"), 40);
    cs_phrase_add(line, " wait ");
    cs_phrase_add_seconds(line, cs_rows_real(row, "seconds"));
    cs_phrase_add(line, " in %s", function ? function : "a call");
    if (name)
        cs_phrase_add(line, " on %s", name);
    cs_report_add_site(output, line, " at ", cs_rows_integer(row, "site"));
    for (size_t i = 0; kind && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, kinds[i].kind) == 0)
            cs_phrase_add(line, ": it %s", kinds[i].why);
    if (late && function && strcmp(late, function) != 0)
        cs_phrase_add(line, ", by %s", late);
    if (cs_rows_integer(row, "cause_site") != cs_rows_integer(row, "site"))
        cs_report_add_site(output, line, " at ", cs_rows_integer(row, "cause_site"));
    if (kind && strcmp(kind, "wrong_order") == 0)
        cs_phrase_add(line, ". An earlier message was there, and is received later");
}

static enum cs_status print_longest(struct cs_report_output *output, bool *any)
{
    struct cs_phrase line = {0};
    struct cs_rows row = cs_rows_begin(output->db, longest_sql);
    while (cs_rows_next(&row)) {
        *any = true;
        add_cause(output, &line, &row);
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
    /* The rank that leaves MPI_Init first may do so a little before the run's zero. */
    cs_phrase_add(line, "%sfrom %.3f s to %.3f s", before, fmax(from, 0), to);
}

enum cs_status cs_waits_print_findings(struct cs_report_output *output)
{
    struct cs_phrase line = {0};
    struct cs_rows row = cs_rows_begin(
        output->db, "SELECT kind, communicator AS object_name, function, NULL AS site, rank AS cause,\n"
                    "       subject AS cause_function, site AS cause_site, ranks, seconds, percent, least, most\n"
                    "FROM wait_findings");
    while (cs_rows_next(&row)) {
        output->about = cs_rows_text(&row, "kind");
        add_cause(output, &line, &row);
        cs_phrase_add(&line, ". That is %.1f %% of the time in recorded calls", cs_rows_real(&row, "percent"));
        if (cs_rows_has(&row, "least"))
            cs_waits_add_span(&line, ", ", cs_rows_real(&row, "least"), cs_rows_real(&row, "most"));
        cs_phrase_add(&line, ": report waits");
        cs_report_print_line(output, &line);
    }
    output->about = NULL;
    cs_phrase_free(&line);
    return cs_rows_end(&row);
}

/* The time that the events of all these ranks cover. */
static enum cs_status print_range(struct cs_report_output *output)
{
    struct cs_phrase line = {0};
    struct cs_rows row =
        cs_rows_begin(output->db, "SELECT (SELECT ranges(rank) FROM (SELECT DISTINCT rank FROM event)) AS ranks,\n"
                                  "       max(least) / 1e9 AS least, min(most) / 1e9 AS most, count(*) AS count\n"
                                  "FROM (SELECT min(start_ns) AS least, max(start_ns + duration_ns) AS most\n"
                                  "      FROM event GROUP BY rank)");
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
    return status == CS_OK ? print_range(output) : status;
}
