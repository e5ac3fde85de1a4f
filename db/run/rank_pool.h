/* Internal to the merge: reads the files of ranks on all cores, a few ahead of the one that is being written. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "db/run/rank_reader.h"

struct cs_rank_pool;

/* Begins to read the files, as cs_rank_read. The paths stay the caller's. NULL: out of memory. */
struct cs_rank_pool *cs_rank_pool_create(const char *const *path, size_t count, bool leave_profile);

/* Waits for file `number`; they are taken in order. The result is valid until the next is taken. */
struct cs_rank_rows *cs_rank_pool_take(struct cs_rank_pool *pool, size_t number);

/* Ends the threads; NULL is allowed. */
void cs_rank_pool_destroy(struct cs_rank_pool *pool);
