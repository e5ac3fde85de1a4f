#include "preload/choose.h"

#include <dlfcn.h>
#include <string.h>

#include "base/shared_library.h"
#include "preload/flavour.h"
#include "preload/native.h"
#include "preload/reference.h"

const struct cs_mapped *cs_front_choose_mpi(const struct cs_map *map, const void *caller)
{
    if (map->mpi_count <= 1)
        return map->mpi_count ? &map->mpi[0] : NULL;
    /* With two MPIs in one process, the first in the search order serves all linked calls. Its profiling name is
       looked up, because another tool may define the plain one. */
    const struct cs_mapped *mpi = cs_map_mpi_at(map, cs_front_find_next("PMPI_Init"));
    for (size_t i = 0; !mpi && caller && i < map->mpi_count; i++)
        if (cs_front_needs(caller, map->mpi[i].soname))
            mpi = &map->mpi[i];
    return mpi ? mpi : &map->mpi[0];
}

/* Tools define an MPI's plain names. Profiling names are defined only by MPIs and by libraries that pose as one. */
const char *cs_front_translator(const struct cs_map *map)
{
    Dl_info info;
    void *found = cs_front_find_next("PMPI_Init");
    if (!found || cs_map_mpi_at(map, found) || !dladdr(found, &info) || !info.dli_fname)
        return NULL;
    enum cs_library_kind kind = cs_library_kind_of(info.dli_fname);
    return kind == CS_LIBRARY_OTHER || kind == CS_LIBRARY_MPI_TRANSLATOR ? info.dli_fname : NULL;
}

/* Many linkers omit libraries that nothing needs (--as-needed, gcc's default on many systems). They omit an MPI if
   the program needs only its functions, because -lcallsign has them too. Open MPI's predefined objects are data, so
   it stays. A program for another MPI then names no MPI, and this library loads the one that it was built for. */
bool cs_front_load_mpi(const void *caller)
{
    if (!cs_front_needs(caller, "libcallsign.so"))
        return false;
    for (int built = 1; built >= 0; built--)
        for (size_t i = 0; i < cs_known_mpis_count; i++) {
            const struct cs_known_mpi *mpi = &cs_known_mpis[i];
            bool may_be = built ? strcmp(mpi->flavour, "openmpi") != 0 && cs_front_has_flavour(mpi->flavour)
                                : strcmp(mpi->flavour, "mpich") == 0;
            if (may_be && *mpi->soname && dlopen(mpi->soname, RTLD_LAZY | RTLD_GLOBAL))
                return true;
        }
    return false;
}
