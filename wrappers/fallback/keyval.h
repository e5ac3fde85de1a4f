/* Keyvals of callsign's own: MPI 4.1, 7.7. */
#pragma once

#include "whole_mpi.h"

#include "next.h"
#include "wrappers/fallback/store.h"

int cs_fallback_Comm_create_keyval(MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *delete_fn,
                                   int *keyval, void *extra_state);
int cs_fallback_Type_create_keyval(MPI_Type_copy_attr_function *copy, MPI_Type_delete_attr_function *delete_fn,
                                   int *keyval, void *extra_state);
int cs_fallback_Win_create_keyval(MPI_Win_copy_attr_function *copy, MPI_Win_delete_attr_function *delete_fn,
                                  int *keyval, void *extra_state);
int cs_fallback_Keyval_create(MPI_Copy_function *copy, MPI_Delete_function *delete_fn, int *keyval, void *extra_state);

/* Keyvals that callsign did not make are the MPI's to free. */
int cs_fallback_Comm_free_keyval(int *keyval);
int cs_fallback_Type_free_keyval(int *keyval);
int cs_fallback_Win_free_keyval(int *keyval);
int cs_fallback_Keyval_free(int *keyval);

/* The same for any language; of callsign's own only. */
int cs_fallback_create_keyval(enum callsign_kind kind, const struct cs_own_callbacks *callbacks, int *keyval);
int cs_fallback_free_keyval(enum callsign_kind kind, int *keyval);

/* What the store said as an error code that the program's error handler has been told. */
int cs_fallback_answer(enum callsign_kind kind, uint64_t object, struct cs_own_result result);

/* Whether this keyval is one that callsign did not make and yet may be one. */
bool cs_fallback_is_foreign(int keyval);
