/* How often each of many keys was counted: for limits on what is kept apart. One thread's alone. */
#pragma once

#include <stdint.h>

struct cs_tally {
    struct cs_tally_slot *slots; /* open addressing; NULL: nothing counted yet */
    uint64_t mask, used;
};

/* Of a key that is not 0. */
uint64_t cs_tally_of(const struct cs_tally *tally, uint64_t key);

/* Counts once more. Without memory a key counts as if it were new. */
void cs_tally_count(struct cs_tally *tally, uint64_t key);

/* Forgets all. */
void cs_tally_clear(struct cs_tally *tally);
