#include "record/process/cells.h"

#include <stdlib.h>

#include "base/keep_errno.h"
#include "journal/writer.h"
#include "record/process/recorder.h"

/* ---- cells ---- */

enum { FIRST_SLOTS = 128, LARGEST_BLOCK = 1 << 20, BLOCKS_MOST = 1 << 16 };

/* A quarter of the present size, so that little of the last block is empty. */
static size_t bytes_of_next(const struct cs_cells *cells, uint32_t item_bytes)
{
    size_t bytes = cells->count * item_bytes / 4 / CS_JOURNAL_PAGE * CS_JOURNAL_PAGE;
    return bytes < CS_JOURNAL_PAGE ? CS_JOURNAL_PAGE : bytes > LARGEST_BLOCK ? LARGEST_BLOCK : bytes;
}

static bool add_block(struct cs_cells *cells, uint32_t thread, enum cs_block_type type, uint32_t item_bytes)
{
    uint32_t count = cells->blocks;
    if ((count & (count - 1)) == 0) {
        CS_KEEP_ERRNO;
        struct cs_block **grown = realloc(cells->block, (count ? 2 * (size_t)count : 1) * sizeof *grown);
        if (!grown)
            return false;
        cells->block = grown;
    }
    if (count == BLOCKS_MOST || cs_journal_add_block(cs_recorder.journal, type, thread, item_bytes,
                                                     bytes_of_next(cells, item_bytes), &cells->block[count]) != CS_OK)
        return false;
    cells->blocks++;
    return true;
}

void *cs_cells_append(struct cs_cells *cells, uint32_t thread, enum cs_block_type type, uint32_t item_bytes)
{
    struct cs_block *block = cells->blocks ? cells->block[cells->blocks - 1] : NULL;
    if (!block || sizeof *block + (block->used + 1) * item_bytes > block->bytes) {
        if (!add_block(cells, thread, type, item_bytes)) {
            cs_journal_count_loss(cs_recorder.journal);
            return NULL;
        }
        block = cells->block[cells->blocks - 1];
    }
    void *cell = (char *)(block + 1) + block->used * item_bytes;
    cs_publish(block->used, block->used + 1);
    cs_journal_count(cs_recorder.journal);
    cells->count++;
    cells->newest = (cells->blocks - 1) << 16 | (uint32_t)block->used;
    return cell;
}

/* Doubles the index when it is three quarters full. */
static bool make_room(struct cs_cells *cells, const struct cs_cell_type *type)
{
    if (cells->index && 4 * cells->count < 3 * cells->mask)
        return true;
    CS_KEEP_ERRNO;
    uint64_t slots = cells->index ? 2 * (cells->mask + 1) : FIRST_SLOTS;
    uint32_t *index = calloc(slots, sizeof *index);
    if (!index) {
        cs_journal_count_loss(cs_recorder.journal);
        return false;
    }
    for (uint64_t i = 0; cells->index && i <= cells->mask; i++) {
        if (!cells->index[i])
            continue;
        uint64_t slot = cs_key_hash((char *)cs_cells_in(cells, i, type->bytes) + type->key, type) & (slots - 1);
        while (index[slot])
            slot = (slot + 1) & (slots - 1);
        index[slot] = cells->index[i];
    }
    free(cells->index);
    cells->index = index;
    cells->mask = slots - 1;
    return true;
}

/* Writes a whole cell; the field that makes it valid comes last. */
static void publish(char *cell, const char *content, const struct cs_cell_type *type)
{
    size_t after = type->valid + type->valid_bytes;
    uint64_t word;
    uint32_t half;
    memcpy(cell, content, type->valid);
    memcpy(cell + after, content + after, type->bytes - after);
    memcpy(&word, content + type->valid, sizeof word);
    memcpy(&half, content + type->valid, sizeof half);
    if (type->valid_bytes == sizeof word)
        atomic_store_explicit((_Atomic uint64_t *)(void *)(cell + type->valid), word, memory_order_release);
    else
        atomic_store_explicit((_Atomic uint32_t *)(void *)(cell + type->valid), half, memory_order_release);
}

void *cs_cells_add(struct cs_cells *cells, uint32_t thread, const void *content, const struct cs_cell_type *type)
{
    if (!make_room(cells, type))
        return NULL;
    void *cell = cs_cells_append(cells, thread, type->block, type->bytes);
    if (!cell)
        return NULL;
    const char *key = (const char *)content + type->key;
    uint64_t slot = cs_key_hash(key, type) & cells->mask;
    for (const void *other; (other = cs_cells_in(cells, slot, type->bytes)) && !cs_cell_has_key(other, key, type);)
        slot = (slot + 1) & cells->mask;
    publish(cell, content, type);
    cells->index[slot] = cells->newest;
    return cell;
}

bool cs_cells_release(struct cs_cells *cells)
{
    if (!cs_journal_is_in_file(cs_recorder.journal))
        return false;
    for (uint32_t i = 0; i < cells->blocks; i++)
        cs_journal_unmap(cells->block[i]);
    uint64_t before = cells->before + ((uint64_t)cells->blocks << 16);
    free(cells->block);
    free(cells->index);
    *cells = (struct cs_cells){.look = cells->look, .before = before < UINT32_MAX ? (uint32_t)before : UINT32_MAX};
    return true;
}

/* ---- tally ---- */

struct cs_tally_slot {
    uint64_t key; /* 0: empty */
    uint64_t count;
};

enum { FIRST_TALLY_SLOTS = 16 };

static struct cs_tally_slot *find_tally(const struct cs_tally *tally, uint64_t key)
{
    uint64_t i = cs_hash_mix(0, key) & tally->mask;
    while (tally->slots[i].key && tally->slots[i].key != key)
        i = (i + 1) & tally->mask;
    return &tally->slots[i];
}

static int grow_tally(struct cs_tally *tally)
{
    CS_KEEP_ERRNO;
    uint64_t slots = tally->slots ? 2 * (tally->mask + 1) : FIRST_TALLY_SLOTS;
    struct cs_tally grown = {calloc(slots, sizeof *grown.slots), slots - 1, tally->used};
    if (!grown.slots)
        return 0;
    for (uint64_t i = 0; tally->slots && i <= tally->mask; i++)
        if (tally->slots[i].key)
            *find_tally(&grown, tally->slots[i].key) = tally->slots[i];
    free(tally->slots);
    *tally = grown;
    return 1;
}

uint64_t cs_tally_get(const struct cs_tally *tally, uint64_t key)
{
    return tally->slots ? find_tally(tally, key)->count : 0;
}

void cs_tally_count(struct cs_tally *tally, uint64_t key)
{
    if ((!tally->slots || 4 * tally->used > 3 * tally->mask) && !grow_tally(tally))
        return;
    struct cs_tally_slot *slot = find_tally(tally, key);
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
