#include "wrappers/object/birth.h"

#include <string.h>

#include "functions.h"
#include "record/naming.h"
#include "record/recorder.h"
#include "record/thread.h"
#include "wrappers/object/apply.h"
#include "wrappers/object/lineage.h"
#include "wrappers/object/look_up.h"
#include "wrappers/roles.h"

struct cs_birth cs_birth_of(struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    return (struct cs_birth){
        .handle = handle,
        .fortran_handle = INT64_MIN,
        .site = cs_call_site(call),
        .ticks = call->stop,
        .detail = call->details ? call->details->words : NULL,
        .detail_bytes = call->details ? call->details->bytes : 0,
        .flags = call->counted ? 0 : CS_OBJECT_INTERNAL,
        .size = -1,
        .rank = -1,
        .remote_size = -1,
        .first = -1,
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
                             .first = -1,
                             .kind = (uint16_t)kind};
}

static const char *name_of(const struct callsign_record *object)
{
    return object ? (const char *)(uintptr_t)__atomic_load_n(&object->name, __ATOMIC_ACQUIRE) : NULL;
}

/* What was made on the same parent by the same function is counted; the lineage may have done so already. */
static uint32_t nth_of(const struct cs_birth *birth)
{
    if (birth->nth)
        return birth->nth;
    return 1 + cs_object_count(birth->from, (uint64_t)birth->function << 32);
}

/* The first rule of the user that fits names it; a copy of the birth then. */
static const struct callsign_record *born_by_rule(const struct cs_birth *birth)
{
    char name[CS_NAME_BYTES];
    struct cs_birth named = *birth;
    const struct cs_function *function = cs_function_find(birth->function);
    struct cs_newborn newborn = {.kind = birth->kind,
                                 .function = function ? function->name : NULL,
                                 .site = birth->site,
                                 .parent = name_of(birth->from),
                                 .color = INT64_MIN,
                                 .key = INT64_MIN,
                                 .rank = birth->from ? birth->from->rank : -1,
                                 .first = birth->first,
                                 .nth = nth_of(birth)};
    cs_detail_find_number(birth->detail, birth->detail_bytes, CS_DETAIL_COLOR, &newborn.color);
    cs_detail_find_number(birth->detail, birth->detail_bytes, CS_DETAIL_KEY, &newborn.key);
    named.rule = cs_naming_rule(&newborn, name, sizeof name);
    if (named.rule) {
        named.name = name;
        named.origin = CALLSIGN_RULE;
    }
    return cs_object_born(&named);
}

const struct callsign_record *cs_born(struct cs_call *call, const struct cs_birth *birth)
{
    /* What the MPI makes for itself while the program calls it is not what the user's rules are about. */
    bool asked = call && cs_naming_wants(birth->kind) && !(birth->flags & CS_OBJECT_INTERNAL);
    const struct callsign_record *object = asked ? born_by_rule(birth) : cs_object_born(birth);
    if (object && call)
        call->made = object->id;
    if (call && call->thread)
        call->thread->last_object = NULL;
    return object;
}

void cs_name_by_mpi(const struct callsign_record *object, const char *name)
{
    if (object && *name)
        cs_object_name(object, name, CALLSIGN_MPI, 0);
}

/* ---- frees ---- */

/* The time of a call belongs to the communicator, window or file that it names. */
static bool has_time(enum callsign_kind kind)
{
    return kind == CALLSIGN_COMMUNICATOR || kind == CALLSIGN_WINDOW || kind == CALLSIGN_FILE;
}

void cs_freeing(struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    if (!call->thread)
        return;
    call->freeing = cs_being_freed(call->thread, kind, handle);
    const struct callsign_record *object = call->freeing.object;
    if (!object) {
        call->unknown = handle;
        call->unknown_kind = (uint16_t)kind;
    }
    if (!has_time(kind))
        return;
    /* What nobody can free is still what the call is about. */
    if (!object)
        object = cs_object_look_up(kind, handle);
    if (object)
        call->about = object->id;
}

/* A handle that callsign did not know, but callbacks inside the free used it: then it was adopted there. */
static void freed_unknown(struct cs_call *call)
{
    const struct callsign_record *adopted = cs_object_find(call->unknown_kind, call->unknown);
    if (adopted && adopted->flags & CS_OBJECT_ADOPTED)
        call->freeing = cs_being_freed(call->thread, call->unknown_kind, call->unknown);
}

static void died(struct cs_call *call)
{
    struct callsign_record *object = call->freeing.object;
    struct cs_last_call last;
    bool excluded = object->kind == CALLSIGN_COMMUNICATOR && cs_call_exclude(call, &last);
    cs_apply_forget(object);
    cs_being_freed_died(call->thread, object, call->function, cs_call_site(call), call->stop, excluded ? &last : NULL);
}

void cs_freed(struct cs_call *call, int result)
{
    bool success = result == MPI_SUCCESS;
    if (!call->thread)
        return;
    if (call->unknown && success)
        freed_unknown(call);
    call->unknown = 0;
    if (!call->freeing.object || call->thread->depth == 0) /* 0: a callback jumped out, see cs_thread_abandon */
        return;
    if (!success)
        cs_being_freed_failed(call->thread, &call->freeing);
    else if (!call->freeing.referred)
        died(call);
}
