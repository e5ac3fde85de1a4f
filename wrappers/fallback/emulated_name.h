/* callsign's own MPI_*_set_name and MPI_*_get_name (MPI 4.1, 7.8). */
#pragma once

#include <stddef.h>

#include "callsign/debug.h"
#include "whole_mpi.h"

/* For any kind and language. bytes: length of the name, which needs no NUL. */
int cs_fallback_set_name(enum callsign_kind kind, uint64_t handle, const char *name, size_t bytes);
int cs_fallback_get_name(enum callsign_kind kind, uint64_t handle, char *name, int *length);

/* For an MPI without this function: returns the node's name. */
int cs_fallback_Get_processor_name(char *name, int *length);
