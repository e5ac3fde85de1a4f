#include "record/module.h"

#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/library_kind.h"
#include "record/module_file.h"
#include "record/recorder.h"

struct module {
    uint64_t begin, end;
    uint64_t name; /* hash of its path and build id; 0: code of no module */
    enum cs_module_owner owner;
    bool makes; /* see cs_module_makes */
    bool stays; /* see cs_module_stays */
};

/* Only grows once published; when there is no room left, or libraries were loaded since, a new list replaces it. Former
   ones stay: a reader may be in them, and both are rare. */
struct modules {
    struct modules *former;
    unsigned long long loads, unloads; /* how many libraries this process had loaded and unloaded by then */
    size_t count, room;
    struct module module[];
};

static struct modules *known;
static uint32_t replaced; /* atomic */
struct cs_module_range cs_module_fortran, cs_module_self;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const struct module *find(const struct modules *modules, uint64_t address)
{
    size_t count = modules ? __atomic_load_n(&modules->count, __ATOMIC_ACQUIRE) : 0;
    for (size_t i = 0; i < count; i++)
        if (address >= modules->module[i].begin && address < modules->module[i].end)
            return &modules->module[i];
    return NULL;
}

/* A module that shares an address with this range, or NULL. */
static const struct module *overlapped(const struct modules *modules, uint64_t begin, uint64_t end)
{
    for (size_t i = 0; modules && i < modules->count; i++)
        if (modules->module[i].begin < end && begin < modules->module[i].end)
            return &modules->module[i];
    return NULL;
}

static const struct modules *modules_now(void)
{
    return __atomic_load_n(&known, __ATOMIC_ACQUIRE);
}

enum cs_module_owner cs_module_owner_of(const char *path)
{
    switch (cs_library_kind_of(path)) {
    case CS_LIBRARY_CALLSIGN:
        return CS_MODULE_CALLSIGN;
    case CS_LIBRARY_MPI:
    case CS_LIBRARY_MPI_INSIDE:
    case CS_LIBRARY_MPI_RUNTIME:
        return CS_MODULE_MPI;
    case CS_LIBRARY_MPI_FORTRAN:
        return CS_MODULE_MPI_FORTRAN;
    default:
        return CS_MODULE_PROGRAM;
    }
}

static bool makes(const char *path)
{
    return *path && cs_library_kind_of(path) == CS_LIBRARY_OTHER;
}

static uint64_t name_of(const char *path, const char *build_id)
{
    return cs_hash_bytes(cs_hash_bytes(CS_HASH_BEGIN, path, strlen(path)), build_id, strlen(build_id)) | 1;
}

/* No reader may take another library's begin with these bytes. */
static void set_range(struct cs_module_range *range, uint64_t begin, uint64_t end)
{
    __atomic_store_n(&range->bytes, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&range->begin, begin, __ATOMIC_RELEASE);
    __atomic_store_n(&range->bytes, end - begin, __ATOMIC_RELEASE);
}

static int add_module(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    struct modules *modules = argument;
    if (modules->count == modules->room)
        return 1;
    struct cs_fact_module fact = {.fact.ticks = 0, .base = info->dlpi_addr, .begin = UINT64_MAX};
    char build_id[2 * 64 + 1] = "";
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uint64_t begin = info->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_LOAD && begin < fact.begin)
            fact.begin = begin;
        if (header->p_type == PT_LOAD && begin + header->p_memsz > fact.end)
            fact.end = begin + header->p_memsz;
        if (header->p_type == PT_NOTE && !build_id[0])
            cs_module_build_id(info, header, build_id, sizeof build_id);
    }
    if (fact.begin >= fact.end)
        return 0;
    char program[PATH_MAX];
    const char *path = cs_module_path(info, program);
    struct module module = {fact.begin,  fact.end, name_of(path, build_id), cs_module_owner_of(path),
                            makes(path), false};
    uint64_t in_libc = (uint64_t)(uintptr_t)&dl_iterate_phdr;
    module.stays =
        modules->count == 0 || module.owner == CS_MODULE_CALLSIGN || (in_libc >= module.begin && in_libc < module.end);
    modules->module[modules->count++] = module;
    /* Open MPI has three of them, none of which calls the C interface: any one will do. */
    if (module.owner == CS_MODULE_MPI_FORTRAN)
        set_range(&cs_module_fortran, fact.begin, fact.end);
    if (module.owner == CS_MODULE_CALLSIGN && (uint64_t)(uintptr_t)&add_module - fact.begin < fact.end - fact.begin)
        set_range(&cs_module_self, fact.begin, fact.end);
    const struct module *former = overlapped(modules->former, module.begin, module.end);
    if (former && former->begin == module.begin && former->name == module.name)
        return 0; /* told before */
    cs_journal_append(cs_recorder.journal, CS_FACT_MODULE, &fact.fact, sizeof fact,
                      (const char *const[]){path, build_id}, 2);
    return 0;
}

