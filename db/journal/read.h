/* What a journal has: facts and cells. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "db/journal/format.h"
#include "db/journal/reader.h"

/* Calls visit for every complete fact in order. A fact's own size and its position are checked, its content is not: see
   cs_fact_holds and cs_fact_string. A result other than CS_OK ends the reading and is returned. CS_IO, CS_NO_MEMORY. */
enum cs_status cs_journal_read_facts(struct cs_journal_reader *reader,
                                     enum cs_status (*visit)(void *context, const struct cs_fact *fact), void *context);

/* The same for the cells of all blocks of this type; `bytes` is the size of the cell's structure. The cell is a copy.
 */
enum cs_status cs_journal_read_cells(struct cs_journal_reader *reader, enum cs_block_type type, size_t bytes,
                                     enum cs_status (*visit)(void *context, const void *cell), void *context);

/* Whether the fact is long enough for its structure of so many bytes. */
static inline bool cs_fact_holds(const struct cs_fact *fact, size_t bytes)
{
    return fact->bytes >= bytes;
}

/* The string number `index` (from 0) behind a structure of so many bytes, or NULL if the fact ends before the string
 * does. */
const char *cs_fact_string(const struct cs_fact *fact, size_t bytes, unsigned index);
