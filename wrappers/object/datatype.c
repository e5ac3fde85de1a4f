/* Datatypes: what is asked of the MPI when one is met. */
#include "db/journal/datatype_name.h"
#include "db/journal/names.h"
#include "functions.h"
#include "record/recorder.h"
#include "wrappers/object/apply.h"
#include "wrappers/object/birth.h"
#include "wrappers/object/lineage.h"
#include "wrappers/object/look_up.h"
#include "wrappers/roles.h"

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
    int combiner = MPI_COMBINER_NAMED;
#if MPI_VERSION >= 4
    /* The older function fails, loudly, on types that were made with large counts. */
    MPI_Count integers, addresses, counts, types;
    PMPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner);
#else
    int integers, addresses, types;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
#endif
    return combiner;
}

static const struct callsign_record *type_born(struct cs_call *call, MPI_Datatype type, struct cs_birth *birth,
                                               int combiner)
{
    MPI_Count size = 0, lower = 0, extent = 0;
    PMPI_Type_size_x(type, &size);
    PMPI_Type_get_extent_x(type, &lower, &extent);
    birth->bytes = size;
    birth->fortran_handle = PMPI_Type_c2f(type);
    const struct callsign_record *object = cs_born(call, birth);
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
    if (!object || object->name)
        return;
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length;
    PMPI_Type_get_name(type, name, &length);
    cs_name_by_mpi(object, name);
}

/* The types of MPI_Type_create_f90_*: the MPI's own, and it has no name for them, or one that says little. */
static void birth_of_f90(const struct cs_call *call, struct cs_birth *birth, char name[CS_DATATYPE_NAME_BYTES])
{
    static const struct cs_datatype_name_context nobody = {NULL, NULL};
    if (!call || !call->details)
        return;
    birth->detail = call->details->words;
    birth->detail_bytes = call->details->bytes;
    if (!cs_datatype_name(call->function, 0, birth->detail, birth->detail_bytes, &nobody, name))
        return;
    birth->name = name;
    birth->origin = CALLSIGN_DERIVED;
}

/* call: that the type was met in; NULL: it says nothing of how it was made. */
static const struct callsign_record *type_met(const struct cs_call *call, MPI_Datatype type)
{
    CS_KEEP_ERRNO;
    int combiner = combiner_of(type);
    bool predefined = combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
                      combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
    char name[CS_DATATYPE_NAME_BYTES];
    struct cs_birth birth =
        cs_birth_met(CALLSIGN_DATATYPE, CS_KEY(type), predefined ? CS_OBJECT_PREDEFINED : CS_OBJECT_ADOPTED);
    birth_of_f90(call, &birth, name);
    const struct callsign_record *object = type_born(NULL, type, &birth, combiner);
    if (!birth.name)
        type_name_by_mpi(object, type);
    /* Another thread may have met it at the same moment. */
    return object ? object : cs_object_find(CALLSIGN_DATATYPE, CS_KEY(type));
}

const struct callsign_record *cs_type_record(MPI_Datatype type)
{
    const struct callsign_record *object = cs_object_look_up(CALLSIGN_DATATYPE, CS_KEY(type));
    if (__builtin_expect(object != NULL, 1))
        return object;
    return type == MPI_DATATYPE_NULL ? NULL : type_met(NULL, type);
}

/* The size of an unknown type may only be asked of handles that are surely good. */
static bool is_basic(MPI_Datatype type)
{
    const MPI_Datatype basic[] = {MPI_BYTE,    MPI_CHAR,          MPI_INT,           MPI_DOUBLE, MPI_FLOAT,
                                  MPI_LONG,    MPI_LONG_LONG,     MPI_UNSIGNED,      MPI_SHORT,  MPI_INT32_T,
                                  MPI_INT64_T, MPI_UNSIGNED_LONG, MPI_UNSIGNED_CHAR, MPI_PACKED};
    for (size_t i = 0; i < sizeof basic / sizeof *basic; i++)
        if (type == basic[i])
            return true;
    return false;
}

/* NULL: not in the table. Most messages are of the type of the message before. */
static const struct callsign_record *type_of_message(struct cs_thread *thread, MPI_Datatype type)
{
    const struct callsign_record *object = thread->last_type;
    if (object && cs_object_is(object, CALLSIGN_DATATYPE, CS_KEY(type)))
        return object;
    object = cs_object_find(CALLSIGN_DATATYPE, CS_KEY(type));
    if (object)
        thread->last_type = object;
    return object;
}

void cs_on_length_recorded(struct cs_call *call, MPI_Count count, MPI_Datatype type)
{
    int size = 0;
    if (call->thread->depth != 1 || count < 0)
        return;
    const struct callsign_record *object = count ? type_of_message(call->thread, type) : NULL;
    if (object && object->bytes >= 0)
        call->thread->state->bytes = (uint64_t)count * (uint64_t)object->bytes;
    else if (count == 0 || (is_basic(type) && PMPI_Type_size(type, &size) == MPI_SUCCESS))
        call->thread->state->bytes = (uint64_t)count * (uint64_t)size;
}

void cs_made_type(struct cs_call *call, MPI_Datatype type, MPI_Datatype parent)
{
    if (type == MPI_DATATYPE_NULL)
        return;
    struct cs_birth birth = cs_birth_of(call, CALLSIGN_DATATYPE, CS_KEY(type));
    const struct callsign_record *from = cs_type_record(parent);
    birth.from = from;
    birth.parent = from ? from->id : 0;
    int combiner = combiner_of(type);
    char name[CS_NAME_BYTES];
    cs_lineage_datatype_now(&birth, name);
    const struct callsign_record *object = type_born(call, type, &birth, combiner);
    if (call->function == CS_MPI_Type_dup && !birth.name)
        type_name_by_mpi(object, type); /* Open MPI invents "Dup x" */
    if (cs_applies_to(CALLSIGN_DATATYPE))
        cs_apply(object, call->function == CS_MPI_Type_dup ? from : NULL);
}

