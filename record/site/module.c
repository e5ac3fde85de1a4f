#include "record/site/module.h"

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

#include "base/hash.h"
#include "base/path.h"
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

const char *cs_module_path(const struct dl_phdr_info *info, char program[PATH_MAX])
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
    const char *path = cs_module_path(info, about->path);
    if (path != about->path)
        snprintf(about->path, sizeof about->path, "%s", path);
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

/* A module as readers see it, without a lock. Entries are used again for other modules and never freed. The version is
   odd while one changes: readers pass over it. */
struct entry {
    _Atomic uint32_t version;
    _Atomic uint32_t traits;
    _Atomic uint64_t begin, end, name; /* end 0: unused */
    uint64_t seen;                     /* number of the last scan that found it loaded; used under the lock */
};

enum { OWNER = 15, MAKES = 16, STAYS = 32 }; /* traits */

/* Chunk i has FIRST << i entries. */
enum { CHUNKS = 24, FIRST = 64 };
static struct entry *_Atomic chunks[CHUNKS];
static _Atomic size_t entries;                    /* in chunks; changed under the lock, as all below */
static _Atomic unsigned long long loads, unloads; /* numbers of libraries loaded and unloaded until the last scan */
static _Atomic uint32_t replaced, scans;
static _Atomic bool program_replaced;
struct cs_module_range cs_module_fortran, cs_module_self;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cs_module_watcher *_Atomic watcher;

void cs_module_watch(cs_module_watcher *function)
{
    atomic_store_explicit(&watcher, function, memory_order_relaxed);
}

static struct entry *entry_at(size_t index)
{
    size_t chunk = (size_t)(63 - __builtin_clzll(index / FIRST + 1));
    return atomic_load_explicit(&chunks[chunk], memory_order_acquire) + (index - FIRST * (((size_t)1 << chunk) - 1));
}

/* Begins a change, which entry_publish ends. */
static void entry_hide(struct entry *entry)
{
    uint32_t version = atomic_load_explicit(&entry->version, memory_order_relaxed);
    atomic_store_explicit(&entry->version, version | 1, memory_order_relaxed);
}

static void entry_publish(struct entry *entry)
{
    uint32_t version = atomic_load_explicit(&entry->version, memory_order_relaxed);
    atomic_store_explicit(&entry->version, (version | 1) + 1, memory_order_release);
}

/* Each store comes after that of the odd version. */
static void entry_write(struct entry *entry, const struct module *module)
{
    uint32_t traits = (uint32_t)module->owner | (module->makes ? MAKES : 0) | (module->stays ? STAYS : 0);
    atomic_store_explicit(&entry->traits, traits, memory_order_release);
    atomic_store_explicit(&entry->begin, module->begin, memory_order_release);
    atomic_store_explicit(&entry->end, module->end, memory_order_release);
    atomic_store_explicit(&entry->name, module->name, memory_order_release);
}

static void entry_clear(struct entry *entry)
{
    entry_hide(entry);
    entry_write(entry, &(struct module){.end = 0});
    entry_publish(entry);
}

static uint64_t read_word(const _Atomic uint64_t *word)
{
    return atomic_load_explicit(word, memory_order_acquire);
}

static bool entry_is_used(const struct entry *entry)
{
    return read_word(&entry->end) != 0;
}

static bool entry_overlaps(const struct entry *entry, uint64_t begin, uint64_t end)
{
    return read_word(&entry->begin) < end && begin < read_word(&entry->end);
}

/* Returns false if the entry has not this address, or changes just now. */
static bool entry_find(const struct entry *entry, uint64_t address, struct module *module)
{
    uint32_t version = atomic_load_explicit(&entry->version, memory_order_acquire);
    if (version & 1 || address < read_word(&entry->begin) || address >= read_word(&entry->end))
        return false;
    uint32_t traits = atomic_load_explicit(&entry->traits, memory_order_acquire);
    *module = (struct module){
        .name = read_word(&entry->name), .owner = traits & OWNER, .makes = traits & MAKES, .stays = traits & STAYS};
    return atomic_load_explicit(&entry->version, memory_order_relaxed) == version;
}

