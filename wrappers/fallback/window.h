/* Windows of an MPI that has no attributes of windows: what MPI_Win_get_attr says of them is kept when they are made.
   In place of the MPI's functions, which these call. */
#pragma once

#include "next.h"
#include "wrappers/fallback/kept.h"

#ifdef CS_HAS_MPI_Win_create
int cs_fallback_Win_create(void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *made);
#endif
#ifdef CS_HAS_MPI_Win_create_c
int cs_fallback_Win_create_c(void *base, MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm, MPI_Win *made);
#endif
#ifdef CS_HAS_MPI_Win_allocate
int cs_fallback_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *made);
#endif
#ifdef CS_HAS_MPI_Win_allocate_c
int cs_fallback_Win_allocate_c(MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *made);
#endif
#ifdef CS_HAS_MPI_Win_allocate_shared
int cs_fallback_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *made);
#endif
#ifdef CS_HAS_MPI_Win_allocate_shared_c
int cs_fallback_Win_allocate_shared_c(MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm, void *base,
                                      MPI_Win *made);
#endif
#ifdef CS_HAS_MPI_Win_create_dynamic
int cs_fallback_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *made);
#endif

/* Keeps it, unless the MPI can say it itself; for any language. flavor: MPI_WIN_FLAVOR_CREATE, ... */
void cs_fallback_keep_window(MPI_Win made, int flavor, void *base, MPI_Aint size, MPI_Aint unit);
