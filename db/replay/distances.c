#include "db/replay/distances.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/hash_table.h"
#include "db/trace/each_row.h"

struct place {
    int64_t rank;
    UT_hash_handle hh;
    int64_t node, cpu, core, package; /* -1: unknown */
};

struct cs_distances {
    struct place *places;
};

static int add_place(void *context, sqlite3_stmt *row)
{
    struct cs_distances *distances = context;
    struct place *place = calloc(1, sizeof *place);
    if (!place)
        return SQLITE_NOMEM;
    place->rank = sqlite3_column_int64(row, 0);
    place->node = sqlite3_column_int64(row, 1);
    place->cpu = sqlite3_column_int64(row, 2);
    place->core = sqlite3_column_int64(row, 3);
    place->package = sqlite3_column_int64(row, 4);
    CS_TABLE_ADD(distances->places, rank, place);
    return place ? SQLITE_OK : SQLITE_NOMEM;
}

static const char places_sql[] =
    "SELECT p.rank, dense_rank() OVER (ORDER BY p.node), coalesce(m.cpu, -1), coalesce(m.core, -1),\n"
    "       coalesce(m.package, -1)\n"
    "FROM main.process p\n"
    "     LEFT JOIN (SELECT rank, cpu, core, package, max(calls) FROM rank_processors GROUP BY rank) m USING (rank)";

int cs_distances_read(sqlite3 *db, struct cs_distances **read)
{
    struct cs_distances *distances = calloc(1, sizeof *distances);
    if (!distances)
        return SQLITE_NOMEM;
    int result = cs_each_row(db, places_sql, add_place, distances);
    *read = distances;
    if (result != SQLITE_OK) {
        cs_distances_free(distances);
        *read = NULL;
    }
    return result;
}

void cs_distances_free(struct cs_distances *distances)
{
    if (distances)
        CS_TABLE_FREE(distances->places);
    free(distances);
}

static const struct place *find_place(const struct cs_distances *distances, int64_t rank)
{
    struct place *place;
    HASH_FIND(hh, distances->places, &rank, sizeof rank, place);
    return place;
}

static bool are_equal(int64_t a, int64_t b)
{
    return a >= 0 && a == b;
}

enum cs_distance cs_distances_between(const struct cs_distances *distances, int64_t rank, int64_t other)
{
    if (rank == other)
        return CS_DISTANCE_CORE;
    const struct place *a = find_place(distances, rank), *b = find_place(distances, other);
    if (!a || !b || a->node != b->node)
        return CS_DISTANCE_REMOTE;
    bool package = are_equal(a->package, b->package);
    if (are_equal(a->cpu, b->cpu) || (package && are_equal(a->core, b->core)))
        return CS_DISTANCE_CORE;
    return package ? CS_DISTANCE_PACKAGE : CS_DISTANCE_NODE;
}
