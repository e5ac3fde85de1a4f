/* Whose MPI it is, where what it does depends on that. A program of the standard ABI meets any. */
#pragma once

#include <stdbool.h>

#include "whole_mpi.h"

/* Whether it is MPICH or one of its kin. */
#if defined(MPICH_VERSION) || defined(MPICH_NAME)
static inline bool cs_is_mpich(void)
{
    return true;
}
#elif !defined(OPEN_MPI) && defined(MPI_ABI_VERSION)
#define CS_WHOSE_MPI_IS_ASKED 1
/* Asks the MPI once. */
bool cs_is_mpich(void);
#else
static inline bool cs_is_mpich(void)
{
    return false;
}
#endif
