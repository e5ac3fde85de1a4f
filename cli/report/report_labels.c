/* The SELECT of a report has typed columns, for csv and json; its table has these words. */
#include "cli/rows/label.h"

#include <inttypes.h>
#include <string.h>

#include "cli/report/reports.h"
#include "cli/text/text.h"

enum { TAGS_CHARACTERS = 40 };

/* A name, or how the communicator was created. */
static void add_name(struct cs_phrase *text, const char *name, const char *created_by)
{
    if (name)
        cs_phrase_add(text, "%s", name);
    else if (created_by)
        cs_phrase_add(text, "(from %s)", created_by);
    else
        cs_phrase_add(text, "(no name)");
}

static void add_communicator(struct cs_phrase *text, struct cs_rows *row)
{
    add_name(text, cs_rows_text(row, "communicator"), cs_rows_text(row, "created_by"));
}

/* ---- attributes ---- */

static void add_key(struct cs_phrase *text, struct cs_rows *row)
{
    cs_label_add_key(text, row, "key");
}

static void add_answer(struct cs_phrase *text, struct cs_rows *row)
{
    const char *answer = cs_rows_text(row, "answer"), *kind = cs_rows_text(row, "value_kind");
    int64_t answers = cs_rows_integer(row, "answers");
    if (answers > 1)
        cs_phrase_add(text, "%" PRId64 " values", answers);
    else if (kind)
        cs_phrase_add(text, strcmp(kind, "address") == 0 ? "an address" : "several values");
    else
        cs_phrase_add(text, "%s", answer ? answer : "");
}

const struct cs_report_words report_attributes_words[] = {
    {"key", NULL, add_key}, {"object", NULL, cs_label_add_objects}, {"answer", NULL, add_answer}, {0}};

/* ---- balance ---- */

/* "row #1 of 0-3 and 2 more", "queue (window)" */
static void add_balanced(struct cs_phrase *text, struct cs_rows *row)
{
    const char *name = cs_rows_text(row, "communicator"), *kind = cs_rows_text(row, "kind");
    int64_t communicators = cs_rows_integer(row, "communicators");
    cs_phrase_add(text, "%s", name);
    if (cs_rows_has(row, "members"))
        cs_phrase_add(text, " of %s", cs_rows_text(row, "members"));
    if (communicators > 1)
        cs_phrase_add(text, " and %" PRId64 " more", communicators - 1);
    if (*name != '(' && kind && (strcmp(kind, "window") == 0 || strcmp(kind, "file") == 0))
        cs_phrase_add(text, " (%s)", kind);
}

const struct cs_report_words report_balance_words[] = {{"communicator", NULL, add_balanced}, {0}};

/* ---- communicators, congruent, objects ---- */

static void add_timed(struct cs_phrase *text, struct cs_rows *row)
{
    cs_phrase_add(text, "%s", cs_rows_text(row, "communicator"));
    if (cs_rows_has(row, "location"))
        cs_phrase_add(text, " (%s)", cs_rows_text(row, "location"));
}

static void add_congruent(struct cs_phrase *text, struct cs_rows *row)
{
    add_name(text, cs_rows_text(row, "other"), NULL);
}

static void add_node(struct cs_phrase *text, struct cs_rows *row)
{
    cs_phrase_add(text, "%*s", (int)(2 * cs_rows_integer(row, "depth")), "");
    add_communicator(text, row);
}

const struct cs_report_words report_communicators_words[] = {{"communicator", NULL, add_timed}, {0}};
const struct cs_report_words report_congruent_words[] = {
    {"communicator", NULL, add_communicator}, {"other", NULL, add_congruent}, {0}};
const struct cs_report_words report_objects_words[] = {{"communicator", NULL, add_node}, {0}};

/* ---- sizes ---- */

/* "none", "1 B", "8-15 B", "1-2 KiB" */
static void add_size(struct cs_phrase *text, struct cs_rows *row)
{
    int64_t least = cs_rows_integer(row, "least_bytes");
    size_t unit = 0;
    for (; least >= 1024; least /= 1024)
        unit++;
    if (least == 0)
        cs_phrase_add(text, "none");
    else if (least == 1 && unit == 0)
        cs_phrase_add(text, "1 B");
    else
        cs_phrase_add(text, "%" PRId64 "-%" PRId64 " %s", least, 2 * least - (unit == 0), cs_byte_units[unit]);
}

