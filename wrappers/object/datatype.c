#include "wrappers/object/datatype.h"

#include <string.h>

#include "functions.h"
#include "journal/datatype_name.h"
#include "journal/format.h"
#include "pmpi_queries.h"
#include "record/object/object.h"
#include "wrappers/mpi/answers.h"
#include "wrappers/mpi/constants.h"
#include "wrappers/mpi/handle.h"
#include "wrappers/object/birth.h"
#include "wrappers/object/datatype_signature.h"
#include "wrappers/object/published_name.h"

/* ---- how a datatype was made ---- */

static const struct {
    int mpi, number;
    const char *shape; /* shape of the functions that make such a datatype, in gen/spec; NULL: none */
} combiners[] = {
    {MPI_COMBINER_NAMED, CS_COMBINER_NAMED, NULL},
    {MPI_COMBINER_DUP, CS_COMBINER_DUP, "dup"},
    {MPI_COMBINER_CONTIGUOUS, CS_COMBINER_CONTIGUOUS, "contiguous"},
    {MPI_COMBINER_VECTOR, CS_COMBINER_VECTOR, "vector"},
    {MPI_COMBINER_HVECTOR, CS_COMBINER_HVECTOR, "hvector"},
    {MPI_COMBINER_INDEXED, CS_COMBINER_INDEXED, "indexed"},
    {MPI_COMBINER_HINDEXED, CS_COMBINER_HINDEXED, "hindexed"},
    {MPI_COMBINER_INDEXED_BLOCK, CS_COMBINER_INDEXED_BLOCK, "indexed_block"},
    {MPI_COMBINER_HINDEXED_BLOCK, CS_COMBINER_HINDEXED_BLOCK, "hindexed_block"},
    {MPI_COMBINER_STRUCT, CS_COMBINER_STRUCT, "struct"},
    {MPI_COMBINER_SUBARRAY, CS_COMBINER_SUBARRAY, "subarray"},
    {MPI_COMBINER_DARRAY, CS_COMBINER_DARRAY, "darray"},
    {MPI_COMBINER_F90_REAL, CS_COMBINER_F90_REAL, NULL},
    {MPI_COMBINER_F90_COMPLEX, CS_COMBINER_F90_COMPLEX, NULL},
    {MPI_COMBINER_F90_INTEGER, CS_COMBINER_F90_INTEGER, NULL},
    {MPI_COMBINER_RESIZED, CS_COMBINER_RESIZED, "resized"},
};
enum { COMBINERS = sizeof combiners / sizeof *combiners };

int cs_type_combiner(int combiner)
{
    for (size_t i = 0; i < COMBINERS; i++)
        if (combiners[i].mpi == combiner)
            return combiners[i].number;
    return CS_COMBINER_UNKNOWN;
}

/* The combiner of the datatypes that a function makes. */
static int combiner_by(uint16_t function)
{
    const struct cs_function *it = cs_function_find(function);
    size_t length = it && it->shape ? strcspn(it->shape, ",") : 0;
    for (size_t i = 0; length && i < COMBINERS; i++)
        if (combiners[i].shape && strlen(combiners[i].shape) == length &&
            strncmp(combiners[i].shape, it->shape, length) == 0)
            return combiners[i].mpi;
    return MPI_UNDEFINED;
}

/* False for a type that the MPI was built without. */
static bool is_predefined_type(MPI_Datatype type)
{
    return type != MPI_DATATYPE_NULL && cs_constant_name(CALLSIGN_DATATYPE, CS_KEY(type));
}

/* MPI_COMBINER_* from the MPI. If the MPI cannot tell, it follows from the creating function (0: not seen).
   MPI_UNDEFINED: unknown. */
static int combiner_of(MPI_Datatype type, uint16_t function)
{
    int combiner = MPI_COMBINER_NAMED;
    /* The older function fails, and calls the error handler, for types that were made with large counts. */
    MPI_Count integers, addresses, counts, types;
    cs_mpi_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner);
    if (combiner != MPI_UNDEFINED)
        return combiner;
    return is_predefined_type(type) ? MPI_COMBINER_NAMED : combiner_by(function);
}

/* ---- records ---- */

static void query(MPI_Datatype type, int combiner, struct cs_birth *birth)
{
    MPI_Count size = 0, lower = 0, extent = 0;
    cs_mpi_Type_size_x(type, &size);
    cs_mpi_Type_get_extent_x(type, &lower, &extent);
    birth->bytes = size;
    birth->fortran_handle = cs_mpi_Type_c2f(type);
    birth->facts = CS_FACT_DATATYPE;
    birth->datatype = (struct cs_fact_datatype){
        .combiner = cs_type_combiner(combiner), .size_bytes = size, .lower_bound_bytes = lower, .extent_bytes = extent};
}

/* Callsign has not seen the call that made the type, so the MPI tells the signature. */
static void query_unseen(MPI_Datatype type, int combiner, struct cs_birth *birth)
{
    query(type, combiner, birth);
    birth->signature = cs_signature_made_by_mpi(type, combiner, birth->bytes);
}

