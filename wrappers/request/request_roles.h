/* Roles of calls that make, start and free requests and matched messages. */
#pragma once

#include "wrappers/call/call.h"
#include "wrappers/request/request_list.h"

/* Roles: after success. */
void cs_made_request(struct cs_call *call, MPI_Request request);
void cs_made_request_fortran(struct cs_call *call, const void *request);
/* cs_made_request and cs_leave for a call that sends a message, which counts before, or receives one. */
void cs_leave_with_send(struct cs_call *call, MPI_Request request);
void cs_leave_with_send_fortran(struct cs_call *call, const void *request);
void cs_leave_with_receive(struct cs_call *call, MPI_Request request);
void cs_leave_with_receive_fortran(struct cs_call *call, const void *request);
/* A persistent or partitioned request: each start counts the bytes, not this call. */
void cs_made_persistent(struct cs_call *call, MPI_Request request);
/* It sends in this many partitions. */
void cs_made_partitions(struct cs_call *call, MPI_Request request, int partitions);
void cs_made_message(struct cs_call *call, MPI_Message message);

/* Role of Mrecv and Imrecv, before the native call: the communicator is that of the probe. */
void cs_on_message(struct cs_call *call, const MPI_Message *message);

/* ---- persistent requests ---- */

/* MPI_Start and MPI_Startall, after success. */
void cs_requests_started(struct cs_call *call, const struct cs_request_list *list);

/* After success: partitions of the request are ready: one; from low to high; or `count`. */
void cs_partition_ready(struct cs_call *call, const struct cs_request_list *list);
void cs_partition_range_ready(struct cs_call *call, const struct cs_request_list *list, int low, int high);
void cs_partitions_ready(struct cs_call *call, const struct cs_request_list *list, int count);

/* MPI_Request_free, before the native call: a persistent request is an object. */
void cs_begin_free_request(struct cs_call *call, const struct cs_request_list *list);
/* After success. The transfer may continue, but its end will never be known. */
void cs_forget_request(struct cs_call *call, const struct cs_request_list *list);

/* Makes objects of requests that the program never completed or freed, and of messages that it matched but never
   received; until now they were not tracked as objects. Call it once, when MPI has ended. */
void cs_record_never_completed(void);
