/* Finds facts about the launcher of this process in the environment, without MPI. */
#pragma once

#include <stdbool.h>

/* The rank that the launcher gave this process; -1: no launcher started it. */
int cs_launched_rank(void);

/* The number of this process within its launch on this node; -1: the launcher does not tell. */
int cs_launched_local_rank(void);

/* True if the value of SLURM_STEP_ID (NULL: not set) belongs to a launch. Slurm gives its own steps, batch scripts
   and interactive shells, the highest numbers. */
bool cs_launched_by_slurm(const char *step);

/* The number of processes in the launch; 0: no launcher started this process, or the launcher does not tell. */
int cs_launched_size(void);

/* The process that launched this one. */
enum cs_launcher {
    CS_LAUNCHER_NONE,  /* it is not known, or it started a script or program that started this one, perhaps alone */
    CS_LAUNCHER_HYDRA, /* of MPICH and its derivatives */
    CS_LAUNCHER_OTHER
};

/* proc: the folder of /proc. */
enum cs_launcher cs_launched_directly_by(const char *proc);
