#include "db/convert/objects.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/number_table.h"
#include "base/utf8.h"
#include "callsign/debug.h"
#include "db/convert/detail_json.h"
#include "db/convert/facts.h"
#include "db/convert/profile_rows.h"
#include "db/convert/sites.h"
#include "journal/datatype_name.h"
#include "journal/reader.h"
#include "journal_facts.h"
#include "journal_words.h"

#define BLOCK_FIRST ((size_t)16 << 10)
#define BLOCK_MOST  ((size_t)1 << 20)

enum { ALIGNMENT = 8 };

/* One object. Facts may come in any order, and for objects whose birth was lost. */
struct object {
    uint32_t object;
    uint32_t commits;
    bool known;           /* has a row in `object` */
    bool is_communicator; /* has a row in `communicator`, even without a fact of its own */
    bool ready;           /* ready_ticks holds */
    bool freed;           /* freed_* hold */
    bool derived;         /* its derived name is among the namings */
    uint16_t freed_function;
    uint32_t origin;                    /* origin of its name */
    const struct cs_fact_object *birth; /* NULL: lost */
    const struct cs_fact_communicator *communicator;
    const struct cs_fact_datatype *datatype;
    const struct cs_fact_window *window;
    const char *name;
    int64_t birth_site, freed_site;
    uint64_t ready_ticks, freed_ticks;
};

/* A name that an object was given, or a refused attempt. */
struct naming {
    uint32_t object, rule;
    uint64_t ticks;
    const char *name;  /* NULL: the MPI refused it */
    const char *error; /* why */
    int64_t site;
    uint32_t origin;
    uint32_t kind; /* kind of object, if refused */
};

/* ---- memory ---- */

/* Memory for many small items that are freed together. {0} is empty. */
struct arena {
    struct arena_block *block;
    size_t used, room; /* bytes of the newest block */
};

struct arena_block {
    struct arena_block *former;
    char data[];
};

static char *next_block(struct arena *arena, size_t bytes)
{
    size_t room = arena->room ? 2 * arena->room : BLOCK_FIRST;
    if (room > BLOCK_MOST)
        room = BLOCK_MOST;
    if (room < bytes)
        room = bytes;
    struct arena_block *block = malloc(sizeof *block + room);
    if (!block)
        return NULL;
    block->former = arena->block;
    arena->block = block;
    arena->room = room;
    arena->used = 0;
    return block->data;
}

/* Copies bytes, aligned for any structure of a journal; NULL: out of memory. */
static void *arena_copy(struct arena *arena, const void *data, size_t bytes)
{
    size_t padded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (padded > arena->room - arena->used && !next_block(arena, padded))
        return NULL;
    char *at = arena->block->data + arena->used;
    arena->used += padded;
    return memcpy(at, data, bytes);
}

static void arena_free(struct arena *arena)
{
    while (arena->block) {
        struct arena_block *former = arena->block->former;
        free(arena->block);
        arena->block = former;
    }
    *arena = (struct arena){0};
}

/* ---- the objects by their numbers ---- */

struct place {
    uint64_t key;
    size_t item;
};

struct cs_objects {
    struct object *item; /* in order of arrival */
    size_t count, room;
    struct cs_number_table places; /* of the items */
    uint64_t factor;               /* random factor of the keys, odd, unknown to the writer of a journal */
    struct naming *naming;
    size_t namings, namings_room;
    struct arena arena;
};

struct cs_objects *cs_objects_create(void)
{
    struct cs_objects *objects = calloc(1, sizeof *objects);
    if (objects)
        objects->factor = (0x9e3779b97f4a7c15u ^ cs_clock_pair().ticks << 20) | 1;
    return objects;
}

void cs_objects_destroy(struct cs_objects *objects)
{
    if (!objects)
        return;
    arena_free(&objects->arena);
    free(objects->item);
    free(objects->places.slot);
    free(objects->naming);
    free(objects);
}

/* Different for each object, and not 0. */
static uint64_t key_of(const struct cs_objects *objects, uint32_t object)
{
    return ((uint64_t)object + 1) * objects->factor;
}

