#include "db/seal/gather.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "db/journal/reader.h"

struct lines {
    struct cs_sealing *sealing;
    const struct cs_gathering *how;
    char *line; /* count of how->line_bytes each */
    size_t count, room, at;
};

static void *line_at(const struct lines *lines, size_t i)
{
    return lines->line + i * lines->how->line_bytes;
}

static enum cs_status visit(void *context, const void *cell)
{
    struct lines *lines = context;
    bool skip = false;
    if (!cs_array_grow(&lines->line, lines->count, &lines->room, lines->how->line_bytes))
        return CS_NO_MEMORY;
    void *line = line_at(lines, lines->count);
    memset(line, 0, lines->how->line_bytes);
    enum cs_status status = lines->how->read(lines->sealing, cell, line, &skip);
    lines->count += status == CS_OK && !skip;
    return status;
}

static bool next_row(void *context, struct cs_value *values)
{
    struct lines *lines = context;
    while (lines->at < lines->count) {
        void *sum = line_at(lines, lines->at);
        while (++lines->at < lines->count && lines->how->compare(sum, line_at(lines, lines->at)) == 0)
            lines->how->add(sum, line_at(lines, lines->at));
        if (lines->how->tell(lines->sealing, sum, values))
            return true;
    }
    return false;
}

enum cs_status cs_gather(struct cs_sealing *sealing, const struct cs_gathering *how)
{
    struct lines lines = {.sealing = sealing, .how = how};
    enum cs_status status = cs_journal_read_cells(sealing->reader, how->type, how->cell_bytes, visit, &lines);
    if (status == CS_OK && lines.count) {
        qsort(lines.line, lines.count, how->line_bytes, how->compare);
        status = cs_rows_fill(sealing->rows, how->row, next_row, &lines);
    }
    free(lines.line);
    return status;
}

void cs_gather_times(uint64_t *first_ticks, uint64_t *last_ticks, uint64_t more_first_ticks, uint64_t more_last_ticks)
{
    if (more_first_ticks < *first_ticks)
        *first_ticks = more_first_ticks;
    if (more_last_ticks > *last_ticks)
        *last_ticks = more_last_ticks;
}
