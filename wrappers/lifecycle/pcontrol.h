/* MPI_Pcontrol: the only place that knows what its arguments mean to callsign. Other tools give them other meanings, so
 * everything that is not known here is ignored.
 *
 *     MPI_Pcontrol(0)           pauses the profile
 *     MPI_Pcontrol(1)           resumes it
 *     MPI_Pcontrol(1, "name")   also begins a region
 *     MPI_Pcontrol(-1, "name")  ends it
 *
 * While the profile is paused, 1 only resumes it, whatever follows.
 *
 * C cannot tell whether a second argument was passed: it may be any word that was left in its place. So it is only read
 * through the kernel, which refuses an invalid address, and only taken for a name if it is a short printable text that
 * ends with NUL. A region counts only if the program ended it by the same name (db/convert/region_rows.h). */
#pragma once

#include <stdbool.h>

#include "wrappers/call/call.h"

/* Before the native call. Returns true if `second` is the name of a region. */
bool cs_pcontrol(struct cs_call *call, int level, const void *second);
