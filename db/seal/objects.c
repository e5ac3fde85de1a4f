#include "db/seal/objects.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "callsign/debug.h"
#include "db/seal/arena.h"
#include "db/journal/names.h"
#include "db/seal/load.h"
#include "base/utf8.h"

#define SLOTS_FIRST 256u

struct cs_objects {
    struct cs_made *made; /* in the order in which they were met */
    size_t count, room;
    uint32_t *slot; /* by number: 1 + index into made; 0: free. A power of two, at most half full */
    size_t slots;
    uint64_t factor; /* of the hash; nobody knows it when he writes a journal */
    struct cs_named *named;
    size_t names, names_room;
    struct cs_arena arena;
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
    cs_arena_free(&objects->arena);
    free(objects->made);
    free(objects->slot);
    free(objects->named);
    free(objects);
}

/* ---- by number ---- */

/* The slot where the number is or would be. */
static uint32_t *slot_of(const struct cs_objects *objects, uint32_t object)
{
    size_t at = (size_t)(object * objects->factor >> 32) & (objects->slots - 1);
    while (objects->slot[at] && objects->made[objects->slot[at] - 1].object != object)
        at = (at + 1) & (objects->slots - 1);
    return &objects->slot[at];
}

static bool grow_slots(struct cs_objects *objects)
{
    if (2 * objects->count < objects->slots)
        return true;
    size_t slots = objects->slots ? 2 * objects->slots : SLOTS_FIRST;
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!slot)
        return false;
    free(objects->slot);
    objects->slot = slot;
    objects->slots = slots;
    for (size_t i = 0; i < objects->count; i++)
        *slot_of(objects, objects->made[i].object) = (uint32_t)i + 1;
    return true;
}

struct cs_made *cs_objects_find(struct cs_objects *objects, uint32_t object)
{
    /* Most facts are about the newest one. */
    if (objects->count && objects->made[objects->count - 1].object == object)
        return &objects->made[objects->count - 1];
    uint32_t found = objects->slots ? *slot_of(objects, object) : 0;
    return found ? &objects->made[found - 1] : NULL;
}

struct cs_made *cs_objects_at(struct cs_objects *objects, uint32_t object)
{
    struct cs_made *made = cs_objects_find(objects, object);
    if (made)
        return made;
    if (objects->count >= UINT32_MAX - 1 || !grow_slots(objects) ||
        !cs_sealing_grow(&objects->made, objects->count, &objects->room, sizeof *objects->made))
        return NULL;
    made = &objects->made[objects->count++];
    *made = (struct cs_made){.object = object};
    *slot_of(objects, object) = (uint32_t)objects->count;
    return made;
}

void *cs_objects_keep(struct cs_objects *objects, const void *data, size_t bytes)
{
    return cs_arena_copy(&objects->arena, data, bytes);
}

const char *cs_objects_keep_text(struct cs_objects *objects, const char *text)
{
    if (cs_utf8_valid(text))
        return cs_arena_copy(&objects->arena, text, strlen(text) + 1);
    char *converted = cs_utf8_from_latin1(text);
    const char *kept = converted ? cs_arena_copy(&objects->arena, converted, strlen(converted) + 1) : NULL;
    free(converted);
    return kept;
}

bool cs_objects_name(struct cs_objects *objects, const struct cs_named *named)
{
    if (!cs_sealing_grow(&objects->named, objects->names, &objects->names_room, sizeof *named))
        return false;
    objects->named[objects->names++] = *named;
    return true;
}

/* ---- rows ---- */

/* Goes through the objects, from first to last, for one table. */
struct walk {
    struct cs_objects *objects;
    struct cs_sealing *sealing;
    size_t at;
    char *detail; /* of the current row */
    enum cs_status status;
};

static struct cs_value instant(const struct walk *walk, uint64_t ticks)
{
    return cs_int(cs_sealing_instant(walk->sealing, ticks));
}

