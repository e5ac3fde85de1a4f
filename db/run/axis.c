#include "db/run/axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "db/run/clocks.h"

/* If the difference of UTC and monotonic clock varies by more than this between ranks, they do not share these
   clocks: they run in different containers, or nodes have the same name. */
#define SAME_CLOCK_NS 1000000000

/* Limit for instants: no instant is 36 years from the zero of its run. */
#define INSTANT_MOST ((int64_t)1 << 60)

/* With so many bounds, equal ones are combined: the ranks of a node have the same calls. */
#define BOUNDS_FIRST ((size_t)1 << 20)

struct trace {
    bool known;
    bool one_clock; /* of one process; a merged run contains corrected clocks */
    uint32_t clock;
    int64_t on_clock_ns; /* instant 0 of the trace on its clock */
    int64_t utc_ns;      /* instant 0 by the trace's own UTC */
};

/* A clock counts from the zero of the axis, by UTC of the first rank that has it. */
struct clock {
    char *node;                   /* NULL: not known */
    bool shared;                  /* other ranks of that node use it, too */
    int64_t utc_ns, monotonic_ns; /* clocks at instant 0 of that rank; monotonic 0: unknown */
    struct cs_clock found;
};

struct cs_axis {
    struct trace *trace;
    size_t traces;
    struct clock *clock;
    size_t clocks, clock_room;
    int64_t zero_utc_ns; /* UTC at the zero of the axis; 0: not determined yet */
    struct cs_clock_bound *bound;
    size_t bounds, bound_room, add_up_at;
};

struct cs_axis *cs_axis_create(size_t traces)
{
    struct cs_axis *axis = calloc(1, sizeof *axis);
    if (!axis)
        return NULL;
    axis->trace = calloc(traces ? traces : 1, sizeof *axis->trace);
    axis->traces = traces;
    axis->add_up_at = BOUNDS_FIRST;
    if (axis->trace)
        return axis;
    free(axis);
    return NULL;
}

void cs_axis_destroy(struct cs_axis *axis)
{
    if (!axis)
        return;
    for (size_t i = 0; i < axis->clocks; i++)
        free(axis->clock[i].node);
    free(axis->clock);
    free(axis->trace);
    free(axis->bound);
    free(axis);
}

/* ---- whose clock a trace has ---- */

