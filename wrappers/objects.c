#include "wrappers/objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"
#include "db/names.h"
#include "record/object.h"
#include "record/recorder.h"
#include "wrappers/members.h"
#include "wrappers/roles.h"

/* ---- births ---- */

static struct cs_birth birth_of(const struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    return (struct cs_birth){
        .handle = handle,
        .fortran_handle = INT64_MIN,
        .site = call->site,
        .ticks = call->stop,
        .flags = call->counted ? 0 : CS_OBJECT_INTERNAL,
        .size = -1,
        .rank = -1,
        .remote_size = -1,
        .kind = (uint16_t)kind,
        .function = call->function,
    };
}

/* An object that was there before callsign looked: no call made it. */
static struct cs_birth birth_met(enum callsign_kind kind, uint64_t handle, uint32_t flags)
{
    return (struct cs_birth){.handle = handle,
                             .fortran_handle = INT64_MIN,
                             .flags = flags,
                             .size = -1,
                             .rank = -1,
                             .remote_size = -1,
                             .kind = (uint16_t)kind};
}

static const struct callsign_record *born(struct cs_call *call, const struct cs_birth *birth)
{
    const struct callsign_record *object = cs_object_born(birth);
    if (object && call)
        call->made = object->id;
    return object;
}

/* ---- communicators ---- */