static bool next_naming(void *context, struct cs_value *values)
{
    struct walk *walk = context;
    if (walk->at >= walk->objects->names)
        return false;
    const struct cs_named *it = &walk->objects->named[walk->at++];
    CS_SET_ROW(values, cs_int(walk->sealing->rank), cs_int(it->object), instant(walk, it->ticks), cs_text(it->name),
               cs_text(cs_name_of_origin(it->origin)), cs_int_unless(it->rule, 0), cs_int_unless(it->site, 0));
    return true;
}

/* Derived names of datatypes that nobody replaced are names that were given, too. */
static bool next_derived(void *context, struct cs_value *values)
{
    struct walk *walk = context;
    while (walk->at < walk->objects->count) {
        const struct cs_made *it = &walk->objects->made[walk->at++];
        if (it->derived || !it->name || it->origin != CALLSIGN_DERIVED || !it->born ||
            it->born->kind != CALLSIGN_DATATYPE)
            continue;
        CS_SET_ROW(values, cs_int(walk->sealing->rank), cs_int(it->object), instant(walk, it->born->fact.ticks),
                   cs_text(it->name), cs_text(cs_name_of_origin(it->origin)), cs_text(NULL), cs_text(NULL));
        return true;
    }
    return false;
}

/* What only a birth tells; of a lost one that it was adopted. */
static void set_birth(struct walk *walk, const struct cs_made *made, struct cs_value *values)
{
    static const struct cs_fact_object lost = {
        .kind = UINT16_MAX, .flags = CS_OBJECT_ADOPTED, .fortran_handle = INT64_MIN};
    const struct cs_fact_object *it = made->born ? made->born : &lost;
    const char *kind = cs_name_of_kind(it->kind);
    bool known = made->born != NULL;
    CS_SET_ROW(values, cs_text(kind ? kind : "unknown"), known ? cs_int((int64_t)it->handle) : cs_text(NULL),
               cs_int_unless(it->fortran_handle, INT64_MIN), cs_int_unless((int64_t)it->uid, 0),
               cs_int_unless((int64_t)it->family, 0), cs_int_unless(it->parent, 0),
               cs_sealing_function(walk->sealing, it->function), cs_int_unless(made->born_site, 0),
               known ? instant(walk, it->fact.ticks) : cs_text(NULL), cs_int((it->flags & CS_OBJECT_INTERNAL) != 0),
               cs_int((it->flags & CS_OBJECT_PREDEFINED) != 0), cs_int((it->flags & CS_OBJECT_ADOPTED) != 0));
}

static bool next_object(void *context, struct cs_value *values)
{
    enum { BIRTH = 2, DETAIL = 14 }; /* columns */
    struct walk *walk = context;
    free(walk->detail);
    walk->detail = NULL;
    while (walk->at < walk->objects->count && !walk->objects->made[walk->at].told)
        walk->at++;
    if (walk->at >= walk->objects->count)
        return false;
    const struct cs_made *it = &walk->objects->made[walk->at++];
    walk->status = cs_seal_detail(walk->sealing, it, &walk->detail);
    if (walk->status != CS_OK)
        return false;
    CS_SET_ROW(values, cs_int(walk->sealing->rank), cs_int(it->object));
    set_birth(walk, it, values + BIRTH);
    CS_SET_ROW(values + DETAIL, cs_text(walk->detail), cs_text(it->name),
               cs_text(it->name ? cs_name_of_origin(it->origin) : NULL),
               it->freed ? cs_sealing_function(walk->sealing, it->freed_function) : cs_text(NULL),
               cs_int_unless(it->freed_site, 0), it->freed ? instant(walk, it->freed_ticks) : cs_text(NULL));
    return true;
}

