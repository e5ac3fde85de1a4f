/* Columns of reports that their tables show in words. The SELECT of a report has typed columns, for csv and json. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/phrase.h"
#include "cli/reports.h"
#include "cli/rows.h"

/* ---- disagree ---- */

/* "MPI_TAG_UB", "the key created at init keys.c:3", "key 17" */
static void add_key(struct cs_phrase *text, struct cs_rows *row)
{
    if (cs_rows_has(row, "attribute"))
        cs_phrase_add(text, "%s", cs_rows_text(row, "attribute"));
    else if (cs_rows_has(row, "key_location"))
        cs_phrase_add(text, "the key created at %s", cs_rows_text(row, "key_location"));
    else
        cs_phrase_add(text, "key %" PRId64, cs_rows_integer(row, "keyval"));
}

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
    /* What follows the words: a value in quotes, the key, or the other communicator. */
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
    const char *other = cs_rows_text(row, "other");
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
        add_key(text, row);
        if (kinds[i].what == KEY_AND_VALUE)
            cs_phrase_add(text, " to an %s", value ? value : "");
        break;
    case KEY_IS_VALUE:
        cs_phrase_add(text, " ");
        add_key(text, row);
        cs_phrase_add(text, " = %s", value ? value : "");
        break;
    case OTHER:
        cs_phrase_add(text, " %s", other ? other : "another one");
        break;
    }
}

const struct cs_report_words report_disagree_words[] = {{"kind", "difference", add_difference}, {0}};
