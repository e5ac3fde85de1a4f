#include "wrappers/attribute/copy.h"

#include "asked.h"
#include "functions.h"
#include "record/attribute_values.h"

/* What C is answered for a value that Fortran stored: where the MPI keeps the integer. That holds of a copy too if the
   key's functions, one of which made it, are of Fortran as well. */
static void decode(const struct cs_held *held, void *answer, struct cs_attribute *attribute)
{
    const struct callsign_record *key = cs_object_find(CALLSIGN_KEYVAL, CS_KEY(held->keyval));
    bool is_integer = answer && held->integer_bytes && key && key->bytes;
    bool small = held->integer_bytes == sizeof(MPI_Fint) || (key && key->bytes == sizeof(MPI_Fint));
    attribute->value_kind = is_integer ? CS_VALUE_INTEGER : CS_VALUE_ADDRESS;
    attribute->value = !is_integer ? (uint64_t)(uintptr_t)answer
                       : small     ? (uint64_t)(int64_t) * (const MPI_Fint *)answer
                                   : (uint64_t)(int64_t) * (const MPI_Aint *)answer;
}

/* Whether the duplicate has this one, which is counted. */
static bool ask(struct cs_call *call, const struct callsign_record *duplicate, const struct cs_held *held,
                uint64_t site)
{
    void *answer = NULL;
    int found = 0, result;
    if (duplicate->kind == CALLSIGN_DATATYPE)
        result =
            cs_mpi_Type_get_attr(CS_HANDLE_OF(MPI_Datatype, duplicate->handle), held->keyval, (void *)&answer, &found);
    else
        result = cs_mpi_Comm_get_attr(CS_HANDLE_OF(MPI_Comm, duplicate->handle), held->keyval, (void *)&answer, &found);
    if (result != MPI_SUCCESS)
        return false;
    struct cs_attribute attribute = {.site = site,
                                     .object = duplicate->id,
                                     .keyval = held->keyval,
                                     .operation = CS_ATTRIBUTE_COPY,
                                     .kind = duplicate->kind,
                                     .found = found,
                                     .ticks = call->stop};
    if (found)
        decode(held, answer, &attribute);
    cs_attribute_count(call->thread, &attribute);
    return found;
}

/* A key that was freed is not asked about: the MPI would call the program's error handler. */
static void ask_all(struct cs_call *call, const struct callsign_record *duplicate, uint64_t site)
{
    struct cs_held held;
    for (size_t i = 0; cs_held_at(duplicate, i, &held);) {
        if (!cs_held_is_of_a_key(&held) || ask(call, duplicate, &held, site))
            i++;
        else
            cs_held_lacks(duplicate, &held);
    }
}

/* What is not complete may not be asked; its values were copied in this call. */
static bool completes_later(uint16_t function)
{
    return function == CS_MPI_Comm_idup || function == CS_MPI_Comm_idup_with_info;
}

void cs_duplicated(struct cs_call *call, enum callsign_kind kind, uint64_t original, uint64_t duplicate)
{
    const struct callsign_record *from = cs_object_find(kind, original);
    const struct callsign_record *object = cs_holds(from) ? cs_object_find(kind, duplicate) : NULL;
    if (!object || !call->counted)
        return;
    cs_held_copy(from, object);
    if (!completes_later(call->function))
        ask_all(call, object, cs_call_site(call));
}

void cs_duplicate_ready(struct cs_call *call, uint32_t id, uint64_t site)
{
    const struct callsign_record *object =
        __atomic_load_n(&cs_held_any, __ATOMIC_RELAXED) ? cs_object_numbered(id) : NULL;
    if (cs_holds(object) && cs_object_is(object, CALLSIGN_COMMUNICATOR, object->handle))
        ask_all(call, object, site);
}
