#include "db/replay/replay_regions.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "db/trace/each_row.h"

struct cs_replay_region_site {
    int64_t site;
    UT_hash_handle hh;
    uint64_t within;
};

static const char regions_sql[] =
    "SELECT region, min(path) FROM main.region GROUP BY region ORDER BY total(time_ns) DESC"
    " LIMIT 64";
static const char sites_sql[] =
    "SELECT p.site, min(p.region), min(p.function),\n"
    "       min(p.region) = max(p.region) AND total(p.calls) = (SELECT total(s.calls) FROM main.summary s\n"
    "           WHERE s.part = 'site' AND s.function = min(p.function) AND s.site = p.site)\n"
    "FROM main.region_profile p JOIN main.function f ON f.function = p.function AND f.name = 'MPI_Pcontrol'\n"
    "WHERE p.site IS NOT NULL GROUP BY p.site";

static int add_region(void *context, sqlite3_stmt *row)
{
    struct cs_replay_regions *regions = context;
    struct cs_replay_region *region = &regions->region[regions->count];
    region->region = sqlite3_column_int64(row, 0);
    region->path = strdup((const char *)sqlite3_column_text(row, 1));
    region->within = UINT64_C(1) << regions->count++;
    return region->path ? SQLITE_OK : SQLITE_NOMEM;
}

static int add_site(void *context, sqlite3_stmt *row)
{
    struct cs_replay_regions *regions = context;
    if (!sqlite3_column_int(row, 3)) { /* it begins or ends several regions */
        regions->count = 0;
        return SQLITE_DONE;
    }
    struct cs_replay_region_site *site = calloc(1, sizeof *site);
    if (!site)
        return SQLITE_NOMEM;
    site->site = sqlite3_column_int64(row, 0);
    regions->function = sqlite3_column_int64(row, 2);
    for (size_t i = 0; i < regions->count; i++)
        if (regions->region[i].region == sqlite3_column_int64(row, 1))
            site->within = regions->region[i].within;
    CS_TABLE_ADD(regions->sites, site, site);
    return site ? SQLITE_OK : SQLITE_NOMEM;
}

/* Paths have the names of the regions around them, with / between them. */
static void find_outer(struct cs_replay_regions *regions)
{
    for (size_t i = 0; i < regions->count; i++)
        for (size_t outer = 0; outer < regions->count; outer++) {
            size_t length = strlen(regions->region[outer].path);
            if (strncmp(regions->region[i].path, regions->region[outer].path, length) == 0 &&
                regions->region[i].path[length] == '/')
                regions->region[i].within |= UINT64_C(1) << outer;
        }
}

int cs_replay_regions_read(sqlite3 *db, struct cs_replay_regions *regions)
{
    int result = cs_each_row(db, regions_sql, add_region, regions);
    if (result != SQLITE_OK || !regions->count)
        return result;
    find_outer(regions);
    result = cs_each_row(db, sites_sql, add_site, regions);
    return result == SQLITE_DONE ? SQLITE_OK : result;
}

uint64_t cs_replay_regions_after(const struct cs_replay_regions *regions, int64_t key)
{
    struct cs_replay_region_site *site;
    HASH_FIND(hh, regions->sites, &key, sizeof key, site);
    return site ? site->within : 0;
}

void cs_replay_regions_add(struct cs_replay_regions *regions, uint64_t within, int64_t code_ns)
{
    for (size_t i = 0; within && i < regions->count; i++, within >>= 1)
        if (within & 1)
            regions->region[i].code_ns += code_ns;
}

void cs_replay_regions_free(struct cs_replay_regions *regions)
{
    for (size_t i = 0; i < CS_REPLAY_REGIONS_MOST; i++)
        free(regions->region[i].path);
    CS_TABLE_FREE(regions->sites);
}