/* The object with this number, or NULL. */
static struct object *find_object(struct cs_objects *objects, uint32_t object)
{
    /* Most facts are about the newest object. */
    if (objects->count && objects->item[objects->count - 1].object == object)
        return &objects->item[objects->count - 1];
    const struct place *found = cs_number_table_find(&objects->places, key_of(objects, object), sizeof *found);
    return found ? &objects->item[found->item] : NULL;
}

/* Finds or adds an object; valid until the next call. NULL: out of memory. */
static struct object *find_or_add_object(struct cs_objects *objects, uint32_t object)
{
    struct object *facts = find_object(objects, object);
    if (facts)
        return facts;
    if (!cs_array_grow(&objects->item, objects->count, &objects->room, sizeof *objects->item))
        return NULL;
    struct place *place = cs_number_table_add(&objects->places, key_of(objects, object), sizeof *place);
    if (!place)
        return NULL;
    place->item = objects->count;
    facts = &objects->item[objects->count++];
    *facts = (struct object){.object = object};
    return facts;
}

/* Copies bytes that live as long as the objects; NULL: out of memory. */
static void *copy_bytes(struct cs_objects *objects, const void *data, size_t bytes)
{
    return arena_copy(&objects->arena, data, bytes);
}

/* Copies a text as UTF-8; NULL: out of memory. */
static const char *copy_text(struct cs_objects *objects, const char *text)
{
    char *converted;
    const char *valid = cs_utf8_of(text, &converted);
    const char *copy = valid ? arena_copy(&objects->arena, valid, strlen(valid) + 1) : NULL;
    free(converted);
    return copy;
}

/* Adds a naming after all others. Returns false without memory. */
static bool add_naming(struct cs_objects *objects, const struct naming *naming)
{
    if (!cs_array_grow(&objects->naming, objects->namings, &objects->namings_room, sizeof *naming))
        return false;
    objects->naming[objects->namings++] = *naming;
    return true;
}

static int by_number(const void *left, const void *right)
{
    return cs_compare(((const struct object *)left)->object, ((const struct object *)right)->object);
}

/* Sorts the objects by number; afterwards find_object no longer works. They arrive sorted, except for those of
 * concurrent threads. */
static void sort_objects(struct cs_objects *objects)
{
    bool sorted = true;
    for (size_t i = 1; i < objects->count && sorted; i++)
        sorted = objects->item[i - 1].object < objects->item[i].object;
    if (!sorted)
        qsort(objects->item, objects->count, sizeof *objects->item, by_number);
    free(objects->places.slot);
    objects->places = (struct cs_number_table){0};
}

/* The object or naming at this index, or NULL at the end. */
static const struct object *item_at(const struct cs_objects *objects, size_t index)
{
    return index < objects->count ? &objects->item[index] : NULL;
}

static const struct naming *naming_at(const struct cs_objects *objects, size_t index)
{
    return index < objects->namings ? &objects->naming[index] : NULL;
}

/* ---- facts: each adds what it says to conversion->objects ---- */

/* Adds the naming and makes it the current name of the object. */
static enum cs_status name_object(struct cs_conversion *conversion, const struct naming *naming)
{
    struct object *facts = find_or_add_object(conversion->objects, naming->object);
    if (!facts || !add_naming(conversion->objects, naming))
        return CS_NO_MEMORY;
    facts->known = true;
    facts->derived = facts->derived || naming->origin == CALLSIGN_DERIVED;
    /* "Dup x", which an MPI invents, says less than the datatype's derived name. */
    bool invented = naming->origin == CALLSIGN_MPI && facts->name && facts->origin == CALLSIGN_DERIVED &&
                    facts->birth && facts->birth->kind == CALLSIGN_DATATYPE;
    if (!invented) {
        facts->name = naming->name;
        facts->origin = naming->origin;
    }
    return CS_OK;
}

/* Copies a fact that is needed again when all facts are known. */
static const void *copy(struct cs_conversion *conversion, const struct cs_fact *fact)
{
    return copy_bytes(conversion->objects, fact, fact->bytes);
}

