/* Programs that load their MPI at run time and look up its functions by name (Julia, ctypes) get callsign's
   functions. */
#pragma once

#define CS_FRONT_PASS ((void *)-1) /* also in entry_*.S */

/* dlsym (entry_*.S) calls this for names that begin with "mpi" or "pmpi" in either case. Returns the address, or
   CS_FRONT_PASS: call the next dlsym. NULL: dlerror has the reason. caller: return address. */
void *cs_front_dlsym(void *handle, const char *name, const void *caller);
