/* Return addresses of a process become places that mean the same in every trace: module, build id and offset. */
#ifndef CS_DB_SEAL_SITE_H
#define CS_DB_SEAL_SITE_H

#include <stdint.h>

#include "base/status.h"
#include "db/journal/format.h"
#include "db/trace/rows.h"

struct cs_places;

/* NULL: out of memory. Rows of frames and sites go to `rows`. */
struct cs_places *cs_places_create(struct cs_rows *rows);

void cs_places_destroy(struct cs_places *places);

/* Learns a module, from first to last as they were loaded. A fact that makes no sense is CS_CORRUPT. */
enum cs_status cs_places_add(struct cs_places *places, const struct cs_fact_module *module);

/* Learns a stack, with the modules as they were at the fact's instant, and writes the rows of its path. CS_CORRUPT. */
enum cs_status cs_places_stack(struct cs_places *places, const struct cs_fact_stack *stack);

/* The number of a site of the journal: of a stack that was learnt, or of a return address as it was at an instant
   (UINT64_MAX: now); writes its rows when it is new. 0 for 0 and for a stack that nobody told. */
enum cs_status cs_places_find(struct cs_places *places, uint64_t address, uint64_t ticks, int64_t *site);

#endif
