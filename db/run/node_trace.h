/* The trace of a node: that of a rank with the rows of several ranks (db/convert/node.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct cs_node_trace {
    int64_t *rank; /* in order */
    size_t ranks;
    size_t finalized; /* how many reached the end of MPI_Finalize */
};

/* Reads which ranks the trace has. One that cannot be read has none. CS_NO_MEMORY. */
enum cs_status cs_node_trace_read(const char *path, struct cs_node_trace *trace);

void cs_node_trace_free(struct cs_node_trace *trace);

bool cs_node_trace_has(const struct cs_node_trace *trace, int64_t rank);

/* Copies the rows of one rank into the empty file `to`, as they would be in a trace of that rank alone. Call sites and
   functions are those of all ranks of the node. CS_SQL, CS_NO_MEMORY, CS_NO_SPACE: not logged. */
enum cs_status cs_node_trace_extract(const char *path, int64_t rank, const char *to);
