/* Who belongs to a communicator, as ranks in MPI_COMM_WORLD. */
#pragma once

#include "wrappers/call/call.h"

/* The members of the local group as ranges, "0-3", "0-62:2", "5,9-11"; the caller frees it. NULL without memory and in
   processes that know no world. Local: it asks the MPI for groups, and talks to nobody. */
char *cs_members(MPI_Comm comm);

/* One number for the members of the local or the remote group, in their order; 0 if not all of them are in
   MPI_COMM_WORLD, and without memory. */
uint64_t cs_members_hash(MPI_Comm comm, bool remote);

/* The rank of the nth member, from 0, of the local or remote group: in the communicator `in`, or in MPI_COMM_WORLD if
   that is MPI_COMM_NULL. MPI_UNDEFINED: it is not there. */
int cs_member(MPI_Comm comm, bool remote, int nth, MPI_Comm in);

/* The local or remote group; the caller frees it. False: the MPI does not say. */
bool cs_group_of(MPI_Comm comm, bool remote, MPI_Group *group);

/* The rank of a member of any group in the world of this process, or MPI_UNDEFINED. */
int cs_member_of_world(MPI_Group group, int nth);

/* The members of the local group as ranges of ranks in the communicator `in`, or in MPI_COMM_WORLD if that is
   MPI_COMM_NULL. Where there is no room for all of them the text ends with a hash, "0,3,5..#4f1a": other members have
   another text. room: at least 16. */
void cs_members_in(MPI_Comm comm, MPI_Comm in, char *text, size_t room);

/* Both groups of an intercommunicator likewise, in MPI_COMM_WORLD, "0-1|2-3": the same on both sides. */
void cs_members_of_both(MPI_Comm comm, char *text, size_t room);
