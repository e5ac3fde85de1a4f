#include "record/site/bypass.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/launched.h"
#include "base/log.h"
#include "base/shared_library.h"
#include "functions.h"
#include "record/process/recorder.h"
#include "record/site/module.h"

enum { RANGES_MOST = 16, UNSURE_MOST = 16 };

/* Why calls do not come to callsign. */
enum reason {
    REASON_DEEP,   /* the library finds the MPI before callsign, and others do not */
    REASON_BEHIND, /* everybody finds the MPI before callsign */
    REASON_TOOL,   /* the library's own MPI functions come before callsign and call PMPI_ functions */
    REASON_PMPI,   /* the library calls PMPI_ functions and has no MPI functions itself */
    REASON_UNSURE, /* the library can do so: it was unloaded, or looked them up by name */
    REASONS
};

static _Atomic bool missed_init;

void cs_bypass_note_missed_init(void)
{
    atomic_store_explicit(&missed_init, true, memory_order_relaxed);
}

struct names {
    size_t used;
    char text[512]; /* separated by ':', as far as they fit */
};

/* Libraries that could call PMPI_ functions when they were loaded. */
static struct {
    char path[PATH_MAX];
    struct names names;
    bool is_there; /* at the end: its calls themselves show where they lead */
} unsure[UNSURE_MOST];
static size_t unsure_count;

static cs_bypass_looked_up *looked_up;

void cs_bypass_set_looked_up(cs_bypass_looked_up *function)
{
    looked_up = function;
}

struct search {
    struct {
        uintptr_t begin, end;
        bool fortran;
    } code[RANGES_MOST]; /* code of the MPI and of its Fortran library */
    size_t ranges;
    void *self;               /* this library; NULL: not found yet */
    struct cs_loaded library; /* that is examined */
    bool leads_past[REASONS]; /* for that library */
    uintptr_t init;           /* the first MPI_Init, if callsign saw no call of it */
    bool early;               /* also what was not called yet */
    bool is_tool;             /* the library has MPI functions itself, and calls come to it behind callsign */
    size_t found[REASONS], used;
    char first[REASONS][PATH_MAX], all[PATH_MAX]; /* all: separated by ':', as far as they fit */
    struct names names;                           /* functions that were called by PMPI_ names */
};

