#include "db/seal/arena.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_FIRST ((size_t)16 << 10)
#define BLOCK_MOST  ((size_t)1 << 20)

enum { ALIGNMENT = 8 };

struct cs_arena_block {
    struct cs_arena_block *former;
    char data[];
};

static char *next_block(struct cs_arena *arena, size_t bytes)
{
    size_t room = arena->room ? 2 * arena->room : BLOCK_FIRST;
    if (room > BLOCK_MOST)
        room = BLOCK_MOST;
    if (room < bytes)
        room = bytes;
    struct cs_arena_block *block = malloc(sizeof *block + room);
    if (!block)
        return NULL;
    block->former = arena->block;
    arena->block = block;
    arena->room = room;
    arena->used = 0;
    return block->data;
}

void *cs_arena_copy(struct cs_arena *arena, const void *data, size_t bytes)
{
    size_t padded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (padded > arena->room - arena->used && !next_block(arena, padded))
        return NULL;
    char *at = arena->block->data + arena->used;
    arena->used += padded;
    return memcpy(at, data, bytes);
}

void cs_arena_free(struct cs_arena *arena)
{
    while (arena->block) {
        struct cs_arena_block *former = arena->block->former;
        free(arena->block);
        arena->block = former;
    }
    *arena = (struct cs_arena){0};
}