static void neighbours(MPI_Comm comm, int topology, struct cs_birth *birth)
{
    int weighted;
    if (topology == MPI_CART) {
        int dimensions = 0;
        PMPI_Cartdim_get(comm, &dimensions);
        birth->in_degree = birth->out_degree = 2 * dimensions;
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
    birth->fortran_handle = PMPI_Comm_c2f(comm);
    PMPI_Comm_size(comm, &birth->size);
    PMPI_Comm_rank(comm, &birth->rank);
    PMPI_Comm_test_inter(comm, &inter);
    if (inter)
        PMPI_Comm_remote_size(comm, &birth->remote_size);
    else
        PMPI_Topo_test(comm, &topology);
    neighbours(comm, topology, birth);
    const struct callsign_record *object = born(call, birth);
    if (!object)
        return NULL;
    char *members = birth->rank == 0 ? cs_members(comm, birth->size) : NULL;
    struct cs_fact_communicator fact = {.fact.ticks = birth->ticks,
                                        .object = object->id,
                                        .size = birth->size,
                                        .rank = birth->rank,
                                        .remote_size = birth->remote_size,
                                        .topology = topology_number(topology)};
    cs_journal_append(cs_recorder.journal, CS_FACT_COMMUNICATOR, &fact.fact, sizeof fact,
                      (const char *const[]){members}, 1);
    free(members);
    return object;
}

/* A duplicate is its parent in everything that is asked here; one that MPI_Comm_idup promises must not be asked yet. */
static void comm_duplicated(struct cs_call *call, struct cs_birth *birth)
{
    const struct callsign_record *parent = call->on;
    birth->size = parent->size;
    birth->rank = parent->rank;
    birth->remote_size = parent->remote_size;
    birth->in_degree = parent->in_degree;
    birth->out_degree = parent->out_degree;
    const struct callsign_record *object = born(call, birth);
    if (!object)
        return;
    struct cs_fact_communicator fact = {.fact.ticks = birth->ticks,
                                        .object = object->id,
                                        .size = birth->size,
                                        .rank = birth->rank,
                                        .remote_size = birth->remote_size,
                                        .topology = -1};
    cs_journal_append(cs_recorder.journal, CS_FACT_COMMUNICATOR, &fact.fact, sizeof fact, (const char *const[]){"="}, 1);
}

static bool duplicates(uint16_t function)
{
    return function == CS_MPI_Comm_dup || function == CS_MPI_Comm_dup_with_info || function == CS_MPI_Comm_idup ||
           function == CS_MPI_Comm_idup_with_info;
}

void cs_made_comm(struct cs_call *call, MPI_Comm comm)
{
    if (comm == MPI_COMM_NULL)
        return;
    if (call->unknown)
        cs_adopt_unknown(call);
    struct cs_birth birth = birth_of(call, CALLSIGN_COMMUNICATOR, CS_KEY(comm));
    birth.parent = call->on && call->on->kind == CALLSIGN_COMMUNICATOR ? call->on->id : 0;
    birth.fortran_handle = PMPI_Comm_c2f(comm);
    if (birth.parent && duplicates(call->function))
        comm_duplicated(call, &birth);
    else
        comm_born(call, comm, &birth);
}

/* What the MPI itself calls the object. */
static void name_by_mpi(const struct callsign_record *object, const char *name)
{
    if (object && *name)
        cs_object_name(object, name, CALLSIGN_MPI, 0);
}

static const struct callsign_record *comm_met(MPI_Comm comm, uint32_t flags)
{
    struct cs_birth birth = birth_met(CALLSIGN_COMMUNICATOR, CS_KEY(comm), flags);
    const struct callsign_record *object = comm_born(NULL, comm, &birth);
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length;
    PMPI_Comm_get_name(comm, name, &length);
    name_by_mpi(object, name);
    return object;
}

void cs_met_comm(struct cs_call *call, MPI_Comm comm)
{
    (void)call;
    if (comm != MPI_COMM_NULL && !cs_object_find(CALLSIGN_COMMUNICATOR, CS_KEY(comm)))
        comm_met(comm, CS_OBJECT_PREDEFINED);
}

void cs_objects_world(void)
{
    MPI_Comm parent = MPI_COMM_NULL;
    comm_met(MPI_COMM_WORLD, CS_OBJECT_PREDEFINED);
    comm_met(MPI_COMM_SELF, CS_OBJECT_PREDEFINED);
    PMPI_Comm_get_parent(&parent);
    /* The parent communicator may be freed or disconnected like any other. */
    if (parent != MPI_COMM_NULL)
        comm_met(parent, CS_OBJECT_ADOPTED);
}

/* ---- datatypes ---- */

static int combiner_number(int combiner)
{
    static const struct {
        int mpi, number;
    } combiners[] = {
        {MPI_COMBINER_NAMED, CS_COMBINER_NAMED},
        {MPI_COMBINER_DUP, CS_COMBINER_DUP},
        {MPI_COMBINER_CONTIGUOUS, CS_COMBINER_CONTIGUOUS},
        {MPI_COMBINER_VECTOR, CS_COMBINER_VECTOR},
        {MPI_COMBINER_HVECTOR, CS_COMBINER_HVECTOR},
        {MPI_COMBINER_INDEXED, CS_COMBINER_INDEXED},
        {MPI_COMBINER_HINDEXED, CS_COMBINER_HINDEXED},
        {MPI_COMBINER_INDEXED_BLOCK, CS_COMBINER_INDEXED_BLOCK},
        {MPI_COMBINER_HINDEXED_BLOCK, CS_COMBINER_HINDEXED_BLOCK},
        {MPI_COMBINER_STRUCT, CS_COMBINER_STRUCT},
        {MPI_COMBINER_SUBARRAY, CS_COMBINER_SUBARRAY},
        {MPI_COMBINER_DARRAY, CS_COMBINER_DARRAY},
        {MPI_COMBINER_F90_REAL, CS_COMBINER_F90_REAL},
        {MPI_COMBINER_F90_COMPLEX, CS_COMBINER_F90_COMPLEX},
        {MPI_COMBINER_F90_INTEGER, CS_COMBINER_F90_INTEGER},
        {MPI_COMBINER_RESIZED, CS_COMBINER_RESIZED},
    };
    for (size_t i = 0; i < sizeof combiners / sizeof *combiners; i++)
        if (combiners[i].mpi == combiner)
            return combiners[i].number;
    return CS_COMBINER_UNKNOWN;
}

static int combiner_of(MPI_Datatype type)
{
    int integers, addresses, types, combiner = MPI_COMBINER_NAMED;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    return combiner;
}

static const struct callsign_record *type_born(struct cs_call *call, MPI_Datatype type, struct cs_birth *birth, int combiner)
{
    MPI_Count size = 0, lower = 0, extent = 0;
    PMPI_Type_size_x(type, &size);
    PMPI_Type_get_extent_x(type, &lower, &extent);
    birth->bytes = size;
    birth->fortran_handle = PMPI_Type_c2f(type);
    const struct callsign_record *object = born(call, birth);
    if (!object)
        return NULL;
    struct cs_fact_datatype fact = {.fact.ticks = birth->ticks,
                                    .object = object->id,
                                    .combiner = combiner_number(combiner),
                                    .size_bytes = size,
                                    .lower_bound_bytes = lower,
                                    .extent_bytes = extent};
    cs_journal_append(cs_recorder.journal, CS_FACT_DATATYPE, &fact.fact, sizeof fact, NULL, 0);
    return object;
}

static void type_name_by_mpi(const struct callsign_record *object, MPI_Datatype type)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length;
    PMPI_Type_get_name(type, name, &length);
    name_by_mpi(object, name);
}

