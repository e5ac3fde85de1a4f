#include "preload/choose.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/shared_library.h"
#include "preload/flavour.h"
#include "preload/native.h"
#include "preload/reference.h"

/* The mapped MPI that the library or program at this address was linked with, or NULL. */
static const struct cs_mapped *mpi_needed_by(const struct cs_map *map, const void *address)
{
    for (size_t i = 0; i < map->mpi_count; i++)
        if (cs_front_needs(address, map->mpi[i].soname))
            return &map->mpi[i];
    return NULL;
}

const struct cs_mapped *cs_front_choose_mpi(const struct cs_map *map, const void *caller)
{
    if (map->mpi_count <= 1)
        return map->mpi_count ? &map->mpi[0] : NULL;
    /* With two MPIs in one process, the first in the search order serves all linked calls. Its profiling name is
       looked up, because another tool may define the plain one. */
    const void *first = cs_front_find_next("PMPI_Init");
    const struct cs_mapped *mpi = cs_map_mpi_at(map, first);
    if (!mpi && caller)
        mpi = mpi_needed_by(map, caller);
    if (!mpi && first)
        mpi = mpi_needed_by(map, first);
    return mpi ? mpi : &map->mpi[0];
}

/* A tool such as Darshan may define profiling names, too. It wraps an MPI if it needs one, or refers to MPI functions
   that it does not define. A tool that looks everything up at run time wraps the MPI that the calling program was
   linked with: the handles are those of that MPI. */
static bool wraps_mpi(const struct cs_map *map, const void *tool, const void *caller)
{
    const void *program = (const void *)(uintptr_t)getauxval(AT_ENTRY);
    return mpi_needed_by(map, tool) || cs_front_calls_mpi(tool) || (caller && mpi_needed_by(map, caller)) ||
           mpi_needed_by(map, program);
}

const char *cs_front_translator(const struct cs_map *map, const void *caller)
{
    Dl_info info;
    void *found = cs_front_find_next("PMPI_Init");
    if (!found || cs_map_mpi_at(map, found) || !dladdr(found, &info) || !info.dli_fname)
        return NULL;
    enum cs_library_kind kind = cs_library_kind_of(info.dli_fname);
    bool translates = kind == CS_LIBRARY_MPI_TRANSLATOR || (kind == CS_LIBRARY_OTHER && !wraps_mpi(map, found, caller));
    return translates ? info.dli_fname : NULL;
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
