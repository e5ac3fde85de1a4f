#include "preload/dlsym.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>

#include "preload/choose.h"
#include "preload/native.h"
#include "preload/slots.h"

/* True if the library or program at `caller` defines a function with this name: it is a tool that looks for the
 * native one. */
static bool defines_it_too(const void *caller, const char *name)
{
    Dl_info info;
    struct link_map *object = NULL, *owner = NULL;
    if (!dladdr1(caller, &info, (void **)&object, RTLD_DL_LINKMAP) || !object)
        return false;
    void *handle = dlopen(object->l_name[0] ? object->l_name : NULL, RTLD_LAZY | RTLD_NOLOAD);
    if (!handle)
        return false;
    void *found = cs_front_call_dlsym(handle, name);
    dlclose(handle);
    return found && dladdr1(found, &info, (void **)&owner, RTLD_DL_LINKMAP) && owner == object;
}

/* Answers a search in all libraries. Our names always exist, but the program wants to know whether its MPI has the
   function. */
static void *answer_default(void *ours, const char *name, const struct cs_map *map)
{
    return cs_front_find_native(name, map, NULL) ? ours : NULL;
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

void *cs_front_dlsym(void *handle, const char *name, const void *caller)
{
    if (!cs_front_find_dlsym())
        return NULL;
    int64_t index = cs_front_index(name);
    if (index < 0)
        return CS_FRONT_PASS;
    struct cs_map map;
    cs_map_scan(&map);
    if (handle == RTLD_DEFAULT) {
        void *first = cs_front_call_dlsym(RTLD_DEFAULT, name);
        if (first && cs_map_ours_at(&map, first) && !answer_default(first, name, &map))
            return NULL;
        return CS_FRONT_PASS; /* the C library resolves relative to the caller */
    }
    void *found = cs_front_call_dlsym(handle, name);
    if (!found)
        return NULL;
    void *answer = found;
    if (cs_map_ours_at(&map, found))
        answer = answer_default(found, name, &map);
    else if (cs_map_mpi_at(&map, found))
        answer = answer_handle(found, (uint32_t)index, caller, &map);
    if (answer)
        dlerror(); /* hide errors of our own look-ups from the program */
    return answer;
}
