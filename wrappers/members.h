/* Who belongs to a communicator, as ranks in MPI_COMM_WORLD. */
#ifndef CS_WRAPPERS_MEMBERS_H
#define CS_WRAPPERS_MEMBERS_H

#include "wrappers/call.h"

/* The members of the local group as ranges, "0-3", "0-62:2", "5,9-11"; the caller frees it. NULL without memory and in
   processes without MPI_COMM_WORLD. Local: it asks the MPI for groups, and talks to nobody. */
char *cs_members(MPI_Comm comm, int size);

#endif
