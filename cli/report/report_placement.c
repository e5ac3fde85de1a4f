/* The report placement: a summary with the unknown parts; a map of nodes, packages, NUMA nodes and cores with the
 * ranks that made most of their calls there; then findings. Nodes of equal shape share a part of the map, which
 * shows the first of them. With many shapes, fewer properties must be equal. The report fits on a page for every
 * run: long lists are cut. */
#include "cli/report/report_placement.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/report/report_print.h"
#include "cli/rows/rows.h"
#include "reports_sql.h"

enum {
    PARTS = 5,             /* parts of the map, at most */
    BOXES_OF_ALL = 12,     /* boxes of all parts together, about */
    BOXES_LEAST = 2,       /* boxes of a part that are always shown */
    LINES_OF_SMALL = 20,   /* in a map of at most so many lines each core has its own */
    RANKS_OF_SMALL = 32,   /* a run of at most so many ranks may have three times the lines of findings */
    NAME_CHARACTERS = 64,  /* characters of a node's name */
    RANKS_CHARACTERS = 60, /* characters of a list of ranks */
    UNITS_CHARACTERS = 40, /* characters of a list of cores */
};

/* ---- the summary ---- */

static void add_binding(struct cs_phrase *line, struct cs_rows *row)
{
    int64_t ranks = cs_rows_integer(row, "ranks"), bound = cs_rows_integer(row, "bound");
    if (cs_rows_integer(row, "bindings") == 0)
        cs_phrase_add(line, "binding unknown");
    else if (bound == 0)
        cs_phrase_add(line, "no rank bound");
    else if (bound < ranks)
        cs_phrase_add_count(line, bound, "rank bound", "ranks bound");
    else if (cs_rows_integer(row, "bound_to_core") == ranks)
        cs_phrase_add(line, "all bound to a core");
    else if (cs_rows_integer(row, "bound_to_package") == ranks)
        cs_phrase_add(line, "all bound to a package");
    else
        cs_phrase_add(line, "all bound");
}

static void add_troubles(struct cs_phrase *line, struct cs_rows *row, const char *units)
{
    int64_t nodes = cs_rows_integer(row, "nodes"), crowded = cs_rows_integer(row, "oversubscribed_nodes");
    int64_t elsewhere = cs_rows_integer(row, "elsewhere");
    if (crowded) {
        cs_phrase_add(line, "oversubscribed %.3gx", cs_rows_real(row, "load"));
        if (crowded < nodes) {
            cs_phrase_add(line, " on ");
            cs_phrase_add_count(line, crowded, "node", "nodes");
        }
        cs_phrase_add(line, "; ");
    }
    if (cs_rows_integer(row, "quota_nodes")) {
        cs_phrase_add(line, "CPU quota of %.3g for %" PRId64 " %s in use", cs_rows_real(row, "cpu_quota"),
                      cs_rows_integer(row, "quota_cores"), units);
        if (nodes > 1) {
            cs_phrase_add(line, " on ");
            cs_phrase_add_count(line, cs_rows_integer(row, "quota_nodes"), "node", "nodes");
        }
        cs_phrase_add(line, "; ");
    }
    if (elsewhere) {
        cs_phrase_add(line, "memory of ");
        cs_phrase_add_count(line, elsewhere, "rank", "ranks");
        cs_phrase_add(line, " bound to another NUMA node; ");
    }
}

/* "8 ranks on 2 nodes, 6 cores: oversubscribed 2x; " */
static void add_load(struct cs_phrase *line, struct cs_rows *row)
{
    bool cores = cs_rows_integer(row, "cores_known");
    const char *units = cores ? "cores" : "processors";
    cs_phrase_add_count(line, cs_rows_integer(row, "ranks"), "rank", "ranks");
    cs_phrase_add(line, " on ");
    cs_phrase_add_count(line, cs_rows_integer(row, "nodes"), "node", "nodes");
    cs_phrase_add(line, ", ");
    if (cs_rows_has(row, "cores")) {
        cs_phrase_add_count(line, cs_rows_integer(row, "cores"), cores ? "core" : "processor", units);
        if (cs_rows_integer(row, "unknown_nodes")) {
            cs_phrase_add(line, " (unknown on ");
            cs_phrase_add_count(line, cs_rows_integer(row, "unknown_nodes"), "node)", "nodes)");
        }
    } else {
        cs_phrase_add(line, "cores unknown");
    }
    cs_phrase_add(line, ": ");
    add_troubles(line, row, units);
}

static void add_summary(struct cs_phrase *line, struct cs_rows *row)
{
    if (cs_rows_integer(row, "ranks") == 0) {
        cs_phrase_add(line, "No rank is recorded");
        return;
    }
    add_load(line, row);
    add_binding(line, row);
}

