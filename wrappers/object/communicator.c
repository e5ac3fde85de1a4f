#include "wrappers/object/communicator.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asked.h"
#include "functions.h"
#include "record/object.h"
#include "record/run_folder.h"
#include "wrappers/object/apply.h"
#include "wrappers/object/birth.h"
#include "wrappers/object/lineage.h"
#include "wrappers/object/members.h"
#include "wrappers/object/plausible.h"

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
    cs_lineage_exclude(call, &exclusion);
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
    cs_lineage_comm(call, comm, &birth, name);
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
    birth.uid = cs_lineage_of_world(comm);
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