static bool is_mpi(const char *path)
{
    enum cs_module_owner owner = cs_module_owner_of_path(path);
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
        search->code[search->ranges].fortran = cs_module_owner_of_path(info->dlpi_name) == CS_MODULE_MPI_FORTRAN;
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
    bool found_self = dladdr1((const void *)cs_bypass_find, &info, (void **)&object, RTLD_DL_LINKMAP) && object;
    return found_self ? dlopen(object->l_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

/* A function of a newer MPI that callsign does not know always leads into the MPI. dlsym on a handle also finds the
 * MPI's functions. */
static bool is_recorded(const struct search *search, const char *name)
{
    void *ours = search->self ? dlsym(search->self, name) : NULL;
    return !search->self || (ours && cs_module_find_owner((uint64_t)(uintptr_t)ours) == CS_MODULE_CALLSIGN);
}

/* The letters of a function's C name and of its Fortran names: "MPI_Send", "mpi_send_", "mpi_send_f08_". */
static bool has_name(const struct cs_function *function, const char *name)
{
    const char *rest = cs_ascii_after(name, function->name);
    return rest && (rest[strspn(rest, "_")] == '\0' || strncmp(rest, "_f08", 4) == 0);
}

/* Whether anything about messages, collective calls, or objects may be missing without calls of a function. */
static bool may_matter(const char *name)
{
    static const char *const harmless[] = {"environment", "name", "handle", "tool", "info", "errhandler", "lifecycle"};
    static const char *const queries[] = {"_rank", "_size", "_get_", "_compare", "_extent"};
    const struct cs_function *function = NULL;
    for (size_t i = 0; !function && i < cs_function_count; i++)
        if (has_name(&cs_functions[i], name))
            function = &cs_functions[i];
    for (size_t i = 0; function && i < sizeof harmless / sizeof *harmless; i++)
        if (strcmp(function->class, harmless[i]) == 0)
            return false;
    for (size_t i = 0; function && i < sizeof queries / sizeof *queries; i++)
        if (!function->collective && strstr(function->name, queries[i]))
            return false;
    return true;
}

/* Appends a word behind a ':' unless the text has it, or is full. */
static bool add_word(char *text, size_t size, size_t *used, const char *word)
{
    size_t length = strlen(word);
    const char *known = text;
    while ((known = strstr(known, word)) && known[length] && known[length] != ':')
        known++;
    if (known || *used + length + 2 > size)
        return false;
    *used += (size_t)sprintf(text + *used, "%s%s", *used ? ":" : "", word);
    return true;
}

static void note_name(struct names *names, const char *name)
{
    add_word(names->text, sizeof names->text, &names->used, name);
}

/* A library's functions behind callsign get calls that were recorded before, and pass them on. */
static void look_at_profiling(struct search *search, const char *name, const char *plain)
{
    const void *first = dlsym(RTLD_DEFAULT, plain), *own = cs_loaded_function(&search->library, plain);
    if (own ? own != first : search->is_tool)
        return;
    if (!own && !may_matter(plain))
        return;
    search->leads_past[own ? REASON_TOOL : REASON_PMPI] = true;
    note_name(&search->names, name);
}

static void look_at_import(void *context, const struct cs_import *import)
{
    struct search *search = context;
    bool profiling = *import->name == 'P' || *import->name == 'p';
    struct cs_import plain = *import;
    plain.name += profiling;
    if ((search->early && !profiling) || !cs_is_mpi_name(plain.name) || !plain.slot || !is_function(&plain))
        return;
    if ((!search->early && !is_in_mpi(search, *plain.slot, *plain.name == 'm')) || !is_recorded(search, plain.name))
        return;
    if (profiling)
        look_at_profiling(search, import->name, plain.name);
    else
        search->leads_past[is_in_mpi(search, dlsym(RTLD_DEFAULT, plain.name), false) ? REASON_BEHIND : REASON_DEEP] =
            true;
}

/* Whether a library has a function of its own that is not the first one of its name. */
static bool has_behind(const struct cs_loaded *library, const char *name)
{
    const void *own = cs_loaded_function(library, name);
    return own && own != dlsym(RTLD_DEFAULT, name);
}

/* Counts a library whose calls are missing for this reason. */
static void count(struct search *search, enum reason reason, const char *path)
{
    if (search->found[reason]++ == 0)
        snprintf(search->first[reason], sizeof search->first[reason], "%.*s", PATH_MAX - 1, path);
}

static bool note_library(struct search *search, const char *path)
{
    return add_word(search->all, sizeof search->all, &search->used, path);
}

struct loaded {
    struct cs_loaded library;
    struct names *names;
};

static void look_at_possible(void *context, const struct cs_import *import)
{
    const struct loaded *loaded = context;
    struct cs_import plain = *import;
    plain.name++;
    if ((*import->name == 'P' || *import->name == 'p') && cs_is_mpi_name(plain.name) && plain.slot &&
        is_function(&plain) && may_matter(plain.name) && !cs_loaded_function(&loaded->library, plain.name))
        note_name(loaded->names, import->name);
}

/* It may be unloaded before the end. */
static void note_loaded(const struct dl_phdr_info *info, const char *path)
{
    size_t i = 0;
    while (i < unsure_count && strcmp(unsure[i].path, path) != 0)
        i++;
    struct loaded loaded = {cs_loaded_read(info), &unsure[i].names};
    if (i < unsure_count || i == UNSURE_MOST || cs_loaded_function(&loaded.library, "MPI_Init") ||
        cs_loaded_function(&loaded.library, "MPI_Finalize"))
        return;
    cs_loaded_imports(&loaded.library, look_at_possible, &loaded);
    if (!unsure[i].names.used)
        return;
    snprintf(unsure[i].path, sizeof unsure[i].path, "%s", path);
    unsure_count++;
}

static int look_at_library(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct search *search = context;
    static char program[PATH_MAX];
    const char *path = cs_module_path(info, program);
    if (cs_module_owner_of_path(path) != CS_MODULE_PROGRAM)
        return 0;
    if (search->early)
        note_loaded(info, path);
    for (size_t i = 0; i < unsure_count; i++)
        unsure[i].is_there = unsure[i].is_there || strcmp(unsure[i].path, path) == 0;
    search->library = cs_loaded_read(info);
    memset(search->leads_past, 0, sizeof search->leads_past);
    search->leads_past[REASON_TOOL] = search->init >= search->library.low && search->init < search->library.high;
    search->is_tool = has_behind(&search->library, "MPI_Init") || has_behind(&search->library, "MPI_Init_thread") ||
                      has_behind(&search->library, "MPI_Finalize");
    cs_loaded_imports(&search->library, look_at_import, search);
    bool any = false;
    for (enum reason reason = 0; reason < REASONS; reason++) {
        if (!search->leads_past[reason])
            continue;
        count(search, reason, path);
        any = true;
    }
    if (any)
        note_library(search, path);
    return 0;
}

static void count_unsure(struct search *search, const char *path, const char *names)
{
    note_name(&search->names, names);
    if (note_library(search, path))
        count(search, REASON_UNSURE, path);
}

static void count_looked_up(struct search *search)
{
    const char *path, *function;
    char name[64], program[PATH_MAX];
    for (uint32_t i = 0; looked_up && (function = looked_up(i, &path)); i++) {
        path = cs_module_path(&(struct dl_phdr_info){.dlpi_name = path}, program);
        snprintf(name, sizeof name, "%c%s", *function == 'M' ? 'P' : 'p', function);
        if (cs_module_owner_of_path(path) == CS_MODULE_PROGRAM && may_matter(function))
            count_unsure(search, path, name);
    }
}

/* Looks at all libraries, and notes what it finds under these keys. */
static const struct search *search_all(bool early, const char *key, const char *key_of_functions)
{
    static struct search found; /* large, and used twice */
    struct search *search = &found;
    memset(search, 0, sizeof *search);
    search->early = early;
    search->self = open_self();
    for (size_t i = 0; i < unsure_count; i++)
        unsure[i].is_there = false;
    if (atomic_load_explicit(&missed_init, memory_order_relaxed))
        search->init = (uintptr_t)dlsym(RTLD_DEFAULT, "MPI_Init");
    dl_iterate_phdr(note_code, search);
    dl_iterate_phdr(look_at_library, search);
    if (search->self)
        dlclose(search->self);
    for (size_t i = 0; !early && i < unsure_count; i++)
        if (!unsure[i].is_there)
            count_unsure(search, unsure[i].path, unsure[i].names.text);
    count_looked_up(search);
    if (search->used > 0)
        cs_journal_note(cs_recorder.journal, key, search->all);
    if (search->names.used > 0)
        cs_journal_note(cs_recorder.journal, key_of_functions, search->names.text);
    return search;
}

void cs_bypass_note_possible(void)
{
    search_all(true, "may_bypass", "may_bypass.functions");
    cs_module_watch(note_loaded);
}

void cs_bypass_find(void)
{
    static const char *const why[REASONS] = {
        [REASON_DEEP] = "opened with RTLD_DEEPBIND, a library finds the MPI before callsign",
        [REASON_BEHIND] = "callsign comes behind the MPI. Preload callsign, or link it before the MPI",
        [REASON_TOOL] = "its own MPI functions come before callsign and call PMPI_ functions. Preload callsign first",
        [REASON_PMPI] = "they have PMPI_ names, which no tool sees",
        [REASON_UNSURE] = "it could make them by PMPI_ names, which no tool sees",
    };
    const struct search *search = search_all(false, "not_recorded", "not_recorded.functions");
    for (enum reason reason = 0; reason < REASONS && cs_launched_rank() <= 0; reason++) {
        char others[64] = "";
        if (search->found[reason] > 1)
            snprintf(others, sizeof others, " and %zu more", search->found[reason] - 1);
        if (search->found[reason] > 0)
            cs_log("calls of %s%s %s recorded: %s", search->first[reason], others,
                   reason == REASON_UNSURE ? "may not be" : "were not", why[reason]);
    }
}