void cs_placement_add_finding(struct cs_phrase *line, struct cs_rows *row)
{
    add_load(line, row);
    if (cs_rows_has(row, "waiting_percent")) {
        cs_phrase_add(line, "ranks wait ");
        cs_phrase_add_percent(line, cs_rows_real(row, "waiting_percent"));
        cs_phrase_add(line, " of their time outside MPI for a core: report why");
    } else if (cs_rows_integer(row, "bound")) {
        add_binding(line, row);
    } else if (line->length > 2) { /* without the last "; " */
        line->text[line->length -= 2] = '\0';
    }
}

/* ---- who ran where ---- */

struct slot {
    int64_t rank, moves;
    bool has_allowed, has_unit, wide;
    int bound;    /* index of bound_words; -1: unknown */
    char *memory; /* "memory on NUMA node 0, processor on NUMA node 1"; NULL: it is not elsewhere */
};

/* A core, or a processor if cores are unknown. */
struct place {
    int64_t unit;
    bool has_unit;
    size_t box, slot, slots;
};

/* A package, or the part of it in a NUMA node. */
struct box {
    char *package, *numa_node; /* NULL: not known */
    int64_t cores;             /* cores of the package; 0: unknown */
    bool known;                /* the cores of its ranks are known */
    size_t node, slot, slots, place, places;
};

struct node {
    char *name, *processor_name, *shape;
    int64_t first; /* its least rank */
    size_t slot, slots, box, boxes;
};

/* Nodes of equal shape. */
struct part {
    const struct node *first;
    size_t nodes;
};

/* Seats, places, boxes and nodes in the same order, each group a range of the one before. */
struct map {
    struct slot *slot;
    struct place *place;
    struct box *box;
    struct node *node;
    struct part *part;
    size_t slots, places, boxes, nodes, parts;
    size_t slots_room, places_room, boxes_room, nodes_room;
    int level;        /* property that nodes of a part share: 1 cores, 2 packages, 3 the number of ranks */
    int64_t *numbers; /* has room for all ranks */
    bool failed;      /* out of memory */
};

static const struct {
    const char *value, *words;
} bound_words[] = {{"no", "not bound"},
                   {"part", "to a part of the node"},
                   {"packages", "to several packages"},
                   {"package", "to a package"},
                   {"core", "to a core"}};

static const char *node_name(const struct node *node)
{
    return node->name ? node->name : "unnamed node";
}

/* A copy; NULL for NULL. */
static char *keep(struct map *map, const char *text)
{
    char *copy = text ? strdup(text) : NULL;
    map->failed |= text && !copy;
    return copy;
}

static struct node *add_node(struct map *map, struct cs_rows *row)
{
    if (!cs_array_grow(&map->node, map->nodes, &map->nodes_room, sizeof *map->node))
        return NULL;
    map->node[map->nodes] = (struct node){.name = keep(map, cs_rows_text(row, "name")),
                                          .first = cs_rows_integer(row, "rank"),
                                          .slot = map->slots,
                                          .box = map->boxes};
    return &map->node[map->nodes++];
}

static struct box *add_box(struct map *map, struct cs_rows *row)
{
    if (!cs_array_grow(&map->box, map->boxes, &map->boxes_room, sizeof *map->box))
        return NULL;
    map->box[map->boxes] = (struct box){.package = keep(map, cs_rows_text(row, "package")),
                                        .numa_node = keep(map, cs_rows_text(row, "numa_node")),
                                        .cores = cs_rows_integer(row, "cores"),
                                        .known = cs_rows_integer(row, "known"),
                                        .node = map->nodes - 1,
                                        .slot = map->slots,
                                        .place = map->places};
    map->node[map->nodes - 1].boxes++;
    return &map->box[map->boxes++];
}

static struct place *add_place(struct map *map, struct cs_rows *row)
{
    if (!cs_array_grow(&map->place, map->places, &map->places_room, sizeof *map->place))
        return NULL;
    map->place[map->places] = (struct place){.unit = cs_rows_integer(row, "unit"),
                                             .has_unit = cs_rows_has(row, "unit"),
                                             .box = map->boxes - 1,
                                             .slot = map->slots};
    map->box[map->boxes - 1].places++;
    return &map->place[map->places++];
}

static int find_bound(const char *bound)
{
    for (size_t i = 0; bound && i < sizeof bound_words / sizeof *bound_words; i++)
        if (strcmp(bound, bound_words[i].value) == 0)
            return (int)i;
    return -1;
}

