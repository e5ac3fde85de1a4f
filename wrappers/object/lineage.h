/* Who an object is and what it is called, from the call that made it: the same on all processes that have a part in it
 * (record/identity.h), and the same from run to run.
 *
 * Names that are derived from the lineage:
 *     MPI_COMM_WORLD.dup2           the second MPI_Comm_dup of MPI_COMM_WORLD
 *     MPI_COMM_WORLD.split1[3]      what the first MPI_Comm_split made of color 3
 *     rows.create1[4]               what MPI_Comm_create made; its first member has rank 4 in the communicator "rows"
 *     inter1(0-1|2-3)               the first intercommunicator of these processes of MPI_COMM_WORLD
 *     rows.win1                     the first window on it */
#pragma once

#include "wrappers/object/birth.h"

/* Sets uid, family, name and origin of a communicator that the call made; name: where the name may lie. */
void cs_lineage_comm(struct cs_call *call, MPI_Comm made, struct cs_birth *birth, char name[CS_NAME_BYTES]);

/* Of a creation that had no part for this process, which counts like the others: sets number and family of the
   exclusion, where they are known. */
struct cs_exclusion;
void cs_lineage_exclude(struct cs_call *call, struct cs_exclusion *exclusion);

/* As for a communicator, of a window or a file, on the communicator that it is from. */
void cs_lineage_on(struct cs_birth *birth, char name[CS_NAME_BYTES]);

/* The name of a datatype, where the MPI is to know it; otherwise the seal derives it. */
void cs_lineage_datatype(struct cs_birth *birth, char name[CS_NAME_BYTES]);

/* The uid of a communicator that was there from the beginning: MPI_COMM_WORLD, MPI_COMM_SELF, the parent; 0 otherwise.
 */
uint64_t cs_lineage_of_world(MPI_Comm comm);
