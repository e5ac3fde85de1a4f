/* Converts all journals of a node to one trace, which has the tables of a rank's trace with the rows of all ranks; some
   of them as views, see cs_trace_create_of_node.
   Their instants count from the zero of the lowest rank in it, because the ranks of a node share a clock. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct cs_convert_node_options {
    bool keep_journals;  /* do not remove the journals after success */
    bool unsynced;       /* removes the journals before the trace is on the disk */
    bool events;         /* the events of all journals are kept: they count as items, too */
    uint64_t most_items; /* leaves the journals alone if all have more facts and cells together; 0: no limit */
    uint32_t *outcome;   /* of this process's own journal: says CS_OUTCOME_CONVERTING meanwhile; NULL: it has none */
};

struct cs_converted_node {
    char trace[PATH_MAX]; /* "": there was nothing to convert */
    char **journal;       /* journals that are in it */
    size_t count, room;
    bool writer; /* CS_BUSY: a process of the node still wrote */
};

/* Converts the journals of ranks in the folder of a node (journal/node_folder.h). Never waits. CS_BUSY: a process of
   the node still writes, another process converts, or there is too much to convert; not logged. CS_INVALID: the file
   system has no locks, so that each journal must be converted alone; not logged. CS_DENIED: another user's journals.
   Others: logged in one line. After a failure all journals stay. Journals that cannot be read, or have another clock,
   stay too, as do journals that a trace of the node has already. A trace that is there stays: further ones are called
   node-NAME.2.db. */
enum cs_status cs_convert_node(const char *folder, const struct cs_convert_node_options *options,
                               struct cs_converted_node *converted);

/* cs_convert_node for a process that ends after it closed its journal. A process that ends while another one holds the
   lock leaves its journal to that one. So this looks again after it dropped the lock. */
enum cs_status cs_convert_node_at_end(const char *folder, const struct cs_convert_node_options *options);

void cs_converted_node_free(struct cs_converted_node *converted);

/* cs_convert_node_at_end under a plain C name for dlsym, as MPI_Finalize calls it. options bits: 1 keep_journals,
   2 unsynced, 4 events. Returns an enum cs_status. */
int callsign_convert_node(const char *folder, unsigned options, uint64_t most_items, uint32_t *outcome);