/* Of several parents the first that the program made says most; else simply the first. */
void cs_made_type_of(struct cs_call *call, MPI_Datatype type, MPI_Count count, struct cs_types parents)
{
    MPI_Datatype parent = count > 0 ? cs_type_at(parents, 0) : MPI_DATATYPE_NULL;
    for (MPI_Count i = 0; i < count; i++) {
        MPI_Datatype one = cs_type_at(parents, i);
        const struct callsign_record *candidate = cs_object_look_up(CALLSIGN_DATATYPE, CS_KEY(one));
        if (candidate && !(candidate->flags & CS_OBJECT_PREDEFINED)) {
            parent = one;
            break;
        }
    }
    cs_made_type(call, type, parent);
}

void cs_type_borrowed(const struct cs_call *call, MPI_Datatype type)
{
    if (type != MPI_DATATYPE_NULL && !cs_object_look_up(CALLSIGN_DATATYPE, CS_KEY(type)))
        type_met(call, type);
}

void cs_handed_out_types(struct cs_call *call, MPI_Count count, struct cs_types types)
{
    for (MPI_Count i = 0; i < count; i++) {
        MPI_Datatype type = cs_type_at(types, i);
        const struct callsign_record *known = cs_object_look_up(CALLSIGN_DATATYPE, CS_KEY(type));
        int combiner = known || type == MPI_DATATYPE_NULL ? MPI_COMBINER_NAMED : combiner_of(type);
        if (known && !(known->flags & CS_OBJECT_PREDEFINED)) {
            cs_object_refer(CALLSIGN_DATATYPE, CS_KEY(type));
        } else if (combiner == MPI_COMBINER_NAMED) {
            cs_type_record(type);
        } else {
            struct cs_birth birth = cs_birth_of(call, CALLSIGN_DATATYPE, CS_KEY(type));
            type_born(call, type, &birth, combiner);
        }
    }
}

/* How many of them the MPI has filled in, it must be asked. */
void cs_type_contents(struct cs_call *call, MPI_Datatype type, MPI_Count room, struct cs_types types)
{
#if MPI_VERSION >= 4
    /* The older function fails, loudly, on types that were made with large counts. */
    MPI_Count integers = 0, addresses = 0, counts = 0, there = 0;
    int combiner;
    PMPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &there, &combiner);
#else
    int integers = 0, addresses = 0, there = 0, combiner;
    PMPI_Type_get_envelope(type, &integers, &addresses, &there, &combiner);
#endif
    cs_handed_out_types(call, there < room ? there : room, types);
}

void cs_committed_type(struct cs_call *call, MPI_Datatype type)
{
    const struct callsign_record *object = cs_type_record(type);
    if (!object)
        return;
    struct cs_fact_commit fact = {.fact.ticks = call->stop, .object = object->id};
    cs_journal_append(cs_recorder.journal, CS_FACT_COMMIT, &fact.fact, sizeof fact, NULL, 0);
}

/* Whether the handle is one that mpi.h names: before the call nothing may be asked of any other. Not static: these
   constants are addresses in some MPIs. */
static bool is_predefined(MPI_Datatype type)
{
    const MPI_Datatype predefined[] = {
        MPI_CHAR,
        MPI_SIGNED_CHAR,
        MPI_UNSIGNED_CHAR,
        MPI_BYTE,
        MPI_WCHAR,
        MPI_SHORT,
        MPI_UNSIGNED_SHORT,
        MPI_INT,
        MPI_UNSIGNED,
        MPI_LONG,
        MPI_UNSIGNED_LONG,
        MPI_LONG_LONG,
        MPI_UNSIGNED_LONG_LONG,
        MPI_FLOAT,
        MPI_DOUBLE,
        MPI_LONG_DOUBLE,
        MPI_INT8_T,
        MPI_INT16_T,
        MPI_INT32_T,
        MPI_INT64_T,
        MPI_UINT8_T,
        MPI_UINT16_T,
        MPI_UINT32_T,
        MPI_UINT64_T,
        MPI_C_BOOL,
        MPI_C_COMPLEX,
        MPI_C_DOUBLE_COMPLEX,
        MPI_C_LONG_DOUBLE_COMPLEX,
        MPI_AINT,
        MPI_COUNT,
        MPI_OFFSET,
        MPI_PACKED,
        MPI_FLOAT_INT,
        MPI_DOUBLE_INT,
        MPI_LONG_INT,
        MPI_2INT,
        MPI_SHORT_INT,
        MPI_LONG_DOUBLE_INT,
        MPI_CHARACTER,
        MPI_LOGICAL,
        MPI_INTEGER,
        MPI_REAL,
        MPI_DOUBLE_PRECISION,
        MPI_COMPLEX,
        MPI_DOUBLE_COMPLEX,
        MPI_2INTEGER,
        MPI_2REAL,
        MPI_2DOUBLE_PRECISION,
    };
    for (size_t i = 0; i < sizeof predefined / sizeof *predefined; i++)
        if (predefined[i] == type)
            return type != MPI_DATATYPE_NULL; /* what an MPI was built without */
    return false;
}

void cs_naming_type(struct cs_call *call, MPI_Datatype type)
{
    if (call->thread && !cs_object_look_up(CALLSIGN_DATATYPE, CS_KEY(type)) && is_predefined(type))
        type_met(NULL, type);
}
