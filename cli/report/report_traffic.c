/* The report traffic: how much was sent, how far, on what, and by whom; what went to no other process; whether sender
 * and receiver counts match. Then a table by communicator and distance, the heaviest pairs and a map of source and
 * dest. A page and the lines of the map are enough for every run. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/report/report_print.h"
#include "cli/rows/rows.h"
#include "reports_sql.h"

enum {
    NAME_CHARACTERS = 60,
    RANKS_CHARACTERS = 60,
    NODE_CHARACTERS = 32,
    EXAMPLES = 2,    /* examples of pairs with one kind of mismatch; three if there are no more */
    MAP_SINGLE = 64, /* a map of at most so many ranks has a column for each */
    MAP_BINS = 32,   /* columns of a map of more ranks, at most */
};

static const struct {
    const char *transfer, *many;
} one_sided[] = {{"put", "puts"}, {"get", "gets"}};

enum { ONE_SIDED = sizeof one_sided / sizeof *one_sided };

/* The messages from one rank to another, on all communicators. */
struct edge {
    int64_t source, dest, messages, bytes;
};

struct traffic {
    struct cs_report_output *output;
    struct cs_phrase line;
    struct edge *edge; /* ordered by source and dest */
    size_t edges, room;
    int64_t pairs, two_sided, messages, bytes; /* between known ranks, on all communicators */
    bool elsewhere;                            /* for some messages only one rank is known */
    double known, stays, unknown;              /* weights: with known distance, within a node, with unknown distance */
    double most;                               /* weight of the messages on the heaviest communicators */
    struct cs_phrase heaviest;
    double transfers[ONE_SIDED], transferred_bytes[ONE_SIDED];
};

/* The weight of messages: their bytes if any message has data, otherwise their number. */
static double weight_of(const struct traffic *traffic, double messages, double bytes)
{
    return traffic->bytes ? bytes : messages;
}

/* ---- loading ---- */

/* Sums up how much each rank sent to each other. */
static enum cs_status load_edges(struct traffic *traffic)
{
    static const char sql[] =
        "SELECT source, dest, count(*) AS pairs, sum(messages) AS messages, sum(bytes) AS bytes,\n"
        "       sum(sent_messages IS NOT NULL AND received_messages IS NOT NULL) AS two_sided\n"
        "FROM traffic_pairs WHERE partner IS NULL GROUP BY source, dest ORDER BY source, dest";
    bool failed = false;
    struct cs_rows row = cs_rows_begin(traffic->output->db, sql);
    while (!failed && cs_rows_next(&row)) {
        struct edge edge = {.source = cs_rows_integer(&row, "source"),
                            .dest = cs_rows_integer(&row, "dest"),
                            .messages = cs_rows_integer(&row, "messages"),
                            .bytes = cs_rows_integer(&row, "bytes")};
        traffic->pairs += cs_rows_integer(&row, "pairs");
        traffic->two_sided += cs_rows_integer(&row, "two_sided");
        traffic->messages += edge.messages;
        traffic->bytes += edge.bytes;
        failed = !cs_array_grow(&traffic->edge, traffic->edges, &traffic->room, sizeof *traffic->edge);
        if (!failed)
            traffic->edge[traffic->edges++] = edge;
    }
    enum cs_status status = cs_rows_end(&row);
    return status == CS_OK && failed ? CS_NO_MEMORY : status;
}

static void add_one_sided(struct traffic *traffic, const char *transfer, double messages, double bytes)
{
    for (size_t i = 0; i < ONE_SIDED; i++)
        if (strcmp(transfer, one_sided[i].transfer) == 0) {
            traffic->transfers[i] += messages;
            traffic->transferred_bytes[i] += bytes;
        }
}

/* Sums up distances and one-sided traffic. Finds the heaviest communicators; those whose names differ only by digits
   count as one. */
