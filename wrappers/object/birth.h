/* What the creation of all kinds of objects has in common. Each kind has the same four steps: ask the MPI, find
   identity and name, record the birth, apply the name. */
#pragma once

#include "db/journal/detail.h"
#include "record/object.h"
#include "wrappers/call/call.h"

enum { CS_NAME_BYTES = 256 }; /* of a name with its NUL */

/* How the object that a call makes is made: what the roles of wrappers/detail leave. One for each thread. */
struct cs_details {
    uint32_t bytes; /* in use */
    uint64_t words[CS_DETAIL_WORDS];
};

/* Of an object that the call made, from what the call names: a communicator, a window, a file, or what cs_on found. */
struct cs_birth cs_birth_of(struct cs_call *call, enum callsign_kind kind, uint64_t handle);

/* Of an object that no call made that callsign saw. */
struct cs_birth cs_birth_unseen(enum callsign_kind kind, uint64_t handle, uint32_t flags);

/* Flags of an object that this call was the first to use; NULL: no call. What one of the MPI's own calls uses the MPI
   made for itself: ROMIO in MPICH 4.2 duplicates communicators so. */
static inline uint32_t cs_adopted_by(const struct cs_call *call)
{
    return CS_OBJECT_ADOPTED | (call && !call->counted ? CS_OBJECT_INTERNAL : 0);
}

/* The name derived from how it was made. */
static inline void cs_birth_name(struct cs_birth *birth, const char *name)
{
    birth->name = name;
    birth->origin = CALLSIGN_DERIVED;
}

/* Enters it into the table, under the name that a rule of the user gives it if there is one. call NULL: no call made
   it. NULL without memory, and when another thread has adopted the same object at this moment. */
const struct callsign_record *cs_born(struct cs_call *call, struct cs_birth *birth);
