#include "record/site/private_library.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/path.h"
#include "base/shared_library.h"
#include "base/words.h"

/* ---- static programs ---- */

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

/* ---- own symbols ----

   The dynamic linker searches the program before a library that was opened locally. RTLD_DEEPBIND would reverse that
   for all symbols, also for malloc: what the program's malloc made would reach the C library's free. So we open the
   library in the usual way, and then replace what the dynamic linker took from the program: by the definitions of the
   library and of those that it needs, the C library among them. Sanitizers and others that replace functions of the C
   library are not passed through, which they take amiss in a thread that ends. Memory and threads stay theirs. */

enum { MEMBERS_MOST = 32 };

struct member {
    struct cs_loaded loaded;
    uintptr_t code_low, code_high;
    bool is_system;    /* the C library and others that belong to the system */
    bool came_with_us; /* false: the program had loaded it before */
};

struct group {
    void *handle;
    struct member member[MEMBERS_MOST]; /* first the library itself */
    size_t count;
    bool is_mixed; /* some address cannot be corrected */
    bool is_open;  /* the sealed pages of the member that is examined are writable */
    const struct member *examined;
};

static bool is_system_library(const char *name)
{
    static const char *const prefixes[] = {"libm.", "libmvec.", "libdl.", "librt.", "libgcc_s.", "libstdc++."};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return cs_library_kind_of(name) == CS_LIBRARY_C;
}

/* Functions that all code of a process must have in common. */
static bool is_common(const char *name)
{
    static const char *const names[] = {
        "malloc",  "malloc_usable_size", "calloc",        "realloc",        "reallocarray",
        "free",    "posix_memalign",     "aligned_alloc", "memalign",       "valloc",
        "pvalloc", "pthread_create",     "pthread_join",  "pthread_detach", "fork"};
    return cs_is_one_of(name, names, sizeof names / sizeof *names);
}

/* A search among the loaded modules, which are in the order in which they were loaded. */
struct search {
    struct group *group;
    const char *soname;        /* NULL: search for the library itself */
    const ElfW(Dyn) * dynamic; /* the library's */
    bool is_behind;            /* the library itself was passed */
};

static int find_module(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct search *search = context;
    struct member member = {.loaded = cs_loaded_read(info),
                            .is_system = search->soname && is_system_library(search->soname)};
    bool is_self = member.loaded.dynamic == search->dynamic;
    search->is_behind = search->is_behind || is_self;
    member.came_with_us = search->is_behind;
    const char *soname = cs_loaded_text(&member.loaded, DT_SONAME);
    bool is_named = search->soname && ((soname && strcmp(soname, search->soname) == 0) ||
                                       strcmp(cs_path_name(info->dlpi_name), search->soname) == 0);
    if (search->soname ? !is_named : !is_self)
        return 0;
    for (size_t i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            member.code_low = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            member.code_high = member.code_low + info->dlpi_phdr[i].p_memsz;
        }
    struct group *group = search->group;
    for (size_t i = 0; i < group->count; i++)
        if (group->member[i].loaded.dynamic == member.loaded.dynamic)
            return 1;
    if (group->count == MEMBERS_MOST)
        group->is_mixed = true;
    else
        group->member[group->count++] = member;
    return 1;
}

static bool add_needed(void *context, const char *soname)
{
    struct search search = *(const struct search *)context;
    search.soname = soname;
    if (!cs_library_is_sanitizer(soname))
        dl_iterate_phdr(find_module, &search);
    return false;
}

/* Their handle keeps the members loaded. */
static bool group_fill(struct group *group)
{
    struct link_map *map;
    if (dlinfo(group->handle, RTLD_DI_LINKMAP, &map) != 0)
        return false;
    struct search search = {.group = group, .dynamic = map->l_ld};
    dl_iterate_phdr(find_module, &search);
    search.is_behind = false;
    for (size_t i = 0; i < group->count; i++)
        if (!group->member[i].is_system)
            cs_loaded_needed(&group->member[i].loaded, add_needed, &search);
    return group->count > 0;
}

