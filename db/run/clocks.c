#include "db/run/clocks.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "db/run/clock_lines.h"

/* Largest drift from clock 0: kernels correct the rate of a clock by at most this. */
#define DRIFT_MOST 500e-6

/* A clock with a line may get a better one from another clock, but trying all pairs of thousands of nodes takes too
   long. After this many bounds, only clocks without a line are tried. */
#define IMPROVING_BOUNDS 4000000u

/* Limits of work for bounds between clocks that are not neighbours in the tree: pairs of bounds, and passes over
   all. */
#define SWEEPING_PAIRS 200000000u
#define SWEEPS         50

/* ---- bounds ---- */

static int by_call(const void *left, const void *right)
{
    const struct cs_clock_bound *a = left, *b = right;
    if (a->communicator != b->communicator)
        return a->communicator < b->communicator ? -1 : 1;
    if (a->nth != b->nth)
        return a->nth < b->nth ? -1 : 1;
    return cs_compare(a->clock, b->clock);
}

static void take(struct cs_clock_bound *bound, const struct cs_clock_bound *other)
{
    bound->entered_ns = bound->entered_ns > other->entered_ns ? bound->entered_ns : other->entered_ns;
    bound->left_ns = bound->left_ns < other->left_ns ? bound->left_ns : other->left_ns;
}

size_t cs_clock_bounds_add_up(struct cs_clock_bound *bound, size_t count)
{
    size_t kept = 0;
    if (count)
        qsort(bound, count, sizeof *bound, by_call);
    for (size_t i = 0; i < count; i++)
        if (kept && by_call(&bound[kept - 1], &bound[i]) == 0)
            take(&bound[kept - 1], &bound[i]);
        else
            bound[kept++] = bound[i];
    return kept;
}

size_t cs_clock_bounds_join(struct cs_clock_bound *bound, size_t count)
{
    size_t kept = 0;
    count = cs_clock_bounds_add_up(bound, count);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && cs_clock_same_call(&bound[first], &bound[end]);)
            end++;
        for (size_t i = first; end - first > 1 && i < end; i++)
            bound[kept++] = bound[i];
    }
    return kept;
}

/* Joined bounds grouped by call and by clock. */
struct calls {
    const struct cs_clock_bound *bound;
    size_t bounds;
    size_t *group; /* for each bound: the first one of its call */
    size_t *own;   /* bounds of clock c: own[first[c]] to own[first[c + 1] - 1] */
    size_t *first;
};

/* Returns false without memory; to be freed in any case. */
static bool index_calls(struct calls *calls, size_t clocks, const struct cs_clock_bound *bound, size_t bounds)
{
    *calls = (struct calls){.bound = bound, .bounds = bounds};
    calls->group = calloc(bounds ? bounds : 1, sizeof *calls->group);
    calls->own = calloc(bounds ? bounds : 1, sizeof *calls->own);
    calls->first = calloc(clocks + 2, sizeof *calls->first);
    if (!calls->group || !calls->own || !calls->first)
        return false;
    for (size_t i = 0; i < bounds; i++) {
        calls->group[i] = i && cs_clock_same_call(&bound[i - 1], &bound[i]) ? calls->group[i - 1] : i;
        calls->first[bound[i].clock + 2]++;
    }
    for (size_t i = 2; i < clocks + 2; i++)
        calls->first[i] += calls->first[i - 1];
    /* Offsets are shifted by one; filling moves each to its place. */
    for (size_t i = 0; i < bounds; i++)
        calls->own[calls->first[bound[i].clock + 1]++] = i;
    return true;
}

static void free_calls(struct calls *calls)
{
    free(calls->group);
    free(calls->own);
    free(calls->first);
}

/* The end of the call whose bounds begin here. */
static size_t call_end(const struct calls *calls, size_t group)
{
    size_t end = group;
    while (end < calls->bounds && calls->group[end] == group)
        end++;
    return end;
}

/* ---- clocks while their lines are looked for ---- */

enum state { APART, REACHED, SETTLED };

/* A clock whose line is being computed, over its own span of time. */
struct node {
    double begin_ns, length_ns;
    double slope; /* largest difference of a line's ends */
    enum state state;
    struct cs_line line;      /* correction of the clock */
    struct cs_line low, high; /* limits of the true correction */
    double error, contradiction;
    bool bounded;
    bool root; /* root of a tree: it keeps its UTC */
};

struct solver {
    struct node *node;
    size_t nodes;
    struct calls calls;
    size_t looked; /* bounds that were examined */
};

/* ---- instants and lines ---- */

/* The elapsed part of the clock's span at an instant. */
static double part(const struct node *node, int64_t ns)
{
    return ((double)ns - node->begin_ns) / node->length_ns;
}

