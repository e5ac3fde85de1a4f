/* Finds the functions of the MPI: those that wrappers forward to (next.h), and those that callsign queries
 * (pmpi_queries.h). */
#pragma once

#include <stdint.h>

/* Fills both tables. Call it before the first call and the first query. */
void cs_find_functions(void);

/* The i-th function that was looked up by its PMPI_ name (preload/looked_up.h); NULL: no more, or unknown. */
const char *cs_looked_up(uint32_t i, const char **path);

/* The next definition of a function in the program's own search order, after callsign; NULL: none. */
void *cs_next_definition(const char *name);
