/* What the creation of all kinds of objects has in common. Each kind has the same four steps: ask the MPI, find
   identity and name, record the birth, apply the name. */
#pragma once

#include "creations.h"
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

/* ---- derived names ---- */

enum { CS_PART_BYTES = 32, CS_DERIVED_BYTES = 120 }; /* of a part, and of all: fits MPICH's 127 */

/* ancestors "": none. Of a long line of them the last ones stay. */
void cs_derive(const char *ancestors, enum cs_verb verb, uint32_t number, const char *part, char name[CS_NAME_BYTES]);

/* The same from the name of the parent; NULL: none. */
void cs_derive_from(const struct callsign_record *parent, enum cs_verb verb, uint32_t number, const char *part,
                    char name[CS_NAME_BYTES]);

/* ---- creations on a communicator ----

 * Identity and name follow from the call that made the object. They are the same on all processes that have a part in
 * it (record/identity.h), and the same from run to run:
 *     MPI_COMM_WORLD.dup2           the second MPI_Comm_dup of MPI_COMM_WORLD
 *     MPI_COMM_WORLD.split1[3]      what the first MPI_Comm_split made of color 3
 *     rows.create1[4]               what MPI_Comm_create made; its first member has rank 4 in the communicator "rows"
 *     inter1(0-1|2-3)               the first intercommunicator of these processes of MPI_COMM_WORLD
 *     rows.win1                     the first window on it */

/* Counts the creations of a verb on a parent; NULL: on none. Returns the number of this one, from 1. */
uint32_t cs_next_of_verb(const struct callsign_record *parent, enum cs_verb verb);

/* Sets the derived name, and the number of such creations on the parent. */
static inline void cs_birth_name_nth(struct cs_birth *birth, const char *name, uint32_t nth)
{
    cs_birth_name(birth, name);
    birth->nth = nth;
}

/* Sets uid and family. before: collective creations on the parent before this one. part: tells the parts of one
   creation apart. Without a uid of the parent, ranks cannot match the object. */
void cs_birth_identify(struct cs_birth *birth, const struct callsign_record *parent, uint32_t before, uint64_t part);

/* Identifies and names a window or a file, which all members of the communicator make. */
void cs_lineage_on(struct cs_birth *birth, char name[CS_NAME_BYTES]);
