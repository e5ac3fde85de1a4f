#include "db/convert/profile_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "db/convert/region_rows.h"
#include "db/convert/sites.h"
#include "functions.h"
#include "journal/reader.h"

/* A cell and its call site. */
struct line {
    int64_t site, region;  /* region: as in the table; 0: none */
    uint32_t communicator; /* communicator of the cell's object, or that object */
    struct cs_profile_cell cell;
};

/* The communicator that a window or file was created on. */
struct owner {
    uint32_t object, communicator;
};

struct sums {
    uint64_t calls, time_ns, sent_bytes, received_bytes;
};

struct cs_profile_rows {
    struct line *line;
    size_t lines, lines_room;
    struct owner *owner;
    size_t owners, owners_room;
    struct sums sums; /* sums of all lines */
};

struct cs_profile_rows *cs_profile_rows_create(void)
{
    return calloc(1, sizeof(struct cs_profile_rows));
}

void cs_profile_rows_destroy(struct cs_profile_rows *profile)
{
    if (!profile)
        return;
    free(profile->line);
    free(profile->owner);
    free(profile);
}

/* ---- windows and files ---- */

static int by_object(const void *left, const void *right)
{
    return cs_compare(((const struct owner *)left)->object, ((const struct owner *)right)->object);
}

enum cs_status cs_profile_rows_set_communicator(struct cs_profile_rows *profile, uint32_t object, uint32_t communicator)
{
    if (!cs_array_grow(&profile->owner, profile->owners, &profile->owners_room, sizeof *profile->owner))
        return CS_NO_MEMORY;
    profile->owner[profile->owners++] = (struct owner){object, communicator};
    return CS_OK;
}

uint32_t cs_profile_rows_communicator(const struct cs_profile_rows *profile, uint32_t object)
{
    const struct owner *owner = profile->owners ? bsearch(&(struct owner){.object = object}, profile->owner,
                                                          profile->owners, sizeof *profile->owner, by_object)
                                                : NULL;
    return owner ? owner->communicator : object;
}

/* ---- lines ---- */

/* Compares by the key of the table profile. */
static int compare_lines(const void *left, const void *right)
{
    const struct line *a = left, *b = right;
    int order = cs_compare(a->communicator, b->communicator);
    if (!order)
        order = cs_compare(a->cell.object, b->cell.object);
    if (!order)
        order = cs_compare(a->cell.function, b->cell.function);
    if (!order)
        order = cs_compare(a->site, b->site);
    return order ? order : cs_compare(a->cell.size_class, b->cell.size_class);
}

/* Compares by the key of the table region_profile. */
static int compare_in_regions(const void *left, const void *right)
{
    int order = cs_compare(((const struct line *)left)->region, ((const struct line *)right)->region);
    return order ? order : compare_lines(left, right);
}

/* True if its numbers are possible; then they are added to the sums, and its bytes are cut to what fits there. */
static bool take(struct cs_conversion *conversion, struct cs_profile_cell *cell)
{
    struct sums sums = conversion->profile->sums;
    if (!cs_conversion_add(conversion, &sums.calls, cell->calls) ||
        !cs_conversion_add_span(conversion, &sums.time_ns, cell->ticks))
        return false;
    cell->sent_bytes = cs_conversion_add_bytes(&sums.sent_bytes, cell->sent_bytes);
    cell->received_bytes = cs_conversion_add_bytes(&sums.received_bytes, cell->received_bytes);
    conversion->profile->sums = sums;
    return true;
}

static enum cs_status add_line(struct cs_conversion *conversion, struct cs_profile_cell cell, uint32_t communicator,
                               int64_t site)
{
    struct cs_profile_rows *profile = conversion->profile;
    if (!take(conversion, &cell))
        return CS_OK;
    if (!cs_array_grow(&profile->line, profile->lines, &profile->lines_room, sizeof *profile->line))
        return CS_NO_MEMORY;
    profile->line[profile->lines++] = (struct line){.site = site,
                                                    .region = cs_regions_find(conversion->regions, cell.region),
                                                    .communicator = communicator,
                                                    .cell = cell};
    return CS_OK;
}

enum cs_status cs_profile_rows_add_free(struct cs_conversion *conversion, const struct cs_fact_freed *fact)
{
    int64_t site;
    enum cs_status status = cs_sites_find(conversion->sites, fact->call_site, fact->fact.ticks, &site);
    if (status != CS_OK)
        return status;
    const struct cs_profile_cell cell = {.object = fact->object,
                                         .function = fact->function,
                                         .calls = fact->calls,
                                         .ticks = fact->call_ticks,
                                         .min_ticks = fact->call_ticks,
                                         .max_ticks = fact->call_ticks};
    return add_line(conversion, cell, fact->object, site);
}

