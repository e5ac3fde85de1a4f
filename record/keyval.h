/* Facts about keyvals. */
#pragma once

#include "callsign/debug.h"
#include "db/journal/format.h"

/* A keyval came into being. name: of a predefined one, else NULL. kind: of the objects that it is for. */
void cs_keyval_born(int keyval, enum callsign_kind kind, const char *name, uint16_t function, uint64_t site);

/* One of the two functions of a keyval. */
struct cs_callback {
    uint64_t address;
    const char *name; /* in the standard; NULL: it is the program's own */
};

struct cs_callbacks {
    enum callsign_kind kind; /* of the objects that the keyval is for */
    enum cs_language language;
    struct cs_callback copy, delete;
    int64_t extra_state;
};

/* What the program gave with a keyval. object: the keyval. */
void cs_keyval_callbacks(const struct callsign_record *object, const struct cs_callbacks *callbacks);

/* It was freed while so many objects had a value under it. */
void cs_keyval_freed(uint32_t object, uint32_t holders);
