/* The flavour library: the wrappers for one MPI, loaded at the first MPI call. */
#pragma once

#include "preload/map.h"

/* Loads the flavour for this MPI, attaches it and fills the slots. False when that cannot be: one line on stderr says
   so. */
bool cs_front_load_flavour(const struct cs_mapped *mpi);

/* Whether this callsign has one of that name: it was built for that MPI. */
bool cs_front_has_flavour(const char *flavour);

/* A function of the loaded flavour; NULL: no flavour is loaded, or it has none of this name. */
void *cs_front_in_flavour(const char *name);
