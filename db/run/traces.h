/* Provides each file of a run as a trace: journals are converted, into a temporary folder if theirs is not writable. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "db/run/files.h"
#include "db/run/open_run.h"

struct cs_run_traces {
    char **path;
    size_t count;
    char *temporary; /* folder for traces that could not be written next to their journals; NULL: none */
    bool foreign;    /* a journal of another user was skipped, which was logged */
    bool patient;    /* as in struct cs_run_options */
    bool all_events; /* likewise */
    struct cs_run_info info;
};

struct cs_convert_options;
struct cs_convert_node_options;
struct cs_converted_node;

/* cs_convert. If the journal lies in the folder of a node, it waits for the node's lock, so that nobody else converts
   it at the same time. *gone: another process has done so meanwhile, and nothing was logged; the result is CS_IO. */
enum cs_status cs_run_journal_convert(const char *journal, const char *trace, const struct cs_convert_options *options,
                                      bool *gone);

/* cs_convert_node that waits while another process converts the node's journals; a line says so after two seconds.
 *waited: it did, or the folder is gone: the files must be listed again. */
enum cs_status cs_run_node_convert(const char *folder, const struct cs_convert_node_options *options,
                                   struct cs_converted_node *converted, bool *waited);

/* Lists the files of the run at path as cs_run_files_list, and converts the journals of each node whose processes have
   all ended into one trace, where that is possible. *converted: how many journals. Errors as cs_run_files_list. */
enum cs_status cs_run_files_converted(const char *path, struct cs_run_files *files, size_t *converted);

/* The number of ranks, or only that it is larger than `enough`. */
size_t cs_run_traces_count_ranks(const struct cs_run_traces *traces, size_t enough);

/* Their size together. */
int64_t cs_run_traces_count_bytes(const struct cs_run_traces *traces);

/* The paths of the traces, the one with the lowest rank first; to be freed, but not the paths. NULL: no memory. */
char **cs_run_traces_order(const struct cs_run_traces *traces);

/* Moves the traces' paths out of `files`. Journals that cannot be converted are skipped and logged in one line.
   CS_NO_MEMORY. */
enum cs_status cs_run_traces_collect(struct cs_run_files *files, const struct cs_run_options *options,
                                     struct cs_run_traces *traces);

/* Removes the files in the temporary folder; open ones stay readable. */
void cs_run_traces_unlink(struct cs_run_traces *traces);

/* Removes the files and frees all memory. A zeroed structure is allowed. */
void cs_run_traces_free(struct cs_run_traces *traces);
