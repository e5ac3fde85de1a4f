/* How an object was made: the arguments of the call that made it, as they follow its fact in a journal. The seal turns
 * them into JSON.
 *
 * A detail is a sequence of items (enum cs_detail_form of gen/model/object.model), each a struct cs_detail and its
 * values, padded with zeros to 8 bytes:
 *
 *     CS_DETAIL_INTEGER    one int64_t                                       "color": 3
 *     CS_DETAIL_INTEGERS   int64_t how many there were, then as many as are recorded (at most CS_DETAIL_KEPT)
 *                                                                            "dims": [2, 3]
 *     CS_DETAIL_TEXT       a string, ended by NUL                            "filename": "out.dat"
 *     CS_DETAIL_PAIRS      strings, each ended by NUL: key, value, key, ...  "info": {"no_locks": "true"}
 *     CS_DETAIL_OBJECTS    like INTEGERS: numbers of objects of this rank    "types": [7, 7, 9]
 *     CS_DETAIL_TEXTS      int64_t how many there were, then strings, each ended by NUL and none of them empty
 *                                                                            "distribs": ["block", "none"]
 *
 * A list of which only a part is recorded has a second key with "_count": how long it was. A
 * text that was longer than there is room for has "..." where it was cut. CS_DETAIL_DEFAULT is null: the MPI chooses.
 * cs_detail_logical tells whether a key's numbers are true or false. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "journal/format.h"

enum {
    CS_DETAIL_WORDS = 256, /* 8 bytes each: of all items of one object; what does not fit is left out */
    CS_DETAIL_KEPT = 32,   /* of a list */
};

#define CS_DETAIL_DEFAULT INT64_MIN

/* An item as it is read. */
struct cs_detail_item {
    uint16_t key, form;
    const char *values; /* not aligned */
    size_t bytes;       /* of them: checked */
};

/* The item at *at, and *at moves on; begin with 0. False: there is none, or what is there is cut off (then *at is not
 * `bytes`). */
bool cs_detail_next(const void *detail, size_t bytes, size_t *at, struct cs_detail_item *item);

/* Finds the first item of that key. */
bool cs_detail_find(const void *detail, size_t bytes, enum cs_detail_key key, struct cs_detail_item *item);

/* The number of an INTEGER. False: it is none. */
bool cs_detail_number(const struct cs_detail_item *item, int64_t *number);

/* The number of the item of that key. False: there is none. */
bool cs_detail_find_number(const void *detail, size_t bytes, enum cs_detail_key key, int64_t *number);

/* Of INTEGERS and OBJECTS: how many there were, and how many are here: never more than fit. False: it is no list. */
bool cs_detail_list(const struct cs_detail_item *item, int64_t *were, size_t *here);
int64_t cs_detail_at(const struct cs_detail_item *item, size_t i);

/* The string of a TEXT, or NULL: it is none, or has no end. */
const char *cs_detail_string(const struct cs_detail_item *item);

/* The string at *at of PAIRS or TEXTS, and *at moves on; begin with 0 for PAIRS and 8 for TEXTS. NULL: no more. */
const char *cs_detail_next_string(const struct cs_detail_item *item, size_t *at);

/* Whether its numbers are true or false: 0 is false. */
bool cs_detail_logical(uint16_t key);
