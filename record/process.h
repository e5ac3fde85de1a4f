/* What the journal says about the process that writes it. */
#pragma once

/* Notes node, program, arguments, working directory, time, versions and settings; in the header, when the process
   started. flavour: of the MPI. */
void cs_process_note(const char *flavour);

/* Notes what callsign does in place of the MPI, in words. */
void cs_process_served(const char *families);