/* Fills in what the module at this address is, and returns its entry; NULL: unknown. */
static const struct entry *module_find(uint64_t address, struct module *module)
{
    size_t left = atomic_load_explicit(&entries, memory_order_acquire);
    for (size_t i = 0; left > 0; i++) {
        const struct entry *chunk = atomic_load_explicit(&chunks[i], memory_order_acquire);
        size_t here = left < (size_t)FIRST << i ? left : (size_t)FIRST << i;
        for (const struct entry *entry = chunk; entry < chunk + here; entry++)
            if (entry_find(entry, address, module))
                return entry;
        left -= here;
    }
    return NULL;
}

/* Most addresses are in the module of the last one. */
static bool is_known(uint64_t address)
{
    static const struct entry *_Atomic recent;
    const struct entry *entry = atomic_load_explicit(&recent, memory_order_acquire);
    struct module module;
    if (entry && entry_find(entry, address, &module))
        return true;
    entry = module_find(address, &module);
    if (entry)
        atomic_store_explicit(&recent, entry, memory_order_release);
    return entry;
}

/* An unused entry, hidden; NULL: no memory. */
static struct entry *entry_new(void)
{
    size_t count = atomic_load_explicit(&entries, memory_order_relaxed);
    for (size_t i = 0; i < count; i++)
        if (!entry_is_used(entry_at(i))) {
            entry_hide(entry_at(i));
            return entry_at(i);
        }
    size_t chunk = (size_t)(63 - __builtin_clzll(count / FIRST + 1));
    if (chunk >= CHUNKS)
        return NULL;
    if (!atomic_load_explicit(&chunks[chunk], memory_order_relaxed)) {
        struct entry *made = calloc((size_t)FIRST << chunk, sizeof *made);
        if (!made)
            return NULL;
        atomic_store_explicit(&chunks[chunk], made, memory_order_release);
    }
    struct entry *entry = entry_at(count);
    entry_hide(entry);
    atomic_store_explicit(&entries, count + 1, memory_order_release);
    return entry;
}

/* The owner of the library or program with this path. */
enum cs_module_owner cs_module_owner_of_path(const char *path)
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

struct scan {
    uint64_t number;
    bool is_first; /* the next module is the program */
};

/* The entry of this module, loaded now or formerly; NULL: none. */
static struct entry *entry_of(uint64_t begin, uint64_t end, uint64_t name)
{
    for (size_t i = 0; i < atomic_load_explicit(&entries, memory_order_relaxed); i++) {
        struct entry *entry = entry_at(i);
        if (entry_is_used(entry) && read_word(&entry->begin) == begin && read_word(&entry->end) == end &&
            read_word(&entry->name) == name)
            return entry;
    }
    return NULL;
}

static void note_range(const struct module *module)
{
    struct cs_module_range *range = NULL;
    uint64_t here = (uint64_t)(uintptr_t)&note_range;
    /* Open MPI has three such libraries, none of which calls the C interface: any one will do. */
    if (module->owner == CS_MODULE_MPI_FORTRAN)
        range = &cs_module_fortran;
    else if (module->owner == CS_MODULE_CALLSIGN && here - module->begin < module->end - module->begin)
        range = &cs_module_self;
    if (range && atomic_load_explicit(&range->begin, memory_order_relaxed) != module->begin)
        set_range(range, module->begin, module->end);
}

