/* The profile: cells, and calls that are recorded as facts, added up by the table's key. */
#pragma once

#include <stdint.h>

#include "base/status.h"
#include "db/convert/conversion.h"
#include "journal/format.h"

struct cs_profile_rows;

/* NULL: out of memory. */
struct cs_profile_rows *cs_profile_rows_create(void);

void cs_profile_rows_destroy(struct cs_profile_rows *profile);

/* Notes the communicator of a window or file; cells do not have it. */
enum cs_status cs_profile_rows_set_communicator(struct cs_profile_rows *profile, uint32_t object,
                                                uint32_t communicator);

/* Adds the call that freed an object, from its fact. */
enum cs_status cs_profile_rows_add_free(struct cs_conversion *conversion, const struct cs_fact_freed *fact);

/* Reads the cells and writes the table. Call it after the facts. */
enum cs_status cs_profile_rows_write(struct cs_conversion *conversion);

/* The communicator of a cell's object: its own number if it is no window or file. After cs_profile_rows_write. */
uint32_t cs_profile_rows_communicator(const struct cs_profile_rows *profile, uint32_t object);
