#include "db/seal/comparisons.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "db/journal/names.h"
#include "db/journal/read.h"
#include "db/seal/sites.h"

/* A cell with the words that the table has for its numbers. */
struct comparison {
    int64_t site;
    const char *kind, *answer;
    struct cs_comparison_cell cell;
};

struct comparisons {
    struct cs_sealing *sealing;
    struct comparison *comparison;
    size_t count, room, at;
    uint64_t calls; /* of all */
};

static int compare(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

/* By the table's key. */
static int compare_comparisons(const void *left, const void *right)
{
    const struct comparison *a = left, *b = right;
    int order = strcmp(a->kind, b->kind);
    if (!order)
        order = compare(a->cell.first, b->cell.first);
    if (!order)
        order = compare(a->cell.second, b->cell.second);
    if (!order)
        order = strcmp(a->answer, b->answer);
    return order ? order : compare(a->site, b->site);
}

static enum cs_status visit_cell(void *context, const void *visited)
{
    struct comparisons *comparisons = context;
    const struct cs_comparison_cell *cell = visited;
    if (!cell->answer)
        return CS_OK;
    struct comparison line = {
        .kind = cs_name_of_kind(cell->kind), .answer = cs_name_of_answer(cell->answer), .cell = *cell};
    if (!cell->last_ticks)
        line.cell.last_ticks = cell->first_ticks; /* cut off between the two stores */
    if (!line.kind || !line.answer) {
        comparisons->sealing->damaged = true;
        return CS_OK;
    }
    if (!cs_sealing_add(comparisons->sealing, &comparisons->calls, cell->calls))
        return CS_OK;
    enum cs_status status = cs_sites_find(comparisons->sealing->sites, cell->site, UINT64_MAX, &line.site);
    if (status != CS_OK)
        return status;
    if (!cs_array_grow(&comparisons->comparison, comparisons->count, &comparisons->room, sizeof line))
        return CS_NO_MEMORY;
    comparisons->comparison[comparisons->count++] = line;
    return CS_OK;
}

static bool next_row(void *context, struct cs_value *values)
{
    struct comparisons *comparisons = context;
    struct cs_sealing *sealing = comparisons->sealing;
    if (comparisons->at >= comparisons->count)
        return false;
    const struct comparison *first = &comparisons->comparison[comparisons->at], *next = first;
    struct cs_comparison_cell cell = first->cell;
    while (++comparisons->at < comparisons->count && compare_comparisons(first, ++next) == 0) {
        cell.calls += next->cell.calls;
        if (next->cell.first_ticks < cell.first_ticks)
            cell.first_ticks = next->cell.first_ticks;
        if (next->cell.last_ticks > cell.last_ticks)
            cell.last_ticks = next->cell.last_ticks;
    }
    CS_SET_ROW(values, cs_int(sealing->rank), cs_text(first->kind), cs_int(cell.first), cs_int(cell.second),
               cs_text(first->answer), cs_int(first->site), cs_int((int64_t)cell.calls),
               cs_int(cs_sealing_instant(sealing, cell.first_ticks)),
               cs_int(cs_sealing_instant(sealing, cell.last_ticks)));
    return true;
}

enum cs_status cs_comparisons_write(struct cs_sealing *sealing)
{
    struct comparisons comparisons = {.sealing = sealing};
    enum cs_status status = cs_journal_read_cells(sealing->reader, CS_BLOCK_COMPARISON,
                                                  sizeof(struct cs_comparison_cell), visit_cell, &comparisons);
    if (status == CS_OK && comparisons.count) {
        qsort(comparisons.comparison, comparisons.count, sizeof *comparisons.comparison, compare_comparisons);
        status = cs_rows_fill(sealing->rows, CS_ROW_COMPARISON, next_row, &comparisons);
    }
    free(comparisons.comparison);
    return status;
}