/* Converts an instant of a clock to the run's. */
static double corrected(const struct solver *solver, uint32_t clock, int64_t ns)
{
    const struct node *node = &solver->node[clock];
    return (double)ns + cs_line_at(node->line, part(node, ns));
}

static double distance(const struct node *node)
{
    return fmax(fmax(node->line.begin - node->low.begin, node->high.begin - node->line.begin),
                fmax(node->line.end - node->low.end, node->high.end - node->line.end));
}

/* Gives the clock the line that its limits leave, if that is more exact than its current one. from: the other clock
   of the limits. */
static void reach(struct node *node, const struct node *from, const struct cs_limit *limit, size_t count)
{
    if (!cs_limits_bind(limit, count))
        return;
    struct node found = *node;
    found.state = REACHED;
    found.bounded = from->bounded;
    found.contradiction = 0;
    struct cs_line_set set = cs_limits_keep(limit, count, node->slope);
    if (!set.corners)
        set = cs_limits_nearly_keep(limit, count, node->slope, &found.contradiction);
    if (!set.corners)
        return;
    found.line = cs_line_set_middle(&set);
    cs_line_set_range(&set, &found.low, &found.high);
    double unsure = from->error + from->contradiction;
    found.low = (struct cs_line){found.low.begin - unsure, found.low.end - unsure};
    found.high = (struct cs_line){found.high.begin + unsure, found.high.end + unsure};
    found.error = distance(&found);
    if (node->state == APART || found.error < node->error)
        *node = found;
}

/* ---- the tree ---- */

static int by_clock(const void *left, const void *right)
{
    const struct cs_limit *a = left, *b = right;
    if (a->clock != b->clock)
        return a->clock < b->clock ? -1 : 1;
    return a->communicator < b->communicator ? -1 : a->communicator > b->communicator;
}

/* The last enter and the first leave by others; infinite: no other rank counts. */
struct others {
    double entered, left;
};

static void see_other(const struct solver *solver, struct others *others, const struct cs_clock_bound *bound)
{
    if (cs_clock_has_entered(bound))
        others->entered = fmax(others->entered, corrected(solver, bound->clock, bound->entered_ns));
    if (cs_clock_has_left(bound))
        others->left = fmin(others->left, corrected(solver, bound->clock, bound->left_ns));
}

/* Adds the limits from a call for a clock, given the times of others. */
static bool add_call(const struct solver *solver, struct cs_limits *limits, const struct cs_clock_bound *bound,
                     struct others others)
{
    const struct node *node = &solver->node[bound->clock];
    bool good = true;
    struct cs_limit limit = {.communicator = bound->communicator, .clock = bound->clock};
    if (cs_clock_has_left(bound) && isfinite(others.entered)) {
        limit.above = true;
        limit.at = part(node, bound->left_ns);
        limit.height = others.entered - (double)bound->left_ns - 2 * CS_CLOCK_SLACK_NS;
        good = cs_limits_add(limits, limit);
    }
    if (cs_clock_has_entered(bound) && isfinite(others.left)) {
        limit.above = false;
        limit.at = part(node, bound->entered_ns);
        limit.height = others.left - (double)bound->entered_ns + 2 * CS_CLOCK_SLACK_NS;
        good = good && cs_limits_add(limits, limit);
    }
    return good;
}

/* Gathers limits for all unsettled clocks from the calls that they share with this one. */
static bool gather(struct solver *solver, uint32_t clock, struct cs_limits *limits)
{
    bool improving = solver->looked < IMPROVING_BOUNDS;
    limits->count = 0;
    for (size_t i = solver->calls.first[clock]; i < solver->calls.first[clock + 1]; i++) {
        size_t group = solver->calls.group[solver->calls.own[i]];
        struct others settled = {-INFINITY, INFINITY};
        see_other(solver, &settled, &solver->calls.bound[solver->calls.own[i]]);
        for (size_t other = group; other < solver->calls.bounds && solver->calls.group[other] == group; other++) {
            enum state state = solver->node[solver->calls.bound[other].clock].state;
            if (state == SETTLED || (state == REACHED && !improving))
                continue;
            if (!add_call(solver, limits, &solver->calls.bound[other], settled))
                return false;
        }
    }
    solver->looked += limits->count;
    if (limits->count)
        qsort(limits->limit, limits->count, sizeof *limits->limit, by_clock);
    return true;
}

