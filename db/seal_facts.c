#include "db/seal_load.h"

#include <stdlib.h>
#include <string.h>

#include "callsign/debug.h"
#include "db/names.h"

static struct cs_value instant(const struct cs_sealing *sealing, uint64_t ticks)
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
static enum cs_status name_object(struct cs_sealing *sealing, uint32_t number, uint64_t ticks, const char *name,
                                  unsigned origin, uint32_t rule, struct cs_value site)
{
    struct cs_value rank = cs_int(sealing->rank), object = cs_int(number);
    struct cs_value giver = cs_text(cs_name_of_origin(origin));
    enum cs_status status = CS_WRITE(sealing->rows, CS_ROW_NAMING, rank, object, instant(sealing, ticks), cs_text(name),
                                     giver, cs_int_unless(rule, 0), site);
    if (status == CS_OK)
        status = CS_WRITE(sealing->rows, CS_ROW_OBJECT_NAME, rank, object, cs_text(name), giver);
    return status;
}

static enum cs_status load_object(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_object *it = (const void *)fact;
    if (fact->bytes < sizeof *it + it->detail_bytes)
        return CS_CORRUPT;
    const char *name = cs_fact_string(fact, sizeof *it + it->detail_bytes, 0);
    char derived[CS_LINEAGE_BYTES];
    char *detail = NULL;
    struct cs_value site;
    enum cs_status status = place(sealing, it->site, fact->ticks, &site);
    if (status == CS_OK)
        status = cs_seal_derived(sealing, it, derived);
    if (status == CS_OK)
        status = cs_seal_detail(sealing, it, &detail);
    if (status != CS_OK)
        return status;
    status = CS_WRITE(
        sealing->rows, CS_ROW_OBJECT, cs_int(sealing->rank), cs_int(it->object), cs_text(kind_of(it->kind)),
        cs_int((int64_t)it->handle), cs_int_unless(it->fortran_handle, INT64_MIN), cs_int_unless((int64_t)it->uid, 0),
        cs_int_unless((int64_t)it->family, 0), cs_int_unless(it->parent, 0), cs_sealing_function(sealing, it->function),
        site, instant(sealing, fact->ticks), cs_int((it->flags & CS_OBJECT_INTERNAL) != 0),
        cs_int((it->flags & CS_OBJECT_PREDEFINED) != 0), cs_int((it->flags & CS_OBJECT_ADOPTED) != 0), cs_text(detail),
        cs_text(*derived ? derived : NULL), cs_text(*derived ? cs_name_of_origin(CALLSIGN_DERIVED) : NULL));
    free(detail);
    if (status == CS_OK && it->flags & CS_OBJECT_DUPLICATE && it->kind == CALLSIGN_COMMUNICATOR)
        status = CS_WRITE(sealing->rows, CS_ROW_DUPLICATE, cs_int(sealing->rank), cs_int(it->object));
    if (status == CS_OK && name && *name)
        status = name_object(sealing, it->object, fact->ticks, name, it->origin, it->rule, cs_text(NULL));
    return status;
}

static enum cs_status load_ready(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_ready *it = (const void *)fact;
    return CS_WRITE(sealing->rows, CS_ROW_READY, cs_int(sealing->rank), cs_int(it->object),
                    instant(sealing, fact->ticks));
}

static enum cs_status load_communicator(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_communicator *it = (const void *)fact;
    const char *members = cs_fact_string(fact, sizeof *it, 0);
    if (!members)
        return CS_CORRUPT;
    return CS_WRITE(sealing->rows, CS_ROW_COMMUNICATOR, cs_int(sealing->rank), cs_int(it->object),
                    cs_int_unless(it->size, -1), cs_int_unless(it->rank, -1), cs_int_unless(it->remote_size, -1),
                    cs_text(*members ? members : NULL), cs_text(cs_name_of_topology(it->topology)));
}

static enum cs_status load_datatype(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_datatype *it = (const void *)fact;
    return CS_WRITE(sealing->rows, CS_ROW_DATATYPE, cs_int(sealing->rank), cs_int(it->object),
                    cs_text(cs_name_of_combiner(it->combiner)), cs_int(it->size_bytes), cs_int(it->lower_bound_bytes),
                    cs_int(it->extent_bytes));
}

static enum cs_status load_window(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_window *it = (const void *)fact;
    enum cs_status status = CS_WRITE(sealing->rows, CS_ROW_WINDOW, cs_int(sealing->rank), cs_int(it->object),
                                     cs_int_unless(it->communicator, 0), cs_text(cs_name_of_flavor(it->flavor)),
                                     cs_text(cs_name_of_model(it->model)), cs_int((int64_t)it->base),
                                     cs_int(it->size_bytes), cs_int(it->displacement_unit_bytes));
    return status == CS_OK ? cs_seal_window_detail(sealing, it) : status;
}

static enum cs_status load_commit(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_commit *it = (const void *)fact;
    return CS_WRITE(sealing->rows, CS_ROW_COMMIT, cs_int(sealing->rank), cs_int(it->object));
}

static enum cs_status load_name(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_name *it = (const void *)fact;
    const char *name = cs_fact_string(fact, sizeof *it, 0);
    if (!name)
        return CS_CORRUPT;
    struct cs_value site;
    enum cs_status status = place(sealing, it->site, fact->ticks, &site);
    if (status == CS_OK)
        status = name_object(sealing, it->object, fact->ticks, name, it->origin, 0, site);
    return status;
}

/* The call that freed it, as a cell of the profile. */
static enum cs_status add_call(struct cs_sealing *sealing, const struct cs_fact_freed *it)
{
    int64_t site;
    enum cs_status status = cs_places_find(sealing->places, it->call_site, it->fact.ticks, &site);
    if (status != CS_OK)
        return status;
    const struct cs_profile_cell cell = {.communicator = it->object,
                                         .function = it->function,
                                         .calls = it->calls,
                                         .ticks = it->call_ticks,
                                         .min_ticks = it->call_ticks,
                                         .max_ticks = it->call_ticks};
    return cs_sealing_profile(sealing, &cell, site);
}

static enum cs_status load_freed(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_freed *it = (const void *)fact;
    struct cs_value site;
    enum cs_status status = place(sealing, it->site, fact->ticks, &site);
    if (status == CS_OK && it->calls && it->function)
        status = add_call(sealing, it);
    if (status != CS_OK)
        return status;
    return CS_WRITE(sealing->rows, CS_ROW_OBJECT_FREED, cs_int(sealing->rank), cs_int(it->object),
                    cs_sealing_function(sealing, it->function), site, instant(sealing, fact->ticks));
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
    if (fact->ticks > sealing->seen_ticks)
        sealing->seen_ticks = fact->ticks;
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

/* Derived names that nobody replaced are names that were given, too; known when all facts are. */
enum cs_status cs_seal_facts(struct cs_sealing *sealing)
{
    enum cs_status status = cs_journal_read_facts(sealing->reader, visit_fact, sealing);
    return status == CS_OK ? cs_rows_write(sealing->rows, CS_ROW_DERIVED_NAMES, NULL, 0) : status;
}
