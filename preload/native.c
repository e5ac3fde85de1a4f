#include "preload/native.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { CS_NAME_MOST = 128 };

cs_dlsym *_Atomic cs_front_next_dlsym;

/* The oldest version comes first: every C library has it. A failing dlvsym allocates memory, which is fatal if the
   caller is an allocator that looks for the real malloc. */
static const char *const dlsym_versions[] = {
#if defined(__x86_64__)
    "GLIBC_2.2.5",
#elif defined(__aarch64__) || defined(__powerpc64__)
    "GLIBC_2.17",
#elif defined(__riscv)
    "GLIBC_2.27",
#endif
    "GLIBC_2.34",
};

cs_dlsym *cs_front_find_dlsym(void)
{
    cs_dlsym *known = atomic_load_explicit(&cs_front_next_dlsym, memory_order_acquire);
    void *found = NULL;
    if (known)
        return known;
    for (size_t i = 0; i < sizeof dlsym_versions / sizeof dlsym_versions[0] && !found; i++)
        found = dlvsym(RTLD_NEXT, "dlsym", dlsym_versions[i]);
    atomic_store_explicit(&cs_front_next_dlsym, (cs_dlsym *)found, memory_order_release);
    return (cs_dlsym *)found;
}

void *cs_front_call_dlsym(void *handle, const char *name)
{
    cs_dlsym *next = cs_front_find_dlsym();
    return next ? next(handle, name) : NULL;
}

/* The first definition after the object that contains `ours`. Needed if another library of callsign comes next in
   the search order: front and flavour both preloaded, or one preloaded and the other linked. */
static void *beyond(void *ours, const char *name, const struct cs_map *map)
{
    Dl_info info;
    struct link_map *object = NULL;
    if (!dladdr1(ours, &info, (void **)&object, RTLD_DL_LINKMAP) || !object)
        return NULL;
    for (object = object->l_next; object; object = object->l_next) {
        struct link_map *owner = NULL;
        void *handle = object->l_name[0] ? dlopen(object->l_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
        if (!handle)
            continue;
        /* dlsym on a handle also searches its dependencies. */
        void *found = cs_front_call_dlsym(handle, name);
        dlclose(handle);
        if (found && !cs_map_ours_at(map, found) && dladdr1(found, &info, (void **)&owner, RTLD_DL_LINKMAP) &&
            owner == object)
            return found;
    }
    return NULL;
}

static void *next(const char *name, const struct cs_map *map)
{
    /* RTLD_NEXT is relative to this library, not to our caller. */
    void *found = cs_front_call_dlsym(RTLD_NEXT, name);
    if (found && cs_map_ours_at(map, found))
        found = beyond(found, name, map);
    return found;
}

/* A flavour looks up hundreds of names in a row: scanning all libraries each time would be slow. */
static struct cs_map noted;

void cs_front_note_ours(const struct cs_map *map)
{
    noted = *map;
}

void *cs_front_find_next(const char *name)
{
    return next(name, &noted);
}

static void *in_library(const char *path, const char *name, const struct cs_map *map)
{
    void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (!handle)
        return NULL;
    void *found = cs_front_call_dlsym(handle, name);
    dlclose(handle);
    return found && !cs_map_ours_at(map, found) ? found : NULL;
}

struct wanted {
    const char *name;
    const struct cs_map *map;
    void *found;
};

static bool in_fortran_library(const char *path, void *argument)
{
    struct wanted *wanted = argument;
    wanted->found = in_library(path, wanted->name, wanted->map);
    return wanted->found;
}

static void *search(const char *name, const struct cs_map *map, const struct cs_mapped *mpi)
{
    void *found = next(name, map);
    if (!found && mpi)
        found = in_library(mpi->path, name, map);
    for (size_t i = 0; !found && i < map->mpi_count; i++)
        found = in_library(map->mpi[i].path, name, map);
    /* A Fortran function in a library that only plugins of the program see. */
    struct wanted wanted = {.name = name, .map = map};
    if (!found)
        cs_map_fortran(in_fortran_library, &wanted);
    return found ? found : wanted.found;
}

void *cs_front_find_native(const char *name, const struct cs_map *map, const struct cs_mapped *mpi)
{
    void *found = search(name, map, mpi);
    if (found || strncmp(name, "MPI_", 4) != 0)
        return found;
    char profiling_name[CS_NAME_MOST];
    if ((size_t)snprintf(profiling_name, sizeof profiling_name, "P%s", name) >= sizeof profiling_name)
        return NULL;
    return search(profiling_name, map, mpi);
}

void *cs_front_find_linked(const char *name, const struct cs_map *map)
{
    void *found = cs_front_call_dlsym(RTLD_NEXT, name);
    return found && cs_map_ours_at(map, found) ? found : NULL;
}
