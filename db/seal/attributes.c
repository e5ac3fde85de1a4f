#include "db/seal/attributes.h"

#include <string.h>

#include "base/array.h"
#include "db/journal/names.h"
#include "db/seal/errors.h"
#include "db/seal/gather.h"
#include "db/seal/sites.h"

/* A cell with the words that the table has for its numbers. */
struct attribute {
    int64_t site, value;
    const char *operation, *value_kind, *kind, *error;
    struct cs_attribute_cell cell;
};

/* By the table's key. */
static int compare_attributes(const void *left, const void *right)
{
    const struct attribute *a = left, *b = right;
    int order = cs_compare(a->cell.object, b->cell.object);
    if (!order)
        order = cs_compare(a->cell.keyval, b->cell.keyval);
    if (!order)
        order = strcmp(a->operation, b->operation);
    if (!order)
        order = cs_compare(a->cell.found, b->cell.found);
    if (!order)
        order = strcmp(a->value_kind, b->value_kind);
    if (!order)
        order = cs_compare(a->value, b->value);
    return order ? order : cs_compare(a->site, b->site);
}

static const char *words_of(struct cs_sealing *sealing, const struct cs_attribute_cell *cell)
{
    return cell->value ? cs_errors_words(sealing->errors, (int32_t)cell->value) : "other codes";
}

static enum cs_status read_cell(struct cs_sealing *sealing, const void *visited, void *made, bool *skip)
{
    const struct cs_attribute_cell *cell = visited;
    struct attribute *line = made;
    bool failed = cell->value_kind == CS_VALUE_ERROR;
    bool valued = failed || cell->value_kind == CS_VALUE_ADDRESS || cell->value_kind == CS_VALUE_INTEGER;
    *skip = !cell->operation;
    if (*skip)
        return CS_OK;
    *line = (struct attribute){.value = valued ? (int64_t)cell->value : 0,
                               .operation = cs_name_of_operation(cell->operation),
                               .value_kind = cs_name_of_value(cell->value_kind),
                               .kind = cs_name_of_kind(cell->kind),
                               .error = failed ? words_of(sealing, cell) : NULL,
                               .cell = *cell};
    line->cell.found = cell->found != 0;
    if (!cell->last_ticks)
        line->cell.last_ticks = cell->first_ticks; /* cut off between the two stores */
    if (failed && !line->error)
        return CS_NO_MEMORY;
    bool named = line->operation && line->value_kind;
    sealing->damaged |= !named;
    *skip = !named || !cs_sealing_add(sealing, &sealing->asked, cell->calls);
    return *skip ? CS_OK : cs_sites_find(sealing->sites, cell->site, UINT64_MAX, &line->site);
}

static void add(void *sum, const void *line)
{
    struct cs_attribute_cell *cell = &((struct attribute *)sum)->cell;
    const struct cs_attribute_cell *more = &((const struct attribute *)line)->cell;
    cell->calls += more->calls;
    cs_gather_times(&cell->first_ticks, &cell->last_ticks, more->first_ticks, more->last_ticks);
}

static bool tell(struct cs_sealing *sealing, const void *told, struct cs_value *values)
{
    const struct attribute *line = told;
    const struct cs_attribute_cell *cell = &line->cell;
    CS_SET_ROW(values, cs_int(sealing->rank), cs_int(cell->object), cs_text(line->kind), cs_int(cell->keyval),
               cs_text(line->operation), cs_int(cell->found), cs_text(line->value_kind), cs_int(line->value),
               cs_text(line->error), cs_int(line->site), cs_int((int64_t)cell->calls),
               cs_int(cs_sealing_instant(sealing, cell->first_ticks)),
               cs_int(cs_sealing_instant(sealing, cell->last_ticks)));
    return true;
}

enum cs_status cs_attributes_write(struct cs_sealing *sealing)
{
    static const struct cs_gathering how = {.type = CS_BLOCK_ATTRIBUTE,
                                            .cell_bytes = sizeof(struct cs_attribute_cell),
                                            .line_bytes = sizeof(struct attribute),
                                            .row = CS_ROW_ATTRIBUTE,
                                            .read = read_cell,
                                            .compare = compare_attributes,
                                            .add = add,
                                            .tell = tell};
    return cs_gather(sealing, &how);
}
