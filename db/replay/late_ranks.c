#include "db/replay/late_ranks.h"

#include <stdlib.h>

#include "base/array.h"

/* A rank is late with so much more than the median. */
static const double late_factor = 1.03;

static int compare_numbers(const void *first, const void *second)
{
    const int64_t *a = first, *b = second;
    return cs_compare(*a, *b);
}

static double median_of(const struct cs_replay_rank *rank, size_t ranks)
{
    int64_t *sorted = calloc(ranks + 1, sizeof *sorted);
    if (!sorted)
        return 0;
    for (size_t i = 0; i < ranks; i++)
        sorted[i] = rank[i].useful_ns;
    qsort(sorted, ranks, sizeof *sorted, compare_numbers);
    double median = ranks ? ((double)sorted[(ranks - 1) / 2] + (double)sorted[ranks / 2]) / 2 : 0;
    free(sorted);
    return median;
}

size_t cs_late_ranks_find(const struct cs_replay *replay, struct cs_change change[CS_LATE_RANKS_MOST])
{
    size_t ranks, count = 0;
    const struct cs_replay_rank *rank = cs_replay_ranks(replay, &ranks);
    double median = median_of(rank, ranks);
    int64_t below = INT64_MAX;
    for (; count < CS_LATE_RANKS_MOST; count++) {
        const struct cs_replay_rank *most = NULL;
        for (size_t r = 0; r < ranks; r++)
            if (rank[r].useful_ns < below && (!most || rank[r].useful_ns > most->useful_ns))
                most = &rank[r];
        if (!most || (double)most->useful_ns < late_factor * median)
            break;
        below = most->useful_ns;
        change[count] = (struct cs_change){
            .kind = CS_CHANGE_RANK, .target = most->rank, .factor = median / (double)most->useful_ns};
    }
    return count;
}

static int add_gains(struct cs_replay *replay, struct cs_event_rows *rows)
{
    const struct cs_replay_facts *facts = cs_replay_facts(replay);
    struct cs_change change[CS_LATE_RANKS_MOST + 1] = {{.kind = CS_CHANGE_NOTHING}};
    int64_t length_ns[CS_LATE_RANKS_MOST + 1];
    size_t late = facts->events && facts->to_ns > facts->from_ns ? cs_late_ranks_find(replay, change + 1) : 0;
    int result = late ? cs_replay_run(replay, change, late + 1, length_ns) : SQLITE_OK;
    if (!late || result != SQLITE_OK || !cs_replay_explains(facts, length_ns[0]))
        return result;
    for (size_t i = 1; i <= late; i++) {
        struct cs_event_row *row = cs_event_rows_add(rows);
        if (!row)
            return SQLITE_NOMEM;
        row->value[0] = (struct cs_event_number){change[i].target, true};
        row->value[1] = (struct cs_event_number){length_ns[i], true};
        row->value[2] = (struct cs_event_number){facts->to_ns - facts->from_ns, true};
    }
    return SQLITE_OK;
}

static int find_gains(sqlite3 *db, void *context, struct cs_event_rows *rows)
{
    (void)context;
    struct cs_replay *replay;
    int result = cs_replay_open(db, &replay);
    if (result == SQLITE_OK)
        result = cs_replay_measure(replay);
    if (result == SQLITE_OK)
        result = add_gains(replay, rows);
    cs_replay_close(replay);
    return result;
}

const struct cs_event_finder cs_gains = {.find = find_gains};
