#include "cli/top/top_activity.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/hash_table.h"
#include "callsign/debug.h"
#include "db/convert/conversion.h"
#include "db/convert/sites.h"
#include "journal/format.h"
#include "journal/reader.h"
#include "journal_facts.h"

enum {
    LINES_MOST = 65536,     /* of a subject; programs may create communicators without end */
    OBJECTS_MOST = 1 << 24, /* of a process */
    FACTS_SHARE = 50,       /* facts are read in at most this part of the time */
};

/* ---- a process ---- */

struct sums {
    uint64_t calls, bytes, ticks;
};

/* Calls of a function on an object at a call site. */
struct key {
    uint64_t site;
    uint32_t object;
    uint16_t function;
    uint16_t zero;
};

struct entry {
    struct key key;
    bool is_new; /* there is no reading before */
    struct sums now, before;
    uint64_t line[CS_TOP_OBJECT]; /* keys of its lines */
    int64_t site;                 /* number; equal on all ranks */
    UT_hash_handle hh;
};

struct object {
    uint64_t row;      /* key of its line as a communicator, window or file */
    uint64_t creation; /* key of its line as an object; 0: none */
    int64_t site;
    uint16_t kind;
    bool live;
};

/* Live objects of one creation. */
struct holding {
    uint64_t creation;
    uint64_t live, told; /* told: what its line has of them */
    uint32_t object;     /* one of them */
    uint16_t kind;
    int64_t site;
    UT_hash_handle hh;
};

struct cs_top_process {
    struct cs_journal_reader *reader;
    size_t journal;
    struct cs_conversion conversion; /* only for the numbers of call sites */
    struct cs_shared_rows shared;
    uint64_t items;        /* of the header when facts were read */
    double due_ns;         /* when they may be read again */
    struct object *object; /* by birth number */
    size_t objects;
    struct entry *entry;
    struct holding *holding;
    bool read; /* before */
};

struct cs_top_process *cs_top_process_new(struct cs_journal_reader *reader, size_t journal)
{
    struct cs_top_process *process = calloc(1, sizeof *process);
    if (!process)
        return NULL;
    *process = (struct cs_top_process){.reader = reader, .journal = journal};
    return process;
}

static void forget_facts(struct cs_top_process *process)
{
    cs_sites_destroy(process->conversion.sites);
    cs_shared_rows_free(&process->shared);
    process->shared = (struct cs_shared_rows){0};
    process->conversion = (struct cs_conversion){.shared = &process->shared};
    if (process->objects)
        memset(process->object, 0, process->objects * sizeof *process->object);
}

void cs_top_process_free(struct cs_top_process *process)
{
    if (!process)
        return;
    forget_facts(process);
    free(process->object);
    CS_TABLE_FREE(process->entry);
    CS_TABLE_FREE(process->holding);
    free(process);
}

/* ---- facts: where calls come from, and what objects there are ---- */

static struct object *object_of(const struct cs_top_process *process, uint32_t number)
{
    return number && number < process->objects ? &process->object[number] : NULL;
}

static uint64_t key_of_row(uint16_t kind, uint16_t function, int64_t site, const char *name)
{
    uint64_t hash = cs_hash_number(cs_hash_number(CS_HASH_BEGIN, kind), function);
    hash = cs_hash_text(cs_hash_number(hash, (uint64_t)site), name);
    return hash ? hash : 1;
}

static enum cs_status add_object(struct cs_top_process *process, const struct cs_fact_object *fact)
{
    struct object object = {.kind = fact->kind, .live = true};
    if (!fact->object || fact->object >= OBJECTS_MOST)
        return CS_OK;
    if (!cs_array_reach(&process->object, &process->objects, fact->object, sizeof *process->object))
        return CS_NO_MEMORY;
    enum cs_status status = cs_sites_find(process->conversion.sites, fact->site, CS_SITES_COUNTED, &object.site);
    object.row = key_of_row(fact->kind, fact->function, object.site, cs_fact_object_name(fact));
    if (fact->function && !(fact->flags & (CS_OBJECT_INTERNAL | CS_OBJECT_PREDEFINED | CS_OBJECT_ADOPTED)))
        object.creation = key_of_row(fact->kind, fact->function, object.site, "");
    process->object[fact->object] = object;
    return status;
}

