/* The wrappers of Wait*, Test* and what else works on requests. Hand-written, because one call completes many requests of several
   communicators: time spent waiting belongs to the communicator of what completed, bytes that came to the call that posted the
   receive. Handles are looked up before the native call, which overwrites them. */
#include <stdlib.h>

#include "functions.h"
#include "next.h"
#include "record/object.h"
#include "record/recorder.h"
#include "record/request.h"
#include "wrappers/call.h"
#include "wrappers/objects.h"

/* A callback inside a Wait may wait itself: scratch memory is per depth. */
enum { KNOWN_SCRATCH, STATUS_SCRATCH, PLACES };

static unsigned place(const struct cs_call *call, unsigned what)
{
    return (call->thread->depth - 1) * PLACES + what;
}

/* What is known of each request; references 0: nothing. NULL: not recording, or no memory. */
static struct cs_request *look_up(struct cs_call *call, int count, const MPI_Request requests[])
{
    if (!call->thread || count <= 0 || !requests)
        return NULL;
    size_t bytes = (size_t)count * sizeof(struct cs_request);
    struct cs_request *known = cs_thread_scratch(call->thread, place(call, KNOWN_SCRATCH), bytes);
    for (int i = 0; known && i < count; i++)
        if (requests[i] == MPI_REQUEST_NULL || !cs_request_get(&cs_requests, CS_KEY(requests[i]), &known[i]))
            known[i].references = 0;
    /* Where it waits, should it never come back. */
    for (int i = 0; known && i < count; i++)
        if (known[i].references) {
            call->communicator = cs_profile_communicator(known[i].started);
            if (call->thread->depth == 1)
                call->thread->state->object = call->communicator;
            break;
        }
    return known;
}

static bool needs_status(const struct cs_request *known)
{
    return known->references && (known->flags & CS_REQUEST_RECEIVES) && (known->flags & CS_REQUEST_ACTIVE);
}

/* Statuses of our own where the program ignores them and a receive may complete. They are asked for one by one afterwards, so the
   native call sees an array that is as long as it would have been. */
static MPI_Status *statuses_for(struct cs_call *call, const struct cs_request *known, int count, MPI_Status *given)
{
    if (given != MPI_STATUSES_IGNORE || !known)
        return given;
    int i = 0;
    while (i < count && !needs_status(&known[i]))
        i++;
    if (i == count)
        return given;
    MPI_Status *own = cs_thread_scratch(call->thread, place(call, STATUS_SCRATCH), (size_t)count * sizeof *own);
    return own ? own : given;
}

static bool was_cancelled(const struct cs_request *known, const MPI_Status *status)
{
    int cancelled = 0;
    if (known->flags & CS_REQUEST_CANCELLED)
        PMPI_Test_cancelled(status, &cancelled);
    return cancelled;
}

/* One request has completed. */
static void completed(struct cs_call *call, const struct cs_request *known, const MPI_Status *status)
{
    if (!known->references)
        return;
    bool active = known->flags & CS_REQUEST_ACTIVE;
    if (needs_status(known) && status && call->counted && !cs_recorder.paused && !was_cancelled(known, status))
        cs_profile_more(call->thread, known->started, 0, 0, cs_status_bytes(status));
    if (known->made && active) {
        struct cs_fact_object ready = {.fact.ticks = call->stop, .object = known->made};
        cs_journal_append(cs_recorder.journal, CS_FACT_READY, &ready.fact, sizeof ready, NULL, 0);
    }
    if (known->flags & CS_REQUEST_PERSISTENT)
        cs_request_activate(&cs_requests, known->handle, NULL);
    else
        cs_request_drop(&cs_requests, known->handle);
}

/* Shares the waiting time among the communicators of what completed: the call itself goes to the first one's cell, time for
   requests of others to theirs. indices NULL: requests 0 .. count - 1. */