/* A duplicate has the properties of its parent, which the journal does not repeat. */
static void duplicate(struct cs_conversion *conversion, const struct cs_fact_object *it, struct object *facts)
{
    const struct object *parent = find_object(conversion->objects, it->parent);
    if (!facts->is_communicator && parent)
        facts->communicator = parent->communicator;
    facts->is_communicator = true;
}

/* The current name of an object. */
static const char *name_of(void *objects, uint32_t object)
{
    const struct object *facts = find_object(objects, object);
    return facts ? facts->name : NULL;
}

/* A datatype has a name derived from its creation until another name is set. Derived names of other kinds come as
   facts. */
static enum cs_status derive(struct cs_conversion *conversion, const struct cs_fact_object *it, struct object *facts)
{
    char derived[CS_DATATYPE_NAME_BYTES];
    const struct cs_datatype_name_context names = {name_of, conversion->objects};
    if (facts->name || it->kind != CALLSIGN_DATATYPE ||
        !cs_datatype_name(it->function, it->parent, it + 1, it->detail_bytes, &names, derived))
        return CS_OK;
    facts->name = copy_text(conversion->objects, derived);
    facts->origin = CALLSIGN_DERIVED;
    return facts->name ? CS_OK : CS_NO_MEMORY;
}

enum cs_status cs_load_object(struct cs_conversion *conversion, const struct cs_fact *fact)
{
    const struct cs_fact_object *it = (const void *)fact;
    const char *name = cs_fact_object_name(it);
    struct object *facts = find_or_add_object(conversion->objects, it->object);
    if (!facts)
        return CS_NO_MEMORY;
    enum cs_status status = cs_sites_find(conversion->sites, it->site, fact->ticks, &facts->birth_site);
    if (status == CS_OK)
        status = derive(conversion, it, facts);
    if (status != CS_OK)
        return status;
    if (it->flags & CS_OBJECT_DUPLICATE && it->kind == CALLSIGN_COMMUNICATOR)
        duplicate(conversion, it, facts);
    if ((it->kind == CALLSIGN_WINDOW || it->kind == CALLSIGN_FILE) &&
        cs_profile_rows_set_communicator(conversion->profile, it->object, it->parent) != CS_OK)
        return CS_NO_MEMORY;
    facts->known = true;
    facts->birth = copy_bytes(conversion->objects, it, sizeof *it + it->detail_bytes);
    if (!facts->birth)
        return CS_NO_MEMORY;
    if (!*name)
        return CS_OK;
    const struct naming naming = {.object = it->object,
                                  .rule = it->rule,
                                  .ticks = fact->ticks,
                                  .name = copy_text(conversion->objects, name),
                                  .origin = it->origin};
    return naming.name ? name_object(conversion, &naming) : CS_NO_MEMORY;
}

enum cs_status cs_load_ready(struct cs_conversion *conversion, const struct cs_fact *fact)
{
    struct object *facts =
        find_or_add_object(conversion->objects, ((const struct cs_fact_ready *)(const void *)fact)->object);
    if (!facts)
        return CS_NO_MEMORY;
    facts->is_communicator = facts->ready = true;
    facts->ready_ticks = fact->ticks;
    return CS_OK;
}

enum cs_status cs_load_communicator(struct cs_conversion *conversion, const struct cs_fact *fact)
{
    const struct cs_fact_communicator *it = (const void *)fact;
    struct object *facts = find_or_add_object(conversion->objects, it->object);
    if (!facts || !(facts->communicator = copy(conversion, fact)))
        return CS_NO_MEMORY;
    facts->is_communicator = true;
    return CS_OK;
}

enum cs_status cs_load_datatype(struct cs_conversion *conversion, const struct cs_fact *fact)
{
    struct object *facts =
        find_or_add_object(conversion->objects, ((const struct cs_fact_datatype *)(const void *)fact)->object);
    return facts && (facts->datatype = copy(conversion, fact)) ? CS_OK : CS_NO_MEMORY;
}

enum cs_status cs_load_window(struct cs_conversion *conversion, const struct cs_fact *fact)
{
    struct object *facts =
        find_or_add_object(conversion->objects, ((const struct cs_fact_window *)(const void *)fact)->object);
    return facts && (facts->window = copy(conversion, fact)) ? CS_OK : CS_NO_MEMORY;
}