static bool is_made_by_the_mpi(int combiner)
{
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

/* Types of MPI_Type_create_f90_* belong to the MPI, which has no good name for them. */
static void name_f90(const struct cs_call *call, struct cs_birth *birth)
{
    static const struct cs_datatype_name_context none = {NULL, NULL};
    if (!call->details)
        return;
    cs_birth_take_details(birth, call);
    if (cs_datatype_name(call->function, 0, birth->detail, birth->detail_bytes, &none, birth->name_buffer))
        cs_birth_use_buffer(birth);
}

/* call: the call that returned it to the program; NULL: the call does not tell how the type was made. */
static const struct callsign_record *adopt(const struct cs_call *call, MPI_Datatype type)
{
    CS_KEEP_ERRNO;
    struct cs_birth birth;
    int combiner = combiner_of(type, 0);
    cs_birth_begin_unseen(&birth, CALLSIGN_DATATYPE, CS_KEY(type),
                          is_made_by_the_mpi(combiner) ? CS_OBJECT_PREDEFINED : CS_OBJECT_ADOPTED);
    query_unseen(type, combiner, &birth);
    if (call)
        name_f90(call, &birth);
    const struct callsign_record *object = cs_birth_register(&birth, NULL);
    cs_name_take_native(object);
    /* Another thread may have adopted it at the same moment. */
    return object ? object : cs_object_find(CALLSIGN_DATATYPE, CS_KEY(type));
}

const struct callsign_record *cs_type_look_up(MPI_Datatype type)
{
    const struct callsign_record *object = cs_object_look_up(CALLSIGN_DATATYPE, CS_KEY(type));
    if (__builtin_expect(object != NULL, 1)) {
        if (cs_thread_self)
            cs_thread_self->last_type = object;
        return object;
    }
    return cs_is_plausible(type, MPI_DATATYPE_NULL) ? adopt(NULL, type) : NULL;
}

/* Query the size of an unknown type only if its handle is surely valid. */
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

/* NULL: not in the table. */
static __attribute__((noinline)) const struct callsign_record *other_type(struct cs_thread *thread, MPI_Datatype type)
{
    const struct callsign_record *object = cs_object_find(CALLSIGN_DATATYPE, CS_KEY(type));
    if (object)
        thread->last_type = object;
    return object;
}

const struct callsign_record *cs_other_type_before_call(struct cs_call *call, MPI_Datatype type)
{
    const struct callsign_record *object = other_type(call->thread, type);
    if (__builtin_expect(object != NULL, 1))
        return object;
    cs_record_predefined_type(call, type);
    return other_type(call->thread, type);
}

static __attribute__((noinline)) void length_of_other(struct cs_thread *thread, MPI_Count count, MPI_Datatype type)
{
    const struct callsign_record *object = other_type(thread, type);
    int size;
    if (object && object->bytes >= 0)
        thread->state->bytes = (uint64_t)count * (uint64_t)object->bytes;
    else if (is_basic(type) && cs_mpi_answers() && cs_mpi_Type_size(type, &size) == MPI_SUCCESS)
        thread->state->bytes = (uint64_t)count * (uint64_t)size;
}

void cs_on_length(struct cs_call *call, MPI_Count count, MPI_Datatype type)
{
    struct cs_thread *thread = call->thread;
    if (thread->depth != 1 || count < 0)
        return;
    const struct callsign_record *last = cs_type_same(thread, type);
    call->type = last;
    if (count == 0)
        thread->state->bytes = 0;
    else if (__builtin_expect(last && last->bytes >= 0, 1))
        thread->state->bytes = (uint64_t)count * (uint64_t)last->bytes;
    else
        length_of_other(thread, count, type);
}

static const char *copy_name_of(void *context, uint32_t id)
{
    const struct callsign_record *object = cs_object_find_id(id);
    char *name = context;
    if (!object)
        return NULL;
    cs_object_copy_name(object, name, CS_NAME_BYTES);
    return *name ? name : NULL;
}

/* Derives the name of a datatype if it will be set in the MPI. Otherwise the conversion derives it. */
static void derive_name(struct cs_birth *birth)
{
    char other[CS_NAME_BYTES];
    struct cs_datatype_name_context names = {copy_name_of, other};
    if (cs_names_are_published(CALLSIGN_DATATYPE) && cs_datatype_name(birth->function, birth->parent, birth->detail,
                                                                      birth->detail_bytes, &names, birth->name_buffer))
        cs_birth_use_buffer(birth);
}

/* content NULL: copies of the parent. */
static void made(struct cs_call *call, MPI_Datatype type, MPI_Datatype parent, const struct cs_sequence *content)
{
    if (!cs_is_plausible(type, MPI_DATATYPE_NULL))
        return;
    struct cs_birth birth;
    const struct callsign_record *from = cs_type_record(parent);
    const struct cs_function *function = cs_function_find(call->function);
    bool is_duplicate = function && function->duplicates;
    cs_birth_begin(&birth, call, CALLSIGN_DATATYPE, CS_KEY(type));
    birth.from = from;
    birth.parent = from ? from->id : 0;
    query(type, combiner_of(type, call->function), &birth);
    birth.signature = cs_signature_of_copies(from, birth.bytes);
    if (content)
        birth.signature = content->bytes == (uint64_t)birth.bytes ? content->signature : CS_TYPE_UNKNOWN;
    derive_name(&birth);
    const struct callsign_record *object = cs_birth_register(&birth, call);
    call->thread->last_type = object; /* it is committed next */
    if (is_duplicate)
        cs_name_take_native(object);
    cs_name_publish(object, is_duplicate ? from : NULL);
}

void cs_made_type(struct cs_call *call, MPI_Datatype type, MPI_Datatype parent)
{
    made(call, type, parent, NULL);
}

static struct cs_sequence content_of_struct(MPI_Count count, struct cs_types types, struct cs_counts blocklengths)
{
    struct cs_sequence all = CS_SEQUENCE_EMPTY;
    for (MPI_Count i = 0; i < count; i++) {
        MPI_Count copies = cs_count_at(blocklengths, (int)i);
        const struct callsign_record *type = copies > 0 ? cs_type_record(cs_type_at(types, i)) : NULL;
        if (copies > 0 && (!type || type->bytes < 0))
            return (struct cs_sequence){CS_TYPE_UNKNOWN, 0};
        if (copies > 0)
            all = cs_sequence_join(
                all, cs_sequence_repeat((struct cs_sequence){type->uid, (uint64_t)type->bytes}, (uint64_t)copies));
    }
    return all;
}

/* With several parents, the first that the program made is used, else the first. */
void cs_made_type_of(struct cs_call *call, MPI_Datatype type, MPI_Count count, struct cs_types parents,
                     struct cs_counts blocklengths)
{
    MPI_Datatype parent = count > 0 ? cs_type_at(parents, 0) : MPI_DATATYPE_NULL;
    for (MPI_Count i = 0; i < count; i++) {
        MPI_Datatype one = cs_type_at(parents, i);
        const struct callsign_record *candidate = cs_object_look_up(CALLSIGN_DATATYPE, CS_KEY(one));
        if (candidate && !(cs_object_flags(candidate) & CS_OBJECT_PREDEFINED)) {
            parent = one;
            break;
        }
    }
    struct cs_sequence content = content_of_struct(count, parents, blocklengths);
    made(call, type, parent, &content);
}

void cs_type_adopt(const struct cs_call *call, MPI_Datatype type)
{
    if (cs_is_plausible(type, MPI_DATATYPE_NULL) && !cs_object_look_up(CALLSIGN_DATATYPE, CS_KEY(type)))
        adopt(call, type);
}

/* One more reference to a known type, or a new type. */
static void handed_out(struct cs_call *call, MPI_Datatype type)
{
    const struct callsign_record *known = cs_object_look_up(CALLSIGN_DATATYPE, CS_KEY(type));
    int combiner = known || !cs_is_plausible(type, MPI_DATATYPE_NULL) ? MPI_COMBINER_NAMED : combiner_of(type, 0);
    if (known && !(cs_object_flags(known) & CS_OBJECT_PREDEFINED)) {
        cs_object_refer(CALLSIGN_DATATYPE, CS_KEY(type));
    } else if (combiner == MPI_COMBINER_NAMED) {
        cs_type_record(type);
    } else {
        struct cs_birth birth;
        cs_birth_begin(&birth, call, CALLSIGN_DATATYPE, CS_KEY(type));
        birth.from = NULL; /* the object of the call is no parent */
        birth.parent = 0;
        query_unseen(type, combiner, &birth);
        cs_birth_register(&birth, call);
    }
}

void cs_handed_out_types(struct cs_call *call, MPI_Count count, struct cs_types types)
{
    for (MPI_Count i = 0; i < count; i++)
        handed_out(call, cs_type_at(types, i));
}

/* Only the MPI knows how many of them it has filled in. */
void cs_type_contents(struct cs_call *call, MPI_Datatype type, MPI_Count room, struct cs_types types)
{
    /* The older function fails, and calls the error handler, for types that were made with large counts. */
    MPI_Count integers = 0, addresses = 0, counts = 0, there = 0;
    int combiner;
    cs_mpi_Type_get_envelope_c(type, &integers, &addresses, &counts, &there, &combiner);
    cs_handed_out_types(call, there < room ? there : room, types);
}

void cs_committed_type(struct cs_call *call, MPI_Datatype type)
{
    const struct callsign_record *object = cs_type_record(type);
    if (!object)
        return;
    cs_object_note_commit(object, call->stop);
    cs_object_mark(object, CS_OBJECT_COMMITTED, true);
}

void cs_record_predefined_type(struct cs_call *call, MPI_Datatype type)
{
    if (call->thread && !cs_object_look_up(CALLSIGN_DATATYPE, CS_KEY(type)) && is_predefined_type(type) &&
        cs_mpi_answers())
        adopt(NULL, type);
}
