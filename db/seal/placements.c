#include "db/seal/placements.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "db/journal/names.h"
#include "db/journal/format.h"
#include "db/journal/reader.h"
#include "db/seal/sites.h"

/* What the cell of the processor where a thread is needs of the thread. */
struct thread {
    uint32_t thread;
    uint64_t calls, until_ticks;
};

struct placements {
    struct cs_sealing *sealing;
    struct thread *thread;
    size_t count, room;
    uint64_t calls, moves, asked; /* of all */
};

static enum cs_status visit_thread(void *context, const void *cell)
{
    struct placements *placements = context;
    const struct cs_thread_state *state = cell;
    if (!cs_array_grow(&placements->thread, placements->count, &placements->room, sizeof *placements->thread))
        return CS_NO_MEMORY;
    placements->thread[placements->count++] =
        (struct thread){.thread = state->thread, .calls = state->calls, .until_ticks = state->until_ticks};
    return CS_OK;
}

/* Where it is, the cell is behind: what the thread has done since it came is in the thread's own state. */
static void complete(const struct placements *placements, struct cs_cpu_cell *cell)
{
    for (size_t i = 0; cell->here && i < placements->count; i++) {
        const struct thread *thread = &placements->thread[i];
        if (thread->thread != cell->thread)
            continue;
        if (thread->calls > cell->arrived_calls)
            cell->calls += thread->calls - cell->arrived_calls;
        cell->last_ticks = thread->until_ticks;
    }
    if (cell->last_ticks < cell->first_ticks)
        cell->last_ticks = cell->first_ticks;
}

static enum cs_status visit_cpu(void *context, const void *visited)
{
    struct placements *placements = context;
    struct cs_sealing *sealing = placements->sealing;
    struct cs_cpu_cell cell = *(const struct cs_cpu_cell *)visited;
    if (!cell.first_ticks)
        return CS_OK;
    complete(placements, &cell);
    if (!cs_sealing_add(sealing, &placements->calls, cell.calls) ||
        !cs_sealing_add(sealing, &placements->moves, cell.moves))
        return CS_OK;
    return CS_WRITE(sealing->rows, CS_ROW_THREAD_PROCESSOR, cs_int(sealing->rank), cs_int(cell.thread),
                    cs_int(cell.cpu), cs_int((int64_t)cell.calls), cs_int((int64_t)cell.moves),
                    cs_int(cs_sealing_instant(sealing, cell.first_ticks)),
                    cs_int(cs_sealing_instant(sealing, cell.last_ticks)));
}

static enum cs_status visit_move(void *context, const void *visited)
{
    struct cs_sealing *sealing = ((struct placements *)context)->sealing;
    const struct cs_move_cell *cell = visited;
    struct cs_value nothing = cs_text(NULL);
    if (!cell->number)
        return CS_OK;
    return CS_WRITE(sealing->rows, CS_ROW_PLACEMENT, cs_int(sealing->rank),
                    cs_int(cs_sealing_instant(sealing, cell->ticks)), cs_int(cell->thread),
                    cs_text(cs_name_of_reason(CS_PLACED_MOVED)), nothing, cs_int(cell->cpu), nothing,
                    cs_int(cs_sealing_count(sealing, cell->number)), nothing, nothing, nothing);
}

static enum cs_status visit_answer(void *context, const void *visited)
{
    struct placements *placements = context;
    struct cs_sealing *sealing = placements->sealing;
    const struct cs_answer_cell *cell = visited;
    struct cs_value nothing = cs_text(NULL);
    int64_t site;
    if (!cell->calls)
        return CS_OK;
    if (!memchr(cell->name, '\0', sizeof cell->name)) {
        sealing->damaged = true;
        return CS_OK;
    }
    if (!cs_sealing_add(sealing, &placements->asked, cell->calls))
        return CS_OK;
    enum cs_status status = cs_sites_find(sealing->sites, cell->site, UINT64_MAX, &site);
    if (status != CS_OK)
        return status;
    return CS_WRITE(sealing->rows, CS_ROW_PLACEMENT, cs_int(sealing->rank),
                    cs_int(cs_sealing_instant(sealing, cell->first_ticks)), cs_int(cell->thread),
                    cs_text(cs_name_of_reason(CS_PLACED_ASKED)), cs_text(cell->name), nothing, nothing, nothing,
                    cs_int_unless(site, 0), cs_int((int64_t)cell->calls),
                    cs_int(cs_sealing_instant(sealing, cell->last_ticks)));
}

enum cs_status cs_placements_write(struct cs_sealing *sealing)
{
    static const struct {
        enum cs_block_type type;
        size_t bytes;
        enum cs_status (*visit)(void *context, const void *cell);
    } kinds[] = {
        {CS_BLOCK_THREAD, sizeof(struct cs_thread_state), visit_thread}, /* first: the next needs them */
        {CS_BLOCK_CPU, sizeof(struct cs_cpu_cell), visit_cpu},
        {CS_BLOCK_MOVE, sizeof(struct cs_move_cell), visit_move},
        {CS_BLOCK_ANSWER, sizeof(struct cs_answer_cell), visit_answer},
    };
    struct placements placements = {.sealing = sealing};
    enum cs_status status = CS_OK;
    for (size_t i = 0; status == CS_OK && i < sizeof kinds / sizeof *kinds; i++)
        status = cs_journal_read_cells(sealing->reader, kinds[i].type, kinds[i].bytes, kinds[i].visit, &placements);
    free(placements.thread);
    return status;
}
