#include "db/seal/load.h"

#include <stdlib.h>
#include <string.h>

#include "callsign/debug.h"
#include "db/journal/names.h"

static struct cs_value instant(struct cs_sealing *sealing, uint64_t ticks)
{
    return cs_int(cs_sealing_instant(sealing, ticks));
}

/* The place of a site, NULL if there is none. */
static enum cs_status place(struct cs_sealing *sealing, uint64_t address, uint64_t ticks, struct cs_value *value)
{
    int64_t site;
    enum cs_status status = cs_places_find(sealing->places, address, ticks, &site);
    *value = cs_int_unless(site, 0);
    return status;
}

static const char *kind_of(uint16_t number)
{
    const char *kind = cs_name_of_kind(number);
    return kind ? kind : "unknown";
}

static enum cs_status load_meta(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    static const char *const about[CS_ABOUT_COUNT] = {
        [CS_ABOUT_NODE] = "node",           [CS_ABOUT_PROGRAM] = "program",
        [CS_ABOUT_ARGUMENTS] = "arguments", [CS_ABOUT_THREAD_LEVEL] = "thread_level",
        [CS_ABOUT_STARTED] = "started_utc",
    };
    const char *key = cs_fact_string(fact, sizeof(struct cs_fact_meta), 0);
    const char *value = cs_fact_string(fact, sizeof(struct cs_fact_meta), 1);
    if (!key || !value)
        return CS_CORRUPT;
    for (size_t i = 0; i < CS_ABOUT_COUNT; i++) {
        if (strcmp(key, about[i]) != 0)
            continue;
        char *copy = strdup(value);
        if (!copy)
            return CS_NO_MEMORY;
        free(sealing->about[i]);
        sealing->about[i] = copy;
        return CS_OK;
    }
    return CS_WRITE(sealing->rows, CS_ROW_META, cs_int(sealing->rank), cs_text(key), cs_text(value));
}

/* A name: one line of its history, and the object's own from now on. */
static enum cs_status name_object(struct cs_sealing *sealing, const struct cs_named *named)
{
    struct cs_made *made = cs_objects_at(sealing->objects, named->object);
    if (!made || !cs_objects_name(sealing->objects, named))
        return CS_NO_MEMORY;
    made->told = true;
    made->derived = made->derived || named->origin == CALLSIGN_DERIVED;
    /* "Dup x", which an MPI invents, says less than how a datatype was made. */
    bool invented = named->origin == CALLSIGN_MPI && made->name && made->origin == CALLSIGN_DERIVED && made->born &&
                    made->born->kind == CALLSIGN_DATATYPE;
    if (!invented) {
        made->name = named->name;
        made->origin = named->origin;
    }
    return CS_OK;
}

/* A copy of a fact that is asked again when all are known. */
static const void *keep(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    return cs_objects_keep(sealing->objects, fact, fact->bytes);
}

/* A duplicate is what its parent is, which was not written again. */
static void duplicate(struct cs_sealing *sealing, const struct cs_fact_object *it, struct cs_made *made)
{
    const struct cs_made *parent = cs_objects_find(sealing->objects, it->parent);
    if (!made->is_communicator && parent)
        made->communicator = parent->communicator;
    made->is_communicator = true;
}

/* A datatype is called by how it was made, until somebody names it. */
static enum cs_status derive(struct cs_sealing *sealing, const struct cs_fact_object *it, struct cs_made *made)
{
    char derived[CS_DATATYPE_NAME_BYTES];
    if (made->name || !cs_seal_derived(sealing, it, derived))
        return CS_OK;
    made->name = cs_objects_keep_text(sealing->objects, derived);
    made->origin = CALLSIGN_DERIVED;
    return made->name ? CS_OK : CS_NO_MEMORY;
}

static enum cs_status load_object(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_object *it = (const void *)fact;
    if (fact->bytes < sizeof *it + it->detail_bytes)
        return CS_CORRUPT;
    const char *name = cs_fact_string(fact, sizeof *it + it->detail_bytes, 0);
    struct cs_made *made = cs_objects_at(sealing->objects, it->object);
    if (!made)
        return CS_NO_MEMORY;
    enum cs_status status = cs_places_find(sealing->places, it->site, fact->ticks, &made->born_site);
    if (status == CS_OK)
        status = derive(sealing, it, made);
    if (status != CS_OK)
        return status;
    if (it->flags & CS_OBJECT_DUPLICATE && it->kind == CALLSIGN_COMMUNICATOR)
        duplicate(sealing, it, made);
    if ((it->kind == CALLSIGN_WINDOW || it->kind == CALLSIGN_FILE) &&
        cs_sealing_home(sealing, it->object, it->parent) != CS_OK)
        return CS_NO_MEMORY;
    made->told = true;
    made->born = cs_objects_keep(sealing->objects, it, sizeof *it + it->detail_bytes);
    if (!made->born)
        return CS_NO_MEMORY;
    if (!name || !*name)
        return CS_OK;
    const struct cs_named named = {.object = it->object,
                                   .rule = it->rule,
                                   .ticks = fact->ticks,
                                   .name = cs_objects_keep_text(sealing->objects, name),
                                   .origin = it->origin};
    return named.name ? name_object(sealing, &named) : CS_NO_MEMORY;
}