static void rename_object(struct cs_top_process *process, const struct cs_fact_name *fact)
{
    struct object *object = object_of(process, fact->object);
    if (object)
        object->row = key_of_row(object->kind, 0, object->site, cs_fact_name_name(fact));
}

static void free_object(struct cs_top_process *process, const struct cs_fact_freed *fact)
{
    struct object *object = object_of(process, fact->object);
    if (object)
        object->live = false;
}

static enum cs_status visit_fact(void *context, const struct cs_fact *fact)
{
    struct cs_top_process *process = context;
    struct cs_sites *sites = process->conversion.sites;
    enum cs_status status = CS_OK;
    switch (fact->type) {
    case CS_FACT_MODULE:
        status = cs_sites_module(sites, (const void *)fact);
        break;
    case CS_FACT_STACK:
        status = cs_sites_stack(sites, (const void *)fact);
        break;
    case CS_FACT_TAIL_CALL:
        status = cs_sites_tail_call(sites, (const void *)fact);
        break;
    case CS_FACT_PYTHON_FRAME:
        status = cs_sites_python_frame(sites, (const void *)fact);
        break;
    case CS_FACT_OBJECT:
        status = add_object(process, (const void *)fact);
        break;
    case CS_FACT_NAME:
        rename_object(process, (const void *)fact);
        break;
    case CS_FACT_FREED:
        free_object(process, (const void *)fact);
        break;
    default:
        break;
    }
    return status == CS_CORRUPT ? CS_OK : status;
}

static enum cs_status count_objects(struct cs_top_process *process)
{
    for (struct holding *it = process->holding; it; it = it->hh.next)
        it->live = 0;
    struct holding *last = NULL;
    for (uint32_t i = 1; i < process->objects; i++) {
        const struct object *object = &process->object[i];
        if (!object->creation || !object->live)
            continue;
        if (!last || last->creation != object->creation)
            HASH_FIND(hh, process->holding, &object->creation, sizeof object->creation, last);
        if (!last) {
            last = calloc(1, sizeof *last);
            if (!last)
                return CS_NO_MEMORY;
            last->creation = object->creation;
            last->kind = object->kind;
            last->site = object->site;
            CS_TABLE_ADD(process->holding, creation, last);
            if (!last)
                return CS_NO_MEMORY;
        }
        last->object = i;
        last->live++;
    }
    return CS_OK;
}

static void find_lines(struct cs_top_process *process, struct entry *entry)
{
    const struct object *object = object_of(process, entry->key.object);
    if (cs_sites_find(process->conversion.sites, entry->key.site, CS_SITES_COUNTED, &entry->site) != CS_OK)
        entry->site = 0;
    entry->line[CS_TOP_COMMUNICATOR] = object ? object->row : 0;
    entry->line[CS_TOP_FUNCTION] = entry->key.function;
    entry->line[CS_TOP_CALL_SITE] = (uint64_t)entry->site;
}

/* Reads all facts anew: they are few in programs that do not create objects all the time. */
static enum cs_status read_facts(struct cs_top_process *process)
{
    double begun = (double)cs_clock_monotonic_ns();
    uint64_t items = cs_journal_read_header(process->reader)->items;
    if (process->conversion.sites && (items == process->items || begun < process->due_ns))
        return CS_OK;
    process->items = items;
    forget_facts(process);
    cs_conversion_begin(&process->conversion, process->reader);
    process->conversion.sites = cs_sites_create(&process->conversion);
    if (!process->conversion.sites)
        return CS_NO_MEMORY;
    enum cs_status status = cs_journal_read_facts(process->reader, visit_fact, process);
    if (status == CS_OK)
        status = count_objects(process);
    for (struct entry *entry = process->entry; entry; entry = entry->hh.next)
        find_lines(process, entry);
    double now = (double)cs_clock_monotonic_ns();
    process->due_ns = now + FACTS_SHARE * (now - begun);
    return status;
}

/* ---- cells ---- */

/* NULL: out of memory. */
static struct entry *entry_of(struct cs_top_process *process, const struct key *key)
{
    struct entry *entry;
    HASH_FIND(hh, process->entry, key, sizeof *key, entry);
    if (entry)
        return entry;
    entry = calloc(1, sizeof *entry);
    if (!entry)
        return NULL;
    entry->key = *key;
    entry->is_new = true;
    find_lines(process, entry);
    CS_TABLE_ADD(process->entry, key, entry);
    return entry;
}

