#include "db/seal/load.h"

#include <stdlib.h>
#include <string.h>

#include "db/journal/names.h"

bool cs_sealing_grow(void *array, size_t count, size_t *room, size_t bytes)
{
    if (count < *room)
        return true;
    size_t wanted = *room ? 2 * *room : 64;
    void *grown = realloc(*(void **)array, wanted * bytes);
    if (!grown)
        return false;
    *(void **)array = grown;
    *room = wanted;
    return true;
}

static int compare(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

/* ---- windows and files ---- */

static int by_object(const void *left, const void *right)
{
    return compare(((const struct cs_home *)left)->object, ((const struct cs_home *)right)->object);
}

enum cs_status cs_sealing_home(struct cs_sealing *sealing, uint32_t object, uint32_t communicator)
{
    if (!cs_sealing_grow(&sealing->home, sealing->homes, &sealing->homes_room, sizeof *sealing->home))
        return CS_NO_MEMORY;
    sealing->home[sealing->homes++] = (struct cs_home){object, communicator};
    return CS_OK;
}

static uint32_t communicator_of(const struct cs_sealing *sealing, uint32_t object)
{
    const struct cs_home *home = sealing->homes ? bsearch(&(struct cs_home){.object = object}, sealing->home,
                                                          sealing->homes, sizeof *sealing->home, by_object)
                                                : NULL;
    return home ? home->communicator : object;
}

/* ---- profile ---- */

/* By the table's key. */
static int compare_lines(const void *left, const void *right)
{
    const struct cs_profile_line *a = left, *b = right;
    int order = compare(a->communicator, b->communicator);
    if (!order)
        order = compare(a->cell.object, b->cell.object);
    if (!order)
        order = compare(a->cell.function, b->cell.function);
    if (!order)
        order = compare(a->site, b->site);
    return order ? order : compare(a->cell.size_class, b->cell.size_class);
}

/* Whether its numbers can be. */
static bool is_sane(struct cs_sealing *sealing, const struct cs_profile_cell *cell)
{
    struct cs_sums sums = sealing->sums;
    if (!cs_sealing_add(sealing, &sums.calls, cell->calls) ||
        !cs_sealing_add_span(sealing, &sums.time_ns, cell->ticks) ||
        !cs_sealing_add(sealing, &sums.sent_bytes, cell->sent_bytes) ||
        !cs_sealing_add(sealing, &sums.received_bytes, cell->received_bytes))
        return false;
    sealing->sums = sums;
    return true;
}

enum cs_status cs_sealing_profile(struct cs_sealing *sealing, const struct cs_profile_cell *cell, uint32_t communicator,
                                  int64_t site)
{
    if (!is_sane(sealing, cell))
        return CS_OK;
    if (!cs_sealing_grow(&sealing->line, sealing->lines, &sealing->lines_room, sizeof *sealing->line))
        return CS_NO_MEMORY;
    sealing->line[sealing->lines++] = (struct cs_profile_line){site, communicator, *cell};
    return CS_OK;
}

static enum cs_status visit_profile(void *context, const void *visited)
{
    struct cs_sealing *sealing = context;
    const struct cs_profile_cell *cell = visited;
    if (!cell->function)
        return CS_OK; /* handed out, not yet valid */
    int64_t site;
    enum cs_status status = cs_places_find(sealing->places, cell->site, UINT64_MAX, &site);
    return status == CS_OK ? cs_sealing_profile(sealing, cell, communicator_of(sealing, cell->object), site) : status;
}

/* Whether the time of one call is known. */
static bool is_timed(const struct cs_profile_cell *cell)
{
    return cell->calls && cell->min_ticks <= cell->max_ticks;
}

static void add_up(struct cs_profile_cell *sum, const struct cs_profile_cell *cell)
{
    if (is_timed(cell)) {
        bool first = !is_timed(sum);
        sum->min_ticks = !first && sum->min_ticks < cell->min_ticks ? sum->min_ticks : cell->min_ticks;
        sum->max_ticks = !first && sum->max_ticks > cell->max_ticks ? sum->max_ticks : cell->max_ticks;
    }
    sum->calls += cell->calls;
    sum->ticks += cell->ticks;
    sum->sent_bytes += cell->sent_bytes;
    sum->received_bytes += cell->received_bytes;
}

/* Goes through sorted cells. */
struct walk {
    struct cs_sealing *sealing;
    size_t at;
};

static bool next_profile(void *context, struct cs_value *values)
{
    struct walk *walk = context;
    struct cs_sealing *sealing = walk->sealing;
    if (walk->at >= sealing->lines)
        return false;
    const struct cs_profile_line *first = &sealing->line[walk->at];
    struct cs_profile_cell cell = first->cell;
    while (++walk->at < sealing->lines && compare_lines(first, &sealing->line[walk->at]) == 0)
        add_up(&cell, &sealing->line[walk->at].cell);
    bool timed = is_timed(&cell);
    CS_SET_ROW(values, cs_int(sealing->rank), cs_int(first->communicator),
               cs_int(cell.object == first->communicator ? 0 : cell.object),
               cs_sealing_function(sealing, cell.function), cs_int(first->site), cs_int(cell.size_class),
               cs_int((int64_t)cell.calls), cs_int(cs_sealing_span(sealing, cell.ticks)),
               timed ? cs_int(cs_sealing_span(sealing, cell.min_ticks)) : cs_text(NULL),
               timed ? cs_int(cs_sealing_span(sealing, cell.max_ticks)) : cs_text(NULL),
               cs_int((int64_t)cell.sent_bytes), cs_int((int64_t)cell.received_bytes));
    return true;
}

static enum cs_status seal_profile(struct cs_sealing *sealing)
{
    if (sealing->homes)
        qsort(sealing->home, sealing->homes, sizeof *sealing->home, by_object);
    enum cs_status status = cs_journal_read_cells(sealing->reader, CS_BLOCK_PROFILE, sizeof(struct cs_profile_cell),
                                                  visit_profile, sealing);
    if (status != CS_OK || !sealing->lines)
        return status;
    qsort(sealing->line, sealing->lines, sizeof *sealing->line, compare_lines);
    struct walk walk = {.sealing = sealing};
    return cs_rows_fill(sealing->rows, CS_ROW_PROFILE, next_profile, &walk);
}

/* ---- attributes ---- */

/* A cell with the words that the table has for its numbers. */
struct attribute {
    int64_t site, value;
    const char *operation, *value_kind;
    struct cs_attribute_cell cell;
};

struct attributes {
    struct cs_sealing *sealing;
    struct attribute *attribute;
    size_t count, room, at;
};

/* By the table's key. */
static int compare_attributes(const void *left, const void *right)
{
    const struct attribute *a = left, *b = right;
    int order = compare(a->cell.object, b->cell.object);
    if (!order)
        order = compare(a->cell.keyval, b->cell.keyval);
    if (!order)
        order = strcmp(a->operation, b->operation);
    if (!order)
        order = compare(a->cell.found, b->cell.found);
    if (!order)
        order = strcmp(a->value_kind, b->value_kind);
    if (!order)
        order = compare(a->value, b->value);
    return order ? order : compare(a->site, b->site);
}

static enum cs_status visit_attribute(void *context, const void *visited)
{
    struct attributes *attributes = context;
    const struct cs_attribute_cell *cell = visited;
    if (!cell->operation)
        return CS_OK;
    bool valued = cell->value_kind == CS_VALUE_ADDRESS || cell->value_kind == CS_VALUE_INTEGER;
    struct attribute line = {.value = valued ? (int64_t)cell->value : 0,
                             .operation = cs_name_of_operation(cell->operation),
                             .value_kind = cs_name_of_value(cell->value_kind),
                             .cell = *cell};
    line.cell.found = cell->found != 0;
    if (!cell->last_ticks)
        line.cell.last_ticks = cell->first_ticks; /* cut off between the two stores */
    if (!line.operation || !line.value_kind) {
        attributes->sealing->damaged = true;
        return CS_OK;
    }
    if (!cs_sealing_add(attributes->sealing, &attributes->sealing->sums.attribute_calls, cell->calls))
        return CS_OK;
    enum cs_status status = cs_places_find(attributes->sealing->places, cell->site, UINT64_MAX, &line.site);
    if (status != CS_OK)
        return status;
    if (!cs_sealing_grow(&attributes->attribute, attributes->count, &attributes->room, sizeof line))
        return CS_NO_MEMORY;
    attributes->attribute[attributes->count++] = line;
    return CS_OK;
}

static bool next_attribute(void *context, struct cs_value *values)
{
    struct attributes *attributes = context;
    struct cs_sealing *sealing = attributes->sealing;
    if (attributes->at >= attributes->count)
        return false;
    const struct attribute *first = &attributes->attribute[attributes->at], *next = first;
    struct cs_attribute_cell cell = first->cell;
    while (++attributes->at < attributes->count && compare_attributes(first, ++next) == 0) {
        cell.calls += next->cell.calls;
        if (next->cell.first_ticks < cell.first_ticks)
            cell.first_ticks = next->cell.first_ticks;
        if (next->cell.last_ticks > cell.last_ticks)
            cell.last_ticks = next->cell.last_ticks;
    }
    CS_SET_ROW(values, cs_int(sealing->rank), cs_int(cell.object), cs_int(cell.keyval), cs_text(first->operation),
               cs_int(cell.found), cs_text(first->value_kind), cs_int(first->value), cs_int(first->site),
               cs_int((int64_t)cell.calls), cs_int(cs_sealing_instant(sealing, cell.first_ticks)),
               cs_int(cs_sealing_instant(sealing, cell.last_ticks)));
    return true;
}

static enum cs_status seal_attributes(struct cs_sealing *sealing)
{
    struct attributes attributes = {.sealing = sealing};
    enum cs_status status = cs_journal_read_cells(sealing->reader, CS_BLOCK_ATTRIBUTE, sizeof(struct cs_attribute_cell),
                                                  visit_attribute, &attributes);
    if (status == CS_OK && attributes.count) {
        qsort(attributes.attribute, attributes.count, sizeof *attributes.attribute, compare_attributes);
        status = cs_rows_fill(sealing->rows, CS_ROW_ATTRIBUTE, next_attribute, &attributes);
    }
    free(attributes.attribute);
    return status;
}

enum cs_status cs_seal_cells(struct cs_sealing *sealing)
{
    enum cs_status status = seal_profile(sealing);
    if (status == CS_OK)
        status = seal_attributes(sealing);
    return status;
}
