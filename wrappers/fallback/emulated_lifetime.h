/* What happens to names and attributes of callsign's keeping where objects are duplicated and freed: in place of the
   MPI's functions, which these call. */
#pragma once

#include "next.h"
#include "wrappers/fallback/emulated_store.h"

int cs_fallback_Comm_dup(MPI_Comm comm, MPI_Comm *made);
#ifdef CS_HAS_MPI_Comm_dup_with_info
int cs_fallback_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *made);
#endif
#ifdef CS_HAS_MPI_Comm_idup
int cs_fallback_Comm_idup(MPI_Comm comm, MPI_Comm *made, MPI_Request *request);
#endif
#ifdef CS_HAS_MPI_Comm_idup_with_info
int cs_fallback_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *made, MPI_Request *request);
#endif
#ifdef CS_HAS_MPI_Type_dup
int cs_fallback_Type_dup(MPI_Datatype type, MPI_Datatype *made);
#endif

/* No duplicates, however the MPI makes them: nothing is copied. */
#ifdef CS_HAS_MPI_Cart_create
int cs_fallback_Cart_create(MPI_Comm comm, int count, const int dims[], const int periods[], int reorder,
                            MPI_Comm *made);
#endif
#ifdef CS_HAS_MPI_Cart_sub
int cs_fallback_Cart_sub(MPI_Comm comm, const int remain[], MPI_Comm *made);
#endif
#ifdef CS_HAS_MPI_Graph_create
int cs_fallback_Graph_create(MPI_Comm comm, int count, const int index[], const int edges[], int reorder,
                             MPI_Comm *made);
#endif

int cs_fallback_Comm_free(MPI_Comm *comm);
#ifdef CS_HAS_MPI_Comm_disconnect
int cs_fallback_Comm_disconnect(MPI_Comm *comm);
#endif
int cs_fallback_Type_free(MPI_Datatype *type);
#ifdef CS_HAS_MPI_Win_free
int cs_fallback_Win_free(MPI_Win *win);
#endif

/* MPICH hands out once more the datatypes that another is made of. */
#ifdef CS_HAS_MPI_Type_get_contents
int cs_fallback_Type_get_contents(MPI_Datatype type, int max_integers, int max_addresses, int max_types, int *integers,
                                  MPI_Aint *addresses, MPI_Datatype *types);
#endif
#ifdef CS_HAS_MPI_Type_get_contents_c
int cs_fallback_Type_get_contents_c(MPI_Datatype type, MPI_Count max_integers, MPI_Count max_addresses,
                                    MPI_Count max_counts, MPI_Count max_types, int *integers, MPI_Aint *addresses,
                                    MPI_Count *counts, MPI_Datatype *types);
#endif

/* Attributes of MPI_COMM_SELF are deleted first of all (MPI 4.1, 11.2.4), then those of MPI_COMM_WORLD. */
int cs_fallback_Finalize(void);

/* ---- windows ---- */

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
