#include "db/seal/convert.h"
#include "db/seal/node.h"

#include <errno.h>

/* The exported symbols of libcallsign-seal.so. */
__attribute__((visibility("default"))) int callsign_seal(const char *journal_path, const char *trace_path,
                                                         unsigned options)
{
    /* The program may read errno after MPI_Finalize. */
    int saved_errno = errno;
    const struct cs_seal_options seal_options = {.keep_journal = (options & 1) != 0, .unsynced = (options & 2) != 0};
    enum cs_status status = cs_seal(journal_path, trace_path, &seal_options);
    errno = saved_errno;
    return (int)status;
}

__attribute__((visibility("default"))) int callsign_seal_node(const char *folder, unsigned options, uint64_t most_items,
                                                              uint32_t *outcome)
{
    int saved_errno = errno;
    const struct cs_seal_node_options seal_options = {.keep_journals = (options & 1) != 0,
                                                      .unsynced = (options & 2) != 0,
                                                      .events = (options & 4) != 0,
                                                      .most_items = most_items,
                                                      .outcome = outcome};
    enum cs_status status = cs_seal_node_at_end(folder, &seal_options);
    errno = saved_errno;
    return (int)status;
}
