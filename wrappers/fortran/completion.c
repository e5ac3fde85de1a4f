/* Wait*, Test* and what else works on requests, called from Fortran. */
#include "functions.h"
#include "wrappers/request/completion.h"
#include "wrappers/fortran/fortran.h"

static struct cs_handles fortran_requests(const void *requests)
{
    return (struct cs_handles){requests, true};
}

static struct cs_statuses fortran_status(void *status)
{
    return (struct cs_statuses){status, cs_fortran_ignores_status(status), true};
}

static struct cs_statuses fortran_statuses(void *statuses)
{
    return (struct cs_statuses){statuses, cs_fortran_is(statuses, cs_fortran_constants.statuses_ignore), true};
}

void cs_fortran_wait(void *twin, const void *site, void *request, void *status, void *error)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Wait, site);
    struct cs_waiting waiting = cs_requests_look_up(&call, 1, fortran_requests(request));
    struct cs_statuses seen = cs_statuses_for(&call, &waiting, 1, fortran_status(status));
    cs_start(&call);
    ((cs_fortran_3)twin)(request, seen.at, error);
    cs_stop(&call);
    cs_all_completed(&call, &waiting, 1, fortran_requests(request), seen, cs_fortran_integer(error));
    cs_leave(&call);
}

void cs_fortran_waitall(void *twin, const void *site, void *count, void *requests, void *statuses, void *error)
{
    struct cs_call call;
    int length = cs_fortran_integer(count);
    cs_enter(&call, CS_MPI_Waitall, site);
    struct cs_waiting waiting = cs_requests_look_up(&call, length, fortran_requests(requests));
    struct cs_statuses seen = cs_statuses_for(&call, &waiting, length, fortran_statuses(statuses));
    cs_start(&call);
    ((cs_fortran_4)twin)(count, requests, seen.at, error);
    cs_stop(&call);
    cs_all_completed(&call, &waiting, length, fortran_requests(requests), seen, cs_fortran_integer(error));
    cs_leave(&call);
}

void cs_fortran_waitany(void *twin, const void *site, void *count, void *requests, void *index, void *status,
                        void *error)
{
    struct cs_call call;
    int length = cs_fortran_integer(count);
    cs_enter(&call, CS_MPI_Waitany, site);
    struct cs_waiting waiting = cs_requests_look_up(&call, length, fortran_requests(requests));
    struct cs_statuses seen = cs_statuses_for(&call, &waiting, length, fortran_status(status));
    cs_start(&call);
    ((cs_fortran_5)twin)(count, requests, index, seen.at, error);
    cs_stop(&call);
    cs_any_completed(&call, &waiting, length, fortran_requests(requests), index, seen, cs_fortran_integer(error));
    cs_leave(&call);
}

/* Waitsome and Testsome. */
static void some(uint16_t function, cs_fortran_6 twin, const void *site, void *count, void *requests, void *done,
                 void *indices, void *statuses, void *error)
{
    struct cs_call call;
    int length = cs_fortran_integer(count);
    cs_enter(&call, function, site);
    struct cs_waiting waiting = cs_requests_look_up(&call, length, fortran_requests(requests));
    struct cs_statuses seen = cs_statuses_for(&call, &waiting, length, fortran_statuses(statuses));
    cs_start(&call);
    twin(count, requests, done, indices, seen.at, error);
    cs_stop(&call);
    cs_some_completed(&call, &waiting, length, fortran_requests(requests), done, indices, seen,
                      cs_fortran_integer(error));
    cs_leave(&call);
}

void cs_fortran_waitsome(void *twin, const void *site, void *count, void *requests, void *done, void *indices,
                         void *statuses, void *error)
{
    some(CS_MPI_Waitsome, (cs_fortran_6)twin, site, count, requests, done, indices, statuses, error);
}

void cs_fortran_testsome(void *twin, const void *site, void *count, void *requests, void *done, void *indices,
                         void *statuses, void *error)
{
    some(CS_MPI_Testsome, (cs_fortran_6)twin, site, count, requests, done, indices, statuses, error);
}

void cs_fortran_test(void *twin, const void *site, void *request, void *flag, void *status, void *error)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Test, site);
    struct cs_waiting waiting = cs_requests_look_up(&call, 1, fortran_requests(request));
    struct cs_statuses seen = cs_statuses_for(&call, &waiting, 1, fortran_status(status));
    cs_start(&call);
    ((cs_fortran_4)twin)(request, flag, seen.at, error);
    cs_stop(&call);
    int result = cs_fortran_integer(error);
    if (result != MPI_SUCCESS || cs_fortran_integer(flag))
        cs_all_completed(&call, &waiting, 1, fortran_requests(request), seen, result);
    cs_leave(&call);
}

