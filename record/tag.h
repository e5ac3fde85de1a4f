/* Tags: one cell per (communicator, direction, tag, call site), see struct cs_tag_cell. */
#pragma once

#include "db/journal/format.h"
#include "record/thread.h"

/* Adds messages; modulo 2^64, so that they can be taken back. The site is one of the profile's. */
void cs_tag_count(struct cs_thread *thread, uint64_t site, uint32_t object, enum cs_direction direction, int32_t tag,
                  uint64_t messages);
