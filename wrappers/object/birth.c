#include "wrappers/object/birth.h"

#include <string.h>

#include "base/utf8.h"
#include "functions.h"
#include "record/identity.h"
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

/* ---- derived names ---- */

static char *put(char *at, const char *end, const char *text)
{
    size_t length = strnlen(text, (size_t)(end - at));
    memcpy(at, text, length);
    at[length] = '\0';
    return at + length;
}

static char *put_number(char *at, const char *end, int64_t number)
{
    char digits[24], *first = digits + sizeof digits - 1;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    *first = '\0';
    do
        *--first = (char)('0' + rest % 10);
    while (rest /= 10);
    if (number < 0)
        *--first = '-';
    return put(at, end, first);
}

/* Of a long line of ancestors the last ones say most. */
static char *put_ancestors(char *at, const char *end, const char *name, size_t room)
{
    size_t length = strlen(name);
    if (length <= room)
        return put(at, end, name);
    const char *tail = name + length - (room - 3);
    return put(put(at, end, "..."), end, cs_utf8_next(tail));
}

void cs_derive(const char *ancestors, enum cs_verb verb, uint32_t number, const char *part, char name[CS_NAME_BYTES])
{
    const char *end = name + CS_NAME_BYTES - 1;
    char *at = name;
    if (*ancestors)
        at = put(put_ancestors(at, end, ancestors, CS_DERIVED_BYTES - CS_PART_BYTES), end, ".");
    at = put_number(put(at, end, cs_verb_words[verb]), end, number);
    put(at, end, part);
}

void cs_derive_from(const struct callsign_record *parent, enum cs_verb verb, uint32_t number, const char *part,
                    char name[CS_NAME_BYTES])
{
    char ancestors[CS_NAME_BYTES];
    ancestors[0] = '\0';
    if (parent) {
        cs_object_copy_name(parent, ancestors, sizeof ancestors);
        if (!*ancestors)
            strcpy(ancestors, "?");
    }
    cs_derive(ancestors, verb, number, part, name);
}

/* ---- creations on a communicator ---- */

uint32_t cs_next_of_verb(const struct callsign_record *parent, enum cs_verb verb)
{
    return 1 + cs_object_count(parent, (uint64_t)verb);
}

void cs_birth_identify(struct cs_birth *birth, const struct callsign_record *parent, uint32_t before, uint64_t part)
{
    if (!parent->uid)
        return;
    birth->family = cs_identity_join(parent->uid, before);
    birth->uid = cs_identity_join(birth->family, part);
}

void cs_lineage_on(struct cs_birth *birth, char name[CS_NAME_BYTES])
{
    const struct cs_creation *creation = cs_creation_find(birth->function);
    const struct callsign_record *parent = birth->from;
    if (!creation || !parent)
        return;
    uint32_t before = cs_object_made_on(parent), number = cs_next_of_verb(parent, creation->verb);
    cs_birth_identify(birth, parent, before, 0);
    birth->first = parent->remote_size >= 0 || !cs_naming_wants(birth->kind) ? -1 : 0;
    cs_derive_from(parent, creation->verb, number, "", name);
    cs_birth_name_nth(birth, name, number);
}
