/* The wrappers of Wait*, Test* and what else works on requests. */
#include "wrappers/request/completion.h"

#include "functions.h"
#include "next.h"

static struct cs_handles requests_c(const MPI_Request requests[])
{
    return (struct cs_handles){requests, false};
}

static struct cs_statuses statuses_c(MPI_Status statuses[])
{
    return (struct cs_statuses){statuses, statuses == MPI_STATUSES_IGNORE, false};
}

CS_EXPORT int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    struct cs_call call;
    if (cs_is_forwarded(__builtin_return_address(0)))
        return cs_next.MPI_Wait(request, status);
    cs_enter(&call, CS_MPI_Wait, __builtin_return_address(0));
    struct cs_waiting waiting = cs_requests_look_up(&call, 1, requests_c(request));
    struct cs_statuses seen = cs_statuses_for(&call, &waiting, 1, statuses_c(status));
    cs_start(&call);
    int result = cs_next.MPI_Wait(request, seen.at);
    cs_stop(&call);
    cs_all_completed(&call, &waiting, 1, requests_c(request), seen, result);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    struct cs_call call;
    if (cs_is_forwarded(__builtin_return_address(0)))
        return cs_next.MPI_Waitall(count, requests, statuses);
    cs_enter(&call, CS_MPI_Waitall, __builtin_return_address(0));
    struct cs_waiting waiting = cs_requests_look_up(&call, count, requests_c(requests));
    struct cs_statuses seen = cs_statuses_for(&call, &waiting, count, statuses_c(statuses));
    cs_start(&call);
    int result = cs_next.MPI_Waitall(count, requests, seen.at);
    cs_stop(&call);
    cs_all_completed(&call, &waiting, count, requests_c(requests), seen, result);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status)
{
    struct cs_call call;
    if (cs_is_forwarded(__builtin_return_address(0)))
        return cs_next.MPI_Waitany(count, requests, index, status);
    cs_enter(&call, CS_MPI_Waitany, __builtin_return_address(0));
    struct cs_waiting waiting = cs_requests_look_up(&call, count, requests_c(requests));
    struct cs_statuses seen = cs_statuses_for(&call, &waiting, count, statuses_c(status));
    cs_start(&call);
    int result = cs_next.MPI_Waitany(count, requests, index, seen.at);
    cs_stop(&call);
    cs_any_completed(&call, &waiting, count, requests_c(requests), index, seen, result);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Waitsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[])
{
    struct cs_call call;
    if (cs_is_forwarded(__builtin_return_address(0)))
        return cs_next.MPI_Waitsome(count, requests, done, indices, statuses);
    cs_enter(&call, CS_MPI_Waitsome, __builtin_return_address(0));
    struct cs_waiting waiting = cs_requests_look_up(&call, count, requests_c(requests));
    struct cs_statuses seen = cs_statuses_for(&call, &waiting, count, statuses_c(statuses));
    cs_start(&call);
    int result = cs_next.MPI_Waitsome(count, requests, done, indices, seen.at);
    cs_stop(&call);
    cs_some_completed(&call, &waiting, count, requests_c(requests), done, indices, seen, result);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    struct cs_call call;
    if (cs_is_forwarded(__builtin_return_address(0)))
        return cs_next.MPI_Test(request, flag, status);
    cs_enter(&call, CS_MPI_Test, __builtin_return_address(0));
    struct cs_waiting waiting = cs_requests_look_up(&call, 1, requests_c(request));
    struct cs_statuses seen = cs_statuses_for(&call, &waiting, 1, statuses_c(status));
    cs_start(&call);
    int result = cs_next.MPI_Test(request, flag, seen.at);
    cs_stop(&call);
    if (result != MPI_SUCCESS || *flag)
        cs_all_completed(&call, &waiting, 1, requests_c(request), seen, result);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
    struct cs_call call;
    if (cs_is_forwarded(__builtin_return_address(0)))
        return cs_next.MPI_Testall(count, requests, flag, statuses);
    cs_enter(&call, CS_MPI_Testall, __builtin_return_address(0));
    struct cs_waiting waiting = cs_requests_look_up(&call, count, requests_c(requests));
    struct cs_statuses seen = cs_statuses_for(&call, &waiting, count, statuses_c(statuses));
    cs_start(&call);
    int result = cs_next.MPI_Testall(count, requests, flag, seen.at);
    cs_stop(&call);
    if (result != MPI_SUCCESS || *flag)
        cs_all_completed(&call, &waiting, count, requests_c(requests), seen, result);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
    struct cs_call call;
    if (cs_is_forwarded(__builtin_return_address(0)))
        return cs_next.MPI_Testany(count, requests, index, flag, status);
    cs_enter(&call, CS_MPI_Testany, __builtin_return_address(0));
    struct cs_waiting waiting = cs_requests_look_up(&call, count, requests_c(requests));
    struct cs_statuses seen = cs_statuses_for(&call, &waiting, count, statuses_c(status));
    cs_start(&call);
    int result = cs_next.MPI_Testany(count, requests, index, flag, seen.at);
    cs_stop(&call);
    if (result != MPI_SUCCESS || *flag)
        cs_any_completed(&call, &waiting, count, requests_c(requests), index, seen, result);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Testsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[])
{
    struct cs_call call;
    if (cs_is_forwarded(__builtin_return_address(0)))
        return cs_next.MPI_Testsome(count, requests, done, indices, statuses);
    cs_enter(&call, CS_MPI_Testsome, __builtin_return_address(0));
    struct cs_waiting waiting = cs_requests_look_up(&call, count, requests_c(requests));
    struct cs_statuses seen = cs_statuses_for(&call, &waiting, count, statuses_c(statuses));
    cs_start(&call);
    int result = cs_next.MPI_Testsome(count, requests, done, indices, seen.at);
    cs_stop(&call);
    cs_some_completed(&call, &waiting, count, requests_c(requests), done, indices, seen, result);
    cs_leave(&call);
    return result;
}

