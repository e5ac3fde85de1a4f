/* The arguments of the call that created an object, as they follow its fact in a journal. The conversion makes JSON of
 * them.
 *
 * A detail is a sequence of items (enum cs_detail_form of gen/model/object.model), each a struct cs_detail and its
 * values, padded with zeros to 8 bytes:
 *
 *     CS_DETAIL_INTEGER    one int64_t                                       "color": 3
 *     CS_DETAIL_INTEGERS   int64_t length of the list, then its recorded values (at most CS_DETAIL_KEPT)
 *                                                                            "dims": [2, 3]
 *     CS_DETAIL_TEXT       a string, ended by NUL                            "filename": "out.dat"
 *     CS_DETAIL_PAIRS      strings, each ended by NUL: key, value, key, ...  "info": {"no_locks": "true"}
 *     CS_DETAIL_OBJECTS    like INTEGERS: numbers of objects of this rank    "types": [7, 7, 9]
 *     CS_DETAIL_TEXTS      int64_t length of the list, then strings, each ended by NUL, none empty
 *                                                                            "distribs": ["block", "none"]
 *
 * If only a part of a list is recorded, a second key with "_count" has its length. A text that was cut has "..." at
 * the cut. CS_DETAIL_DEFAULT becomes null: the MPI chooses. cs_detail_logical knows the keys with logical values. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "journal/format.h"

enum {
    CS_DETAIL_WORDS = 256, /* size in 8-byte words of all items of one object; further items are left out */
    CS_DETAIL_KEPT = 32,   /* kept items of a list */
};

#define CS_DETAIL_DEFAULT INT64_MIN

/* An item while reading. */
struct cs_detail_item {
    uint16_t key, form;
    const char *values; /* not aligned */
    size_t bytes;       /* size of the values: checked */
};

/* Reads the item at *at and advances *at; begin with 0. Returns false at the end, or if the item is cut off (then
 * *at is not `bytes`). */
bool cs_detail_next(const void *detail, size_t bytes, size_t *at, struct cs_detail_item *item);

/* Finds the first item with that key. */
bool cs_detail_find(const void *detail, size_t bytes, enum cs_detail_key key, struct cs_detail_item *item);

/* The number of an INTEGER item. Returns false for other items. */
bool cs_detail_number(const struct cs_detail_item *item, int64_t *number);

/* The number of the item with that key. Returns false if there is none. */
bool cs_detail_find_number(const void *detail, size_t bytes, enum cs_detail_key key, int64_t *number);

/* For INTEGERS and OBJECTS: the original length of the list, and how many values are here (never more than fit).
   Returns false if it is no list. */
bool cs_detail_list(const struct cs_detail_item *item, int64_t *were, size_t *here);
int64_t cs_detail_at(const struct cs_detail_item *item, size_t i);

/* The string of a TEXT item; NULL: other items, or the string has no end. */
const char *cs_detail_string(const struct cs_detail_item *item);

/* The string at *at of PAIRS or TEXTS; advances *at. Begin with 0 for PAIRS and 8 for TEXTS. NULL at the end. */
const char *cs_detail_next_string(const struct cs_detail_item *item, size_t *at);

/* True if the key's numbers are logical values: 0 is false. */
bool cs_detail_logical(uint16_t key);
