/* Completion: one call completes many requests of several communicators. Time spent waiting belongs to the communicator
   of what completed, bytes that came to the call that posted the receive. Handles are looked up before the native call,
   which overwrites them. C and Fortran have the same arrays with other elements: these functions take either. */
#ifndef CS_WRAPPERS_REQUEST_COMPLETION_H
#define CS_WRAPPERS_REQUEST_COMPLETION_H

#include "record/request.h"
#include "wrappers/call/call.h"

struct cs_handles {
    const void *handles; /* MPI_Request or MPI_Fint */
    bool fortran;
};

struct cs_statuses {
    void *at; /* what is passed to the native call: MPI_Status or as many MPI_Fint */
    bool ignored;
    bool fortran;
};

/* In the table requests are known by the name that the language has which made them, because asking the MPI for the
   other one takes longer than all else that is done with a request: C's handle, or in MPIs that have other handles in
   Fortran the number there, with a bit that no address has. Persistent ones are always known by their handle in C.
   As long as one language makes them all, nobody looks further. */
#define CS_REQUEST_IS_NUMBER(key) ((key) >> 63)
#define CS_REQUEST_NUMBER(number) ((uint64_t)1 << 63 | (uint32_t)(number))
enum cs_made_in { CS_MADE_IN_C, CS_MADE_IN_FORTRAN, CS_MADE_LANGUAGES };

/* Whether this process ever made a request of that kind of name. */
bool cs_requests_made_in(enum cs_made_in language);

/* The requests of a call, from before the native call. Programs poll hundreds of requests of which none completes, so
   only their keys are kept, and looked up for what did complete. With MPI_THREAD_MULTIPLE that would be too late:
   another thread may be given a completed request's handle, and enter it anew, before we look. */
struct cs_waiting {
    struct cs_request *known; /* one for each; references 0: nothing is known. NULL: not recording, or no memory */
    uint64_t *keys;           /* NULL: `known` is filled; else only its first is */
};
void cs_waiting_recall(const struct cs_waiting *waiting, int i); /* fills known[i], where there are keys */
struct cs_waiting cs_requests_look_up(struct cs_call *call, int count, struct cs_handles requests);

/* Statuses of our own where the program ignores them and a receive may complete. The native call sees an array that is
   as long as it would have been. */
struct cs_statuses cs_statuses_for(struct cs_call *call, const struct cs_waiting *waiting, int count,
                                   struct cs_statuses given);

/* After the native call. All completed; after an error only those of which their status says so, and those that failed:
   their handles the MPI has taken back. */
void cs_all_completed(struct cs_call *call, const struct cs_waiting *waiting, int count, struct cs_handles requests,
                      struct cs_statuses statuses, int result);

/* Those with these indices, *done of them or MPI_UNDEFINED; after an error likewise. */
void cs_some_completed(struct cs_call *call, const struct cs_waiting *waiting, int count, struct cs_handles requests,
                       const int *done, const int indices[], struct cs_statuses statuses, int result);

/* The one with this index, or MPI_UNDEFINED. */
void cs_any_completed(struct cs_call *call, const struct cs_waiting *waiting, int count, struct cs_handles requests,
                      const int *index, struct cs_statuses status, int result);

/* MPI_Request_get_status has said that the first request is complete. What came counts now: the program may free it. */
void cs_request_told(struct cs_call *call, const struct cs_waiting *waiting, struct cs_statuses status);

/* Around a native call that frees the first request: a persistent one is an object. */
void cs_request_freeing(struct cs_call *call, const struct cs_waiting *waiting);
void cs_request_freed(struct cs_call *call, const struct cs_waiting *waiting, int result);

/* Persistent requests were started: one by MPI_Start, several by MPI_Startall. */
void cs_request_started(struct cs_call *call, const struct cs_waiting *waiting);
void cs_requests_started(struct cs_call *call, const struct cs_waiting *waiting, int count);

#endif
