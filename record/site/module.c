#include "record/site/module.h"

#include <dlfcn.h>
#include <elf.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/launched.h"
#include "base/log.h"
#include "base/shared_library.h"
#include "record/process/recorder.h"

/* ---- module file ---- */

/* Writes the GNU build id in hexadecimal, from a segment of notes; "" if there is none. */
static void write_build_id(const struct dl_phdr_info *info, const ElfW(Phdr) * notes, char *text, size_t size)
{
    const char *at = (const char *)(info->dlpi_addr + notes->p_vaddr);
    const char *end = at + notes->p_memsz;
    while ((size_t)(end - at) > sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, at, sizeof note);
        const char *name = at + sizeof note;
        const unsigned char *id = (const unsigned char *)name + (note.n_namesz + 3) / 4 * 4;
        const char *next = (const char *)id + (note.n_descsz + 3) / 4 * 4;
        if (next > end || next <= at)
            return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(name, "GNU", 4) == 0 &&
            2 * (size_t)note.n_descsz < size) {
            for (size_t i = 0; i < note.n_descsz; i++)
                sprintf(text + 2 * i, "%02x", id[i]);
            return;
        }
        at = next;
    }
}

/* The path of a loaded module's file. The program itself has no name: its path is written to `program`. */
static const char *path_of_module(const struct dl_phdr_info *info, char program[PATH_MAX])
{
    if (info->dlpi_name && *info->dlpi_name)
        return info->dlpi_name;
    ssize_t length = readlink("/proc/self/exe", program, PATH_MAX - 1);
    program[length > 0 ? length : 0] = 0;
    return program;
}

struct wanted {
    uint64_t address;
    struct cs_module_about *about;
};

/* Stops with 1 at the module with the address. */
static int describe_module(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    const struct wanted *wanted = argument;
    struct cs_module_about *about = wanted->about;
    bool here = false;
    for (int i = 0; i < info->dlpi_phnum && !here; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        here = header->p_type == PT_LOAD &&
               wanted->address - (info->dlpi_addr + header->p_vaddr) < (uint64_t)header->p_memsz;
    }
    if (!here)
        return 0;
    char program[PATH_MAX];
    snprintf(about->path, sizeof about->path, "%s", path_of_module(info, program));
    about->base = info->dlpi_addr;
    about->build_id[0] = '\0';
    for (int i = 0; i < info->dlpi_phnum && !about->build_id[0]; i++)
        if (info->dlpi_phdr[i].p_type == PT_NOTE)
            write_build_id(info, &info->dlpi_phdr[i], about->build_id, sizeof about->build_id);
    return 1;
}

bool cs_module_describe(uint64_t address, struct cs_module_about *about)
{
    struct wanted wanted = {address, about};
    return dl_iterate_phdr(describe_module, &wanted) == 1;
}

/* ---- module ---- */

struct module {
    uint64_t begin, end;
    uint64_t name; /* hash of its path and build id; 0: code without module */
    enum cs_module_owner owner;
    bool makes; /* see cs_module_is_maker */
    bool stays; /* see cs_module_is_permanent */
};

/* Only grows once published. A new list replaces it if it is full, or libraries were loaded since. Old lists stay,
   because a reader may use them, and replacing is rare. */
struct modules {
    struct modules *former;
    unsigned long long loads, unloads; /* numbers of libraries loaded and unloaded by then */
    _Atomic size_t count;
    size_t room;
    struct module module[];
};

static struct modules *_Atomic known; /* changed under the lock */
static _Atomic uint32_t replaced, scans;
struct cs_module_range cs_module_fortran, cs_module_self;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t count_of(const struct modules *modules)
{
    return modules ? atomic_load_explicit(&modules->count, memory_order_acquire) : 0;
}

/* Appends if there is room; readers see a complete entry. */
static void append(struct modules *modules, const struct module *module)
{
    size_t count = count_of(modules);
    modules->module[count] = *module;
    atomic_store_explicit(&modules->count, count + 1, memory_order_release);
}

static const struct module *find(const struct modules *modules, uint64_t address)
{
    size_t count = count_of(modules);
    for (size_t i = 0; i < count; i++)
        if (address >= modules->module[i].begin && address < modules->module[i].end)
            return &modules->module[i];
    return NULL;
}

