#include "db/seal_load.h"

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

static enum cs_status visit_profile(void *context, const void *visited)
{
    struct cs_sealing *sealing = context;
    const struct cs_profile_cell *cell = visited;
    if (!cell->function)
        return CS_OK; /* handed out, not yet valid */
    int64_t site;
    enum cs_status status = cs_places_find(sealing->places, cell->site, UINT64_MAX, &site);
    if (status != CS_OK)
        return status;
    bool called = cell->calls > 0;
    return CS_WRITE(sealing->rows, CS_ROW_PROFILE, cs_int(sealing->rank), cs_int(cell->communicator),
                    cs_sealing_function(sealing, cell->function), cs_int(site), cs_int(cell->size_class),
                    cs_int(cs_sealing_count(cell->calls)), cs_int(cs_sealing_span(sealing, cell->ticks)),
                    called ? cs_int(cs_sealing_span(sealing, cell->min_ticks)) : cs_text(NULL),
                    called ? cs_int(cs_sealing_span(sealing, cell->max_ticks)) : cs_text(NULL),
                    cs_int(cs_sealing_count(cell->sent_bytes)), cs_int(cs_sealing_count(cell->received_bytes)));
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
        status = cs_journal_read_cells(sealing->reader, CS_BLOCK_PROFILE, sizeof(struct cs_profile_cell), visit_profile,
                                       sealing);
    if (status == CS_OK)
        status = cs_journal_read_cells(sealing->reader, CS_BLOCK_ATTRIBUTE, sizeof(struct cs_attribute_cell),
                                       visit_attribute, sealing);
    return status;
}
