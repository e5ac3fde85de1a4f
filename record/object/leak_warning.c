#include "record/object/leak_warning.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/log.h"
#include "base/path.h"
#include "base/settings.h"
#include "record/object/object_table.h"
#include "record/process/recorder.h"
#include "record/process/run_folder.h"
#include "record/site/python_frames.h"
#include "record/site/stack.h"

uint32_t cs_leak_warning_limit = UINT32_MAX;

void cs_leak_warning_start(void)
{
    uint32_t limit = cs_setting_number(CS_SETTING_WARN_COMMUNICATORS);
    cs_leak_warning_limit = limit ? limit : UINT32_MAX;
}

static int by_value(const void *left, const void *right)
{
    return cs_compare(*(const int64_t *)left, *(const int64_t *)right);
}

/* Collects the call sites of counted communicators, at most `room`; returns their number. */
static uint32_t collect(uint64_t *site, uint32_t room)
{
    uint32_t count = 0;
    for (uint32_t number = 0; number < callsign_debug.records && count < room; number++) {
        const struct callsign_record *record = cs_table_record(number);
        if (record->state == CALLSIGN_LIVE && cs_leak_warning_counts(record))
            site[count++] = cs_stack_innermost(record->created_pc);
    }
    return count;
}

struct cs_leak_warning cs_leak_warning_find(uint32_t alive)
{
    struct cs_leak_warning warning = {.alive = alive};
    cs_leak_warning_limit = UINT32_MAX;
    uint64_t *site = malloc(alive * sizeof *site);
    if (!site)
        return warning; /* the number alone is worth a warning */
    uint32_t count = collect(site, alive);
    qsort(site, count, sizeof *site, by_value);
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && site[end] == site[begin]; end++)
            ;
        if (end - begin > warning.most) {
            warning.most = end - begin;
            warning.site = site[begin];
        }
    }
    free(site);
    return warning;
}

/* Writes "solve (libgrid.so+0x1c2)": what the dynamic linker knows without reading a file; or a line of Python. */
static void write_location(char *text, size_t size, uint64_t site)
{
    Dl_info info;
    struct link_map *map = NULL;
    if (site & CS_SITE_STACK) {
        cs_python_frame_write(site, text, size);
        return;
    }
    uint64_t pc = site;
    /* The call is the instruction before the return address, which may belong to the next function. */
    if (!dladdr1((void *)(uintptr_t)(pc - 1), &info, (void **)&map, RTLD_DL_LINKMAP) || !map) {
        snprintf(text, size, "0x%llx", (unsigned long long)pc);
        return;
    }
    const char *module = cs_path_name(info.dli_fname);
    unsigned long long offset = pc - map->l_addr;
    if (info.dli_sname)
        snprintf(text, size, "%s (%s+0x%llx)", info.dli_sname, module, offset);
    else
        snprintf(text, size, "%s+0x%llx", module, offset);
}

void cs_leak_warning_print(const struct cs_leak_warning *warning)
{
    char location[512], who[32] = "this process";
    if (!warning->alive || !cs_recorder_is_first_to("communicators"))
        return;
    if (callsign_debug.world_rank >= 0)
        snprintf(who, sizeof who, "rank %d", (int)callsign_debug.world_rank);
    write_location(location, sizeof location, warning->site);
    if (warning->site)
        cs_log("%s has %u communicators that are not freed, %u of them created at %s: see `callsign report RUN leaks`. "
               "CALLSIGN_WARN_COMMUNICATORS sets this limit",
               who, warning->alive, warning->most, location);
    else
        cs_log("%s has %u communicators that are not freed: see `callsign report RUN leaks`. "
               "CALLSIGN_WARN_COMMUNICATORS sets this limit",
               who, warning->alive);
}
