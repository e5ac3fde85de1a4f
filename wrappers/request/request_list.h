/* The requests that one call is on: arrays in C or Fortran, what is known of each, which ones completed. */
#pragma once

#include <stdbool.h>

#include "record/request.h"
#include "whole_mpi.h"
#include "wrappers/call/call.h"

/* ---- arrays ---- */

struct cs_handles {
    const void *handles; /* MPI_Request or MPI_Fint */
    bool fortran;
};
static inline struct cs_handles cs_requests_c(const MPI_Request requests[])
{
    return (struct cs_handles){requests, false};
}
static inline struct cs_handles cs_requests_fortran(const void *requests)
{
    return (struct cs_handles){requests, true};
}

/* Whether the handles are numbers that only Fortran has. */
static inline bool cs_are_numbers(struct cs_handles requests)
{
    return requests.fortran && !CS_FORTRAN_HANDLES_ARE_C;
}

bool cs_request_is_null(struct cs_handles requests, int i);

/* The number of MPI_REQUEST_NULL in Fortran, once MPI is initialised. */
MPI_Fint cs_null_request_number(void);

struct cs_statuses {
    void *elements; /* MPI_Status, or as many MPI_Fint as fit into each */
    bool ignored;   /* MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE */
    bool fortran;
};
static inline struct cs_statuses cs_statuses_c(MPI_Status statuses[])
{
    return (struct cs_statuses){statuses, statuses == MPI_STATUSES_IGNORE, false};
}

/* The status of one request; NULL: it is ignored. `decoded` may be used for it. */
const MPI_Status *cs_status_at(struct cs_statuses statuses, int i, MPI_Status *decoded);

/* A status of Fortran: itself where both languages have the same words in the same order, else `decoded`. MPI is
   initialised. */
const MPI_Status *cs_status_of_fortran(const void *status, MPI_Status *decoded);

/* ---- keys ----

   The request table has requests under the handle of the language that made them, because a query for the other handle
   takes longer than everything else. The key is the handle of C. MPIs with other handles in Fortran have the number
   there, with a bit that no address has. Persistent requests are always under their handle in C. The handle of the
   other language is only looked for once that language has made requests. */

#define CS_REQUEST_IS_NUMBER(key) ((key) >> 63)
#define CS_REQUEST_NUMBER(number) ((uint64_t)1 << 63 | (uint32_t)(number))

/* Whether this process ever made a request in that language, with a handle of its own. Only ever set, and written once,
   because it is read often. */
enum cs_made_in { CS_MADE_IN_C, CS_MADE_IN_FORTRAN, CS_MADE_LANGUAGES };
extern _Atomic bool cs_requests_made_in[CS_MADE_LANGUAGES] __attribute__((visibility("hidden")));

/* ---- lists ---- */

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

/* The same of a call that returns when they are complete: callsign hang is told which they are. */
void cs_on_awaited_requests(struct cs_call *call, struct cs_request_list *list, int count, struct cs_handles handles);

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

/* ---- chosen requests ---- */

/* Some requests of a list. indices NULL: the first `count`; else the list's first request has the index `base`. */
struct cs_chosen {
    const int *indices;
    int count, base;
};

static inline int cs_chosen_at(const struct cs_chosen *chosen, int i)
{
    return chosen->indices ? chosen->indices[i] - chosen->base : i;
}

/* Those with these indices; false: they are none of this list. Nothing is looked up, except for Fortran. */
bool cs_choose(struct cs_chosen *chosen, const struct cs_request_list *list, int count, const int indices[],
               bool queried);
