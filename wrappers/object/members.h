/* The members of communicators and windows, as ranks in MPI_COMM_WORLD. */
#pragma once

#include <stdint.h>

#include "callsign/debug.h"
#include "wrappers/call/call.h"

/* Who belongs to a communicator, as ranks in MPI_COMM_WORLD. */

/* The members of the local group as ranges, "0-3", "0-62:2", "5,9-11"; the caller frees it. NULL without memory and in
   processes that know no world. Local: it asks the MPI for groups, and talks to nobody. */
char *cs_members(MPI_Comm comm);

/* One number for the members of the local or the remote group, in their order; 0 if not all of them are in
   MPI_COMM_WORLD, and without memory. */
uint64_t cs_members_hash(MPI_Comm comm, bool remote);

/* The rank of the nth member, from 0, of the local or remote group: in the communicator `in`, or in MPI_COMM_WORLD if
   that is MPI_COMM_NULL. MPI_UNDEFINED: it is not there. */
int cs_member(MPI_Comm comm, bool remote, int nth, MPI_Comm in);

/* The members of the local group as ranges of ranks in the communicator `in`, or in MPI_COMM_WORLD if that is
   MPI_COMM_NULL. Where there is no room for all of them the text ends with a hash, "0,3,5..#4f1a": other members have
   another text. room: at least 16. */
void cs_members_in(MPI_Comm comm, MPI_Comm in, char *text, size_t room);

/* Both groups of an intercommunicator likewise, in MPI_COMM_WORLD, "0-1|2-3": the same on both sides. */
void cs_members_of_both(MPI_Comm comm, char *text, size_t room);

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
