#include "db/seal.h"

/* The one symbol of libcallsign-seal.so. */
__attribute__((visibility("default"))) int callsign_seal(const char *journal_path, const char *trace_path,
                                                         unsigned options)
{
    const struct cs_seal_options seal_options = {.keep_journal = (options & 1) != 0};
    return cs_seal(journal_path, trace_path, &seal_options);
}
