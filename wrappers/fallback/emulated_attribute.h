/* callsign's own attributes (MPI 4.1, 7.7). Keyvals that callsign did not make are passed to the MPI. */
#pragma once

#include <stdbool.h>

#include "emulated.h"
#include "next.h"
#include "whole_mpi.h"
#include "wrappers/fallback/emulated_store.h"

/* Attribute values between languages (MPI 4.1, 19.3.6). C uses pointers: for a value set by Fortran it gets the
   integer's address. Fortran uses integers: a C pointer becomes an address, of which INTEGER of MPI-1 gets the lower
   half. */

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

/* kept: address of the stored value, which C gets if Fortran set it. */
static inline void *cs_value_in_c(struct cs_emulated_value value, void *kept)
{
    return value.kind == CS_EMULATED_POINTER ? value.pointer : kept;
}

static inline MPI_Aint cs_value_in_fortran(struct cs_emulated_value value)
{
    /* MPI_Aint is unsigned in some MPIs. */
    return value.kind == CS_EMULATED_POINTER   ? (MPI_Aint)(intptr_t)value.pointer
           : value.kind == CS_EMULATED_INTEGER ? (MPI_Aint)value.integer
                                               : (MPI_Aint)value.address;
}

/* ---- keyvals ---- */

/* For any language; makes only callsign's own keyvals. */
int cs_fallback_create_keyval(enum callsign_kind kind, const struct cs_emulated_callbacks *callbacks, int *keyval);
int cs_fallback_free_keyval(enum callsign_kind kind, int *keyval);

/* For C. native frees keyvals that callsign did not make; NULL: the MPI has none. */
int cs_fallback_free_keyval_in_c(enum callsign_kind kind, int *keyval, int (*native)(int *));

/* Converts a result of the store to an error code and calls the program's error handler. */
int cs_fallback_answer(enum callsign_kind kind, uint64_t object, struct cs_emulated_result result);

/* ---- attributes ---- */

/* For any kind and language; not for keyvals of the MPI. */
int cs_fallback_set_attr(enum callsign_kind kind, uint64_t object, int keyval, struct cs_emulated_value value);
int cs_fallback_get_attr(enum callsign_kind kind, uint64_t object, int keyval, struct cs_emulated_answer *answer);
int cs_fallback_delete_attr(enum callsign_kind kind, uint64_t object, int keyval);

/* MPI_*_get_attr in C. */
int cs_fallback_get_attr_in_c(enum callsign_kind kind, uint64_t object, int keyval, void *value, int *flag);

/* True if the MPI, if it has attributes, must answer for this keyval on such objects; the second function: for set
   and delete. Only the MPI has predefined attributes, and nobody may change them. Predefined keyvals of another kind
   are an error with different codes in different MPIs. */
bool cs_fallback_is_to_get(enum callsign_kind kind, int keyval);
bool cs_fallback_is_to_change(int keyval);
