/* The members of communicators and windows, as ranks in MPI_COMM_WORLD. Only local queries. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "functions.h"
#include "wrappers/call/call.h"
#include "wrappers/object/birth.h"

/* ---- new communicators ---- */

/* The members of the local group as ranges, "0-3", "0-62:2", "5,9-11"; the caller frees it. NULL without memory and in
   processes that know no world. */
char *cs_members(MPI_Comm comm);

/* Who takes part in a creation, as far as the identity and the name of the communicator need it. */
struct cs_membership {
    uint64_t local_hash, remote_hash; /* of the members of a group, in their order; 0: not queried, or not all of them
                                         are in MPI_COMM_WORLD */
    uint64_t part;                    /* tells the parts of one creation apart; 0: there is one */
    int first;                        /* rank in the parent of the first member; negative: none or not queried */
    int low, high;                    /* of a part: rank in the parent of its first member; of an intercommunicator the
                                         ranks in MPI_COMM_WORLD of the first member of each group, the lower one first */
    bool is_inter;                    /* the parts are of an intercommunicator */
    char text[CS_DERIVED_BYTES - CS_PART_BYTES]; /* the members as ranges of ranks; "": not queried */
};

/* creation: how it was made; NULL: nothing is queried. parent: a communicator, or NULL. rank: of this process in comm.
 */
void cs_members_query(struct cs_membership *members, MPI_Comm comm, const struct cs_function *creation,
                      const struct callsign_record *parent, int rank);

/* Whether the members of both groups are known. */
static inline bool cs_members_share_world(const struct cs_membership *members)
{
    return members->local_hash && members->remote_hash;
}

/* ---- ranks of peers ---- */

/* Of the process that is `peer` on a communicator or window of this number, in the remote group of an
   intercommunicator. -1: it has none, or nobody knows any more. Local, and asked once for each peer that there is
   traffic with: a communicator of many ranks costs nothing for those that nobody talks to. */
int32_t cs_world_rank(uint32_t object, int peer);

/* Before a communicator is freed: its group is kept if requests or matched messages are on it, whose partners may
   only be known when they complete. */
void cs_world_keep(const struct callsign_record *comm);

/* Frees the groups that are kept: all, before MPI ends; or those that nothing is on any more. */
void cs_world_forget(void);
void cs_world_forget_unused(void);
