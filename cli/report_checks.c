/* The report checks: collective calls whose arguments differ between members. */
#include "cli/report_checks.h"

#include <inttypes.h>
#include <string.h>

#include "cli/rows.h"

enum { RANKS_CHARACTERS = 60, GROUPS = 6 };

/* What is printed once for a mismatch: values that all groups share are not repeated. Call sites on one source line are
   one. */
static const char sql[] =
    "WITH told AS MATERIALIZED (SELECT *, location(site) AS location FROM mismatches),\n"
    "     joined AS (\n"
    "         SELECT id, kind, number, max(last_number) AS last_number, object_name, side, function, root, operation,\n"
    "                size_bytes, datatype, min(site) AS site, location, min(rank) AS rank,\n"
    "                CASE count(*) WHEN 1 THEN min(ranks) ELSE group_concat(ranks, ',') END AS ranks\n"
    "         FROM told GROUP BY id, kind, number, side, function, root, operation, size_bytes, datatype, location,\n"
    "                            CASE WHEN kind IN ('call', 'data') THEN rank END)\n"
    "SELECT j.*, count(*) OVER same AS groups, min(location) OVER same IS max(location) OVER same\n"
    "                                          AND count(location) OVER same = count(*) OVER same AS one_site,\n"
    "       min(function) OVER same IS max(function) OVER same AS one_function\n"
    "FROM joined j WINDOW same AS (PARTITION BY id, kind, number)\n"
    "ORDER BY object_name, id, number, kind, rank, side";

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* "call 17 on rows, MPI_Reduce at main solve.c:214: " */
static void add_head(const struct cs_report_output *output, struct cs_phrase *line, struct cs_rows *row)
{
    const char *kind = cs_rows_text(row, "kind"), *function = cs_rows_text(row, "function");
    int64_t number = cs_rows_integer(row, "number"), last = cs_rows_integer(row, "last_number");
    if (last > number)
        cs_phrase_add(line, "one of the calls %" PRId64 " to %" PRId64 " on %s", number, last,
                      cs_rows_text(row, "object_name"));
    else
        cs_phrase_add(line, "call %" PRId64 " on %s", number, cs_rows_text(row, "object_name"));
    if (function && cs_rows_integer(row, "one_function") && !is(kind, "missing"))
        cs_phrase_add(line, ", %s", function);
    if (cs_rows_integer(row, "one_site"))
        cs_report_add_site(output, line, " at ", cs_rows_integer(row, "site"));
    cs_phrase_add(line, ": ");
}

static void add_value(const struct cs_report_output *output, struct cs_phrase *line, struct cs_rows *row, bool several)
{
    const char *kind = cs_rows_text(row, "kind"), *type = cs_rows_text(row, "datatype");
    const char *s = several ? "" : "s";
    if (is(kind, "function") || (is(kind, "missing") && cs_rows_has(row, "function"))) {
        cs_phrase_add(line, " call%s %s", s, cs_rows_text(row, "function"));
    } else if (is(kind, "missing")) {
        cs_phrase_add(line, " make%s no such call", s);
    } else if (is(kind, "root")) {
        cs_phrase_add(line, " name%s root %" PRId64, s, cs_rows_integer(row, "root"));
    } else if (is(kind, "operation")) {
        cs_phrase_add(line, " use%s %s", s, cs_rows_text(row, "operation"));
    } else if (is(kind, "call") || is(kind, "data")) {
        return;
    } else {
        bool sends = cs_rows_has(row, "side");
        cs_phrase_add(line, " %s%s ", sends ? "send" : "pass", several ? "" : sends ? "s" : "es");
        if (cs_rows_has(row, "size_bytes"))
            cs_phrase_add_bytes(line, (double)cs_rows_integer(row, "size_bytes"));
        else
            cs_phrase_add(line, "data");
        if (type)
            cs_phrase_add(line, " of %s", type);
    }
    if (!cs_rows_integer(row, "one_site"))
        cs_report_add_site(output, line, " at ", cs_rows_integer(row, "site"));
}

static void add_group(const struct cs_report_output *output, struct cs_phrase *line, struct cs_rows *row,
                      struct cs_list *groups)
{
    const char *ranks = cs_rows_text(row, "ranks");
    if (!cs_list_next(groups))
        return;
    cs_phrase_add_ranks(line, ranks, RANKS_CHARACTERS);
    add_value(output, line, row, strpbrk(ranks, ",-") != NULL);
}

/* " (MPI 4.1, 6.14)": calls in one order; or 6.1: arguments that match. */
static void add_standard(struct cs_phrase *line, const char *kind)
{
    if (is(kind, "call"))
        cs_phrase_add(line, " differ in function, operation or root");
    if (is(kind, "data"))
        cs_phrase_add(line, " differ in the size or type of the data");
    cs_phrase_add(line, is(kind, "function") || is(kind, "missing") || is(kind, "call") ? " (MPI 4.1, 6.14)"
                                                                                        : " (MPI 4.1, 6.1)");
}

enum cs_status cs_checks_tell(const struct cs_report_output *output,
                              void (*tell)(void *context, const struct cs_check *check, struct cs_phrase *line),
                              void *context)
{
    struct cs_phrase line = {0}, object = {0};
    struct cs_list groups = {.phrase = &line, .limit = GROUPS};
    struct cs_check check = {0};
    char kind[16];
    int64_t left = 0;
    struct cs_rows row = cs_rows_begin(output->db, sql);
    while (cs_rows_next(&row)) {
        if (!left) {
            left = cs_rows_integer(&row, "groups");
            snprintf(kind, sizeof kind, "%s", cs_rows_text(&row, "kind"));
            cs_phrase_clear(&object);
            cs_phrase_add(&object, "%s", cs_rows_text(&row, "object_name"));
            check = (struct cs_check){.id = cs_rows_integer(&row, "id"),
                                      .kind = kind,
                                      .object = cs_phrase_text(&object),
                                      .site = cs_rows_integer(&row, "site"),
                                      .number = cs_rows_integer(&row, "number")};
            add_head(output, &line, &row);
            groups.count = 0;
        }
        if (!check.site)
            check.site = cs_rows_integer(&row, "site");
        add_group(output, &line, &row, &groups);
        if (--left)
            continue;
        cs_list_end(&groups);
        add_standard(&line, kind);
        tell(context, &check, &line);
        cs_phrase_clear(&line);
    }
    cs_phrase_free(&line);
    cs_phrase_free(&object);
    return cs_rows_end(&row);
}

static void print(void *output, const struct cs_check *check, struct cs_phrase *line)
{
    (void)check;
    cs_report_print_line(output, line);
}

enum cs_status report_checks(struct cs_report_output *output)
{
    return cs_checks_tell(output, print, output);
}
