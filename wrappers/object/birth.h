/* What all kinds of objects have in common when they are born, named and freed. */
#ifndef CS_WRAPPERS_OBJECT_BIRTH_H
#define CS_WRAPPERS_OBJECT_BIRTH_H

#include "db/journal/detail.h"
#include "record/object.h"
#include "wrappers/call/call.h"

/* How the object that a call makes is made: what the roles of wrappers/detail leave. One for each thread. */
struct cs_details {
    uint32_t bytes; /* in use */
    uint64_t words[CS_DETAIL_WORDS];
};

/* Of an object that the call made. */
struct cs_birth cs_birth_of(struct cs_call *call, enum callsign_kind kind, uint64_t handle);

/* Of an object that was there before callsign looked: no call made it. */
/* Flags of an object that this call was the first to use. One of the MPI's own calls uses what the MPI made for itself
   by ways of its own: ROMIO in MPICH 4.2 duplicates communicators so. */
static inline uint32_t cs_adopted_by(const struct cs_call *call)
{
    return CS_OBJECT_ADOPTED | (call && !call->counted ? CS_OBJECT_INTERNAL : 0);
}
struct cs_birth cs_birth_met(enum callsign_kind kind, uint64_t handle, uint32_t flags);

/* Enters it into the table, under the name that a rule of the user gives it if there is one. call NULL: no call made
   it. NULL without memory. */
const struct callsign_record *cs_born(struct cs_call *call, const struct cs_birth *birth);

/* A name that the MPI itself gave, predefined or invented. */
void cs_name_by_mpi(const struct callsign_record *object, const char *name);

#endif
