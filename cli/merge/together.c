#include "cli/merge/together.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/launched.h"
#include "base/log.h"
#include "cli/command/command.h"

/* ---- the launch ---- */

/* True if a launcher started this command, and perhaps others like it. */
static bool is_launched(void)
{
    /* A launch within a launch has the variables of both. */
    static const char *const of_others[] = {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_RANK"};
    enum cs_launcher launcher = cs_launched_directly_by("/proc");
    for (size_t i = 0; launcher == CS_LAUNCHER_HYDRA && getenv("PMI_RANK") && i < sizeof of_others / sizeof *of_others;
         i++)
        unsetenv(of_others[i]);
    return launcher != CS_LAUNCHER_NONE && cs_launched_rank() >= 0 && cs_launched_size() != 1;
}

bool cs_together_is_quiet(void)
{
    return cs_launched_rank() > 0 && is_launched();
}

/* ---- the library for the launcher's MPI ---- */

/* The flavours to try, the likeliest first. Slurm and others start programs of any MPI: their variables show the
   protocol by which they connect processes. */
static const char *const *flavours(void)
{
    static const char *const openmpi[] = {"openmpi", NULL};
    static const char *const mpich[] = {"mpich", "abi", NULL};
    static const char *const by_pmix[] = {"openmpi", "mpich", "abi", "mpi", NULL};
    static const char *const by_pmi[] = {"mpich", "abi", "openmpi", "mpi", NULL};
    if (getenv("OMPI_COMM_WORLD_SIZE"))
        return openmpi;
    if (getenv("PMI_SIZE") && getenv("MPI_LOCALNRANKS"))
        return mpich;
    return getenv("PMIX_RANK") ? by_pmix : by_pmi;
}

/* NULL: `why` has the reason. */
static const struct cs_parallel *load(char why[PATH_MAX])
{
    char folder[PATH_MAX], path[PATH_MAX + 64];
    const char *const *flavour = flavours();
    snprintf(why, PATH_MAX, "this callsign was built without its MPI");
    if (!cs_libraries_folder(folder))
        return NULL;
    for (; *flavour; flavour++) {
        snprintf(path, sizeof path, "%s/libcallsign-parallel-%s.so", folder, *flavour);
        if (access(path, R_OK) == 0)
            break;
    }
    /* Some MPIs load parts that look for the names of the MPI among those of the program. */
    void *library = *flavour ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
    if (*flavour && !library)
        snprintf(why, PATH_MAX, "%s", dlerror());
    const struct cs_parallel *parallel = library ? dlsym(library, CS_PARALLEL_SYMBOL) : NULL;
    return parallel && parallel->version == CS_PARALLEL_VERSION ? parallel : NULL;
}

/* ---- connecting ---- */

static bool is_first(void)
{
    return cs_launched_rank() == 0;
}

static void work_alone(struct cs_together *together, const char *why)
{
    *together = (struct cs_together){.role = is_first() ? CS_ROLE_ALONE : CS_ROLE_NONE};
    if (is_first())
        cs_log("the processes of this launch cannot work together: %s. One works alone", why);
}

void cs_together_begin(struct cs_together *together)
{
    char why[PATH_MAX];
    int rank = 0;
    *together = (struct cs_together){.role = CS_ROLE_ALONE};
    if (!is_launched())
        return;
    together->parallel = load(why);
    if (!together->parallel) {
        work_alone(together, why);
    } else if (!together->parallel->begin(&rank, &together->processes)) {
        work_alone(together, "the MPI does not start");
    } else if (together->processes == 1) {
        together->parallel->end();
        if (cs_launched_size() > 1 || !is_first())
            work_alone(together, "each is an MPI job of one process. Is the launcher that of another MPI?");
        together->parallel = NULL;
    } else {
        together->role = rank == 0 ? CS_ROLE_FIRST : CS_ROLE_OTHER;
    }
}

void cs_together_end(struct cs_together *together)
{
    if (together->parallel)
        together->parallel->end();
    together->parallel = NULL;
}
