/* Handles that a call has used or made with success, says the MPI, and that can be none. MPICH 5 returns MPI_SUCCESS
   from a call that failed once an error handler of the program's own has returned: what the handle holds is then what
   stood there before. Asking the MPI about it would call that error handler again. */
#pragma once

#include <stdbool.h>

#include "wrappers/call/call.h"

/* Handles of MPICH are numbers: two bits say how the object is stored, 0 for none, the next four of what kind it is. */
static inline bool cs_can_be_handle(uint64_t key, uint64_t null)
{
#if defined(MPICH_VERSION) || defined(MPICH_NAME)
    return (uint32_t)key >> 30 != 0 && ((uint32_t)(key ^ null) >> 26 & 15) == 0;
#else
    return key != null;
#endif
}

/* null: the null handle of its kind. */
#define cs_is_plausible(handle, null) cs_can_be_handle(CS_KEY(handle), CS_KEY(null))