const struct cs_report_words report_sizes_words[] = {{"size_class", "size", add_size}, {0}};

/* ---- tags ---- */

/* Tags as ranges, "7,9"; if they were counted in ranges, "7 to 40000". */
static void add_tags(struct cs_phrase *text, struct cs_rows *row)
{
    if (cs_rows_has(row, "tags"))
        cs_phrase_add_ranges(text, cs_rows_text(row, "tags"), TAGS_CHARACTERS);
    else if (cs_rows_has(row, "first_tag"))
        cs_phrase_add(text, "%" PRId64 " to %" PRId64, cs_rows_integer(row, "first_tag"),
                      cs_rows_integer(row, "largest"));
}

const struct cs_report_words report_tags_words[] = {{"tags", NULL, add_tags}, {0}};

/* ---- disagree ---- */

static void add_sizes(struct cs_phrase *text, struct cs_rows *row)
{
    int64_t least = cs_rows_integer(row, "size"), most = cs_rows_integer(row, "largest_size");
    int64_t remote = cs_rows_integer(row, "remote_size"), most_remote = cs_rows_integer(row, "largest_remote_size");
    cs_phrase_add(text, "has ");
    if (least < most)
        cs_phrase_add(text, "%" PRId64 " to ", least);
    cs_phrase_add_count(text, most, "process", "processes");
    if (!cs_rows_has(row, "remote_size"))
        return;
    cs_phrase_add(text, " and ");
    if (remote < most_remote)
        cs_phrase_add(text, "%" PRId64 " to ", remote);
    cs_phrase_add(text, "%" PRId64 " remote", most_remote);
}

static void add_difference(struct cs_phrase *text, struct cs_rows *row)
{
    /* The part after the words: a value in quotes, the key, or the other communicator. */
    static const struct {
        const char *kind, *words;
        enum { NOTHING, NAME, SIZES, KEY, KEY_AND_VALUE, KEY_IS_VALUE, OTHER } what;
    } kinds[] = {{"named", "is named", NAME},
                 {"unnamed", "has no name", NOTHING},
                 {"size", "", SIZES},
                 {"stored", "sets", KEY_AND_VALUE},
                 {"not_stored", "does not set", KEY},
                 {"found", "finds", KEY},
                 {"not_found", "does not find", KEY},
                 {"answer", "has", KEY_IS_VALUE},
                 {"sent_not_received", "sent messages that were never received", NOTHING},
                 {"received_less", "did not receive all messages sent to it", NOTHING},
                 {"sent_too_long", "sent messages longer than the receive buffers", NOTHING},
                 {"received_truncated", "received messages longer than its buffers", NOTHING},
                 {"sent_less", "sent fewer messages than were received", NOTHING},
                 {"received_more", "received more messages than were sent", NOTHING},
                 {"created_before", "created it before", OTHER},
                 {"freed", "freed it", NOTHING},
                 {"not_freed", "did not free it", NOTHING}};
    const char *kind = cs_rows_text(row, "kind"), *value = cs_rows_text(row, "value");
    size_t i = 0;
    while (i < sizeof kinds / sizeof *kinds && strcmp(kind, kinds[i].kind) != 0)
        i++;
    if (i == sizeof kinds / sizeof *kinds)
        return;
    cs_phrase_add(text, "%s", kinds[i].words);
    switch (kinds[i].what) {
    case NOTHING:
        break;
    case NAME:
        cs_phrase_add(text, " \"%s\"", value ? value : "");
        break;
    case SIZES:
        add_sizes(text, row);
        break;
    case KEY:
    case KEY_AND_VALUE:
        cs_phrase_add(text, " ");
        cs_label_add_key(text, row, "the key");
        if (kinds[i].what == KEY_AND_VALUE)
            cs_phrase_add(text, " to an %s", value ? value : "");
        break;
    case KEY_IS_VALUE:
        cs_phrase_add(text, " ");
        cs_label_add_key(text, row, "the key");
        cs_phrase_add(text, " = %s", value ? value : "");
        break;
    case OTHER:
        cs_phrase_add(text, " ");
        add_name(text, cs_rows_text(row, "other"), cs_rows_text(row, "other_created_by"));
        break;
    }
}

const struct cs_report_words report_disagree_words[] = {
    {"communicator", NULL, add_communicator}, {"kind", "difference", add_difference}, {0}};
