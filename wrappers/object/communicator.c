/* Communicators: what is asked of the MPI when one is met. */
#include <stdlib.h>

#include "functions.h"
#include "record/recorder.h"
#include "wrappers/object/apply.h"
#include "wrappers/object/birth.h"
#include "wrappers/object/lineage.h"
#include "wrappers/object/members.h"
#include "wrappers/object/look_up.h"
#include "wrappers/roles.h"

/* Open MPI 5 leaves on what these two make the mark of the parent's topology, and crashes when that is then asked for
   its dimensions: what they make is known. */
static int topology_of(const struct cs_call *call, MPI_Comm comm)
{
    int topology = MPI_UNDEFINED;
    if (call && call->function == CS_MPI_Dist_graph_create_adjacent)
        topology = MPI_DIST_GRAPH;
    else if (!call || call->function != CS_MPI_Comm_create_group)
        PMPI_Topo_test(comm, &topology);
    return topology;
}

static void neighbours(MPI_Comm comm, int topology, struct cs_birth *birth)
{
    int weighted;
    if (topology == MPI_CART) {
        int dimensions = 0;
        PMPI_Cartdim_get(comm, &dimensions);
        birth->in_degree = birth->out_degree = 2 * dimensions;
        birth->flags |= CS_OBJECT_GRID;
    } else if (topology == MPI_GRAPH) {
        PMPI_Graph_neighbors_count(comm, birth->rank, &birth->out_degree);
        birth->in_degree = birth->out_degree;
    } else if (topology == MPI_DIST_GRAPH) {
        PMPI_Dist_graph_neighbors_count(comm, &birth->in_degree, &birth->out_degree, &weighted);
    }
}

static int topology_number(int topology)
{
    return topology == MPI_GRAPH ? 1 : topology == MPI_CART ? 2 : topology == MPI_DIST_GRAPH ? 3 : 0;
}

static const struct callsign_record *comm_born(struct cs_call *call, MPI_Comm comm, struct cs_birth *birth)
{
    int inter = 0, topology = MPI_UNDEFINED;
    PMPI_Comm_size(comm, &birth->size);
    PMPI_Comm_rank(comm, &birth->rank);
    PMPI_Comm_test_inter(comm, &inter);
    if (inter)
        PMPI_Comm_remote_size(comm, &birth->remote_size);
    else
        topology = topology_of(call, comm);
    neighbours(comm, topology, birth);
    char name[CS_NAME_BYTES];
    if (call)
        cs_lineage_comm(call, comm, birth, name);
    const struct callsign_record *object = cs_born(call, birth);
    if (!object)
        return NULL;
    char *members = birth->rank == 0 ? cs_members(comm) : NULL;
    struct cs_fact_communicator fact = {.fact.ticks = birth->ticks,
                                        .object = object->id,
                                        .size = birth->size,
                                        .rank = birth->rank,
                                        .remote_size = birth->remote_size,
                                        .topology = topology_number(topology)};
    cs_journal_append(cs_recorder.journal, CS_FACT_COMMUNICATOR, &fact.fact, sizeof fact,
                      (const char *const[]){members}, 1);
    free(members);
    cs_apply(object, NULL);
    return object;
}

static bool promises(uint16_t function)
{
    return function == CS_MPI_Comm_idup || function == CS_MPI_Comm_idup_with_info;
}

static bool duplicates(uint16_t function)
{
    return function == CS_MPI_Comm_dup || function == CS_MPI_Comm_dup_with_info || promises(function);
}

/* A duplicate is its parent in everything that is asked here; one that MPI_Comm_idup promises must not be asked yet. */
static void comm_duplicated(struct cs_call *call, MPI_Comm comm, struct cs_birth *birth)
{
    char name[CS_NAME_BYTES];
    const struct callsign_record *parent = call->on;
    birth->size = parent->size;
    birth->rank = parent->rank;
    birth->remote_size = parent->remote_size;
    birth->in_degree = parent->in_degree;
    birth->out_degree = parent->out_degree;
    birth->flags |= CS_OBJECT_DUPLICATE | (parent->flags & CS_OBJECT_GRID);
    cs_lineage_comm(call, comm, birth, name);
    const struct callsign_record *object = cs_born(call, birth);
    if (!object)
        return;
    if (promises(call->function))
        cs_apply_later(object);
    else
        cs_apply(object, NULL);
}

void cs_made_comm(struct cs_call *call, MPI_Comm comm)
{
    if (comm == MPI_COMM_NULL) {
        cs_lineage_comm(call, comm, NULL, NULL);
        return;
    }
    struct cs_birth birth = cs_birth_of(call, CALLSIGN_COMMUNICATOR, CS_KEY(comm));
    birth.from = call->on; /* a communicator, or the group of MPI_Comm_create_from_group */
    birth.parent = birth.from ? birth.from->id : 0;
    birth.fortran_handle = PMPI_Comm_c2f(comm);
    /* Of an MPICH communicator of threads nothing may be asked before they have begun to use it. */
    if (call->function == CS_MPIX_Threadcomm_init)
        cs_born(call, &birth);
    else if (birth.parent && duplicates(call->function))
        comm_duplicated(call, comm, &birth);
    else
        comm_born(call, comm, &birth);
}

static const struct callsign_record *comm_met(MPI_Comm comm, uint32_t flags)
{
    struct cs_birth birth = cs_birth_met(CALLSIGN_COMMUNICATOR, CS_KEY(comm), flags);
    birth.fortran_handle = PMPI_Comm_c2f(comm);
    birth.uid = cs_lineage_given(comm);
    const struct callsign_record *object = comm_born(NULL, comm, &birth);
    if (!object)
        return NULL;
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length;
    PMPI_Comm_get_name(comm, name, &length);
    cs_name_by_mpi(object, name);
    return object;
}

static const struct callsign_record *comm_found_or_met(MPI_Comm comm, uint32_t flags)
{
    const struct callsign_record *object = cs_object_look_up(CALLSIGN_COMMUNICATOR, CS_KEY(comm));
    if (!object && comm != MPI_COMM_NULL)
        object = comm_met(comm, flags);
    /* Another thread may have met it at the same moment. */
    return object ? object : cs_object_find(CALLSIGN_COMMUNICATOR, CS_KEY(comm));
}

const struct callsign_record *cs_comm_record(const struct cs_call *call, MPI_Comm comm)
{
    return comm_found_or_met(comm, cs_adopted_by(call));
}

void cs_objects_world(void)
{
    MPI_Comm parent = MPI_COMM_NULL;
    comm_found_or_met(MPI_COMM_WORLD, CS_OBJECT_PREDEFINED);
    comm_found_or_met(MPI_COMM_SELF, CS_OBJECT_PREDEFINED);
    PMPI_Comm_get_parent(&parent);
    cs_comm_record(NULL, parent);
}
