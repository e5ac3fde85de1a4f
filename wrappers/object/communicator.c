#include "wrappers/object/communicator.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "functions.h"
#include "journal/detail.h"
#include "pmpi_queries.h"
#include "record/object/identity.h"
#include "record/process/recorder.h"
#include "record/process/run_folder.h"
#include "wrappers/mpi/handle.h"
#include "wrappers/object/birth.h"
#include "wrappers/object/members.h"
#include "wrappers/object/published_name.h"

static const struct callsign_record *parent_of(const struct cs_call *call)
{
    return call->on && call->on->kind == CALLSIGN_COMMUNICATOR ? call->on : NULL;
}

/* ---- 1. query the MPI ---- */

/* Open MPI 5 crashes when some new communicators are queried; gen/spec says which topology they have. */
static int topology_of(const struct cs_birth *birth, MPI_Comm comm)
{
    const struct cs_function *function = cs_function_find(birth->function);
    int topology = MPI_UNDEFINED;
    if (!function || !function->new_topology)
        cs_mpi_Topo_test(comm, &topology);
    else if (function->new_topology == CS_NEW_TOPOLOGY_DIST_GRAPH)
        topology = MPI_DIST_GRAPH;
    return topology;
}

static void query_neighbors(MPI_Comm comm, int topology, struct cs_birth *birth)
{
    int weighted;
    if (topology == MPI_CART) {
        int dimensions = 0;
        cs_mpi_Cartdim_get(comm, &dimensions);
        birth->in_degree = birth->out_degree = 2 * dimensions;
        birth->flags |= CS_OBJECT_GRID;
    } else if (topology == MPI_GRAPH) {
        cs_mpi_Graph_neighbors_count(comm, birth->rank, &birth->out_degree);
        birth->in_degree = birth->out_degree;
    } else if (topology == MPI_DIST_GRAPH) {
        cs_mpi_Dist_graph_neighbors_count(comm, &birth->in_degree, &birth->out_degree, &weighted);
    }
}

static int topology_number(int topology)
{
    return topology == MPI_GRAPH ? 1 : topology == MPI_CART ? 2 : topology == MPI_DIST_GRAPH ? 3 : 0;
}

static void query(MPI_Comm comm, struct cs_birth *birth)
{
    int inter = 0, topology = MPI_UNDEFINED;
    cs_mpi_Comm_size(comm, &birth->size);
    cs_mpi_Comm_rank(comm, &birth->rank);
    cs_mpi_Comm_test_inter(comm, &inter);
    if (inter)
        cs_mpi_Comm_remote_size(comm, &birth->remote_size);
    else
        topology = topology_of(birth, comm);
    query_neighbors(comm, topology, birth);
    birth->facts = CS_FACT_COMMUNICATOR;
    birth->communicator = (struct cs_fact_communicator){.size = birth->size,
                                                        .rank = birth->rank,
                                                        .remote_size = birth->remote_size,
                                                        .topology = topology_number(topology)};
    birth->members = birth->rank == 0 ? cs_members(comm) : NULL;
}

/* A duplicate has the shape of its parent. The MPI must not be queried before the duplicate is complete. */
static void copy_shape(const struct callsign_record *parent, struct cs_birth *birth)
{
    birth->size = parent->size;
    birth->rank = parent->rank;
    birth->remote_size = parent->remote_size;
    birth->in_degree = parent->in_degree;
    birth->out_degree = parent->out_degree;
    birth->flags |= CS_OBJECT_DUPLICATE | (cs_object_flags(parent) & CS_OBJECT_GRID);
}

/* ---- 2. identify ---- */

/* "": the call has no string tag. */
static const char *stringtag_of(const struct cs_birth *birth)
{
    struct cs_detail_item item;
    const char *text = NULL;
    if (cs_detail_find(birth->detail, birth->detail_bytes, CS_DETAIL_STRINGTAG, &item))
        text = cs_detail_string(&item);
    return text ? text : "";
}

/* Tag that separates concurrent creations by several threads. */
static uint64_t tag_of(const struct cs_birth *birth)
{
    int64_t tag;
    return cs_detail_find_number(birth->detail, birth->detail_bytes, CS_DETAIL_TAG, &tag)
               ? (uint64_t)tag
               : cs_identity_of_text(stringtag_of(birth));
}

/* Only the members take part in the call: members, tag and a count identify it. */
static void identify_by_members(const struct callsign_record *parent, const struct cs_membership *members,
                                struct cs_birth *birth)
{
    uint64_t key = cs_identity_join(members->local_hash, tag_of(birth));
    uint64_t origin = parent ? parent->uid : cs_journal_header(cs_recorder.journal)->run_hash;
    uint32_t before = cs_object_count_key(parent, key);
    if (origin)
        birth->uid = birth->family = cs_identity_join(cs_identity_join(origin, key), before);
    birth->nth = before + 1;
}

