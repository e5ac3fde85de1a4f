/* Memory for many small things that are given back together. */
#pragma once

#include <stddef.h>

/* {0} is empty. */
struct cs_arena {
    struct cs_arena_block *block;
    size_t used, room; /* of the newest block */
};

/* A copy of these bytes, aligned for any structure of a journal; NULL: out of memory. */
void *cs_arena_copy(struct cs_arena *arena, const void *data, size_t bytes);

void cs_arena_free(struct cs_arena *arena);
