/* Objects that are only recorded as created and freed: groups, ops, error handlers, infos, sessions, keyvals,
   persistent requests, memory, ports, handles of MPI_T. */
#pragma once

#include "wrappers/call/call.h"

/* Role, after success; handle: its CS_KEY. Null handles and handles that the program does not own are ignored. A
   group or error handler that is alive gets one more reference. */
void cs_made(struct cs_call *call, enum callsign_kind kind, uint64_t handle);

/* address: where MPI_Alloc_mem stored the address. */
void cs_made_memory(struct cs_call *call, const void *address, MPI_Aint size);

/* The tool interface accepts NULL for an info that the program does not need. */
void cs_handed_out_info(struct cs_call *call, const MPI_Info *info);

/* Ports are strings instead of handles. C ends them with NUL, Fortran pads them with blanks. length: maximum in
   bytes. */
void cs_made_port(struct cs_call *call, const char *name, size_t length);
void cs_begin_free_port(struct cs_call *call, const char *name, size_t length);

/* ---- files ---- */

/* Role, after success. MPI_FILE_NULL is no object. */
void cs_made_file(struct cs_call *call, MPI_File file);