/* A module that overlaps this range, or NULL. */
static const struct module *overlapped(const struct modules *modules, uint64_t begin, uint64_t end)
{
    for (size_t i = 0; i < count_of(modules); i++)
        if (modules->module[i].begin < end && begin < modules->module[i].end)
            return &modules->module[i];
    return NULL;
}

static struct modules *modules_now(void)
{
    return atomic_load_explicit(&known, memory_order_acquire);
}

/* The owner of the library or program with this path. */
static enum cs_module_owner owner_of_path(const char *path)
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

/* No reader may combine another library's begin with this size. */
static void set_range(struct cs_module_range *range, uint64_t begin, uint64_t end)
{
    atomic_store_explicit(&range->bytes, 0, memory_order_relaxed);
    atomic_store_explicit(&range->begin, begin, memory_order_release);
    atomic_store_explicit(&range->bytes, end - begin, memory_order_release);
}

static int add_module(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    struct modules *modules = argument;
    if (count_of(modules) == modules->room)
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
            write_build_id(info, header, build_id, sizeof build_id);
    }
    if (fact.begin >= fact.end)
        return 0;
    static char program[PATH_MAX]; /* under the lock; the stacks of threads and of signal handlers may be small */
    const char *path = path_of_module(info, program);
    struct module module = {fact.begin, fact.end, name_of(path, build_id), owner_of_path(path), makes(path), false};
    uint64_t in_libc = (uint64_t)(uintptr_t)&dl_iterate_phdr;
    module.stays = count_of(modules) == 0 || module.owner == CS_MODULE_CALLSIGN ||
                   (in_libc >= module.begin && in_libc < module.end);
    append(modules, &module);
    /* Open MPI has three such libraries, none of which calls the C interface: any one will do. */
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

/* How many modules are loaded now, and how many were ever loaded. */
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

/* Counts, which are equal in the data of all modules. */
static int count_loads(struct dl_phdr_info *info, size_t size, void *argument)
{
    count_module(info, size, argument);
    return 1;
}

static struct modules *list_new(size_t room, const struct census *census)
{
    struct modules *modules = malloc(sizeof *modules + room * sizeof modules->module[0]);
    if (modules)
        *modules =
            (struct modules){.former = modules_now(), .loads = census->loads, .unloads = census->unloads, .room = room};
    return modules;
}

/* Scans the loaded modules and records new ones; other known ranges come last. */
static void scan(const struct census *census)
{
    const struct modules *former = modules_now();
    struct modules *modules = list_new(2 * (census->modules + count_of(former)), census);
    if (!modules)
        return;
    dl_iterate_phdr(add_module, modules);
    bool others = false;
    for (size_t i = 0; i < count_of(former) && count_of(modules) < modules->room; i++) {
        const struct module *was = &former->module[i];
        const struct module *is = overlapped(modules, was->begin, was->end);
        if (!is)
            append(modules, was);
        else if (was->begin != is->begin || was->name != is->name)
            others = true;
    }
    if (others)
        atomic_fetch_add_explicit(&replaced, 1, memory_order_release);
    atomic_fetch_add_explicit(&scans, 1, memory_order_relaxed);
    atomic_store_explicit(&known, modules, memory_order_release);
}

/* For code without module (made at run time): covers its page, otherwise every call from there would scan again. */
static void add_page(uint64_t address)
{
    struct modules *modules = modules_now();
    if (modules && count_of(modules) == modules->room) {
        const struct modules *former = modules;
        const struct census census = {.loads = former->loads, .unloads = former->unloads};
        modules = list_new(2 * former->room, &census);
        if (!modules)
            return;
        memcpy(modules->module, former->module, former->room * sizeof former->module[0]);
        atomic_store_explicit(&modules->count, former->room, memory_order_relaxed);
        atomic_store_explicit(&known, modules, memory_order_release);
    }
    const struct module page = {address & ~(uint64_t)4095, (address | 4095) + 1, 0, CS_MODULE_PROGRAM, false, false};
    if (modules)
        append(modules, &page);
}

void cs_module_record(uint64_t address)
{
    if (!address || address & CS_SITE_STACK || find(modules_now(), address))
        return;
    struct census census = {0};
    dl_iterate_phdr(count_module, &census);
    pthread_mutex_lock(&lock);
    const struct modules *modules = modules_now();
    if (!modules || modules->loads != census.loads)
        scan(&census);
    if (!find(modules_now(), address))
        add_page(address);
    pthread_mutex_unlock(&lock);
}