static enum cs_status load_ready(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    struct cs_made *made = cs_objects_at(sealing->objects, ((const struct cs_fact_ready *)(const void *)fact)->object);
    if (!made)
        return CS_NO_MEMORY;
    made->is_communicator = made->ready = true;
    made->ready_ticks = fact->ticks;
    return CS_OK;
}

static enum cs_status load_communicator(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_communicator *it = (const void *)fact;
    if (!cs_fact_string(fact, sizeof *it, 0))
        return CS_CORRUPT;
    struct cs_made *made = cs_objects_at(sealing->objects, it->object);
    if (!made || !(made->communicator = keep(sealing, fact)))
        return CS_NO_MEMORY;
    made->is_communicator = true;
    return CS_OK;
}

static enum cs_status load_datatype(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    struct cs_made *made =
        cs_objects_at(sealing->objects, ((const struct cs_fact_datatype *)(const void *)fact)->object);
    return made && (made->datatype = keep(sealing, fact)) ? CS_OK : CS_NO_MEMORY;
}

static enum cs_status load_window(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    struct cs_made *made = cs_objects_at(sealing->objects, ((const struct cs_fact_window *)(const void *)fact)->object);
    return made && (made->window = keep(sealing, fact)) ? CS_OK : CS_NO_MEMORY;
}

static enum cs_status load_commit(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    struct cs_made *made = cs_objects_at(sealing->objects, ((const struct cs_fact_commit *)(const void *)fact)->object);
    if (!made)
        return CS_NO_MEMORY;
    made->commits++;
    return CS_OK;
}

static enum cs_status load_name(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_name *it = (const void *)fact;
    const char *name = cs_fact_string(fact, sizeof *it, 0);
    if (!name)
        return CS_CORRUPT;
    struct cs_named named = {.object = it->object,
                             .ticks = fact->ticks,
                             .name = cs_objects_keep_text(sealing->objects, name),
                             .origin = it->origin};
    enum cs_status status = cs_places_find(sealing->places, it->site, fact->ticks, &named.site);
    if (status != CS_OK)
        return status;
    return named.name ? name_object(sealing, &named) : CS_NO_MEMORY;
}

/* The call that freed it, as a cell of the profile. */
static enum cs_status add_call(struct cs_sealing *sealing, const struct cs_fact_freed *it)
{
    int64_t site;
    enum cs_status status = cs_places_find(sealing->places, it->call_site, it->fact.ticks, &site);
    if (status != CS_OK)
        return status;
    const struct cs_profile_cell cell = {.object = it->object,
                                         .function = it->function,
                                         .calls = it->calls,
                                         .ticks = it->call_ticks,
                                         .min_ticks = it->call_ticks,
                                         .max_ticks = it->call_ticks};
    return cs_sealing_profile(sealing, &cell, it->object, site);
}

static enum cs_status load_freed(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_freed *it = (const void *)fact;
    struct cs_made *made = cs_objects_at(sealing->objects, it->object);
    if (!made)
        return CS_NO_MEMORY;
    made->told = made->freed = true;
    made->freed_function = it->function;
    made->freed_ticks = fact->ticks;
    enum cs_status status = cs_places_find(sealing->places, it->site, fact->ticks, &made->freed_site);
    return status == CS_OK && it->calls && it->function ? add_call(sealing, it) : status;
}

static enum cs_status load_keyval(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_keyval *it = (const void *)fact;
    const char *name = cs_fact_string(fact, sizeof *it, 0);
    if (!name)
        return CS_CORRUPT;
    struct cs_value site;
    enum cs_status status = place(sealing, it->site, fact->ticks, &site);
    if (status != CS_OK)
        return status;
    return CS_WRITE(sealing->rows, CS_ROW_KEYVAL, cs_int(sealing->rank), cs_text(kind_of(it->kind)), cs_int(it->keyval),
                    cs_text(*name ? name : NULL), cs_sealing_function(sealing, it->function), site,
                    instant(sealing, fact->ticks));
}