static enum cs_status load_distances(struct traffic *traffic)
{
    static const char sql[] =
        "SELECT pattern(communicator) AS communicator, transfer, partner, distance, sum(messages) AS messages,\n"
        "       sum(bytes) AS bytes\n"
        "FROM traffic_distances GROUP BY 1, 2, 3, 4 ORDER BY 1";
    struct cs_phrase name = {0};
    double of_name = 0;
    struct cs_rows row = cs_rows_begin(traffic->output->db, sql);
    while (cs_rows_next(&row)) {
        const char *distance = cs_rows_text(&row, "distance"), *communicator = cs_rows_text(&row, "communicator");
        double messages = cs_rows_real(&row, "messages"), bytes = cs_rows_real(&row, "bytes");
        double weight = weight_of(traffic, messages, bytes);
        if (cs_rows_has(&row, "partner")) {
            traffic->elsewhere = true;
            continue;
        }
        add_one_sided(traffic, cs_rows_text(&row, "transfer"), messages, bytes);
        *(distance ? &traffic->known : &traffic->unknown) += weight;
        traffic->stays += distance && strcmp(distance, "remote") != 0 ? weight : 0;
        if (strcmp(communicator, cs_phrase_text(&name)) != 0) {
            cs_phrase_clear(&name);
            cs_phrase_add(&name, "%s", communicator);
            of_name = 0;
        }
        of_name += weight;
        if (of_name > traffic->most) {
            cs_phrase_clear(&traffic->heaviest);
            cs_phrase_add(&traffic->heaviest, "%s", communicator);
            traffic->most = of_name;
        }
    }
    cs_phrase_free(&name);
    return cs_rows_end(&row);
}

/* "25.2 % within nodes, 50.4 % on MPI_COMM_WORLD" */
static void add_where(struct traffic *traffic)
{
    struct cs_phrase *line = &traffic->line;
    double known = traffic->known, unknown = traffic->unknown, stays = traffic->stays;
    if (known == 0)
        cs_phrase_add(line, "distance unknown");
    else if (stays == known)
        cs_phrase_add(line, "all within nodes");
    else if (stays == 0)
        cs_phrase_add(line, "all between nodes");
    else
        cs_phrase_add(line, "%.1f %% within nodes", stays * 100 / known);
    if (known > 0 && unknown > 0)
        cs_phrase_add(line, " (distance of %.1f %% unknown)", unknown * 100 / (known + unknown));
    if (traffic->most == 0)
        return;
    double share = traffic->most * 100 / (known + unknown);
    if (share > 99.95)
        cs_phrase_add(line, ", all on ");
    else
        cs_phrase_add(line, ", %.1f %% on ", share);
    cs_phrase_add_part(line, cs_phrase_text(&traffic->heaviest), NAME_CHARACTERS);
}

/* ---- the first line ---- */

struct load {
    int64_t rank;
    double weight;
};

static int by_rank(const void *left, const void *right)
{
    const struct load *a = left, *b = right;
    return cs_compare(a->rank, b->rank);
}

/* Sums up what each rank sent and received. Returns the number of ranks. */
static size_t sum_loads(const struct traffic *traffic, struct load *load)
{
    size_t count = 0;
    for (size_t i = 0; i < traffic->edges; i++) {
        const struct edge *edge = &traffic->edge[i];
        double weight = weight_of(traffic, (double)edge->messages, (double)edge->bytes);
        load[2 * i] = (struct load){.rank = edge->source, .weight = weight};
        load[2 * i + 1] = (struct load){.rank = edge->dest, .weight = weight};
    }
    qsort(load, 2 * traffic->edges, sizeof *load, by_rank);
    for (size_t i = 0; i < 2 * traffic->edges; i++) {
        if (count && load[count - 1].rank == load[i].rank)
            load[count - 1].weight += load[i].weight;
        else
            load[count++] = load[i];
    }
    return count;
}

/* ". Rank 2 sends and receives most, 2.92 times the mean" */
static enum cs_status add_busiest(struct traffic *traffic)
{
    static const char sql[] = "SELECT count(*) AS processes, total(rank >= 0) AS ranks FROM process";
    struct load *load = calloc(2 * traffic->edges + 1, sizeof *load);
    if (!load)
        return CS_NO_MEMORY;
    size_t count = sum_loads(traffic, load), most = 0;
    double whole = 0;
    for (size_t i = 0; i < count; i++) {
        whole += load[i].weight;
        most = load[i].weight > load[most].weight ? i : most;
    }
    struct cs_rows row = cs_rows_begin(traffic->output->db, sql);
    while (cs_rows_next(&row)) {
        int64_t ranks = cs_rows_integer(&row, "ranks");
        double times = load[most].weight * (double)(ranks > (int64_t)count ? ranks : (int64_t)count) / whole;
        if (cs_rows_integer(&row, "processes") < 2 || whole == 0)
            continue;
        if (times < 1.1)
            cs_phrase_add(&traffic->line, ". All ranks send and receive about the same");
        else
            cs_phrase_add(&traffic->line, ". Rank %" PRId64 " sends and receives most, %.3g times the mean",
                          load[most].rank, times);
    }
    free(load);
    return cs_rows_end(&row);
}

