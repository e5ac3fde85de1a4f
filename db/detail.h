/* How an object was made: the arguments of the call that made it, as they follow its fact in a journal. Seal turns them
 * into JSON.
 *
 * A detail is a sequence of items, each a struct cs_detail and its values, padded to 8 bytes:
 *
 *     CS_DETAIL_INTEGER    one int64_t                                       "color": 3
 *     CS_DETAIL_INTEGERS   int64_t how many there were, then as many as are kept (at most CS_DETAIL_KEPT)
 *                                                                            "dims": [2, 3]
 *     CS_DETAIL_TEXT       a string, ended by NUL                            "filename": "out.dat"
 *     CS_DETAIL_PAIRS      strings, each ended by NUL: key, value, key, ...  "info": {"no_locks": "true"}
 *     CS_DETAIL_OBJECTS    like INTEGERS: numbers of objects of this rank    "types": [7, 7, 9]
 *
 * A list that was longer than what is kept says so: its key is followed by one with "_count", which tells how long. */
#ifndef CS_DB_DETAIL_H
#define CS_DB_DETAIL_H

#include <stdint.h>

enum cs_detail_form {
    CS_DETAIL_INTEGER = 1,
    CS_DETAIL_INTEGERS,
    CS_DETAIL_TEXT,
    CS_DETAIL_PAIRS,
    CS_DETAIL_OBJECTS,
};

/* Numbers are in journals: never change one. The names are those of the MPI standard's arguments. */
enum cs_detail_key {
    CS_DETAIL_COLOR = 1,
    CS_DETAIL_KEY,
};

enum {
    CS_DETAIL_WORDS = 256, /* 8 bytes each: of all items of one object; what does not fit is left out */
    CS_DETAIL_KEPT = 32,   /* of a list */
};

struct cs_detail {
    uint16_t key;   /* enum cs_detail_key */
    uint16_t form;  /* enum cs_detail_form */
    uint32_t bytes; /* of the values with padding: a multiple of 8 */
};

#endif
