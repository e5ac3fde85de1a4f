/* The wrappers of Wait*, Test* and what else works on requests. Hand-written, because one call completes many requests
   of several communicators: time spent waiting belongs to the communicator of what completed, bytes that came to the
   call that posted the receive. Handles are kept from before the native call, which overwrites them. */
#include <string.h>

#include "functions.h"
#include "next.h"
#include "record/object.h"
#include "record/recorder.h"
#include "record/request.h"
#include "wrappers/call.h"
#include "wrappers/objects.h"

/* A callback inside a Wait may wait itself: scratch memory is per depth. */
enum { KNOWN_SCRATCH, HANDLE_SCRATCH, STATUS_SCRATCH, PLACES };

static void *scratch(const struct cs_call *call, unsigned what, size_t bytes)
{
    return cs_thread_scratch(call->thread, (call->thread->depth - 1) * PLACES + what, bytes);
}

/* The requests of a call, from before the native call. Programs poll hundreds of requests of which none completes, so
   only the handles are kept, and looked up for what did complete. With MPI_THREAD_MULTIPLE that would be too late:
   another thread may be given a completed request's handle, and enter it anew, before we look. */
struct waiting {
    struct cs_request *known; /* one for each; references 0: nothing is known. NULL: not recording, or no memory */
    MPI_Request *handles;     /* NULL: `known` is filled; else it is filled by recall() */
};

static void recall(const struct waiting *waiting, int i)
{
    MPI_Request request = waiting->handles[i];
    if (request == MPI_REQUEST_NULL || !cs_request_get(&cs_requests, CS_KEY(request), &waiting->known[i]))
        waiting->known[i].references = 0;
}

/* Where it waits, should it never come back: the communicator of the first request of which something is known. The
   first is recalled in any case. */
static void note_where(struct cs_call *call, const struct waiting *waiting, int count)
{
    int i = 0;
    do
        recall(waiting, i);
    while (!waiting->known[i].references && ++i < count);
    if (i == count)
        return;
    call->communicator = cs_profile_communicator(waiting->known[i].started);
    if (call->thread->depth == 1)
        call->thread->state->object = call->communicator;
}

static struct waiting look_up(struct cs_call *call, int count, const MPI_Request requests[])
{
    struct waiting waiting = {0};
    if (!call->thread || count <= 0 || !requests)
        return waiting;
    waiting.handles = scratch(call, HANDLE_SCRATCH, (size_t)count * sizeof(MPI_Request));
    waiting.known = waiting.handles ? scratch(call, KNOWN_SCRATCH, (size_t)count * sizeof(struct cs_request)) : NULL;
    if (!waiting.known)
        return waiting;
    memcpy(waiting.handles, requests, (size_t)count * sizeof(MPI_Request));
    note_where(call, &waiting, count);
    if (count > 1 && !cs_recorder.parallel)
        return waiting;
    for (int i = 1; i < count; i++)
        recall(&waiting, i);
    waiting.handles = NULL;
    return waiting;
}

static bool needs_status(const struct cs_request *known)
{
    return known->references && (known->flags & CS_REQUEST_RECEIVES) && (known->flags & CS_REQUEST_ACTIVE);
}

/* Statuses of our own where the program ignores them and a receive may complete. The native call sees an array that is
   as long as it would have been. */
static MPI_Status *statuses_for(struct cs_call *call, const struct waiting *waiting, int count, MPI_Status *given)
{
    if (given != MPI_STATUSES_IGNORE || !waiting->known)
        return given;
    int i = 0;
    while (!waiting->handles && i < count && !needs_status(&waiting->known[i]))
        i++;
    if (i == count)
        return given;
    MPI_Status *own = scratch(call, STATUS_SCRATCH, (size_t)count * sizeof *own);
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

/* Shares the waiting time among the communicators of what completed: the call itself goes to the first one's cell, time
   for requests of others to theirs. indices NULL: requests 0 .. count - 1. */
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
        struct cs_profile_key key =
            cs_profile_key(cs_call_profile_place(call), cs_profile_communicator(one->started), call->function, 0);
        cs_profile_more(call->thread, key, each, 0, 0);
        call->shared_ticks += each;
    }
}

static const MPI_Status *status_at(const MPI_Status *statuses, int i)
{
    return statuses == MPI_STATUSES_IGNORE ? NULL : &statuses[i];
}

/* All of them; after an error only those whose handle the MPI has taken back, their transfers may have failed. */
static void all_completed(struct cs_call *call, const struct waiting *waiting, int count, const MPI_Request requests[],
                          const MPI_Status *statuses, int result)
{
    const struct cs_request *known = waiting->known;
    if (!known)
        return;
    for (int i = 0; waiting->handles && i < count; i++)
        recall(waiting, i);
    if (result == MPI_SUCCESS)
        share(call, known, count, NULL);
    for (int i = 0; i < count; i++)
        if (result == MPI_SUCCESS)
            completed(call, &known[i], status_at(statuses, i));
        else if (requests[i] == MPI_REQUEST_NULL)
            completed(call, &known[i], NULL);
}

static void some_completed(struct cs_call *call, const struct waiting *waiting, const int *done, const int indices[],
                           const MPI_Status *statuses, int result)
{
    const struct cs_request *known = waiting->known;
    if (!known || result != MPI_SUCCESS || *done == MPI_UNDEFINED)
        return;
    for (int i = 0; waiting->handles && i < *done; i++)
        recall(waiting, indices[i]);
    share(call, known, *done, indices);
    for (int i = 0; i < *done; i++)
        completed(call, &known[indices[i]], status_at(statuses, i));
}

