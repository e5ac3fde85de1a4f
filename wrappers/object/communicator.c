#include "wrappers/object/communicator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmpi_queries.h"
#include "db/journal/detail.h"
#include "functions.h"
#include "record/identity.h"
#include "record/run_folder.h"
#include "record/naming.h"
#include "record/object.h"
#include "record/recorder.h"
#include "wrappers/object/published_name.h"
#include "wrappers/object/birth.h"
#include "wrappers/object/members.h"
#include "wrappers/mpi/handle.h"

/* ---- identity and name ---- */

/* ---- arguments ---- */

/* "": there is none. */
static const char *stringtag_of(const struct cs_birth *birth)
{
    struct cs_detail_item item;
    const char *text = NULL;
    if (cs_detail_find(birth->detail, birth->detail_bytes, CS_DETAIL_STRINGTAG, &item))
        text = cs_detail_string(&item);
    return text ? text : "";
}

/* What the program tells calls apart by that several of its threads make at once. */
static uint64_t tag_of(const struct cs_birth *birth)
{
    int64_t tag;
    return cs_detail_find_number(birth->detail, birth->detail_bytes, CS_DETAIL_TAG, &tag)
               ? (uint64_t)tag
               : cs_identity_of_text(stringtag_of(birth));
}

enum { TAG_BYTES = sizeof " tag 2147483647" };

/* The tag as part of a name, " tag 7"; 0, which most programs say, goes without saying. */
static void put_tag(const struct cs_birth *birth, char text[TAG_BYTES])
{
    int64_t tag;
    text[0] = '\0';
    if (cs_detail_find_number(birth->detail, birth->detail_bytes, CS_DETAIL_TAG, &tag) && tag)
        snprintf(text, TAG_BYTES, " tag %d", (int)tag);
}

/* ---- parts ---- */

static MPI_Comm handle_of(const struct callsign_record *comm)
{
    return CS_HANDLE_OF(MPI_Comm, comm->handle);
}

static int first_in(const struct callsign_record *parent, MPI_Comm made, const struct cs_birth *birth)
{
    return birth->rank == 0 ? parent->rank : cs_member(made, false, 0, handle_of(parent));
}

/* What tells the part of this process from the others of the same call, as a number: the rank in the parent of its
   first member, and between two groups the ranks in MPI_COMM_WORLD of the first member of each, the lower one first.
   People know the parts of a split by their color. */
static uint64_t part_of(const struct callsign_record *parent, MPI_Comm made, struct cs_birth *birth, char part[],
                        size_t room)
{
    int64_t low, high = 0, color;
    if (parent->remote_size >= 0) {
        int local = cs_member(made, false, 0, MPI_COMM_NULL), remote = cs_member(made, true, 0, MPI_COMM_NULL);
        low = local < remote ? local : remote;
        high = local < remote ? remote : local;
        snprintf(part, room, "[%d|%d]", (int)low, (int)high);
    } else {
        low = birth->first = first_in(parent, made, birth);
        snprintf(part, room, "[%d]", (int)low);
    }
    if (cs_detail_find_number(birth->detail, birth->detail_bytes, CS_DETAIL_COLOR, &color))
        snprintf(part, room, "[%lld]", (long long)color);
    return cs_identity_join((uint64_t)low, (uint64_t)high);
}

/* ---- by who takes part ---- */

/* The rank in the parent of the first member of what all members made together; only rules want it. A duplicate may be
   incomplete: nothing may be asked of it. */
static int first_of_all(const struct callsign_record *parent, enum cs_verb verb, MPI_Comm made,
                        const struct cs_birth *birth)
{
    if (parent->remote_size >= 0 || !cs_naming_wants(birth->kind))
        return -1;
    if (verb == CS_VERB_DUP || made == MPI_COMM_NULL)
        return 0;
    int first = first_in(parent, made, birth);
    return first >= 0 ? first : -1;
}

static void create_by_all(const struct callsign_record *parent, const struct cs_creation *creation, MPI_Comm made,
                          struct cs_birth *birth, char name[CS_NAME_BYTES])
{
    uint32_t before = cs_object_made_on(parent), number = cs_next_of_verb(parent, creation->verb);
    char part[CS_PART_BYTES] = "";
    cs_birth_identify(birth, parent, before,
                      creation->participants == CS_PARTS ? part_of(parent, made, birth, part, sizeof part) : 0);
    if (creation->participants == CS_WHOLE)
        birth->first = first_of_all(parent, creation->verb, made, birth);
    cs_derive_from(parent, creation->verb, number, part, name);
    cs_birth_name_nth(birth, name, number);
}

