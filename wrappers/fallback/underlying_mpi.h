/* The MPI below the emulated names and attributes: its functions, errors and predefined objects. */
#pragma once

#include <stdint.h>

#include "callsign/debug.h"
#include "emulated.h"
#include "next.h"
#include "wrappers/mpi/handle.h"

/* What the fallback needs of the MPI itself. */

/* What wrappers called before the fallback: the next function in the search order of the program. NULL: the MPI has
   none. */
extern struct cs_next cs_native __attribute__((visibility("hidden")));

/* Before anything is put in its place: keeps what the MPI has. */
void cs_native_keep(void);

/* Whether this is a handle of such an object. Else the MPI has said so, in its own way, to the program's error handler:
   the error code, which is the answer then. */
int cs_native_check(enum callsign_kind kind, uint64_t handle);

/* Calls the error handler of the object, or of none, as the MPI does for its own errors; its answer: the code. */
int cs_native_raise(enum callsign_kind kind, uint64_t handle, int code);
int cs_native_raise_without_object(int code);

/* Whether the datatype is one that nobody made. */
int cs_native_is_predefined(MPI_Datatype type);

/* ---- predefined objects ---- */

/* "": it has no name. */
const char *cs_predefined_name(enum callsign_kind kind, uint64_t handle);

/* MPI 4.1 and later have names for null handles. NULL: it is not null, or the MPI is older. */
const char *cs_name_of_null(enum callsign_kind kind, uint64_t handle);
