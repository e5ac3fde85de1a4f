/* The requests of one call: arrays in C or Fortran, what is known of each, and which ones completed. */
#pragma once

#include <stdbool.h>

#include "record/message/request.h"
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

/* True if the handles are numbers of Fortran only. */
static inline bool cs_are_numbers(struct cs_handles requests)
{
    return requests.fortran && !CS_FORTRAN_HANDLES_ARE_C;
}

bool cs_request_is_null(struct cs_handles requests, int i);

/* The number of MPI_REQUEST_NULL in Fortran. MPI must be initialised. */
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

/* Returns a Fortran status itself if both languages have the same layout, else `decoded`. MPI must be initialised. */
const MPI_Status *cs_status_of_fortran(const void *status, MPI_Status *decoded);

/* The status of one request; NULL: it is ignored. `decoded` is a buffer that may be used. */
static inline const MPI_Status *cs_status_at(struct cs_statuses statuses, int i, MPI_Status *decoded)
{
    if (statuses.ignored)
        return NULL;
    const MPI_Status *status = (const MPI_Status *)statuses.elements + i; /* in Fortran it has the same size */
    return __builtin_expect(statuses.fortran, 0) ? cs_status_of_fortran(status, decoded) : status;
}

/* ---- keys ----

   The request table has requests under the handle of the language that made them, because a query for the other handle
   takes longer than everything else. The key is the handle of C. MPIs with other handles in Fortran have the number
   there, with a bit that no address has. Persistent requests are always under their handle in C. The handle of the
   other language is only looked for once that language has made requests. */

#define CS_REQUEST_IS_NUMBER(key) ((key) >> 63)
#define CS_REQUEST_NUMBER(number) ((uint64_t)1 << 63 | (uint32_t)(number))

/* True once this process has made a request in that language, with a handle of its own. Written only once, because
   it is read often. */
enum cs_made_in { CS_MADE_IN_C, CS_MADE_IN_FORTRAN, CS_MADE_LANGUAGES };
extern _Atomic bool cs_requests_made_in[CS_MADE_LANGUAGES] __attribute__((visibility("hidden")));

/* ---- lists ---- */

/* Programs poll hundreds of active requests. So only the keys of several requests are taken before the native call,
   and completed ones are looked up afterwards. With MPI_THREAD_MULTIPLE that is too late: another thread may get and
   register the handle of a completed request in between. */
struct cs_request_list {
    struct cs_handles handles;
    struct cs_statuses statuses; /* filled by the native call */
    struct cs_request *known;    /* one for each; references 0: unknown. NULL: not recording, or no memory */
    uint64_t *keys;              /* NULL: `known` is filled */
    int count;
    int awaited; /* if there are keys: number of handles that are not null */
};

/* Looks the requests up, and records that the call waits for the first active one. */
void cs_on_requests(struct cs_call *call, struct cs_request_list *list, int count, struct cs_handles handles);

/* cs_on_requests for a call that returns when they are complete; also records the list for callsign hang. */
void cs_on_awaited_requests(struct cs_call *call, struct cs_request_list *list, int count, struct cs_handles handles);

/* The statuses for the native call: the program's, or ours if the program ignores them and a receive may complete. */
void *cs_statuses_needed(struct cs_call *call, struct cs_request_list *list, struct cs_statuses statuses);

/* What is known of a request; looked up now if only its key was taken. */
const struct cs_request *cs_request_at(const struct cs_request_list *list, int i);

/* True if its handle was MPI_REQUEST_NULL before the native call; for a list with keys. */
static inline bool cs_request_was_null(const struct cs_request_list *list, int i)
{
    return CS_REQUEST_IS_NUMBER(list->keys[i]) ? (MPI_Fint)(uint32_t)list->keys[i] == cs_null_request_number()
                                               : list->keys[i] == CS_KEY(MPI_REQUEST_NULL);
}

/* ---- chosen requests ---- */

/* Some requests of a list. indices NULL: the first `count`; else `base` is the index of the list's first request. */
struct cs_chosen {
    const int *indices;
    int count, base;
};

static inline int cs_chosen_at(const struct cs_chosen *chosen, int i)
{
    return chosen->indices ? chosen->indices[i] - chosen->base : i;
}

/* Selects the requests with these indices. Returns false if they are not in this list. Looks up nothing, except for
   Fortran. */
bool cs_choose(struct cs_chosen *chosen, const struct cs_request_list *list, int count, const int indices[],
               bool queried);
