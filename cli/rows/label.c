#include "cli/rows/label.h"

#include <inttypes.h>
#include <string.h>

void cs_label_add_key(struct cs_phrase *text, struct cs_rows *row, const char *word)
{
    if (cs_rows_has(row, "key"))
        cs_phrase_add(text, "%s", cs_rows_text(row, "key"));
    else if (cs_rows_has(row, "key_location"))
        cs_phrase_add(text, "%s created at %s", word, cs_rows_text(row, "key_location"));
    else if (cs_rows_has(row, "keyval"))
        cs_phrase_add(text, "key %" PRId64, cs_rows_integer(row, "keyval"));
    else
        cs_phrase_add(text, "a key");
}

void cs_label_add_objects(struct cs_phrase *text, struct cs_rows *row)
{
    int64_t objects = cs_rows_integer(row, "objects");
    if (cs_rows_has(row, "object"))
        cs_phrase_add(text, "%s", cs_rows_text(row, "object"));
    if (cs_rows_has(row, "other_object"))
        cs_phrase_add(text, ", %s", cs_rows_text(row, "other_object"));
    if (objects > 2)
        cs_phrase_add(text, " and %" PRId64 " more", objects - 2);
}

void cs_label_add_row(struct cs_phrase *text, const struct cs_row_name *row)
{
    bool other = row->kind && (strcmp(row->kind, "window") == 0 || strcmp(row->kind, "file") == 0);
    cs_phrase_add(text, "%s", row->name);
    if (row->number)
        cs_phrase_add(text, " #%" PRId64, row->number);
    if (row->names > 1)
        cs_phrase_add(text, " and %" PRId64 " more", row->names - 1);
    else if (row->communicators > 1)
        cs_phrase_add(text, " [%" PRId64 " %ss]", row->communicators, row->kind ? row->kind : "communicator");
    if (other && *row->name != '(')
        cs_phrase_add(text, " (%s)", row->kind);
}
