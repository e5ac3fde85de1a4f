/* The steps of a creation, for all kinds of objects: query the MPI, identify, name, register, publish the name in
   the MPI.

   Identity and name follow from the creating call. They are equal on all processes that take part
   (record/object/identity.h), and in every run:

       MPI_COMM_WORLD.dup2           the second MPI_Comm_dup of MPI_COMM_WORLD
       MPI_COMM_WORLD.split1[3]      color 3 of the first MPI_Comm_split
       rows.create1[4]               from MPI_Comm_create; its first member has rank 4 in the communicator "rows"
       inter1(0-1|2-3)               the first intercommunicator of these processes of MPI_COMM_WORLD
       rows.win1                     the first window on "rows" */
#pragma once

#include "functions.h"
#include "journal/detail.h"
#include "record/object/object.h"
#include "wrappers/call/call.h"

enum { CS_PART_BYTES = 32, CS_DERIVED_BYTES = 120 }; /* sizes of a part and of a name: fits MPICH's 127 */

/* Arguments of a creating call, left by the roles of wrappers/detail. One for each thread. */
struct cs_details {
    uint32_t bytes; /* in use */
    uint64_t words[CS_DETAIL_WORDS];
};

/* ---- begin ---- */

/* Begins an object that the call made. Its parent is the call's communicator, window or file, or the object from
   cs_on. */
void cs_birth_begin(struct cs_birth *birth, struct cs_call *call, enum callsign_kind kind, uint64_t handle);

/* Begins an object whose creation callsign did not see. */
void cs_birth_begin_unseen(struct cs_birth *birth, enum callsign_kind kind, uint64_t handle, uint32_t flags);

/* Gives the object the details that the roles of the call left; an unseen object has none. They stay the thread's, and
   valid until its next creating call. */
void cs_birth_take_details(struct cs_birth *birth, const struct cs_call *call);

/* Flags of an object that this call used first; call NULL: no call. An object that the MPI uses first was made by
   the MPI for itself: ROMIO in MPICH 4.2 duplicates communicators. */
static inline uint32_t cs_adopted_by(const struct cs_call *call)
{
    return CS_OBJECT_ADOPTED | (call && !call->counted ? CS_OBJECT_INTERNAL : 0);
}

/* ---- identify and name ---- */

/* Sets uid, family and nth from the creations on the parent (NULL: no parent). part: separates the parts of one
   creation. */
void cs_birth_identify(struct cs_birth *birth, const struct callsign_record *parent, const struct cs_function *creation,
                       uint64_t part);

/* Sets the name: parent's name (or prefix if parent is NULL; may be empty), verb, nth, part. A long line of
   ancestors keeps its end. */
void cs_birth_derive_name(struct cs_birth *birth, const struct callsign_record *parent, const char *prefix,
                          enum cs_verb verb, const char *part);

/* Uses the name in the buffer as derived name. */
static inline void cs_birth_use_buffer(struct cs_birth *birth)
{
    birth->name = birth->name_buffer;
    birth->origin = CALLSIGN_DERIVED;
}

/* Does both for a window or file, which all members of a communicator create together. */
void cs_birth_identify_and_name(struct cs_birth *birth);

/* Counts a creation that gave this process no object. Sets number and family if they are known. */
struct cs_exclusion;
void cs_birth_exclude(struct cs_exclusion *exclusion, const struct callsign_record *parent,
                      const struct cs_function *creation);

/* ---- register ---- */

/* Adds the object to the table, with the name of a matching naming rule, and frees its members. call NULL: no call
   made it. Returns NULL without memory, or if another thread has adopted the object meanwhile. */
const struct callsign_record *cs_birth_register(struct cs_birth *birth, struct cs_call *call);
