/* A command that a launcher started several times: `mpirun -n 64 callsign merge RUN`. An MPI connects the processes. */
#pragma once

#include <stdbool.h>

#include "base/parallel.h"

/* What this process does. */
enum cs_role {
    CS_ROLE_ALONE, /* all of the work, as if no launcher were there */
    CS_ROLE_FIRST, /* number 0 of several */
    CS_ROLE_OTHER, /* another one of several */
    CS_ROLE_NONE   /* nothing: process 0 works alone */
};

struct cs_together {
    enum cs_role role;
    const struct cs_parallel *parallel; /* of several processes; otherwise NULL */
    int processes;
};

/* True if process 0 of this launch prints what all have to say, such as an error of usage. */
bool cs_together_is_quiet(void);

/* Connects the processes of this launch. If they cannot be connected, process 0 logs why in one line. */
void cs_together_begin(struct cs_together *together);

/* All processes call it. */
void cs_together_end(struct cs_together *together);