/* Notes a new extension of Python whose file name does not show that it is one: only its init function does. */
static void note_extension(const struct dl_phdr_info *info, const char *path)
{
    enum { NAME_MOST = 128 };
    char word[sizeof "python_extension." + NAME_MOST];
    const char *name = cs_path_name(path), *end = strchr(name, '.');
    const struct cs_loaded loaded = cs_loaded_read(info);
    if (!end || strcmp(end, ".so") != 0 || end - name > NAME_MOST)
        return;
    snprintf(word, sizeof word, "PyInit_%.*s", (int)(end - name), name);
    if (!cs_loaded_function(&loaded, word))
        return;
    snprintf(word, sizeof word, "python_extension.%.*s", (int)(end - name), name);
    cs_journal_note(cs_recorder.journal, word, path);
}

/* Marks the module as loaded. A new one stays hidden until scan() has removed what it replaces. */
static int add_module(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    struct scan *scan = argument;
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
    bool is_program = scan->is_first;
    scan->is_first = false;
    if (fact.begin >= fact.end)
        return 0;
    static char program[PATH_MAX]; /* under the lock; the stacks of threads and of signal handlers may be small */
    const char *path = cs_module_path(info, program);
    struct module module = {fact.begin,  fact.end, name_of(path, build_id), cs_module_owner_of_path(path),
                            makes(path), false};
    uint64_t in_libc = (uint64_t)(uintptr_t)&dl_iterate_phdr;
    module.stays =
        is_program || module.owner == CS_MODULE_CALLSIGN || (in_libc >= module.begin && in_libc < module.end);
    note_range(&module);
    struct entry *entry = entry_of(module.begin, module.end, module.name);
    bool is_new = !entry;
    if (is_new && !(entry = entry_new()))
        return 0;
    entry->seen = scan->number;
    if (!is_new)
        return 0;
    entry_write(entry, &module);
    cs_module_watcher *watch = atomic_load_explicit(&watcher, memory_order_relaxed);
    if (watch && module.owner == CS_MODULE_PROGRAM)
        watch(info, path);
    cs_journal_append_texts(cs_recorder.journal, CS_FACT_MODULE, &fact.fact, sizeof fact,
                            (const char *const[]){path, build_id}, 2);
    if (module.owner == CS_MODULE_PROGRAM)
        note_extension(info, path);
    return 0;
}

struct census {
    unsigned long long loads, unloads;
};

/* Counts, which are equal in the data of all modules. */
static int count_loads(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    *(struct census *)argument = (struct census){info->dlpi_adds, info->dlpi_subs};
    return 1;
}

static bool is_overlapped(const struct entry *former, uint64_t scan)
{
    for (size_t i = 0; i < atomic_load_explicit(&entries, memory_order_relaxed); i++) {
        const struct entry *entry = entry_at(i);
        if (entry->seen == scan && entry_is_used(entry) &&
            entry_overlaps(entry, read_word(&former->begin), read_word(&former->end)))
            return true;
    }
    return false;
}

/* Removes formerly loaded modules, and code without module, where other modules are now. The others are kept: a
   library often comes back to its place, and is told only once. */
static void remove_replaced(uint64_t scan)
{
    enum { UNLOADED_MOST = 256 };
    size_t unloaded = 0;
    bool others = false;
    for (size_t i = 0; i < atomic_load_explicit(&entries, memory_order_relaxed); i++) {
        struct entry *entry = entry_at(i);
        if (!entry_is_used(entry) || entry->seen == scan)
            continue;
        bool is_replaced = is_overlapped(entry, scan);
        others = others || is_replaced;
        uint32_t traits = atomic_load_explicit(&entry->traits, memory_order_acquire);
        if (is_replaced && read_word(&entry->name) && (traits & OWNER) == CS_MODULE_PROGRAM)
            atomic_store_explicit(&program_replaced, true, memory_order_relaxed);
        unloaded += read_word(&entry->name) != 0;
        if (is_replaced || unloaded > UNLOADED_MOST)
            entry_clear(entry);
    }
    if (others)
        atomic_fetch_add_explicit(&replaced, 1, memory_order_release);
}

