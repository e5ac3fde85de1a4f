/* Attributes of objects, kept by callsign itself: MPI 4.1, 7.7, without MPI. Handles are plain 64-bit
   keys. For any number of threads: one lock, which is never held while a callback of the program runs, so that it may
   call anything here. */
#pragma once

#include "wrappers/fallback/keyval_table.h"

enum cs_own_outcome {
    CS_OWN_DONE,
    CS_OWN_NO_KEYVAL, /* no such keyval, or not for such objects */
    CS_OWN_NO_MEMORY,
    CS_OWN_REFUSED, /* a callback returned something else than 0 */
};
struct cs_own_result {
    enum cs_own_outcome outcome;
    int code; /* that the callback returned */
};

/* ---- keyvals ---- */

enum cs_own_outcome cs_own_keyval_create(enum callsign_kind kind, const struct cs_own_callbacks *callbacks,
                                         int *number);

/* What attributes still have goes on working until the last of them is deleted; freeing it again is no error then. */
enum cs_own_outcome cs_own_keyval_free(enum callsign_kind kind, int number);

/* ---- attributes ---- */

/* The old value is deleted first; it stays when its callback refuses. The attribute is the newest then. */
struct cs_own_result cs_own_set(enum callsign_kind kind, uint64_t object, int keyval, struct cs_own_value value);

/* One look-up. found: false, it has none under this key. */
struct cs_own_answer {
    bool found;
    struct cs_own_value value;
    const void *kept; /* where its integer is kept, until the attribute is deleted or set */
};
enum cs_own_outcome cs_own_get(enum callsign_kind kind, uint64_t object, int keyval, struct cs_own_answer *answer);

/* One that is not there, or whose callback is just running, is no error. */
struct cs_own_result cs_own_delete(enum callsign_kind kind, uint64_t object, int keyval);

/* Deletes all attributes, newest first. When a callback refuses it stops there, and the rest is kept; in spite: it goes
   on and none is. */
struct cs_own_result cs_own_clear(enum callsign_kind kind, uint64_t object, bool in_spite);
