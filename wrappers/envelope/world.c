#include "wrappers/envelope/world.h"

#include "base/keep_errno.h"
#include "record/object.h"
#include "wrappers/object/members.h"

static int rank_of(const struct callsign_record *object, int peer)
{
    if (object->kind != CALLSIGN_WINDOW)
        return cs_member(CS_HANDLE_OF(MPI_Comm, object->handle), object->remote_size >= 0, peer, MPI_COMM_NULL);
    MPI_Group group;
    if (PMPI_Win_get_group(CS_HANDLE_OF(MPI_Win, object->handle), &group) != MPI_SUCCESS)
        return MPI_UNDEFINED;
    int rank = cs_member_of_world(group, peer);
    PMPI_Group_free(&group);
    return rank;
}

int32_t cs_world_rank(uint32_t object, int peer)
{
    CS_KEEP_ERRNO;
    const struct callsign_record *known = cs_object_numbered(object);
    if (!known || __atomic_load_n(&known->state, __ATOMIC_ACQUIRE) != CALLSIGN_LIVE)
        return -1;
    int rank = rank_of(known, peer);
    return rank >= 0 ? rank : -1; /* MPI_UNDEFINED is negative */
}
