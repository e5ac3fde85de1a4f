#include "db/seal/object_facts.h"

#include <string.h>

#include "callsign/debug.h"
#include "db/journal/datatype_name.h"
#include "db/journal/format.h"
#include "db/journal/reader.h"
#include "db/seal/objects.h"
#include "db/seal/profile.h"
#include "db/seal/sites.h"

/* Adds the naming, and the object has the name from now on. */
static enum cs_status name_object(struct cs_sealing *sealing, const struct cs_naming *naming)
{
    struct cs_object_facts *facts = cs_objects_at(sealing->objects, naming->object);
    if (!facts || !cs_objects_add_naming(sealing->objects, naming))
        return CS_NO_MEMORY;
    facts->known = true;
    facts->derived = facts->derived || naming->origin == CALLSIGN_DERIVED;
    /* "Dup x", which an MPI invents, says less than how a datatype was made. */
    bool invented = naming->origin == CALLSIGN_MPI && facts->name && facts->origin == CALLSIGN_DERIVED &&
                    facts->birth && facts->birth->kind == CALLSIGN_DATATYPE;
    if (!invented) {
        facts->name = naming->name;
        facts->origin = naming->origin;
    }
    return CS_OK;
}

/* A copy of a fact that is needed when all are known. */
static const void *copy(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    return cs_objects_copy(sealing->objects, fact, fact->bytes);
}

/* A duplicate is what its parent is, which was not written again. */
static void duplicate(struct cs_sealing *sealing, const struct cs_fact_object *it, struct cs_object_facts *facts)
{
    const struct cs_object_facts *parent = cs_objects_find(sealing->objects, it->parent);
    if (!facts->is_communicator && parent)
        facts->communicator = parent->communicator;
    facts->is_communicator = true;
}

/* The name that an object has by now. */
static const char *name_of(void *objects, uint32_t object)
{
    const struct cs_object_facts *facts = cs_objects_find(objects, object);
    return facts ? facts->name : NULL;
}

/* A datatype is called by how it was made, until somebody names it. The derived names of other kinds come as facts. */
static enum cs_status derive(struct cs_sealing *sealing, const struct cs_fact_object *it, struct cs_object_facts *facts)
{
    char derived[CS_DATATYPE_NAME_BYTES];
    const struct cs_datatype_name_context names = {name_of, sealing->objects};
    if (facts->name || it->kind != CALLSIGN_DATATYPE ||
        !cs_datatype_name(it->function, it->parent, it + 1, it->detail_bytes, &names, derived))
        return CS_OK;
    facts->name = cs_objects_copy_text(sealing->objects, derived);
    facts->origin = CALLSIGN_DERIVED;
    return facts->name ? CS_OK : CS_NO_MEMORY;
}

enum cs_status cs_object_load_object(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_object *it = (const void *)fact;
    if (fact->bytes < sizeof *it + it->detail_bytes)
        return CS_CORRUPT;
    const char *name = cs_fact_string(fact, sizeof *it + it->detail_bytes, 0);
    struct cs_object_facts *facts = cs_objects_at(sealing->objects, it->object);
    if (!facts)
        return CS_NO_MEMORY;
    enum cs_status status = cs_sites_find(sealing->sites, it->site, fact->ticks, &facts->birth_site);
    if (status == CS_OK)
        status = derive(sealing, it, facts);
    if (status != CS_OK)
        return status;
    if (it->flags & CS_OBJECT_DUPLICATE && it->kind == CALLSIGN_COMMUNICATOR)
        duplicate(sealing, it, facts);
    if ((it->kind == CALLSIGN_WINDOW || it->kind == CALLSIGN_FILE) &&
        cs_profile_communicator(sealing->profile, it->object, it->parent) != CS_OK)
        return CS_NO_MEMORY;
    facts->known = true;
    facts->birth = cs_objects_copy(sealing->objects, it, sizeof *it + it->detail_bytes);
    if (!facts->birth)
        return CS_NO_MEMORY;
    if (!name || !*name)
        return CS_OK;
    const struct cs_naming naming = {.object = it->object,
                                     .rule = it->rule,
                                     .ticks = fact->ticks,
                                     .name = cs_objects_copy_text(sealing->objects, name),
                                     .origin = it->origin};
    return naming.name ? name_object(sealing, &naming) : CS_NO_MEMORY;
}

