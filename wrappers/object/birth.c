#include "wrappers/object/birth.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "functions.h"
#include "record/object/identity.h"
#include "record/object/naming.h"
#include "record/object/object.h"

/* Clears only the part before the buffers. */
static void clear(struct cs_birth *birth, enum callsign_kind kind, uint64_t handle)
{
    enum { BEFORE_BUFFERS = offsetof(struct cs_birth, communicator), PART = 64 };
    memset(birth, 0, PART); /* in parts: compilers do not unroll more than six stores */
    memset((char *)birth + PART, 0, BEFORE_BUFFERS - PART);
    birth->handle = handle;
    birth->fortran_handle = INT64_MIN;
    birth->size = birth->rank = birth->remote_size = birth->first = -1;
    birth->kind = (uint16_t)kind;
}

void cs_birth_take_details(struct cs_birth *birth, const struct cs_call *call)
{
    if (!call->details)
        return;
    birth->detail = call->details->words;
    birth->detail_bytes = (uint16_t)call->details->bytes;
}

void cs_birth_begin(struct cs_birth *birth, struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    clear(birth, kind, handle);
    cs_birth_take_details(birth, call);
    birth->from = call->on;
    birth->parent = call->on ? call->on->id : 0;
    birth->site = cs_call_site(call);
    birth->ticks = call->stop;
    birth->flags = call->counted ? 0 : CS_OBJECT_INTERNAL;
    birth->function = call->function;
}

void cs_birth_begin_unseen(struct cs_birth *birth, enum callsign_kind kind, uint64_t handle, uint32_t flags)
{
    clear(birth, kind, handle);
    birth->flags = flags;
}

/* ---- registration ---- */

/* NULL: no name. */
static const char *name_of(const struct callsign_record *object, char name[CS_NAME_BYTES])
{
    if (!object)
        return NULL;
    cs_object_copy_name(object, name, CS_NAME_BYTES);
    return *name ? name : NULL;
}

/* Counts creations on one parent by one function, unless the lineage has done so. */
static uint32_t nth_of(const struct cs_birth *birth)
{
    if (birth->nth)
        return birth->nth;
    return 1 + cs_object_count_key(birth->from, (uint64_t)birth->function << 32);
}

/* The first matching naming rule gives the name. */
static __attribute__((noinline)) void name_by_rule(struct cs_birth *birth)
{
    char parent[CS_NAME_BYTES];
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
    birth->rule = cs_naming_write_name(&newborn, birth->name_buffer, sizeof birth->name_buffer);
    if (!birth->rule)
        return;
    birth->name = birth->name_buffer;
    birth->origin = CALLSIGN_RULE;
}

/* The end of the last call's object may have been missed, see cs_call_is_on_last: then the new object has its number.
 */
static void forget_former(struct cs_thread *thread, const struct callsign_record *object)
{
    const struct callsign_record *last = thread->last_object;
    if (last && (!object || (last->kind == object->kind && last->fortran_handle == object->fortran_handle)))
        thread->last_object = NULL;
}

/* Each object is made and freed by a few functions that contain what they call (flatten): that saves a tenth of the
   instructions. */
__attribute__((noinline, flatten)) const struct callsign_record *cs_birth_register(struct cs_birth *birth,
                                                                                   struct cs_call *call)
{
    /* Naming rules do not apply to objects that the MPI makes for itself during a call of the program. */
    if (call && cs_naming_applies_to(birth->kind) && !(birth->flags & CS_OBJECT_INTERNAL))
        name_by_rule(birth);
    const struct callsign_record *object = cs_object_add(birth);
    if (object && call)
        call->made = object->id;
    if (call && call->thread)
        forget_former(call->thread, object);
    free(birth->members);
    return object;
}

/* ---- derived names ---- */

/* Texts are short: calls of the C library would take longer. */
static char *put(char *at, const char *end, const char *text)
{
    while (at < end && *text)
        *at++ = *text++;
    *at = '\0';
    return at;
}

enum { NUMBER_BYTES = 24 };

static char *put_number(char *at, const char *end, int64_t number)
{
    char digits[2 * NUMBER_BYTES], *first = digits + NUMBER_BYTES - 1;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    *first = '\0';
    do
        *--first = (char)('0' + rest % 10);
    while (rest /= 10);
    if (number < 0)
        *--first = '-';
    if ((size_t)(end - at) < NUMBER_BYTES)
        return put(at, end, first);
    memcpy(at, first, NUMBER_BYTES); /* of fixed size: no loop */
    return at + (digits + NUMBER_BYTES - 1 - first);
}

/* Removes the first ancestors from a name that is too long. Returns the end of the name. */
static char *shorten_ancestors(char *name, size_t length)
{
    enum { ROOM = CS_DERIVED_BYTES - CS_PART_BYTES };
    static const char dots[] = "...";
    if (length <= ROOM)
        return name + length;
    const char *tail = cs_utf8_next(name + length - (ROOM - strlen(dots)));
    size_t rest = (size_t)(name + length - tail);
    memcpy(name, dots, strlen(dots));
    memmove(name + strlen(dots), tail, rest);
    return name + strlen(dots) + rest;
}

