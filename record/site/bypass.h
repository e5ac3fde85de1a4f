/* Libraries whose calls bypass callsign. Opened with RTLD_DEEPBIND, they find the MPI before callsign. Other tools that
   come before callsign may call PMPI_ functions. */
#pragma once

#include <stdint.h>

/* MPI was initialised before callsign saw a call. Call it before cs_bypass_find. */
void cs_bypass_note_missed_init(void);

/* Notes libraries whose calls would go past callsign, as far as their references show it: for a run that does not come
   to its end. Call it once, when the recording begins. */
void cs_bypass_note_possible(void);

/* Checks where the MPI calls of all loaded libraries lead. Those that lead directly into the MPI are recorded, and
   the first rank prints them in one line. Call it once, at the end of the recording: nothing is intercepted for it,
   and a call shows where it leads only after it was made. */
void cs_bypass_find(void);

/* Tells which functions were looked up by their PMPI_ names (preload/looked_up.h). */
typedef const char *cs_bypass_looked_up(uint32_t i, const char **path);
void cs_bypass_set_looked_up(cs_bypass_looked_up *function);
