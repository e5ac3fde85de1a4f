#include "db/seal/comparisons.h"

#include <string.h>

#include "base/array.h"
#include "db/journal/format.h"
#include "db/journal/names.h"
#include "db/seal/gather.h"
#include "db/seal/sites.h"

/* A cell with the words that the table has for its numbers. */
struct comparison {
    int64_t site;
    const char *kind, *answer;
    struct cs_comparison_cell cell;
};

static int compare(const void *left, const void *right)
{
    const struct comparison *a = left, *b = right;
    int order = strcmp(a->kind, b->kind);
    if (!order)
        order = cs_compare(a->cell.first, b->cell.first);
    if (!order)
        order = cs_compare(a->cell.second, b->cell.second);
    if (!order)
        order = strcmp(a->answer, b->answer);
    return order ? order : cs_compare(a->site, b->site);
}

static enum cs_status read_cell(struct cs_sealing *sealing, const void *visited, void *made, bool *skip)
{
    const struct cs_comparison_cell *cell = visited;
    struct comparison *line = made;
    *line = (struct comparison){
        .kind = cs_name_of_kind(cell->kind), .answer = cs_name_of_answer(cell->answer), .cell = *cell};
    if (!cell->last_ticks)
        line->cell.last_ticks = cell->first_ticks; /* cut off between the two stores */
    bool named = line->kind && line->answer;
    sealing->damaged |= cell->answer && !named;
    *skip = !cell->answer || !named || !cs_sealing_add(sealing, &sealing->compared, cell->calls);
    return *skip ? CS_OK : cs_sites_find(sealing->sites, cell->site, UINT64_MAX, &line->site);
}

static void add(void *sum, const void *line)
{
    struct cs_comparison_cell *cell = &((struct comparison *)sum)->cell;
    const struct cs_comparison_cell *more = &((const struct comparison *)line)->cell;
    cell->calls += more->calls;
    cs_gather_times(&cell->first_ticks, &cell->last_ticks, more->first_ticks, more->last_ticks);
}

static bool tell(struct cs_sealing *sealing, const void *told, struct cs_value *values)
{
    const struct comparison *line = told;
    const struct cs_comparison_cell *cell = &line->cell;
    CS_SET_ROW(values, cs_int(sealing->rank), cs_text(line->kind), cs_int(cell->first), cs_int(cell->second),
               cs_text(line->answer), cs_int(line->site), cs_int((int64_t)cell->calls),
               cs_int(cs_sealing_instant(sealing, cell->first_ticks)),
               cs_int(cs_sealing_instant(sealing, cell->last_ticks)));
    return true;
}

enum cs_status cs_comparisons_write(struct cs_sealing *sealing)
{
    static const struct cs_gathering how = {.type = CS_BLOCK_COMPARISON,
                                            .cell_bytes = sizeof(struct cs_comparison_cell),
                                            .line_bytes = sizeof(struct comparison),
                                            .row = CS_ROW_COMPARISON,
                                            .read = read_cell,
                                            .compare = compare,
                                            .add = add,
                                            .tell = tell};
    return cs_gather(sealing, &how);
}