const struct callsign_record *cs_type_record(MPI_Datatype type)
{
    const struct callsign_record *object = cs_object_find(CALLSIGN_DATATYPE, CS_KEY(type));
    if (__builtin_expect(object != NULL, 1))
        return object;
    if (type == MPI_DATATYPE_NULL)
        return NULL;
    int combiner = combiner_of(type);
    bool predefined = combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
                      combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
    struct cs_birth birth =
        birth_met(CALLSIGN_DATATYPE, CS_KEY(type), predefined ? CS_OBJECT_PREDEFINED : CS_OBJECT_ADOPTED);
    object = type_born(NULL, type, &birth, combiner);
    type_name_by_mpi(object, type);
    return object;
}

void cs_made_type(struct cs_call *call, MPI_Datatype type, MPI_Datatype parent)
{
    if (type == MPI_DATATYPE_NULL)
        return;
    struct cs_birth birth = birth_of(call, CALLSIGN_DATATYPE, CS_KEY(type));
    const struct callsign_record *from = cs_type_record(parent);
    birth.parent = from ? from->id : 0;
    int combiner = combiner_of(type);
    const struct callsign_record *object = type_born(call, type, &birth, combiner);
    if (call->function == CS_MPI_Type_dup)
        type_name_by_mpi(object, type); /* Open MPI invents "Dup x" */
}

/* Of several parents the first that the program made says most; else simply the first. */
void cs_made_type_of(struct cs_call *call, MPI_Datatype type, MPI_Count count, const MPI_Datatype parents[])
{
    MPI_Datatype parent = count > 0 ? parents[0] : MPI_DATATYPE_NULL;
    for (MPI_Count i = 0; i < count; i++) {
        const struct callsign_record *candidate = cs_object_find(CALLSIGN_DATATYPE, CS_KEY(parents[i]));
        if (candidate && !(candidate->flags & CS_OBJECT_PREDEFINED)) {
            parent = parents[i];
            break;
        }
    }
    cs_made_type(call, type, parent);
}

void cs_met_type(struct cs_call *call, MPI_Datatype type)
{
    (void)call;
    cs_type_record(type);
}

void cs_given_types(struct cs_call *call, MPI_Count count, const MPI_Datatype types[])
{
    for (MPI_Count i = 0; i < count; i++) {
        const struct callsign_record *known = cs_object_find(CALLSIGN_DATATYPE, CS_KEY(types[i]));
        int combiner = known || types[i] == MPI_DATATYPE_NULL ? MPI_COMBINER_NAMED : combiner_of(types[i]);
        if (known && !(known->flags & CS_OBJECT_PREDEFINED)) {
            cs_object_refer(known);
        } else if (combiner == MPI_COMBINER_NAMED) {
            cs_type_record(types[i]);
        } else {
            struct cs_birth birth = birth_of(call, CALLSIGN_DATATYPE, CS_KEY(types[i]));
            type_born(call, types[i], &birth, combiner);
        }
    }
}

