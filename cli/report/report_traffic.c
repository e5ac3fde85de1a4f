/* The report traffic: how much was sent, how far, on what, and by whom; what went to no other process; whether sender
 * and receiver counts match. Then a table by communicator and distance, the heaviest pairs and a map of source and
 * dest. A page and the lines of the map are enough for every run. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/report_print.h"
#include "cli/rows/rows.h"
#include "reports_sql.h"

enum {
    MAP_SINGLE = 64, /* a map of at most so many ranks has a column for each */
    MAP_BINS = 32,   /* columns of a map of more ranks, at most */
};

/* ---- the map ---- */

struct map {
    int64_t width; /* ranks in a bin */
    size_t bins;
    bool by_bytes;                               /* weights are bytes, not messages */
    double weight[MAP_SINGLE][MAP_SINGLE], peak; /* indexed by source and dest */
    char *node[MAP_SINGLE];                      /* node of each rank; NULL: unknown */
};

/* Chooses how many ranks share a line of the map. */
static enum cs_status find_bins(sqlite3 *db, struct map *map)
{
    int64_t ranks = 0;
    struct cs_rows row = cs_rows_begin(db, cs_sql_traffic_ranks);
    if (cs_rows_next(&row)) {
        ranks = cs_rows_integer(&row, "ranks");
        map->by_bytes = cs_rows_integer(&row, "by_bytes");
    }
    map->width = 1;
    while (ranks > map->width * (map->width == 1 ? MAP_SINGLE : MAP_BINS))
        map->width *= 2;
    map->bins = (size_t)((ranks + map->width - 1) / map->width);
    return cs_rows_end(&row);
}

static enum cs_status load_nodes(sqlite3 *db, struct map *map)
{
    struct cs_rows row = cs_rows_begin(db, "SELECT rank, substr(node, 1, 32) AS node FROM process WHERE rank >= 0\n"
                                           "AND (SELECT count(DISTINCT node) > 1 FROM process WHERE rank >= 0)");
    while (map->width == 1 && cs_rows_next(&row)) {
        int64_t rank = cs_rows_integer(&row, "rank");
        if (rank < (int64_t)map->bins && cs_rows_has(&row, "node") && !map->node[rank])
            map->node[rank] = strdup(cs_rows_text(&row, "node"));
    }
    return cs_rows_end(&row);
}

/* Messages without data are shown, too. */
static enum cs_status fill_map(sqlite3 *db, struct map *map)
{
    struct cs_rows row =
        cs_rows_begin(db, "SELECT source, dest, total(messages) AS messages, total(bytes) AS bytes FROM traffic_pairs\n"
                          "WHERE partner IS NULL AND source >= 0 AND dest >= 0 GROUP BY 1, 2");
    while (cs_rows_next(&row)) {
        size_t y = (size_t)(cs_rows_integer(&row, "source") / map->width);
        size_t x = (size_t)(cs_rows_integer(&row, "dest") / map->width);
        if (y >= map->bins || x >= map->bins)
            continue;
        double *weight = &map->weight[y][x];
        *weight += cs_rows_real(&row, map->by_bytes ? "bytes" : "messages");
        *weight = *weight < 1 ? 1 : *weight;
        map->peak = *weight > map->peak ? *weight : map->peak;
    }
    return cs_rows_end(&row);
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

static void print_map_line(struct cs_report_output *output, struct cs_phrase *line, const struct map *map, size_t y)
{
    const char *node = map->node[y], *before = y ? map->node[y - 1] : NULL;
    cs_phrase_add(line, "%6" PRId64 " |", (int64_t)y * map->width);
    for (size_t x = 0; x < map->bins; x++)
        cs_phrase_add(line, "%c", sign_of(map->weight[y][x], map->peak));
    cs_phrase_add(line, "|");
    if (node && (!before || strcmp(node, before) != 0))
        cs_phrase_add(line, " %s", node);
    cs_report_print_line(output, line);
}

static void print_map(struct cs_report_output *output, struct cs_phrase *line, const struct map *map)
{
    cs_report_print_line(output, line); /* blank */
    cs_phrase_add(line, "Source (rows) and dest (columns)");
    if (map->width > 1)
        cs_phrase_add(line, ", %" PRId64 " ranks each", map->width);
    cs_report_print_line(output, line);
    cs_phrase_add(line, "@ = up to ");
    if (map->by_bytes)
        cs_phrase_add_bytes(line, map->peak);
    else
        cs_phrase_add_count(line, (int64_t)map->peak, "message", "messages");
    cs_phrase_add(line, "; each of # * + = - : . is a quarter of the one before");
    cs_report_print_line(output, line);
    cs_phrase_add(line, "%8s", "");
    for (size_t x = 0; x < map->bins; x += 8)
        cs_phrase_add(line, x + 8 < map->bins ? "%-8" PRId64 : "%" PRId64, (int64_t)x * map->width);
    cs_report_print_line(output, line);
    for (size_t y = 0; y < map->bins; y++)
        print_map_line(output, line, map, y);
}

static enum cs_status draw_map(struct cs_report_output *output)
{
    struct map *map = calloc(1, sizeof *map);
    if (!map)
        return CS_NO_MEMORY;
    struct cs_phrase line = {0};
    enum cs_status status = find_bins(output->db, map);
    if (status == CS_OK)
        status = load_nodes(output->db, map);
    if (status == CS_OK)
        status = fill_map(output->db, map);
    if (status == CS_OK && map->peak > 0)
        print_map(output, &line, map);
    for (size_t i = 0; i < MAP_SINGLE; i++)
        free(map->node[i]);
    free(map);
    cs_phrase_free(&line);
    return status;
}

/* ---- the report ---- */

enum cs_status report_traffic(struct cs_report_output *output)
{
    enum cs_status status = cs_report_print_texts(output, cs_sql_traffic_lines);
    if (status == CS_OK)
        status = cs_report_print_table(output);
    if (status == CS_OK)
        status = cs_report_print_texts(output, cs_sql_traffic_heaviest);
    return status == CS_OK ? draw_map(output) : status;
}
