/* The report tags: compares the largest tag with the limits of MPIs, and lists tags that only one side uses. Below
 * it, a table by communicator and call site. */
#include <inttypes.h>
#include <string.h>

#include "cli/report/report_print.h"
#include "cli/rows/rows.h"
#include "reports_sql.h"

enum {
    GUARANTEED = 32767, /* MPI 4.1, 9.1.2 */
    LINES = 5,          /* lines about tags on one side */
    NAME_CHARACTERS = 60,
    TAGS_CHARACTERS = 60,
};

/* ". Above 32767, but the program queried MPI_TAG_UB (40000) and stays within it" */
static void add_judgement(struct cs_phrase *line, struct cs_rows *row)
{
    int64_t tag = cs_rows_integer(row, "tag"), bound = cs_rows_integer(row, "tag_ub");
    bool known = cs_rows_has(row, "tag_ub");
    if (tag <= GUARANTEED) {
        cs_phrase_add(line, ". Every MPI allows tags up to %d", GUARANTEED);
        return;
    }
    if (cs_rows_integer(row, "asking_ranks")) {
        cs_phrase_add(line, ". Above %d, but the program queried MPI_TAG_UB", GUARANTEED);
        if (known)
            cs_phrase_add(line, " (%" PRId64 ") and %s it", bound, tag <= bound ? "stays within" : "exceeds");
        return;
    }
    cs_phrase_add(line, ". MPI guarantees only %d, and the program never queried MPI_TAG_UB", GUARANTEED);
    if (known)
        cs_phrase_add(line, " (here %" PRId64 ")", bound);
}

/* Prints the MPIs that allow only smaller tags. */
static enum cs_status print_refusing(struct cs_report_output *output, int64_t tag)
{
    /* without the smallest, which every MPI allows */
    static const char sql[] = "SELECT mpi, largest_tag FROM tag_limits ORDER BY largest_tag LIMIT -1 OFFSET 1";
    struct cs_phrase line = {0};
    struct cs_list mpis = {.phrase = &line};
    int64_t least = 0;
    struct cs_rows row = cs_rows_begin(output->db, sql);
    while (cs_rows_next(&row)) {
        int64_t limit = cs_rows_integer(&row, "largest_tag");
        least = least ? least : limit;
        if (limit >= tag)
            continue;
        if (mpis.count == 0)
            cs_phrase_add(&line, "Too large for ");
        cs_list_next(&mpis);
        cs_phrase_add(&line, "%s (%" PRId64 ")", cs_rows_text(&row, "mpi"), limit);
    }
    if (mpis.count == 0)
        cs_phrase_add(&line, "The smallest known limit of an MPI is %" PRId64 ": view tag_limits", least);
    cs_report_print_line(output, &line);
    cs_phrase_free(&line);
    return cs_rows_end(&row);
}

static enum cs_status print_largest(struct cs_report_output *output)
{
    struct cs_phrase line = {0};
    struct cs_rows row = cs_rows_begin(output->db, "SELECT * FROM largest_tag");
    enum cs_status status = CS_OK;
    while (cs_rows_next(&row)) {
        int64_t tag = cs_rows_integer(&row, "tag");
        bool sent = strcmp(cs_rows_text(&row, "direction"), "send") == 0;
        cs_phrase_add(&line, "Largest tag: %" PRId64 " on ", tag);
        cs_phrase_add_part(&line, cs_rows_text(&row, "communicator"), NAME_CHARACTERS);
        cs_report_add_site(output, &line, sent ? ", sent at " : ", received at ", cs_rows_integer(&row, "site"));
        add_judgement(&line, &row);
        cs_report_print_line(output, &line);
        if (cs_rows_integer(&row, "too_large"))
            status = print_refusing(output, tag);
    }
    cs_phrase_free(&line);
    enum cs_status ended = cs_rows_end(&row);
    return status == CS_OK ? ended : status;
}

/* Communicators whose names differ only by digits share a line. */
static enum cs_status print_one_side(struct cs_report_output *output)
{
    struct cs_phrase line = {0};
    size_t lines = 0;
    struct cs_rows row = cs_rows_begin(output->db, cs_sql_tags_pending);
    while (cs_rows_next(&row)) {
        if (lines++ >= LINES)
            continue;
        const char *tags = cs_rows_text(&row, "tags");
        bool sent = strcmp(cs_rows_text(&row, "direction"), "send") == 0;
        cs_phrase_add(&line, "%s on ", sent ? "Sent but never received" : "Received but never sent");
        cs_phrase_add_part(&line, cs_rows_text(&row, "communicator"), NAME_CHARACTERS);
        cs_phrase_add(&line, ": %s ", tags[strspn(tags, "0123456789")] ? "tags" : "tag");
        cs_phrase_add_ranges(&line, tags, TAGS_CHARACTERS);
        cs_phrase_add(&line, ", ");
        cs_phrase_add_count(&line, cs_rows_integer(&row, "messages"), "message", "messages");
        cs_report_add_site(output, &line, ", at ", cs_rows_integer(&row, "site"));
        cs_report_print_line(output, &line);
    }
    if (lines > LINES) {
        cs_phrase_add(&line, "and %zu more: view tags_on_one_side", lines - LINES);
        cs_report_print_line(output, &line);
    }
    cs_phrase_free(&line);
    return cs_rows_end(&row);
}

enum cs_status report_tags(struct cs_report_output *output)
{
    enum cs_status status = print_largest(output);
    if (status == CS_OK)
        status = print_one_side(output);
    return status == CS_OK ? cs_report_print_table(output) : status;
}
