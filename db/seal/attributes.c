#include "db/seal/attributes.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "db/journal/names.h"
#include "db/journal/read.h"
#include "db/seal/errors.h"
#include "db/seal/sites.h"

/* A cell with the words that the table has for its numbers. */
struct attribute {
    int64_t site, value;
    const char *operation, *value_kind, *kind, *error;
    struct cs_attribute_cell cell;
};

struct attributes {
    struct cs_sealing *sealing;
    struct attribute *attribute;
    size_t count, room, at;
    uint64_t calls; /* of all */
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

static enum cs_status visit_cell(void *context, const void *visited)
{
    struct attributes *attributes = context;
    const struct cs_attribute_cell *cell = visited;
    if (!cell->operation)
        return CS_OK;
    bool failed = cell->value_kind == CS_VALUE_ERROR;
    bool valued = failed || cell->value_kind == CS_VALUE_ADDRESS || cell->value_kind == CS_VALUE_INTEGER;
    struct attribute line = {.value = valued ? (int64_t)cell->value : 0,
                             .operation = cs_name_of_operation(cell->operation),
                             .value_kind = cs_name_of_value(cell->value_kind),
                             .kind = cs_name_of_kind(cell->kind),
                             .error = failed ? words_of(attributes->sealing, cell) : NULL,
                             .cell = *cell};
    line.cell.found = cell->found != 0;
    if (!cell->last_ticks)
        line.cell.last_ticks = cell->first_ticks; /* cut off between the two stores */
    if (failed && !line.error)
        return CS_NO_MEMORY;
    if (!line.operation || !line.value_kind) {
        attributes->sealing->damaged = true;
        return CS_OK;
    }
    if (!cs_sealing_add(attributes->sealing, &attributes->calls, cell->calls))
        return CS_OK;
    enum cs_status status = cs_sites_find(attributes->sealing->sites, cell->site, UINT64_MAX, &line.site);
    if (status != CS_OK)
        return status;
    if (!cs_array_grow(&attributes->attribute, attributes->count, &attributes->room, sizeof line))
        return CS_NO_MEMORY;
    attributes->attribute[attributes->count++] = line;
    return CS_OK;
}

static bool next_row(void *context, struct cs_value *values)
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
    CS_SET_ROW(values, cs_int(sealing->rank), cs_int(cell.object), cs_text(first->kind), cs_int(cell.keyval),
               cs_text(first->operation), cs_int(cell.found), cs_text(first->value_kind), cs_int(first->value),
               cs_text(first->error), cs_int(first->site), cs_int((int64_t)cell.calls),
               cs_int(cs_sealing_instant(sealing, cell.first_ticks)),
               cs_int(cs_sealing_instant(sealing, cell.last_ticks)));
    return true;
}

enum cs_status cs_attributes_write(struct cs_sealing *sealing)
{
    struct attributes attributes = {.sealing = sealing};
    enum cs_status status = cs_journal_read_cells(sealing->reader, CS_BLOCK_ATTRIBUTE, sizeof(struct cs_attribute_cell),
                                                  visit_cell, &attributes);
    if (status == CS_OK && attributes.count) {
        qsort(attributes.attribute, attributes.count, sizeof *attributes.attribute, compare_attributes);
        status = cs_rows_fill(sealing->rows, CS_ROW_ATTRIBUTE, next_row, &attributes);
    }
    free(attributes.attribute);
    return status;
}
