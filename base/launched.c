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

int cs_launched_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",      "PMI_RANK",
                                        "PALS_RANKID",          "FLUX_TASK_RANK", "ALPS_APP_PE"};
    int rank = -1;
    for (size_t i = 0; rank < 0 && i < sizeof names / sizeof *names; i++)
        rank = number_of(getenv(names[i]));
    /* Set in batch scripts too. */
    if (rank < 0 && cs_launched_by_slurm(getenv("SLURM_STEP_ID")))
        rank = number_of(getenv("SLURM_PROCID"));
    return rank;
}
