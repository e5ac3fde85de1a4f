#include "db/convert/cell_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "db/convert/facts.h"
#include "db/convert/profile_rows.h"
#include "db/convert/region_rows.h"
#include "journal/reader.h"

/* ---- adding up ---- */

struct lines {
    struct cs_conversion *conversion;
    const struct cs_gathering *how;
    char *line; /* count of how->line_bytes each */
    size_t count, room, at;
    uint64_t sum[CS_GATHER_SUMS];
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
    enum cs_status status = lines->how->read(lines->conversion, cell, line, lines->sum, &skip);
    lines->count += status == CS_OK && !skip;
    return status;
}

static bool next_row(void *context, void *row)
{
    struct lines *lines = context;
    while (lines->at < lines->count) {
        void *sum = line_at(lines, lines->at);
        while (++lines->at < lines->count && lines->how->compare(sum, line_at(lines, lines->at)) == 0)
            lines->how->add(sum, line_at(lines, lines->at));
        if (lines->how->make(lines->conversion, sum, lines->sum, row))
            return true;
    }
    return false;
}

enum cs_status cs_cells_gather(struct cs_conversion *conversion, const struct cs_gathering *how)
{
    struct lines lines = {.conversion = conversion, .how = how};
    enum cs_status status = cs_journal_read_cells(conversion->reader, how->type, visit, &lines);
    if (status == CS_OK && lines.count) {
        qsort(lines.line, lines.count, how->line_bytes, how->compare);
        status = cs_trace_fill(conversion->rows, how->row, next_row, &lines);
    }
    free(lines.line);
    return status;
}

/* ---- what a column says that no field does ---- */

static const char *words_of(struct cs_conversion *conversion, const struct cs_attribute_cell *cell)
{
    return cell->value ? cs_errors_words(conversion->errors, (int32_t)cell->value) : "other codes";
}

enum cs_status cs_complete_attribute(struct cs_conversion *conversion, struct cs_attribute_cell *cell,
                                     struct cs_line_attribute *line, bool *skip)
{
    bool failed = cell->value_kind == CS_VALUE_ERROR;
    (void)skip;
    line->error = failed ? words_of(conversion, cell) : NULL;
    if (!failed && cell->value_kind != CS_VALUE_ADDRESS && cell->value_kind != CS_VALUE_INTEGER)
        cell->value = 0;
    return failed && !line->error ? CS_NO_MEMORY : CS_OK;
}

/* A cell may have subtracted what another one counted, so sums can be checked only when all cells are added up. A
   thread that met the peer when the communicator was freed does not know its rank in MPI_COMM_WORLD. */
enum cs_status cs_complete_traffic(struct cs_conversion *conversion, struct cs_traffic_cell *cell,
                                   struct cs_line_traffic *line, bool *skip)
{
    bool known_peer = cell->peer >= 0 || cell->peer == CS_PEER_NULL || cell->peer == CS_PEER_OTHERS ||
                      (cell->peer == CS_PEER_ANY && cell->direction == CS_RECEIVE_UNKNOWN);
    bool comes = cell->direction == CS_RECEIVE || cell->direction == CS_GET || cell->direction == CS_RECEIVE_UNKNOWN;
    int64_t own = conversion->rank < 0 ? -1 : conversion->rank, other = cell->world < 0 ? -1 : cell->world;
    line->source = comes ? other : own;
    line->dest = comes ? own : other;
    *skip = !known_peer;
    conversion->damaged |= *skip;
    return CS_OK;
}

enum cs_status cs_complete_tag(struct cs_conversion *conversion, struct cs_tag_cell *cell, struct cs_line_tag *line,
                               bool *skip)
{
    line->last_tag = cell->tag;
    if (cell->range)
        line->last_tag = (((int64_t)1 << (cell->range - 1) % 32) - 1) & INT32_MAX;
    else
        cell->largest = cell->tag;
    cell->types &= ((uint64_t)1 << 40) - 1; /* SQL can add many of them */
    *skip = cell->tag < 0 || cell->range > 32 || cell->largest < cell->tag || cell->largest > line->last_tag;
    conversion->damaged |= *skip;
    return CS_OK;
}

