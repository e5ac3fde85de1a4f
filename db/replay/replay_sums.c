#include "db/replay/replay_sums.h"

#include <stdlib.h>

#include "base/hash_table.h"

/* Sites and objects after so many have no sums. */
enum { SUMS_MOST = 4096 };

struct cs_replay_sums_site {
    int64_t key;
    UT_hash_handle hh;
    struct cs_replay_site sums;
    int64_t before_ns[];
};

struct cs_replay_sums_object {
    int64_t key;
    UT_hash_handle hh;
    struct cs_replay_object sums;
};

static struct cs_replay_sums_site *find_site(const struct cs_replay_sums *sums, int64_t key)
{
    struct cs_replay_sums_site *site;
    HASH_FIND(hh, sums->sites, &key, sizeof key, site);
    return site;
}

int64_t cs_replay_sums_group(const struct cs_replay_sums *sums, int64_t key)
{
    const struct cs_replay_sums_site *site = find_site(sums, key);
    return site ? site->sums.group : key;
}

/* NULL: there are too many, or no memory. */
static struct cs_replay_sums_site *add_site(struct cs_replay_sums *sums, int64_t key)
{
    struct cs_replay_sums_site *site = find_site(sums, key);
    if (site || HASH_COUNT(sums->sites) >= SUMS_MOST)
        return site;
    site = calloc(1, sizeof *site + sums->ranks * sizeof *site->before_ns);
    if (!site)
        return NULL;
    site->key = site->sums.site = site->sums.group = key;
    site->sums.before_ns = site->before_ns;
    CS_TABLE_ADD(sums->sites, key, site);
    return site;
}

static struct cs_replay_sums_object *add_object(struct cs_replay_sums *sums, int64_t similar)
{
    struct cs_replay_sums_object *object;
    HASH_FIND(hh, sums->objects, &similar, sizeof similar, object);
    if (object || HASH_COUNT(sums->objects) >= SUMS_MOST)
        return object;
    object = calloc(1, sizeof *object);
    if (!object)
        return NULL;
    object->key = object->sums.similar = similar;
    CS_TABLE_ADD(sums->objects, key, object);
    return object;
}

void cs_replay_sums_add_code(struct cs_replay_sums *sums, int64_t key, size_t rank, int64_t ns)
{
    struct cs_replay_sums_site *site = add_site(sums, key);
    if (site)
        site->before_ns[rank] += ns;
}

void cs_replay_sums_add_call(struct cs_replay_sums *sums, int64_t key, int64_t ns, int64_t similar, int64_t rank,
                             int64_t number)
{
    struct cs_replay_sums_site *site = add_site(sums, key);
    if (site)
        site->sums.calls_ns += ns;
    struct cs_replay_sums_object *object = similar ? add_object(sums, similar) : NULL;
    if (!object)
        return;
    object->sums.calls_ns += ns;
    object->sums.rank = rank;
    object->sums.object = number;
}

void cs_replay_sums_each_site(const struct cs_replay_sums *sums,
                              void (*each)(void *context, const struct cs_replay_site *site), void *context)
{
    for (const struct cs_replay_sums_site *site = sums->sites; site; site = site->hh.next)
        each(context, &site->sums);
}

void cs_replay_sums_each_object(const struct cs_replay_sums *sums,
                                void (*each)(void *context, const struct cs_replay_object *object), void *context)
{
    for (const struct cs_replay_sums_object *object = sums->objects; object; object = object->hh.next)
        each(context, &object->sums);
}

void cs_replay_sums_group_sites(struct cs_replay_sums *sums, int64_t (*group)(void *context, int64_t site),
                                void *context)
{
    for (struct cs_replay_sums_site *site = sums->sites; site; site = site->hh.next)
        site->sums.group = group(context, site->key);
}

void cs_replay_sums_free(struct cs_replay_sums *sums)
{
    CS_TABLE_FREE(sums->sites);
    CS_TABLE_FREE(sums->objects);
}
