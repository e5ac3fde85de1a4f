/* Objects of which nothing is asked but who made them and whether they were freed: groups, ops, error handlers, infos,
   sessions, keyvals, persistent requests, memory, ports, handles of MPI_T. */
#ifndef CS_WRAPPERS_OBJECT_SIMPLE_H
#define CS_WRAPPERS_OBJECT_SIMPLE_H

#include "wrappers/call/call.h"

/* Requests that the program never waited for and never freed, and messages that it matched and never received, become
   objects now: before that nobody had a reason to follow them. Once, when MPI has ended. */
void cs_requests_left(void);

#endif
