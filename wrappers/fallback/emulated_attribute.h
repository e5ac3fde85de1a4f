/* Attributes of callsign's own: MPI 4.1, 7.7. Keyvals that callsign did not make are passed to the MPI. */
#pragma once

#include <stdbool.h>

#include "next.h"
#include "whole_mpi.h"
#include "wrappers/fallback/emulated_store.h"

/* Attribute values between languages: MPI 4.1, 19.3.6. C has pointers; what Fortran set it gets as the address of the
   integer. Fortran has integers; a pointer of C is an address there, and INTEGER of MPI-1 has the lower half of what is
   larger. */

static inline struct cs_emulated_value cs_value_of_c(void *pointer)
{
    return (struct cs_emulated_value){.pointer = pointer, .kind = CS_EMULATED_POINTER};
}

static inline struct cs_emulated_value cs_value_of_integer(MPI_Fint integer)
{
    return (struct cs_emulated_value){.integer = integer, .kind = CS_EMULATED_INTEGER};
}

static inline struct cs_emulated_value cs_value_of_address(MPI_Aint address)
{
    return (struct cs_emulated_value){.address = address, .kind = CS_EMULATED_ADDRESS};
}

/* kept: where it is kept, which is the answer for what Fortran set. */
static inline void *cs_value_in_c(struct cs_emulated_value value, const void *kept)
{
    return value.kind == CS_EMULATED_POINTER ? value.pointer : (void *)(uintptr_t)kept;
}

static inline MPI_Aint cs_value_in_fortran(struct cs_emulated_value value)
{
    /* MPI_Aint has no sign in some MPIs. */
    return value.kind == CS_EMULATED_POINTER   ? (MPI_Aint)(intptr_t)value.pointer
           : value.kind == CS_EMULATED_INTEGER ? (MPI_Aint)value.integer
                                               : (MPI_Aint)value.address;
}

/* ---- keyvals ---- */

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
int cs_fallback_create_keyval(enum callsign_kind kind, const struct cs_emulated_callbacks *callbacks, int *keyval);
int cs_fallback_free_keyval(enum callsign_kind kind, int *keyval);

/* What the store said as an error code that the program's error handler has been told. */
int cs_fallback_answer(enum callsign_kind kind, uint64_t object, struct cs_emulated_result result);

/* ---- predefined attributes ---- */

/* ---- attributes ---- */

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
int cs_fallback_set_attr(enum callsign_kind kind, uint64_t object, int keyval, struct cs_emulated_value value);
int cs_fallback_get_attr(enum callsign_kind kind, uint64_t object, int keyval, struct cs_emulated_answer *answer);
int cs_fallback_delete_attr(enum callsign_kind kind, uint64_t object, int keyval);

/* Whether the MPI, if it has attributes, is to be asked about a keyval of such objects, and whether it may set and
   delete under it: what is predefined only the MPI has, and nobody may change it. Predefined ones of other objects are
   an error that MPIs find different words for. */
bool cs_fallback_is_to_get(enum callsign_kind kind, int keyval);
bool cs_fallback_is_to_change(int keyval);