static void create_by_members(const struct callsign_record *parent, const struct cs_creation *creation, MPI_Comm made,
                              struct cs_birth *birth, char name[CS_NAME_BYTES])
{
    uint64_t key = cs_identity_join(cs_members_hash(made, false), tag_of(birth));
    uint32_t before = cs_object_count(parent, key);
    uint64_t origin = parent ? parent->uid : cs_journal_header(cs_recorder.journal)->run_hash;
    bool within = parent && parent->remote_size < 0;
    char part[2 * CS_PART_BYTES], members[CS_PART_BYTES], tag[TAG_BYTES];
    if (within)
        birth->first = first_in(parent, made, birth);
    cs_members_in(made, within ? handle_of(parent) : MPI_COMM_NULL, members, sizeof members);
    put_tag(birth, tag);
    snprintf(part, sizeof part, "[%s%s]", members, tag);
    if (origin)
        birth->uid = birth->family = cs_identity_join(cs_identity_join(origin, key), before);
    if (parent)
        cs_derive_from(parent, creation->verb, before + 1, part, name);
    else
        cs_derive(stringtag_of(birth), creation->verb, before + 1, part, name);
    cs_birth_name_nth(birth, name, before + 1);
}

/* Two sides that do not know what the other side's communicator is called: who they are tells it. Members of another
   world have no rank in ours; then each side has its own uid and name. */
static void create_by_groups(const struct callsign_record *parent, const struct cs_creation *creation, MPI_Comm made,
                             struct cs_birth *birth, char name[CS_NAME_BYTES])
{
    uint32_t before = parent ? cs_object_made_on(parent) : 0;
    uint64_t local = cs_members_hash(made, false), remote = cs_members_hash(made, true);
    if (!local || !remote) {
        if (parent)
            cs_birth_identify(birth, parent, before, 0);
        uint32_t number = cs_next_of_verb(parent, creation->verb);
        cs_derive_from(parent, creation->verb, number, "", name);
        cs_birth_name_nth(birth, name, number);
        return;
    }
    uint64_t low = local < remote ? local : remote, high = local < remote ? remote : local;
    uint64_t key = cs_identity_join(cs_identity_join(low, high), tag_of(birth));
    uint32_t nth = cs_identity_count(0, key);
    char part[CS_DERIVED_BYTES], members[CS_DERIVED_BYTES - CS_PART_BYTES], tag[TAG_BYTES];
    cs_members_of_both(made, members, sizeof members);
    put_tag(birth, tag);
    snprintf(part, sizeof part, "(%s%s)", members, tag);
    birth->uid = birth->family =
        cs_identity_join(cs_identity_join(cs_journal_header(cs_recorder.journal)->run_hash, key), nth);
    cs_derive(stringtag_of(birth), CS_VERB_INTER, nth + 1, part, name);
    cs_birth_name_nth(birth, name, nth + 1);
}

static const struct callsign_record *parent_of(const struct cs_call *call)
{
    return call->on && call->on->kind == CALLSIGN_COMMUNICATOR ? call->on : NULL;
}

static void identify_and_name(struct cs_call *call, MPI_Comm made, struct cs_birth *birth, char name[CS_NAME_BYTES])
{
    const struct cs_creation *creation = cs_creation_find(call->function);
    const struct callsign_record *parent = parent_of(call);
    if (!creation)
        return;
    if (creation->participants == CS_MEMBERS)
        create_by_members(parent, creation, made, birth, name);
    else if (creation->participants == CS_GROUPS)
        create_by_groups(parent, creation, made, birth, name);
    else if (parent)
        create_by_all(parent, creation, made, birth, name);
}

static void count_excluded(struct cs_call *call, struct cs_exclusion *exclusion)
{
    const struct cs_creation *creation = cs_creation_find(call->function);
    const struct callsign_record *parent = parent_of(call);
    if (!creation || !parent || creation->participants == CS_MEMBERS)
        return;
    uint32_t before = cs_object_made_on(parent);
    if (creation->participants == CS_GROUPS)
        return;
    exclusion->number = cs_next_of_verb(parent, creation->verb);
    exclusion->family = parent->uid ? cs_identity_join(parent->uid, before) : 0;
}

static uint64_t uid_of_predefined(MPI_Comm comm)
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

/* ---- create and adopt ---- */

/* Open MPI 5 leaves on what these two make the mark of the parent's topology, and crashes when that is then asked for
   its dimensions: what they make is known. */
static int topology_of(const struct cs_birth *birth, MPI_Comm comm)
{
    int topology = MPI_UNDEFINED;
    if (birth->function == CS_MPI_Dist_graph_create_adjacent)
        topology = MPI_DIST_GRAPH;
    else if (birth->function != CS_MPI_Comm_create_group)
        cs_mpi_Topo_test(comm, &topology);
    return topology;
}

static void ask_neighbours(MPI_Comm comm, int topology, struct cs_birth *birth)
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

