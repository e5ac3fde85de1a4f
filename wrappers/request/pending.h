/* What a request or a matched message stands for, from the call that makes it until it completes.

   The table has requests under the handle of the language that made them, because asking the MPI for the other one
   takes longer than all else that is done with a request: the handle of C, or in MPIs whose handles are other ones in
   Fortran the number there, with a bit that no address has. Persistent ones are always there under their handle in C.
   The handle of the other language is only looked for once that has made requests. */
#pragma once

#include "wrappers/call/call.h"

#define CS_REQUEST_IS_NUMBER(key) ((key) >> 63)
#define CS_REQUEST_NUMBER(number) ((uint64_t)1 << 63 | (uint32_t)(number))
enum cs_made_in { CS_MADE_IN_C, CS_MADE_IN_FORTRAN, CS_MADE_LANGUAGES };

/* Whether this process ever made a request in that language, with a handle of its own. */
bool cs_requests_made_in(enum cs_made_in language);

/* Roles: after success. */
void cs_made_request(struct cs_call *call, MPI_Request request);
void cs_made_request_fortran(struct cs_call *call, const void *request);
/* A persistent or partitioned one: the bytes of the call count at each start, not now. */
void cs_made_persistent(struct cs_call *call, MPI_Request request);
/* That sends in so many partitions. */
void cs_made_partitions(struct cs_call *call, MPI_Request request, int partitions);
void cs_made_message(struct cs_call *call, MPI_Message message);

/* Role, before the native call, of Mrecv and Imrecv: they are about the communicator of the probe. */
void cs_on_message(struct cs_call *call, const MPI_Message *message);