static enum cs_status print_summary(struct traffic *traffic)
{
    struct cs_phrase *line = &traffic->line;
    enum cs_status status = CS_OK;
    if (traffic->pairs) {
        cs_phrase_add_count(line, traffic->messages, "message, ", "messages, ");
        cs_phrase_add_bytes(line, (double)traffic->bytes);
        cs_phrase_add(line, ": ");
        add_where(traffic);
        status = add_busiest(traffic);
    } else {
        cs_phrase_add(line, traffic->elsewhere ? "No message between processes of MPI_COMM_WORLD was recorded"
                                               : "No message was recorded");
    }
    cs_report_print_line(traffic->output, line);
    return status;
}

/* ---- what has no pair of processes, and what is one-sided ---- */

static const struct {
    const char *partner, *words;
} partners[] = {{"MPI_PROC_NULL", "To and from MPI_PROC_NULL: "},
                {"others", "Beyond the first 4096 peers of a thread: "},
                {"elsewhere", "To and from processes outside MPI_COMM_WORLD: "}};

static enum cs_status print_partners(struct traffic *traffic)
{
    struct cs_phrase *line = &traffic->line;
    struct cs_rows row = cs_rows_begin(traffic->output->db, cs_sql_traffic_partners);
    while (cs_rows_next(&row)) {
        const char *partner = cs_rows_text(&row, "partner"), *ranks = cs_rows_text(&row, "ranks");
        for (size_t i = 0; i < sizeof partners / sizeof *partners; i++)
            if (strcmp(partner, partners[i].partner) == 0)
                cs_phrase_add(line, "%s", partners[i].words);
        cs_phrase_add_count(line, cs_rows_integer(&row, "messages"), "message, ", "messages, ");
        if (cs_rows_integer(&row, "bytes")) {
            cs_phrase_add_bytes(line, cs_rows_real(&row, "bytes"));
            cs_phrase_add(line, ", ");
        }
        cs_phrase_add_ranks(line, ranks ? ranks : "", RANKS_CHARACTERS);
        cs_report_print_line(traffic->output, line);
    }
    return cs_rows_end(&row);
}

static void print_one_sided(struct traffic *traffic)
{
    struct cs_list items = {.phrase = &traffic->line};
    for (size_t i = 0; i < ONE_SIDED; i++) {
        if (traffic->transfers[i] == 0)
            continue;
        if (items.count == 0)
            cs_phrase_add(&traffic->line, "One-sided: ");
        cs_list_next(&items);
        cs_phrase_add_count(&traffic->line, (int64_t)traffic->transfers[i], one_sided[i].transfer, one_sided[i].many);
        cs_phrase_add(&traffic->line, " with ");
        cs_phrase_add_bytes(&traffic->line, traffic->transferred_bytes[i]);
    }
    if (items.count)
        cs_report_print_line(traffic->output, &traffic->line);
}

/* ---- whether sender and receiver counts match ---- */

static const struct {
    const char *reason, *words;
    bool examples;
} reasons[] = {{"not received", "Sent but never received", true},
               {"truncated", "Longer than the buffers that received them", true},
               {"not sent", "Received but not recorded as sent", true},
               {"not recorded", "Counts differ because one of the two traces is incomplete", false},
               {"paused", "Counts differ because MPI_Pcontrol paused the recording of one rank", false}};

enum { REASONS = sizeof reasons / sizeof *reasons };

/* Pairs whose counts differ for one reason. */
struct difference {
    size_t pairs;
    int64_t messages, bytes;
    struct cs_phrase example[EXAMPLES + 1];
};

