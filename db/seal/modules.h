/* Which executable or library lay at an address, and when. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "db/journal/format.h"

struct cs_module {
    uint64_t base, begin, end, ticks;
    char *path, *build_id;
    const char *name; /* last part of path */
};

/* {0} is empty. */
struct cs_modules {
    struct cs_module *module;
    size_t count, room;
    bool overlap; /* some address was in different modules at different times */
};

/* Learns a module, from first to last as they were loaded. A fact that makes no sense is CS_CORRUPT. */
enum cs_status cs_modules_add(struct cs_modules *modules, const struct cs_fact_module *fact);

/* The module that covered the address at that instant: the last one loaded before, or else the first one loaded after
   (threads may tell of a module and of a call from it in either order). NULL: none did. */
const struct cs_module *cs_modules_find(const struct cs_modules *modules, uint64_t address, uint64_t ticks);

void cs_modules_free(struct cs_modules *modules);