void cs_committed_type(struct cs_call *call, MPI_Datatype type)
{
    const struct callsign_record *object = cs_type_record(type);
    if (!object)
        return;
    struct cs_fact_commit fact = {.fact.ticks = call->stop, .object = object->id, .site = call->site};
    cs_journal_append(cs_recorder.journal, CS_FACT_COMMIT, &fact.fact, sizeof fact, NULL, 0);
}

/* ---- windows ---- */

static const void *win_attribute(MPI_Win win, int keyval)
{
    void *value = NULL;
    int found = 0;
    PMPI_Win_get_attr(win, keyval, &value, &found);
    return found ? value : NULL;
}

static int flavor_number(const int *flavor)
{
    if (!flavor)
        return 0;
    return *flavor == MPI_WIN_FLAVOR_CREATE     ? 1
           : *flavor == MPI_WIN_FLAVOR_ALLOCATE ? 2
           : *flavor == MPI_WIN_FLAVOR_DYNAMIC  ? 3
           : *flavor == MPI_WIN_FLAVOR_SHARED   ? 4
                                                : 0;
}

static const struct callsign_record *win_born(struct cs_call *call, MPI_Win win, struct cs_birth *birth)
{
    const MPI_Aint *size = win_attribute(win, MPI_WIN_SIZE);
    const int *unit = win_attribute(win, MPI_WIN_DISP_UNIT);
    const int *model = win_attribute(win, MPI_WIN_MODEL);
    MPI_Group group;
    birth->fortran_handle = PMPI_Win_c2f(win);
    birth->bytes = size ? *size : 0;
    if (PMPI_Win_get_group(win, &group) == MPI_SUCCESS) {
        PMPI_Group_size(group, &birth->size);
        PMPI_Group_rank(group, &birth->rank);
        PMPI_Group_free(&group);
    }
    const struct callsign_record *object = born(call, birth);
    if (!object)
        return NULL;
    struct cs_fact_window fact = {
        .fact.ticks = birth->ticks,
        .object = object->id,
        .communicator = birth->parent,
        .flavor = flavor_number(win_attribute(win, MPI_WIN_CREATE_FLAVOR)),
        .model = !model ? 0 : *model == MPI_WIN_SEPARATE ? 1 : *model == MPI_WIN_UNIFIED ? 2 : 0,
        .base = (uint64_t)(uintptr_t)win_attribute(win, MPI_WIN_BASE),
        .size_bytes = birth->bytes,
        .displacement_unit_bytes = unit ? *unit : 0};
    cs_journal_append(cs_recorder.journal, CS_FACT_WINDOW, &fact.fact, sizeof fact, NULL, 0);
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length;
    PMPI_Win_get_name(win, name, &length);
    name_by_mpi(object, name); /* Open MPI invents "rdma window 8" */
    return object;
}

void cs_made_win(struct cs_call *call, MPI_Win win)
{
    if (win == MPI_WIN_NULL)
        return;
    struct cs_birth birth = birth_of(call, CALLSIGN_WINDOW, CS_KEY(win));
    birth.parent = call->communicator;
    win_born(call, win, &birth);
}

/* ---- files ---- */

void cs_made_file(struct cs_call *call, MPI_File file)
{
    if (file == MPI_FILE_NULL)
        return;
    struct cs_birth birth = birth_of(call, CALLSIGN_FILE, CS_KEY(file));
    birth.parent = call->communicator;
    birth.fortran_handle = PMPI_File_c2f(file);
    if (call->on) {
        birth.size = call->on->size;
        birth.rank = call->on->rank;
    }
    born(call, &birth);
}