/* The cell of the processor on which a thread is lags behind: the thread's state has the calls since then. */
enum cs_status cs_complete_thread_processor(struct cs_conversion *conversion, struct cs_cpu_cell *cell,
                                            struct cs_line_thread_processor *line, bool *skip)
{
    (void)line, (void)skip;
    for (size_t i = 0; cell->here && i < conversion->thread_count; i++) {
        const struct cs_thread_calls *thread = &conversion->thread[i];
        if (thread->thread != cell->thread)
            continue;
        if (thread->calls > cell->arrived_calls)
            cell->calls += thread->calls - cell->arrived_calls;
        cell->last_ticks = thread->until_ticks;
    }
    if (cell->last_ticks < cell->first_ticks)
        cell->last_ticks = cell->first_ticks;
    return CS_OK;
}

/* ---- what the kernel says ---- */

/* Makes the value unknown, or checks that the sum of all values has room. */
static bool complete_known(struct cs_conversion *conversion, uint64_t *ns, bool unknown)
{
    if (unknown)
        *ns = UINT64_MAX;
    return unknown || cs_conversion_add(conversion, &conversion->unknown_ns, *ns);
}

static bool complete_counters(struct cs_conversion *conversion, uint64_t *counter, uint32_t unknown)
{
    static const uint32_t flags[] = {CS_UNKNOWN_INSTRUCTIONS, CS_UNKNOWN_CYCLES, CS_UNKNOWN_COUNTER_1,
                                     CS_UNKNOWN_COUNTER_2};
    bool whole = true;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        whole = complete_known(conversion, counter + i, unknown & flags[i]) && whole;
    return whole;
}

/* The process was asked in a part of the time only: its values stand for the rest, too. */
static void scale_process(struct cs_stretch_cell *cell)
{
    uint64_t *const values[] = {&cell->read_bytes,   &cell->written_bytes, &cell->disk_bytes, &cell->others_ns,
                                &cell->throttled_ns, &cell->steal_ns,      &cell->busy_ns};
    double share = cell->process_ticks ? (double)cell->seen_ticks / (double)cell->process_ticks : 0;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        double value = (double)*values[i] * share;
        *values[i] = value < 0x1p62 ? (uint64_t)value : 0;
    }
}

/* The time of a cell until an instant, which is `elapsed` ticks after the journal began; `last` is the end of the run.
   Between two instants of the course, it grew evenly. */
static double ticks_until(const struct cs_stretch_cell *cell, uint64_t elapsed, uint64_t last)
{
    uint64_t passed = elapsed / cell->course_interval, begin = passed * cell->course_interval;
    uint64_t end = begin + cell->course_interval < last ? begin + cell->course_interval : last;
    if (passed > cell->course_filled)
        return (double)cell->ticks;
    double before = passed ? (double)cell->course[passed - 1] : 0;
    double after = passed < cell->course_filled ? (double)cell->course[passed] : (double)cell->ticks;
    return end > begin ? before + (after - before) * (double)(elapsed - begin) / (double)(end - begin) : after;
}

/* Sets the time in each fifth of the run between MPI_Init and MPI_Finalize, or that it is unknown. Time before and
   after belongs to the first and the last one. */
