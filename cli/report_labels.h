/* The names of keys and objects in reports, and the columns that tables show in words (cli/reports.h). */
#pragma once

#include "cli/phrase.h"
#include "cli/rows.h"

/* Columns key, key_location, keyval: "MPI_TAG_UB", "the key created at init keys.c:3", "key 17"; `word`: "the key".
 */
void cs_label_add_key(struct cs_phrase *text, struct cs_rows *row, const char *word);

/* Columns object, other_object, objects: "rows, grid and 3 more". */
void cs_label_add_objects(struct cs_phrase *text, struct cs_rows *row);
