#include "db/seal/synchronizations.h"

#include "db/journal/reader.h"
#include "db/journal/format.h"

static enum cs_status write_point(struct cs_sealing *sealing, uint32_t object,
                                  const struct cs_synchronization_point *point)
{
    return CS_WRITE(sealing->rows, CS_ROW_SYNCHRONIZATION, cs_int(sealing->rank), cs_int(object),
                    cs_int(cs_sealing_count(sealing, point->nth)),
                    cs_sealing_instant_unless_0(sealing, point->entered_ticks),
                    cs_sealing_instant_unless_0(sealing, point->left_ticks));
}

enum cs_status cs_synchronizations_load(struct cs_sealing *sealing, const struct cs_fact *fact)
{
    const struct cs_fact_synchronization *it = (const void *)fact;
    return it->object && it->point.nth ? write_point(sealing, it->object, &it->point) : CS_CORRUPT;
}

static enum cs_status visit(void *context, const void *visited)
{
    const struct cs_synchronization_cell *cell = visited;
    enum cs_status status = CS_OK;
    for (int i = 0; cell->object && status == CS_OK && i < CS_SYNCHRONIZATION_LAST; i++)
        if (cell->last[i].nth)
            status = write_point(context, cell->object, &cell->last[i]);
    return status;
}

enum cs_status cs_synchronizations_write(struct cs_sealing *sealing)
{
    return cs_journal_read_cells(sealing->reader, CS_BLOCK_SYNCHRONIZATION, sizeof(struct cs_synchronization_cell),
                                 visit, sealing);
}
