/* PMPI_ names that the program or a library without such functions of its own has looked up: no tool sees calls of
   them. */
#pragma once

#include <stdint.h>

/* index: of the function; path: of the library; "": the program. */
void cs_front_note_looked_up(uint32_t index, const char *path);

/* The MPI_ name of the i-th function, and the path. NULL: there are no more. */
const char *cs_front_looked_up(uint32_t i, const char **path);
