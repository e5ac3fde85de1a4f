/* The requests that one call is on, and what is known of them. The native call overwrites the handles, so they are
   looked up before it. */
#pragma once

#include "record/request.h"
#include "wrappers/request/arrays.h"
#include "wrappers/request/pending.h"

/* Programs poll hundreds of requests of which none completes, so only the keys of several are taken before the native
   call, and what completed is looked up by them afterwards. With MPI_THREAD_MULTIPLE that would be too late: another
   thread may be given a completed request's handle, and enter it anew, before we look. */
struct cs_request_list {
    struct cs_handles handles;
    struct cs_statuses statuses; /* that the native call fills */
    struct cs_request *known;    /* one for each; references 0: nothing is known. NULL: not recording, or no memory */
    uint64_t *keys;              /* NULL: `known` is filled */
    int count;
};

/* Looks them up, and says that the call waits for the first that is active. */
void cs_on_requests(struct cs_call *call, struct cs_request_list *list, int count, struct cs_handles handles);

/* What to pass to the native call: the program's statuses, or as many of our own where the program ignores them and a
   receive may complete. */
void *cs_statuses_needed(struct cs_call *call, struct cs_request_list *list, struct cs_statuses statuses);

/* What is known of a request, looked up now if only its key was taken. */
const struct cs_request *cs_request_at(const struct cs_request_list *list, int i);

/* Whether its handle was MPI_REQUEST_NULL before the native call, of a list with keys. */
static inline bool cs_request_was_null(const struct cs_request_list *list, int i)
{
    return CS_REQUEST_IS_NUMBER(list->keys[i]) ? (MPI_Fint)(uint32_t)list->keys[i] == cs_null_request_number()
                                               : list->keys[i] == CS_KEY(MPI_REQUEST_NULL);
}