/* The transfer may go on; nobody will be told when it ends. */
CS_EXPORT int MPI_Request_free(MPI_Request *request)
{
    struct cs_call call;
    if (cs_is_forwarded(__builtin_return_address(0)))
        return cs_next.MPI_Request_free(request);
    cs_enter(&call, CS_MPI_Request_free, __builtin_return_address(0));
    struct cs_waiting waiting = cs_requests_look_up(&call, 1, requests_c(request));
    cs_request_freeing(&call, &waiting);
    cs_start(&call);
    int result = cs_next.MPI_Request_free(request);
    cs_stop(&call);
    cs_request_freed(&call, &waiting, result);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    struct cs_call call;
    if (cs_is_forwarded(__builtin_return_address(0)))
        return cs_next.MPI_Request_get_status(request, flag, status);
    cs_enter(&call, CS_MPI_Request_get_status, __builtin_return_address(0));
    struct cs_waiting waiting = cs_requests_look_up(&call, 1, requests_c(&request));
    struct cs_statuses seen = cs_statuses_for(&call, &waiting, 1, statuses_c(status));
    cs_start(&call);
    int result = cs_next.MPI_Request_get_status(request, flag, seen.at);
    cs_stop(&call);
    if (cs_succeeded(&call, result) && *flag)
        cs_request_told(&call, &waiting, seen);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Cancel(MPI_Request *request)
{
    struct cs_call call;
    if (cs_is_forwarded(__builtin_return_address(0)))
        return cs_next.MPI_Cancel(request);
    cs_enter(&call, CS_MPI_Cancel, __builtin_return_address(0));
    struct cs_waiting waiting = cs_requests_look_up(&call, 1, requests_c(request));
    cs_start(&call);
    int result = cs_next.MPI_Cancel(request);
    cs_stop(&call);
    if (cs_succeeded(&call, result) && waiting.known && waiting.known->references)
        cs_request_mark(&cs_requests, waiting.known->handle, CS_REQUEST_CANCELLED);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Start(MPI_Request *request)
{
    struct cs_call call;
    if (cs_is_forwarded(__builtin_return_address(0)))
        return cs_next.MPI_Start(request);
    cs_enter(&call, CS_MPI_Start, __builtin_return_address(0));
    struct cs_waiting waiting = cs_requests_look_up(&call, 1, requests_c(request));
    cs_start(&call);
    int result = cs_next.MPI_Start(request);
    cs_stop(&call);
    if (cs_succeeded(&call, result))
        cs_request_started(&call, &waiting);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Startall(int count, MPI_Request requests[])
{
    struct cs_call call;
    if (cs_is_forwarded(__builtin_return_address(0)))
        return cs_next.MPI_Startall(count, requests);
    cs_enter(&call, CS_MPI_Startall, __builtin_return_address(0));
    struct cs_waiting waiting = cs_requests_look_up(&call, count, requests_c(requests));
    cs_start(&call);
    int result = cs_next.MPI_Startall(count, requests);
    cs_stop(&call);
    if (cs_succeeded(&call, result))
        cs_requests_started(&call, &waiting, count);
    cs_leave(&call);
    return result;
}
