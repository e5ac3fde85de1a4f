#include "db/trace/event_ranges.h"

#include <stdlib.h>

#include "base/array.h"
#include "db/trace/each_row.h"

struct range {
    int64_t rank;
    int64_t from_ns, to_ns, left_ns, entered_ns, mpi_ns;
    bool found;
};

struct cs_event_ranges {
    const struct cs_partners *partners;
    struct range *range; /* of each thread of the pass, then of each rank that is read */
    size_t count, room, threads;
};

struct call {
    int64_t function, start_ns, end_ns, inside_ns;
};

static void add_call(struct range *range, const struct cs_partners *partners, const struct call *call)
{
    const struct cs_partner_function *function = cs_partners_function(partners, call->function);
    int64_t left_ns = function->lifecycle ? call->end_ns : call->start_ns;
    int64_t entered_ns = function->lifecycle ? call->start_ns : call->end_ns;
    bool first = !range->found;
    range->found = true;
    range->from_ns = first || call->start_ns < range->from_ns ? call->start_ns : range->from_ns;
    range->to_ns = first || call->end_ns > range->to_ns ? call->end_ns : range->to_ns;
    range->left_ns = first || left_ns < range->left_ns ? left_ns : range->left_ns;
    range->entered_ns = first || entered_ns > range->entered_ns ? entered_ns : range->entered_ns;
    if (function->known && !function->lifecycle)
        range->mpi_ns = cs_event_plus(range->mpi_ns, call->inside_ns);
}

void cs_event_ranges_take(struct cs_event_ranges *ranges, const struct cs_pass_thread *thread,
                          const struct cs_pass_event *event)
{
    struct range *range = &ranges->range[thread->index];
    range->rank = thread->rank;
    add_call(
        range, ranges->partners,
        &(struct call){event->has_function ? event->function : -1, event->start_ns, event->end_ns, event->inside_ns});
}

/* Rows come by rank. */
static int add_row(void *context, sqlite3_stmt *row)
{
    struct cs_event_ranges *ranges = context;
    int64_t rank = sqlite3_column_int64(row, 0);
    if (ranges->count == ranges->threads || ranges->range[ranges->count - 1].rank != rank) {
        if (!cs_array_grow(&ranges->range, ranges->count, &ranges->room, sizeof *ranges->range))
            return SQLITE_NOMEM;
        ranges->range[ranges->count++] = (struct range){.rank = rank};
    }
    add_call(&ranges->range[ranges->count - 1], ranges->partners,
             &(struct call){sqlite3_column_int64(row, 1), sqlite3_column_int64(row, 2), sqlite3_column_int64(row, 3),
                            sqlite3_column_int64(row, 4)});
    return SQLITE_OK;
}

#define READ                                                                                                           \
    "SELECT rank, coalesce(function, -1), start_ns, start_ns + duration_ns, coalesce(inside_ns, duration_ns)"          \
    " FROM main.event"

int cs_event_ranges_read(struct cs_event_ranges *ranges, sqlite3 *db, bool without_rank)
{
    return cs_each_row(db, without_rank ? READ " WHERE rank < 0 ORDER BY rank" : READ " ORDER BY rank", add_row,
                       ranges);
}

static int compare_ranges(const void *first, const void *second)
{
    const struct range *a = first, *b = second;
    return cs_compare(a->rank, b->rank);
}

/* Several threads of a rank have a row together. */
static void add_range(struct range *to, const struct range *range)
{
    to->from_ns = range->from_ns < to->from_ns ? range->from_ns : to->from_ns;
    to->to_ns = range->to_ns > to->to_ns ? range->to_ns : to->to_ns;
    to->left_ns = range->left_ns < to->left_ns ? range->left_ns : to->left_ns;
    to->entered_ns = range->entered_ns > to->entered_ns ? range->entered_ns : to->entered_ns;
    to->mpi_ns = cs_event_plus(to->mpi_ns, range->mpi_ns);
}

void cs_event_ranges_write(struct cs_event_ranges *ranges, struct cs_event_rows *rows)
{
    if (ranges->count)
        qsort(ranges->range, ranges->count, sizeof *ranges->range, compare_ranges);
    for (size_t i = 0, next; i < ranges->count; i = next) {
        struct range sum = ranges->range[i];
        for (next = i + 1; next < ranges->count && ranges->range[next].rank == sum.rank; next++)
            add_range(&sum, &ranges->range[next]);
        struct cs_event_row *row = cs_event_rows_add(rows);
        if (row)
            *row = (struct cs_event_row){{{sum.rank, true},
                                          {sum.from_ns, true},
                                          {sum.to_ns, true},
                                          {sum.left_ns, true},
                                          {sum.entered_ns, true},
                                          {sum.mpi_ns, true}}};
    }
}

struct cs_event_ranges *cs_event_ranges_create(const struct cs_pass *pass, const struct cs_partners *partners)
{
    struct cs_event_ranges *ranges = calloc(1, sizeof *ranges);
    if (!ranges)
        return NULL;
    size_t threads = pass ? cs_pass_threads(pass) : 0;
    *ranges = (struct cs_event_ranges){.partners = partners, .count = threads, .room = threads + 1, .threads = threads};
    ranges->range = calloc(ranges->room, sizeof *ranges->range);
    if (ranges->range)
        return ranges;
    free(ranges);
    return NULL;
}

void cs_event_ranges_free(struct cs_event_ranges *ranges)
{
    if (ranges)
        free(ranges->range);
    free(ranges);
}