static enum cs_status add_cell(void *context, const void *cell)
{
    struct cs_top_process *process = context;
    const struct cs_profile_cell *profile = cell;
    struct key key = {.site = profile->site, .object = profile->object, .function = profile->function};
    struct entry *entry = entry_of(process, &key);
    if (!entry)
        return CS_NO_MEMORY;
    entry->now.calls += profile->calls;
    entry->now.bytes += profile->sent_bytes + profile->received_bytes;
    entry->now.ticks += profile->ticks;
    return CS_OK;
}

static enum cs_status read_cells(struct cs_top_process *process, const struct cs_top_current *current, size_t currents)
{
    for (struct entry *entry = process->entry; entry; entry = entry->hh.next) {
        entry->is_new = false;
        entry->before = entry->now;
        entry->now = (struct sums){0};
    }
    enum cs_status status = cs_journal_read_cells(process->reader, CS_BLOCK_PROFILE, add_cell, process);
    for (size_t i = 0; status == CS_OK && i < currents; i++) {
        struct key key = {.site = current[i].site, .object = current[i].object, .function = current[i].function};
        struct entry *entry = key.function ? entry_of(process, &key) : NULL;
        if (entry)
            entry->now.ticks += current[i].ticks;
    }
    return status;
}

/* ---- lines ---- */

struct line {
    struct cs_top_line shown;
    struct cs_top_extreme rank; /* the rank that is added now, and its time */
    bool active;                /* in this interval */
    UT_hash_handle hh;
};

struct cs_top_activity {
    struct line *line[CS_TOP_SUBJECTS];
    struct cs_top_filter filter;
    double lived_ns;
};

struct cs_top_activity *cs_top_activity_new(void)
{
    return calloc(1, sizeof(struct cs_top_activity));
}

void cs_top_activity_free(struct cs_top_activity *activity)
{
    if (!activity)
        return;
    for (int i = 0; i < CS_TOP_SUBJECTS; i++) {
        for (struct line *line = activity->line[i]; line; line = line->hh.next)
            free(line->shown.name);
        CS_TABLE_FREE(activity->line[i]);
    }
    free(activity);
}

/* NULL: out of memory, or there are too many. */
static struct line *line_of(struct cs_top_activity *activity, enum cs_top_subject subject, uint64_t key,
                            const struct cs_top_where *where)
{
    struct line *line;
    HASH_FIND(hh, activity->line[subject], &key, sizeof key, line);
    if (!line && HASH_COUNT(activity->line[subject]) < LINES_MOST && (line = calloc(1, sizeof *line))) {
        line->shown = (struct cs_top_line){.key = key, .subject = subject, .where = *where};
        line->rank.rank = INT_MIN;
        CS_TABLE_ADD_UNDER(activity->line[subject], &line->shown.key, sizeof line->shown.key, line);
    }
    return line;
}

void cs_top_activity_filter(struct cs_top_activity *activity, struct cs_top_filter filter)
{
    activity->filter = filter;
}

double cs_top_activity_lived(const struct cs_top_activity *activity)
{
    return activity->lived_ns;
}

void cs_top_activity_begin(struct cs_top_activity *activity)
{
    activity->lived_ns = 0;
    for (int i = 0; i < CS_TOP_SUBJECTS; i++)
        for (struct line *line = activity->line[i]; line; line = line->hh.next) {
            line->shown.ns = 0;
            line->shown.calls = line->shown.bytes = 0;
            line->shown.ranks = 0;
            line->rank.rank = INT_MIN;
            line->active = false;
        }
}

/* Adds the rank that was added last to the extremes. */
static void end_rank(struct line *line)
{
    struct cs_top_line *shown = &line->shown;
    if (line->rank.rank == INT_MIN)
        return;
    if (!shown->ranks || line->rank.ns < shown->least.ns)
        shown->least = line->rank;
    if (!shown->ranks || line->rank.ns > shown->most.ns)
        shown->most = line->rank;
    shown->ranks++;
}

static uint64_t grown(uint64_t before, uint64_t after)
{
    return after > before ? after - before : 0;
}