static void share(struct cs_call *call, const struct cs_request *known, int count, const int indices[])
{
    int shared_by = 0;
    uint32_t first = 0;
    for (int i = 0; i < count; i++) {
        const struct cs_request *one = &known[indices ? indices[i] : i];
        if (one->references && shared_by++ == 0)
            first = cs_profile_communicator(one->started);
    }
    if (!shared_by)
        return;
    call->communicator = first;
    if (!call->counted || cs_recorder.paused)
        return;
    uint64_t each = (call->stop - call->start) / (uint64_t)shared_by;
    for (int i = 0; i < count; i++) {
        const struct cs_request *one = &known[indices ? indices[i] : i];
        if (!one->references || cs_profile_communicator(one->started) == first)
            continue;
        struct cs_profile_key key = cs_profile_key(call->site, cs_profile_communicator(one->started), call->function, 0);
        cs_profile_more(call->thread, key, each, 0, 0);
        call->shared_ticks += each;
    }
}

static const MPI_Status *status_at(const MPI_Status *statuses, int i)
{
    return statuses == MPI_STATUSES_IGNORE ? NULL : &statuses[i];
}

/* All of them; after an error only those whose handle the MPI has taken back, their transfers may have failed. */
static void all_completed(struct cs_call *call, const struct cs_request *known, int count, const MPI_Request requests[],
                          const MPI_Status *statuses, int result)
{
    if (!known)
        return;
    if (result == MPI_SUCCESS)
        share(call, known, count, NULL);
    for (int i = 0; i < count; i++)
        if (result == MPI_SUCCESS)
            completed(call, &known[i], status_at(statuses, i));
        else if (requests[i] == MPI_REQUEST_NULL)
            completed(call, &known[i], NULL);
}

static void some_completed(struct cs_call *call, const struct cs_request *known, const int *done, const int indices[],
                           const MPI_Status *statuses, int result)
{
    if (!known || result != MPI_SUCCESS || *done == MPI_UNDEFINED)
        return;
    share(call, known, *done, indices);
    for (int i = 0; i < *done; i++)
        completed(call, &known[indices[i]], status_at(statuses, i));
}

static void any_completed(struct cs_call *call, const struct cs_request *known, const int *index, const MPI_Status *status,
                          int result)
{
    static const int one = 1;
    if (result == MPI_SUCCESS && *index != MPI_UNDEFINED)
        some_completed(call, known, &one, index, status, result);
}

CS_EXPORT int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Wait, __builtin_return_address(0));
    struct cs_request *known = look_up(&call, 1, request);
    status = statuses_for(&call, known, 1, status);
    cs_start(&call);
    int result = cs_next.MPI_Wait(request, status);
    cs_stop(&call);
    all_completed(&call, known, 1, request, status, result);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Waitall, __builtin_return_address(0));
    struct cs_request *known = look_up(&call, count, requests);
    statuses = statuses_for(&call, known, count, statuses);
    cs_start(&call);
    int result = cs_next.MPI_Waitall(count, requests, statuses);
    cs_stop(&call);
    all_completed(&call, known, count, requests, statuses, result);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Waitany, __builtin_return_address(0));
    struct cs_request *known = look_up(&call, count, requests);
    status = statuses_for(&call, known, count, status);
    cs_start(&call);
    int result = cs_next.MPI_Waitany(count, requests, index, status);
    cs_stop(&call);
    any_completed(&call, known, index, status, result);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Waitsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[])
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Waitsome, __builtin_return_address(0));
    struct cs_request *known = look_up(&call, count, requests);
    statuses = statuses_for(&call, known, count, statuses);
    cs_start(&call);
    int result = cs_next.MPI_Waitsome(count, requests, done, indices, statuses);
    cs_stop(&call);
    some_completed(&call, known, done, indices, statuses, result);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Test, __builtin_return_address(0));
    struct cs_request *known = look_up(&call, 1, request);
    status = statuses_for(&call, known, 1, status);
    cs_start(&call);
    int result = cs_next.MPI_Test(request, flag, status);
    cs_stop(&call);
    if (result != MPI_SUCCESS || *flag)
        all_completed(&call, known, 1, request, status, result);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Testall, __builtin_return_address(0));
    struct cs_request *known = look_up(&call, count, requests);
    statuses = statuses_for(&call, known, count, statuses);
    cs_start(&call);
    int result = cs_next.MPI_Testall(count, requests, flag, statuses);
    cs_stop(&call);
    if (result != MPI_SUCCESS || *flag)
        all_completed(&call, known, count, requests, statuses, result);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Testany, __builtin_return_address(0));
    struct cs_request *known = look_up(&call, count, requests);
    status = statuses_for(&call, known, count, status);
    cs_start(&call);
    int result = cs_next.MPI_Testany(count, requests, index, flag, status);
    cs_stop(&call);
    if (result == MPI_SUCCESS && *flag)
        any_completed(&call, known, index, status, result);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Testsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[])
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Testsome, __builtin_return_address(0));
    struct cs_request *known = look_up(&call, count, requests);
    statuses = statuses_for(&call, known, count, statuses);
    cs_start(&call);
    int result = cs_next.MPI_Testsome(count, requests, done, indices, statuses);
    cs_stop(&call);
    some_completed(&call, known, done, indices, statuses, result);
    cs_leave(&call);
    return result;
}

