/* The handles that mpi.h names: datatypes, communicators, operations and others. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "callsign/debug.h"

/* All of them, by kind; the null handle of a kind comes first. Debuggers show them: a program that never used MPI_INT
   may still have it in a variable. Not const, so that cores contain them. */
struct callsign_constant *cs_constants(size_t *number);

/* The name of one; NULL: the handle is none of them. If a handle has several names, the MPI's own: MPI_LONG_LONG is
   MPI_LONG_LONG_INT. */
const char *cs_constant_name(enum callsign_kind kind, uint64_t handle);

/* The null handle of a kind. False: this MPI has none. */
bool cs_constant_null(enum callsign_kind kind, uint64_t *handle);
bool cs_constant_is_null(enum callsign_kind kind, uint64_t handle);