static bool same_node(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_its_clock(const struct clock *clock, const struct cs_clock_facts *about)
{
    if (!clock->shared || !same_node(clock->node, about->node))
        return false;
    if (!clock->monotonic_ns || !about->monotonic_ns)
        return true;
    int64_t apart = (clock->utc_ns - about->utc_ns) - (clock->monotonic_ns - about->monotonic_ns);
    return llabs(apart) < SAME_CLOCK_NS;
}

static bool find_clock(const struct cs_axis *axis, const struct cs_clock_facts *about, uint32_t *found)
{
    for (size_t i = axis->clocks; i-- > 0;)
        if (is_its_clock(&axis->clock[i], about)) {
            *found = (uint32_t)i;
            return true;
        }
    return false;
}

static bool add_clock(struct cs_axis *axis, const struct cs_clock_facts *about, uint32_t *added)
{
    if (!cs_array_grow(&axis->clock, axis->clocks, &axis->clock_room, sizeof *axis->clock))
        return false;
    char *node = about->node ? strdup(about->node) : NULL;
    if (about->node && !node)
        return false;
    *added = (uint32_t)axis->clocks;
    axis->clock[axis->clocks++] = (struct clock){.node = node,
                                                 .shared = about->processes == 1,
                                                 .utc_ns = about->utc_ns,
                                                 .monotonic_ns = about->monotonic_ns,
                                                 .found = {.begin_ns = INT64_MAX, .end_ns = INT64_MIN}};
    return true;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static bool place(struct cs_axis *axis, const struct cs_clock_facts *about, struct trace *trace)
{
    if (!axis->zero_utc_ns)
        axis->zero_utc_ns = about->utc_ns;
    trace->one_clock = about->processes == 1;
    /* A merged run has one axis already; it adds no information. */
    bool has_clock = trace->one_clock && find_clock(axis, about, &trace->clock);
    if (!has_clock && !add_clock(axis, about, &trace->clock))
        return false;
    struct clock *clock = &axis->clock[trace->clock];
    trace->utc_ns = about->utc_ns - axis->zero_utc_ns;
    trace->on_clock_ns = trace->utc_ns;
    if (clock->monotonic_ns && about->monotonic_ns)
        trace->on_clock_ns = clock->utc_ns - axis->zero_utc_ns + about->monotonic_ns - clock->monotonic_ns;
    clock->found.begin_ns = least(clock->found.begin_ns, trace->on_clock_ns + about->begin_ns);
    clock->found.end_ns = most(clock->found.end_ns, trace->on_clock_ns + about->end_ns);
    trace->known = true;
    return true;
}

/* ---- reading ---- */

/* Returns false only without memory. */
static bool read_process(struct cs_clock_facts *facts, sqlite3 *db)
{
    /* The ranks of a node's trace count from one zero of their common clock. */
    static const char sql[] =
        "SELECT CASE WHEN count(*) > 1 AND count(DISTINCT node) = 1 AND count(node) = count(*)"
        " AND min(zero_monotonic_ns) = max(zero_monotonic_ns) AND count(clock_drift_ppb) = 0 THEN 1 ELSE count(*) END,"
        " (SELECT zero_utc_ns FROM main.process WHERE zero_utc_ns > 0 ORDER BY rank LIMIT 1),"
        " min(coalesce(init_ns, began_ns, 0)), max(coalesce(finalize_ns, last_seen_ns, 0)), min(node),"
        " (SELECT zero_monotonic_ns FROM main.process WHERE zero_utc_ns > 0 ORDER BY rank LIMIT 1)"
        " FROM main.process";
    sqlite3_stmt *query = NULL;
    bool good = true;
    sqlite3_prepare_v2(db, sql, -1, &query, NULL);
    if (query && sqlite3_step(query) == SQLITE_ROW) {
        const char *node = (const char *)sqlite3_column_text(query, 4);
        facts->processes = sqlite3_column_int64(query, 0);
        facts->utc_ns = sqlite3_column_int64(query, 1);
        facts->begin_ns = sqlite3_column_int64(query, 2);
        facts->end_ns = sqlite3_column_int64(query, 3);
        facts->monotonic_ns = sqlite3_column_int64(query, 5);
        facts->node = node ? strdup(node) : NULL;
        good = !node || facts->node;
    }
    sqlite3_finalize(query);
    return good;
}

static bool add_passage(struct cs_clock_facts *facts, sqlite3_stmt *row)
{
    if (!cs_array_grow(&facts->passage, facts->passages, &facts->room, sizeof *facts->passage))
        return false;
    facts->passage[facts->passages++] =
        (struct cs_clock_passage){.communicator = sqlite3_column_int64(row, 0),
                                  .nth = sqlite3_column_int64(row, 1),
                                  .entered_ns = sqlite3_column_int64(row, 2),
                                  .left_ns = sqlite3_column_int64(row, 3),
                                  .has_entered = sqlite3_column_type(row, 2) != SQLITE_NULL,
                                  .has_left = sqlite3_column_type(row, 3) != SQLITE_NULL};
    return true;
}

/* If calls of a rank bypassed callsign, it may have counted fewer than the others. The condition is that of the view
   bypassing_processes: a file of one rank has no views. */
static bool read_passages(struct cs_clock_facts *facts, sqlite3 *db)
{
    static const char list[] =
        "SELECT o.uid, s.nth, s.entered_ns, s.left_ns FROM main.synchronization s JOIN main.object o"
        " ON o.rank = s.rank AND o.object = s.communicator AND o.uid IS NOT NULL"
        " WHERE NOT EXISTS (SELECT 1 FROM main.meta m JOIN main.process p ON p.rank = m.rank"
        " WHERE m.key = 'not_recorded' OR (m.key = 'may_bypass' AND p.outcome <> 'finalized'))";
    sqlite3_stmt *rows = NULL;
    bool good = true;
    sqlite3_prepare_v2(db, list, -1, &rows, NULL);
    while (good && rows && sqlite3_step(rows) == SQLITE_ROW)
        good = add_passage(facts, rows);
    sqlite3_finalize(rows);
    return good;
}

bool cs_clock_facts_read(struct cs_clock_facts *facts, sqlite3 *db)
{
    free(facts->node);
    *facts = (struct cs_clock_facts){.passage = facts->passage, .room = facts->room};
    return read_process(facts, db) && (facts->processes != 1 || read_passages(facts, db));
}

void cs_clock_facts_free(struct cs_clock_facts *facts)
{
    free(facts->node);
    free(facts->passage);
    *facts = (struct cs_clock_facts){0};
}

/* ---- adding ---- */

static bool in_range(int64_t ns)
{
    return ns > -INSTANT_MOST && ns < INSTANT_MOST;
}

static bool add_bound(struct cs_axis *axis, const struct trace *trace, const struct cs_clock_passage *passage)
{
    struct cs_clock_bound bound = {.communicator = (uint64_t)passage->communicator,
                                   .nth = (uint64_t)passage->nth,
                                   .clock = trace->clock,
                                   .entered_ns = INT64_MIN,
                                   .left_ns = INT64_MAX};
    if (!in_range(passage->entered_ns) || !in_range(passage->left_ns) || !in_range(trace->on_clock_ns))
        return true;
    if (passage->has_entered)
        bound.entered_ns = trace->on_clock_ns + passage->entered_ns;
    if (passage->has_left)
        bound.left_ns = trace->on_clock_ns + passage->left_ns;
    if (axis->bounds >= axis->add_up_at) {
        axis->bounds = cs_clock_bounds_add_up(axis->bound, axis->bounds);
        axis->add_up_at = 2 * axis->bounds > BOUNDS_FIRST ? 2 * axis->bounds : BOUNDS_FIRST;
    }
    if (!cs_array_grow(&axis->bound, axis->bounds, &axis->bound_room, sizeof bound))
        return false;
    axis->bound[axis->bounds++] = bound;
    return true;
}

bool cs_axis_add(struct cs_axis *axis, const struct cs_clock_facts *facts, size_t number)
{
    struct trace *trace = &axis->trace[number];
    if (facts->processes && facts->utc_ns > 0 && in_range(facts->begin_ns) && in_range(facts->end_ns) &&
        in_range(facts->monotonic_ns) && !place(axis, facts, trace))
        return false;
    bool good = true;
    for (size_t i = 0; good && trace->known && trace->one_clock && i < facts->passages; i++)
        good = add_bound(axis, trace, &facts->passage[i]);
    return good;
}

/* ---- the answer ---- */

void cs_axis_solve(struct cs_axis *axis)
{
    struct cs_clock *clock = calloc(axis->clocks ? axis->clocks : 1, sizeof *clock);
    for (size_t i = 0; clock && i < axis->clocks; i++)
        clock[i] = axis->clock[i].found;
    if (clock) {
        axis->bounds = cs_clock_bounds_join(axis->bound, axis->bounds);
        cs_clocks_solve(clock, axis->clocks, axis->bound, axis->bounds);
    }
    for (size_t i = 0; clock && i < axis->clocks; i++)
        axis->clock[i].found = clock[i];
    free(clock);
}

bool cs_axis_shift(const struct cs_axis *axis, size_t number, struct cs_axis_shift *shift)
{
    const struct trace *trace = &axis->trace[number];
    if (!trace->known)
        return false;
    const struct cs_clock *clock = &axis->clock[trace->clock].found;
    double wrong_ns = clock->offset_ns + clock->drift * (double)trace->on_clock_ns;
    if (!(fabs(wrong_ns) < (double)INSTANT_MOST))
        return false;
    *shift = (struct cs_axis_shift){.offset_ns = trace->on_clock_ns + llround(wrong_ns),
                                    .drift = clock->drift,
                                    .one_clock = trace->one_clock,
                                    .bounded = clock->bounded,
                                    .error_ns = clock->error_ns,
                                    .contradiction_ns = clock->contradiction_ns};
    shift->correction_ns = (double)(shift->offset_ns - trace->utc_ns);
    return true;
}
