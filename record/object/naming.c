#include "record/object/naming.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/launched.h"
#include "base/log.h"
#include "base/path.h"
#include "base/rules_parser.h"
#include "base/settings.h"
#include "base/symbols/signature.h"
#include "base/uncancelled.h"
#include "callsign/debug.h"
#include "journal_words.h"
#include "record/process/recorder.h"
#include "record/process/thread.h"
#include "record/site/module.h"
#include "record/site/private_library.h"
#include "record/site/stack.h"
#include "record/site/tail_call.h"

enum {
    KNOWN_MAX = 1 << 17,     /* limit of remembered sites; others are computed each time */
    NEEDED_BYTES = 96 << 10, /* stack that elfutils needs */
};

/* The origin of objects: function, kind, call site. Hashed as raw bytes. */
struct key {
    uint64_t site;
    uint64_t function; /* address of the function's name */
    uint32_t kind;
    uint32_t replaced; /* see cs_module_count_replaced: the code at an address may change */
};
static_assert(sizeof(struct key) == 24, "no padding: hashed as raw bytes");

struct known {
    UT_hash_handle hh;
    struct key key;
    size_t rule;   /* first rule whose conditions on the call site hold */
    char *library; /* NULL: none */
    struct cs_source *source;
    bool looked; /* for the source */
};

uint32_t cs_naming_kinds;

static struct cs_rules *rules;
static cs_resolve_function *resolve;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct known *known_sites;

void cs_naming_set_resolver(cs_resolve_function *resolver)
{
    resolve = resolver;
}

/* ---- the rules ---- */

static void open_resolver(void)
{
    if (resolve || !rules->needs_source)
        return;
    const char *why;
    *(void **)&resolve = cs_private_library_open("libcallsign-resolve.so", "callsign_resolve", &why);
    if (!resolve)
        cs_log("naming rules with caller= or at= match nothing: %s", why);
}

static void tell_rules(void)
{
    for (size_t i = 0; i < rules->count; i++) {
        struct cs_fact_rule fact = {.rule = rules->rule[i].line};
        cs_journal_append_texts(cs_recorder.journal, CS_FACT_RULE, &fact.fact, sizeof fact,
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

/* ---- what depends on the call site alone, remembered ---- */

static struct known *known_new(const struct key *key)
{
    struct known *known = calloc(1, sizeof *known);
    struct cs_module_about *about = malloc(sizeof *about);
    uint64_t maker = cs_stack_maker(key->site);
    if (known && about && maker && cs_module_describe(maker, about))
        known->library = strdup(cs_path_name(about->path));
    if (known)
        known->key = *key;
    free(about);
    return known;
}

static void known_free(struct known *known)
{
    free(known->library);
    free(known->source);
    free(known);
}

/* Which of the tail calls of a function it was is not known. */
static void forget_line(struct cs_source *source)
{
    char *note = strstr(source->function, CS_TAIL_CALL);
    if (!note)
        return;
    *note = '\0';
    source->line = 0;
}

/* Threads and signal handlers with little stack do without: elfutils would overrun it. */
static const struct cs_source *source_of(void *context)
{
    struct known *known = context;
    uint64_t maker = cs_stack_maker(known->key.site);
    if (known->looked || !resolve || !maker)
        return known->source;
    uint64_t left = maker == cs_stack_pc(known->key.site) ? cs_tail_call_find(maker) : 0;
    uint64_t address = left ? left + CS_TAIL_CALL_OFFSET : maker;
    struct cs_thread *thread = cs_thread_self;
    if (thread && !cs_stack_has_room(thread, NEEDED_BYTES))
        return NULL;
    struct cs_module_about *about = malloc(sizeof *about);
    struct cs_source *source = malloc(sizeof *source);
    if (about && source && cs_module_describe(address, about) &&
        resolve(about->path, about->build_id, (int64_t)(address - about->base), source)) {
        forget_line(source);
        known->source = source;
        source = NULL;
    }
    known->looked = about != NULL;
    free(source);
    free(about);
    return known->source;
}

static struct cs_rules_site site_of(struct known *known)
{
    return (struct cs_rules_site){.kind = known->key.kind,
                                  .function = (const char *)(uintptr_t)known->key.function,
                                  .library = known->library,
                                  .source = source_of,
                                  .context = known};
}

/* Facts about the call site, computed at their first use; *remembered: it stays after this call. NULL without
 * memory. */
static struct known *known_of(const struct key *key, bool *remembered)
{
    struct known *known = NULL;
    HASH_FIND(hh, known_sites, key, sizeof *key, known);
    *remembered = known != NULL;
    if (known)
        return known;
    known = known_new(key);
    if (!known)
        return NULL;
    const struct cs_rules_site site = site_of(known);
    known->rule = cs_rules_next(rules, 0, &site);
    if (HASH_COUNT(known_sites) < KNOWN_MAX) {
        HASH_ADD(hh, known_sites, key, sizeof known->key, known);
        *remembered = known->hh.tbl != NULL;
    }
    return known;
}

/* Finds the rule for this object and writes its name. */
static uint32_t name_by_rule(struct known *known, const struct cs_newborn *newborn, char *name, size_t size)
{
    const struct cs_rules_site site = site_of(known);
    const struct cs_rules_values values = {.parent = newborn->parent,
                                           .color = newborn->color,
                                           .key = newborn->key,
                                           .rank = newborn->rank,
                                           .first = newborn->first,
                                           .nth = newborn->nth};
    size_t rule = known->rule, count = rules->count;
    while (rule < count && !cs_rule_takes_parent(&rules->rule[rule], newborn->parent))
        rule = cs_rules_next(rules, rule + 1, &site);
    if (rule == count)
        return 0;
    cs_rule_write_name(&rules->rule[rule], &site, &values, name, size);
    return rules->rule[rule].line;
}

uint32_t cs_naming_write_name(const struct cs_newborn *newborn, char *name, size_t size)
{
    CS_UNCANCELLED;
    if (!cs_naming_applies_to(newborn->kind))
        return 0;
    const struct key key = {.site = newborn->site,
                            .function = (uint64_t)(uintptr_t)newborn->function,
                            .kind = newborn->kind,
                            /* Stacks of replaced code have other numbers. */
                            .replaced = newborn->site & CS_SITE_STACK ? 0 : cs_module_count_replaced()};
    bool remembered;
    uint32_t line = 0;
    pthread_mutex_lock(&lock);
    struct known *known = known_of(&key, &remembered);
    if (known)
        line = name_by_rule(known, newborn, name, size);
    if (known && !remembered)
        known_free(known);
    pthread_mutex_unlock(&lock);
    return line;
}

void cs_naming_forget(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
