#include "wrappers/object/lineage.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "creations.h"
#include "db/journal/detail.h"
#include "db/journal/datatype_name.h"
#include "record/identity.h"
#include "record/naming.h"
#include "record/recorder.h"
#include "wrappers/object/apply.h"
#include "wrappers/object/members.h"

/* ---- names ---- */

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

/* The name of an object that may be renamed at this moment: strings never go away, but this one may change. */
static void copy_name(const struct callsign_record *object, char name[CS_NAME_BYTES])
{
    const char *now = (const char *)(uintptr_t)__atomic_load_n(&object->name, __ATOMIC_ACQUIRE);
    put(name, name + CS_NAME_BYTES - 1, now ? now : "?");
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

enum { OWN_PART = 32, LONGEST = 120, TAG_PART = sizeof " tag 2147483647" }; /* fits MPICH's 127 */

/* ancestors "": none. */
static void derive(const char *ancestors, enum cs_verb verb, uint32_t number, const char *part,
                   char name[CS_NAME_BYTES])
{
    const char *end = name + CS_NAME_BYTES - 1;
    char *at = name;
    if (*ancestors)
        at = put(put_ancestors(at, end, ancestors, LONGEST - OWN_PART), end, ".");
    at = put_number(put(at, end, cs_verb_words[verb]), end, number);
    put(at, end, part);
}

static void derive_from(const struct callsign_record *parent, enum cs_verb verb, uint32_t number, const char *part,
                        char name[CS_NAME_BYTES])
{
    char ancestors[CS_NAME_BYTES];
    ancestors[0] = '\0';
    if (parent)
        copy_name(parent, ancestors);
    derive(ancestors, verb, number, part, name);
}

static void give(struct cs_birth *birth, const char *name, uint32_t nth)
{
    birth->name = name;
    birth->origin = CALLSIGN_DERIVED;
    birth->nth = nth;
}

static uint32_t next_of_verb(const struct callsign_record *parent, enum cs_verb verb)
{
    return 1 + cs_object_count(parent, (uint64_t)verb);
}

/* ---- arguments ---- */

/* "": there is none. */
static const char *stringtag_of(const struct cs_birth *birth)
{
    struct cs_detail_item item;
    const char *text = NULL;
    if (cs_detail_find(birth->detail, birth->detail_bytes, CS_DETAIL_STRINGTAG, &item))
        text = cs_detail_string(&item);
    return text ? text : "";
}

/* What the program tells calls apart by that several of its threads make at once. */
static uint64_t tag_of(const struct cs_birth *birth)
{
    int64_t tag;
    return cs_detail_find_number(birth->detail, birth->detail_bytes, CS_DETAIL_TAG, &tag)
               ? (uint64_t)tag
               : cs_identity_of_text(stringtag_of(birth));
}

/* The tag as part of a name, " tag 7"; 0, which most programs say, goes without saying. */
static void put_tag(const struct cs_birth *birth, char text[TAG_PART])
{
    int64_t tag;
    text[0] = '\0';
    if (cs_detail_find_number(birth->detail, birth->detail_bytes, CS_DETAIL_TAG, &tag) && tag)
        snprintf(text, TAG_PART, " tag %d", (int)tag);
}

/* ---- parts ---- */

static MPI_Comm handle_of(const struct callsign_record *comm)
{
    return CS_HANDLE_OF(MPI_Comm, comm->handle);
}

static int first_in(const struct callsign_record *parent, MPI_Comm made, const struct cs_birth *birth)
{
    return birth->rank == 0 ? parent->rank : cs_first_member(made, false, handle_of(parent));
}

/* What tells the part of this process from the others of the same call, as a number: the rank in the parent of its
   first member, and between two groups the ranks in MPI_COMM_WORLD of the first member of each, the lower one first.
   People know the parts of a split by their color. */
static uint64_t part_of(const struct callsign_record *parent, MPI_Comm made, struct cs_birth *birth, char part[],
                        size_t room)
{
    int64_t low, high = 0, color;
    if (parent->remote_size >= 0) {
        int local = cs_first_member(made, false, MPI_COMM_NULL), remote = cs_first_member(made, true, MPI_COMM_NULL);
        low = local < remote ? local : remote;
        high = local < remote ? remote : local;
        snprintf(part, room, "[%d|%d]", (int)low, (int)high);
    } else {
        low = birth->first = first_in(parent, made, birth);
        snprintf(part, room, "[%d]", (int)low);
    }
    if (cs_detail_find_number(birth->detail, birth->detail_bytes, CS_DETAIL_COLOR, &color))
        snprintf(part, room, "[%lld]", (long long)color);
    return cs_identity_join((uint64_t)low, (uint64_t)high);
}

/* ---- by who takes part ---- */

static void identify(struct cs_birth *birth, const struct callsign_record *parent, uint32_t before, uint64_t part)
{
    if (!parent->uid)
        return;
    birth->family = cs_identity_join(parent->uid, before);
    birth->uid = cs_identity_join(birth->family, part);
}

/* The rank in the parent of the first member of what all members made together; only rules want it. A duplicate may be
   only promised yet: nothing may be asked of it. */
static int first_of_all(const struct callsign_record *parent, enum cs_verb verb, MPI_Comm made,
                        const struct cs_birth *birth)
{
    if (parent->remote_size >= 0 || !cs_naming_wants(birth->kind))
        return -1;
    if (verb == CS_VERB_DUP || made == MPI_COMM_NULL)
        return 0;
    int first = first_in(parent, made, birth);
    return first >= 0 ? first : -1;
}

static void made_by_all(const struct callsign_record *parent, const struct cs_creation *creation, MPI_Comm made,
                        struct cs_birth *birth, char name[CS_NAME_BYTES])
{
    uint32_t before = cs_object_made_on(parent), number = next_of_verb(parent, creation->verb);
    char part[OWN_PART] = "";
    if (!birth)
        return;
    identify(birth, parent, before,
             creation->participants == CS_PARTS ? part_of(parent, made, birth, part, sizeof part) : 0);
    if (creation->participants == CS_WHOLE)
        birth->first = first_of_all(parent, creation->verb, made, birth);
    derive_from(parent, creation->verb, number, part, name);
    give(birth, name, number);
}

static void made_by_some(const struct callsign_record *parent, const struct cs_creation *creation, MPI_Comm made,
                         struct cs_birth *birth, char name[CS_NAME_BYTES])
{
    if (!birth)
        return;
    uint64_t key = cs_identity_join(cs_members_hash(made, false), tag_of(birth));
    uint32_t before = cs_object_count(parent, key);
    uint64_t origin = parent ? parent->uid : cs_journal_header(cs_recorder.journal)->run_hash;
    bool within = parent && parent->remote_size < 0;
    char part[2 * OWN_PART], members[OWN_PART], tag[TAG_PART];
    if (within)
        birth->first = first_in(parent, made, birth);
    cs_members_in(made, within ? handle_of(parent) : MPI_COMM_NULL, members, sizeof members);
    put_tag(birth, tag);
    snprintf(part, sizeof part, "[%s%s]", members, tag);
    if (origin)
        birth->uid = birth->family = cs_identity_join(cs_identity_join(origin, key), before);
    if (parent)
        derive_from(parent, creation->verb, before + 1, part, name);
    else
        derive(stringtag_of(birth), creation->verb, before + 1, part, name);
    give(birth, name, before + 1);
}

/* Two sides that do not know what the other side's communicator is called: who they are tells it. Members of another
   world have no rank in ours; then each side has its own uid and name. */
static void made_by_two(const struct callsign_record *parent, const struct cs_creation *creation, MPI_Comm made,
                        struct cs_birth *birth, char name[CS_NAME_BYTES])
{
    uint32_t before = parent ? cs_object_made_on(parent) : 0;
    if (!birth)
        return;
    uint64_t local = cs_members_hash(made, false), remote = cs_members_hash(made, true);
    if (!local || !remote) {
        if (parent)
            identify(birth, parent, before, 0);
        uint32_t number = next_of_verb(parent, creation->verb);
        derive_from(parent, creation->verb, number, "", name);
        give(birth, name, number);
        return;
    }
    uint64_t low = local < remote ? local : remote, high = local < remote ? remote : local;
    uint64_t key = cs_identity_join(cs_identity_join(low, high), tag_of(birth));
    uint32_t nth = cs_identity_count(0, key);
    char part[LONGEST], members[LONGEST - OWN_PART], tag[TAG_PART];
    cs_members_of_both(made, members, sizeof members);
    put_tag(birth, tag);
    snprintf(part, sizeof part, "(%s%s)", members, tag);
    birth->uid = birth->family =
        cs_identity_join(cs_identity_join(cs_journal_header(cs_recorder.journal)->run_hash, key), nth);
    derive(stringtag_of(birth), CS_VERB_INTER, nth + 1, part, name);
    give(birth, name, nth + 1);
}

void cs_lineage_comm(struct cs_call *call, MPI_Comm made, struct cs_birth *birth, char name[CS_NAME_BYTES])
{
    const struct cs_creation *creation = cs_creation_find(call->function);
    const struct callsign_record *parent = call->on && call->on->kind == CALLSIGN_COMMUNICATOR ? call->on : NULL;
    if (!creation)
        return;
    if (creation->participants == CS_MEMBERS)
        made_by_some(parent, creation, made, birth, name);
    else if (creation->participants == CS_GROUPS)
        made_by_two(parent, creation, made, birth, name);
    else if (parent)
        made_by_all(parent, creation, made, birth, name);
}

void cs_lineage_on(struct cs_call *call, const struct callsign_record *parent, struct cs_birth *birth,
                   char name[CS_NAME_BYTES])
{
    const struct cs_creation *creation = cs_creation_find(call->function);
    if (creation && parent)
        made_by_all(parent, creation, MPI_COMM_NULL, birth, name);
}

static const char *name_of(void *context, uint32_t id)
{
    const struct callsign_record *object = cs_object_numbered(id);
    char *name = context;
    if (!object || !object->name)
        return NULL;
    copy_name(object, name);
    return name;
}

void cs_lineage_datatype_now(struct cs_birth *birth, char name[CS_NAME_BYTES])
{
    char other[CS_NAME_BYTES];
    struct cs_datatype_name_context names = {name_of, other};
    if (!cs_applies_to(CALLSIGN_DATATYPE) ||
        !cs_datatype_name(birth->function, birth->parent, birth->detail, birth->detail_bytes, &names, name))
        return;
    birth->name = name;
    birth->origin = CALLSIGN_DERIVED;
}

uint64_t cs_lineage_given(MPI_Comm comm)
{
    const struct cs_journal_header *header = cs_journal_header(cs_recorder.journal);
    MPI_Comm parent = MPI_COMM_NULL;
    uint64_t world = cs_identity_join(header->run_hash, cs_identity_of_text("MPI_COMM_WORLD"));
    if (header->size <= 0)
        return 0; /* a process without MPI_COMM_WORLD */
    if (comm == MPI_COMM_WORLD)
        return world;
    if (comm == MPI_COMM_SELF)
        return cs_identity_join(cs_identity_join(world, cs_identity_of_text("MPI_COMM_SELF")), (uint64_t)header->rank);
    PMPI_Comm_get_parent(&parent);
    return comm == parent ? cs_identity_join(world, cs_identity_of_text("MPI_COMM_PARENT")) : 0;
}
