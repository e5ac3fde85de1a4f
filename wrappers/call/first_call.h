/* Getting ready, at the first MPI call of any kind, and finding the functions that wrappers forward to. */
#ifndef CS_WRAPPERS_CALL_FIRST_CALL_H
#define CS_WRAPPERS_CALL_FIRST_CALL_H

#include "record/thread.h"

/* For the first call of a thread: everything that must be ready is ready afterwards. NULL: nothing is recorded. */
struct cs_thread *cs_first_call_of_thread(void);

/* The next definition of a function in the program's own search order, after callsign; NULL: none. */
void *cs_next_definition(const char *name);

#endif