uint32_t cs_module_count_replaced(void)
{
    struct census now = {0};
    dl_iterate_phdr(count_loads, &now);
    const struct modules *modules = modules_now();
    if (__builtin_expect(modules && (modules->loads != now.loads || modules->unloads != now.unloads), 0)) {
        now.modules = 0;
        dl_iterate_phdr(count_module, &now);
        pthread_mutex_lock(&lock);
        modules = modules_now();
        if (modules->loads != now.loads || modules->unloads != now.unloads)
            scan(&now);
        pthread_mutex_unlock(&lock);
    }
    return atomic_load_explicit(&replaced, memory_order_acquire);
}

uint32_t cs_module_count_scans(void)
{
    return atomic_load_explicit(&scans, memory_order_relaxed);
}

bool cs_module_is_permanent(uint64_t address)
{
    const struct module *module = find(modules_now(), address);
    return module && module->stays;
}

enum cs_module_owner cs_module_find_owner(uint64_t address)
{
    const struct module *module = find(modules_now(), address);
    if (!module) {
        cs_module_record(address);
        module = find(modules_now(), address);
    }
    return module ? module->owner : CS_MODULE_PROGRAM;
}

bool cs_module_is_maker(uint64_t address)
{
    cs_module_record(address);
    const struct module *module = find(modules_now(), address);
    return module && module->makes;
}

void cs_module_forget(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

/* ---- private library ---- */

/* The first module is the program. */
static int is_ours(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct cs_loaded program = cs_loaded_read(info);
    uintptr_t here = (uintptr_t)&is_ours;
    *(bool *)context = here >= program.low && here < program.high;
    return 1;
}

bool cs_is_linked_statically(void)
{
    bool inside = false;
    dl_iterate_phdr(is_ours, &inside);
    return inside;
}

void *cs_private_library_open(const char *library, const char *function)
{
    char folder[PATH_MAX], path[PATH_MAX];
    if (cs_is_linked_statically() || !cs_library_find_own_folder(folder) ||
        (size_t)snprintf(path, sizeof path, "%s/%s", folder, library) >= sizeof path)
        return NULL;
    int how = RTLD_NOW | RTLD_LOCAL;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    how |= RTLD_DEEPBIND; /* use its own SQLite, not one of the program */
#endif
    void *handle = dlopen(path, how);
    return handle ? dlsym(handle, function) : NULL;
}

/* ---- bypass ---- */

enum { RANGES_MOST = 16 };

/* Why calls do not come to callsign. */
enum reason {
    REASON_DEEP,   /* the library finds the MPI before callsign, and others do not */
    REASON_BEHIND, /* everybody finds the MPI before callsign */
    REASON_TOOL,   /* the library's own MPI functions come before callsign and call PMPI_ functions */
    REASONS
};

struct search {
    struct {
        uintptr_t begin, end;
        bool fortran;
    } code[RANGES_MOST]; /* code of the MPI and of its Fortran library */
    size_t ranges;
    void *self;               /* this library; NULL: not found yet */
    struct cs_loaded library; /* that is examined */
    bool leads_past[REASONS]; /* for that library */
    size_t found[REASONS], used;
    char first[REASONS][PATH_MAX], all[PATH_MAX]; /* all: separated by ':', as far as they fit */
};

static bool is_mpi(const char *path)
{
    enum cs_module_owner owner = owner_of_path(path);
    return owner == CS_MODULE_MPI || owner == CS_MODULE_MPI_FORTRAN;
}

static int note_code(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct search *search = context;
    if (!info->dlpi_name || !is_mpi(info->dlpi_name))
        return 0;
    for (size_t i = 0; i < info->dlpi_phnum && search->ranges < RANGES_MOST; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_X))
            continue;
        uintptr_t begin = info->dlpi_addr + header->p_vaddr;
        search->code[search->ranges].begin = begin;
        search->code[search->ranges].fortran = owner_of_path(info->dlpi_name) == CS_MODULE_MPI_FORTRAN;
        search->code[search->ranges++].end = begin + header->p_memsz;
    }
    return 0;
}

/* Small MPIs have Fortran entry points in the MPI itself. These have no wrapper; only the C functions that they call
 * do. */
