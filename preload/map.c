#include "preload/map.h"

#include <elf.h>
#include <link.h>
#include <string.h>

#include "base/path.h"
#include "base/shared_library.h"

static const char *soname_of(const struct cs_loaded *loaded, const char *path)
{
    const char *soname = cs_loaded_text(loaded, DT_SONAME);
    return soname ? soname : cs_path_name(path);
}

static int visit(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    struct cs_map *map = argument;
    const char *path = info->dlpi_name ? info->dlpi_name : "";
    struct cs_loaded loaded = cs_loaded_read(info);
    struct cs_mapped mapped = {.low = loaded.low, .high = loaded.high, .path = path};
    mapped.soname = soname_of(&loaded, path);
    mapped.mpi = cs_known_mpi_of(mapped.soname);
    enum cs_library_kind kind = cs_library_kind_of(mapped.soname);
    if (mapped.mpi || kind == CS_LIBRARY_MPI) {
        if (map->mpi_count < CS_MAP_MOST)
            map->mpi[map->mpi_count++] = mapped;
    } else if (kind == CS_LIBRARY_CALLSIGN) {
        uintptr_t self = (uintptr_t)&cs_map_scan;
        if (map->ours_count == 0)
            map->is_second = self < mapped.low || self >= mapped.high;
        if (map->ours_count < CS_MAP_MOST)
            map->ours[map->ours_count++] = mapped;
    }
    return 0;
}

void cs_map_scan(struct cs_map *map)
{
    memset(map, 0, sizeof *map);
    dl_iterate_phdr(visit, map);
}

static const struct cs_mapped *find(const struct cs_mapped list[], size_t count, const void *address)
{
    uintptr_t at = (uintptr_t)address;
    for (size_t i = 0; i < count; i++)
        if (at >= list[i].low && at < list[i].high)
            return &list[i];
    return NULL;
}

const struct cs_mapped *cs_map_mpi_at(const struct cs_map *map, const void *address)
{
    return find(map->mpi, map->mpi_count, address);
}

const struct cs_mapped *cs_map_ours_at(const struct cs_map *map, const void *address)
{
    return find(map->ours, map->ours_count, address);
}

struct function {
    const char *name;
    void *found;
};

static int visit_function(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    struct function *function = argument;
    struct cs_loaded loaded = cs_loaded_read(info);
    const char *soname = soname_of(&loaded, info->dlpi_name ? info->dlpi_name : "");
    enum cs_library_kind kind = cs_library_kind_of(soname);
    if (kind == CS_LIBRARY_MPI || kind == CS_LIBRARY_MPI_FORTRAN || cs_known_mpi_of(soname))
        function->found = cs_loaded_function(&loaded, function->name);
    return function->found != NULL;
}

void *cs_map_function(const char *name)
{
    struct function function = {name, NULL};
    dl_iterate_phdr(visit_function, &function);
    return function.found;
}

struct use {
    bool (*use)(const char *path, void *argument);
    void *argument;
};

static int visit_fortran(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    const struct use *use = argument;
    const char *path = info->dlpi_name ? info->dlpi_name : "";
    return cs_library_kind_of(path) == CS_LIBRARY_MPI_FORTRAN && use->use(path, use->argument);
}

void cs_map_fortran(bool (*use)(const char *path, void *argument), void *argument)
{
    struct use all = {use, argument};
    dl_iterate_phdr(visit_fortran, &all);
}