enum cs_status cs_load_commit(struct cs_conversion *conversion, const struct cs_fact *fact)
{
    struct object *facts =
        find_or_add_object(conversion->objects, ((const struct cs_fact_commit *)(const void *)fact)->object);
    if (!facts)
        return CS_NO_MEMORY;
    facts->commits++;
    return CS_OK;
}

enum cs_status cs_load_name(struct cs_conversion *conversion, const struct cs_fact *fact)
{
    const struct cs_fact_name *it = (const void *)fact;
    struct naming naming = {.object = it->object,
                            .ticks = fact->ticks,
                            .name = copy_text(conversion->objects, cs_fact_name_name(it)),
                            .origin = it->origin};
    enum cs_status status = cs_sites_find(conversion->sites, it->site, fact->ticks, &naming.site);
    if (status != CS_OK)
        return status;
    return naming.name ? name_object(conversion, &naming) : CS_NO_MEMORY;
}

enum cs_status cs_load_refused_name(struct cs_conversion *conversion, const struct cs_fact *fact)
{
    const struct cs_fact_refused_name *it = (const void *)fact;
    const char *why = cs_fact_refused_name_why(it);
    if (!*why)
        return CS_CORRUPT;
    struct naming naming = {.object = it->object,
                            .kind = it->kind,
                            .ticks = fact->ticks,
                            .error = copy_text(conversion->objects, why),
                            .origin = CALLSIGN_PROGRAM};
    enum cs_status status = cs_sites_find(conversion->sites, it->site, fact->ticks, &naming.site);
    if (status != CS_OK)
        return status;
    return naming.error && add_naming(conversion->objects, &naming) ? CS_OK : CS_NO_MEMORY;
}

enum cs_status cs_load_freed(struct cs_conversion *conversion, const struct cs_fact *fact)
{
    const struct cs_fact_freed *it = (const void *)fact;
    struct object *facts = find_or_add_object(conversion->objects, it->object);
    if (!facts)
        return CS_NO_MEMORY;
    facts->known = facts->freed = true;
    facts->freed_function = it->function;
    facts->freed_ticks = fact->ticks;
    enum cs_status status = cs_sites_find(conversion->sites, it->site, fact->ticks, &facts->freed_site);
    return status == CS_OK && it->calls && it->function ? cs_profile_rows_add_free(conversion, it) : status;
}

/* ---- rows ---- */

/* Iterates over the objects, from first to last, for one table. */
struct walk {
    struct cs_conversion *conversion;
    size_t at;
    char *detail; /* detail of the current row */
    enum cs_status status;
};

/* The next item, or NULL at the end. */
static const struct object *next_item(struct walk *walk)
{
    return item_at(walk->conversion->objects, walk->at++);
}

static struct cs_value instant(const struct walk *walk, uint64_t ticks)
{
    return cs_int(cs_conversion_instant(walk->conversion, ticks));
}

static bool next_naming(void *context, void *row)
{
    struct walk *walk = context;
    const struct naming *it = naming_at(walk->conversion->objects, walk->at++);
    if (!it)
        return false;
    *(struct cs_row_naming *)row = (struct cs_row_naming){
        .object = cs_int(it->object),
        .at_ns = instant(walk, it->ticks),
        .name = cs_text(it->name),
        .origin = cs_text(cs_name_of_origin(it->origin)),
        .rule = cs_int_unless(it->rule, 0),
        .site = cs_int_unless(it->site, 0),
        .kind = cs_text(it->error ? cs_name_of_kind(it->kind) : NULL),
        .error = cs_text(it->error),
    };
    return true;
}

/* True if it has a derived name that was never replaced and is not among the namings. */
static bool is_derived(const struct object *it)
{
    return !it->derived && it->name && it->origin == CALLSIGN_DERIVED && it->birth &&
           it->birth->kind == CALLSIGN_DATATYPE;
}