static const struct member *group_find_member(const struct group *group, uintptr_t address)
{
    for (size_t i = 0; i < group->count; i++)
        if (address >= group->member[i].loaded.low && address < group->member[i].loaded.high)
            return &group->member[i];
    return NULL;
}

/* The definition in the group that must replace the one which the dynamic linker found; 0: none. The program may have a
   copy of a variable of the system. */
static uintptr_t group_definition(const struct group *group, const char *name, uintptr_t found)
{
    const struct member *present = group_find_member(group, found);
    if ((present && !present->is_system) || is_common(name))
        return 0;
    uintptr_t own = (uintptr_t)dlsym(group->handle, name);
    const struct member *member = own ? group_find_member(group, own) : NULL;
    if (!member || (member->is_system && (present || own < member->code_low || own >= member->code_high)))
        return 0;
    return own;
}

/* The pages that the dynamic linker made read-only: as it does, the last one only if it is whole. */
static bool protect_sealed(const struct cs_loaded *loaded, int protection)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t low = loaded->sealed_low & ~(page - 1), high = loaded->sealed_high & ~(page - 1);
    return low >= high || mprotect((void *)low, high - low, protection) == 0;
}

/* The program's own copy of the library stays as it is: without what the library itself replaces of the system, but it
   must not be mixed with other functions of the program, now or when it binds them at their first call. */
static bool is_mixed(const struct group *group, const struct cs_import *import)
{
    uintptr_t found = *import->word - import->addend;
    void *later = import->is_call ? dlsym(RTLD_DEFAULT, import->name) : NULL;
    if (later && group_find_member(group, found) == group->examined)
        found = (uintptr_t)later;
    uintptr_t own = group_definition(group, import->name, found);
    const struct member *member = own ? group_find_member(group, own) : NULL;
    return member && !member->is_system && member != &group->member[0];
}

static void correct(void *context, const struct cs_import *import)
{
    struct group *group = context;
    if (group->is_mixed || !import->word)
        return;
    if (!group->examined->came_with_us) {
        group->is_mixed = is_mixed(group, import);
        return;
    }
    uintptr_t own = group_definition(group, import->name, *import->word - import->addend);
    if (!own)
        return;
    group->is_open = group->is_open || protect_sealed(&group->examined->loaded, PROT_READ | PROT_WRITE);
    if (group->is_open)
        *import->word = own + import->addend;
    else
        group->is_mixed = true;
}

/* Returns false if a member would use symbols of the program: then the library must not be used here. */
static bool group_correct(struct group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        group->examined = &group->member[i];
        group->is_open = false;
        if (group->examined->is_system)
            continue;
        cs_loaded_references(&group->examined->loaded, correct, group);
        if (group->is_open && !protect_sealed(&group->examined->loaded, PROT_READ))
            group->is_mixed = true;
    }
    return !group->is_mixed;
}

/* ---- opening ---- */

void *cs_private_library_open(const char *library, const char *function, const char **why)
{
    char path[PATH_MAX];
    if (cs_is_linked_statically()) {
        *why = "callsign is linked into the program";
        return NULL;
    }
    size_t length = cs_library_find_own_folder(path) ? strlen(path) : sizeof path;
    if (length + 1 + strlen(library) >= sizeof path) {
        *why = "the folder of callsign's libraries is unknown";
        return NULL;
    }
    path[length] = '/';
    strcpy(path + length + 1, library);
    struct group group = {.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
    void *found = group.handle ? dlsym(group.handle, function) : NULL;
    if (!found) {
        *why = dlerror();
        return NULL;
    }
    /* Without own symbols it stays unused, but loaded: closing it would run its code. */
    if (!group_fill(&group) || !group_correct(&group)) {
        *why = "the program replaces functions of libraries that callsign needs";
        return NULL;
    }
    dlerror(); /* names that were not found are no error for the program */
    return found;
}