static char *memory_of(struct map *map, struct cs_rows *row)
{
    if (!cs_rows_integer(row, "memory_elsewhere"))
        return NULL;
    struct cs_phrase words = {0};
    cs_phrase_add(&words, "memory on NUMA node ");
    cs_phrase_add_part(&words, cs_rows_text(row, "bound_memory_nodes"), NAME_CHARACTERS);
    cs_phrase_add(&words, ", processor on NUMA node %" PRId64, cs_rows_integer(row, "numa_node"));
    map->failed |= words.failed;
    return words.text;
}

static void add_slot(struct map *map, struct cs_rows *row)
{
    struct node *node = &map->node[map->nodes - 1];
    const char *processor_name = cs_rows_text(row, "processor_name");
    if (!cs_array_grow(&map->slot, map->slots, &map->slots_room, sizeof *map->slot)) {
        map->failed = true;
        return;
    }
    map->slot[map->slots++] = (struct slot){.rank = cs_rows_integer(row, "rank"),
                                            .moves = cs_rows_integer(row, "moves"),
                                            .has_allowed = cs_rows_integer(row, "has_allowed"),
                                            .has_unit = cs_rows_has(row, "unit"),
                                            .wide = cs_rows_integer(row, "wide"),
                                            .bound = find_bound(cs_rows_text(row, "bound")),
                                            .memory = memory_of(map, row)};
    map->place[map->places - 1].slots++;
    map->box[map->boxes - 1].slots++;
    node->slots++;
    if (map->slot[map->slots - 1].rank < node->first)
        node->first = map->slot[map->slots - 1].rank;
    /* If names differ from the node's, the first of them in order is kept. */
    if (processor_name && (!node->name || strcmp(processor_name, node->name) != 0) &&
        (!node->processor_name || strcmp(processor_name, node->processor_name) < 0)) {
        free(node->processor_name);
        node->processor_name = keep(map, processor_name);
    }
}

static enum cs_status load_map(sqlite3 *db, struct map *map)
{
    struct cs_rows row = cs_rows_begin(db, cs_sql_placement_slots);
    while (!map->failed && cs_rows_next(&row)) {
        if ((size_t)cs_rows_integer(&row, "nodes") > map->nodes && !add_node(map, &row))
            map->failed = true;
        else if ((size_t)cs_rows_integer(&row, "boxes") > map->boxes && !add_box(map, &row))
            map->failed = true;
        else if ((size_t)cs_rows_integer(&row, "places") > map->places && !add_place(map, &row))
            map->failed = true;
        else
            add_slot(map, &row);
    }
    map->numbers = calloc(map->slots + 1, sizeof *map->numbers);
    map->failed |= !map->numbers;
    enum cs_status status = cs_rows_end(&row);
    return status == CS_OK && map->failed ? CS_NO_MEMORY : status;
}

static void free_map(struct map *map)
{
    for (size_t i = 0; i < map->slots; i++)
        free(map->slot[i].memory);
    for (size_t i = 0; i < map->boxes; i++) {
        free(map->box[i].package);
        free(map->box[i].numa_node);
    }
    for (size_t i = 0; i < map->nodes; i++) {
        free(map->node[i].name);
        free(map->node[i].processor_name);
        free(map->node[i].shape);
    }
    free(map->slot);
    free(map->place);
    free(map->box);
    free(map->node);
    free(map->part);
    free(map->numbers);
}

/* ---- shapes and parts ---- */

static void write_shape(struct map *map, struct node *node, int level)
{
    struct cs_phrase shape = {0};
    if (level == 3)
        cs_phrase_add(&shape, "%zu", node->slots);
    for (size_t b = node->box; level < 3 && b < node->box + node->boxes; b++) {
        const struct box *box = &map->box[b];
        cs_phrase_add(&shape, " %s/%s/%d", box->package ? box->package : "", box->numa_node ? box->numa_node : "",
                      box->known);
        if (level == 2)
            cs_phrase_add(&shape, ":%zu", box->slots);
        for (size_t p = box->place; level == 1 && p < box->place + box->places; p++) {
            const struct place *place = &map->place[p];
            if (place->has_unit)
                cs_phrase_add(&shape, " %" PRId64, place->unit);
            cs_phrase_add(&shape, ":%zu", place->slots);
        }
    }
    map->failed |= shape.failed;
    free(node->shape);
    node->shape = shape.text;
}

static int by_shape(const void *left, const void *right)
{
    const struct node *a = *(const struct node *const *)left, *b = *(const struct node *const *)right;
    int order = strcmp(a->shape, b->shape);
    return order ? order : cs_compare(a->first, b->first);
}

static int by_first_rank(const void *left, const void *right)
{
    const struct part *a = left, *b = right;
    return cs_compare(a->first->first, b->first->first);
}

