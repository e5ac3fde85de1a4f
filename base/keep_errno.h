/* A recorded MPI call must not change errno for the program. Allocations, growing journals, stack walks and
   callsign's own MPI calls may change it. Calls that do none of these save nothing. */
#pragma once

#include <errno.h>

static inline void cs_errno_restore(const int *kept)
{
    errno = *kept;
}

/* Restores errno at the end of the function or block to its value here. */
#define CS_KEEP_ERRNO int cs_errno_kept __attribute__((cleanup(cs_errno_restore), unused)) = errno
