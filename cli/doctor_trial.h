/* A recording on trial: a small program that begins and ends MPI is started as `callsign run` would start the user's.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>

enum { CS_TRIAL_PATH = PATH_MAX + 64 };

struct cs_trial {
    bool recorded;     /* it ended well, and its trace has its MPI_Init and MPI_Finalize */
    char trouble[512]; /* why not: the last line that it printed, or what is missing; one line */
    char mpi[128];     /* what the MPI says that it is, cut */
    char served[256];  /* families of routines that are callsign's own, as in the trace's meta; empty: all are the MPI's
                        */
    long tag_ub;       /* value of MPI_TAG_UB; 0: none */
    long max_object_name; /* bytes of an object's name, with the terminating zero; 0: not known */
};

/* The program of a flavour's trial; its MPI is the one that the dynamic linker finds. False: there is no such file. */
bool cs_trial_program(const char *flavour, char path[CS_TRIAL_PATH]);

/* Runs the trial of a flavour against the MPI library at this path, in a temporary folder, for at most 30 seconds. */
void cs_trial_run(const char *flavour, const char *mpi_path, struct cs_trial *trial);
