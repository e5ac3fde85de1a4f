/* Communicators. */
#pragma once

#include "record/object/object.h"
#include "wrappers/call/call.h"

/* Role, after success. MPI_COMM_NULL is no object. The parent is from cs_on_comm. */
void cs_made_comm(struct cs_call *call, MPI_Comm comm);

/* See cs_record_of. call: NULL for communicators that the MPI returns. */
const struct callsign_record *cs_comm_record(const struct cs_call *call, MPI_Comm comm);

/* Records MPI_COMM_WORLD, MPI_COMM_SELF and the parent communicator. Call it once MPI is initialised. */
void cs_objects_world(void);
