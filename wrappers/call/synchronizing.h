/* Roles of synchronizing collectives: of each of its members nobody leaves the call before he has entered it. On an
 * intracommunicator that is MPI_Barrier (MPI 4.1, 6.3), and what nobody can complete without the data of all:
 * MPI_Allreduce, MPI_Allgather(v), MPI_Alltoall, MPI_Reduce_scatter(_block).
 *
 * Where the data is empty nobody has to wait; whether it is must be clear to all members alike, or they would not count
 * the same calls: it is where the standard wants equal counts of all. MPI_Alltoallv and MPI_Alltoallw are no such
 * calls, because each pair has a count of its own. Where only one member's part is empty, nobody waits for him
 * (MPI_Allgatherv), or he for nobody (MPI_Reduce_scatter). */
#pragma once

#include "wrappers/call/call.h"

/* Members may be on other nodes, and count the calls of the program: not what the MPI calls on its own. */
static inline bool cs_is_synchronizing(const struct cs_call *call)
{
    return call->thread && call->on && cs_object_flags(call->on) & CS_OBJECT_SYNCHRONIZES && call->counted;
}

/* Before the call. */
void cs_synchronizing_recorded(struct cs_call *call);
static inline void cs_synchronizing(struct cs_call *call)
{
    if (cs_is_synchronizing(call))
        cs_synchronizing_recorded(call);
}

/* After success: it has synchronized; or it has if it exchanged data, which a role before this has counted. */
void cs_synchronized_recorded(struct cs_call *call);
static inline void cs_synchronized(struct cs_call *call)
{
    if (cs_is_synchronizing(call))
        cs_synchronized_recorded(call);
}
void cs_synchronized_by_data_recorded(struct cs_call *call);
static inline void cs_synchronized_by_data(struct cs_call *call)
{
    if (cs_is_synchronizing(call))
        cs_synchronized_by_data_recorded(call);
}
