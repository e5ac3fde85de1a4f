#include "db/seal/modules.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/path.h"
#include "db/journal/reader.h"

#define MODULES_MAX 8192u /* looked through one by one */

/* The newest module that shares an address with this range, or NULL. */
static const struct cs_module *overlapped(const struct cs_modules *modules, uint64_t begin, uint64_t end)
{
    for (size_t i = modules->count; i-- > 0;)
        if (modules->module[i].begin < end && begin < modules->module[i].end)
            return &modules->module[i];
    return NULL;
}

enum cs_status cs_modules_add(struct cs_modules *modules, const struct cs_fact_module *fact)
{
    const char *path = cs_fact_string(&fact->fact, sizeof *fact, 0);
    const char *build_id = cs_fact_string(&fact->fact, sizeof *fact, 1);
    if (!path || !build_id || fact->begin >= fact->end)
        return CS_CORRUPT;
    const struct cs_module *before = overlapped(modules, fact->begin, fact->end);
    if (before && before->base == fact->base && before->begin == fact->begin && before->end == fact->end &&
        strcmp(before->path, path) == 0 && strcmp(before->build_id, build_id) == 0)
        return CS_OK; /* told again */
    if (modules->count >= MODULES_MAX)
        return CS_OK; /* its sites stay plain addresses */
    if (!cs_array_grow(&modules->module, modules->count, &modules->room, sizeof *modules->module))
        return CS_NO_MEMORY;
    if (before)
        modules->overlap = true;
    struct cs_module module = {fact->base,   fact->begin,      fact->end, fact->fact.ticks,
                               strdup(path), strdup(build_id), NULL};
    if (!module.path || !module.build_id) {
        free(module.path);
        free(module.build_id);
        return CS_NO_MEMORY;
    }
    module.name = cs_path_name(module.path);
    modules->module[modules->count++] = module;
    return CS_OK;
}

const struct cs_module *cs_modules_find(const struct cs_modules *modules, uint64_t address, uint64_t ticks)
{
    const struct cs_module *later = NULL;
    for (size_t i = modules->count; i-- > 0;) {
        const struct cs_module *module = &modules->module[i];
        if (address < module->begin || address >= module->end)
            continue;
        if (module->ticks <= ticks)
            return module;
        later = module;
    }
    return later;
}

void cs_modules_free(struct cs_modules *modules)
{
    for (size_t i = 0; i < modules->count; i++) {
        free(modules->module[i].path);
        free(modules->module[i].build_id);
    }
    free(modules->module);
    *modules = (struct cs_modules){0};
}
