#include "base/launched.h"

#include <limits.h>
#include <stdlib.h>

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