/* Makes parts of nodes that are equal on this level. */
static void make_parts(struct map *map, const struct node **sorted, int level)
{
    for (size_t i = 0; i < map->nodes; i++) {
        write_shape(map, &map->node[i], level);
        sorted[i] = &map->node[i];
    }
    if (map->failed)
        return;
    qsort(sorted, map->nodes, sizeof *sorted, by_shape);
    map->level = level;
    map->parts = 0;
    for (size_t i = 0; i < map->nodes; i++) {
        if (i == 0 || strcmp(sorted[i]->shape, sorted[i - 1]->shape) != 0)
            map->part[map->parts++] = (struct part){.first = sorted[i]};
        map->part[map->parts - 1].nodes++;
    }
}

static enum cs_status find_parts(struct map *map)
{
    const struct node **sorted = calloc(map->nodes + 1, sizeof *sorted);
    map->part = calloc(map->nodes + 1, sizeof *map->part);
    map->failed |= !sorted || !map->part;
    for (int level = 1; !map->failed && level <= 3 && (level == 1 || map->parts > PARTS); level++)
        make_parts(map, sorted, level);
    if (!map->failed)
        qsort(map->part, map->parts, sizeof *map->part, by_first_rank);
    free(sorted);
    return map->failed ? CS_NO_MEMORY : CS_OK;
}

/* ---- the map ---- */

/* Appends the ranks in map->numbers, with "rank" or "ranks" before them if `word`. */
static void add_numbers(struct cs_phrase *line, struct map *map, size_t count, bool word)
{
    struct cs_phrase ranks = {0};
    cs_phrase_add_numbers(&ranks, map->numbers, count);
    if (word)
        cs_phrase_add_ranks(line, cs_phrase_text(&ranks), RANKS_CHARACTERS);
    else
        cs_phrase_add_ranges(line, cs_phrase_text(&ranks), RANKS_CHARACTERS);
    cs_phrase_free(&ranks);
}

static void add_slots(struct cs_phrase *line, struct map *map, size_t slot, size_t slots, bool word)
{
    for (size_t i = 0; i < slots; i++)
        map->numbers[i] = map->slot[slot + i].rank;
    add_numbers(line, map, slots, word);
}

/* "nid00000: ranks 0-15; 63 more nodes have as many ranks on the same cores" */
static void print_part(struct cs_report_output *output, struct map *map, const struct part *part)
{
    static const char *const equal[] = {"", " on the same cores", " in each package", ""};
    struct cs_phrase line = {0};
    const struct node *node = part->first;
    cs_phrase_add(&line, "%s: ", node_name(node));
    add_slots(&line, map, node->slot, node->slots, true);
    if (node->processor_name) {
        cs_phrase_add(&line, ", processor name ");
        cs_phrase_add_part(&line, node->processor_name, NAME_CHARACTERS);
    }
    if (part->nodes > 1) {
        cs_phrase_add(&line, "; ");
        cs_phrase_add_count(&line, (int64_t)part->nodes - 1, "more node has", "more nodes have");
        cs_phrase_add(&line, " as many ranks%s", equal[map->level]);
    }
    cs_report_print_line(output, &line);
    cs_phrase_free(&line);
}

/* "  package 0 (2 cores), NUMA node 0:" */
static void add_box_name(struct cs_phrase *line, const struct box *box)
{
    if (!box->package && !box->numa_node)
        cs_phrase_add(line, "  unknown package:");
    else if (!box->package)
        cs_phrase_add(line, "  NUMA node %s:", box->numa_node);
    else {
        cs_phrase_add(line, "  package %s", box->package);
        if (box->cores)
            cs_phrase_add(line, " (%" PRId64 " cores)", box->cores);
        if (box->numa_node)
            cs_phrase_add(line, ", NUMA node %s", box->numa_node);
        cs_phrase_add(line, ":");
    }
}

/* Prints a line for each core of the box. */
static void print_places(struct cs_report_output *output, struct map *map, const struct box *box)
{
    struct cs_phrase line = {0};
    add_box_name(&line, box);
    cs_report_print_line(output, &line);
    for (size_t i = box->place; i < box->place + box->places; i++) {
        const struct place *place = &map->place[i];
        const char *unit = box->known ? "core" : "processor";
        if (place->has_unit)
            cs_phrase_add(&line, "    %s %" PRId64 ": ", unit, place->unit);
        else
            cs_phrase_add(&line, "    unknown %s: ", unit);
        add_slots(&line, map, place->slot, place->slots, true);
        cs_report_print_line(output, &line);
    }
    cs_phrase_free(&line);
}

