#include "preload/reference.h"

#include <link.h>
#include <string.h>

#include "base/shared_library.h"

struct need {
    uintptr_t caller;
    const char *soname;
};

static bool is_it(void *soname, const char *needed)
{
    return strcmp(soname, needed) == 0;
}

static int visit_need(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    const struct need *need = argument;
    struct cs_loaded loaded = cs_loaded_read(info);
    return need->caller >= loaded.low && need->caller < loaded.high &&
           cs_loaded_needed(&loaded, is_it, (void *)need->soname);
}

bool cs_front_needs(const void *caller, const char *soname)
{
    struct need need = {.caller = (uintptr_t)caller, .soname = soname};
    return dl_iterate_phdr(visit_need, &need) != 0;
}

static int visit_caller(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    uintptr_t address = *(uintptr_t *)argument;
    struct cs_loaded loaded = cs_loaded_read(info);
    return address >= loaded.low && address < loaded.high && cs_loaded_calls_mpi(&loaded);
}

bool cs_front_calls_mpi(const void *address)
{
    uintptr_t at = (uintptr_t)address;
    return dl_iterate_phdr(visit_caller, &at) != 0;
}

struct search {
    const char *name;
    uintptr_t caller;
    enum cs_reference here, in_caller, in_any;
};

static enum cs_reference stronger(enum cs_reference a, enum cs_reference b)
{
    return a > b ? a : b;
}

static void note_reference(void *context, const struct cs_import *import)
{
    struct search *search = context;
    if (strcmp(import->name, search->name) == 0)
        search->here = stronger(search->here, import->weak ? CS_REFERENCE_WEAK : CS_REFERENCE_STRONG);
}

static int visit_reference(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    struct search *search = argument;
    struct cs_loaded loaded = cs_loaded_read(info);
    search->here = CS_REFERENCE_NONE;
    cs_loaded_imports(&loaded, note_reference, search);
    if (search->caller >= loaded.low && search->caller < loaded.high)
        search->in_caller = search->here;
    search->in_any = stronger(search->in_any, search->here);
    return 0;
}

enum cs_reference cs_front_reference(const void *caller, const char *name)
{
    struct search search = {.name = name, .caller = (uintptr_t)caller};
    dl_iterate_phdr(visit_reference, &search);
    return search.in_caller ? search.in_caller : search.in_any;
}