/* Two groups make an intercommunicator. Neither knows the other's name for its communicator, so their members
   identify it. Members of another world have no rank in ours: then each side has its own uid and name. */
static void identify_by_groups(const struct callsign_record *parent, const struct cs_function *creation,
                               const struct cs_membership *members, struct cs_birth *birth)
{
    if (!cs_members_share_world(members)) {
        cs_birth_identify(birth, parent, creation, 0);
        return;
    }
    uint64_t local = members->local_hash, remote = members->remote_hash;
    uint64_t low = local < remote ? local : remote, high = local < remote ? remote : local;
    uint64_t key = cs_identity_join(cs_identity_join(low, high), tag_of(birth));
    if (parent)
        cs_object_count_creation(parent);
    uint32_t before = cs_identity_count(0, key);
    birth->uid = birth->family =
        cs_identity_join(cs_identity_join(cs_journal_header(cs_recorder.journal)->run_hash, key), before);
    birth->nth = before + 1;
}

/* True if all members are surely on this node. This also holds for communicators made from it, unless others join. */
static bool is_on_node(const struct cs_birth *birth)
{
    struct cs_detail_item item;
    if (birth->size == 1 || (birth->from && cs_object_flags(birth->from) & CS_OBJECT_ON_NODE))
        return true;
    if (!cs_detail_find(birth->detail, birth->detail_bytes, CS_DETAIL_SPLIT_TYPE, &item))
        return false;
    const char *type = cs_detail_string(&item);
    return type && strcmp(type, "shared") == 0;
}

static void mark_as_synchronizing(struct cs_birth *birth)
{
    birth->flags |= CS_OBJECT_SYNCHRONIZES;
    atomic_store_explicit(&cs_recorder.spans_nodes, true, memory_order_relaxed);
}

/* True if its collective calls help to compare the clocks of nodes. Without a uid, ranks cannot match this
   communicator. */
static void set_reach(struct cs_birth *birth)
{
    if (birth->remote_size >= 0)
        return;
    if (is_on_node(birth))
        birth->flags |= CS_OBJECT_ON_NODE;
    else if (birth->uid && birth->size > 1)
        mark_as_synchronizing(birth);
}

static void identify(const struct callsign_record *parent, const struct cs_function *creation,
                     const struct cs_membership *members, struct cs_birth *birth)
{
    birth->first = members->first;
    if (creation && creation->participants == CS_PARTICIPANTS_MEMBERS)
        identify_by_members(parent, members, birth);
    else if (creation && creation->participants == CS_PARTICIPANTS_GROUPS)
        identify_by_groups(parent, creation, members, birth);
    else if (creation && parent)
        cs_birth_identify(birth, parent, creation, members->part);
    set_reach(birth);
}

/* The uid of a communicator that exists from the start; 0: another one. */
static uint64_t uid_of_initial(MPI_Comm comm)
{
    const struct cs_journal_header *header = cs_journal_header(cs_recorder.journal);
    MPI_Comm parent = MPI_COMM_NULL;
    uint64_t world = cs_identity_join(header->run_hash, cs_identity_of_text("MPI_COMM_WORLD"));
    if (header->size <= 0)
        return 0; /* a process without MPI_COMM_WORLD */
    if (comm == MPI_COMM_WORLD)
        return world;
    if (comm == MPI_COMM_SELF)
        return cs_identity_join(cs_identity_join(world, cs_identity_of_text("MPI_COMM_SELF")), (uint64_t)header->rank);
    cs_mpi_Comm_get_parent(&parent);
    return comm == parent ? cs_identity_join(world, cs_identity_of_text("MPI_COMM_PARENT")) : 0;
}

/* ---- 3. name ---- */

enum { TAG_BYTES = sizeof " tag 2147483647" };

/* The tag as part of a name, " tag 7". Tag 0, the usual one, is left out. */
static void put_tag(const struct cs_birth *birth, char text[TAG_BYTES])
{
    int64_t tag;
    text[0] = '\0';
    if (cs_detail_find_number(birth->detail, birth->detail_bytes, CS_DETAIL_TAG, &tag) && tag)
        snprintf(text, TAG_BYTES, " tag %d", (int)tag);
}

/* The part of a creation, "[3]". For a split it is the color. */
static void put_part(const struct cs_birth *birth, const struct cs_membership *members, char text[CS_PART_BYTES])
{
    int64_t color;
    if (cs_detail_find_number(birth->detail, birth->detail_bytes, CS_DETAIL_COLOR, &color))
        snprintf(text, CS_PART_BYTES, "[%lld]", (long long)color);
    else if (members->is_inter)
        snprintf(text, CS_PART_BYTES, "[%d|%d]", members->low, members->high);
    else
        snprintf(text, CS_PART_BYTES, "[%d]", members->low);
}