static bool next_communicator(void *context, struct cs_value *values)
{
    static const struct cs_fact_communicator unknown = {.size = -1, .rank = -1, .remote_size = -1, .topology = -1};
    struct walk *walk = context;
    while (walk->at < walk->objects->count && !walk->objects->made[walk->at].is_communicator)
        walk->at++;
    if (walk->at >= walk->objects->count)
        return false;
    const struct cs_made *made = &walk->objects->made[walk->at++];
    const struct cs_fact_communicator *it = made->communicator ? made->communicator : &unknown;
    const char *members = made->communicator ? cs_fact_string(&it->fact, sizeof *it, 0) : NULL;
    CS_SET_ROW(values, cs_int(walk->sealing->rank), cs_int(made->object), cs_int_unless(it->size, -1),
               cs_int_unless(it->rank, -1), cs_int_unless(it->remote_size, -1),
               cs_text(members && *members ? members : NULL), cs_text(cs_name_of_topology(it->topology)),
               made->ready ? instant(walk, made->ready_ticks) : cs_text(NULL));
    return true;
}

static bool next_datatype(void *context, struct cs_value *values)
{
    struct walk *walk = context;
    while (walk->at < walk->objects->count && !walk->objects->made[walk->at].datatype &&
           !walk->objects->made[walk->at].commits)
        walk->at++;
    if (walk->at >= walk->objects->count)
        return false;
    const struct cs_made *made = &walk->objects->made[walk->at++];
    const struct cs_fact_datatype *it = made->datatype;
    struct cs_value nothing = cs_text(NULL);
    CS_SET_ROW(values, cs_int(walk->sealing->rank), cs_int(made->object),
               it ? cs_text(cs_name_of_combiner(it->combiner)) : nothing, it ? cs_int(it->size_bytes) : nothing,
               it ? cs_int(it->lower_bound_bytes) : nothing, it ? cs_int(it->extent_bytes) : nothing,
               cs_int(made->commits));
    return true;
}

static bool next_window(void *context, struct cs_value *values)
{
    struct walk *walk = context;
    while (walk->at < walk->objects->count && !walk->objects->made[walk->at].window)
        walk->at++;
    if (walk->at >= walk->objects->count)
        return false;
    const struct cs_fact_window *it = walk->objects->made[walk->at++].window;
    CS_SET_ROW(values, cs_int(walk->sealing->rank), cs_int(it->object), cs_int_unless(it->communicator, 0),
               cs_text(cs_name_of_flavor(it->flavor)), cs_text(cs_name_of_model(it->model)), cs_int((int64_t)it->base),
               cs_int(it->size_bytes), cs_int(it->displacement_unit_bytes));
    return true;
}

static int by_number(const void *left, const void *right)
{
    uint32_t a = ((const struct cs_made *)left)->object, b = ((const struct cs_made *)right)->object;
    return a < b ? -1 : a > b;
}

/* They are met in the order of their numbers, but for what threads do at the same time. From now on none is looked for.
 */
static void sort(struct cs_objects *objects)
{
    bool sorted = true;
    for (size_t i = 1; i < objects->count && sorted; i++)
        sorted = objects->made[i - 1].object < objects->made[i].object;
    if (!sorted)
        qsort(objects->made, objects->count, sizeof *objects->made, by_number);
    free(objects->slot);
    objects->slot = NULL;
    objects->slots = 0;
}

enum cs_status cs_objects_write(struct cs_objects *objects, struct cs_sealing *sealing)
{
    static const struct {
        enum cs_row row;
        cs_rows_next *next;
    } tables[] = {
        {CS_ROW_NAMING, next_naming},     {CS_ROW_NAMING, next_derived},
        {CS_ROW_OBJECT, next_object},     {CS_ROW_COMMUNICATOR, next_communicator},
        {CS_ROW_DATATYPE, next_datatype}, {CS_ROW_WINDOW, next_window},
    };
    enum cs_status status = CS_OK;
    sort(objects);
    for (size_t i = 0; i < sizeof tables / sizeof *tables && status == CS_OK; i++) {
        struct walk walk = {.objects = objects, .sealing = sealing};
        status = cs_rows_fill(sealing->rows, tables[i].row, tables[i].next, &walk);
        free(walk.detail);
        if (status == CS_OK)
            status = walk.status;
    }
    return status;
}
