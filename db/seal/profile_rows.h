/* The profile: cells, and calls that came as facts, added up by the key of the table. */
#pragma once

#include <stdint.h>

#include "base/status.h"
#include "db/seal/sealing.h"
#include "journal/format.h"

struct cs_profile;

/* NULL: out of memory. */
struct cs_profile *cs_profile_create(void);

void cs_profile_destroy(struct cs_profile *profile);

/* Remembers the communicator of a window or file, which cells do not know. */
enum cs_status cs_profile_communicator(struct cs_profile *profile, uint32_t object, uint32_t communicator);

/* Adds the call that freed an object, as the fact has it. */
enum cs_status cs_profile_free(struct cs_sealing *sealing, const struct cs_fact_freed *fact);

/* Reads the cells and writes the table. After the facts. */
enum cs_status cs_profile_write(struct cs_sealing *sealing);
