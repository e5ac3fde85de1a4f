/* Names and attributes of callsign's own, below the wrappers: which families it serves, and putting its functions where
   wrappers call the MPI's. */
#pragma once

#include <stdbool.h>

/* A family is served whole: keyvals of one are of no use to the other's functions. */
enum cs_fallback_family {
    CS_NAMES_OF_COMMUNICATORS,
    CS_NAMES_OF_DATATYPES,
    CS_NAMES_OF_WINDOWS,
    CS_ATTRIBUTES_OF_COMMUNICATORS,
    CS_ATTRIBUTES_OF_DATATYPES,
    CS_ATTRIBUTES_OF_WINDOWS,
    CS_FALLBACK_FAMILIES
};

/* Once, when cs_next is filled and the settings are read: serves what the MPI lacks, and what CALLSIGN_FORCE says. */
void cs_fallback_install(void);

bool cs_fallback_serves(enum cs_fallback_family family);

/* The families that are served, in words, with ", " between; "": none. */
const char *cs_fallback_served(void);
