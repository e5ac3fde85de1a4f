#include "db/seal/object_rows.h"

#include <stdlib.h>
#include <string.h>

#include "callsign/debug.h"
#include "db/journal/names.h"
#include "db/journal/reader.h"
#include "db/seal/detail_json.h"
#include "db/seal/objects.h"

/* Goes through the objects, from first to last, for one table. */
struct walk {
    struct cs_sealing *sealing;
    size_t at;
    char *detail; /* of the current row */
    enum cs_status status;
};

/* The next one; NULL: that was the last. */
static const struct cs_object_facts *next_item(struct walk *walk)
{
    return cs_objects_item(walk->sealing->objects, walk->at++);
}

static struct cs_value instant(const struct walk *walk, uint64_t ticks)
{
    return cs_int(cs_sealing_instant(walk->sealing, ticks));
}

static bool next_naming(void *context, struct cs_value *values)
{
    struct walk *walk = context;
    const struct cs_naming *it = cs_objects_naming(walk->sealing->objects, walk->at++);
    if (!it)
        return false;
    CS_SET_ROW(values, cs_int(walk->sealing->rank), cs_int(it->object), instant(walk, it->ticks), cs_text(it->name),
               cs_text(cs_name_of_origin(it->origin)), cs_int_unless(it->rule, 0), cs_int_unless(it->site, 0),
               cs_text(it->error ? cs_name_of_kind(it->kind) : NULL), cs_text(it->error));
    return true;
}

/* Whether it has a derived name that is not among the namings and that nobody replaced. */
static bool is_derived(const struct cs_object_facts *it)
{
    return !it->derived && it->name && it->origin == CALLSIGN_DERIVED && it->birth &&
           it->birth->kind == CALLSIGN_DATATYPE;
}

static bool next_derived(void *context, struct cs_value *values)
{
    struct walk *walk = context;
    const struct cs_object_facts *it;
    while ((it = next_item(walk)) && !is_derived(it))
        ;
    if (!it)
        return false;
    CS_SET_ROW(values, cs_int(walk->sealing->rank), cs_int(it->object), instant(walk, it->birth->fact.ticks),
               cs_text(it->name), cs_text(cs_name_of_origin(it->origin)), cs_text(NULL), cs_text(NULL), cs_text(NULL),
               cs_text(NULL));
    return true;
}

/* What only a birth tells; of a lost one that it was adopted. */
static void set_birth(struct walk *walk, const struct cs_object_facts *facts, struct cs_value *values)
{
    static const struct cs_fact_object lost = {
        .kind = UINT16_MAX, .flags = CS_OBJECT_ADOPTED, .fortran_handle = INT64_MIN};
    const struct cs_fact_object *it = facts->birth ? facts->birth : &lost;
    const char *kind = cs_name_of_kind(it->kind);
    bool known = facts->birth != NULL;
    CS_SET_ROW(values, cs_text(kind ? kind : "unknown"), known ? cs_int((int64_t)it->handle) : cs_text(NULL),
               cs_int_unless(it->fortran_handle, INT64_MIN), cs_int_unless((int64_t)it->uid, 0),
               cs_int_unless((int64_t)it->family, 0), cs_int_unless(it->parent, 0),
               cs_sealing_function(walk->sealing, it->function), cs_int_unless(facts->birth_site, 0),
               known ? instant(walk, it->fact.ticks) : cs_text(NULL), cs_int((it->flags & CS_OBJECT_INTERNAL) != 0),
               cs_int((it->flags & CS_OBJECT_PREDEFINED) != 0), cs_int((it->flags & CS_OBJECT_ADOPTED) != 0));
}

/* The arguments of the call, and what the MPI says of a window. What makes no sense is left out and remembered. */
static enum cs_status set_detail(struct walk *walk, const struct cs_object_facts *facts)
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
    walk->sealing->damaged = true;
    return CS_OK;
}

static bool next_object(void *context, struct cs_value *values)
{
    enum { BIRTH = 2, DETAIL = 14 }; /* columns */
    struct walk *walk = context;
    const struct cs_object_facts *it;
    free(walk->detail);
    walk->detail = NULL;
    while ((it = next_item(walk)) && !it->known)
        ;
    if (!it)
        return false;
    walk->status = set_detail(walk, it);
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
    const struct cs_object_facts *facts;
    while ((facts = next_item(walk)) && !facts->is_communicator)
        ;
    if (!facts)
        return false;
    const struct cs_fact_communicator *it = facts->communicator ? facts->communicator : &unknown;
    const char *members = facts->communicator ? cs_fact_string(&it->fact, sizeof *it, 0) : NULL;
    CS_SET_ROW(values, cs_int(walk->sealing->rank), cs_int(facts->object), cs_int_unless(it->size, -1),
               cs_int_unless(it->rank, -1), cs_int_unless(it->remote_size, -1),
               cs_text(members && *members ? members : NULL), cs_text(cs_name_of_topology(it->topology)),
               facts->ready ? instant(walk, facts->ready_ticks) : cs_text(NULL));
    return true;
}

static bool next_datatype(void *context, struct cs_value *values)
{
    struct walk *walk = context;
    const struct cs_object_facts *facts;
    while ((facts = next_item(walk)) && !facts->datatype && !facts->commits)
        ;
    if (!facts)
        return false;
    const struct cs_fact_datatype *it = facts->datatype;
    struct cs_value nothing = cs_text(NULL);
    CS_SET_ROW(values, cs_int(walk->sealing->rank), cs_int(facts->object),
               it ? cs_text(cs_name_of_combiner(it->combiner)) : nothing, it ? cs_int(it->size_bytes) : nothing,
               it ? cs_int(it->lower_bound_bytes) : nothing, it ? cs_int(it->extent_bytes) : nothing,
               cs_int(facts->commits));
    return true;
}

static bool next_window(void *context, struct cs_value *values)
{
    struct walk *walk = context;
    const struct cs_object_facts *facts;
    while ((facts = next_item(walk)) && !facts->window)
        ;
    if (!facts)
        return false;
    const struct cs_fact_window *it = facts->window;
    CS_SET_ROW(values, cs_int(walk->sealing->rank), cs_int(it->object), cs_int_unless(it->communicator, 0),
               cs_text(cs_name_of_flavor(it->flavor)), cs_text(cs_name_of_model(it->model)), cs_int((int64_t)it->base),
               cs_int(it->size_bytes), cs_int(it->displacement_unit_bytes));
    return true;
}

enum cs_status cs_object_rows_write(struct cs_sealing *sealing)
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
    cs_objects_sort(sealing->objects);
    for (size_t i = 0; i < sizeof tables / sizeof *tables && status == CS_OK; i++) {
        struct walk walk = {.sealing = sealing};
        status = cs_rows_fill(sealing->rows, tables[i].row, tables[i].next, &walk);
        free(walk.detail);
        if (status == CS_OK)
            status = walk.status;
    }
    return status;
}
