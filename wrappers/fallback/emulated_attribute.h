/* Attributes of callsign's own: MPI 4.1, 7.7. Keyvals that callsign did not make are passed to the MPI. */
#pragma once

#include <stdbool.h>

#include "emulated.h"
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
static inline void *cs_value_in_c(struct cs_emulated_value value, void *kept)
{
    return value.kind == CS_EMULATED_POINTER ? value.pointer : kept;
}

static inline MPI_Aint cs_value_in_fortran(struct cs_emulated_value value)
{
    /* MPI_Aint has no sign in some MPIs. */
    return value.kind == CS_EMULATED_POINTER   ? (MPI_Aint)(intptr_t)value.pointer
           : value.kind == CS_EMULATED_INTEGER ? (MPI_Aint)value.integer
                                               : (MPI_Aint)value.address;
}

/* ---- keyvals ---- */

/* Of any language; of callsign's own only. */
int cs_fallback_create_keyval(enum callsign_kind kind, const struct cs_emulated_callbacks *callbacks, int *keyval);
int cs_fallback_free_keyval(enum callsign_kind kind, int *keyval);

/* In C. Keyvals that callsign did not make are native's to free; NULL: the MPI has none. */
int cs_fallback_free_keyval_in_c(enum callsign_kind kind, int *keyval, int (*native)(int *));

/* What the store said as an error code that the program's error handler has been told. */
int cs_fallback_answer(enum callsign_kind kind, uint64_t object, struct cs_emulated_result result);

/* ---- predefined attributes ---- */

/* ---- attributes ---- */

/* Of any kind and language, for keyvals that are not the MPI's to answer for. */
int cs_fallback_set_attr(enum callsign_kind kind, uint64_t object, int keyval, struct cs_emulated_value value);
int cs_fallback_get_attr(enum callsign_kind kind, uint64_t object, int keyval, struct cs_emulated_answer *answer);
int cs_fallback_delete_attr(enum callsign_kind kind, uint64_t object, int keyval);

/* MPI_*_get_attr in C. */
int cs_fallback_get_attr_in_c(enum callsign_kind kind, uint64_t object, int keyval, void *value, int *flag);

/* Whether the MPI, if it has attributes, is to be asked about a keyval of such objects, and whether it may set and
   delete under it: what is predefined only the MPI has, and nobody may change it. Predefined ones of other objects are
   an error that MPIs find different words for. */
bool cs_fallback_is_to_get(enum callsign_kind kind, int keyval);
bool cs_fallback_is_to_change(int keyval);
