#include "db/convert/journal_to_trace.h"
#include "db/convert/node.h"

#include <errno.h>

/* The exported symbols of libcallsign-convert.so. */
__attribute__((visibility("default"))) int callsign_convert(const char *journal_path, const char *trace_path,
                                                            unsigned options)
{
    /* The program may read errno after MPI_Finalize. */
    int saved_errno = errno;
    const struct cs_convert_options convert_options = {.keep_journal = (options & 1) != 0,
                                                       .unsynced = (options & 2) != 0};
    enum cs_status status = cs_convert(journal_path, trace_path, &convert_options);
    errno = saved_errno;
    return (int)status;
}

__attribute__((visibility("default"))) int callsign_convert_node(const char *folder, unsigned options,
                                                                 uint64_t most_items, uint32_t *outcome)
{
    int saved_errno = errno;
    const struct cs_convert_node_options convert_options = {.keep_journals = (options & 1) != 0,
                                                            .unsynced = (options & 2) != 0,
                                                            .events = (options & 4) != 0,
                                                            .most_items = most_items,
                                                            .outcome = outcome};
    enum cs_status status = cs_convert_node_at_end(folder, &convert_options);
    errno = saved_errno;
    return (int)status;
}
