#include "db/convert/region_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "journal/reader.h"

enum { NUMBERS = 256, PATH_BYTES = 1024 };

struct region {
    struct cs_region_cell cell; /* number 0: there is none */
    int64_t key;                /* as in the table; 0: without a row */
    int64_t parent;             /* key of the region that it is in; 0: none */
    char *path;
};

struct cs_regions {
    struct region region[NUMBERS]; /* by number */
};

/* ---- reading ---- */

static bool is_text(const struct cs_region_cell *cell)
{
    if (!memchr(cell->name, 0, sizeof cell->name) || !*cell->name)
        return false;
    for (const char *c = cell->name; *c; c++)
        if (*c < ' ' || *c > '~')
            return false;
    return true;
}

/* A parent has a lower number. */
static enum cs_status visit_region(void *context, const void *visited)
{
    struct cs_conversion *conversion = context;
    const struct cs_region_cell *cell = visited;
    if (!cell->number)
        return CS_OK;
    if (cell->number >= NUMBERS || cell->parent >= cell->number || !is_text(cell) ||
        conversion->regions->region[cell->number].cell.number)
        conversion->damaged = true;
    else
        conversion->regions->region[cell->number].cell = *cell;
    return CS_OK;
}

/* Completes a region after those with lower numbers. */
static enum cs_status complete(struct cs_regions *regions, struct region *region)
{
    const struct region *around = &regions->region[region->cell.parent];
    region->parent = cs_regions_find(regions, region->cell.parent);
    while (around->cell.number && !around->key)
        around = &regions->region[around->cell.parent];
    if (!region->cell.entries)
        return CS_OK;
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s%s%s", around->key ? around->path : "", around->key ? "/" : "", region->cell.name);
    uint64_t hash = cs_hash_text(cs_hash_number(CS_HASH_BEGIN, (uint64_t)region->parent), region->cell.name);
    region->key = (int64_t)(cs_hash_mix(0, hash) >> 1) | 1; /* not 0, and not negative */
    region->path = strdup(path);
    return region->path ? CS_OK : CS_NO_MEMORY;
}

struct cs_regions *cs_regions_create(void)
{
    return calloc(1, sizeof(struct cs_regions));
}

enum cs_status cs_regions_read(struct cs_conversion *conversion)
{
    struct cs_regions *regions = conversion->regions;
    enum cs_status status = cs_journal_read_cells(conversion->reader, CS_BLOCK_REGION, visit_region, conversion);
    for (size_t i = 1; i < NUMBERS && status == CS_OK; i++)
        if (regions->region[i].cell.number)
            status = complete(regions, &regions->region[i]);
    return status;
}

void cs_regions_destroy(struct cs_regions *regions)
{
    if (!regions)
        return;
    for (size_t i = 0; i < NUMBERS; i++)
        free(regions->region[i].path);
    free(regions);
}

int64_t cs_regions_find(const struct cs_regions *regions, uint32_t number)
{
    while (number && number < NUMBERS && !regions->region[number].key)
        number = regions->region[number].cell.parent;
    return number < NUMBERS ? regions->region[number].key : 0;
}

bool cs_regions_any(const struct cs_regions *regions)
{
    for (size_t i = 0; i < NUMBERS; i++)
        if (regions->region[i].key)
            return true;
    return false;
}

/* ---- instants at which values were kept ---- */

/* The whole intervals of the run between MPI_Init and MPI_Finalize, of this length. */
struct span {
    uint64_t interval;
    uint64_t begin, count; /* the first instant, in intervals since the journal began, and intervals behind it */
};

static bool find_span(const struct cs_conversion *conversion, uint64_t interval, struct span *span)
{
    uint64_t begin, end;
    if (!interval || !cs_conversion_run(conversion, &begin, &end))
        return false;
    span->interval = interval;
    span->begin = (begin + interval - 1) / interval;
    uint64_t last = end / interval;
    span->count = last > span->begin ? last - span->begin : 0;
    return span->count >= CS_FIFTHS;
}

/* The instant after this many fifths, in intervals since the journal began. */
static uint64_t instant_of(const struct span *span, unsigned fifths)
{
    return span->begin + (span->count / CS_FIFTHS) * fifths + span->count % CS_FIFTHS * fifths / CS_FIFTHS;
}

/* A value at an instant; now: after the last one that was kept. */
static uint64_t value_at(const uint64_t *at, uint64_t filled, uint64_t instant, uint64_t now)
{
    return instant == 0 ? 0 : instant <= filled ? at[instant - 1] : now;
}

/* ---- rows of regions ---- */

struct walk {
    struct cs_conversion *conversion;
    size_t next;
};

static struct cs_value span_of(struct cs_conversion *conversion, uint64_t from, uint64_t to)
{
    return cs_int(cs_conversion_span(conversion, to > from ? to - from : 0));
}

static void add_fifths(struct cs_conversion *conversion, const struct cs_region_cell *cell, struct cs_row_region *row)
{
    struct span span;
    if (cell->filled > CS_COURSE_REGION || !find_span(conversion, cell->interval, &span))
        return;
    const uint64_t instant[] = {instant_of(&span, 0), instant_of(&span, 1), instant_of(&span, CS_FIFTHS - 1),
                                instant_of(&span, CS_FIFTHS)};
    uint64_t entries[4], ticks[4], mpi[4];
    for (int i = 0; i < 4; i++) {
        entries[i] = value_at(cell->entries_at, cell->filled, instant[i], cell->entries);
        ticks[i] = value_at(cell->ticks_at, cell->filled, instant[i], cell->ticks);
        mpi[i] = value_at(cell->mpi_at, cell->filled, instant[i], cell->mpi_ticks);
    }
    row->early_entries = cs_int(cs_conversion_count(conversion, entries[1] - entries[0]));
    row->early_time_ns = span_of(conversion, ticks[0], ticks[1]);
    row->late_entries = cs_int(cs_conversion_count(conversion, entries[3] - entries[2]));
    row->late_time_ns = span_of(conversion, ticks[2], ticks[3]);
    if (cell->mixed)
        return;
    row->early_mpi_ns = span_of(conversion, mpi[0], mpi[1]);
    row->late_mpi_ns = span_of(conversion, mpi[2], mpi[3]);
}

