/* The MPI below the emulated names and attributes: its functions, errors and predefined objects. */
#pragma once

#include <stdint.h>

#include "callsign/debug.h"
#include "emulated.h"
#include "next.h"
#include "wrappers/mpi/handle.h"

/* The parts of the MPI that the fallback needs. */

/* The functions that wrappers called before the fallback: the next definitions in the program's search order. NULL:
   the MPI has none. */
extern struct cs_next cs_native __attribute__((visibility("hidden")));

/* Saves the MPI's functions before the fallback replaces any. */
void cs_native_save(void);

/* Returns MPI_SUCCESS for a valid handle of this kind. Otherwise the MPI has called the program's error handler, and
   the error code is returned. */
int cs_native_check(enum callsign_kind kind, uint64_t handle);

/* Calls the error handler of the object (or of none), as the MPI does for its own errors. Returns the code. */
int cs_native_raise(enum callsign_kind kind, uint64_t handle, int code);
int cs_native_raise_without_object(int code);

/* True if the datatype is predefined. */
int cs_native_is_predefined(MPI_Datatype type);

/* ---- predefined objects ---- */

/* "": no name. */
const char *cs_predefined_name(enum callsign_kind kind, uint64_t handle);

/* The name of a null handle in MPI 4.1 and later. NULL: the handle is not null, or the MPI is older. */
const char *cs_name_of_null(enum callsign_kind kind, uint64_t handle);
