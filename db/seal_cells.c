#include "db/seal_load.h"

#include <stdlib.h>

#include "db/names.h"

static enum cs_status visit_thread(void *context, const void *cell)
{
    struct cs_sealing *sealing = context;
    const struct cs_thread_state *state = cell;
    sealing->threads++;
    sealing->calls += state->calls;
    sealing->mpi_ticks += state->mpi_ticks;
    if (state->function && state->since_ticks > sealing->seen_ticks)
        sealing->seen_ticks = state->since_ticks;
    /* Several threads may be inside MPI; the first one usually is what the user thinks of as the program. */
    if (state->function && (!sealing->last.function || state->thread < sealing->last.thread))
        sealing->last = *state;
    return CS_OK;
}

/* Cells come in the order of first calls, the table is ordered by a key with a hash in it: written as they come, every
   row of a large profile would touch another page. So a batch is sorted first. */
#define BATCH 8192

struct line {
    int64_t site;
    struct cs_profile_cell cell;
};

struct batch {
    struct cs_sealing *sealing;
    size_t count;
    struct line line[BATCH];
};

static int compare(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

/* By the table's key. */
static int by_key(const void *left, const void *right)
{
    const struct line *a = left;
    const struct line *b = right;
    int order = compare(a->cell.communicator, b->cell.communicator);
    if (!order)
        order = compare(a->cell.function, b->cell.function);
    if (!order)
        order = compare(a->site, b->site);
    return order ? order : compare(a->cell.size_class, b->cell.size_class);
}

enum cs_status cs_sealing_profile(struct cs_sealing *sealing, const struct cs_profile_cell *cell, int64_t site)
{
    bool called = cell->calls > 0;
    return CS_WRITE(sealing->rows, CS_ROW_PROFILE, cs_int(sealing->rank), cs_int(cell->communicator),
                    cs_sealing_function(sealing, cell->function), cs_int(site), cs_int(cell->size_class),
                    cs_int(cs_sealing_count(cell->calls)), cs_int(cs_sealing_span(sealing, cell->ticks)),
                    called ? cs_int(cs_sealing_span(sealing, cell->min_ticks)) : cs_text(NULL),
                    called ? cs_int(cs_sealing_span(sealing, cell->max_ticks)) : cs_text(NULL),
                    cs_int(cs_sealing_count(cell->sent_bytes)), cs_int(cs_sealing_count(cell->received_bytes)));
}

static enum cs_status write_batch(struct batch *batch)
{
    qsort(batch->line, batch->count, sizeof *batch->line, by_key);
    enum cs_status status = CS_OK;
    for (size_t i = 0; i < batch->count && status == CS_OK; i++)
        status = cs_sealing_profile(batch->sealing, &batch->line[i].cell, batch->line[i].site);
    batch->count = 0;
    return status;
}

static enum cs_status visit_profile(void *context, const void *visited)
{
    struct batch *batch = context;
    const struct cs_profile_cell *cell = visited;
    if (!cell->function)
        return CS_OK; /* handed out, not yet valid */
    struct line *line = &batch->line[batch->count];
    line->cell = *cell;
    enum cs_status status = cs_places_find(batch->sealing->places, cell->site, UINT64_MAX, &line->site);
    if (status == CS_OK && ++batch->count == BATCH)
        status = write_batch(batch);
    return status;
}

static enum cs_status seal_profile(struct cs_sealing *sealing)
{
    struct batch *batch = malloc(sizeof *batch);
    if (!batch)
        return CS_NO_MEMORY;
    batch->sealing = sealing;
    batch->count = 0;
    enum cs_status status =
        cs_journal_read_cells(sealing->reader, CS_BLOCK_PROFILE, sizeof(struct cs_profile_cell), visit_profile, batch);
    if (status == CS_OK)
        status = write_batch(batch);
    free(batch);
    return status;
}

static enum cs_status visit_attribute(void *context, const void *visited)
{
    struct cs_sealing *sealing = context;
    const struct cs_attribute_cell *cell = visited;
    if (!cell->operation)
        return CS_OK;
    const char *operation = cs_name_of_operation(cell->operation);
    const char *kind = cs_name_of_value(cell->value_kind);
    if (!operation || !kind) {
        sealing->damaged = true;
        return CS_OK;
    }
    int64_t site;
    enum cs_status status = cs_places_find(sealing->places, cell->site, UINT64_MAX, &site);
    if (status != CS_OK)
        return status;
    bool valued = cell->value_kind == CS_VALUE_ADDRESS || cell->value_kind == CS_VALUE_INTEGER;
    uint64_t last = cell->last_ticks ? cell->last_ticks : cell->first_ticks; /* cut off between the two stores */
    return CS_WRITE(sealing->rows, CS_ROW_ATTRIBUTE, cs_int(sealing->rank), cs_int(cell->object), cs_int(cell->keyval),
                    cs_text(operation), cs_int(cell->found != 0), cs_text(kind),
                    cs_int(valued ? (int64_t)cell->value : 0), cs_int(site), cs_int(cs_sealing_count(cell->calls)),
                    cs_int(cs_sealing_instant(sealing, cell->first_ticks)), cs_int(cs_sealing_instant(sealing, last)));
}

enum cs_status cs_seal_cells(struct cs_sealing *sealing)
{
    enum cs_status status =
        cs_journal_read_cells(sealing->reader, CS_BLOCK_THREAD, sizeof(struct cs_thread_state), visit_thread, sealing);
    if (status == CS_OK)
        status = seal_profile(sealing);
    if (status == CS_OK)
        status = cs_journal_read_cells(sealing->reader, CS_BLOCK_ATTRIBUTE, sizeof(struct cs_attribute_cell),
                                       visit_attribute, sealing);
    return status;
}
