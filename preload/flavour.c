#include "preload/flavour.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/shared_library.h"
#include "preload/front.h"
#include "preload/looked_up.h"
#include "preload/native.h"
#include "preload/slots.h"

static void *loaded;              /* handle of the flavour once it is attached */
static struct cs_map with_loaded; /* libraries that were mapped then */

/* True for C names: "MPI_Send". Fortran has four times as many, in one case; they are looked up at their first call. */
static bool is_of_c(const char *name)
{
    return name[0] == 'M' && strpbrk(name, "abcdefghijklmnopqrstuvwxyz");
}

/* A flavour may run with another MPI than it was built for: another version, or another implementation of the
   standard ABI. Then a wrapper may have no native function. */
static bool has_native(const char *name)
{
    if (cs_front_find_native(name, &with_loaded, NULL))
        return true;
    int (*serves)(const char *) = (int (*)(const char *))cs_front_call_dlsym(loaded, "callsign_flavour_serves");
    return serves && serves(name);
}

void *cs_front_in_flavour(const char *name)
{
    void *found = loaded ? cs_front_call_dlsym(loaded, name) : NULL;
    /* dlsym on a handle also searches the flavour's dependencies; their symbols do not count. */
    if (!found || !cs_map_ours_at(&with_loaded, found))
        return NULL;
    return !is_of_c(name) || has_native(name) ? found : NULL;
}

static void fill_slots(void *flavour)
{
    cs_map_scan(&with_loaded);
    loaded = flavour;
    for (uint32_t i = 0; i < cs_front_count; i++) {
        const char *name = cs_front_name(i);
        void *found = is_of_c(name) ? cs_front_in_flavour(name) : NULL;
        if (found)
            atomic_store_explicit(&cs_front_slots[i], found, memory_order_release);
    }
}

static char begin_folder[PATH_MAX];

/* Notes the folder before the program can change it. Most processes have no such setting, and many never call MPI. */
__attribute__((constructor)) static void note_folder(void)
{
    static const char *const paths[] = {"CALLSIGN_OUTPUT", "CALLSIGN_RUN", "CALLSIGN_JOURNAL"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const char *value = secure_getenv(paths[i]);
        if (value && *value && *value != '/' && !*begin_folder && !getcwd(begin_folder, sizeof begin_folder))
            *begin_folder = 0;
    }
}

static const struct cs_front front = {
    .version = CS_FRONT_VERSION,
    .bytes = sizeof front,
    .next = cs_front_find_next,
    .folder = begin_folder,
    .looked_up = cs_front_looked_up,
};

static bool attach(void *flavour, const char *path)
{
    struct cs_map map;
    cs_map_scan(&map);
    cs_front_note_ours(&map);
    int (*attach_flavour)(const struct cs_front *) =
        (int (*)(const struct cs_front *))cs_front_call_dlsym(flavour, "callsign_flavour_attach");
    if (!attach_flavour) {
        cs_log("%s is not a flavour library of callsign: nothing is recorded. Install callsign again", path);
        return false;
    }
    if (attach_flavour(&front) != 0) {
        cs_log("%s does not fit this libcallsign.so: nothing is recorded. Install callsign again", path);
        return false;
    }
    return true;
}

/* The flavour library for an MPI with this soname (NULL: any). The library of an MPI may have several names, and a
   flavour depends on one of them: there is a file with another dependency for another name, such as
   libcallsign-mpich-libmpi.12 for libmpi.so.12. Without ".so" in its name, ldconfig leaves it alone. Returns false if
   the path is too long. */
static bool path_of(const char *flavour, const char *soname, char path[PATH_MAX])
{
    char folder[PATH_MAX];
    if (!cs_library_find_own_folder(folder))
        return false;
    const char *end = soname ? strstr(soname, ".so") : NULL;
    if (end &&
        snprintf(path, PATH_MAX, "%s/libcallsign-%s-%.*s%s", folder, flavour, (int)(end - soname), soname, end + 3) <
            PATH_MAX &&
        access(path, F_OK) == 0)
        return true;
    return snprintf(path, PATH_MAX, "%s/libcallsign-%s.so", folder, flavour) < PATH_MAX;
}

bool cs_front_has_flavour(const char *flavour)
{
    char path[PATH_MAX];
    return path_of(flavour, NULL, path) && access(path, F_OK) == 0;
}

bool cs_front_load_flavour(const struct cs_mapped *mpi)
{
    if (!mpi->mpi) {
        cs_log("the program uses %s, an MPI that callsign was not built for: nothing is recorded. "
               "Build callsign with -DCALLSIGN_MPICC=<the mpicc of that MPI>",
               mpi->path);
        return false;
    }
    char path[PATH_MAX];
    if (!path_of(mpi->mpi->flavour, mpi->soname, path)) {
        cs_log("cannot tell where libcallsign.so is: nothing is recorded. Preload it by its full path");
        return false;
    }
    if (access(path, F_OK) != 0) {
        cs_log("the program uses %s (%s) but callsign was built without it (no %s): nothing is recorded. "
               "Build callsign with -DCALLSIGN_MPICC=<the mpicc of that MPI>",
               mpi->mpi->title, mpi->path, path);
        return false;
    }
    void *flavour = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!flavour) {
        const char *why = dlerror();
        cs_log("cannot load %s: nothing is recorded (%s)", path, why ? why : "no reason given");
        return false;
    }
    if (!attach(flavour, path))
        return false;
    fill_slots(flavour);
    return true;
}
