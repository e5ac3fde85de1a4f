/* The names of keys and objects for people. */
#pragma once

#include "cli/rows/rows.h"
#include "cli/text/phrase.h"

/* Columns key, key_location, keyval: "MPI_TAG_UB", "the key created at init keys.c:3", "key 17"; `word`: "the key".
 */
void cs_label_add_key(struct cs_phrase *text, struct cs_rows *row, const char *word);

/* A communicator, window or file, or several that share a row: a row of the view communicator_time. */
struct cs_row_name {
    const char *name;
    int64_t number; /* 0: the only row of this name */
    int64_t names;
    int64_t communicators; /* 0 or 1: just one */
    const char *kind;      /* NULL: a communicator */
};

/* "rows #2", "halo [2 communicators]", "grid and 3 more", "queue (window)" */
void cs_label_add_row(struct cs_phrase *text, const struct cs_row_name *row);

/* Columns object, other_object, objects: "rows, grid and 3 more". */
void cs_label_add_objects(struct cs_phrase *text, struct cs_rows *row);
