/* Attribute traffic of the program: questions, answers, stores and deletions. */
#include "wrappers/attribute/attribute.h"

#include <string.h>

#include "wrappers/object/adopt.h"
#include "wrappers/object/simple.h"

struct predefined {
    int keyval;
    enum callsign_kind kind;
    const char *name;
    enum { IS_ADDRESS, POINTS_TO_INT, POINTS_TO_AINT } meaning; /* of the pointer that C is answered with */
};

/* Filled at run time: these constants are variables in some MPIs. */
static struct predefined predefined[12];

void cs_attributes_predefined(void)
{
    const struct predefined all[sizeof predefined / sizeof *predefined] = {
        {MPI_TAG_UB, CALLSIGN_COMMUNICATOR, "MPI_TAG_UB", POINTS_TO_INT},
        {MPI_HOST, CALLSIGN_COMMUNICATOR, "MPI_HOST", POINTS_TO_INT},
        {MPI_IO, CALLSIGN_COMMUNICATOR, "MPI_IO", POINTS_TO_INT},
        {MPI_WTIME_IS_GLOBAL, CALLSIGN_COMMUNICATOR, "MPI_WTIME_IS_GLOBAL", POINTS_TO_INT},
        {MPI_UNIVERSE_SIZE, CALLSIGN_COMMUNICATOR, "MPI_UNIVERSE_SIZE", POINTS_TO_INT},
        {MPI_LASTUSEDCODE, CALLSIGN_COMMUNICATOR, "MPI_LASTUSEDCODE", POINTS_TO_INT},
        {MPI_APPNUM, CALLSIGN_COMMUNICATOR, "MPI_APPNUM", POINTS_TO_INT},
        {MPI_WIN_BASE, CALLSIGN_WINDOW, "MPI_WIN_BASE", IS_ADDRESS},
        {MPI_WIN_SIZE, CALLSIGN_WINDOW, "MPI_WIN_SIZE", POINTS_TO_AINT},
        {MPI_WIN_DISP_UNIT, CALLSIGN_WINDOW, "MPI_WIN_DISP_UNIT", POINTS_TO_INT},
        {MPI_WIN_CREATE_FLAVOR, CALLSIGN_WINDOW, "MPI_WIN_CREATE_FLAVOR", POINTS_TO_INT},
        {MPI_WIN_MODEL, CALLSIGN_WINDOW, "MPI_WIN_MODEL", POINTS_TO_INT},
    };
    memcpy(predefined, all, sizeof predefined);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        cs_keyval_born(all[i].keyval, all[i].kind, all[i].name, 0, 0);
}

/* What C was answered: a value that lasts in a trace, where an address of this process would not. */
static void decode(struct cs_attribute *attribute, enum callsign_kind kind, void *answer)
{
    attribute->value_kind = CS_VALUE_ADDRESS;
    attribute->value = (uint64_t)(uintptr_t)answer;
    for (size_t i = 0; i < sizeof predefined / sizeof *predefined; i++) {
        const struct predefined *known = &predefined[i];
        if (known->keyval != attribute->keyval || known->kind != kind || known->meaning == IS_ADDRESS || !answer)
            continue;
        attribute->value_kind = CS_VALUE_INTEGER;
        if (known->meaning == POINTS_TO_INT)
            attribute->value = (uint64_t)(int64_t) * (const int *)answer;
        else
            attribute->value = (uint64_t)(int64_t) * (const MPI_Aint *)answer;
        return;
    }
}

int cs_attribute_keyval(enum callsign_kind kind, int fortran_keyval)
{
#if defined(MPICH_VERSION) || defined(MPICH_NAME)
    for (size_t i = 0; i < sizeof predefined / sizeof *predefined; i++)
        if (predefined[i].kind == kind && predefined[i].keyval + 1 == fortran_keyval)
            return predefined[i].keyval;
#endif
    (void)kind;
    return fortran_keyval;
}

struct cs_attribute cs_attribute_of(struct cs_call *call, enum cs_attribute_operation operation,
                                    enum callsign_kind kind, uint64_t handle, int keyval, bool found)
{
    const struct callsign_record *object = cs_record_of(call, kind, handle);
    return (struct cs_attribute){.site = cs_call_site(call),
                                 .object = object ? object->id : 0,
                                 .keyval = keyval,
                                 .operation = operation,
                                 .found = found,
                                 .ticks = call->stop};
}

void cs_got_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval, const void *value,
                      const int *found)
{
    if (!call->counted)
        return;
    struct cs_attribute attribute = cs_attribute_of(call, CS_ATTRIBUTE_GET, kind, handle, keyval, *found);
    if (*found)
        decode(&attribute, kind, *(void *const *)value);
    cs_attribute_count(call->thread, &attribute);
}

void cs_set_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval, const void *value)
{
    if (!call->counted)
        return;
    struct cs_attribute attribute = cs_attribute_of(call, CS_ATTRIBUTE_SET, kind, handle, keyval, true);
    attribute.value_kind = CS_VALUE_ADDRESS;
    attribute.value = (uint64_t)(uintptr_t)value;
    cs_attribute_count(call->thread, &attribute);
}

void cs_deleted_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval)
{
    if (!call->counted)
        return;
    struct cs_attribute attribute = cs_attribute_of(call, CS_ATTRIBUTE_DELETE, kind, handle, keyval, true);
    cs_attribute_count(call->thread, &attribute);
}

void cs_made_keyval(struct cs_call *call, enum callsign_kind kind, int keyval)
{
    cs_keyval_born(keyval, kind, NULL, call->function, cs_call_site(call));
    cs_made(call, CALLSIGN_KEYVAL, CS_KEY(keyval));
}
