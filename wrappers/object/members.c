#include "wrappers/object/members.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/keep_errno.h"
#include "pmpi_queries.h"
#include "record/message/request.h"
#include "record/object/identity.h"
#include "record/object/naming.h"
#include "record/object/object.h"
#include "record/process/recorder.h"
#include "record/process/run_folder.h"

/* An arbitrary limit that fits the ranges of real communicators; beyond it the list ends with "...". */
enum { TEXT_MAX = 4096 };

/* Number of ranks from ranks[at] on with equal distance. */
static int run_length(const int ranks[], int at, int size)
{
    if (at + 1 >= size)
        return 1;
    int step = ranks[at + 1] - ranks[at];
    int length = 2;
    if (step <= 0)
        return 1;
    while (at + length < size && ranks[at + length] - ranks[at + length - 1] == step)
        length++;
    /* Two ranks that are not adjacent are easier to read as single ranks. */
    return length == 2 && step > 1 ? 1 : length;
}

static char *ranges(const int ranks[], int size)
{
    char *text = malloc(TEXT_MAX);
    if (!text)
        return NULL;
    size_t used = 0;
    text[0] = '\0';
    for (int at = 0; at < size;) {
        int length = run_length(ranks, at, size);
        int last = ranks[at + length - 1], step = length > 1 ? ranks[at + 1] - ranks[at] : 0;
        if (used > TEXT_MAX - 48) {
            sprintf(text + used, ",...");
            break;
        }
        if (ranks[at] == MPI_UNDEFINED)
            used += (size_t)sprintf(text + used, "%s?", at ? "," : "");
        else if (length == 1)
            used += (size_t)sprintf(text + used, "%s%d", at ? "," : "", ranks[at]);
        else
            used += (size_t)sprintf(text + used, step == 1 ? "%s%d-%d" : "%s%d-%d:%d", at ? "," : "", ranks[at], last,
                                    step);
        at += length;
    }
    return text;
}

/* ---- the world ---- */

#ifdef CS_HAS_SESSIONS
static void take_session(const struct callsign_record *object, void *context)
{
    if (cs_object_is(object, CALLSIGN_SESSION, object->handle))
        *(uint64_t *)context = object->handle;
}

/* Any open session: all know the same world. The last one used is probably still open. */
static MPI_Session open_session(void)
{
    static _Atomic uint64_t last;
    uint64_t key = atomic_load_explicit(&last, memory_order_relaxed);
    if (key && cs_object_find(CALLSIGN_SESSION, key))
        return CS_HANDLE_OF(MPI_Session, key);
    key = CS_KEY(MPI_SESSION_NULL);
    cs_object_each(take_session, &key);
    atomic_store_explicit(&last, key, memory_order_relaxed);
    return CS_HANDLE_OF(MPI_Session, key);
}
#endif

/* The group of all processes that started together; the caller frees it. */
static bool world_group(MPI_Group *world)
{
    if (cs_recorder_has_world())
        return cs_mpi_Comm_group(MPI_COMM_WORLD, world) == MPI_SUCCESS;
#ifdef CS_HAS_SESSIONS
    MPI_Session session = open_session();
    return session != MPI_SESSION_NULL && cs_mpi_Group_from_session_pset(session, "mpi://WORLD", world) == MPI_SUCCESS;
#else
    return false;
#endif
}

/* ---- groups ---- */

static bool get_group(MPI_Comm comm, bool remote, MPI_Group *group)
{
    return (remote ? cs_mpi_Comm_remote_group(comm, group) : cs_mpi_Comm_group(comm, group)) == MPI_SUCCESS;
}

/* Number of members of the communicator, or of its remote group. A small MPI has no MPI_Group_size. */
static int size_of(MPI_Comm comm, bool remote)
{
    int size = 0;
    int result = remote ? cs_mpi_Comm_remote_size(comm, &size) : cs_mpi_Comm_size(comm, &size);
    return result == MPI_SUCCESS && size > 0 ? size : 0;
}

/* The ranks of all members in the communicator `in`, or in the world if that is MPI_COMM_NULL; *size of them. The
   caller frees it. NULL: unknown. */
static int *ranks_of(MPI_Comm comm, bool remote, MPI_Comm in, int *size)
{
    MPI_Group group, where;
    int *ranks = NULL;
    if (!get_group(comm, remote, &group))
        return NULL;
    if (in == MPI_COMM_NULL ? world_group(&where) : get_group(in, false, &where)) {
        *size = size_of(comm, remote);
        int *own = malloc(((size_t)*size + 1) * sizeof *own);
        ranks = malloc(((size_t)*size + 1) * sizeof *ranks);
        for (int i = 0; own && i < *size; i++)
            own[i] = i;
        if (!own || !ranks || cs_mpi_Group_translate_ranks(group, *size, own, where, ranks) != MPI_SUCCESS) {
            free(ranks);
            ranks = NULL;
        }
        free(own);
        cs_mpi_Group_free(&where);
    }
    cs_mpi_Group_free(&group);
    return ranks;
}

