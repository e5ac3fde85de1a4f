/* Arrays of requests and of statuses, with the elements of C or of Fortran. */
#pragma once

#include <stdbool.h>

#include "whole_mpi.h"
#include "wrappers/call/call.h"

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
