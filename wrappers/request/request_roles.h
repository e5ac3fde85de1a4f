/* Roles of calls that make, start and free requests and matched messages. */
#pragma once

#include "wrappers/call/call.h"
#include "wrappers/request/request_list.h"

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

/* ---- persistent requests ---- */

/* MPI_Start and MPI_Startall, after success. */
void cs_requests_started(struct cs_call *call, const struct cs_request_list *list);

/* Partitions of the request are ready to be sent: one; those from low to high; so many. After success. */
void cs_partition_ready(struct cs_call *call, const struct cs_request_list *list);
void cs_partition_range_ready(struct cs_call *call, const struct cs_request_list *list, int low, int high);
void cs_partitions_ready(struct cs_call *call, const struct cs_request_list *list, int count);

/* MPI_Request_free. Before the native call: a persistent request is an object. */
void cs_begin_free_request(struct cs_call *call, const struct cs_request_list *list);
/* After success. The transfer may go on; nobody will be told when it ends. */
void cs_forget_request(struct cs_call *call, const struct cs_request_list *list);

/* Requests that the program never completed and never freed, and messages that it matched and never received, become
   objects now: before that there was no reason to follow them. Once, when MPI has ended. */
void cs_record_never_completed(void);