static void add_entry(struct cs_top_activity *activity, const struct cs_top_process *process, int rank,
                      double ns_per_tick, const struct entry *entry)
{
    const struct object *object = object_of(process, entry->key.object);
    struct cs_top_where where = {process->journal, entry->key.object, entry->site};
    bool counts = !entry->is_new || process->read;
    uint64_t calls = counts ? grown(entry->before.calls, entry->now.calls) : 0;
    double ns = counts ? (double)grown(entry->before.ticks, entry->now.ticks) * ns_per_tick : 0;
    for (int i = 0; i < CS_TOP_OBJECT; i++) {
        bool other = i != CS_TOP_COMMUNICATOR && activity->filter.by_communicator &&
                     entry->line[CS_TOP_COMMUNICATOR] != activity->filter.communicator;
        struct line *line = other ? NULL : line_of(activity, (enum cs_top_subject)i, entry->line[i], &where);
        if (!line)
            continue;
        line->shown.kind = object ? object->kind : 0;
        if (line->rank.rank != rank) {
            end_rank(line);
            line->rank = (struct cs_top_extreme){.rank = rank};
        }
        line->rank.ns += ns;
        line->shown.ns += ns;
        line->shown.calls += calls;
        line->shown.bytes += counts ? grown(entry->before.bytes, entry->now.bytes) : 0;
        line->active |= calls || ns > 0;
    }
}

static void add_holding(struct cs_top_activity *activity, const struct cs_top_process *process, struct holding *holding)
{
    struct cs_top_where where = {process->journal, holding->object, holding->site};
    struct line *line = line_of(activity, CS_TOP_OBJECT, holding->creation, &where);
    if (!line)
        return;
    line->shown.kind = holding->kind;
    line->shown.live += holding->live - holding->told;
    holding->told = holding->live;
}

enum cs_status cs_top_activity_add(struct cs_top_activity *activity, struct cs_top_process *process, int rank,
                                   double lived_ns, double ns_per_tick, const struct cs_top_current *current,
                                   size_t currents)
{
    bool counts = !activity->filter.by_rank || activity->filter.rank == rank;
    enum cs_status status = read_facts(process);
    if (status == CS_OK)
        status = read_cells(process, current, currents);
    if (status != CS_OK)
        return status;
    activity->lived_ns += counts && process->read ? lived_ns : 0;
    for (struct entry *entry = counts ? process->entry : NULL; entry; entry = entry->hh.next)
        add_entry(activity, process, rank, ns_per_tick, entry);
    for (struct holding *holding = process->holding; holding; holding = holding->hh.next)
        add_holding(activity, process, holding);
    process->read = true;
    return CS_OK;
}

void cs_top_activity_end(struct cs_top_activity *activity, struct cs_top_process *process)
{
    for (struct holding *holding = process->holding; holding; holding = holding->hh.next) {
        holding->live = 0;
        add_holding(activity, process, holding);
    }
}

static void remember(struct cs_top_line *line, double value)
{
    memmove(line->history, line->history + 1, sizeof line->history - sizeof *line->history);
    line->history[CS_TOP_HISTORY - 1] = value;
    line->known += line->known < CS_TOP_HISTORY;
}

void cs_top_activity_close(struct cs_top_activity *activity)
{
    double lived_ns = activity->lived_ns;
    for (int i = 0; i < CS_TOP_SUBJECTS; i++)
        for (struct line *line = activity->line[i]; line; line = line->hh.next) {
            end_rank(line);
            remember(&line->shown, i == CS_TOP_OBJECT ? (double)line->shown.live
                                   : lived_ns > 0     ? line->shown.ns / lived_ns
                                                      : 0);
        }
}

static int by_weight(const void *left, const void *right)
{
    const struct cs_top_line *const *a = left, *const *b = right;
    double weight = (*a)->subject == CS_TOP_OBJECT ? (double)(*a)->live - (double)(*b)->live : (*a)->ns - (*b)->ns;
    return weight > 0 ? -1 : weight < 0 ? 1 : cs_compare((*a)->key, (*b)->key);
}

size_t cs_top_activity_lines(struct cs_top_activity *activity, enum cs_top_subject subject, struct cs_top_line **line,
                             size_t most)
{
    struct cs_top_line **all = malloc((HASH_COUNT(activity->line[subject]) + 1) * sizeof *all);
    size_t count = 0;
    for (struct line *it = all ? activity->line[subject] : NULL; it; it = it->hh.next)
        if (subject == CS_TOP_OBJECT ? it->shown.live > 0 : it->active)
            all[count++] = &it->shown;
    if (count)
        qsort(all, count, sizeof *all, by_weight);
    count = count < most ? count : most;
    if (count)
        memcpy(line, all, count * sizeof *line);
    free(all);
    return count;
}
