/* Completion: one call completes many requests of several communicators. Time spent waiting belongs to the communicator
   of what completed, bytes that came belong to the call that posted the receive. All of these run after the native call
   and do nothing for what is not known. */
#pragma once

#include "wrappers/request/request_list.h"

/* Whatever the call returned: after an error only those have completed of which their status says so, and those that
   failed. Their handles the MPI has taken back. */
void cs_all_completed(struct cs_call *call, const struct cs_request_list *list, int result);
/* The one with this index, or MPI_UNDEFINED. */
void cs_any_completed(struct cs_call *call, const struct cs_request_list *list, const int *index, int result);
/* Those with these indices, *count of them or MPI_UNDEFINED. */
void cs_some_completed(struct cs_call *call, const struct cs_request_list *list, const int *count, const int indices[],
                       int result);

/* MPI_Request_get_status and its kin have said, with success, that these are complete: the requests stay, but what came
   counts now, because the program may free them. */
void cs_all_queried(struct cs_call *call, const struct cs_request_list *list);
void cs_any_queried(struct cs_call *call, const struct cs_request_list *list, const int *index);
void cs_some_queried(struct cs_call *call, const struct cs_request_list *list, const int *count, const int indices[]);

/* MPI_Cancel: the request may complete without having received. */
void cs_request_cancelled(struct cs_call *call, const struct cs_request_list *list);