static bool next_derived(void *context, void *row)
{
    struct walk *walk = context;
    const struct object *it;
    while ((it = next_item(walk)) && !is_derived(it))
        ;
    if (!it)
        return false;
    *(struct cs_row_naming *)row = (struct cs_row_naming){
        .object = cs_int(it->object),
        .at_ns = instant(walk, it->birth->fact.ticks),
        .name = cs_text(it->name),
        .origin = cs_text(cs_name_of_origin(it->origin)),
    };
    return true;
}

/* Writes the arguments of the call and the attributes of a window. Invalid items are skipped and remembered. */
static enum cs_status set_detail(struct walk *walk, const struct object *facts)
{
    const struct cs_fact_window *window = facts->window;
    const struct cs_detail_word words[] = {{"flavor", window ? cs_name_of_flavor(window->flavor) : NULL},
                                           {"model", window ? cs_name_of_model(window->model) : NULL}};
    size_t bytes = facts->birth ? facts->birth->detail_bytes : 0;
    if (!bytes && !words[0].word && !words[1].word)
        return CS_OK;
    enum cs_status status = cs_detail_json(bytes ? facts->birth + 1 : NULL, bytes, words, 2, &walk->detail);
    if (status != CS_CORRUPT)
        return status;
    walk->conversion->damaged = true;
    return CS_OK;
}

/* ---- similar objects ---- */

/* The object with this number after sort_objects; NULL: it has no row. */
static const struct object *find_sorted(const struct cs_objects *objects, uint32_t number)
{
    size_t begin = 0, end = objects->count;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (objects->item[middle].object < number)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin < objects->count && objects->item[begin].object == number && objects->item[begin].known
               ? &objects->item[begin]
               : NULL;
}

static bool has_own_name(const struct object *it)
{
    return it->name && *it->name && it->origin != CALLSIGN_DERIVED;
}

static uint64_t add_text(uint64_t hash, const char *text)
{
    return cs_hash_mix(hash, cs_hash_text(CS_HASH_BEGIN, text));
}

/* A name, or nothing, which differs from every name. */
static uint64_t add_name(uint64_t hash, const struct object *it)
{
    return has_own_name(it) ? add_text(hash, it->name) : cs_hash_mix(hash, 0);
}

/* A parent with a derived name is known by its call site instead. */
static uint64_t add_parent(uint64_t hash, const struct object *parent)
{
    if (!parent)
        return cs_hash_mix(hash, 0);
    if (parent->name && parent->origin == CALLSIGN_DERIVED)
        return parent->birth_site ? cs_hash_mix(cs_hash_mix(hash, 1), (uint64_t)parent->birth_site)
                                  : cs_hash_mix(hash, 0);
    return has_own_name(parent) ? add_text(cs_hash_mix(hash, 2), parent->name) : cs_hash_mix(hash, 0);
}

/* Sites and functions have equal numbers on all ranks, so that equal objects have equal hashes. Bit 62 alone is set, so
   that no hash is the object_key of an object without one. */
static struct cs_value similar(const struct cs_objects *objects, const struct object *it,
                               const struct cs_fact_object *birth)
{
    if (birth->kind != CALLSIGN_COMMUNICATOR && birth->kind != CALLSIGN_WINDOW && birth->kind != CALLSIGN_FILE)
        return cs_text(NULL);
    int64_t size = it->is_communicator && it->communicator ? it->communicator->size : -1;
    uint64_t hash = add_name(cs_hash_mix(0, birth->kind), it);
    hash = add_parent(cs_hash_mix(hash, (uint64_t)size), birth->parent ? find_sorted(objects, birth->parent) : NULL);
    hash = cs_hash_mix(cs_hash_mix(hash, birth->function), (uint64_t)it->birth_site);
    return cs_int((int64_t)(hash >> 2 | UINT64_C(1) << 62));
}

