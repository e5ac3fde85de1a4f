/* Regions of the program, and the fifths of the run. A region has a row only if the program ended it by the name with
   which it began: a word that another tool's argument left in the place of a name is no region. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "db/convert/conversion.h"

/* NULL: no memory. */
struct cs_regions *cs_regions_create(void);

/* Reads the regions of the journal into conversion->regions. */
enum cs_status cs_regions_read(struct cs_conversion *conversion);

/* Frees them; accepts NULL. */
void cs_regions_destroy(struct cs_regions *regions);

/* The region of a profile cell as in the table: the number's own, or that of the nearest one around it with a row; 0:
   none. */
int64_t cs_regions_find(const struct cs_regions *regions, uint32_t number);

/* Whether there is one with a row. */
bool cs_regions_any(const struct cs_regions *regions);

/* Writes the tables region and fifth. */
enum cs_status cs_regions_write(struct cs_conversion *conversion);
