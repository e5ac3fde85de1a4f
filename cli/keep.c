#include "cli/keep.h"

#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "base/symbols/resolver.h"
#include "db/run/resolved.h"

#define KNOWN_MAX 100000u

struct known {
    UT_hash_handle hh;
    struct cs_source source;
    bool found;
    size_t key_bytes;
    char key[]; /* module, build id, offset */
};

struct cs_keeper {
    struct cs_resolver *resolver;
    struct known *known;
};

struct cs_keeper *cs_keeper_new(void)
{
    struct cs_keeper *keeper = calloc(1, sizeof *keeper);
    if (keeper)
        keeper->resolver = cs_resolver_new(CS_RESOLVER_IN_COMMAND);
    if (keeper && keeper->resolver)
        return keeper;
    free(keeper);
    return NULL;
}

static void forget(struct cs_keeper *keeper)
{
    struct known *known = keeper->known, *next;
    HASH_CLEAR(hh, keeper->known);
    for (; known; known = next) {
        next = known->hh.next;
        free(known);
    }
}

void cs_keeper_free(struct cs_keeper *keeper)
{
    if (!keeper)
        return;
    forget(keeper);
    cs_resolver_free(keeper->resolver);
    free(keeper);
}

static struct known *known_new(const char *module, const char *build_id, int64_t offset)
{
    size_t module_bytes = strlen(module) + 1, id_bytes = strlen(build_id) + 1;
    struct known *known = calloc(1, sizeof *known + module_bytes + id_bytes + sizeof offset);
    if (!known)
        return NULL;
    known->key_bytes = module_bytes + id_bytes + sizeof offset;
    memcpy(known->key, module, module_bytes);
    memcpy(known->key + module_bytes, build_id, id_bytes);
    memcpy(known->key + module_bytes + id_bytes, &offset, sizeof offset);
    return known;
}

static bool look(void *context, const char *module, const char *build_id, int64_t offset, struct cs_source *found)
{
    struct cs_keeper *keeper = context;
    struct known *mine = known_new(module, build_id, offset), *known = NULL;
    if (!mine)
        return false;
    HASH_FIND(hh, keeper->known, mine->key, mine->key_bytes, known);
    if (known) {
        free(mine);
        *found = known->source;
        return known->found;
    }
    const struct cs_resolve_frame frame = {.module = module, .build_id = build_id, .offset = offset};
    mine->found = cs_resolver_look(keeper->resolver, &frame, &mine->source);
    *found = mine->source;
    bool answer = mine->found;
    if (HASH_COUNT(keeper->known) >= KNOWN_MAX)
        forget(keeper);
    HASH_ADD_KEYPTR(hh, keeper->known, mine->key, mine->key_bytes, mine);
    if (!mine->hh.tbl)
        free(mine);
    return answer;
}

/* What cannot be written is looked up again by whoever asks. */
void cs_keeper_trace(void *keeper, const char *trace)
{
    if (keeper)
        cs_keep(trace, look, keeper);
}

bool cs_keeper_fill(struct cs_keeper *keeper, const char *trace)
{
    return !keeper || cs_resolved_in_place(trace, look, keeper) == CS_OK;
}