static bool settle(struct solver *solver, uint32_t clock, struct cs_limits *limits)
{
    solver->node[clock].root = solver->node[clock].state == APART;
    solver->node[clock].state = SETTLED;
    if (!gather(solver, clock, limits))
        return false;
    for (size_t i = 0, end; i < limits->count; i = end) {
        uint32_t other = limits->limit[i].clock;
        for (end = i + 1; end < limits->count && limits->limit[end].clock == other;)
            end++;
        reach(&solver->node[other], &solver->node[clock], limits->limit + i, end - i);
    }
    return true;
}

/* Chooses the reached clock that is known best, else the first unreached one, which keeps its UTC. */
static bool choose(const struct solver *solver, uint32_t *chosen)
{
    const struct node *best = NULL, *apart = NULL;
    for (size_t i = 0; i < solver->nodes; i++) {
        const struct node *node = &solver->node[i];
        if (node->state == REACHED && (!best || node->error < best->error))
            best = node;
        if (node->state == APART && !apart)
            apart = node;
    }
    best = best ? best : apart;
    if (best)
        *chosen = (uint32_t)(best - solver->node);
    return best;
}

static bool grow_tree(struct solver *solver)
{
    struct cs_limits limits = {0};
    uint32_t clock;
    bool good = true;
    if (solver->nodes)
        solver->node[0].bounded = true;
    while (good && choose(solver, &clock))
        good = settle(solver, clock, &limits);
    free(limits.limit);
    return good;
}

/* ---- bounds between clocks that are not neighbours in the tree ---- */

static bool gather_all(const struct solver *solver, uint32_t clock, struct cs_limits *limits)
{
    limits->count = 0;
    for (size_t i = solver->calls.first[clock]; i < solver->calls.first[clock + 1]; i++) {
        size_t group = solver->calls.group[solver->calls.own[i]];
        struct others others = {-INFINITY, INFINITY};
        for (size_t other = group; other < solver->calls.bounds && solver->calls.group[other] == group; other++)
            if (solver->calls.bound[other].clock != clock)
                see_other(solver, &others, &solver->calls.bound[other]);
        if (!add_call(solver, limits, &solver->calls.bound[solver->calls.own[i]], others))
            return false;
    }
    return true;
}

static bool may_be_true(const struct node *node, struct cs_line line)
{
    return line.begin >= node->low.begin && line.begin <= node->high.begin && line.end >= node->low.end &&
           line.end <= node->high.end;
}

/* Moves the clock to where it meets all bounds with all others, or violates them least, among its possible lines.
   The others follow in their turn. Returns false without memory; *moved: it was moved. */
static bool adjust(const struct solver *solver, uint32_t clock, struct cs_limits *limits, bool *moved)
{
    struct node *node = &solver->node[clock];
    bool keeps_all = true;
    if (node->root)
        return true;
    if (!gather_all(solver, clock, limits))
        return false;
    for (size_t i = 0; i < limits->count && keeps_all; i++)
        keeps_all = cs_limit_is_kept(&limits->limit[i], node->line);
    if (keeps_all)
        return true;
    struct cs_line_set set = cs_limits_keep(limits->limit, limits->count, node->slope);
    if (!set.corners)
        set = cs_limits_miss(limits->limit, limits->count, node->slope);
    if (set.corners && may_be_true(node, cs_line_set_middle(&set))) {
        node->line = cs_line_set_middle(&set);
        node->error = distance(node);
        *moved = true;
    }
    return true;
}

static bool sweep(struct solver *solver)
{
    struct cs_limits limits = {0};
    size_t pairs = 0;
    bool good = true, moved = true;
    for (size_t group = 0, end; group < solver->calls.bounds; group = end) {
        end = call_end(&solver->calls, group);
        pairs += (end - group) * (end - group);
    }
    for (int i = 0; i < SWEEPS && good && moved && pairs < SWEEPING_PAIRS; i++) {
        moved = false;
        for (uint32_t clock = 1; clock < solver->nodes && good; clock++)
            good = adjust(solver, clock, &limits, &moved);
    }
    free(limits.limit);
    return good;
}

/* ---- bounds that the lines do not keep ---- */

/* The last enter and the first leave that are certain, and those of another clock. */
struct ends {
    double entered[2], left[2];
    const struct cs_clock_bound *by_entered[2], *by_left[2];
};

static void see_end(double value, const struct cs_clock_bound *by, double best[2],
                    const struct cs_clock_bound *by_best[2])
{
    if (value > best[0]) {
        best[1] = best[0];
        by_best[1] = by_best[0];
        best[0] = value;
        by_best[0] = by;
    } else if (value > best[1]) {
        best[1] = value;
        by_best[1] = by;
    }
}

/* Converts an instant of a clock to the run's. */
static double instant_of_run(const struct cs_clock *clock, int64_t ns)
{
    return (double)ns + clock->offset_ns + clock->drift * (double)ns;
}

