/* What the creation of all kinds of objects has in common. Each kind has the same steps: query the MPI, identify, name,
   register, publish the name in the MPI.

   Identity and name follow from the call that made the object. They are the same on all processes that have a part in
   it (record/identity.h), and the same from run to run:
       MPI_COMM_WORLD.dup2           the second MPI_Comm_dup of MPI_COMM_WORLD
       MPI_COMM_WORLD.split1[3]      what the first MPI_Comm_split made of color 3
       rows.create1[4]               what MPI_Comm_create made; its first member has rank 4 in the communicator "rows"
       inter1(0-1|2-3)               the first intercommunicator of these processes of MPI_COMM_WORLD
       rows.win1                     the first window on it */
#pragma once

#include "db/journal/detail.h"
#include "functions.h"
#include "record/object.h"
#include "wrappers/call/call.h"

enum { CS_PART_BYTES = 32, CS_DERIVED_BYTES = 120 }; /* of a part, and of all: fits MPICH's 127 */

/* How the object that a call makes is made: what the roles of wrappers/detail leave. One for each thread. */
struct cs_details {
    uint32_t bytes; /* in use */
    uint64_t words[CS_DETAIL_WORDS];
};

/* ---- begin ---- */

/* An object that the call made, from what the call names: a communicator, a window, a file, or what cs_on found. */
void cs_birth_begin(struct cs_birth *birth, struct cs_call *call, enum callsign_kind kind, uint64_t handle);

/* An object whose creation callsign did not see. */
void cs_birth_begin_unseen(struct cs_birth *birth, enum callsign_kind kind, uint64_t handle, uint32_t flags);

/* Copies what the roles of the call left; an object that was not seen has none. */
void cs_birth_copy_details(struct cs_birth *birth, const struct cs_call *call);

/* Flags of an object that this call was the first to use; NULL: no call. Objects that the MPI uses first, it made for
   itself: ROMIO in MPICH 4.2 duplicates communicators so. */
static inline uint32_t cs_adopted_by(const struct cs_call *call)
{
    return CS_OBJECT_ADOPTED | (call && !call->counted ? CS_OBJECT_INTERNAL : 0);
}

/* ---- identify and name ---- */

/* Sets uid, family and nth by the creations on the parent; NULL: there is no parent. part: tells the parts of one
   creation apart. */
void cs_birth_identify(struct cs_birth *birth, const struct callsign_record *parent, const struct cs_function *creation,
                       uint64_t part);

/* Sets the name: that of the parent (NULL: prefix, which may be empty), verb, nth, part. A long line of ancestors keeps
   its end. */
void cs_birth_derive_name(struct cs_birth *birth, const struct callsign_record *parent, const char *prefix,
                          enum cs_verb verb, const char *part);

/* The name is a derived one and stands in the buffer. */
static inline void cs_birth_use_buffer(struct cs_birth *birth)
{
    birth->name = birth->name_buffer;
    birth->origin = CALLSIGN_DERIVED;
}

/* Both, for a window or a file, which all members of a communicator make together. */
void cs_birth_identify_and_name(struct cs_birth *birth);

/* A creation that gave this process nothing counts like the others: sets number and family, where they are known. */
struct cs_exclusion;
void cs_birth_exclude(struct cs_exclusion *exclusion, const struct callsign_record *parent,
                      const struct cs_function *creation);

/* ---- register ---- */

/* Enters it into the table, under the name that a rule of the user gives it if there is one, and frees its members.
   call NULL: no call made it. Returns NULL without memory, and when another thread has adopted the same object at this
   moment. */
const struct callsign_record *cs_birth_register(struct cs_birth *birth, struct cs_call *call);