static void complete_fifths(struct cs_conversion *conversion, const struct cs_stretch_cell *cell,
                            struct cs_line_stretch *line)
{
    enum { LEAST_SHARE = 1000 };
    uint64_t *const fifth[CS_FIFTHS] = {&line->fifth_1_ns, &line->fifth_2_ns, &line->fifth_3_ns, &line->fifth_4_ns,
                                        &line->fifth_5_ns};
    uint64_t begin = 0, end = 0;
    /* Without an instant, no sample saw the cell, or the process was killed while it thinned out the course. Five
       columns of each short piece of code would make the file larger by a tenth. */
    bool known = cs_conversion_run(conversion, &begin, &end) && cell->course_interval && cell->course_filled &&
                 cell->course_filled <= CS_COURSE_STRETCH && cell->ticks >= (end - begin) / LEAST_SHARE;
    double before = 0;
    for (unsigned i = 0; i < CS_FIFTHS; i++) {
        uint64_t elapsed = begin + (end - begin) / CS_FIFTHS * (i + 1);
        double until = known && i < CS_FIFTHS - 1 ? ticks_until(cell, elapsed, end) : (double)cell->ticks;
        until = until < before ? before : until > (double)cell->ticks ? (double)cell->ticks : until;
        *fifth[i] = known ? (uint64_t)cs_conversion_span(conversion, (uint64_t)(until - before)) : UINT64_MAX;
        before = until;
    }
}

enum cs_status cs_complete_stretch(struct cs_conversion *conversion, struct cs_stretch_cell *cell,
                                   struct cs_line_stretch *line, bool *skip)
{
    line->communicator = cs_profile_rows_communicator(conversion->profile, cell->object);
    if (cell->object == line->communicator)
        cell->object = 0;
    cs_conversion_function(conversion, cell->from_function);
    line->region = cs_regions_find(conversion->regions, cell->region);
    scale_process(cell);
    complete_fifths(conversion, cell, line);
    bool no_delay = cell->unknown & CS_UNKNOWN_DELAY;
    *skip = cell->exact_ticks > cell->seen_ticks || cell->seen_ticks > cell->ticks ||
            cell->call_seen_ticks > cell->call_ticks || cell->min_ticks > cell->max_ticks ||
            !complete_known(conversion, &cell->delay_ns, no_delay) ||
            !complete_known(conversion, &cell->call_delay_ns, no_delay) ||
            !complete_known(conversion, &cell->call_delay_most_ns, no_delay) ||
            !complete_known(conversion, &cell->throttled_ns, cell->unknown & CS_UNKNOWN_QUOTA) ||
            !complete_counters(conversion, &cell->instructions, cell->unknown) ||
            !complete_known(conversion, &cell->steal_ns, cell->unknown & CS_UNKNOWN_STEAL) ||
            !complete_known(conversion, &cell->busy_ns, cell->unknown & CS_UNKNOWN_BUSY);
    conversion->damaged |= *skip;
    return CS_OK;
}

enum cs_status cs_complete_thread_usage(struct cs_conversion *conversion, struct cs_thread_state *cell,
                                        struct cs_line_thread_usage *line, bool *skip)
{
    (void)line;
    *skip = !cell->usage.samples ||
            !complete_known(conversion, &cell->usage.delay_ns, cell->usage.unknown & CS_UNKNOWN_DELAY);
    return CS_OK;
}

enum cs_status cs_complete_process_usage(struct cs_conversion *conversion, struct cs_thread_state *cell,
                                         struct cs_line_process_usage *line, bool *skip)
{
    struct cs_thread_usage *usage = &cell->usage;
    (void)conversion, (void)line;
    *skip = !usage->peak_bytes;
    if (usage->unknown & CS_UNKNOWN_BYTES)
        usage->read_bytes = usage->written_bytes = usage->disk_read_bytes = usage->disk_written_bytes = UINT64_MAX;
    if (usage->unknown & CS_UNKNOWN_QUOTA)
        usage->throttled_ns = UINT64_MAX;
    if (usage->unknown & CS_UNKNOWN_STEAL)
        usage->steal_ns = UINT64_MAX;
    if (usage->unknown & CS_UNKNOWN_BUSY)
        usage->busy_ns = usage->node_ns = UINT64_MAX;
    return CS_OK;
}
