#include "base/launched.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/proc.h"

static int number_of(const char *text)
{
    char *end;
    long number = text && *text ? strtol(text, &end, 10) : -1;
    return number >= 0 && number < INT_MAX && !*end ? (int)number : -1;
}

bool cs_launched_by_slurm(const char *step)
{
    return step && strtoull(step, NULL, 10) < 0xfffffff0u;
}

static int first_number_of(const char *const names[], size_t count)
{
    int number = -1;
    for (size_t i = 0; number < 0 && i < count; i++)
        number = number_of(getenv(names[i]));
    return number;
}

int cs_launched_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",      "PMI_RANK",
                                        "PALS_RANKID",          "FLUX_TASK_RANK", "ALPS_APP_PE"};
    int rank = first_number_of(names, sizeof names / sizeof *names);
    /* Batch scripts have SLURM_PROCID too. */
    if (rank < 0 && cs_launched_by_slurm(getenv("SLURM_STEP_ID")))
        rank = number_of(getenv("SLURM_PROCID"));
    return rank;
}

int cs_launched_local_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PALS_LOCAL_RANKID"};
    int rank = first_number_of(names, sizeof names / sizeof *names);
    if (rank < 0 && cs_launched_by_slurm(getenv("SLURM_STEP_ID")))
        rank = number_of(getenv("SLURM_LOCALID"));
    return rank;
}

int cs_launched_size(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "FLUX_JOB_SIZE"};
    int size = first_number_of(names, sizeof names / sizeof *names);
    if (size < 0 && cs_launched_by_slurm(getenv("SLURM_STEP_ID")))
        size = number_of(getenv("SLURM_STEP_NUM_TASKS"));
    return size < 0 ? 0 : size;
}

static bool begins_with_any(const char *name, const char *const prefixes[])
{
    for (; *prefixes; prefixes++)
        if (strncmp(name, *prefixes, strlen(*prefixes)) == 0)
            return true;
    return false;
}

enum cs_launcher cs_launched_directly_by(const char *proc)
{
    static const char *const hydra[] = {"hydra_", "pmi_proxy", NULL};
    static const char *const others[] = {"orterun",    "orted",  "mpirun", "mpiexec", "prterun",
                                         "prted",      "prun",   "oshrun", "palsd",   "slurmstepd",
                                         "flux-shell", "apinit", "jsmd",   "psid",    NULL};
    /* They run the program that their arguments name, and nothing else. */
    static const char *const runners[] = {"timeout", "time",      "strace",      "ltrace",      "perf", "valgrind",
                                          "gdb",     "apptainer", "singularity", "Singularity", NULL};
    char arguments[4096];
    struct cs_proc_stat stat = {.parent = 0};
    enum { ANCESTORS_MOST = 8 };
    bool known = cs_proc_stat(proc, 0, &stat);
    for (int i = 0; known && i < ANCESTORS_MOST && stat.parent > 1; i++) {
        size_t used = cs_proc_arguments(proc, stat.parent, arguments, sizeof arguments - 1);
        arguments[used] = 0;
        const char *name = cs_path_name(arguments);
        if (begins_with_any(name, hydra))
            return CS_LAUNCHER_HYDRA;
        if (begins_with_any(name, others))
            return CS_LAUNCHER_OTHER;
        known = begins_with_any(name, runners) && cs_proc_stat(proc, stat.parent, &stat);
    }
    return CS_LAUNCHER_NONE;
}
