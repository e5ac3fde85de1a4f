/* What the journal says about the process that writes it. */
#ifndef CS_RECORD_PROCESS_H
#define CS_RECORD_PROCESS_H

/* Notes node, program, arguments, working directory, time, versions and settings; in the header, when the process
   started. flavour: of the MPI. */
void cs_process_note(const char *flavour);

#endif