/* Prints one line for the box: "  package 0: ranks 0-7 on cores 0-3, 2 on each". */
static void print_box(struct cs_report_output *output, struct map *map, const struct box *box)
{
    struct cs_phrase line = {0}, units = {0};
    size_t least = SIZE_MAX, most = 0, known = 0;
    for (size_t i = box->place; i < box->place + box->places; i++) {
        const struct place *place = &map->place[i];
        least = place->slots < least ? place->slots : least;
        most = place->slots > most ? place->slots : most;
        if (place->has_unit)
            map->numbers[known++] = place->unit;
    }
    cs_phrase_add_numbers(&units, map->numbers, known);
    add_box_name(&line, box);
    cs_phrase_add(&line, " ");
    add_slots(&line, map, box->slot, box->slots, true);
    if (known) {
        cs_phrase_add(&line, " on %s ", box->known ? "cores" : "processors");
        cs_phrase_add_ranges(&line, cs_phrase_text(&units), UNITS_CHARACTERS);
        if (least < most)
            cs_phrase_add(&line, ", %zu to %zu on each", least, most);
        else
            cs_phrase_add(&line, ", %zu on each", most);
    } else {
        cs_phrase_add(&line, " on unknown processors");
    }
    cs_report_print_line(output, &line);
    cs_phrase_free(&line);
    cs_phrase_free(&units);
}

/* True if the map is so small that each core has a line. */
static bool is_small(const struct map *map)
{
    size_t lines = 0;
    for (size_t i = 0; i < map->parts && i < PARTS; i++) {
        const struct node *node = map->part[i].first;
        for (size_t b = node->box; b < node->box + node->boxes; b++) {
            lines++;
            for (size_t p = map->box[b].place; p < map->box[b].place + map->box[b].places; p++)
                lines += map->place[p].has_unit;
        }
    }
    return lines <= LINES_OF_SMALL;
}

static void print_map(struct cs_report_output *output, struct map *map)
{
    struct cs_phrase line = {0};
    size_t parts = map->parts < PARTS ? map->parts : PARTS;
    size_t limit = parts ? BOXES_OF_ALL / parts : 0, nodes = 0;
    bool small = is_small(map);
    if (limit < BOXES_LEAST)
        limit = BOXES_LEAST;
    if (map->slots)
        cs_report_print_line(output, &line); /* blank */
    for (size_t i = 0; i < parts; i++) {
        const struct node *node = map->part[i].first;
        print_part(output, map, &map->part[i]);
        size_t ranks = 0;
        for (size_t b = 0; b < node->boxes; b++) {
            const struct box *box = &map->box[node->box + b];
            if (b >= limit)
                ranks += box->slots;
            else if (small)
                print_places(output, map, box);
            else
                print_box(output, map, box);
        }
        if (node->boxes > limit) {
            cs_phrase_add(&line, "  and %zu more, with %zu ranks", node->boxes - limit, ranks);
            cs_report_print_line(output, &line);
        }
    }
    for (size_t i = parts; i < map->parts; i++)
        nodes += map->part[i].nodes;
    if (nodes) {
        cs_phrase_add(&line, "and %zu more nodes", nodes);
        cs_report_print_line(output, &line);
    }
    cs_phrase_free(&line);
}

/* ---- what stands out ---- */

/* A line below a title. Lines are sorted by greatest weight, then lowest rank. */
struct item {
    double weight;
    int64_t rank;
    char *text;
};

struct findings {
    struct cs_report_output *output;
    struct map *map;
    size_t factor; /* a small run may have more lines */
    bool any;      /* one was printed */
    struct item *item;
    size_t items, room;
    struct cs_phrase line;
};

static void add_item(struct findings *findings, double weight, int64_t rank)
{
    char *text = keep(findings->map, cs_phrase_text(&findings->line));
    cs_phrase_clear(&findings->line);
    if (text && cs_array_grow(&findings->item, findings->items, &findings->room, sizeof *findings->item)) {
        findings->item[findings->items++] = (struct item){.weight = weight, .rank = rank, .text = text};
    } else {
        free(text);
        findings->map->failed = true;
    }
}

static int by_weight(const void *left, const void *right)
{
    const struct item *a = left, *b = right;
    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    int order = cs_compare(a->rank, b->rank);
    return order ? order : strcmp(a->text, b->text);
}

/* Prints the line as a title; the first title is preceded by a blank line. */
static void print_title(struct findings *findings)
{
    struct cs_phrase blank = {0};
    if (!findings->any)
        cs_report_print_line(findings->output, &blank);
    findings->any = true;
    cs_report_print_line(findings->output, &findings->line);
}

/* Prints the title and the first items. count: number of items, if not all were added. */
static void print_items(struct findings *findings, const char *title, size_t most, size_t count)
{
    struct cs_phrase *line = &findings->line;
    size_t limit = most * findings->factor;
    if (findings->items) {
        cs_phrase_add(line, "%s", title);
        print_title(findings);
        qsort(findings->item, findings->items, sizeof *findings->item, by_weight);
    }
    for (size_t i = 0; i < findings->items; i++) {
        if (i < limit) {
            cs_phrase_add(line, "%s", findings->item[i].text);
            cs_report_print_line(findings->output, line);
        }
        free(findings->item[i].text);
    }
    count = count > findings->items ? count : findings->items;
    if (findings->items > limit && limit) {
        cs_phrase_add(line, "  and %zu more", count - limit);
        cs_report_print_line(findings->output, line);
    }
    findings->items = 0;
}

