/* The report attributes: what the program queried; what stands out, at most six lines of each kind; which values were
 * copied to duplicates; what the MPI provides. Then a table of queries and answers. Keys of the program are known by
 * where it created them: ranks may have other numbers for the same one. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/report/report_print.h"
#include "cli/rows/label.h"
#include "cli/rows/rows.h"
#include "reports_sql.h"

enum {
    LINES = 6,        /* lines of each kind */
    ANSWERS_MOST = 4, /* answers of the MPI that are shown */
};

/* Kinds in the order of their lines. */
enum kind { DIFFERS, TOO_SMALL, REFUSED, NOT_SET, NEVER_ASKED, NEVER_FREED, KINDS };

static const char *const kind_words[] = {
    [DIFFERS] = "attribute_differs", [TOO_SMALL] = "tag_ub_too_small",        [REFUSED] = "attribute_refused",
    [NOT_SET] = "attribute_not_set", [NEVER_ASKED] = "attribute_never_asked", [NEVER_FREED] = "never_freed_keyval"};

/* A line about a key, and its sort key. */
struct finding {
    enum kind kind;
    int64_t calls, first;     /* the least rank */
    int64_t number;           /* number of the row: rows are ordered by operation */
    char *key, *about, *line; /* about: key and objects */
};

struct attributes {
    struct cs_report_output *output;
    struct cs_phrase line;
    struct finding *finding;
    size_t findings, room;
};

/* Appends "once by ranks 0-3 at main ask.c:5". */
static void add_callers(struct cs_phrase *line, struct cs_rows *row)
{
    int64_t calls = cs_rows_integer(row, "calls");
    if (calls == 1)
        cs_phrase_add(line, "once by ");
    else
        cs_phrase_add(line, "%" PRId64 " times by ", calls);
    cs_phrase_add_ranks(line, cs_rows_text(row, "ranks"), 0);
    if (cs_rows_has(row, "location"))
        cs_phrase_add(line, " at %s", cs_rows_text(row, "location"));
}

static void add_words(struct cs_phrase *line, struct cs_rows *row, enum kind kind, const char *about)
{
    const char *answer = cs_rows_text(row, "answer");
    int64_t calls = cs_rows_integer(row, "calls");
    switch (kind) {
    case DIFFERS:
    case TOO_SMALL:
        cs_phrase_add(line, "%s: %s is %s on ", kind == DIFFERS ? "Differs" : "Too small", about, answer ? answer : "");
        cs_phrase_add_ranks(line, cs_rows_text(row, "ranks"), 0);
        break;
    case REFUSED:
        cs_phrase_add(line, "Failed with %s: %s %s, ", answer ? answer : "", cs_rows_text(row, "operation"), about);
        cs_phrase_add_count(line, calls, "call by ", "calls by ");
        cs_phrase_add_ranks(line, cs_rows_text(row, "ranks"), 0);
        if (cs_rows_has(row, "location"))
            cs_phrase_add(line, " at %s", cs_rows_text(row, "location"));
        break;
    case NOT_SET:
        cs_phrase_add(line, "Not set: %s, queried ", about);
        add_callers(line, row);
        break;
    case NEVER_ASKED:
        cs_phrase_add(line, "Never queried: %s, set ", about);
        add_callers(line, row);
        break;
    default:
        cs_phrase_add(line, "Never freed: %s, ", about);
        if (calls != 1)
            cs_phrase_add(line, "%" PRId64 " times ", calls);
        cs_phrase_add(line, "by ");
        cs_phrase_add_ranks(line, cs_rows_text(row, "ranks"), 0);
    }
}

static bool keep_finding(struct attributes *attributes, struct cs_rows *row, enum kind kind)
{
    struct cs_phrase key = {0}, about = {0}, line = {0};
    cs_label_add_key(&key, row, "the key");
    cs_label_add_key(&about, row, "the key");
    if (cs_rows_has(row, "object"))
        cs_phrase_add(&about, " of ");
    cs_label_add_objects(&about, row);
    add_words(&line, row, kind, cs_phrase_text(&about));
    bool kept =
        key.text && about.text && line.text && !key.failed && !about.failed && !line.failed &&
        cs_array_grow(&attributes->finding, attributes->findings, &attributes->room, sizeof *attributes->finding);
    if (kept) {
        attributes->finding[attributes->findings] = (struct finding){.kind = kind,
                                                                     .calls = cs_rows_integer(row, "calls"),
                                                                     .first = cs_rows_integer(row, "first"),
                                                                     .number = (int64_t)attributes->findings,
                                                                     .key = key.text,
                                                                     .about = about.text,
                                                                     .line = line.text};
        attributes->findings++;
    } else {
        cs_phrase_free(&key);
        cs_phrase_free(&about);
        cs_phrase_free(&line);
    }
    return kept;
}

