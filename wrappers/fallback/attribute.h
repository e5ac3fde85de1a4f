/* Attributes of callsign's own: MPI 4.1, 7.7. Keyvals that callsign did not make are passed to the MPI. */
#pragma once

#include "whole_mpi.h"

#include "wrappers/fallback/store.h"

int cs_fallback_Comm_set_attr(MPI_Comm comm, int keyval, void *value);
int cs_fallback_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *flag);
int cs_fallback_Comm_delete_attr(MPI_Comm comm, int keyval);
int cs_fallback_Type_set_attr(MPI_Datatype type, int keyval, void *value);
int cs_fallback_Type_get_attr(MPI_Datatype type, int keyval, void *value, int *flag);
int cs_fallback_Type_delete_attr(MPI_Datatype type, int keyval);
int cs_fallback_Win_set_attr(MPI_Win win, int keyval, void *value);
int cs_fallback_Win_get_attr(MPI_Win win, int keyval, void *value, int *flag);
int cs_fallback_Win_delete_attr(MPI_Win win, int keyval);
int cs_fallback_Attr_put(MPI_Comm comm, int keyval, void *value);
int cs_fallback_Attr_get(MPI_Comm comm, int keyval, void *value, int *flag);
int cs_fallback_Attr_delete(MPI_Comm comm, int keyval);

/* The same of any kind and language, for keyvals that are not the MPI's to answer for. */
int cs_fallback_set_attr(enum callsign_kind kind, uint64_t object, int keyval, struct cs_own_value value);
int cs_fallback_get_attr(enum callsign_kind kind, uint64_t object, int keyval, struct cs_own_answer *answer);
int cs_fallback_delete_attr(enum callsign_kind kind, uint64_t object, int keyval);

/* Whether the MPI, if it has attributes, is to be asked about a keyval of such objects, and whether it may set and
   delete under it: what is predefined only the MPI has, and nobody may change it. Predefined ones of other objects are
   an error that MPIs find different words for. */
bool cs_fallback_is_to_get(enum callsign_kind kind, int keyval);
bool cs_fallback_is_to_change(int keyval);
