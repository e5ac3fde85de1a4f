/* The names of the lines of callsign top, as reports have them: from the journal of one rank that has the line. */
#pragma once

#include "cli/top/top_reading.h"

struct cs_top_names;

/* NULL: out of memory. */
struct cs_top_names *cs_top_names_new(void);
void cs_top_names_free(struct cs_top_names *names);

/* The name of a line; valid as long as the activity. "rows", "(communicator 3, from MPI_Comm_split)", "queue (window)";
   a call site as "step heat.c:40"; "?" if it cannot be found out (yet). */
const char *cs_top_name(struct cs_top_names *names, const struct cs_top *top, struct cs_top_line *line);
