/* Libraries whose calls do not come by here: opened with RTLD_DEEPBIND they find the MPI before callsign. */
#pragma once

/* Looks where the MPI calls of all libraries lead that are loaded now. Those that lead straight into the MPI are noted
   in the journal, and told in one line by the first rank. Once, at the end of the recording: nothing is intercepted for
   it, and a call shows where it leads only when it was made. */
void cs_bypass_look(void);