/* Writes the name of the parent, or the prefix. Returns its end. */
static char *put_ancestors(char name[CS_NAME_BYTES], const struct callsign_record *parent, const char *prefix)
{
    size_t length = parent ? cs_object_copy_name(parent, name, CS_NAME_BYTES) : strnlen(prefix, CS_NAME_BYTES - 1);
    if (!parent)
        memcpy(name, prefix, length);
    else if (!length)
        name[length++] = '?';
    name[length] = '\0';
    return shorten_ancestors(name, length);
}

/* The last name without a part that a thread derived. Names of one parent and verb differ in their number only, so that
   the next one usually differs in the last digit. */
struct cs_derived_name {
    uint32_t parent, named; /* id of the parent, and how often it had been named */
    uint32_t verb, nth;
    uint32_t last;               /* place of the last digit */
    char text[CS_DERIVED_BYTES]; /* all is copied: no loop */
};

/* Turns the thread's last name into this one. False: it is not the one before. */
static inline bool count_up(const struct cs_birth *birth, const struct callsign_record *parent, enum cs_verb verb,
                            struct cs_derived_name *name)
{
    if (!name || name->parent != parent->id || name->named != cs_object_named(parent) || name->verb != verb ||
        name->nth + 1 != birth->nth || name->text[name->last] == '9')
        return false;
    name->nth++;
    name->text[name->last]++;
    return true;
}

static __attribute__((noinline)) char *compose(struct cs_birth *birth, const struct callsign_record *parent,
                                               const char *prefix, enum cs_verb verb, const char *part)
{
    const char *end = birth->name_buffer + sizeof birth->name_buffer - 1;
    char *at = put_ancestors(birth->name_buffer, parent, prefix);
    if (at != birth->name_buffer)
        *at++ = '.';
    at = put_number(put(at, end, cs_verb_words[verb]), end, birth->nth);
    return put(at, end, part);
}

static __attribute__((noinline)) void keep(struct cs_thread *thread, const struct cs_birth *birth,
                                           const struct callsign_record *parent, uint32_t named, enum cs_verb verb,
                                           size_t length)
{
    if (!thread->derived)
        thread->derived = malloc(sizeof *thread->derived);
    if (!thread->derived)
        return;
    *thread->derived = (struct cs_derived_name){parent->id, named, verb, birth->nth, (uint32_t)length - 1, ""};
    memcpy(thread->derived->text, birth->name_buffer, length + 1);
}

void cs_birth_derive_name(struct cs_birth *birth, const struct callsign_record *parent, const char *prefix,
                          enum cs_verb verb, const char *part)
{
    struct cs_thread *thread = parent && !*part ? cs_thread_self : NULL;
    if (thread && count_up(birth, parent, verb, thread->derived)) {
        memcpy(birth->name_buffer, thread->derived->text, sizeof thread->derived->text);
    } else {
        const uint32_t named = parent ? cs_object_named(parent) : 0; /* before its name is read */
        const size_t length = (size_t)(compose(birth, parent, prefix, verb, part) - birth->name_buffer);
        if (thread && length < CS_DERIVED_BYTES)
            keep(thread, birth, parent, named, verb, length);
    }
    cs_birth_use_buffer(birth);
}

/* ---- identity by the parent ---- */

/* Counts the creations by a verb on a parent (NULL: no parent). Returns the number of this one, from 1. */
static uint32_t count_creation(const struct callsign_record *parent, enum cs_verb verb)
{
    return 1 + cs_object_count_key(parent, (uint64_t)verb);
}

/* Without the parent's uid, ranks cannot match the family. */
static uint64_t family_on(const struct callsign_record *parent, uint32_t before)
{
    return parent->uid ? cs_identity_join(parent->uid, before) : 0;
}

void cs_birth_identify(struct cs_birth *birth, const struct callsign_record *parent, const struct cs_function *creation,
                       uint64_t part)
{
    uint32_t before = parent ? cs_object_count_creation(parent) : 0;
    birth->nth = count_creation(parent, creation->verb);
    birth->family = parent ? family_on(parent, before) : 0;
    birth->uid = birth->family ? cs_identity_join(birth->family, part) : 0;
}

void cs_birth_identify_and_name(struct cs_birth *birth)
{
    const struct cs_function *creation = cs_function_find(birth->function);
    if (!creation || !creation->verb || !birth->from)
        return;
    cs_birth_identify(birth, birth->from, creation, 0);
    birth->first = birth->from->remote_size >= 0 || !cs_naming_applies_to(birth->kind) ? -1 : 0;
    cs_birth_derive_name(birth, birth->from, "", creation->verb, "");
}

void cs_birth_exclude(struct cs_exclusion *exclusion, const struct callsign_record *parent,
                      const struct cs_function *creation)
{
    if (!creation || !parent || creation->participants == CS_PARTICIPANTS_MEMBERS)
        return;
    uint32_t before = cs_object_count_creation(parent);
    if (creation->participants == CS_PARTICIPANTS_GROUPS)
        return;
    exclusion->number = count_creation(parent, creation->verb);
    exclusion->family = family_on(parent, before);
}
