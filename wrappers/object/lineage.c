#include "wrappers/object/lineage.h"

#include <stdio.h>
#include <string.h>

#include "asked.h"
#include "db/journal/datatype_name.h"
#include "db/journal/detail.h"
#include "record/identity.h"
#include "record/naming.h"
#include "record/object.h"
#include "record/recorder.h"
#include "wrappers/object/apply.h"
#include "wrappers/object/derived_name.h"
#include "wrappers/object/members.h"

static void give(struct cs_birth *birth, const char *name, uint32_t nth)
{
    cs_birth_name(birth, name);
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

enum { TAG_BYTES = sizeof " tag 2147483647" };

/* The tag as part of a name, " tag 7"; 0, which most programs say, goes without saying. */
static void put_tag(const struct cs_birth *birth, char text[TAG_BYTES])
{
    int64_t tag;
    text[0] = '\0';
    if (cs_detail_find_number(birth->detail, birth->detail_bytes, CS_DETAIL_TAG, &tag) && tag)
        snprintf(text, TAG_BYTES, " tag %d", (int)tag);
}

/* ---- parts ---- */

static MPI_Comm handle_of(const struct callsign_record *comm)
{
    return CS_HANDLE_OF(MPI_Comm, comm->handle);
}

static int first_in(const struct callsign_record *parent, MPI_Comm made, const struct cs_birth *birth)
{
    return birth->rank == 0 ? parent->rank : cs_member(made, false, 0, handle_of(parent));
}

/* What tells the part of this process from the others of the same call, as a number: the rank in the parent of its
   first member, and between two groups the ranks in MPI_COMM_WORLD of the first member of each, the lower one first.
   People know the parts of a split by their color. */
static uint64_t part_of(const struct callsign_record *parent, MPI_Comm made, struct cs_birth *birth, char part[],
                        size_t room)
{
    int64_t low, high = 0, color;
    if (parent->remote_size >= 0) {
        int local = cs_member(made, false, 0, MPI_COMM_NULL), remote = cs_member(made, true, 0, MPI_COMM_NULL);
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
   incomplete: nothing may be asked of it. */
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

static void create_by_all(const struct callsign_record *parent, const struct cs_creation *creation, MPI_Comm made,
                          struct cs_birth *birth, char name[CS_NAME_BYTES])
{
    uint32_t before = cs_object_made_on(parent), number = next_of_verb(parent, creation->verb);
    char part[CS_PART_BYTES] = "";
    identify(birth, parent, before,
             creation->participants == CS_PARTS ? part_of(parent, made, birth, part, sizeof part) : 0);
    if (creation->participants == CS_WHOLE)
        birth->first = first_of_all(parent, creation->verb, made, birth);
    cs_derive_from(parent, creation->verb, number, part, name);
    give(birth, name, number);
}

static void create_by_members(const struct callsign_record *parent, const struct cs_creation *creation, MPI_Comm made,
                              struct cs_birth *birth, char name[CS_NAME_BYTES])
{
    uint64_t key = cs_identity_join(cs_members_hash(made, false), tag_of(birth));
    uint32_t before = cs_object_count(parent, key);
    uint64_t origin = parent ? parent->uid : cs_journal_header(cs_recorder.journal)->run_hash;
    bool within = parent && parent->remote_size < 0;
    char part[2 * CS_PART_BYTES], members[CS_PART_BYTES], tag[TAG_BYTES];
    if (within)
        birth->first = first_in(parent, made, birth);
    cs_members_in(made, within ? handle_of(parent) : MPI_COMM_NULL, members, sizeof members);
    put_tag(birth, tag);
    snprintf(part, sizeof part, "[%s%s]", members, tag);
    if (origin)
        birth->uid = birth->family = cs_identity_join(cs_identity_join(origin, key), before);
    if (parent)
        cs_derive_from(parent, creation->verb, before + 1, part, name);
    else
        cs_derive(stringtag_of(birth), creation->verb, before + 1, part, name);
    give(birth, name, before + 1);
}

/* Two sides that do not know what the other side's communicator is called: who they are tells it. Members of another
   world have no rank in ours; then each side has its own uid and name. */
static void create_by_groups(const struct callsign_record *parent, const struct cs_creation *creation, MPI_Comm made,
                             struct cs_birth *birth, char name[CS_NAME_BYTES])
{
    uint32_t before = parent ? cs_object_made_on(parent) : 0;
    uint64_t local = cs_members_hash(made, false), remote = cs_members_hash(made, true);
    if (!local || !remote) {
        if (parent)
            identify(birth, parent, before, 0);
        uint32_t number = next_of_verb(parent, creation->verb);
        cs_derive_from(parent, creation->verb, number, "", name);
        give(birth, name, number);
        return;
    }
    uint64_t low = local < remote ? local : remote, high = local < remote ? remote : local;
    uint64_t key = cs_identity_join(cs_identity_join(low, high), tag_of(birth));
    uint32_t nth = cs_identity_count(0, key);
    char part[CS_DERIVED_BYTES], members[CS_DERIVED_BYTES - CS_PART_BYTES], tag[TAG_BYTES];
    cs_members_of_both(made, members, sizeof members);
    put_tag(birth, tag);
    snprintf(part, sizeof part, "(%s%s)", members, tag);
    birth->uid = birth->family =
        cs_identity_join(cs_identity_join(cs_journal_header(cs_recorder.journal)->run_hash, key), nth);
    cs_derive(stringtag_of(birth), CS_VERB_INTER, nth + 1, part, name);
    give(birth, name, nth + 1);
}

static const struct callsign_record *parent_of(const struct cs_call *call)
{
    return call->on && call->on->kind == CALLSIGN_COMMUNICATOR ? call->on : NULL;
}

void cs_lineage_comm(struct cs_call *call, MPI_Comm made, struct cs_birth *birth, char name[CS_NAME_BYTES])
{
    const struct cs_creation *creation = cs_creation_find(call->function);
    const struct callsign_record *parent = parent_of(call);
    if (!creation)
        return;
    if (creation->participants == CS_MEMBERS)
        create_by_members(parent, creation, made, birth, name);
    else if (creation->participants == CS_GROUPS)
        create_by_groups(parent, creation, made, birth, name);
    else if (parent)
        create_by_all(parent, creation, made, birth, name);
}

void cs_lineage_exclude(struct cs_call *call, struct cs_exclusion *exclusion)
{
    const struct cs_creation *creation = cs_creation_find(call->function);
    const struct callsign_record *parent = parent_of(call);
    if (!creation || !parent || creation->participants == CS_MEMBERS)
        return;
    uint32_t before = cs_object_made_on(parent);
    if (creation->participants == CS_GROUPS)
        return;
    exclusion->number = next_of_verb(parent, creation->verb);
    exclusion->family = parent->uid ? cs_identity_join(parent->uid, before) : 0;
}

void cs_lineage_on(struct cs_birth *birth, char name[CS_NAME_BYTES])
{
    const struct cs_creation *creation = cs_creation_find(birth->function);
    if (creation && birth->from)
        create_by_all(birth->from, creation, MPI_COMM_NULL, birth, name);
}

static const char *name_of(void *context, uint32_t id)
{
    const struct callsign_record *object = cs_object_numbered(id);
    char *name = context;
    if (!object)
        return NULL;
    cs_object_copy_name(object, name, CS_NAME_BYTES);
    return *name ? name : NULL;
}

void cs_lineage_datatype(struct cs_birth *birth, char name[CS_NAME_BYTES])
{
    char other[CS_NAME_BYTES];
    struct cs_datatype_name_context names = {name_of, other};
    if (!cs_applies_to(CALLSIGN_DATATYPE) ||
        !cs_datatype_name(birth->function, birth->parent, birth->detail, birth->detail_bytes, &names, name))
        return;
    cs_birth_name(birth, name);
}

uint64_t cs_lineage_of_world(MPI_Comm comm)
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
    cs_mpi_Comm_get_parent(&parent);
    return comm == parent ? cs_identity_join(world, cs_identity_of_text("MPI_COMM_PARENT")) : 0;
}
