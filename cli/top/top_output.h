/* An interval of callsign top as text, JSON or CSV. */
#pragma once

#include <stdio.h>

#include "cli/text/text.h"
#include "cli/top/top_names.h"
#include "cli/top/top_reading.h"

/* Order of the ranks in a table, most first. */
enum cs_top_order { CS_TOP_BY_RANK, CS_TOP_BY_SHARE, CS_TOP_BY_CALLS, CS_TOP_BY_BYTES, CS_TOP_ORDERS };

struct cs_top_view {
    const struct cs_top *top;
    struct cs_top_names *names;
    struct cs_terminal terminal;
};

/* Two lines about the whole run, and one about the rank that all others wait for, if there is one. */
void cs_top_print_head(const struct cs_top_view *view, FILE *stream);

/* The share in MPI of each rank as a row of bars, in the order of ranks; of several together if there are more than
   columns. "!" is the rank that all others wait for, and "." one without figures. Nothing for a single rank. */
void cs_top_print_strip(const struct cs_top_view *view, FILE *stream);

/* A table of so many ranks, beginning with the row `first` in this order. most 0: as many as the command prints by
   itself. CS_NO_MEMORY. */
enum cs_status cs_top_print_ranks(const struct cs_top_view *view, FILE *stream, enum cs_top_order order, size_t first,
                                  size_t most);

/* The ranks of such a table in its order, to be freed. NULL: out of memory. */
const struct cs_top_journal **cs_top_sorted(const struct cs_top *top, enum cs_top_order order, size_t *count);

/* A table of the first lines of a subject, at most `most` after `first`; nothing if there are none. CS_NO_MEMORY. */
enum cs_status cs_top_print_lines(const struct cs_top_view *view, FILE *stream, enum cs_top_subject subject,
                                  size_t first, size_t most);

/* A line of JSON. */
void cs_top_print_json(const struct cs_top_view *view, double interval);

/* A line for each rank; before the first interval, the names of the columns. */
void cs_top_print_csv(const struct cs_top *top, bool first);
