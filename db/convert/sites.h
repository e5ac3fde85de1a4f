/* Converts return addresses and call stacks of a process to sites and frames that are equal in every trace: module,
   build id and offset. */
#pragma once

#include <stdint.h>

#include "base/status.h"
#include "db/convert/conversion.h"
#include "db/trace/trace_writer.h"
#include "journal/format.h"

struct cs_sites;

/* cs_sites_write writes rows of frames and sites, unless other ranks of the trace had them. NULL: out of memory. */
struct cs_sites *cs_sites_create(const struct cs_conversion *conversion);

void cs_sites_destroy(struct cs_sites *sites);

/* Adds a module; modules must come in the order of loading. CS_CORRUPT: the fact is invalid. */
enum cs_status cs_sites_module(struct cs_sites *sites, const struct cs_fact_module *module);

/* Adds a frame of Python. CS_CORRUPT: the fact is invalid. */
enum cs_status cs_sites_python_frame(struct cs_sites *sites, const struct cs_fact_python_frame *frame);

/* Adds a function that left the stack by a tail call: the frame of its first instruction becomes the innermost one of
   each stack that ends in its return address. */
enum cs_status cs_sites_tail_call(struct cs_sites *sites, const struct cs_fact_tail_call *call);

/* Adds a stack, with the modules at the fact's instant, and the rows of its sites. CS_CORRUPT: the fact is
   invalid. */
enum cs_status cs_sites_stack(struct cs_sites *sites, const struct cs_fact_stack *stack);

/* Stands for the instant of the calls in a cell. */
#define CS_SITES_COUNTED 0

/* The number of a site for a known stack, or for a return address at an instant (UINT64_MAX: now). Adds its rows
   if it is new. 0 for 0 and for unknown stacks. */
enum cs_status cs_sites_find(struct cs_sites *sites, uint64_t address, uint64_t ticks, int64_t *site);

/* The module at an address and that instant, which the trace then has, and the address relative to it. 0: none. */
int64_t cs_sites_module_at(struct cs_sites *sites, uint64_t address, uint64_t ticks, int64_t *offset);

/* Writes all rows that were added. */
enum cs_status cs_sites_write(struct cs_sites *sites);
