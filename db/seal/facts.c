#include "db/seal/facts.h"

#include <stdlib.h>
#include <string.h>

#include "db/journal/format.h"
#include "db/journal/names.h"
#include "db/journal/reader.h"
#include "db/seal/errors.h"
#include "db/seal/keyvals.h"
#include "db/seal/object_facts.h"
#include "db/seal/sites.h"
#include "db/seal/synchronizations.h"

static struct cs_value instant(struct cs_sealing *sealing, uint64_t ticks)
{
    return cs_int(cs_sealing_instant(sealing, ticks));
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

static enum cs_status load_excluded(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_excluded *it = (const void *)fact;
    int64_t site;
    enum cs_status status = cs_sites_find(sealing->sites, it->site, fact->ticks, &site);
    if (status != CS_OK)
        return status;
    return CS_WRITE(sealing->rows, CS_ROW_EXCLUSION, cs_int(sealing->rank), instant(sealing, fact->ticks),
                    cs_int_unless(it->parent, 0), cs_sealing_function(sealing, it->function),
                    cs_int_unless(it->number, 0), cs_int_unless((int64_t)it->family, 0), cs_int_unless(site, 0));
}

static enum cs_status load_pending(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_pending *it = (const void *)fact;
    int64_t site;
    enum cs_status status = cs_sites_find(sealing->sites, it->site, fact->ticks, &site);
    if (status != CS_OK)
        return status;
    return CS_WRITE(sealing->rows, CS_ROW_PENDING, cs_int(sealing->rank), cs_int(it->object),
                    cs_sealing_function(sealing, it->function), cs_int_unless(site, 0), cs_int(it->requests));
}

static enum cs_status load_placement(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_placement *it = (const void *)fact;
    const char *name = cs_fact_string(fact, sizeof *it, 0);
    const char *allowed = cs_fact_string(fact, sizeof *it, 1);
    const struct cs_value nothing = cs_text(NULL);
    if (!name || !allowed)
        return CS_CORRUPT;
    return CS_WRITE(sealing->rows, CS_ROW_PLACEMENT, cs_int(sealing->rank), instant(sealing, fact->ticks),
                    cs_int(it->thread), cs_text(cs_name_of_reason(it->reason)), cs_text(*name ? name : NULL),
                    cs_int_unless(it->cpu, -1), cs_text(*allowed ? allowed : NULL), nothing, nothing, nothing, nothing);
}

static enum cs_status load_cpu(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_cpu *it = (const void *)fact;
    const char *core_cpus = cs_fact_string(fact, sizeof *it, 0);
    const char *package_cpus = cs_fact_string(fact, sizeof *it, 1);
    if (!core_cpus || !package_cpus)
        return CS_CORRUPT;
    return CS_WRITE(sealing->rows, CS_ROW_PROCESSOR, cs_int(sealing->rank), cs_int(it->cpu),
                    cs_int_unless(it->core, -1), cs_int_unless(it->package, -1), cs_int_unless(it->numa_node, -1),
                    cs_text(*core_cpus ? core_cpus : NULL), cs_text(*package_cpus ? package_cpus : NULL));
}

static enum cs_status load_pcontrol(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_pcontrol *it = (const void *)fact;
    return CS_WRITE(sealing->rows, CS_ROW_PCONTROL, cs_int(sealing->rank), instant(sealing, fact->ticks),
                    cs_int(it->level));
}

static enum cs_status load_stack(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    return cs_sites_stack(sealing->sites, (const void *)fact);
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
    [CS_FACT_OBJECT] = {sizeof(struct cs_fact_object), cs_object_load_object},
    [CS_FACT_COMMUNICATOR] = {sizeof(struct cs_fact_communicator), cs_object_load_communicator},
    [CS_FACT_DATATYPE] = {sizeof(struct cs_fact_datatype), cs_object_load_datatype},
    [CS_FACT_WINDOW] = {sizeof(struct cs_fact_window), cs_object_load_window},
    [CS_FACT_COMMIT] = {sizeof(struct cs_fact_commit), cs_object_load_commit},
    [CS_FACT_NAME] = {sizeof(struct cs_fact_name), cs_object_load_name},
    [CS_FACT_FREED] = {sizeof(struct cs_fact_freed), cs_object_load_freed},
    [CS_FACT_KEYVAL] = {sizeof(struct cs_fact_keyval), cs_keyvals_load},
    [CS_FACT_PLACEMENT] = {sizeof(struct cs_fact_placement), load_placement},
    [CS_FACT_CPU] = {sizeof(struct cs_fact_cpu), load_cpu},
    [CS_FACT_SYNCHRONIZATION] = {sizeof(struct cs_fact_synchronization), cs_synchronizations_load},
    [CS_FACT_PCONTROL] = {sizeof(struct cs_fact_pcontrol), load_pcontrol},
    [CS_FACT_READY] = {sizeof(struct cs_fact_ready), cs_object_load_ready},
    [CS_FACT_STACK] = {sizeof(struct cs_fact_stack), load_stack},
    [CS_FACT_RULE] = {sizeof(struct cs_fact_rule), load_rule},
    [CS_FACT_ERROR] = {sizeof(struct cs_fact_error), cs_errors_load},
    [CS_FACT_EXCLUDED] = {sizeof(struct cs_fact_excluded), load_excluded},
    [CS_FACT_CALLBACKS] = {sizeof(struct cs_fact_callbacks), cs_keyvals_load_callbacks},
    [CS_FACT_HOLDERS] = {sizeof(struct cs_fact_holders), cs_keyvals_load_holders},
    [CS_FACT_REFUSED_NAME] = {sizeof(struct cs_fact_refused_name), cs_object_load_refused_name},
    [CS_FACT_PENDING] = {sizeof(struct cs_fact_pending), load_pending},
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
                                ? cs_sites_module(sealing->sites, (const void *)fact)
                                : CS_CORRUPT;
    if (status == CS_CORRUPT) {
        sealing->damaged = true;
        return CS_OK;
    }
    return status;
}

enum cs_status cs_facts_load(struct cs_sealing *sealing)
{
    enum cs_status status = cs_journal_read_facts(sealing->reader, visit_module, sealing);
    return status == CS_OK ? cs_journal_read_facts(sealing->reader, visit_fact, sealing) : status;
}