static void add_example(struct cs_phrase *line, struct cs_rows *row)
{
    cs_phrase_add(line, "  %" PRId64 " -> %" PRId64 " on ", cs_rows_integer(row, "source"),
                  cs_rows_integer(row, "dest"));
    cs_phrase_add_part(line, cs_rows_text(row, "communicator"), NAME_CHARACTERS);
    cs_phrase_add(line, ": sent ");
    cs_phrase_add_count(line, cs_rows_integer(row, "sent_messages"), "message (", "messages (");
    cs_phrase_add_bytes(line, cs_rows_real(row, "sent_bytes"));
    cs_phrase_add(line, "), received %" PRId64 " (", cs_rows_integer(row, "received_messages"));
    cs_phrase_add_bytes(line, cs_rows_real(row, "received_bytes"));
    cs_phrase_add(line, ")");
}

static void add_difference(struct difference *difference, struct cs_rows *row, size_t reason)
{
    difference->messages += llabs(cs_rows_integer(row, "sent_messages") - cs_rows_integer(row, "received_messages"));
    difference->bytes += llabs(cs_rows_integer(row, "sent_bytes") - cs_rows_integer(row, "received_bytes"));
    if (strcmp(reasons[reason].reason, "not received") == 0)
        difference->messages -= cs_rows_integer(row, "unknown_messages");
    if (difference->pairs <= EXAMPLES && reasons[reason].examples)
        add_example(&difference->example[difference->pairs], row);
    difference->pairs++;
}

/* "Sent but never received: 2 messages, 16 B, 2 pairs of ranks", and examples. */
static void print_difference(struct traffic *traffic, struct difference *difference, size_t reason)
{
    struct cs_phrase *line = &traffic->line;
    size_t examples = difference->pairs == EXAMPLES + 1 ? EXAMPLES + 1 : EXAMPLES;
    cs_phrase_add(line, "%s: ", reasons[reason].words);
    if (difference->messages)
        cs_phrase_add_count(line, difference->messages, "message, ", "messages, ");
    cs_phrase_add_bytes(line, (double)difference->bytes);
    cs_phrase_add(line, ", ");
    cs_phrase_add_count(line, (int64_t)difference->pairs, "pair of ranks", "pairs of ranks");
    cs_report_print_line(traffic->output, line);
    for (size_t i = 0; reasons[reason].examples && i < difference->pairs && i < examples; i++)
        cs_report_print_line(traffic->output, &difference->example[i]);
    if (reasons[reason].examples && difference->pairs > examples) {
        cs_phrase_add(line, "  and %zu more: view traffic_differences", difference->pairs - examples);
        cs_report_print_line(traffic->output, line);
    }
}

static enum cs_status print_differences(struct traffic *traffic)
{
    static const char sql[] = "SELECT * FROM traffic_differences\n"
                              "ORDER BY abs(sent_messages - received_messages) DESC,\n"
                              "         abs(sent_bytes - received_bytes) DESC, source, dest";
    struct difference difference[REASONS] = {0};
    bool any = false;
    struct cs_rows row = cs_rows_begin(traffic->output->db, sql);
    while (cs_rows_next(&row))
        for (size_t i = 0; i < REASONS; i++)
            if (strcmp(cs_rows_text(&row, "reason"), reasons[i].reason) == 0) {
                add_difference(&difference[i], &row, i);
                any = true;
            }
    enum cs_status status = cs_rows_end(&row);
    if (!any && traffic->two_sided && status == CS_OK) {
        cs_phrase_add(&traffic->line, "Sender and receiver counts match");
        if (traffic->two_sided > 1)
            cs_phrase_add(&traffic->line, " (%" PRId64 " pairs of ranks)", traffic->two_sided);
        cs_report_print_line(traffic->output, &traffic->line);
    }
    for (size_t i = 0; i < REASONS; i++) {
        if (difference[i].pairs && status == CS_OK)
            print_difference(traffic, &difference[i], i);
        for (size_t k = 0; k <= EXAMPLES; k++)
            cs_phrase_free(&difference[i].example[k]);
    }
    return status;
}

/* ---- the heaviest pairs ---- */

static const char *many_of(const char *transfer)
{
    for (size_t i = 0; i < ONE_SIDED; i++)
        if (strcmp(transfer, one_sided[i].transfer) == 0)
            return one_sided[i].many;
    return "messages";
}

