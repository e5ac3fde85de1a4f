/* Attribute traffic of the program: questions, answers, stores and deletions. */
#include "wrappers/attribute/attribute.h"

#include <string.h>

#include "asked.h"
#include "record/attribute_values.h"
#include "record/thread.h"
#include "wrappers/call/error_words.h"
#include "wrappers/object/adopt.h"

struct predefined {
    int keyval;
    enum callsign_kind kind;
    const char *name;
    enum { IS_ADDRESS, POINTS_TO_INT, POINTS_TO_AINT } meaning; /* of the pointer that C is answered with */
};

/* Filled at run time: these constants are variables in some MPIs. */
static struct predefined predefined[12];

#define CONSTANT(name)                                                                                                 \
    {                                                                                                                  \
#name, name                                                                                                    \
    }

/* Numbers that are answers, which differ between MPIs. */
static void note_constants(void)
{
    const struct {
        const char *name;
        int value;
    } constants[] = {
        CONSTANT(MPI_PROC_NULL),           CONSTANT(MPI_ANY_SOURCE),         CONSTANT(MPI_WIN_FLAVOR_CREATE),
        CONSTANT(MPI_WIN_FLAVOR_ALLOCATE), CONSTANT(MPI_WIN_FLAVOR_DYNAMIC), CONSTANT(MPI_WIN_FLAVOR_SHARED),
        CONSTANT(MPI_WIN_SEPARATE),        CONSTANT(MPI_WIN_UNIFIED),
    };
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        cs_attribute_constant(constants[i].name, constants[i].value);
}

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
    note_constants();
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

void cs_attributes_survey(void)
{
    struct cs_thread *thread = cs_thread_self ? cs_thread_self : cs_thread_begin();
    const struct callsign_record *world = cs_object_find(CALLSIGN_COMMUNICATOR, CS_KEY(MPI_COMM_WORLD));
    for (size_t i = 0; thread && world && i < sizeof predefined / sizeof *predefined; i++) {
        if (predefined[i].kind != CALLSIGN_COMMUNICATOR)
            continue;
        /* MPICH asks its launcher that, and starts one where there is none. */
        if (predefined[i].keyval == MPI_UNIVERSE_SIZE)
            continue;
        void *answer = NULL;
        int found = 0;
        struct cs_attribute attribute = {.object = world->id,
                                         .keyval = predefined[i].keyval,
                                         .operation = CS_ATTRIBUTE_SURVEY,
                                         .kind = CALLSIGN_COMMUNICATOR,
                                         .ticks = cs_clock_ticks()};
        if (cs_mpi_Comm_get_attr(MPI_COMM_WORLD, predefined[i].keyval, &answer, &found) != MPI_SUCCESS)
            continue;
        attribute.found = found;
        if (found)
            decode(&attribute, CALLSIGN_COMMUNICATOR, answer);
        cs_attribute_count(thread, &attribute);
    }
}

/* ---- what the program does ---- */

/* Of a handle that the MPI did not refuse. */
static const struct callsign_record *object_of(const struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    const struct callsign_record *on = call->on;
    return on && on->handle == handle && on->kind == kind ? on : cs_record_of(call, kind, handle);
}

static void failed(struct cs_call *call, struct cs_attribute *attribute, int result)
{
    struct cs_error_words error = cs_error_words(result);
    attribute->found = false;
    attribute->value_kind = CS_VALUE_ERROR;
    attribute->value = (uint64_t)(int64_t)error.error;
    if (cs_attribute_count(call->thread, attribute))
        cs_attribute_error(error.error, error.words);
}

bool cs_attribute_of(struct cs_call *call, enum cs_attribute_operation operation, enum callsign_kind kind,
                     uint64_t handle, int keyval, int result, struct cs_attribute *attribute)
{
    if (!call->thread || !call->counted)
        return false;
    bool refused = result != MPI_SUCCESS;
    /* The handle of a call that failed may be anything. */
    const struct callsign_record *object = refused ? cs_object_look_up(kind, handle) : object_of(call, kind, handle);
    *attribute = (struct cs_attribute){.site = cs_call_site(call),
                                       .object = object ? object->id : 0,
                                       .keyval = keyval,
                                       .operation = operation,
                                       .kind = kind,
                                       .found = true,
                                       .ticks = call->stop};
    if (refused)
        failed(call, attribute, result);
    return !refused;
}

void cs_attribute_held(const struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval,
                       size_t integer_bytes)
{
    const struct callsign_record *object = object_of(call, kind, handle);
    if (object)
        cs_held_set(call->thread, object, keyval, (uint32_t)integer_bytes);
}

void cs_got_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval, const void *value,
                      const int *found, int result)
{
    CS_KEEP_ERRNO;
    struct cs_attribute attribute;
    if (!cs_attribute_of(call, CS_ATTRIBUTE_GET, kind, handle, keyval, result, &attribute))
        return;
    attribute.found = *found;
    if (*found)
        decode(&attribute, kind, *(void *const *)value);
    cs_attribute_count(call->thread, &attribute);
}

void cs_set_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval, const void *value,
                      int result)
{
    CS_KEEP_ERRNO;
    struct cs_attribute attribute;
    if (!cs_attribute_of(call, CS_ATTRIBUTE_SET, kind, handle, keyval, result, &attribute))
        return;
    attribute.value_kind = CS_VALUE_ADDRESS;
    attribute.value = (uint64_t)(uintptr_t)value;
    cs_attribute_count(call->thread, &attribute);
    cs_attribute_held(call, kind, handle, keyval, 0);
}

void cs_deleted_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval, int result)
{
    CS_KEEP_ERRNO;
    struct cs_attribute attribute;
    if (!cs_attribute_of(call, CS_ATTRIBUTE_DELETE, kind, handle, keyval, result, &attribute))
        return;
    cs_attribute_count(call->thread, &attribute);
    cs_held_deleted(object_of(call, kind, handle), keyval);
}
