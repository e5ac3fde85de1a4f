/* The interface between the front library and a flavour library. Users preload or link libcallsign.so (front). At
   the first MPI call it loads libcallsign-<flavour>.so and fills its slots with the flavour's MPI_* functions. A
   flavour can also be preloaded or linked directly. Then nobody calls callsign_flavour_attach, and it resolves for
   itself. */
#pragma once

#include <stdint.h>

#define CS_FRONT_VERSION 4u

struct cs_front {
    uint32_t version; /* CS_FRONT_VERSION; a flavour refuses other versions */
    uint32_t bytes;   /* sizeof this structure */
    /* The next definition of an MPI function after callsign in the search order, so that other preloaded tools stay
       in the chain. NULL: none, because the program loaded its MPI at run time. */
    void *(*next)(const char *name);
    /* The folder in which the process began, if a setting is a relative path; otherwise "". The program may change
       its folder. */
    const char *folder;
    /* See cs_front_looked_up. */
    const char *(*looked_up)(uint32_t i, const char **path);
};

/* Exported by every flavour; called once, before its first wrapper. Returns 0, or -1 if it cannot work with this front.
 */
int callsign_flavour_attach(const struct cs_front *front);

/* Exported by every flavour; called after attaching. True if the flavour has its own function in place of one that
   the MPI lacks. */
int callsign_flavour_serves(const char *name);