/* ", between nodes"; nothing if the distance is not known. */
static void add_distance(struct cs_phrase *line, const char *distance)
{
    static const struct {
        const char *value, *words;
    } distances[] = {{"self", "within the rank"},
                     {"core", "on one core"},
                     {"package", "on one package"},
                     {"node", "on one node"},
                     {"remote", "between nodes"}};
    for (size_t i = 0; distance && i < sizeof distances / sizeof *distances; i++)
        if (strcmp(distance, distances[i].value) == 0)
            cs_phrase_add(line, ", %s", distances[i].words);
}

static enum cs_status print_heaviest(struct traffic *traffic)
{
    static const char sql[] =
        "SELECT communicator, transfer, source, dest, distance, messages, bytes FROM traffic_pairs\n"
        "WHERE partner IS NULL ORDER BY bytes DESC, messages DESC, source, dest, communicator, transfer LIMIT 5";
    struct cs_phrase *line = &traffic->line;
    cs_phrase_add(line, "Pairs of ranks with the most data:");
    cs_report_print_line(traffic->output, line);
    struct cs_rows row = cs_rows_begin(traffic->output->db, sql);
    while (cs_rows_next(&row)) {
        const char *transfer = cs_rows_text(&row, "transfer");
        cs_phrase_add(line, "  %" PRId64 " -> %" PRId64 " on ", cs_rows_integer(&row, "source"),
                      cs_rows_integer(&row, "dest"));
        cs_phrase_add_part(line, cs_rows_text(&row, "communicator"), NAME_CHARACTERS);
        cs_phrase_add(line, ": ");
        cs_phrase_add_bytes(line, cs_rows_real(&row, "bytes"));
        cs_phrase_add(line, " in ");
        cs_phrase_add_count(line, cs_rows_integer(&row, "messages"), transfer, many_of(transfer));
        add_distance(line, cs_rows_text(&row, "distance"));
        cs_report_print_line(traffic->output, line);
    }
    return cs_rows_end(&row);
}

/* ---- the map ---- */

struct map {
    int64_t width; /* ranks in a bin */
    size_t bins;
    double weight[MAP_SINGLE][MAP_SINGLE], peak; /* indexed by source and dest */
    char *node[MAP_SINGLE];                      /* node of each rank; NULL: unknown */
    bool several_nodes;
};

/* Chooses how many ranks share a line of the map. */
static enum cs_status find_bins(struct traffic *traffic, struct map *map)
{
    static const char sql[] = "SELECT max(max(coalesce(world_size, 0)), max(rank) + 1) AS ranks,\n"
                              "       count(DISTINCT CASE WHEN rank >= 0 THEN node END) AS nodes\n"
                              "FROM process";
    int64_t ranks = 0;
    struct cs_rows row = cs_rows_begin(traffic->output->db, sql);
    while (cs_rows_next(&row)) {
        ranks = cs_rows_integer(&row, "ranks");
        map->several_nodes = cs_rows_integer(&row, "nodes") > 1;
    }
    for (size_t i = 0; i < traffic->edges; i++) {
        const struct edge *edge = &traffic->edge[i];
        int64_t larger = edge->source > edge->dest ? edge->source : edge->dest;
        if (larger >= ranks && larger < INT32_MAX)
            ranks = larger + 1;
    }
    if (ranks > INT32_MAX)
        ranks = INT32_MAX;
    map->width = 1;
    while (ranks > map->width * (map->width == 1 ? MAP_SINGLE : MAP_BINS))
        map->width *= 2;
    map->bins = (size_t)((ranks + map->width - 1) / map->width);
    return cs_rows_end(&row);
}

static enum cs_status load_nodes(struct traffic *traffic, struct map *map)
{
    struct cs_rows row =
        cs_rows_begin(traffic->output->db, "SELECT rank, substr(node, 1, 32) AS node FROM process WHERE rank >= 0");
    while (map->width == 1 && map->several_nodes && cs_rows_next(&row)) {
        int64_t rank = cs_rows_integer(&row, "rank");
        if (rank < (int64_t)map->bins && cs_rows_has(&row, "node") && !map->node[rank])
            map->node[rank] = strdup(cs_rows_text(&row, "node"));
    }
    return cs_rows_end(&row);
}

