/* What callsign does in a call of the program must not show in errno: allocations, journals that grow, stack walks, and
   what it asks the MPI itself. Calls that do none of it do not pay for it. */
#pragma once

#include <errno.h>

static inline void cs_errno_restore(const int *kept)
{
    errno = *kept;
}

/* errno has at the end of the function, or block, the value that it has here. */
#define CS_KEEP_ERRNO int cs_errno_kept __attribute__((cleanup(cs_errno_restore), unused)) = errno
