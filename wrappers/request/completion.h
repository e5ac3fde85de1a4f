/* Completion: one call may complete requests of several communicators. Waiting time belongs to the communicator of
   the completed request; received bytes belong to the call that posted the receive. These roles run after the native
   call and ignore unknown requests. */
#pragma once

#include "wrappers/request/request_list.h"

/* Whatever the call returned. After an error, only requests whose status says so have completed or failed; the MPI
   has taken back their handles. */
void cs_all_completed(struct cs_call *call, const struct cs_request_list *list, int result);
/* The request with this index, or none: MPI_UNDEFINED. */
void cs_any_completed(struct cs_call *call, const struct cs_request_list *list, const int *index, int result);
/* The requests with these indices; *count may be MPI_UNDEFINED. */
void cs_some_completed(struct cs_call *call, const struct cs_request_list *list, const int *count, const int indices[],
                       int result);

/* MPI_Request_get_status and similar calls report these as complete. The requests stay, but their data counts now,
   because the program may free them. */
void cs_all_queried(struct cs_call *call, const struct cs_request_list *list);
void cs_any_queried(struct cs_call *call, const struct cs_request_list *list, const int *index);
void cs_some_queried(struct cs_call *call, const struct cs_request_list *list, const int *count, const int indices[]);

/* MPI_Cancel: the request may complete without having received. */
void cs_request_cancelled(struct cs_call *call, const struct cs_request_list *list);