static void fill_map(const struct traffic *traffic, struct map *map)
{
    for (size_t i = 0; i < traffic->edges; i++) {
        const struct edge *edge = &traffic->edge[i];
        size_t y = (size_t)(edge->source / map->width), x = (size_t)(edge->dest / map->width);
        if (edge->source < 0 || edge->dest < 0 || y >= map->bins || x >= map->bins)
            continue;
        /* An edge without data is shown, too. */
        map->weight[y][x] += weight_of(traffic, (double)edge->messages, (double)edge->bytes);
        if (map->weight[y][x] < 1)
            map->weight[y][x] = 1;
    }
    for (size_t y = 0; y < map->bins; y++)
        for (size_t x = 0; x < map->bins; x++)
            map->peak = map->weight[y][x] > map->peak ? map->weight[y][x] : map->peak;
}

static char sign_of(double weight, double peak)
{
    static const char signs[] = "@#*+=-:";
    if (weight == 0)
        return ' ';
    for (const char *sign = signs; *sign; sign++) {
        peak /= 4;
        if (weight > peak)
            return *sign;
    }
    return '.';
}

static void print_map_line(struct traffic *traffic, const struct map *map, size_t y)
{
    struct cs_phrase *line = &traffic->line;
    const char *node = map->node[y], *before = y ? map->node[y - 1] : NULL;
    cs_phrase_add(line, "%6" PRId64 " |", (int64_t)y * map->width);
    for (size_t x = 0; x < map->bins; x++)
        cs_phrase_add(line, "%c", sign_of(map->weight[y][x], map->peak));
    cs_phrase_add(line, "|");
    if (node && (!before || strcmp(node, before) != 0))
        cs_phrase_add(line, " %s", node);
    cs_report_print_line(traffic->output, line);
}

static void print_map(struct traffic *traffic, const struct map *map)
{
    struct cs_phrase *line = &traffic->line;
    cs_report_print_line(traffic->output, line); /* blank */
    cs_phrase_add(line, "Source (rows) and dest (columns)");
    if (map->width > 1)
        cs_phrase_add(line, ", %" PRId64 " ranks each", map->width);
    cs_report_print_line(traffic->output, line);
    cs_phrase_add(line, "@ = up to ");
    if (traffic->bytes)
        cs_phrase_add_bytes(line, map->peak);
    else
        cs_phrase_add_count(line, (int64_t)map->peak, "message", "messages");
    cs_phrase_add(line, "; each of # * + = - : . is a quarter of the one before");
    cs_report_print_line(traffic->output, line);
    cs_phrase_add(line, "%8s", "");
    for (size_t x = 0; x < map->bins; x += 8)
        cs_phrase_add(line, x + 8 < map->bins ? "%-8" PRId64 : "%" PRId64, (int64_t)x * map->width);
    cs_report_print_line(traffic->output, line);
    for (size_t y = 0; y < map->bins; y++)
        print_map_line(traffic, map, y);
}

static enum cs_status draw_map(struct traffic *traffic)
{
    struct map *map = calloc(1, sizeof *map);
    if (!map)
        return CS_NO_MEMORY;
    enum cs_status status = find_bins(traffic, map);
    if (status == CS_OK)
        status = load_nodes(traffic, map);
    if (status == CS_OK) {
        fill_map(traffic, map);
        print_map(traffic, map);
    }
    for (size_t i = 0; i < MAP_SINGLE; i++)
        free(map->node[i]);
    free(map);
    return status;
}

/* ---- the report ---- */

static enum cs_status print_lines(struct traffic *traffic)
{
    enum cs_status status = print_summary(traffic);
    if (status == CS_OK && traffic->elsewhere)
        status = print_partners(traffic);
    if (status != CS_OK)
        return status;
    print_one_sided(traffic);
    return print_differences(traffic);
}

enum cs_status report_traffic(struct cs_report_output *output)
{
    struct traffic traffic = {.output = output};
    enum cs_status status = load_edges(&traffic);
    if (status == CS_OK)
        status = load_distances(&traffic);
    if (status == CS_OK)
        status = print_lines(&traffic);
    if (status == CS_OK)
        status = cs_report_print_table(output);
    if (status == CS_OK && traffic.pairs)
        status = print_heaviest(&traffic);
    if (status == CS_OK && traffic.pairs)
        status = draw_map(&traffic);
    cs_phrase_free(&traffic.line);
    cs_phrase_free(&traffic.heaviest);
    free(traffic.edge);
    return status;
}
