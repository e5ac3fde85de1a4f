#include "record/naming.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "base/launched.h"
#include "base/log.h"
#include "base/path.h"
#include "base/rules/file.h"
#include "base/rules/placeholder.h"
#include "base/settings.h"
#include "callsign/debug.h"
#include "db/journal/names.h"
#include "record/private_library.h"
#include "record/module.h"
#include "record/recorder.h"
#include "record/stack.h"
#include "record/thread.h"

enum {
    PLACES_MAX = 1 << 17,    /* remembered; more are looked at anew each time */
    NEEDED_BYTES = 96 << 10, /* of stack, for elfutils */
};

/* What makes objects: one function, one kind, one place. Hashed as raw bytes. */
struct key {
    uint64_t site;
    uint64_t function; /* address of its name */
    uint32_t kind;
    uint32_t replaced; /* see cs_module_replaced: what lay at an address may be other code later */
};
static_assert(sizeof(struct key) == 24, "no padding: hashed as raw bytes");

struct place {
    UT_hash_handle hh;
    struct key key;
    size_t rule;   /* the first whose conditions on the place hold */
    char *library; /* NULL: none */
    struct cs_source *source;
    bool looked; /* for the source */
};

uint32_t cs_naming_kinds;

static struct cs_rules *rules;
static cs_resolve_function *resolve;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct place *places;

void cs_naming_use(cs_resolve_function *resolver)
{
    resolve = resolver;
}

/* ---- the rules ---- */

static void open_resolver(void)
{
    if (resolve || !rules->needs_source)
        return;
    *(void **)&resolve = cs_private_library_open("libcallsign-resolve.so", "callsign_resolve");
    if (!resolve)
        cs_log("naming rules with caller= or at= match nothing: %s", dlerror());
}

static void tell_rules(void)
{
    for (size_t i = 0; i < rules->count; i++) {
        struct cs_fact_rule fact = {.rule = rules->rule[i].line};
        cs_journal_append(cs_recorder.journal, CS_FACT_RULE, &fact.fact, sizeof fact,
                          (const char *const[]){rules->rule[i].text}, 1);
    }
}

void cs_naming_start(void)
{
    static const struct cs_rules_options options = {.kind_name = cs_name_of_kind,
                                                    .usual_kinds = 1u << CALLSIGN_COMMUNICATOR |
                                                                   1u << CALLSIGN_DATATYPE | 1u << CALLSIGN_WINDOW};
    const char *path = cs_setting_text(CS_SETTING_NAMES);
    size_t mistakes;
    if (!*path || cs_rules_load(path, &options, cs_launched_rank() > 0, &rules, &mistakes) != CS_OK)
        return;
    tell_rules();
    open_resolver();
    cs_naming_kinds = rules->kinds;
}

/* ---- places ---- */

static struct place *place_new(const struct key *key)
{
    struct place *place = calloc(1, sizeof *place);
    struct cs_module_about *about = malloc(sizeof *about);
    uint64_t maker = cs_stack_maker(key->site);
    if (place && about && maker && cs_module_describe(maker, about))
        place->library = strdup(cs_path_name(about->path));
    if (place)
        place->key = *key;
    free(about);
    return place;
}

static void place_free(struct place *place)
{
    free(place->library);
    free(place->source);
    free(place);
}

/* Threads and signal handlers with little stack do without: elfutils would overrun it. */
static const struct cs_source *source_of(void *context)
{
    struct place *place = context;
    uint64_t maker = cs_stack_maker(place->key.site);
    if (place->looked || !resolve || !maker)
        return place->source;
    struct cs_thread *thread = cs_thread_self;
    if (thread && !cs_stack_has_room(thread, NEEDED_BYTES))
        return NULL;
    struct cs_module_about *about = malloc(sizeof *about);
    struct cs_source *source = malloc(sizeof *source);
    if (about && source && cs_module_describe(maker, about) &&
        resolve(about->path, about->build_id, (int64_t)(maker - about->base), source)) {
        place->source = source;
        source = NULL;
    }
    place->looked = about != NULL;
    free(source);
    free(about);
    return place->source;
}

static struct cs_rules_site site_of(struct place *place)
{
    return (struct cs_rules_site){.kind = place->key.kind,
                                  .function = (const char *)(uintptr_t)place->key.function,
                                  .library = place->library,
                                  .source = source_of,
                                  .context = place};
}

/* The place with what it has to do with rules; *kept: it stays after this call. NULL without memory. */
static struct place *place_of(const struct key *key, bool *kept)
{
    struct place *place = NULL;
    HASH_FIND(hh, places, key, sizeof *key, place);
    *kept = place != NULL;
    if (place)
        return place;
    place = place_new(key);
    if (!place)
        return NULL;
    const struct cs_rules_site site = site_of(place);
    place->rule = cs_rules_next(rules, 0, &site);
    if (HASH_COUNT(places) < PLACES_MAX) {
        HASH_ADD(hh, places, key, sizeof place->key, place);
        *kept = place->hh.tbl != NULL;
    }
    return place;
}

/* The rule for this object, and its name. */
static uint32_t name_by_rule(struct place *place, const struct cs_newborn *newborn, char *name, size_t size)
{
    const struct cs_rules_site site = site_of(place);
    const struct cs_rules_values values = {.parent = newborn->parent,
                                           .color = newborn->color,
                                           .key = newborn->key,
                                           .rank = newborn->rank,
                                           .first = newborn->first,
                                           .nth = newborn->nth};
    size_t rule = place->rule, count = rules->count;
    while (rule < count && !cs_rule_takes_parent(&rules->rule[rule], newborn->parent))
        rule = cs_rules_next(rules, rule + 1, &site);
    if (rule == count)
        return 0;
    cs_rule_write_name(&rules->rule[rule], &site, &values, name, size);
    return rules->rule[rule].line;
}

uint32_t cs_naming_rule(const struct cs_newborn *newborn, char *name, size_t size)
{
    if (!cs_naming_wants(newborn->kind))
        return 0;
    const struct key key = {.site = newborn->site,
                            .function = (uint64_t)(uintptr_t)newborn->function,
                            .kind = newborn->kind,
                            /* Stacks of replaced code have numbers of their own. */
                            .replaced = newborn->site & CS_SITE_STACK ? 0 : cs_module_replaced()};
    bool kept;
    uint32_t line = 0;
    pthread_mutex_lock(&lock);
    struct place *place = place_of(&key, &kept);
    if (place)
        line = name_by_rule(place, newborn, name, size);
    if (place && !kept)
        place_free(place);
    pthread_mutex_unlock(&lock);
    return line;
}

void cs_naming_forget(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
