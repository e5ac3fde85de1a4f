/* Regions of the program. MPI_Pcontrol(1, "name") begins one and MPI_Pcontrol(-1, "name") ends it, from any thread: a
   region is one of the process. Calls count for the innermost region that is open. */
#pragma once

#include <stdint.h>

#include "record/process/thread.h"

enum { CS_REGION_NAME_BYTES = 64 }; /* with the NUL */

/* Begins a region inside those that are open. After 255 different ones, further ones count as the region around them.
 */
void cs_region_begin(const struct cs_thread *thread, const char *name, uint64_t ticks);

/* Ends the innermost open region of this name, and with it those inside that are still open, which do not count as
   ended. Ignores a name that is not open. */
void cs_region_end(const struct cs_thread *thread, const char *name, uint64_t ticks);

/* In a forked child: forgets all. */
void cs_region_forget(void);
