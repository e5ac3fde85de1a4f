/* Local checks of the requests of a call, before the MPI gets them. */
#pragma once

#include "wrappers/request/request_list.h"

/* The requests must be persistent and inactive. */
void cs_checks_started_requests(struct cs_call *call, const struct cs_request_list *list);
/* No request may be in the list twice, except null ones. */
void cs_checks_awaited_requests(struct cs_call *call, const struct cs_request_list *list);
/* The partitions exist, and were not marked as ready since the start of the request. */
void cs_checks_ready_partition(struct cs_call *call, const struct cs_request_list *list, int partition);
void cs_checks_ready_range(struct cs_call *call, const struct cs_request_list *list, int low, int high);
void cs_checks_ready_list(struct cs_call *call, const struct cs_request_list *list, MPI_Count count,
                          const int *partitions);
/* The call cancels or frees one. */
void cs_checks_request(struct cs_call *call, const struct cs_request_list *list);

/* A persistent request of the program whose handle stands for no other one, and that was never started. */
bool cs_request_is_unstarted(const struct cs_request *known);
