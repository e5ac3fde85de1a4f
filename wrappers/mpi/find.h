/* Finding the functions of the MPI: those that wrappers forward to (next.h) and those that callsign asks
 * (pmpi_queries.h). */
#pragma once

/* Fills both tables. Before the first call and the first question. */
void cs_find_functions(void);

/* The next definition of a function in the program's own search order, after callsign; NULL: none. */
void *cs_next_definition(const char *name);
