#include "record/bypass.h"

#include <ctype.h>
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/launched.h"
#include "base/loaded.h"
#include "base/log.h"
#include "record/module.h"
#include "record/recorder.h"

enum { RANGES_MOST = 16 };

struct search {
    struct {
        uintptr_t begin, end;
        bool fortran;
    } code[RANGES_MOST]; /* of the MPI and of its library for Fortran */
    size_t ranges;
    void *self;      /* this library; NULL: not known */
    bool leads_past; /* the library that is looked at */
    size_t found, used;
    char first[PATH_MAX], all[PATH_MAX]; /* all: with ':' between, as far as they fit */
};

static bool is_mpi(const char *path)
{
    enum cs_module_owner owner = cs_module_owner_of(path);
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
        search->code[search->ranges].fortran = cs_module_owner_of(info->dlpi_name) == CS_MODULE_MPI_FORTRAN;
        search->code[search->ranges++].end = begin + header->p_memsz;
    }
    return 0;
}

/* Entry points for Fortran in the MPI itself, as small ones have them, have no wrapper: only what they call in C has.
 */
static bool is_in_mpi(const struct search *search, const void *address, bool entry_point)
{
    for (size_t i = 0; i < search->ranges; i++)
        if ((uintptr_t)address >= search->code[i].begin && (uintptr_t)address < search->code[i].end)
            return search->code[i].fortran || !entry_point;
    return false;
}

/* MPI_Send, mpi_send_; where the address is taken too (predefined callbacks, in capitals) names of C alone. */
static bool is_function(const struct cs_import *import)
{
    const char *name = import->name;
    if (strncmp(name, "MPI_", 4) != 0 && strncmp(name, "MPIX_", 5) != 0)
        return import->is_call && (strncmp(name, "mpi_", 4) == 0 || strncmp(name, "mpix_", 5) == 0);
    while (*name && !islower((unsigned char)*name))
        name++;
    return import->is_call || *name;
}

static void *open_self(void)
{
    Dl_info info;
    struct link_map *object = NULL;
    bool known = dladdr1((const void *)cs_bypass_look, &info, (void **)&object, RTLD_DL_LINKMAP) && object;
    return known ? dlopen(object->l_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

/* What callsign does not know, of an MPI that is newer, always leads into the MPI. A handle also finds what the MPI
 * has. */
static bool is_recorded(const struct search *search, const char *name)
{
    void *ours = search->self ? dlsym(search->self, name) : NULL;
    return !search->self || (ours && cs_module_owner((uint64_t)(uintptr_t)ours) == CS_MODULE_CALLSIGN);
}

static void look_at_import(void *context, const struct cs_import *import)
{
    struct search *search = context;
    if (import->slot && is_function(import) && is_in_mpi(search, *import->slot, import->name[0] == 'm') &&
        is_recorded(search, import->name))
        search->leads_past = true;
}

static bool needs_mpi(void *context, const char *soname)
{
    (void)context;
    return is_mpi(soname);
}

static int look_at_library(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct search *search = context;
    struct cs_loaded loaded = cs_loaded_read(info);
    if (!info->dlpi_name || cs_module_owner_of(info->dlpi_name) != CS_MODULE_PROGRAM ||
        !cs_loaded_needed(&loaded, needs_mpi, NULL))
        return 0;
    search->leads_past = false;
    cs_loaded_imports(&loaded, look_at_import, search);
    if (!search->leads_past)
        return 0;
    if (search->found == 0)
        snprintf(search->first, sizeof search->first, "%s", info->dlpi_name);
    if (search->used < sizeof search->all)
        search->used += (size_t)snprintf(search->all + search->used, sizeof search->all - search->used, "%s%s",
                                         search->found ? ":" : "", info->dlpi_name);
    search->found++;
    return 0;
}

void cs_bypass_look(void)
{
    struct search search = {.self = open_self()};
    dl_iterate_phdr(note_code, &search);
    dl_iterate_phdr(look_at_library, &search);
    if (search.self)
        dlclose(search.self);
    if (search.found == 0)
        return;
    cs_journal_note(cs_recorder.journal, "not_recorded", search.all);
    if (cs_launched_rank() > 0)
        return;
    char others[64] = "";
    if (search.found > 1)
        snprintf(others, sizeof others, " and %zu more", search.found - 1);
    cs_log("calls of %s%s were not recorded: opened with RTLD_DEEPBIND, a library finds the MPI before callsign",
           search.first, others);
}
