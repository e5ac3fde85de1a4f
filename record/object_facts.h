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

/* The MPI refused to name it. object: NULL: not known. why: in words. */
void cs_object_refused_name(enum callsign_kind kind, const struct callsign_record *object, const char *why,
                            uint64_t ticks, uint64_t site);

/* A call that creates communicators had none for this process. */
struct cs_exclusion {
    uint64_t site, ticks;
    uint64_t family; /* of what others got; 0: not known */
    uint32_t parent; /* communicator of the call */
    uint32_t number; /* of such creations on it, this one included; 0: not counted */
    uint16_t function;
};
void cs_object_excluded(const struct cs_exclusion *exclusion);
