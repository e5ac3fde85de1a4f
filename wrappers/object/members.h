/* The members of communicators and windows, as ranks in MPI_COMM_WORLD. Uses only local queries. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "functions.h"
#include "wrappers/call/call.h"
#include "wrappers/object/birth.h"

/* ---- new communicators ---- */

/* The members of the local group as ranges, "0-3", "0-62:2", "5,9-11"; the caller frees it. NULL without memory and
   in processes without a world. */
char *cs_members(MPI_Comm comm);

/* The participants of a creation, as far as identity and name of the communicator need them. */
struct cs_membership {
    uint64_t local_hash,
        remote_hash; /* hashes of a group's members, in order; 0: not queried, or not all are in MPI_COMM_WORLD */
    uint64_t part;   /* separates the parts of one creation; 0: only one part */
    int first;       /* rank of the first member in the parent; negative: none or not queried */
    int low, high;   /* a part: rank of its first member in the parent; an intercommunicator: ranks in MPI_COMM_WORLD of
                        the first members of both groups, the lower one first */
    bool is_inter;   /* the parts belong to an intercommunicator */
    char text[CS_DERIVED_BYTES - CS_PART_BYTES]; /* members as ranges of ranks; "": not queried */
};

/* Queries the members. creation: how comm was made; NULL: nothing is queried. parent: a communicator, or NULL. rank:
 * of this process in comm. */
void cs_members_query(struct cs_membership *members, MPI_Comm comm, const struct cs_function *creation,
                      const struct callsign_record *parent, int rank);

/* True if the members of both groups are known. */
static inline bool cs_members_share_world(const struct cs_membership *members)
{
    return members->local_hash && members->remote_hash;
}

/* The number of members of a valid group, and a hash of their ranks in the intracommunicator, in order. *member: this
   process is one of them. Negative: unknown, or some are not in the communicator. */
int cs_group_hash(MPI_Group group, MPI_Comm comm, uint64_t *hash, bool *member);

/* ---- ranks of peers ---- */

/* The rank in MPI_COMM_WORLD of `peer` on a communicator or window with this id; for an intercommunicator, in its
   remote group. -1: none, or no longer known. A local query, once for each peer that has traffic, so that a large
   communicator costs nothing for ranks without messages. */
int32_t cs_world_rank(uint32_t object, int peer);

/* Before a communicator is freed: keeps its group if requests or matched messages are on it. Their partners may be
   known only when they complete. */
void cs_world_keep(const struct callsign_record *comm);

/* Frees the kept groups: all, before MPI ends; or those that are no longer needed. */
void cs_world_forget(void);
void cs_world_forget_unused(void);