/* Prints nodes with more ranks than cores, then those limited further by control groups. */
static enum cs_status print_loads(struct findings *findings)
{
    static const char crowded[] = "SELECT * FROM node_loads WHERE load > 1 OR bound_load > 1";
    static const char quotas[] = "SELECT * FROM node_loads WHERE quota_short";
    struct cs_phrase *line = &findings->line;
    struct cs_rows row = cs_rows_begin(findings->output->db, crowded);
    while (findings->map->nodes > 1 && cs_rows_next(&row)) {
        const char *node = cs_rows_text(&row, "node");
        double load = cs_rows_real(&row, "load"), bound_load = cs_rows_real(&row, "bound_load");
        bool cores = cs_rows_has(&row, "cpus_per_core");
        cs_phrase_add(line, "  ");
        cs_phrase_add_part(line, node ? node : "unnamed node", NAME_CHARACTERS);
        cs_phrase_add(line, ": %" PRId64 " ranks on ", cs_rows_integer(&row, "ranks"));
        cs_phrase_add_count(line, cs_rows_integer(&row, "cores"), cores ? "core" : "processor",
                            cores ? "cores" : "processors");
        if (bound_load > load)
            cs_phrase_add(line, ", up to %.3g for each that they are bound to", bound_load);
        add_item(findings, load > bound_load ? load : bound_load, 0);
    }
    enum cs_status status = cs_rows_end(&row);
    print_items(findings, "Oversubscribed nodes:", 3, 0);
    row = cs_rows_begin(findings->output->db, quotas);
    while (cs_rows_next(&row)) {
        const char *node = cs_rows_text(&row, "node");
        double quota = cs_rows_real(&row, "cpu_quota");
        cs_phrase_add(line, "  ");
        cs_phrase_add_part(line, node ? node : "unnamed node", NAME_CHARACTERS);
        cs_phrase_add(line, ": quota of %.3g processor%s", quota, quota == 1 ? "" : "s");
        add_item(findings, -quota, 0);
    }
    print_items(findings, "CPU quota (control group) below the cores in use:", 1, 0);
    enum cs_status ended = cs_rows_end(&row);
    return status == CS_OK ? ended : status;
}

static void print_sharing(struct findings *findings, bool small)
{
    struct map *map = findings->map;
    struct cs_phrase *line = &findings->line, title = {0};
    for (size_t i = 0; i < map->places; i++) {
        const struct place *place = &map->place[i];
        const struct box *box = &map->box[place->box];
        if (place->slots < 2 || !place->has_unit)
            continue;
        cs_phrase_add(line, "  ");
        add_slots(line, map, place->slot, place->slots, false);
        cs_phrase_add(line, ": %s %" PRId64, box->known ? "core" : "processor", place->unit);
        if (box->package)
            cs_phrase_add(line, " of package %s", box->package);
        cs_phrase_add(line, ", %s", node_name(&map->node[box->node]));
        add_item(findings, (double)place->slots, map->slot[place->slot].rank);
    }
    size_t count = 0;
    for (size_t i = 0; i < map->places; i++)
        for (size_t s = 0; map->place[i].slots > 1 && map->place[i].has_unit && s < map->place[i].slots; s++)
            map->numbers[count++] = map->slot[map->place[i].slot + s].rank;
    cs_phrase_add(&title, "Sharing a core: ");
    add_numbers(&title, map, count, true);
    print_items(findings, cs_phrase_text(&title), small ? 0 : 2, 0);
    cs_phrase_free(&title);
}

enum trait { MOVED, WIDE, ELSEWHERE, NO_ALLOWED, NO_UNIT };

static bool has_trait(const struct slot *slot, enum trait trait)
{
    switch (trait) {
    case MOVED:
        return slot->moves > 0;
    case WIDE:
        return slot->wide;
    case ELSEWHERE:
        return slot->memory;
    case NO_ALLOWED:
        return !slot->has_allowed;
    case NO_UNIT:
        return !slot->has_unit;
    }
    return false;
}

/* Appends the ranks with this trait; returns their number. */
static size_t add_ranks_with(struct cs_phrase *line, struct map *map, enum trait trait)
{
    size_t count = 0;
    for (size_t i = 0; i < map->slots; i++)
        if (has_trait(&map->slot[i], trait))
            map->numbers[count++] = map->slot[i].rank;
    if (count)
        add_numbers(line, map, count, true);
    return count;
}