/* ---- met in use ---- */

/* From a key back to a handle: the key holds the handle's own bytes or its 32-bit value. */
#define HANDLE_OF(type, key) ((type)(uintptr_t)(sizeof(type) == 4 ? (uint64_t)(uint32_t)(key) : (key)))

void cs_adopt_unknown(struct cs_call *call)
{
    uint64_t key = call->unknown;
    call->unknown = 0;
    struct cs_birth birth = birth_met((enum callsign_kind)call->unknown_kind, key, CS_OBJECT_ADOPTED);
    if (call->unknown_kind == CALLSIGN_COMMUNICATOR) {
        MPI_Comm comm = HANDLE_OF(MPI_Comm, key);
        call->on = comm == MPI_COMM_NULL ? NULL : comm_met(comm, CS_OBJECT_ADOPTED);
    } else if (call->unknown_kind == CALLSIGN_WINDOW) {
        MPI_Win win = HANDLE_OF(MPI_Win, key);
        call->on = win == MPI_WIN_NULL ? NULL : win_born(NULL, win, &birth);
    } else {
        call->on = NULL; /* a file handle alone does not tell its communicator */
    }
    if (call->on)
        call->communicator = call->on->kind == CALLSIGN_COMMUNICATOR ? call->on->id : call->on->parent;
}

/* ---- frees ---- */

static void freeing(struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    if (!call->thread)
        return;
    const struct callsign_record *object = cs_object_find(kind, handle);
    if (!object)
        return;
    if (kind == CALLSIGN_COMMUNICATOR)
        call->communicator = object->id;
    else if (kind != CALLSIGN_DATATYPE)
        call->communicator = object->parent;
    call->freeing = cs_object_unlink(kind, handle);
}

void cs_freeing_comm(struct cs_call *call, MPI_Comm comm)
{
    freeing(call, CALLSIGN_COMMUNICATOR, CS_KEY(comm));
}

void cs_freeing_type(struct cs_call *call, MPI_Datatype type)
{
    freeing(call, CALLSIGN_DATATYPE, CS_KEY(type));
}

void cs_freeing_win(struct cs_call *call, MPI_Win win)
{
    freeing(call, CALLSIGN_WINDOW, CS_KEY(win));
}

void cs_freeing_file(struct cs_call *call, MPI_File file)
{
    freeing(call, CALLSIGN_FILE, CS_KEY(file));
}

void cs_freed(struct cs_call *call, bool success)
{
    if (!call->freeing)
        return;
    if (success)
        cs_object_died(call->freeing, call->function, call->site, call->stop);
    else
        cs_object_relink(call->freeing);
}

/* ---- names ---- */

/* The MPI keeps no more than it has room for. */
static void named(struct cs_call *call, const struct callsign_record *object, const char *name)
{
    if (!object || !name)
        return;
    char kept[MPI_MAX_OBJECT_NAME];
    size_t length = strnlen(name, sizeof kept - 1);
    memcpy(kept, name, length);
    kept[length] = '\0';
    cs_object_name(object, kept, CALLSIGN_PROGRAM, call->site);
}

void cs_named_comm(struct cs_call *call, MPI_Comm comm, const char *name)
{
    const struct callsign_record *object = cs_object_find(CALLSIGN_COMMUNICATOR, CS_KEY(comm));
    if (!object && comm != MPI_COMM_NULL)
        object = comm_met(comm, CS_OBJECT_ADOPTED);
    named(call, object, name);
}

void cs_named_type(struct cs_call *call, MPI_Datatype type, const char *name)
{
    named(call, cs_type_record(type), name);
}

void cs_named_win(struct cs_call *call, MPI_Win win, const char *name)
{
    named(call, cs_object_find(CALLSIGN_WINDOW, CS_KEY(win)), name);
}