int cs_group_hash(MPI_Group group, MPI_Comm comm, uint64_t *hash, bool *member)
{
    MPI_Group where;
    int size = -1, rank = MPI_UNDEFINED;
    if (cs_mpi_Group_size(group, &size) != MPI_SUCCESS || size < 0 || !get_group(comm, false, &where))
        return -1;
    int *own = malloc(((size_t)size + 1) * sizeof *own), *ranks = malloc(((size_t)size + 1) * sizeof *ranks);
    for (int i = 0; own && i < size; i++)
        own[i] = i;
    if (!own || !ranks || cs_mpi_Group_translate_ranks(group, size, own, where, ranks) != MPI_SUCCESS ||
        cs_mpi_Comm_rank(comm, &rank) != MPI_SUCCESS)
        size = -1;
    *hash = CS_HASH_BEGIN;
    *member = false;
    for (int i = 0; i < size; i++) {
        *hash = cs_hash_mix(*hash, (uint64_t)(int64_t)ranks[i]);
        *member |= ranks[i] == rank;
        if (ranks[i] == MPI_UNDEFINED)
            size = -1;
    }
    free(own);
    free(ranks);
    cs_mpi_Group_free(&where);
    return size;
}

/* A hash of the members of the local or remote group, in order. 0 without memory, or if some are not in
   MPI_COMM_WORLD. */
static uint64_t hash_members(MPI_Comm comm, bool remote)
{
    int size = 0;
    int *ranks = ranks_of(comm, remote, MPI_COMM_NULL, &size);
    uint64_t hash = ranks ? cs_identity_join((uint64_t)(int64_t)size, 0) : 0;
    for (int i = 0; hash && i < size; i++)
        hash = ranks[i] == MPI_UNDEFINED ? 0 : cs_identity_join(hash, (uint64_t)(int64_t)ranks[i]);
    free(ranks);
    return hash;
}

static int rank_in(MPI_Group group, int size, int nth, MPI_Comm in)
{
    MPI_Group where;
    int rank = MPI_UNDEFINED;
    if (nth < 0 || nth >= size) /* an MPI error could end the program */
        return MPI_UNDEFINED;
    if (in == MPI_COMM_NULL ? world_group(&where) : get_group(in, false, &where)) {
        cs_mpi_Group_translate_ranks(group, 1, &nth, where, &rank);
        cs_mpi_Group_free(&where);
    }
    return rank;
}

/* The rank of the nth member (from 0) of the local or remote group in the communicator `in`, or in MPI_COMM_WORLD if
   that is MPI_COMM_NULL. MPI_UNDEFINED: it has none there. */
static int rank_of_member(MPI_Comm comm, bool remote, int nth, MPI_Comm in)
{
    MPI_Group group;
    if (!get_group(comm, remote, &group))
        return MPI_UNDEFINED;
    int rank = rank_in(group, size_of(comm, remote), nth, in);
    cs_mpi_Group_free(&group);
    return rank;
}

/* The rank of a group's member in this process's world, or MPI_UNDEFINED. */
static int find_world_rank(MPI_Group group, int nth)
{
    int size = 0;
    cs_mpi_Group_size(group, &size);
    return rank_in(group, size, nth, MPI_COMM_NULL);
}

/* Writes the members of one group as ranges of ranks in the communicator `in`, or in MPI_COMM_WORLD if that is
   MPI_COMM_NULL. If they do not fit, the text ends with a hash, "0,3,5..#4f1a", so that other members give another
   text. room: at least 16. */
static void put_members(MPI_Comm comm, bool remote, MPI_Comm in, char *text, size_t room)
{
    enum { HASH = sizeof "..#ffff" };
    int size = 0, *ranks = ranks_of(comm, remote, in, &size);
    char *all = ranks && size > 0 ? ranges(ranks, size) : NULL;
    snprintf(text, room, "%s", all ? all : "?");
    if (all && strlen(all) >= room) {
        uint64_t hash = 0;
        for (int i = 0; i < size; i++)
            hash = cs_identity_join(hash, (uint64_t)(int64_t)ranks[i]);
        size_t kept = room - HASH;
        while (kept > 1 && text[kept] != ',')
            kept--;
        snprintf(text + kept, room - kept, "..#%04x", (unsigned)(hash & 0xffff));
    }
    free(all);
    free(ranks);
}

/* Writes both groups of an intercommunicator, "0-1|2-3", equal on both sides. */
static void put_both_groups(MPI_Comm comm, char *text, size_t room)
{
    bool swap = rank_of_member(comm, true, 0, MPI_COMM_NULL) < rank_of_member(comm, false, 0, MPI_COMM_NULL);
    size_t half = room / 2;
    put_members(comm, swap, MPI_COMM_NULL, text, half);
    size_t used = strlen(text);
    text[used++] = '|';
    put_members(comm, !swap, MPI_COMM_NULL, text + used, room - used);
}

/* ---- new communicators ---- */

char *cs_members(MPI_Comm comm)
{
    int size = 0;
    int *ranks = ranks_of(comm, false, MPI_COMM_NULL, &size);
    char *text = ranks && size > 0 ? ranges(ranks, size) : NULL;
    free(ranks);
    return text;
}