/* Most calls first; contradictions to the standard by key. */
static int by_weight(const void *left, const void *right)
{
    const struct finding *a = left, *b = right;
    int order = cs_compare(a->kind, b->kind);
    if (!order && a->kind <= TOO_SMALL)
        order = strcmp(a->about, b->about);
    if (!order)
        order = cs_compare(b->calls, a->calls);
    if (!order)
        order = cs_compare(a->first, b->first);
    if (!order)
        order = strcmp(a->about, b->about);
    return order ? order : cs_compare(a->number, b->number);
}

static enum cs_status load_findings(struct attributes *attributes)
{
    bool kept = true;
    struct cs_rows row = cs_rows_begin(attributes->output->db, cs_sql_attribute_findings);
    while (kept && cs_rows_next(&row))
        for (enum kind kind = 0; kind < KINDS && kept; kind++)
            if (strcmp(cs_rows_text(&row, "kind"), kind_words[kind]) == 0)
                kept = keep_finding(attributes, &row, kind);
    if (attributes->findings)
        qsort(attributes->finding, attributes->findings, sizeof *attributes->finding, by_weight);
    enum cs_status status = cs_rows_end(&row);
    return status == CS_OK && !kept ? CS_NO_MEMORY : status;
}

/* ---- the first lines ---- */

static int by_text(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Writes the distinct keys of a kind to `keys`, sorted; returns their number. */
static size_t find_keys(const struct attributes *attributes, enum kind kind, const char **keys)
{
    size_t count = 0, different = 0;
    for (size_t i = 0; i < attributes->findings; i++)
        if (attributes->finding[i].kind == kind)
            keys[count++] = attributes->finding[i].key;
    if (count)
        qsort(keys, count, sizeof *keys, by_text);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || strcmp(keys[i], keys[different - 1]) != 0)
            keys[different++] = keys[i];
    return different;
}

static void add_issue(struct cs_phrase *line, enum kind kind, const char **keys, size_t count, int64_t calls)
{
    switch (kind) {
    case DIFFERS:
        for (size_t i = 0; i < count; i++)
            cs_phrase_add(line, "%s%s", i ? " and " : "", keys[i]);
        cs_phrase_add(line, "%s between ranks", cs_plural((int64_t)count, " differs", " differ"));
        break;
    case TOO_SMALL:
        cs_phrase_add(line, "MPI_TAG_UB is below the guaranteed 32767");
        break;
    case REFUSED:
        cs_phrase_add_count(line, calls, "call failed", "calls failed");
        break;
    case NOT_SET:
        cs_phrase_add_count(line, (int64_t)count, "is queried but not set", "are queried but not set");
        break;
    case NEVER_ASKED:
        cs_phrase_add_count(line, (int64_t)count, "is set but never queried", "are set but never queried");
        break;
    default:
        cs_phrase_add_count(line, calls, "key was never freed", "keys were never freed");
    }
}

static enum cs_status print_issues(struct attributes *attributes)
{
    const char **keys = calloc(attributes->findings + 1, sizeof *keys);
    struct cs_list issues = {.phrase = &attributes->line};
    for (enum kind kind = 0; keys && kind < KINDS; kind++) {
        size_t count = find_keys(attributes, kind, keys);
        int64_t calls = 0;
        for (size_t i = 0; i < attributes->findings; i++)
            calls += attributes->finding[i].kind == kind ? attributes->finding[i].calls : 0;
        if (!count)
            continue;
        if (issues.count == 0)
            cs_phrase_add(&attributes->line, "Findings: ");
        cs_list_next(&issues);
        add_issue(&attributes->line, kind, keys, count, calls);
    }
    if (issues.count)
        cs_report_print_line(attributes->output, &attributes->line);
    free(keys);
    return keys ? CS_OK : CS_NO_MEMORY;
}

static enum cs_status print_summary(struct attributes *attributes)
{
    struct cs_phrase *line = &attributes->line;
    struct cs_rows row = cs_rows_begin(attributes->output->db, cs_sql_attribute_counts);
    while (cs_rows_next(&row)) {
        int64_t keys = cs_rows_integer(&row, "keys"), calls = cs_rows_integer(&row, "calls");
        if (keys) {
            cs_phrase_add(line, "The program queried ");
            cs_phrase_add_count(line, keys, "attribute", "attributes");
            cs_phrase_add(line, ", ");
            cs_phrase_add_count(line, calls, "time", "times");
        } else {
            cs_phrase_add(line, cs_rows_integer(&row, "stored") ? "The program set attributes but queried none"
                                                                : "The program queried no attribute");
        }
        cs_report_print_line(attributes->output, line);
    }
    enum cs_status status = cs_rows_end(&row);
    return status == CS_OK ? print_issues(attributes) : status;
}

/* ---- lines ---- */

