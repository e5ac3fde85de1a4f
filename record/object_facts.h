/* What the journal says of an object besides its names and its death. */
#pragma once

#include "record/object.h"

/* Of every new object; and what only objects of its kind have, which sets the object's number in the birth. */
void cs_object_facts_birth(const struct callsign_record *record, const struct cs_birth *birth);
void cs_object_facts_kind(const struct callsign_record *record, struct cs_birth *birth);

/* A datatype was committed. */
void cs_object_committed(const struct callsign_record *object, uint64_t ticks);

/* The communicator of that number, made by MPI_Comm_idup, may be used. */
void cs_object_ready(uint32_t id, uint64_t ticks);
