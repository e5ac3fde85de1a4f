/* Persistent requests: their starts, and the frees of requests of any kind. */
#pragma once

#include "wrappers/request/list.h"

/* MPI_Start and MPI_Startall, after success. */
void cs_requests_started(struct cs_call *call, const struct cs_request_list *list);

/* Partitions of the request are ready to be sent: one; those from low to high; so many. After success. */
void cs_partition_ready(struct cs_call *call, const struct cs_request_list *list);
void cs_partition_range_ready(struct cs_call *call, const struct cs_request_list *list, int low, int high);
void cs_partitions_ready(struct cs_call *call, const struct cs_request_list *list, int count);

/* MPI_Request_free. Before the native call: a persistent request is an object. */
void cs_freeing_request(struct cs_call *call, const struct cs_request_list *list);
/* After success. The transfer may go on; nobody will be told when it ends. */
void cs_request_freed(struct cs_call *call, const struct cs_request_list *list);