static struct ends find_ends(const struct cs_clock *clock, const struct cs_clock_bound *bound, size_t count)
{
    struct ends ends = {.entered = {-INFINITY, -INFINITY}, .left = {-INFINITY, -INFINITY}};
    for (size_t i = 0; i < count; i++) {
        const struct cs_clock *of = &clock[bound[i].clock];
        double unsure = of->error_ns + CS_CLOCK_SLACK_NS;
        if (cs_clock_has_entered(&bound[i]))
            see_end(instant_of_run(of, bound[i].entered_ns) - unsure, &bound[i], ends.entered, ends.by_entered);
        if (cs_clock_has_left(&bound[i]))
            see_end(-instant_of_run(of, bound[i].left_ns) - unsure, &bound[i], ends.left, ends.by_left);
    }
    return ends;
}

/* Clock 0 is right by definition, so a contradiction belongs to the other clock. */
static void see_contradiction(struct cs_clock *clock, uint32_t one, uint32_t other, double ns)
{
    if (one == other || !(ns > CS_LIMIT_PRECISION_NS))
        return;
    if (one)
        clock[one].contradiction_ns = fmax(clock[one].contradiction_ns, ns);
    if (other)
        clock[other].contradiction_ns = fmax(clock[other].contradiction_ns, ns);
}

/* For clocks with lines and errors: raises contradiction_ns to the largest time by which a rank certainly left a
   call before another entered it, and raises error_ns by it. */
static void find_contradictions(struct cs_clock *clock, size_t clocks, const struct cs_clock_bound *bound,
                                size_t bounds)
{
    for (size_t first = 0, end; first < bounds; first = end) {
        for (end = first + 1; end < bounds && cs_clock_same_call(&bound[first], &bound[end]);)
            end++;
        struct ends ends = find_ends(clock, bound + first, end - first);
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                if (isfinite(ends.entered[i]) && isfinite(ends.left[j]))
                    see_contradiction(clock, ends.by_entered[i]->clock, ends.by_left[j]->clock,
                                      ends.entered[i] + ends.left[j]);
    }
    for (size_t i = 0; i < clocks; i++)
        clock[i].error_ns += clock[i].contradiction_ns;
}

/* ---- all ---- */

static void see_instant(struct node *node, double ns)
{
    double end_ns = fmax(node->begin_ns + node->length_ns, ns);
    node->begin_ns = fmin(node->begin_ns, ns);
    node->length_ns = end_ns - node->begin_ns;
}

static void set_spans(struct solver *solver, const struct cs_clock *clock)
{
    for (size_t i = 0; i < solver->nodes; i++) {
        struct node *node = &solver->node[i];
        node->begin_ns = (double)clock[i].begin_ns;
        node->length_ns = fmax((double)clock[i].end_ns - node->begin_ns, 1);
    }
    for (size_t i = 0; i < solver->calls.bounds; i++) {
        const struct cs_clock_bound *bound = &solver->calls.bound[i];
        if (cs_clock_has_entered(bound))
            see_instant(&solver->node[bound->clock], (double)bound->entered_ns);
        if (cs_clock_has_left(bound))
            see_instant(&solver->node[bound->clock], (double)bound->left_ns);
    }
    for (size_t i = 0; i < solver->nodes; i++)
        solver->node[i].slope = DRIFT_MOST * solver->node[i].length_ns;
}

static void tell(const struct solver *solver, struct cs_clock *clock)
{
    for (size_t i = 0; i < solver->nodes; i++) {
        const struct node *node = &solver->node[i];
        clock[i].drift = (node->line.end - node->line.begin) / node->length_ns;
        clock[i].offset_ns = node->line.begin - clock[i].drift * node->begin_ns;
        clock[i].bounded = node->bounded;
        clock[i].error_ns = node->error;
        clock[i].contradiction_ns = node->contradiction;
    }
}

bool cs_clocks_solve(struct cs_clock *clock, size_t clocks, const struct cs_clock_bound *bound, size_t bounds)
{
    struct solver solver = {.nodes = clocks, .node = calloc(clocks ? clocks : 1, sizeof *solver.node)};
    for (size_t i = 0; i < clocks; i++) {
        clock[i].offset_ns = clock[i].drift = clock[i].error_ns = clock[i].contradiction_ns = 0;
        clock[i].bounded = i == 0;
    }
    bool good = solver.node && index_calls(&solver.calls, clocks, bound, bounds);
    if (good)
        set_spans(&solver, clock);
    good = good && grow_tree(&solver) && sweep(&solver);
    if (good) {
        tell(&solver, clock);
        find_contradictions(clock, clocks, bound, bounds);
    }
    free(solver.node);
    free_calls(&solver.calls);
    return good;
}
