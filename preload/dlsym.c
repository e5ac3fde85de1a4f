#include "preload/dlsym.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>

#include "preload/choose.h"
#include "preload/looked_up.h"
#include "preload/native.h"
#include "preload/slots.h"

static struct link_map *object_of(const void *address)
{
    Dl_info info;
    struct link_map *object = NULL;
    return address && dladdr1(address, &info, (void **)&object, RTLD_DL_LINKMAP) ? object : NULL;
}

/* True if the library or program at `caller` defines a function with this name: it is a tool that looks for the
 * native one. */
static bool defines_it_too(const void *caller, const char *name)
{
    struct link_map *object = object_of(caller);
    void *handle = object ? dlopen(object->l_name[0] ? object->l_name : NULL, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (!handle)
        return false;
    void *found = cs_front_call_dlsym(handle, name);
    dlclose(handle);
    return object_of(found) == object;
}

/* Answers that the MPI has no such function. A failing look-up, the last one, makes the text of dlerror: programs may
   take it for granted after NULL. */
static void *answer_missing(const char *name, const struct cs_map *map)
{
    const struct cs_mapped *mpi = cs_front_choose_mpi(map, NULL);
    void *handle = mpi ? dlopen(mpi->path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (handle)
        dlclose(handle); /* the program holds it, too; closing it later would clear the text */
    cs_front_call_dlsym(handle ? handle : RTLD_NEXT, name);
    return NULL;
}

/* True if a search by the caller for the next definition finds one of ours. first: the first definition of all. */
static bool next_is_ours(const struct cs_map *map, const void *caller, const void *first)
{
    struct link_map *object = object_of(caller);
    if (!object || (!cs_map_ours_at(map, first) && object_of(first) != object))
        return false;
    do
        object = object->l_next;
    while (object && !cs_map_ours_at(map, object->l_ld));
    return object;
}

/* Answers a search in all libraries, or in those behind the caller's. Our names always exist, but the program wants to
   know whether its MPI has the function. */
static void *answer_search(void *handle, const char *name, const void *caller, const struct cs_map *map)
{
    void *first = cs_map_ours_at(map, caller) ? NULL : cs_front_call_dlsym(RTLD_DEFAULT, name);
    bool ours = first && (handle == RTLD_NEXT ? next_is_ours(map, caller, first) : cs_map_ours_at(map, first) != NULL);
    if (ours && !cs_front_find_native(name, map, NULL))
        return answer_missing(name, map);
    return CS_FRONT_PASS; /* the C library resolves relative to the caller */
}

/* The program found an MPI's function through a handle. Returns what it would have got by linking. */
static void *answer_handle(void *found, uint32_t index, const void *caller, const struct cs_map *map)
{
    const char *name = cs_front_name(index);
    if (cs_map_mpi_at(map, caller) || cs_map_ours_at(map, caller) || defines_it_too(caller, name))
        return found;
    if (cs_map_mpi_at(map, found) != cs_front_choose_mpi(map, NULL))
        return found; /* with two MPIs, the one that is not recorded */
    if (!map->is_second)
        return cs_front_stub(index);
    void *first = cs_front_call_dlsym(RTLD_DEFAULT, name);
    return first && cs_map_ours_at(map, first) ? first : found;
}

static void note_looked_up(const char *name, const void *caller)
{
    int64_t index = cs_front_index(name);
    struct link_map *object = index < 0 ? NULL : object_of(caller);
    struct cs_map map;
    if (!object)
        return;
    cs_map_scan(&map);
    if (!cs_map_mpi_at(&map, caller) && !cs_map_ours_at(&map, caller) && !defines_it_too(caller, name))
        cs_front_note_looked_up((uint32_t)index, object->l_name);
}

void *cs_front_dlsym(void *handle, const char *name, const void *caller)
{
    if (*name == 'P' || *name == 'p') {
        note_looked_up(name + 1, caller);
        return CS_FRONT_PASS;
    }
    if (!cs_front_find_dlsym())
        return NULL;
    int64_t index = cs_front_index(name);
    if (index < 0)
        return CS_FRONT_PASS;
    struct cs_map map;
    cs_map_scan(&map);
    if (handle == RTLD_DEFAULT || handle == RTLD_NEXT)
        return answer_search(handle, name, caller, &map);
    void *found = cs_front_call_dlsym(handle, name);
    if (!found)
        return NULL;
    if (cs_map_ours_at(&map, found) && !cs_front_find_native(name, &map, NULL))
        return answer_missing(name, &map);
    if (cs_map_mpi_at(&map, found))
        found = answer_handle(found, (uint32_t)index, caller, &map);
    dlerror(); /* hide errors of our own look-ups from the program */
    return found;
}