/* The transfer may go on; nobody will be told when it ends. */
CS_EXPORT int MPI_Request_free(MPI_Request *request)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Request_free, __builtin_return_address(0));
    struct cs_request *known = look_up(&call, 1, request);
    cs_start(&call);
    int result = cs_next.MPI_Request_free(request);
    cs_stop(&call);
    if (cs_succeeded(&call, result) && known && known->references)
        cs_request_drop(&cs_requests, known->handle);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Request_get_status, __builtin_return_address(0));
    look_up(&call, 1, &request);
    cs_start(&call);
    int result = cs_next.MPI_Request_get_status(request, flag, status);
    cs_stop(&call);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Cancel(MPI_Request *request)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Cancel, __builtin_return_address(0));
    struct cs_request *known = look_up(&call, 1, request);
    cs_start(&call);
    int result = cs_next.MPI_Cancel(request);
    cs_stop(&call);
    if (cs_succeeded(&call, result) && known && known->references)
        cs_request_cancel(&cs_requests, known->handle);
    cs_leave(&call);
    return result;
}

/* Bytes of a persistent transfer count at each start, in a cell of the start; the call itself is counted by cs_leave. */
static void started(struct cs_call *call, const struct cs_request *known, int count)
{
    for (int i = 0; known && i < count; i++) {
        if (!known[i].references)
            continue;
        struct cs_profile_key key = cs_profile_key(call->site, cs_profile_communicator(known[i].started), call->function,
                                                   cs_profile_size_class(known[i].started));
        cs_request_activate(&cs_requests, known[i].handle, &key);
        if (call->counted && !cs_recorder.paused && call->function == CS_MPI_Startall)
            cs_profile_more(call->thread, key, 0, known[i].sent_bytes, known[i].received_bytes);
    }
}

CS_EXPORT int MPI_Start(MPI_Request *request)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Start, __builtin_return_address(0));
    struct cs_request *known = look_up(&call, 1, request);
    cs_start(&call);
    int result = cs_next.MPI_Start(request);
    cs_stop(&call);
    if (cs_succeeded(&call, result) && known && known->references) {
        started(&call, known, 1);
        call.sent_bytes = known->sent_bytes;
        call.received_bytes = known->received_bytes;
        /* Only decides the size class, which the posted size decided when the request was made. */
        call.posted_bytes = cs_size_of_class(cs_profile_size_class(known->started));
    }
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Startall(int count, MPI_Request requests[])
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Startall, __builtin_return_address(0));
    struct cs_request *known = look_up(&call, count, requests);
    cs_start(&call);
    int result = cs_next.MPI_Startall(count, requests);
    cs_stop(&call);
    if (cs_succeeded(&call, result))
        started(&call, known, count);
    cs_leave(&call);
    return result;
}