static void derive_name(const struct callsign_record *parent, const struct cs_function *creation,
                        const struct cs_membership *members, struct cs_birth *birth)
{
    char part[CS_DERIVED_BYTES], tag[TAG_BYTES];
    part[0] = '\0';
    if (!creation)
        return;
    if (creation->participants == CS_PARTICIPANTS_MEMBERS) {
        put_tag(birth, tag);
        snprintf(part, sizeof part, "[%s%s]", members->text, tag);
        cs_birth_derive_name(birth, parent, stringtag_of(birth), creation->verb, part);
    } else if (creation->participants == CS_PARTICIPANTS_GROUPS && cs_members_share_world(members)) {
        put_tag(birth, tag);
        snprintf(part, sizeof part, "(%s%s)", members->text, tag);
        cs_birth_derive_name(birth, NULL, stringtag_of(birth), CS_VERB_INTER, part);
    } else if (creation->participants == CS_PARTICIPANTS_GROUPS || parent) {
        if (creation->participants == CS_PARTICIPANTS_PARTS)
            put_part(birth, members, part);
        cs_birth_derive_name(birth, parent, "", creation->verb, part);
    }
}

/* ---- all steps ---- */

/* This process got no communicator from the call, but other members may have. The call counts like the others. */
static void exclude(struct cs_call *call, const struct cs_function *creation)
{
    struct cs_exclusion exclusion = {
        .ticks = call->stop, .parent = call->on ? call->on->id : 0, .function = call->function};
    cs_birth_exclude(&exclusion, parent_of(call), creation);
    if (!call->counted)
        return;
    exclusion.site = cs_call_site(call);
    cs_object_note_exclusion(&exclusion);
}

/* flatten: as cs_birth_register */
__attribute__((flatten)) void cs_made_comm(struct cs_call *call, MPI_Comm comm)
{
    const struct cs_function *creation = cs_function_find(call->function);
    const struct callsign_record *parent = parent_of(call);
    struct cs_membership members;
    struct cs_birth birth;
    if (comm == MPI_COMM_NULL) {
        exclude(call, creation);
        return;
    }
    if (!cs_is_plausible(comm, MPI_COMM_NULL))
        return;
    cs_birth_begin(&birth, call, CALLSIGN_COMMUNICATOR, CS_KEY(comm));
    birth.fortran_handle = cs_mpi_Comm_c2f(comm);
    if (!creation || creation->inactive) { /* do not query an MPICH thread communicator before it is started */
        cs_birth_register(&birth, call);
        return;
    }
    if (birth.from && creation->duplicates)
        copy_shape(birth.from, &birth);
    else
        query(comm, &birth);
    cs_members_query(&members, comm, creation, parent, birth.rank);
    identify(parent, creation, &members, &birth);
    derive_name(parent, creation, &members, &birth);
    const struct callsign_record *object = cs_birth_register(&birth, call);
    if (creation->mode == CS_MODE_NONBLOCKING)
        cs_name_publish_later(object);
    else
        cs_name_publish(object, NULL);
}

static const struct callsign_record *find_or_adopt(MPI_Comm comm, uint32_t flags)
{
    const struct callsign_record *object = cs_object_look_up(CALLSIGN_COMMUNICATOR, CS_KEY(comm));
    struct cs_birth birth;
    if (object || !cs_is_plausible(comm, MPI_COMM_NULL))
        return object;
    cs_birth_begin_unseen(&birth, CALLSIGN_COMMUNICATOR, CS_KEY(comm), flags);
    birth.fortran_handle = cs_mpi_Comm_c2f(comm);
    query(comm, &birth);
    birth.uid = uid_of_initial(comm);
    if (comm == MPI_COMM_WORLD && !cs_launch_is_on_node(environ, birth.size))
        set_reach(&birth);
    else if (comm == MPI_COMM_WORLD)
        birth.flags |= CS_OBJECT_ON_NODE;
    object = cs_birth_register(&birth, NULL);
    cs_name_take_native(object);
    /* Another thread may have adopted it at the same moment. */
    return object ? object : cs_object_find(CALLSIGN_COMMUNICATOR, CS_KEY(comm));
}

const struct callsign_record *cs_comm_record(const struct cs_call *call, MPI_Comm comm)
{
    return find_or_adopt(comm, cs_adopted_by(call));
}

void cs_objects_world(void)
{
    MPI_Comm parent = MPI_COMM_NULL;
    find_or_adopt(MPI_COMM_WORLD, CS_OBJECT_PREDEFINED);
    find_or_adopt(MPI_COMM_SELF, CS_OBJECT_PREDEFINED);
    cs_mpi_Comm_get_parent(&parent);
    cs_comm_record(NULL, parent);
}