static enum cs_status print_moved(struct findings *findings)
{
    static const char sql[] =
        "SELECT rank, moves, node, (SELECT ranges(cpu) FROM thread_processor t WHERE t.rank = p.rank) AS cpus\n"
        "FROM placements p WHERE moves > 0 AND rank >= 0 ORDER BY moves DESC, rank LIMIT 10";
    struct map *map = findings->map;
    struct cs_phrase *line = &findings->line, title = {0};
    int64_t moves = 0;
    for (size_t i = 0; i < map->slots; i++)
        moves += map->slot[i].moves;
    cs_phrase_add(&title, "Moved between processors: ");
    size_t count = add_ranks_with(&title, map, MOVED);
    cs_phrase_add(&title, ", ");
    cs_phrase_add_count(&title, moves, "time in total", "times in total");
    struct cs_rows row = cs_rows_begin(findings->output->db, sql);
    while (count && cs_rows_next(&row)) {
        const char *node = cs_rows_text(&row, "node"), *cpus = cs_rows_text(&row, "cpus");
        int64_t rank = cs_rows_integer(&row, "rank");
        cs_phrase_add(line, "  %" PRId64 ": ", rank);
        cs_phrase_add_count(line, cs_rows_integer(&row, "moves"), "time", "times");
        cs_phrase_add(line, ", on processors %s, ", cpus ? cpus : "");
        cs_phrase_add_part(line, node ? node : "unnamed node", NAME_CHARACTERS);
        add_item(findings, cs_rows_real(&row, "moves"), rank);
    }
    print_items(findings, cs_phrase_text(&title), 2, count);
    cs_phrase_free(&title);
    return cs_rows_end(&row);
}

/* Adds a line for each group of ranks with equal words: "  0-3: to a core". */
static void add_groups(struct findings *findings, const char *(*words_of)(const struct slot *))
{
    struct map *map = findings->map;
    bool *done = calloc(map->slots + 1, sizeof *done);
    map->failed |= !done;
    for (size_t i = 0; done && i < map->slots; i++) {
        const char *words = words_of(&map->slot[i]);
        size_t count = 0;
        for (size_t k = i; words && !done[i] && k < map->slots; k++) {
            const char *other = words_of(&map->slot[k]);
            if (other && strcmp(words, other) == 0) {
                map->numbers[count++] = map->slot[k].rank;
                done[k] = k > i;
            }
        }
        if (!count)
            continue;
        cs_phrase_add(&findings->line, "  ");
        add_numbers(&findings->line, map, count, false);
        cs_phrase_add(&findings->line, ": %s", words);
        add_item(findings, (double)count, map->numbers[0]); /* the numbers are sorted now */
    }
    free(done);
}

static const char *memory_words(const struct slot *slot)
{
    return slot->memory;
}

static const char *binding_words(const struct slot *slot)
{
    return slot->bound < 0 ? NULL : bound_words[slot->bound].words;
}

static void print_bindings(struct findings *findings)
{
    struct map *map = findings->map;
    struct cs_phrase title = {0};
    cs_phrase_add(&title, "Allowed on more than one package: ");
    if (add_ranks_with(&title, map, WIDE)) {
        cs_phrase_add(&findings->line, "%s", cs_phrase_text(&title));
        print_title(findings);
    }
    cs_phrase_clear(&title);
    cs_phrase_add(&title, "Memory bound to another NUMA node: ");
    if (add_ranks_with(&title, map, ELSEWHERE))
        add_groups(findings, memory_words);
    print_items(findings, cs_phrase_text(&title), 2, 0);
    bool different = false;
    int bound = -1;
    for (size_t i = 0; i < map->slots; i++) {
        different |= bound >= 0 && map->slot[i].bound >= 0 && map->slot[i].bound != bound;
        bound = map->slot[i].bound >= 0 ? map->slot[i].bound : bound;
    }
    if (different)
        add_groups(findings, binding_words);
    print_items(findings, "Different bindings:", 3, 0);
    cs_phrase_free(&title);
}

