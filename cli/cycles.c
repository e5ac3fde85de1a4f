#include "cli/cycles.h"

#include <stdlib.h>

#include "base/array.h"

struct edge {
    int64_t from, to;
};

struct graph {
    struct edge *edge;
    size_t count, room;
};

enum mark { UNSEEN, ON_PATH, DONE };

/* A node of the path: an edge that leads from it, and where the search among its edges goes on. */
struct step {
    size_t first, next;
};

/* A walk through a graph, depth first. The mark of a node stands at its first edge: a node without edges is on no
   cycle. */
struct walk {
    const struct graph *graph;
    unsigned char *mark;
    struct step *path;
    size_t depth;
    sqlite3_str *text;
    size_t cycles;
};

static int by_nodes(const void *left, const void *right)
{
    const struct edge *a = left, *b = right;
    int order = cs_compare(a->from, b->from);
    return order ? order : cs_compare(a->to, b->to);
}

/* The first edge from the node; the number of edges if there is none. */
static size_t first_edge(const struct graph *graph, int64_t node)
{
    size_t low = 0, high = graph->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (graph->edge[middle].from < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low < graph->count && graph->edge[low].from == node ? low : graph->count;
}

/* The end of the path, from the node whose first edge is given, is a cycle: writes it and takes it off the path. Its
   nodes are done with: of cycles that share one, one is enough. */
static void take_cycle(struct walk *walk, size_t first)
{
    size_t begin = walk->depth - 1;
    while (begin > 0 && walk->path[begin].first != first)
        begin--;
    sqlite3_str_appendall(walk->text, walk->cycles++ ? ",[" : "[");
    for (size_t i = begin; i < walk->depth; i++) {
        size_t node = walk->path[i].first;
        walk->mark[node] = DONE;
        sqlite3_str_appendf(walk->text, i == begin ? "%lld" : ",%lld", (long long)walk->graph->edge[node].from);
    }
    sqlite3_str_appendchar(walk->text, 1, ']');
    walk->depth = begin;
}

static void step_to(struct walk *walk, size_t first)
{
    walk->mark[first] = ON_PATH;
    walk->path[walk->depth++] = (struct step){.first = first, .next = first};
}

static void walk_from(struct walk *walk, size_t first)
{
    const struct graph *graph = walk->graph;
    step_to(walk, first);
    while (walk->depth > 0) {
        struct step *here = &walk->path[walk->depth - 1];
        if (here->next == graph->count || graph->edge[here->next].from != graph->edge[here->first].from) {
            walk->mark[here->first] = DONE;
            walk->depth--;
            continue;
        }
        size_t next = first_edge(graph, graph->edge[here->next++].to);
        if (next < graph->count && walk->mark[next] == UNSEEN)
            step_to(walk, next);
        else if (next < graph->count && walk->mark[next] == ON_PATH)
            take_cycle(walk, next);
    }
}

static void cycles_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    struct graph *graph = sqlite3_aggregate_context(context, sizeof *graph);
    if (!graph || sqlite3_value_type(values[0]) == SQLITE_NULL || sqlite3_value_type(values[1]) == SQLITE_NULL)
        return;
    if (cs_array_grow(&graph->edge, graph->count, &graph->room, sizeof *graph->edge))
        graph->edge[graph->count++] =
            (struct edge){.from = sqlite3_value_int64(values[0]), .to = sqlite3_value_int64(values[1])};
    else
        sqlite3_result_error_nomem(context);
}

static void cycles_final(sqlite3_context *context)
{
    struct graph *graph = sqlite3_aggregate_context(context, 0);
    if (!graph || graph->count == 0) {
        sqlite3_result_text(context, "[]", -1, SQLITE_STATIC);
        return;
    }
    qsort(graph->edge, graph->count, sizeof *graph->edge, by_nodes);
    struct walk walk = {.graph = graph,
                        .mark = calloc(graph->count, sizeof *walk.mark),
                        .path = calloc(graph->count, sizeof *walk.path),
                        .text = sqlite3_str_new(NULL)};
    if (walk.mark && walk.path) {
        sqlite3_str_appendchar(walk.text, 1, '[');
        for (size_t i = 0; i < graph->count; i++)
            if (first_edge(graph, graph->edge[i].from) == i && walk.mark[i] == UNSEEN)
                walk_from(&walk, i);
        sqlite3_str_appendchar(walk.text, 1, ']');
    }
    char *made = sqlite3_str_finish(walk.text);
    if (made)
        sqlite3_result_text(context, made, -1, sqlite3_free);
    else
        sqlite3_result_error_nomem(context);
    free(walk.mark);
    free(walk.path);
    free(graph->edge);
}

enum cs_status cs_cycles_add(sqlite3 *db)
{
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    return sqlite3_create_function(db, "cycles", 2, flags, NULL, NULL, cycles_step, cycles_final) == SQLITE_OK ? CS_OK
                                                                                                               : CS_SQL;
}
