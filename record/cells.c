#include "record/cells.h"

#include <stdlib.h>

#include "base/keep_errno.h"
#include "db/journal/block.h"
#include "record/recorder.h"

enum { FIRST_SLOTS = 128, LARGEST_BLOCK = 1 << 20 };

/* Without memory for the list the block stays mapped, which is no harm. */
static void note_full(struct cs_cells *cells)
{
    size_t count = cells->full_count;
    if ((count & (count - 1)) == 0) {
        struct cs_block **grown = realloc(cells->full, (count ? 2 * count : 1) * sizeof *grown);
        if (!grown)
            return;
        cells->full = grown;
    }
    cells->full[cells->full_count++] = cells->block;
}

void *cs_cells_new(struct cs_cells *cells, uint32_t thread, enum cs_block_type type, uint32_t item_bytes)
{
    struct cs_block *block = cells->block;
    if (!block || sizeof *block + (block->used + 1) * item_bytes > block->bytes) {
        size_t bytes = block ? 2 * block->bytes : CS_JOURNAL_PAGE;
        if (bytes > LARGEST_BLOCK)
            bytes = LARGEST_BLOCK;
        if (cs_journal_block(cs_recorder.journal, type, thread, item_bytes, bytes, &block) != CS_OK) {
            cs_journal_lose(cs_recorder.journal);
            return NULL;
        }
        if (cells->block)
            note_full(cells);
        cells->block = block;
    }
    void *cell = (char *)(block + 1) + block->used * item_bytes;
    __atomic_store_n(&block->used, block->used + 1, __ATOMIC_RELEASE);
    cs_journal_count(cs_recorder.journal);
    cells->count++;
    return cell;
}

int cs_cells_make_room(struct cs_cells *cells, uint64_t (*hash)(const void *cell))
{
    if (cells->index && cells->count * 2 < cells->mask)
        return 1;
    CS_KEEP_ERRNO;
    uint64_t slots = cells->index ? 2 * (cells->mask + 1) : FIRST_SLOTS;
    void **index = calloc(slots, sizeof *index);
    if (!index)
        return 0;
    for (uint64_t i = 0; cells->index && i <= cells->mask; i++) {
        if (!cells->index[i])
            continue;
        uint64_t slot = hash(cells->index[i]) & (slots - 1);
        while (index[slot])
            slot = (slot + 1) & (slots - 1);
        index[slot] = cells->index[i];
    }
    free(cells->index);
    cells->index = index;
    cells->mask = slots - 1;
    return 1;
}

bool cs_cells_leave(struct cs_cells *cells)
{
    if (!cs_journal_in_file(cs_recorder.journal))
        return false;
    for (size_t i = 0; i < cells->full_count; i++)
        cs_journal_leave(cells->full[i]);
    if (cells->block)
        cs_journal_leave(cells->block);
    free(cells->full);
    free(cells->index);
    *cells = (struct cs_cells){.look = cells->look};
    return true;
}