static enum cs_status load_placement(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_placement *it = (const void *)fact;
    const char *name = cs_fact_string(fact, sizeof *it, 0);
    const char *allowed = cs_fact_string(fact, sizeof *it, 1);
    if (!name || !allowed)
        return CS_CORRUPT;
    return CS_WRITE(sealing->rows, CS_ROW_PLACEMENT, cs_int(sealing->rank), instant(sealing, fact->ticks),
                    cs_int(it->thread), cs_text(cs_name_of_reason(it->reason)), cs_text(*name ? name : NULL),
                    cs_int_unless(it->cpu, -1), cs_text(*allowed ? allowed : NULL));
}

static enum cs_status load_pcontrol(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_pcontrol *it = (const void *)fact;
    return CS_WRITE(sealing->rows, CS_ROW_PCONTROL, cs_int(sealing->rank), instant(sealing, fact->ticks),
                    cs_int(it->level));
}

static enum cs_status load_stack(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    return cs_places_stack(sealing->places, (const void *)fact);
}

static enum cs_status load_rule(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_rule *it = (const void *)fact;
    const char *text = cs_fact_string(fact, sizeof *it, 0);
    if (!text)
        return CS_CORRUPT;
    return CS_WRITE(sealing->rows, CS_ROW_RULE, cs_int(sealing->rank), cs_int(it->rule), cs_text(text));
}

/* By fact type: the size of its structure, and what makes rows of it. A type without a loader is of a newer callsign:
 * skipped. */
static const struct loader {
    size_t bytes;
    enum cs_status (*load)(struct cs_sealing *sealing, const struct cs_fact *fact);
} loaders[] = {
    [CS_FACT_META] = {sizeof(struct cs_fact_meta), load_meta},
    [CS_FACT_OBJECT] = {sizeof(struct cs_fact_object), load_object},
    [CS_FACT_COMMUNICATOR] = {sizeof(struct cs_fact_communicator), load_communicator},
    [CS_FACT_DATATYPE] = {sizeof(struct cs_fact_datatype), load_datatype},
    [CS_FACT_WINDOW] = {sizeof(struct cs_fact_window), load_window},
    [CS_FACT_COMMIT] = {sizeof(struct cs_fact_commit), load_commit},
    [CS_FACT_NAME] = {sizeof(struct cs_fact_name), load_name},
    [CS_FACT_FREED] = {sizeof(struct cs_fact_freed), load_freed},
    [CS_FACT_KEYVAL] = {sizeof(struct cs_fact_keyval), load_keyval},
    [CS_FACT_PLACEMENT] = {sizeof(struct cs_fact_placement), load_placement},
    [CS_FACT_PCONTROL] = {sizeof(struct cs_fact_pcontrol), load_pcontrol},
    [CS_FACT_READY] = {sizeof(struct cs_fact_ready), load_ready},
    [CS_FACT_STACK] = {sizeof(struct cs_fact_stack), load_stack},
    [CS_FACT_RULE] = {sizeof(struct cs_fact_rule), load_rule},
};

/* A fact that makes no sense is left out and remembered; anything else that goes wrong ends the seal. */
static enum cs_status visit_fact(void *context, const struct cs_fact *fact)
{
    struct cs_sealing *sealing = context;
    if (fact->type >= sizeof loaders / sizeof *loaders || !loaders[fact->type].load)
        return CS_OK;
    const struct loader *loader = &loaders[fact->type];
    enum cs_status status = cs_fact_holds(fact, loader->bytes) ? loader->load(sealing, fact) : CS_CORRUPT;
    if (status == CS_CORRUPT) {
        sealing->damaged = true;
        return CS_OK;
    }
    cs_sealing_see(sealing, fact->ticks);
    return status;
}

static enum cs_status visit_module(void *context, const struct cs_fact *fact)
{
    struct cs_sealing *sealing = context;
    if (fact->type != CS_FACT_MODULE)
        return CS_OK;
    enum cs_status status = cs_fact_holds(fact, sizeof(struct cs_fact_module))
                                ? cs_places_add(sealing->places, (const void *)fact)
                                : CS_CORRUPT;
    if (status == CS_CORRUPT) {
        sealing->damaged = true;
        return CS_OK;
    }
    return status;
}

enum cs_status cs_seal_modules(struct cs_sealing *sealing)
{
    return cs_journal_read_facts(sealing->reader, visit_module, sealing);
}

enum cs_status cs_seal_facts(struct cs_sealing *sealing)
{
    sealing->objects = cs_objects_create();
    if (!sealing->objects)
        return CS_NO_MEMORY;
    enum cs_status status = cs_journal_read_facts(sealing->reader, visit_fact, sealing);
    if (status == CS_OK)
        status = cs_objects_write(sealing->objects, sealing);
    cs_objects_destroy(sealing->objects);
    sealing->objects = NULL;
    return status;
}