void cs_fortran_testall(void *twin, const void *site, void *count, void *requests, void *flag, void *statuses,
                        void *error)
{
    struct cs_call call;
    int length = cs_fortran_integer(count);
    cs_enter(&call, CS_MPI_Testall, site);
    struct cs_waiting waiting = cs_requests_look_up(&call, length, fortran_requests(requests));
    struct cs_statuses seen = cs_statuses_for(&call, &waiting, length, fortran_statuses(statuses));
    cs_start(&call);
    ((cs_fortran_5)twin)(count, requests, flag, seen.at, error);
    cs_stop(&call);
    int result = cs_fortran_integer(error);
    if (result != MPI_SUCCESS || cs_fortran_integer(flag))
        cs_all_completed(&call, &waiting, length, fortran_requests(requests), seen, result);
    cs_leave(&call);
}

void cs_fortran_testany(void *twin, const void *site, void *count, void *requests, void *index, void *flag,
                        void *status, void *error)
{
    struct cs_call call;
    int length = cs_fortran_integer(count);
    cs_enter(&call, CS_MPI_Testany, site);
    struct cs_waiting waiting = cs_requests_look_up(&call, length, fortran_requests(requests));
    struct cs_statuses seen = cs_statuses_for(&call, &waiting, length, fortran_status(status));
    cs_start(&call);
    ((cs_fortran_6)twin)(count, requests, index, flag, seen.at, error);
    cs_stop(&call);
    int result = cs_fortran_integer(error);
    if (result != MPI_SUCCESS || cs_fortran_integer(flag))
        cs_any_completed(&call, &waiting, length, fortran_requests(requests), index, seen, result);
    cs_leave(&call);
}

void cs_fortran_request_free(void *twin, const void *site, void *request, void *error)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Request_free, site);
    struct cs_waiting waiting = cs_requests_look_up(&call, 1, fortran_requests(request));
    cs_request_freeing(&call, &waiting);
    cs_start(&call);
    ((cs_fortran_2)twin)(request, error);
    cs_stop(&call);
    cs_request_freed(&call, &waiting, cs_fortran_integer(error));
    cs_leave(&call);
}

void cs_fortran_request_get_status(void *twin, const void *site, void *request, void *flag, void *status, void *error)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Request_get_status, site);
    struct cs_waiting waiting = cs_requests_look_up(&call, 1, fortran_requests(request));
    struct cs_statuses seen = cs_statuses_for(&call, &waiting, 1, fortran_status(status));
    cs_start(&call);
    ((cs_fortran_4)twin)(request, flag, seen.at, error);
    cs_stop(&call);
    if (cs_succeeded(&call, cs_fortran_integer(error)) && cs_fortran_integer(flag))
        cs_request_told(&call, &waiting, seen);
    cs_leave(&call);
}

void cs_fortran_cancel(void *twin, const void *site, void *request, void *error)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Cancel, site);
    struct cs_waiting waiting = cs_requests_look_up(&call, 1, fortran_requests(request));
    cs_start(&call);
    ((cs_fortran_2)twin)(request, error);
    cs_stop(&call);
    if (cs_succeeded(&call, cs_fortran_integer(error)) && waiting.known && waiting.known->references)
        cs_request_mark(&cs_requests, waiting.known->handle, CS_REQUEST_CANCELLED);
    cs_leave(&call);
}

void cs_fortran_start(void *twin, const void *site, void *request, void *error)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Start, site);
    struct cs_waiting waiting = cs_requests_look_up(&call, 1, fortran_requests(request));
    cs_start(&call);
    ((cs_fortran_2)twin)(request, error);
    cs_stop(&call);
    if (cs_succeeded(&call, cs_fortran_integer(error)))
        cs_request_started(&call, &waiting);
    cs_leave(&call);
}

void cs_fortran_startall(void *twin, const void *site, void *count, void *requests, void *error)
{
    struct cs_call call;
    int length = cs_fortran_integer(count);
    cs_enter(&call, CS_MPI_Startall, site);
    struct cs_waiting waiting = cs_requests_look_up(&call, length, fortran_requests(requests));
    cs_start(&call);
    ((cs_fortran_3)twin)(count, requests, error);
    cs_stop(&call);
    if (cs_succeeded(&call, cs_fortran_integer(error)))
        cs_requests_started(&call, &waiting, length);
    cs_leave(&call);
}
