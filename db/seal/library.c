#include "db/seal/convert.h"

#include <errno.h>

/* The only exported symbol of libcallsign-seal.so. */
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