static bool next_object(void *context, void *row)
{
    /* For a lost birth: only that the object was adopted is known. */
    static const struct cs_fact_object lost = {
        .kind = UINT16_MAX, .flags = CS_OBJECT_ADOPTED, .fortran_handle = INT64_MIN};
    struct walk *walk = context;
    struct cs_conversion *conversion = walk->conversion;
    const struct object *it;
    free(walk->detail);
    walk->detail = NULL;
    while ((it = next_item(walk)) && !it->known)
        ;
    if (!it)
        return false;
    walk->status = set_detail(walk, it);
    if (walk->status != CS_OK)
        return false;
    const struct cs_fact_object *birth = it->birth ? it->birth : &lost;
    const char *kind = cs_name_of_kind(birth->kind);
    const struct cs_value nothing = cs_text(NULL);
    *(struct cs_row_object *)row = (struct cs_row_object){
        .object = cs_int(it->object),
        .kind = cs_text(kind ? kind : "unknown"),
        .handle = it->birth ? cs_int((int64_t)birth->handle) : nothing,
        .fortran_handle = cs_int_unless(birth->fortran_handle, INT64_MIN),
        .name = cs_text(it->name),
        .name_origin = cs_text(it->name ? cs_name_of_origin(it->origin) : NULL),
        .uid = cs_int_unless((int64_t)birth->uid, 0),
        .family = cs_int_unless((int64_t)birth->family, 0),
        .similar = similar(conversion->objects, it, birth),
        .parent = cs_int_unless(birth->parent, 0),
        .function = cs_conversion_function(conversion, birth->function),
        .site = cs_int_unless(it->birth_site, 0),
        .created_ns = it->birth ? instant(walk, birth->fact.ticks) : nothing,
        .internal = cs_int((birth->flags & CS_OBJECT_INTERNAL) != 0),
        .predefined = cs_int((birth->flags & CS_OBJECT_PREDEFINED) != 0),
        .adopted = cs_int((birth->flags & CS_OBJECT_ADOPTED) != 0),
        .freed_function = it->freed ? cs_conversion_function(conversion, it->freed_function) : nothing,
        .freed_site = cs_int_unless(it->freed_site, 0),
        .freed_ns = it->freed ? instant(walk, it->freed_ticks) : nothing,
        .detail = cs_text(walk->detail),
    };
    return true;
}

static bool next_communicator(void *context, void *row)
{
    struct walk *walk = context;
    struct cs_row_communicator *made = row;
    const struct object *object;
    while ((object = next_item(walk)) && !object->is_communicator)
        ;
    if (!object)
        return false;
    *made = object->communicator ? cs_row_of_communicator(walk->conversion, object->communicator)
                                 : (struct cs_row_communicator){0};
    made->object = cs_int(object->object); /* the fact may be that of the original of a duplicate */
    if (object->ready)
        made->ready_ns = instant(walk, object->ready_ticks);
    return true;
}

static bool next_datatype(void *context, void *row)
{
    struct walk *walk = context;
    struct cs_row_datatype *made = row;
    const struct object *object;
    while ((object = next_item(walk)) && !object->datatype && !object->commits)
        ;
    if (!object)
        return false;
    *made = object->datatype ? cs_row_of_datatype(walk->conversion, object->datatype)
                             : (struct cs_row_datatype){.object = cs_int(object->object)};
    made->commits = cs_int(object->commits);
    return true;
}

static bool next_window(void *context, void *row)
{
    struct walk *walk = context;
    const struct object *object;
    while ((object = next_item(walk)) && !object->window)
        ;
    if (object)
        *(struct cs_row_window *)row = cs_row_of_window(walk->conversion, object->window);
    return object;
}

enum cs_status cs_objects_write(struct cs_conversion *conversion)
{
    static const struct {
        enum cs_row row;
        cs_trace_next_row *next;
    } tables[] = {
        {CS_ROW_naming, next_naming},     {CS_ROW_naming, next_derived},
        {CS_ROW_object, next_object},     {CS_ROW_communicator, next_communicator},
        {CS_ROW_datatype, next_datatype}, {CS_ROW_window, next_window},
    };
    enum cs_status status = CS_OK;
    sort_objects(conversion->objects);
    for (size_t i = 0; i < sizeof tables / sizeof *tables && status == CS_OK; i++) {
        struct walk walk = {.conversion = conversion};
        status = cs_trace_fill(conversion->rows, tables[i].row, tables[i].next, &walk);
        free(walk.detail);
        if (status == CS_OK)
            status = walk.status;
    }
    return status;
}