static bool is_in_mpi(const struct search *search, const void *address, bool entry_point)
{
    for (size_t i = 0; i < search->ranges; i++)
        if ((uintptr_t)address >= search->code[i].begin && (uintptr_t)address < search->code[i].end)
            return search->code[i].fortran || !entry_point;
    return false;
}

/* MPI_Send, mpi_send_. If the address is taken (predefined callbacks, in capitals), only C names. */
static bool is_function(const struct cs_import *import)
{
    const char *name = import->name;
    if (strncmp(name, "MPI_", 4) != 0 && strncmp(name, "MPIX_", 5) != 0)
        return import->is_call && (strncmp(name, "mpi_", 4) == 0 || strncmp(name, "mpix_", 5) == 0);
    while (*name && !cs_ascii_is_lower(*name))
        name++;
    return import->is_call || *name;
}

static void *open_self(void)
{
    Dl_info info;
    struct link_map *object = NULL;
    bool found_self =
        dladdr1((const void *)cs_module_find_bypasses, &info, (void **)&object, RTLD_DL_LINKMAP) && object;
    return found_self ? dlopen(object->l_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

/* A function of a newer MPI that callsign does not know always leads into the MPI. dlsym on a handle also finds the
 * MPI's functions. */
static bool is_recorded(const struct search *search, const char *name)
{
    void *ours = search->self ? dlsym(search->self, name) : NULL;
    return !search->self || (ours && cs_module_find_owner((uint64_t)(uintptr_t)ours) == CS_MODULE_CALLSIGN);
}

static void look_at_import(void *context, const struct cs_import *import)
{
    struct search *search = context;
    bool profiling = *import->name == 'P' || *import->name == 'p';
    struct cs_import plain = *import;
    plain.name += profiling;
    if (!cs_is_mpi_name(plain.name) || !plain.slot || !is_function(&plain) ||
        !is_in_mpi(search, *plain.slot, *plain.name == 'm') || !is_recorded(search, plain.name))
        return;
    const void *first = dlsym(RTLD_DEFAULT, plain.name);
    if (!profiling)
        search->leads_past[is_in_mpi(search, first, false) ? REASON_BEHIND : REASON_DEEP] = true;
    else if ((uintptr_t)first >= search->library.low && (uintptr_t)first < search->library.high)
        search->leads_past[REASON_TOOL] = true;
}

static int look_at_library(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct search *search = context;
    static char program[PATH_MAX];
    const char *path = path_of_module(info, program);
    if (owner_of_path(path) != CS_MODULE_PROGRAM)
        return 0;
    search->library = cs_loaded_read(info);
    memset(search->leads_past, 0, sizeof search->leads_past);
    cs_loaded_imports(&search->library, look_at_import, search);
    bool any = false;
    for (enum reason reason = 0; reason < REASONS; reason++) {
        if (!search->leads_past[reason])
            continue;
        if (search->found[reason]++ == 0)
            snprintf(search->first[reason], sizeof search->first[reason], "%s", path);
        any = true;
    }
    if (any && search->used < sizeof search->all)
        search->used += (size_t)snprintf(search->all + search->used, sizeof search->all - search->used, "%s%s",
                                         search->used ? ":" : "", path);
    return 0;
}

void cs_module_find_bypasses(void)
{
    static const char *const why[REASONS] = {
        [REASON_DEEP] = "opened with RTLD_DEEPBIND, a library finds the MPI before callsign",
        [REASON_BEHIND] = "callsign comes behind the MPI. Preload callsign, or link it before the MPI",
        [REASON_TOOL] = "its own MPI functions come before callsign and call PMPI_ functions. Preload callsign first",
    };
    static struct search search; /* large, and used once */
    search.self = open_self();
    dl_iterate_phdr(note_code, &search);
    dl_iterate_phdr(look_at_library, &search);
    if (search.self)
        dlclose(search.self);
    if (search.used > 0)
        cs_journal_note(cs_recorder.journal, "not_recorded", search.all);
    for (enum reason reason = 0; reason < REASONS && cs_launched_rank() <= 0; reason++) {
        char others[64] = "";
        if (search.found[reason] > 1)
            snprintf(others, sizeof others, " and %zu more", search.found[reason] - 1);
        if (search.found[reason] > 0)
            cs_log("calls of %s%s were not recorded: %s", search.first[reason], others, why[reason]);
    }
}
