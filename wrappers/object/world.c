#include "wrappers/object/world.h"

#include <pthread.h>

#include "asked.h"
#include "base/keep_errno.h"
#include "record/object.h"
#include "record/request.h"
#include "wrappers/object/members.h"

/* ---- groups of communicators that are freed ---- */

enum { KEPT_MAX = 256, FEW = 16 };

static struct {
    pthread_mutex_t lock;
    int count, unused_at; /* unused_at: when there are so many, those that are of no use go first */
    struct {
        uint32_t object;
        MPI_Group group;
    } kept[KEPT_MAX];
} groups = {.lock = PTHREAD_MUTEX_INITIALIZER, .unused_at = FEW};

static bool is_in_use(uint32_t object)
{
    return cs_request_is_on(&cs_requests, object) || cs_request_is_on(&cs_messages, object);
}

/* With the lock held. */
static void drop(bool all)
{
    int left = 0;
    for (int i = 0; i < groups.count; i++)
        if (!all && is_in_use(groups.kept[i].object))
            groups.kept[left++] = groups.kept[i];
        else
            cs_mpi_Group_free(&groups.kept[i].group);
    groups.count = left;
    groups.unused_at = left < FEW ? FEW : left < KEPT_MAX / 2 ? 2 * left : KEPT_MAX;
}

static void forget(bool all)
{
    CS_KEEP_ERRNO;
    pthread_mutex_lock(&groups.lock);
    if (groups.count)
        drop(all);
    pthread_mutex_unlock(&groups.lock);
}

void cs_world_forget(void)
{
    forget(true);
}

void cs_world_forget_unused(void)
{
    forget(false);
}

void cs_world_keep(const struct callsign_record *comm)
{
    CS_KEEP_ERRNO;
    MPI_Group group;
    if (comm->size <= 0 || !is_in_use(comm->id) ||
        !cs_group_of(CS_HANDLE_OF(MPI_Comm, comm->handle), comm->remote_size >= 0, &group))
        return;
    pthread_mutex_lock(&groups.lock);
    if (groups.count >= groups.unused_at)
        drop(false);
    if (groups.count < KEPT_MAX) {
        groups.kept[groups.count].object = comm->id;
        groups.kept[groups.count++].group = group;
    } else {
        cs_mpi_Group_free(&group);
    }
    pthread_mutex_unlock(&groups.lock);
}

static int rank_in_kept(uint32_t object, int peer)
{
    int rank = MPI_UNDEFINED;
    pthread_mutex_lock(&groups.lock);
    for (int i = 0; i < groups.count; i++)
        if (groups.kept[i].object == object)
            rank = cs_member_of_world(groups.kept[i].group, peer);
    pthread_mutex_unlock(&groups.lock);
    return rank;
}

/* ---- ranks ---- */

static int rank_of(const struct callsign_record *object, int peer)
{
    if (object->kind != CALLSIGN_WINDOW)
        return cs_member(CS_HANDLE_OF(MPI_Comm, object->handle), object->remote_size >= 0, peer, MPI_COMM_NULL);
    MPI_Group group;
    if (cs_mpi_Win_get_group(CS_HANDLE_OF(MPI_Win, object->handle), &group) != MPI_SUCCESS)
        return MPI_UNDEFINED;
    int rank = cs_member_of_world(group, peer);
    cs_mpi_Group_free(&group);
    return rank;
}

int32_t cs_world_rank(uint32_t object, int peer)
{
    CS_KEEP_ERRNO;
    const struct callsign_record *known = cs_object_numbered(object);
    bool lives = known && __atomic_load_n(&known->state, __ATOMIC_ACQUIRE) == CALLSIGN_LIVE;
    int rank = lives ? rank_of(known, peer) : rank_in_kept(object, peer);
    return rank >= 0 ? rank : -1; /* MPI_UNDEFINED is negative */
}
