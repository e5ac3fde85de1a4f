/* The words of callsign hang for why a rank cannot go on. */
#pragma once

#include "cli/hang/hang_print.h"

/* Begins a line. */
sqlite3_str *cs_hang_line(const char *start);

/* Ends and prints a line; terminal control characters are made visible. */
void cs_hang_end_line(const struct cs_hang_output *output, sqlite3_str *text);

/* Appends "rank 2" or "ranks 0-3,7". word: "Rank" or "rank"; NULL: only the numbers. Sorts the list. */
void cs_hang_add_ranks(sqlite3_str *text, const char *word, int *rank, size_t count);

/* The need that blocks a thread of the rank, and the thread. core: a need that ranks of that deadlock do not meet;
   CS_HANG_NONE: any. NULL: none. */
const struct cs_hang_need *cs_hang_hopeless_need(const struct cs_hang *hang, const struct cs_hang_rank *rank, int core,
                                                 const struct cs_hang_thread **where);

/* The ranks that must meet the need and cannot, as ranks in MPI_COMM_WORLD; the caller frees it. NULL without
   memory. */
int *cs_hang_givers_of(const struct cs_hang *hang, const struct cs_hang_need *need, int core, size_t *count);

/* Appends why these ranks have not met the need. */
void cs_hang_add_reason(const struct cs_hang_output *output, sqlite3_str *text, const struct cs_hang_thread *thread,
                        const struct cs_hang_need *need, int *giver, size_t givers);