static bool next_region(void *context, void *made)
{
    struct walk *walk = context;
    struct cs_conversion *conversion = walk->conversion;
    while (++walk->next < NUMBERS && !conversion->regions->region[walk->next].key)
        ;
    if (walk->next >= NUMBERS)
        return false;
    const struct region *region = &conversion->regions->region[walk->next];
    const struct cs_region_cell *cell = &region->cell;
    struct cs_row_region *row = made;
    *row = (struct cs_row_region){
        .region = cs_int(region->key),
        .parent = cs_int(region->parent),
        .name = cs_text(cell->name),
        .path = cs_text(region->path),
        .entries = cs_int(cs_conversion_count(conversion, cell->entries)),
        .time_ns = cs_int(cs_conversion_span(conversion, cell->ticks)),
        .mpi_ns = cell->mixed ? cs_text(NULL) : cs_int(cs_conversion_span(conversion, cell->mpi_ticks)),
        .least_ns = cs_int(cs_conversion_span(conversion, cell->min_ticks)),
        .most_ns = cs_int(cs_conversion_span(conversion, cell->max_ticks)),
        .first_ns = cs_int(cs_conversion_instant(conversion, cell->first_ticks)),
        .last_ns = cs_int(cs_conversion_instant(conversion, cell->last_ticks)),
    };
    add_fifths(conversion, cell, row);
    return true;
}

/* ---- rows of fifths ---- */

struct threads {
    struct cs_conversion *conversion;
    uint64_t interval; /* the longest of any thread: its instants are also those of the others */
    struct span span;
    uint64_t mpi[CS_FIFTHS + 1]; /* ticks inside MPI until each instant, all threads */
    int64_t threads;
    unsigned fifth; /* of the next row */
    bool lost;      /* the process was killed while it thinned out a course */
};

static enum cs_status find_interval(void *context, const void *cell)
{
    struct threads *threads = context;
    const struct cs_thread_state *state = cell;
    if (state->course_interval > threads->interval)
        threads->interval = state->course_interval;
    return CS_OK;
}

static enum cs_status add_thread(void *context, const void *cell)
{
    struct threads *threads = context;
    const struct cs_thread_state *state = cell;
    bool inside = state->function && state->doing == CS_THREAD_INSIDE;
    if (!state->course_interval || threads->interval % state->course_interval ||
        state->course_filled > CS_COURSE_THREAD ||
        (!state->course_filled && state->course_interval > 1u << 16 && state->calls)) {
        threads->lost = true;
        return CS_OK;
    }
    threads->threads += state->calls > 0;
    for (unsigned i = 0; i <= CS_FIFTHS; i++) {
        uint64_t instant = instant_of(&threads->span, i);
        uint64_t ticks = threads->conversion->header->first.ticks + instant * threads->interval;
        uint64_t open = inside && ticks > state->since_ticks ? ticks - state->since_ticks : 0;
        threads->mpi[i] += value_at(state->course, state->course_filled,
                                    instant * (threads->interval / state->course_interval), state->mpi_ticks + open);
    }
    return CS_OK;
}

static bool next_fifth(void *context, void *row)
{
    struct threads *threads = context;
    struct cs_conversion *conversion = threads->conversion;
    unsigned i = threads->fifth++;
    if (i >= CS_FIFTHS)
        return false;
    uint64_t first = conversion->header->first.ticks, interval = threads->interval;
    *(struct cs_row_fifth *)row = (struct cs_row_fifth){
        .fifth = cs_int(i + 1),
        .begin_ns = cs_int(cs_conversion_instant(conversion, first + instant_of(&threads->span, i) * interval)),
        .end_ns = cs_int(cs_conversion_instant(conversion, first + instant_of(&threads->span, i + 1) * interval)),
        .mpi_ns = span_of(conversion, threads->mpi[i], threads->mpi[i + 1]),
        .threads = cs_int(threads->threads),
    };
    return true;
}

static enum cs_status write_fifths(struct cs_conversion *conversion)
{
    struct threads threads = {.conversion = conversion};
    enum cs_status status = cs_journal_read_cells(conversion->reader, CS_BLOCK_THREAD, find_interval, &threads);
    if (status != CS_OK || !find_span(conversion, threads.interval, &threads.span))
        return status;
    status = cs_journal_read_cells(conversion->reader, CS_BLOCK_THREAD, add_thread, &threads);
    return status != CS_OK || threads.lost ? status
                                           : cs_trace_fill(conversion->rows, CS_ROW_fifth, next_fifth, &threads);
}

enum cs_status cs_regions_write(struct cs_conversion *conversion)
{
    struct walk walk = {.conversion = conversion};
    enum cs_status status = cs_regions_any(conversion->regions)
                                ? cs_trace_fill(conversion->rows, CS_ROW_region, next_region, &walk)
                                : CS_OK;
    return status == CS_OK ? write_fifths(conversion) : status;
}
