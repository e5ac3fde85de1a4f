#include "record/tally.h"

#include <stdlib.h>

#include "base/keep_errno.h"

struct cs_tally_slot {
    uint64_t key; /* 0: empty */
    uint64_t count;
};

enum { FIRST_SLOTS = 16 };

static struct cs_tally_slot *find(const struct cs_tally *tally, uint64_t key)
{
    uint64_t x = key * 0x9e3779b97f4a7c15u;
    uint64_t i = (x ^ x >> 32) & tally->mask;
    while (tally->slots[i].key && tally->slots[i].key != key)
        i = (i + 1) & tally->mask;
    return &tally->slots[i];
}

static int grow(struct cs_tally *tally)
{
    CS_KEEP_ERRNO;
    uint64_t slots = tally->slots ? 2 * (tally->mask + 1) : FIRST_SLOTS;
    struct cs_tally grown = {calloc(slots, sizeof *grown.slots), slots - 1, tally->used};
    if (!grown.slots)
        return 0;
    for (uint64_t i = 0; tally->slots && i <= tally->mask; i++)
        if (tally->slots[i].key)
            *find(&grown, tally->slots[i].key) = tally->slots[i];
    free(tally->slots);
    *tally = grown;
    return 1;
}

uint64_t cs_tally_of(const struct cs_tally *tally, uint64_t key)
{
    return tally->slots ? find(tally, key)->count : 0;
}

void cs_tally_count(struct cs_tally *tally, uint64_t key)
{
    if ((!tally->slots || 4 * tally->used > 3 * tally->mask) && !grow(tally))
        return;
    struct cs_tally_slot *slot = find(tally, key);
    tally->used += !slot->key;
    slot->key = key;
    slot->count++;
}

void cs_tally_clear(struct cs_tally *tally)
{
    CS_KEEP_ERRNO;
    free(tally->slots);
    *tally = (struct cs_tally){0};
}
