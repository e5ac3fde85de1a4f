/* The MPI libraries and callsign libraries that are mapped in this process. Read anew whenever it matters, because
   programs load libraries at run time. Uses libc only and allocates nothing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/known_mpi.h"

enum { CS_MAP_MOST = 8 };

struct cs_mapped {
    uintptr_t low, high;            /* its memory: low <= address < high */
    const char *path;               /* as the dynamic linker calls it; valid while it stays loaded */
    const char *soname;             /* DT_SONAME, or the last part of the path */
    const struct cs_known_mpi *mpi; /* NULL: none of those that we know */
};

struct cs_map {
    struct cs_mapped mpi[CS_MAP_MOST];  /* in load order */
    struct cs_mapped ours[CS_MAP_MOST]; /* front and flavour libraries, in load order */
    size_t mpi_count, ours_count;
    bool is_second; /* another library of callsign stands before this one in the search order */
};

/* Fills *map. More than CS_MAP_MOST of a sort are left out. */
void cs_map_scan(struct cs_map *map);

/* The MPI library that an address lies in, or NULL. */
const struct cs_mapped *cs_map_mpi_at(const struct cs_map *map, const void *address);

/* The front or flavour library that an address lies in, or NULL. */
const struct cs_mapped *cs_map_ours_at(const struct cs_map *map, const void *address);

/* Calls use() with the path of every loaded library that may have an MPI's functions for Fortran, until it says true.
 */
void cs_map_fortran(bool (*use)(const char *path, void *argument), void *argument);
