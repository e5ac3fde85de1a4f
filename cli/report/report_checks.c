/* The report checks: collective calls whose arguments differ between members, messages that differ between sender
   and receiver, and calls that returned an error. */
#include "cli/report/report_checks.h"

#include <inttypes.h>
#include <string.h>

#include "cli/report/finding.h"
#include "cli/rows/rows.h"
#include "journal/format.h"
#include "reports_sql.h"

enum { RANKS_CHARACTERS = 60, GROUPS = 6 };

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

static void add_root(struct cs_phrase *line, int64_t root)
{
    if (root == CS_PEER_ROOT || root == CS_PEER_NULL)
        cs_phrase_add(line, "%s", root == CS_PEER_ROOT ? "MPI_ROOT" : "MPI_PROC_NULL");
    else
        cs_phrase_add(line, "root %" PRId64, root);
}

static void add_value(const struct cs_report_output *output, struct cs_phrase *line, struct cs_rows *row, bool several)
{
    const char *kind = cs_rows_text(row, "kind"), *type = cs_rows_text(row, "datatype");
    const char *s = several ? "" : "s";
    if (is(kind, "function") || (is(kind, "missing") && cs_rows_has(row, "function"))) {
        cs_phrase_add(line, " call%s %s", s, cs_rows_text(row, "function"));
        if (is(kind, "function") && cs_rows_has(row, "root")) {
            cs_phrase_add(line, " with ");
            add_root(line, cs_rows_integer(row, "root"));
        }
    } else if (is(kind, "missing")) {
        cs_phrase_add(line, " make%s no such call", s);
    } else if (is(kind, "root")) {
        cs_phrase_add(line, " name%s ", s);
        add_root(line, cs_rows_integer(row, "root"));
    } else if (is(kind, "operation")) {
        cs_phrase_add(line, " use%s %s", s, cs_rows_text(row, "operation"));
    } else if (is(kind, "group")) {
        int64_t members = cs_rows_integer(row, "members");
        cs_phrase_add(line, " pass%s %s", several ? "" : "es", members ? "a group of " : "an empty group");
        if (members)
            cs_phrase_add_count(line, members, "member", "members");
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

/* " (MPI 4.1, 6.14)": calls in one order; 7.4.2: groups of new communicators; 6.1: other arguments that match. */
static void add_standard(struct cs_phrase *line, const char *kind)
{
    if (is(kind, "call"))
        cs_phrase_add(line, " differ in function, operation or root");
    if (is(kind, "data"))
        cs_phrase_add(line, " differ in the size or type of the data");
    if (is(kind, "group"))
        cs_phrase_add(line, "; not all members of a group pass it");
    bool ordered = is(kind, "function") || is(kind, "missing") || is(kind, "call");
    cs_phrase_add(line, " (MPI 4.1, %s)", ordered ? "6.14" : is(kind, "group") ? "7.4.2" : "6.1");
}

/* ---- sentences ---- */

typedef void tell_function(void *context, const struct cs_check *check, struct cs_phrase *line);

/* A sentence that is being made, and whom it is for. */
struct telling {
    const struct cs_report_output *output;
    tell_function *tell;
    void *context;
    struct cs_phrase line, object;
    struct cs_list groups;
    struct cs_check check;
    char kind[32], what[64];
};

/* The texts are copied: they belong to a row, and a sentence may need several. */
static void begin_check(struct telling *telling, const char *kind, const char *object, int64_t id, int64_t site)
{
    snprintf(telling->kind, sizeof telling->kind, "%s", kind);
    cs_phrase_clear(&telling->object);
    cs_phrase_add(&telling->object, "%s", object);
    telling->groups = (struct cs_list){.phrase = &telling->line, .limit = GROUPS};
    telling->check = (struct cs_check){.id = id,
                                       .kind = telling->kind,
                                       .what = telling->what,
                                       .object = cs_phrase_text(&telling->object),
                                       .site = site};
}

static void end_check(struct telling *telling)
{
    telling->tell(telling->context, &telling->check, &telling->line);
    cs_phrase_clear(&telling->line);
}

static enum cs_status tell_calls(struct telling *telling)
{
    struct cs_phrase *line = &telling->line;
    int64_t left = 0;
    struct cs_rows row = cs_rows_begin(telling->output->db, cs_sql_checks_calls);
    while (cs_rows_next(&row)) {
        if (!left) {
            left = cs_rows_integer(&row, "groups");
            begin_check(telling, cs_rows_text(&row, "kind"), cs_rows_text(&row, "object_name"),
                        cs_rows_integer(&row, "id"), cs_rows_integer(&row, "site"));
            telling->check.number = cs_rows_integer(&row, "number");
            snprintf(telling->what, sizeof telling->what, "call %" PRId64, telling->check.number);
            add_head(telling->output, line, &row);
        }
        add_group(telling->output, line, &row, &telling->groups);
        if (--left)
            continue;
        cs_list_end(&telling->groups);
        add_standard(line, telling->kind);
        end_check(telling);
    }
    return cs_rows_end(&row);
}

/* ---- messages ---- */

/* "2 messages with tag 7 on rows are never received: ", "messages with tag 7 on rows: " */
static void add_messages_head(struct cs_phrase *line, struct cs_rows *row)
{
    const char *kind = cs_rows_text(row, "kind");
    bool one = cs_rows_has(row, "messages") && cs_rows_integer(row, "messages") == 1;
    if (cs_rows_has(row, "messages"))
        cs_phrase_add_count(line, cs_rows_integer(row, "messages"), "message", "messages");
    else
        cs_phrase_add(line, "messages");
    if (cs_rows_has(row, "tag"))
        cs_phrase_add(line, " with tag %" PRId64, cs_rows_integer(row, "tag"));
    cs_phrase_add(line, " on %s ", cs_rows_text(row, "communicator"));
    if (is(kind, "type"))
        cs_phrase_add(line, "%s another type where %s received: ", one ? "has" : "have", one ? "it is" : "they are");
    else if (is(kind, "truncated"))
        cs_phrase_add(line, one ? "is longer than its receive buffer: " : "are longer than their receive buffers: ");
    else
        cs_phrase_add(line, "%s %s: ", one ? "is" : "are", is(kind, "not_received") ? "never received" : "never sent");
}

/* "rank 1 sends 5 of MPI_DOUBLE at main a.c:10"; "rank 1 sends 5 messages, 80 B, to rank 0, which receives 4, 64 B" */
static void add_messages_group(const struct cs_report_output *output, struct cs_phrase *line, struct cs_rows *row,
                               struct cs_list *groups)
{
    const char *ranks = cs_rows_text(row, "ranks"), *side = cs_rows_text(row, "side");
    if (!cs_list_next(groups))
        return;
    cs_phrase_add_ranks(line, ranks, RANKS_CHARACTERS);
    if (is(side, "pair")) {
        cs_phrase_add(line, " sends ");
        cs_phrase_add_count(line, cs_rows_integer(row, "counted"), "message", "messages");
        cs_phrase_add(line, " with ");
        cs_phrase_add_bytes(line, cs_rows_real(row, "sent_bytes"));
        cs_phrase_add(line, " to rank %" PRId64 ", which receives %" PRId64 " with ",
                      cs_rows_integer(row, "other_rank"), cs_rows_integer(row, "received"));
        cs_phrase_add_bytes(line, cs_rows_real(row, "received_bytes"));
    } else if (is(side, "nowhere")) {
        cs_phrase_add(line, " receives only from MPI_PROC_NULL");
    } else if (is(cs_rows_text(row, "kind"), "truncated")) {
        bool sends = is(side, "sends");
        cs_phrase_add(line, sends ? " sends " : " has room for ");
        cs_phrase_add_bytes(line, cs_rows_real(row, sends ? "sent_bytes" : "received_bytes"));
    } else {
        bool several = strpbrk(ranks, ",-") != NULL, sends = is(side, "sends");
        cs_phrase_add(line, " %s%s", sends ? "send" : "receive", several ? "" : "s");
        if (!is(cs_rows_text(row, "kind"), "type"))
            cs_phrase_add(line, " %" PRId64, cs_rows_integer(row, "counted"));
        if (cs_rows_has(row, "datatype"))
            cs_phrase_add(line, " %s", cs_rows_text(row, "datatype"));
        else if (is(cs_rows_text(row, "kind"), "type"))
            cs_phrase_add(line, " several types");
    }
    if (cs_rows_has(row, "site"))
        cs_report_add_site(output, line, " at ", cs_rows_integer(row, "site"));
}

static enum cs_status tell_messages(struct telling *telling)
{
    struct cs_phrase *line = &telling->line;
    int64_t left = 0;
    struct cs_rows row = cs_rows_begin(telling->output->db, cs_sql_checks_messages);
    while (cs_rows_next(&row)) {
        if (!left) {
            const char *kind = cs_rows_text(&row, "kind");
            left = cs_rows_integer(&row, "groups");
            begin_check(telling, is(kind, "type") ? "message_type" : kind, cs_rows_text(&row, "communicator"),
                        cs_rows_integer(&row, "id"), cs_rows_integer(&row, "site"));
            snprintf(telling->what, sizeof telling->what, "messages");
            if (cs_rows_has(&row, "tag"))
                snprintf(telling->what, sizeof telling->what, "tag %" PRId64, cs_rows_integer(&row, "tag"));
            add_messages_head(line, &row);
        }
        add_messages_group(telling->output, line, &row, &telling->groups);
        if (--left)
            continue;
        cs_list_end(&telling->groups);
        cs_phrase_add(line, is(telling->kind, "message_type") ? " (MPI 4.1, 3.3.1)"
                            : is(telling->kind, "truncated")  ? " (MPI 4.1, 3.2.4)"
                                                              : " (MPI 4.1, 11.2.2)");
        end_check(telling);
    }
    return cs_rows_end(&row);
}

/* ---- errors ---- */

/* "MPI_Recv on rows returned MPI_ERR_TRUNCATE on rank 1 at main a.c:12" */
static enum cs_status tell_errors(struct telling *telling)
{
    struct cs_phrase *line = &telling->line;
    struct cs_rows row =
        cs_rows_begin(telling->output->db, "SELECT 'error_returned' AS kind, * FROM failed_calls WHERE misuse");
    while (cs_rows_next(&row)) {
        const char *communicator = cs_rows_text(&row, "communicator");
        begin_check(telling, "error_returned", communicator ? communicator : "an unknown object",
                    cs_rows_integer(&row, "communicator_uid"), cs_rows_integer(&row, "site"));
        snprintf(telling->what, sizeof telling->what, "error");
        cs_finding_add(telling->output, line, &row);
        end_check(telling);
    }
    return cs_rows_end(&row);
}

/* ---- local checks ---- */

/* "MPI_Send on rows at main a.c:10, rank 1: there is no rank 7 (MPI 4.1, 3.2.3)" */
static enum cs_status tell_misuses(struct telling *telling, bool apart)
{
    struct cs_phrase *line = &telling->line;
    struct cs_rows row = cs_rows_begin(telling->output->db, "SELECT * FROM misuses");
    while (cs_rows_next(&row)) {
        const struct cs_finding_kind *found = cs_finding_find(cs_rows_text(&row, "kind"));
        if (apart != (found && found->severity > CS_SEVERITY_ERROR))
            continue;
        const char *communicator = cs_rows_text(&row, "communicator"), *function = cs_rows_text(&row, "function");
        begin_check(telling, cs_rows_text(&row, "kind"), communicator ? communicator : "an unknown object",
                    cs_rows_integer(&row, "communicator_uid"), cs_rows_integer(&row, "site"));
        snprintf(telling->what, sizeof telling->what, "%s", function ? function : "a call");
        if (apart)
            cs_phrase_add(line, "%s: ", found->severity == CS_SEVERITY_WARNING ? "Warning" : "Note");
        cs_finding_add(telling->output, line, &row);
        end_check(telling);
    }
    return cs_rows_end(&row);
}

enum cs_status cs_checks_tell(const struct cs_report_output *output, tell_function *tell, void *context)
{
    struct telling telling = {.output = output, .tell = tell, .context = context};
    enum cs_status status = tell_calls(&telling);
    if (status == CS_OK)
        status = tell_messages(&telling);
    if (status == CS_OK)
        status = tell_errors(&telling);
    if (status == CS_OK)
        status = tell_misuses(&telling, false);
    cs_phrase_free(&telling.line);
    cs_phrase_free(&telling.object);
    return status;
}

enum cs_status cs_checks_tell_apart(const struct cs_report_output *output, tell_function *tell, void *context)
{
    struct telling telling = {.output = output, .tell = tell, .context = context};
    enum cs_status status = tell_misuses(&telling, true);
    cs_phrase_free(&telling.line);
    cs_phrase_free(&telling.object);
    return status;
}

static void print(void *output, const struct cs_check *check, struct cs_phrase *line)
{
    (void)check;
    cs_report_print_line(output, line);
}

enum cs_status report_checks(struct cs_report_output *output)
{
    enum cs_status status = cs_checks_tell(output, print, output);
    return status == CS_OK ? cs_checks_tell_apart(output, print, output) : status;
}
