/* What the environment says about the launcher that started this process, without MPI. */
#pragma once

#include <stdbool.h>

/* The rank that a launcher gave this process; -1: no launcher started it. */
int cs_launched_rank(void);

/* Its number among those of the launch on this node; -1: the launcher does not say it. */
int cs_launched_local_rank(void);

/* Whether the value of SLURM_STEP_ID (NULL: not set) is that of a launch. Slurm's own steps, batch scripts and
   interactive shells, have numbers from the top. */
bool cs_launched_by_slurm(const char *step);
