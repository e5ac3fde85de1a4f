/* The table `summary`: statistics over ranks. Summaries of different ranks fold into one: the result does not depend on
   the order, nor on what was folded first. So nodes and MPI processes summarize their own ranks. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct cs_summary;

/* Figures of calls. */
struct cs_call_sums {
    int64_t calls, open, time_ns;
    bool timed; /* min_ns and max_ns hold */
    int64_t min_ns, max_ns;
    int64_t sent_bytes, received_bytes;
};

/* Adds figures. A sum that is too large for 64 bits stays INT64_MAX in any order of figures that are not negative. */
void cs_call_sums_add(struct cs_call_sums *sums, const struct cs_call_sums *more);

/* The calls of a rank of one function at one site on one object; negative figures count as 0. */
struct cs_summary_cell {
    int64_t similar; /* as in the table; 0: none */
    int64_t function, site;
    struct cs_call_sums sums;
    const char *kind; /* of messages, a constant; NULL: they are none. The fields below are about them */
    int64_t size_similar, size_class, messages, message_bytes;
};

/* NULL: out of memory. */
struct cs_summary *cs_summary_create(void);
void cs_summary_destroy(struct cs_summary *summary);

/* Adds all cells of a rank, at once. CS_NO_MEMORY: the summary is lost. */
enum cs_status cs_summary_add_rank(struct cs_summary *summary, int64_t rank, const struct cs_summary_cell *cell,
                                   size_t count);

/* Adds another summary, of other ranks. CS_NO_MEMORY: the summary is lost. */
enum cs_status cs_summary_fold(struct cs_summary *summary, const struct cs_summary *other);

/* Writes the rows of the table `summary`. schema: main or temp. An SQLite error code. */
int cs_summary_write(const struct cs_summary *summary, sqlite3 *db, const char *schema);

/* Adds the rows of main.summary, which may be anybody's. *found: it has rows. CS_CORRUPT: they make no sense;
   CS_NO_MEMORY. After a failure the summary is lost. */
enum cs_status cs_summary_read(struct cs_summary *summary, sqlite3 *db, bool *found);

/* As bytes, for sending; free them. NULL: out of memory. */
void *cs_summary_pack(const struct cs_summary *summary, size_t *bytes);

/* Adds packed bytes. CS_CORRUPT, CS_NO_MEMORY: the summary is lost. */
enum cs_status cs_summary_unpack(struct cs_summary *summary, const void *packed, size_t bytes);

/* The time that stands for a time in the sketch: a whole number of 64 to 127 in its 7 highest bits, and the middle
   below. The error is at most 0.8 %. */
int64_t cs_summary_rounded(int64_t time_ns);