static void print_more(struct attributes *attributes, size_t lines, const char *view)
{
    if (lines <= LINES)
        return;
    cs_phrase_add(&attributes->line, "and %zu more: view %s", lines - LINES, view);
    cs_report_print_line(attributes->output, &attributes->line);
}

static void print_findings(struct attributes *attributes)
{
    for (enum kind kind = 0; kind < KINDS; kind++) {
        size_t lines = 0;
        for (size_t i = 0; i < attributes->findings; i++)
            if (attributes->finding[i].kind == kind && lines++ < LINES) {
                cs_phrase_add(&attributes->line, "%s", attributes->finding[i].line);
                cs_report_print_line(attributes->output, &attributes->line);
            }
        print_more(attributes, lines, "attribute_findings");
    }
}

/* "Copied to 2 of 3 duplicates: the key created at init keys.c:3, by MPI_COMM_NULL_COPY_FN, ranks 0-2" */
static void add_copies(struct cs_phrase *line, struct cs_rows *row)
{
    int64_t duplicates = cs_rows_integer(row, "duplicates"), got = cs_rows_integer(row, "got");
    if (duplicates == 1)
        cs_phrase_add(line, "%s to the only duplicate: ", got ? "Copied" : "Not copied");
    else if (got == 0)
        cs_phrase_add(line, "Not copied to any of %" PRId64 " duplicates: ", duplicates);
    else if (got == duplicates)
        cs_phrase_add(line, "Copied to all %" PRId64 " duplicates: ", got);
    else
        cs_phrase_add(line, "Copied to %" PRId64 " of %" PRId64 " duplicates: ", got, duplicates);
    cs_label_add_key(line, row, "the key");
    if (cs_rows_has(row, "copy_function"))
        cs_phrase_add(line, ", by %s", cs_rows_text(row, "copy_function"));
    cs_phrase_add(line, ", ");
    cs_phrase_add_ranks(line, cs_rows_text(row, "ranks"), 0);
}

/* Prints which values are copied to duplicates. The site of a function is the address after its first byte. */
static enum cs_status print_copies(struct attributes *attributes)
{
    size_t lines = 0;
    struct cs_rows row = cs_rows_begin(attributes->output->db, cs_sql_attribute_copies);
    while (cs_rows_next(&row))
        if (lines++ < LINES) {
            add_copies(&attributes->line, &row);
            cs_report_print_line(attributes->output, &attributes->line);
        }
    print_more(attributes, lines, "attributes");
    return cs_rows_end(&row);
}

/* Appends "2147483647 or 1000" for "2147483647,1000". */
static void add_answers(struct cs_phrase *line, const char *answers)
{
    size_t count = 1;
    for (const char *c = answers; *c; c++)
        count += *c == ',';
    if (count > ANSWERS_MOST) {
        cs_phrase_add(line, "(several values)");
        return;
    }
    while (*answers) {
        size_t length = strcspn(answers, ",");
        cs_phrase_add(line, "%.*s", (int)length, answers);
        answers += length;
        if (*answers == ',')
            cs_phrase_add(line, " or ");
        answers += *answers == ',';
    }
}

static enum cs_status print_offered(struct attributes *attributes)
{
    static const char sql[] = "SELECT key, group_concat(DISTINCT answer) AS answers\n"
                              "FROM attributes WHERE operation = 'survey' AND error IS NULL GROUP BY key\n"
                              "ORDER BY answers = 'not set', key";
    struct cs_list keys = {.phrase = &attributes->line};
    struct cs_rows row = cs_rows_begin(attributes->output->db, sql);
    while (cs_rows_next(&row)) {
        const char *answers = cs_rows_text(&row, "answers");
        if (!answers)
            continue;
        if (keys.count == 0)
            cs_phrase_add(&attributes->line, "This MPI provides ");
        cs_list_next(&keys);
        cs_phrase_add(&attributes->line, "%s = ", cs_rows_text(&row, "key"));
        add_answers(&attributes->line, answers);
    }
    if (keys.count)
        cs_report_print_line(attributes->output, &attributes->line);
    return cs_rows_end(&row);
}

enum cs_status report_attributes(struct cs_report_output *output)
{
    struct attributes attributes = {.output = output};
    enum cs_status status = load_findings(&attributes);
    if (status == CS_OK)
        status = print_summary(&attributes);
    if (status == CS_OK) {
        print_findings(&attributes);
        status = print_copies(&attributes);
    }
    if (status == CS_OK)
        status = print_offered(&attributes);
    for (size_t i = 0; i < attributes.findings; i++) {
        free(attributes.finding[i].key);
        free(attributes.finding[i].about);
        free(attributes.finding[i].line);
    }
    free(attributes.finding);
    cs_phrase_free(&attributes.line);
    return status == CS_OK ? cs_report_print_table(output) : status;
}