/* What the MPI says of a communicator. */
static void ask(MPI_Comm comm, struct cs_birth *birth)
{
    int inter = 0, topology = MPI_UNDEFINED;
    cs_mpi_Comm_size(comm, &birth->size);
    cs_mpi_Comm_rank(comm, &birth->rank);
    cs_mpi_Comm_test_inter(comm, &inter);
    if (inter)
        cs_mpi_Comm_remote_size(comm, &birth->remote_size);
    else
        topology = topology_of(birth, comm);
    ask_neighbours(comm, topology, birth);
    birth->facts = CS_FACT_COMMUNICATOR;
    birth->communicator = (struct cs_fact_communicator){.size = birth->size,
                                                        .rank = birth->rank,
                                                        .remote_size = birth->remote_size,
                                                        .topology = topology_number(topology)};
    birth->members = birth->rank == 0 ? cs_members(comm) : NULL;
}

/* A duplicate is its parent in everything that is asked; one that is not complete must not be asked. */
static void take_from(const struct callsign_record *parent, struct cs_birth *birth)
{
    birth->size = parent->size;
    birth->rank = parent->rank;
    birth->remote_size = parent->remote_size;
    birth->in_degree = parent->in_degree;
    birth->out_degree = parent->out_degree;
    birth->flags |= CS_OBJECT_DUPLICATE | (cs_object_flags(parent) & CS_OBJECT_GRID);
}

static const struct callsign_record *born(struct cs_call *call, struct cs_birth *birth)
{
    const struct callsign_record *object = cs_born(call, birth);
    free((char *)(uintptr_t)birth->members);
    return object;
}

static bool completes_later(uint16_t function)
{
    return function == CS_MPI_Comm_idup || function == CS_MPI_Comm_idup_with_info;
}

static bool duplicates(uint16_t function)
{
    return function == CS_MPI_Comm_dup || function == CS_MPI_Comm_dup_with_info || completes_later(function);
}

/* Others may have got a communicator from this call, this process none. */
static void exclude(struct cs_call *call)
{
    struct cs_exclusion exclusion = {
        .ticks = call->stop, .parent = call->on ? call->on->id : 0, .function = call->function};
    count_excluded(call, &exclusion);
    if (!call->counted)
        return;
    exclusion.site = cs_call_site(call);
    cs_object_excluded(&exclusion);
}

/* Whether surely all members are on this node: what is made of such a communicator is, too, unless others join. */
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

/* What calls on it tell of the clocks of nodes. Who has no uid has no name that the others know. */
static void set_reach(struct cs_birth *birth)
{
    if (birth->remote_size >= 0)
        return;
    if (is_on_node(birth))
        birth->flags |= CS_OBJECT_ON_NODE;
    else if (birth->uid && birth->size > 1)
        birth->flags |= CS_OBJECT_SYNCHRONIZES;
}

void cs_made_comm(struct cs_call *call, MPI_Comm comm)
{
    if (comm == MPI_COMM_NULL) {
        exclude(call);
        return;
    }
    if (!cs_is_plausible(comm, MPI_COMM_NULL))
        return;
    char name[CS_NAME_BYTES];
    struct cs_birth birth = cs_birth_of(call, CALLSIGN_COMMUNICATOR, CS_KEY(comm));
    birth.fortran_handle = cs_mpi_Comm_c2f(comm);
    /* Of an MPICH communicator of threads nothing may be asked before they have begun to use it. */
    if (call->function == CS_MPIX_Threadcomm_init) {
        born(call, &birth);
        return;
    }
    if (birth.from && duplicates(call->function))
        take_from(birth.from, &birth);
    else
        ask(comm, &birth);
    identify_and_name(call, comm, &birth, name);
    set_reach(&birth);
    const struct callsign_record *object = born(call, &birth);
    if (completes_later(call->function))
        cs_apply_later(object);
    else
        cs_apply(object, NULL);
}

static const struct callsign_record *find_or_adopt(MPI_Comm comm, uint32_t flags)
{
    const struct callsign_record *object = cs_object_look_up(CALLSIGN_COMMUNICATOR, CS_KEY(comm));
    if (object || !cs_is_plausible(comm, MPI_COMM_NULL))
        return object;
    struct cs_birth birth = cs_birth_unseen(CALLSIGN_COMMUNICATOR, CS_KEY(comm), flags);
    birth.fortran_handle = cs_mpi_Comm_c2f(comm);
    ask(comm, &birth);
    birth.uid = uid_of_predefined(comm);
    if (comm == MPI_COMM_WORLD && !cs_launch_is_on_node(environ, birth.size))
        set_reach(&birth);
    else if (comm == MPI_COMM_WORLD)
        birth.flags |= CS_OBJECT_ON_NODE;
    object = born(NULL, &birth);
    cs_take_native_name(object);
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