static enum cs_status visit_cell(void *context, const void *visited)
{
    struct cs_conversion *conversion = context;
    const struct cs_profile_cell *cell = visited;
    if (conversion->finalize_open && cell->function == CS_MPI_Finalize)
        return CS_OK; /* its thread is inside it */
    int64_t site;
    enum cs_status status = cs_sites_find(conversion->sites, cell->site, CS_SITES_COUNTED, &site);
    return status == CS_OK
               ? add_line(conversion, *cell, cs_profile_rows_communicator(conversion->profile, cell->object), site)
               : status;
}

/* ---- rows ---- */

/* True if the time of a call is known. */
static bool is_timed(const struct cs_profile_cell *cell)
{
    return cell->calls && cell->min_ticks <= cell->max_ticks;
}

static void add_up(struct cs_profile_cell *sum, const struct cs_profile_cell *cell)
{
    if (is_timed(cell)) {
        bool first = !is_timed(sum);
        sum->min_ticks = !first && sum->min_ticks < cell->min_ticks ? sum->min_ticks : cell->min_ticks;
        sum->max_ticks = !first && sum->max_ticks > cell->max_ticks ? sum->max_ticks : cell->max_ticks;
    }
    sum->calls += cell->calls;
    sum->ticks += cell->ticks;
    sum->sent_bytes += cell->sent_bytes;
    sum->received_bytes += cell->received_bytes;
}

/* Goes through the sorted lines. */
struct walk {
    struct cs_conversion *conversion;
    int (*compare)(const void *left, const void *right);
    size_t at;
};

/* Makes the next row; *region: its region. Returns false at the end. */
static bool make_row(struct walk *walk, struct cs_row_profile *row, int64_t *region)
{
    struct cs_conversion *conversion = walk->conversion;
    const struct cs_profile_rows *profile = conversion->profile;
    if (walk->at >= profile->lines)
        return false;
    const struct line *first = &profile->line[walk->at];
    struct cs_profile_cell cell = first->cell;
    while (++walk->at < profile->lines && walk->compare(first, &profile->line[walk->at]) == 0)
        add_up(&cell, &profile->line[walk->at].cell);
    bool timed = is_timed(&cell);
    *region = first->region;
    *row = (struct cs_row_profile){
        .communicator = cs_int(first->communicator),
        .object = cs_int(cell.object == first->communicator ? 0 : cell.object),
        .function = cs_conversion_function(conversion, cell.function),
        .site = cs_int(first->site),
        .size_class = cs_int(cell.size_class),
        .calls = cs_int((int64_t)cell.calls),
        .time_ns = cs_int(cs_conversion_span(conversion, cell.ticks)),
        .min_ns = timed ? cs_int(cs_conversion_span(conversion, cell.min_ticks)) : cs_text(NULL),
        .max_ns = timed ? cs_int(cs_conversion_span(conversion, cell.max_ticks)) : cs_text(NULL),
        .sent_bytes = cs_int((int64_t)cell.sent_bytes),
        .received_bytes = cs_int((int64_t)cell.received_bytes),
    };
    return true;
}

static bool next_row(void *context, void *row)
{
    int64_t region;
    return make_row(context, row, &region);
}

static bool next_row_in_region(void *context, void *made)
{
    struct cs_row_profile row;
    int64_t region;
    if (!make_row(context, &row, &region))
        return false;
    *(struct cs_row_region_profile *)made = (struct cs_row_region_profile){
        .region = cs_int(region),
        .communicator = row.communicator,
        .object = row.object,
        .function = row.function,
        .site = row.site,
        .size_class = row.size_class,
        .calls = row.calls,
        .time_ns = row.time_ns,
        .min_ns = row.min_ns,
        .max_ns = row.max_ns,
        .sent_bytes = row.sent_bytes,
        .received_bytes = row.received_bytes,
    };
    return true;
}

/* The lines that are in no region come first. */
static enum cs_status write_regions(struct cs_conversion *conversion)
{
    struct cs_profile_rows *profile = conversion->profile;
    struct walk walk = {.conversion = conversion, .compare = compare_in_regions};
    qsort(profile->line, profile->lines, sizeof *profile->line, compare_in_regions);
    while (walk.at < profile->lines && !profile->line[walk.at].region)
        walk.at++;
    return walk.at == profile->lines
               ? CS_OK
               : cs_trace_fill(conversion->rows, CS_ROW_region_profile, next_row_in_region, &walk);
}

enum cs_status cs_profile_rows_write(struct cs_conversion *conversion)
{
    struct cs_profile_rows *profile = conversion->profile;
    if (profile->owners)
        qsort(profile->owner, profile->owners, sizeof *profile->owner, by_object);
    enum cs_status status = cs_journal_read_cells(conversion->reader, CS_BLOCK_PROFILE, visit_cell, conversion);
    if (status != CS_OK || !profile->lines)
        return status;
    qsort(profile->line, profile->lines, sizeof *profile->line, compare_lines);
    struct walk walk = {.conversion = conversion, .compare = compare_lines};
    status = cs_trace_fill(conversion->rows, CS_ROW_profile, next_row, &walk);
    return status == CS_OK && cs_regions_any(conversion->regions) ? write_regions(conversion) : status;
}
