#include "wrappers/object/apply.h"

#include <string.h>

#include "asked.h"
#include "base/settings.h"
#include "base/utf8.h"
#include "record/being_freed.h"
#include "wrappers/call/call.h"

static bool kinds[CALLSIGN_KINDS]; /* whose names are applied */

void cs_apply_start(void)
{
    kinds[CALLSIGN_COMMUNICATOR] = kinds[CALLSIGN_WINDOW] = !cs_setting_is(CS_SETTING_APPLY, "none");
    kinds[CALLSIGN_DATATYPE] = cs_setting_is(CS_SETTING_APPLY, "all");
}

bool cs_applies_to(enum callsign_kind kind)
{
    return kinds[kind];
}

static const char untouched = '\177';

static int native_get(enum callsign_kind kind, uint64_t handle, char name[MPI_MAX_OBJECT_NAME])
{
    int length;
    if (kind == CALLSIGN_COMMUNICATOR)
        return cs_mpi_Comm_get_name(CS_HANDLE_OF(MPI_Comm, handle), name, &length);
    if (kind == CALLSIGN_WINDOW)
        return cs_mpi_Win_get_name(CS_HANDLE_OF(MPI_Win, handle), name, &length);
    return cs_mpi_Type_get_name(CS_HANDLE_OF(MPI_Datatype, handle), name, &length);
}

bool cs_applied_ask(enum callsign_kind kind, uint64_t handle, struct cs_native_name *native)
{
    CS_KEEP_ERRNO;
    char *last = &native->name[MPI_MAX_OBJECT_NAME - 1];
    native->name[0] = '\0';
    *last = untouched;
    if (native_get(kind, handle, native->name) != MPI_SUCCESS)
        return false;
    native->filled = *last != untouched;
    *last = '\0';
    return true;
}

static int native_set(uint32_t kind, uint64_t handle, const char *name)
{
    if (kind == CALLSIGN_COMMUNICATOR)
        return cs_mpi_Comm_set_name(CS_HANDLE_OF(MPI_Comm, handle), name);
    if (kind == CALLSIGN_WINDOW)
        return cs_mpi_Win_set_name(CS_HANDLE_OF(MPI_Win, handle), name);
    return cs_mpi_Type_set_name(CS_HANDLE_OF(MPI_Datatype, handle), name);
}

/* The name as the MPI has room for it: the end says more than the beginning. */
static void cut(const struct callsign_record *object, char name[MPI_MAX_OBJECT_NAME])
{
    const char *whole = (const char *)(uintptr_t)object->name;
    size_t length = strlen(whole);
    if (length < MPI_MAX_OBJECT_NAME) {
        memcpy(name, whole, length + 1);
        return;
    }
    const char *tail = whole + length - (MPI_MAX_OBJECT_NAME - 1 - 3);
    memcpy(name, "...", 3);
    strcpy(name + 3, cs_utf8_next(tail));
}

/* What a duplicate would be called if its original had no name of ours: the end that is our name, as far as there was
   room for it, is replaced by the native one. */
static void correct(struct cs_native_name *native, const struct callsign_record *original)
{
    char applied[MPI_MAX_OBJECT_NAME];
    struct cs_native_name native_of_original;
    cut(original, applied);
    cs_native_name_get(original, &native_of_original);
    size_t length = strlen(native->name);
    bool full = length == MPI_MAX_OBJECT_NAME - 1;
    for (size_t at = 0; at < length; at++) {
        size_t rest = length - at;
        if (strncmp(native->name + at, applied, rest) != 0 || (applied[rest] && !full))
            continue;
        size_t room = MPI_MAX_OBJECT_NAME - 1 - at, bytes = strlen(native_of_original.name);
        memset(native->name + at, 0, MPI_MAX_OBJECT_NAME - at);
        memcpy(native->name + at, native_of_original.name, bytes < room ? bytes : room);
        return;
    }
}

void cs_apply(const struct callsign_record *object, const struct callsign_record *original)
{
    struct cs_native_name native;
    char name[MPI_MAX_OBJECT_NAME];
    if (!object || !kinds[object->kind] || !object->name ||
        (object->origin != CALLSIGN_DERIVED && object->origin != CALLSIGN_RULE))
        return;
    if (!cs_applied_ask(object->kind, object->handle, &native))
        return;
    if (original && original->flags & CS_OBJECT_APPLIED)
        correct(&native, original);
    if (native.name[0] && !cs_native_name_put(object->id, native.name, NULL))
        return;
    cut(object, name);
    /* Marked first, so that no other thread is shown it. */
    cs_object_mark(object, CS_OBJECT_APPLIED | (native.filled ? CS_OBJECT_FILLS : 0), true);
    if (native_set(object->kind, object->handle, name) != MPI_SUCCESS)
        cs_apply_replaced(object);
}

void cs_apply_later(const struct callsign_record *object)
{
    if (object && kinds[object->kind])
        cs_native_name_put(object->id, "", object);
}

void cs_apply_ready(uint32_t id)
{
    const struct callsign_record *object = cs_native_name_pending(id);
    if (!object)
        return;
    cs_native_name_drop(id);
    if (object->id == id && cs_object_is(object, CALLSIGN_COMMUNICATOR, object->handle))
        cs_apply(object, NULL);
}

void cs_apply_replaced(const struct callsign_record *object)
{
    if (!(object->flags & CS_OBJECT_APPLIED))
        return;
    cs_object_mark(object, CS_OBJECT_APPLIED | CS_OBJECT_FILLS, false);
    cs_native_name_drop(object->id);
}

void cs_apply_forget(const struct callsign_record *object)
{
    if (object->flags & CS_OBJECT_APPLIED)
        cs_native_name_drop(object->id);
}

const struct callsign_record *cs_applied(enum callsign_kind kind, uint64_t handle)
{
    const struct callsign_record *object = cs_object_look_up(kind, handle);
    return object && object->flags & CS_OBJECT_APPLIED ? object : NULL;
}

void cs_applied_hide(const struct callsign_record *object, struct cs_native_name *answer)
{
    char applied[MPI_MAX_OBJECT_NAME];
    cut(object, applied);
    if (strcmp(answer->name, applied) == 0)
        cs_native_name_get(object, answer);
}

void cs_take_native_name(const struct callsign_record *object)
{
    struct cs_native_name native;
    if (object && !object->name && cs_applied_ask(object->kind, object->handle, &native) && native.name[0])
        cs_object_name(object, native.name, CALLSIGN_MPI, 0);
}
