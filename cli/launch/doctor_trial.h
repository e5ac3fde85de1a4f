/* A trial recording: starts a small program that begins and ends MPI, as `callsign run` would start the user's. */
#pragma once

#include <limits.h>
#include <stdbool.h>

enum { CS_TRIAL_PATH = PATH_MAX + 64 };

struct cs_trial {
    bool recorded;     /* it ended well, and its trace has MPI_Init and MPI_Finalize */
    char trouble[512]; /* why not: its last line of output, or what is missing; one line */
    char mpi[128];     /* name and version of the MPI */
    char served[256]; /* families of routines that callsign serves, as in the trace's meta; empty: the MPI serves all */
    long tag_ub;      /* value of MPI_TAG_UB; 0: none */
    long max_object_name; /* size of an object's name with its NUL; 0: unknown */
};

/* Finds the trial program of a flavour; the dynamic linker chooses its MPI. Returns false if there is no such file. */
bool cs_trial_program(const char *flavour, char path[CS_TRIAL_PATH]);

/* Runs the trial of a flavour with the MPI library at this path, in a temporary folder, for at most 30 seconds. */
void cs_trial_run(const char *flavour, const char *mpi_path, struct cs_trial *trial);
