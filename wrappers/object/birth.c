#include "wrappers/object/birth.h"

#include "functions.h"
#include "record/naming.h"

struct cs_birth cs_birth_of(struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    return (struct cs_birth){
        .handle = handle,
        .fortran_handle = INT64_MIN,
        .from = call->on,
        .parent = call->on ? call->on->id : 0,
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

struct cs_birth cs_birth_unseen(enum callsign_kind kind, uint64_t handle, uint32_t flags)
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

/* NULL: it has none. */
static const char *name_of(const struct callsign_record *object, char name[CS_NAME_BYTES])
{
    if (!object)
        return NULL;
    cs_object_copy_name(object, name, CS_NAME_BYTES);
    return *name ? name : NULL;
}

/* What was made on the same parent by the same function is counted; the lineage may have done so already. */
static uint32_t nth_of(const struct cs_birth *birth)
{
    if (birth->nth)
        return birth->nth;
    return 1 + cs_object_count(birth->from, (uint64_t)birth->function << 32);
}

/* The first rule of the user that fits names it, in a copy of the birth. */
static const struct callsign_record *born_by_rule(const struct cs_birth *birth)
{
    char name[CS_NAME_BYTES], parent[CS_NAME_BYTES];
    struct cs_birth named = *birth;
    const struct cs_function *function = cs_function_find(birth->function);
    struct cs_newborn newborn = {.kind = birth->kind,
                                 .function = function ? function->name : NULL,
                                 .site = birth->site,
                                 .parent = name_of(birth->from, parent),
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

const struct callsign_record *cs_born(struct cs_call *call, struct cs_birth *birth)
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
