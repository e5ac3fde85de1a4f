/* Objects of which nothing is asked but who made them and whether they were freed: groups, ops, error handlers, infos,
   sessions, keyvals, persistent requests, memory, ports, handles of MPI_T. */
#pragma once

#include "wrappers/call/call.h"

/* Role, after success; handle: CS_KEY of it. Null handles and those that the program does not own are no objects. A
   group or error handler that is live already has one more reference. */
void cs_made(struct cs_call *call, enum callsign_kind kind, uint64_t handle);

/* Where MPI_Alloc_mem put its address. */
void cs_made_memory(struct cs_call *call, const void *address, MPI_Aint size);

/* The tool interface lets the program pass NULL for an info that it does not want. */
void cs_handed_out_info(struct cs_call *call, const MPI_Info *info);

/* Ports are strings instead of handles. C ends them with NUL, Fortran with blanks; length: at most so many bytes. */
void cs_made_port(struct cs_call *call, const char *name, size_t length);
void cs_begin_free_port(struct cs_call *call, const char *name, size_t length);

/* ---- files ---- */

/* Role, after success. MPI_FILE_NULL is no object. */
void cs_made_file(struct cs_call *call, MPI_File file);
