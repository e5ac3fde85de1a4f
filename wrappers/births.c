#include "wrappers/births.h"

#include <string.h>

#include "record/recorder.h"
#include "record/thread.h"
#include "wrappers/roles.h"

struct cs_birth cs_birth_of(struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    return (struct cs_birth){
        .handle = handle,
        .fortran_handle = INT64_MIN,
        .site = cs_call_place(call),
        .ticks = call->stop,
        .flags = call->counted ? 0 : CS_OBJECT_INTERNAL,
        .size = -1,
        .rank = -1,
        .remote_size = -1,
        .kind = (uint16_t)kind,
        .function = call->function,
    };
}

struct cs_birth cs_birth_met(enum callsign_kind kind, uint64_t handle, uint32_t flags)
{
    return (struct cs_birth){.handle = handle,
                             .fortran_handle = INT64_MIN,
                             .flags = flags,
                             .size = -1,
                             .rank = -1,
                             .remote_size = -1,
                             .kind = (uint16_t)kind};
}

const struct callsign_record *cs_born(struct cs_call *call, const struct cs_birth *birth)
{
    const struct callsign_record *object = cs_object_born(birth);
    if (object && call)
        call->made = object->id;
    if (call && call->thread)
        call->thread->latest = NULL;
    return object;
}

void cs_name_by_mpi(const struct callsign_record *object, const char *name)
{
    if (object && *name)
        cs_object_name(object, name, CALLSIGN_MPI, 0);
}

/* The MPI keeps no more than it has room for. */
void cs_named(struct cs_call *call, const struct callsign_record *object, const char *name)
{
    if (!object || !name)
        return;
    char kept[MPI_MAX_OBJECT_NAME];
    size_t length = strnlen(name, sizeof kept - 1);
    memcpy(kept, name, length);
    kept[length] = '\0';
    cs_object_name(object, kept, CALLSIGN_PROGRAM, cs_call_place(call));
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
        cs_object_died(call->freeing, call->function, cs_call_place(call), call->stop);
    else
        cs_object_relink(call->freeing);
}