static void any_completed(struct cs_call *call, const struct waiting *waiting, const int *index,
                          const MPI_Status *status, int result)
{
    static const int one = 1;
    if (result == MPI_SUCCESS && *index != MPI_UNDEFINED)
        some_completed(call, waiting, &one, index, status, result);
}

CS_EXPORT int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Wait, __builtin_return_address(0));
    struct waiting waiting = look_up(&call, 1, request);
    status = statuses_for(&call, &waiting, 1, status);
    cs_start(&call);
    int result = cs_next.MPI_Wait(request, status);
    cs_stop(&call);
    all_completed(&call, &waiting, 1, request, status, result);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Waitall, __builtin_return_address(0));
    struct waiting waiting = look_up(&call, count, requests);
    statuses = statuses_for(&call, &waiting, count, statuses);
    cs_start(&call);
    int result = cs_next.MPI_Waitall(count, requests, statuses);
    cs_stop(&call);
    all_completed(&call, &waiting, count, requests, statuses, result);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Waitany, __builtin_return_address(0));
    struct waiting waiting = look_up(&call, count, requests);
    status = statuses_for(&call, &waiting, count, status);
    cs_start(&call);
    int result = cs_next.MPI_Waitany(count, requests, index, status);
    cs_stop(&call);
    any_completed(&call, &waiting, index, status, result);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Waitsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[])
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Waitsome, __builtin_return_address(0));
    struct waiting waiting = look_up(&call, count, requests);
    statuses = statuses_for(&call, &waiting, count, statuses);
    cs_start(&call);
    int result = cs_next.MPI_Waitsome(count, requests, done, indices, statuses);
    cs_stop(&call);
    some_completed(&call, &waiting, done, indices, statuses, result);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Test, __builtin_return_address(0));
    struct waiting waiting = look_up(&call, 1, request);
    status = statuses_for(&call, &waiting, 1, status);
    cs_start(&call);
    int result = cs_next.MPI_Test(request, flag, status);
    cs_stop(&call);
    if (result != MPI_SUCCESS || *flag)
        all_completed(&call, &waiting, 1, request, status, result);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Testall, __builtin_return_address(0));
    struct waiting waiting = look_up(&call, count, requests);
    statuses = statuses_for(&call, &waiting, count, statuses);
    cs_start(&call);
    int result = cs_next.MPI_Testall(count, requests, flag, statuses);
    cs_stop(&call);
    if (result != MPI_SUCCESS || *flag)
        all_completed(&call, &waiting, count, requests, statuses, result);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Testany, __builtin_return_address(0));
    struct waiting waiting = look_up(&call, count, requests);
    status = statuses_for(&call, &waiting, count, status);
    cs_start(&call);
    int result = cs_next.MPI_Testany(count, requests, index, flag, status);
    cs_stop(&call);
    if (result == MPI_SUCCESS && *flag)
        any_completed(&call, &waiting, index, status, result);
    cs_leave(&call);
    return result;
}

CS_EXPORT int MPI_Testsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[])
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Testsome, __builtin_return_address(0));
    struct waiting waiting = look_up(&call, count, requests);
    statuses = statuses_for(&call, &waiting, count, statuses);
    cs_start(&call);
    int result = cs_next.MPI_Testsome(count, requests, done, indices, statuses);
    cs_stop(&call);
    some_completed(&call, &waiting, done, indices, statuses, result);
    cs_leave(&call);
    return result;
}

/* The transfer may go on; nobody will be told when it ends. */
CS_EXPORT int MPI_Request_free(MPI_Request *request)
{
    struct cs_call call;
    cs_enter(&call, CS_MPI_Request_free, __builtin_return_address(0));
    struct waiting waiting = look_up(&call, 1, request);
    cs_start(&call);
    int result = cs_next.MPI_Request_free(request);
    cs_stop(&call);
    if (cs_succeeded(&call, result) && waiting.known && waiting.known->references)
        cs_request_drop(&cs_requests, waiting.known->handle);
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
    struct waiting waiting = look_up(&call, 1, request);
    cs_start(&call);
    int result = cs_next.MPI_Cancel(request);
    cs_stop(&call);
    if (cs_succeeded(&call, result) && waiting.known && waiting.known->references)
        cs_request_cancel(&cs_requests, waiting.known->handle);
    cs_leave(&call);
    return result;
}

/* Bytes of a persistent transfer count at each start, in a cell of the start; the call itself is counted by cs_leave.
 */
static void started(struct cs_call *call, const struct waiting *waiting, int count)
{
    const struct cs_request *known = waiting->known;
    for (int i = 0; known && i < count; i++) {
        if (waiting->handles)
            recall(waiting, i);
        if (!known[i].references)
            continue;
        struct cs_profile_key key =
            cs_profile_key(cs_call_profile_place(call), cs_profile_communicator(known[i].started), call->function,
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
    struct waiting waiting = look_up(&call, 1, request);
    cs_start(&call);
    int result = cs_next.MPI_Start(request);
    cs_stop(&call);
    if (cs_succeeded(&call, result) && waiting.known && waiting.known->references) {
        const struct cs_request *known = waiting.known;
        started(&call, &waiting, 1);
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
    struct waiting waiting = look_up(&call, count, requests);
    cs_start(&call);
    int result = cs_next.MPI_Startall(count, requests);
    cs_stop(&call);
    if (cs_succeeded(&call, result))
        started(&call, &waiting, count);
    cs_leave(&call);
    return result;
}
