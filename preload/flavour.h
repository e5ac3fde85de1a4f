/* Loads the flavour library, the wrappers for one MPI, at the first MPI call. */
#pragma once

#include "preload/map.h"

/* Loads the flavour for this MPI, attaches it and fills the slots. Returns false on failure, with one line on
   stderr. */
bool cs_front_load_flavour(const struct cs_mapped *mpi);

/* True if this callsign has a flavour with that name, built for that MPI. */
bool cs_front_has_flavour(const char *flavour);

/* A function of the loaded flavour; NULL: no flavour is loaded, or it lacks the name. */
void *cs_front_in_flavour(const char *name);