static MPI_Comm handle_of(const struct callsign_record *comm)
{
    return CS_HANDLE_OF(MPI_Comm, comm->handle);
}

static int query_first(MPI_Comm comm, const struct callsign_record *parent, int rank)
{
    return rank == 0 ? parent->rank : rank_of_member(comm, false, 0, handle_of(parent));
}

static void query_members_only(struct cs_membership *members, MPI_Comm comm, const struct callsign_record *parent,
                               int rank)
{
    bool within = parent && parent->remote_size < 0;
    members->local_hash = hash_members(comm, false);
    if (within)
        members->first = query_first(comm, parent, rank);
    put_members(comm, false, within ? handle_of(parent) : MPI_COMM_NULL, members->text, CS_PART_BYTES);
}

static void query_groups(struct cs_membership *members, MPI_Comm comm)
{
    members->local_hash = hash_members(comm, false);
    members->remote_hash = hash_members(comm, true);
    if (cs_members_share_world(members))
        put_both_groups(comm, members->text, sizeof members->text);
}

static void query_part(struct cs_membership *members, MPI_Comm comm, const struct callsign_record *parent, int rank)
{
    members->is_inter = parent->remote_size >= 0;
    if (members->is_inter) {
        int local = rank_of_member(comm, false, 0, MPI_COMM_NULL),
            remote = rank_of_member(comm, true, 0, MPI_COMM_NULL);
        members->low = local < remote ? local : remote;
        members->high = local < remote ? remote : local;
    } else {
        members->low = members->first = query_first(comm, parent, rank);
    }
    members->part = cs_identity_join((uint64_t)(int64_t)members->low, (uint64_t)(int64_t)members->high);
}

/* Only naming rules need it. Do not query a duplicate: it may be incomplete. */
static void query_first_of_all(struct cs_membership *members, MPI_Comm comm, const struct callsign_record *parent,
                               enum cs_verb verb, int rank)
{
    if (parent->remote_size >= 0 || !cs_naming_applies_to(CALLSIGN_COMMUNICATOR))
        return;
    int first = verb == CS_VERB_DUP ? 0 : query_first(comm, parent, rank);
    members->first = first >= 0 ? first : -1;
}

void cs_members_query(struct cs_membership *members, MPI_Comm comm, const struct cs_function *creation,
                      const struct callsign_record *parent, int rank)
{
    members->local_hash = members->remote_hash = members->part = 0;
    members->first = -1;
    members->low = members->high = 0;
    members->is_inter = false;
    members->text[0] = '\0';
    if (!creation)
        return;
    if (creation->participants == CS_PARTICIPANTS_MEMBERS)
        query_members_only(members, comm, parent, rank);
    else if (creation->participants == CS_PARTICIPANTS_GROUPS)
        query_groups(members, comm);
    else if (parent && creation->participants == CS_PARTICIPANTS_PARTS)
        query_part(members, comm, parent, rank);
    else if (parent)
        query_first_of_all(members, comm, parent, creation->verb, rank);
}

/* ---- ranks of peers ---- */

/* ---- groups of communicators that are freed ---- */

enum { KEPT_MAX = 256, FEW = 16 };

static struct {
    pthread_mutex_t lock;
    int count, unused_at; /* unused_at: at this count, entries without use are dropped first */
    struct {
        uint32_t object;
        MPI_Group group;
    } kept[KEPT_MAX];
} groups = {.lock = PTHREAD_MUTEX_INITIALIZER, .unused_at = FEW};

static bool is_in_use(uint32_t object)
{
    return cs_request_is_on(&cs_requests, object) || cs_request_is_on(&cs_messages, object);
}

/* Call it with the lock held. */
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
        !get_group(CS_HANDLE_OF(MPI_Comm, comm->handle), comm->remote_size >= 0, &group))
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
            rank = find_world_rank(groups.kept[i].group, peer);
    pthread_mutex_unlock(&groups.lock);
    return rank;
}

/* ---- ranks ---- */

static int peer_rank(const struct callsign_record *object, int peer)
{
    if (object->kind != CALLSIGN_WINDOW)
        return rank_of_member(CS_HANDLE_OF(MPI_Comm, object->handle), object->remote_size >= 0, peer, MPI_COMM_NULL);
    MPI_Group group;
    if (cs_mpi_Win_get_group(CS_HANDLE_OF(MPI_Win, object->handle), &group) != MPI_SUCCESS)
        return MPI_UNDEFINED;
    int rank = find_world_rank(group, peer);
    cs_mpi_Group_free(&group);
    return rank;
}

int32_t cs_world_rank(uint32_t object, int peer)
{
    CS_KEEP_ERRNO;
    const struct callsign_record *known = cs_object_find_id(object);
    bool lives = known && cs_object_is_live(known);
    int rank = lives ? peer_rank(known, peer) : rank_in_kept(object, peer);
    return rank >= 0 ? rank : -1; /* MPI_UNDEFINED is negative */
}
