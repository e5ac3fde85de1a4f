/* Return addresses and call stacks of a process become sites and frames that mean the same in every trace: module,
   build id and offset. */
#pragma once

#include <stdint.h>

#include "base/status.h"
#include "db/trace/trace_writer.h"
#include "journal/format.h"

struct cs_sites;

/* NULL: out of memory. Rows of frames and sites go to `rows`. */
struct cs_sites *cs_sites_create(struct cs_rows *rows);

void cs_sites_destroy(struct cs_sites *sites);

/* Learns a module, from first to last as they were loaded. A fact that makes no sense is CS_CORRUPT. */
enum cs_status cs_sites_module(struct cs_sites *sites, const struct cs_fact_module *module);

/* Learns a stack, with the modules as they were at the fact's instant, and writes the rows of its sites. CS_CORRUPT. */
enum cs_status cs_sites_stack(struct cs_sites *sites, const struct cs_fact_stack *stack);

/* The number of a site of the journal: of a stack that is known, or of a return address as it was at an instant
   (UINT64_MAX: now); writes its rows when it is new. 0 for 0 and for a stack that is not known. */
enum cs_status cs_sites_find(struct cs_sites *sites, uint64_t address, uint64_t ticks, int64_t *site);
