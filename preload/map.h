/* The MPI libraries and callsign libraries that are mapped in this process. Scanned again whenever it matters,
   because programs load libraries at run time. Uses only libc and allocates nothing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/known_mpi.h"

enum { CS_MAP_MOST = 8 };

struct cs_mapped {
    uintptr_t low, high;            /* memory: low <= address < high */
    const char *path;               /* path from the dynamic linker; valid while it stays loaded */
    const char *soname;             /* DT_SONAME, or the last part of the path */
    const struct cs_known_mpi *mpi; /* NULL: an unknown MPI */
};

struct cs_map {
    struct cs_mapped mpi[CS_MAP_MOST];  /* in load order */
    struct cs_mapped ours[CS_MAP_MOST]; /* front and flavour libraries, in load order */
    size_t mpi_count, ours_count;
    bool is_second; /* another library of callsign precedes this one in the search order */
};

/* Fills *map. Libraries beyond CS_MAP_MOST of a kind are left out. */
void cs_map_scan(struct cs_map *map);

/* The MPI library at an address, or NULL. */
const struct cs_mapped *cs_map_mpi_at(const struct cs_map *map, const void *address);

/* The front or flavour library at an address, or NULL. */
const struct cs_mapped *cs_map_ours_at(const struct cs_map *map, const void *address);

/* A function of an MPI library or of its Fortran library, or NULL. A signal handler may call this. */
void *cs_map_function(const char *name);

/* Calls use() with the path of each loaded library that may have an MPI's Fortran functions, until it returns true. */
void cs_map_fortran(bool (*use)(const char *path, void *argument), void *argument);