/* Prints communicators over several nodes. Those whose names differ only by digits share a line. */
static enum cs_status print_communicators(struct findings *findings)
{
    struct cs_phrase *line = &findings->line, name = {0};
    struct cs_rows row = cs_rows_begin(findings->output->db, cs_sql_placement_communicators);
    while (cs_rows_next(&row)) {
        int64_t count = cs_rows_integer(&row, "count");
        int64_t least = cs_rows_integer(&row, "least"), most = cs_rows_integer(&row, "most");
        int64_t least_nodes = cs_rows_integer(&row, "least_nodes"), most_nodes = cs_rows_integer(&row, "most_nodes");
        if (cs_rows_has(&row, "name"))
            cs_phrase_add(&name, "%s", cs_rows_text(&row, count == 1 ? "name" : "pattern"));
        else if (cs_rows_has(&row, "created_by"))
            cs_phrase_add(&name, "(from %s)", cs_rows_text(&row, "created_by"));
        else
            cs_phrase_add(&name, "(no name)");
        if (count > 1)
            cs_phrase_add(&name, " (%" PRId64 ")", count);
        cs_phrase_add(line, "  ");
        cs_phrase_add_part(line, cs_phrase_text(&name), 80);
        cs_phrase_clear(&name);
        cs_phrase_add(line, ": ");
        if (least < most)
            cs_phrase_add(line, "%" PRId64 " to ", least);
        cs_phrase_add(line, "%" PRId64 " ranks on ", most);
        if (least_nodes < most_nodes)
            cs_phrase_add(line, "%" PRId64 " to ", least_nodes);
        cs_phrase_add(line, "%" PRId64 " nodes", most_nodes);
        add_item(findings, -(double)least, 0);
    }
    print_items(findings, "Communicators across nodes:", 4, 0);
    cs_phrase_free(&name);
    return cs_rows_end(&row);
}

static enum cs_status print_without_rank(struct findings *findings)
{
    struct cs_rows row = cs_rows_begin(findings->output->db, "SELECT pid, node FROM process WHERE rank < 0");
    while (cs_rows_next(&row)) {
        const char *node = cs_rows_text(&row, "node");
        cs_phrase_add(&findings->line, "  process ");
        if (cs_rows_has(&row, "pid"))
            cs_phrase_add(&findings->line, "%" PRId64 " ", cs_rows_integer(&row, "pid"));
        cs_phrase_add(&findings->line, "on ");
        cs_phrase_add_part(&findings->line, node ? node : "unnamed node", NAME_CHARACTERS);
        add_item(findings, -cs_rows_real(&row, "pid"), 0);
    }
    print_items(findings, "Processes without a rank:", 1, 0);
    return cs_rows_end(&row);
}

static enum cs_status print_findings(struct cs_report_output *output, struct map *map)
{
    struct findings findings = {.output = output, .map = map, .factor = map->slots <= RANKS_OF_SMALL ? 3 : 1};
    enum cs_status status = print_loads(&findings);
    print_sharing(&findings, is_small(map));
    if (status == CS_OK)
        status = print_moved(&findings);
    print_bindings(&findings);
    if (status == CS_OK)
        status = print_communicators(&findings);
    if (status == CS_OK)
        status = print_without_rank(&findings);
    cs_phrase_free(&findings.line);
    free(findings.item);
    return status == CS_OK && map->failed ? CS_NO_MEMORY : status;
}

/* ---- the report ---- */

static enum cs_status print_summary(struct cs_report_output *output)
{
    struct cs_phrase line = {0};
    struct cs_rows row = cs_rows_begin(output->db, "SELECT * FROM run_placement");
    while (cs_rows_next(&row)) {
        add_summary(&line, &row);
        cs_report_print_line(output, &line);
    }
    cs_phrase_free(&line);
    return cs_rows_end(&row);
}

static enum cs_status print_unknown(struct cs_report_output *output, struct map *map)
{
    static const struct {
        enum trait trait;
        const char *words;
    } unknown[] = {{NO_ALLOWED, "allowed processors"}, {NO_UNIT, "processor in use"}};
    struct cs_phrase line = {0}, ranks = {0};
    struct cs_rows row = cs_rows_begin(output->db, cs_sql_placement_notes);
    while (cs_rows_next(&row)) {
        cs_phrase_add(&line, "Unknown for ");
        cs_phrase_add_ranks(&line, cs_rows_text(&row, "ranks"), RANKS_CHARACTERS);
        cs_phrase_add(&line, ": %s", cs_rows_text(&row, "note"));
        cs_report_print_line(output, &line);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        if (add_ranks_with(&ranks, map, unknown[i].trait)) {
            cs_phrase_add(&line, "Unknown for %s: %s", cs_phrase_text(&ranks), unknown[i].words);
            cs_report_print_line(output, &line);
        }
        cs_phrase_clear(&ranks);
    }
    cs_phrase_free(&line);
    cs_phrase_free(&ranks);
    return cs_rows_end(&row);
}

enum cs_status report_placement(struct cs_report_output *output)
{
    struct map map = {0};
    enum cs_status status = load_map(output->db, &map);
    if (status == CS_OK)
        status = find_parts(&map);
    if (status == CS_OK)
        status = print_summary(output);
    if (status == CS_OK)
        status = print_unknown(output, &map);
    if (status == CS_OK) {
        print_map(output, &map);
        status = print_findings(output, &map);
    }
    free_map(&map);
    return status;
}