/* Scans the loaded modules and records new ones. */
static void scan(const struct census *census)
{
    struct scan scan = {atomic_fetch_add_explicit(&scans, 1, memory_order_relaxed) + UINT64_C(1), true};
    dl_iterate_phdr(add_module, &scan);
    remove_replaced(scan.number);
    for (size_t i = 0; i < atomic_load_explicit(&entries, memory_order_relaxed); i++)
        if (atomic_load_explicit(&entry_at(i)->version, memory_order_relaxed) & 1)
            entry_publish(entry_at(i));
    atomic_store_explicit(&unloads, census->unloads, memory_order_release);
    atomic_store_explicit(&loads, census->loads, memory_order_release);
}

static bool is_newer(const struct census *census)
{
    return census->loads != atomic_load_explicit(&loads, memory_order_acquire) ||
           census->unloads != atomic_load_explicit(&unloads, memory_order_acquire);
}

/* For code without module (made at run time): covers its page, otherwise every call from there would scan again. */
static void add_page(uint64_t address)
{
    const struct module page = {address & ~(uint64_t)4095, (address | 4095) + 1, 0, CS_MODULE_PROGRAM, false, false};
    struct entry *entry = entry_new();
    if (!entry)
        return;
    entry->seen = 0;
    entry_write(entry, &page);
    entry_publish(entry);
}

void cs_module_record(uint64_t address)
{
    if (!address || address & CS_SITE_STACK || is_known(address))
        return;
    struct census census = {0};
    dl_iterate_phdr(count_loads, &census);
    pthread_mutex_lock(&lock);
    if (census.loads != atomic_load_explicit(&loads, memory_order_relaxed))
        scan(&census);
    if (!is_known(address))
        add_page(address);
    pthread_mutex_unlock(&lock);
}

uint32_t cs_module_count_replaced(void)
{
    struct census now = {0};
    dl_iterate_phdr(count_loads, &now);
    if (__builtin_expect(atomic_load_explicit(&scans, memory_order_relaxed) && is_newer(&now), 0)) {
        pthread_mutex_lock(&lock);
        if (is_newer(&now))
            scan(&now);
        pthread_mutex_unlock(&lock);
    }
    return atomic_load_explicit(&replaced, memory_order_acquire);
}

bool cs_module_was_program_replaced(void)
{
    return atomic_load_explicit(&program_replaced, memory_order_relaxed);
}

uint64_t cs_module_find_name(uint64_t address)
{
    struct module module;
    cs_module_record(address);
    return module_find(address, &module) && !module.stays ? module.name : 0;
}

uint32_t cs_module_count_scans(void)
{
    return atomic_load_explicit(&scans, memory_order_relaxed);
}

bool cs_module_is_generated(uint64_t address)
{
    struct module module;
    cs_module_record(address);
    return module_find(address, &module) && !module.name;
}

bool cs_module_is_permanent(uint64_t address)
{
    struct module module;
    return module_find(address, &module) && module.stays;
}

enum cs_module_owner cs_module_find_owner(uint64_t address)
{
    struct module module;
    if (module_find(address, &module))
        return module.owner;
    cs_module_record(address);
    return module_find(address, &module) ? module.owner : CS_MODULE_PROGRAM;
}

enum cs_module_owner cs_module_find_known_owner(uint64_t address)
{
    struct module module;
    return module_find(address, &module) ? module.owner : CS_MODULE_PROGRAM;
}

bool cs_module_is_of_program(uint64_t address)
{
    struct module module;
    return module_find(address, &module) && module.owner == CS_MODULE_PROGRAM;
}

bool cs_module_is_maker(uint64_t address)
{
    struct module module;
    cs_module_record(address);
    return module_find(address, &module) && module.makes;
}

/* Another thread of the parent may have been in a scan. */
void cs_module_forget(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    for (size_t i = 0; i < atomic_load_explicit(&entries, memory_order_relaxed); i++)
        if (atomic_load_explicit(&entry_at(i)->version, memory_order_relaxed) & 1) {
            entry_clear(entry_at(i));
            atomic_store_explicit(&loads, 0, memory_order_relaxed);
        }
}
