/* Names and attributes of callsign's own, below the wrappers: which families it serves, and putting its functions where
   wrappers call the MPI's. */
#pragma once

/* Once, when cs_next is filled and the settings are read: serves what the MPI lacks, and what CALLSIGN_FORCE says. */
void cs_fallback_install(void);

/* The families that are served, in words, with ", " between; "": none. */
const char *cs_fallback_served(void);