enum cs_status cs_object_load_ready(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    struct cs_object_facts *facts =
        cs_objects_at(sealing->objects, ((const struct cs_fact_ready *)(const void *)fact)->object);
    if (!facts)
        return CS_NO_MEMORY;
    facts->is_communicator = facts->ready = true;
    facts->ready_ticks = fact->ticks;
    return CS_OK;
}

enum cs_status cs_object_load_communicator(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_communicator *it = (const void *)fact;
    if (!cs_fact_string(fact, sizeof *it, 0))
        return CS_CORRUPT;
    struct cs_object_facts *facts = cs_objects_at(sealing->objects, it->object);
    if (!facts || !(facts->communicator = copy(sealing, fact)))
        return CS_NO_MEMORY;
    facts->is_communicator = true;
    return CS_OK;
}

enum cs_status cs_object_load_datatype(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    struct cs_object_facts *facts =
        cs_objects_at(sealing->objects, ((const struct cs_fact_datatype *)(const void *)fact)->object);
    return facts && (facts->datatype = copy(sealing, fact)) ? CS_OK : CS_NO_MEMORY;
}

enum cs_status cs_object_load_window(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    struct cs_object_facts *facts =
        cs_objects_at(sealing->objects, ((const struct cs_fact_window *)(const void *)fact)->object);
    return facts && (facts->window = copy(sealing, fact)) ? CS_OK : CS_NO_MEMORY;
}

enum cs_status cs_object_load_commit(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    struct cs_object_facts *facts =
        cs_objects_at(sealing->objects, ((const struct cs_fact_commit *)(const void *)fact)->object);
    if (!facts)
        return CS_NO_MEMORY;
    facts->commits++;
    return CS_OK;
}

enum cs_status cs_object_load_name(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_name *it = (const void *)fact;
    const char *name = cs_fact_string(fact, sizeof *it, 0);
    if (!name)
        return CS_CORRUPT;
    struct cs_naming naming = {.object = it->object,
                               .ticks = fact->ticks,
                               .name = cs_objects_copy_text(sealing->objects, name),
                               .origin = it->origin};
    enum cs_status status = cs_sites_find(sealing->sites, it->site, fact->ticks, &naming.site);
    if (status != CS_OK)
        return status;
    return naming.name ? name_object(sealing, &naming) : CS_NO_MEMORY;
}

enum cs_status cs_object_load_refused_name(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_refused_name *it = (const void *)fact;
    const char *why = cs_fact_string(fact, sizeof *it, 0);
    if (!why || !*why)
        return CS_CORRUPT;
    struct cs_naming naming = {.object = it->object,
                               .kind = it->kind,
                               .ticks = fact->ticks,
                               .error = cs_objects_copy_text(sealing->objects, why),
                               .origin = CALLSIGN_PROGRAM};
    enum cs_status status = cs_sites_find(sealing->sites, it->site, fact->ticks, &naming.site);
    if (status != CS_OK)
        return status;
    return naming.error && cs_objects_add_naming(sealing->objects, &naming) ? CS_OK : CS_NO_MEMORY;
}

enum cs_status cs_object_load_freed(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_freed *it = (const void *)fact;
    struct cs_object_facts *facts = cs_objects_at(sealing->objects, it->object);
    if (!facts)
        return CS_NO_MEMORY;
    facts->known = facts->freed = true;
    facts->freed_function = it->function;
    facts->freed_ticks = fact->ticks;
    enum cs_status status = cs_sites_find(sealing->sites, it->site, fact->ticks, &facts->freed_site);
    return status == CS_OK && it->calls && it->function ? cs_profile_free(sealing, it) : status;
}