/* What there is to look at: how many modules now, how many were ever loaded. */
struct census {
    size_t modules;
    unsigned long long loads, unloads;
};

static int count_module(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    struct census *census = argument;
    census->modules++;
    census->loads = info->dlpi_adds;
    census->unloads = info->dlpi_subs;
    return 0;
}

/* Only what is the same for all modules. */
static int count_loads(struct dl_phdr_info *info, size_t size, void *argument)
{
    count_module(info, size, argument);
    return 1;
}

static struct modules *list_new(size_t room, const struct census *census)
{
    struct modules *modules = malloc(sizeof *modules + room * sizeof modules->module[0]);
    if (modules)
        *modules = (struct modules){.former = known, .loads = census->loads, .unloads = census->unloads, .room = room};
    return modules;
}

/* The loaded modules, those logged that are new; and what else is known, last. */
static void scan(const struct census *census)
{
    const struct modules *former = known;
    struct modules *modules = list_new(2 * (census->modules + (former ? former->count : 0)), census);
    if (!modules)
        return;
    dl_iterate_phdr(add_module, modules);
    bool others = false;
    for (size_t i = 0; former && i < former->count && modules->count < modules->room; i++) {
        const struct module *was = &former->module[i];
        const struct module *is = overlapped(modules, was->begin, was->end);
        if (!is)
            modules->module[modules->count++] = *was;
        else if (was->begin != is->begin || was->name != is->name)
            others = true;
    }
    if (others)
        __atomic_fetch_add(&replaced, 1, __ATOMIC_RELEASE);
    __atomic_store_n(&known, modules, __ATOMIC_RELEASE);
}

/* Code of no module (made at run time): cover its page, or every call from there would look again. */
static void add_page(uint64_t address)
{
    struct modules *modules = known;
    if (modules && modules->count == modules->room) {
        const struct census census = {.loads = known->loads, .unloads = known->unloads};
        modules = list_new(2 * known->room, &census);
        if (!modules)
            return;
        memcpy(modules->module, known->module, known->count * sizeof known->module[0]);
        modules->count = known->count;
        __atomic_store_n(&known, modules, __ATOMIC_RELEASE);
    }
    if (!modules)
        return;
    modules->module[modules->count] =
        (struct module){address & ~(uint64_t)4095, (address | 4095) + 1, 0, CS_MODULE_PROGRAM, false, false};
    __atomic_store_n(&modules->count, modules->count + 1, __ATOMIC_RELEASE);
}

void cs_module_see(uint64_t address)
{
    if (!address || address & CS_SITE_STACK || find(modules_now(), address))
        return;
    struct census census = {0};
    dl_iterate_phdr(count_module, &census);
    pthread_mutex_lock(&lock);
    if (!known || known->loads != census.loads)
        scan(&census);
    if (!find(known, address))
        add_page(address);
    pthread_mutex_unlock(&lock);
}

uint32_t cs_module_replaced(void)
{
    struct census now = {0};
    dl_iterate_phdr(count_loads, &now);
    const struct modules *modules = modules_now();
    if (__builtin_expect(modules && (modules->loads != now.loads || modules->unloads != now.unloads), 0)) {
        now.modules = 0;
        dl_iterate_phdr(count_module, &now);
        pthread_mutex_lock(&lock);
        if (known->loads != now.loads || known->unloads != now.unloads)
            scan(&now);
        pthread_mutex_unlock(&lock);
    }
    return __atomic_load_n(&replaced, __ATOMIC_ACQUIRE);
}

bool cs_module_stays(uint64_t address)
{
    const struct module *module = find(modules_now(), address);
    return module && module->stays;
}

enum cs_module_owner cs_module_owner(uint64_t address)
{
    const struct module *module = find(modules_now(), address);
    if (!module) {
        cs_module_see(address);
        module = find(modules_now(), address);
    }
    return module ? module->owner : CS_MODULE_PROGRAM;
}

bool cs_module_makes(uint64_t address)
{
    cs_module_see(address);
    const struct module *module = find(modules_now(), address);
    return module && module->makes;
}

void cs_module_forget(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
