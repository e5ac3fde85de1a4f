/* Init, Finalize, Abort, sessions, Pcontrol: when the recording begins and ends. */
#ifndef CS_WRAPPERS_LIFECYCLE_H
#define CS_WRAPPERS_LIFECYCLE_H

/* The first call of the process has come; MPI may be initialised already, behind callsign's back. */
void cs_lifecycle_first_call(void);

#endif
