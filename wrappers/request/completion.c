#include "wrappers/request/completion.h"

#include "pmpi_queries.h"
#include "record/call/ring.h"
#include "record/object/object.h"
#include "record/process/recorder.h"
#include "wrappers/attribute/attribute_roles.h"
#include "wrappers/bytes/bytes.h"
#include "wrappers/call/about.h"
#include "wrappers/call/misuse.h"
#include "wrappers/check/pending.h"
#include "wrappers/envelope/envelope_roles.h"
#include "wrappers/object/published_name.h"
#include "wrappers/request/request_list.h"

static bool was_cancelled(const struct cs_request *known, const MPI_Status *status)
{
    int cancelled = 0;
    if (known->flags & CS_REQUEST_CANCELLED)
        cs_mpi_Test_cancelled(status, &cancelled);
    return cancelled;
}

/* In a function of its own: an envelope whose address is passed is kept in memory for all its uses. */
static __attribute__((noinline)) void take_back(struct cs_call *call, const struct cs_request *known)
{
    struct cs_envelope envelope = cs_request_envelope(known);
    cs_envelope_unsent(call, &envelope);
}

/* Counts the message that a request sent. If one handle stands for several requests, nobody knows which one was
   waited for. */
static inline __attribute__((always_inline)) void count_sent(struct cs_call *call, const struct cs_request *known,
                                                             bool cancelled, uint64_t ticks)
{
    if (__builtin_expect(cancelled, 0))
        take_back(call, known);
    else if (!(known->flags & CS_REQUEST_SHARED))
        cs_sent_waited(call, cs_profile_object(known->started), known->peer, ticks);
}

/* A cancelled receive took no message: later ones do not wait behind it. */
static __attribute__((noinline)) void note_cancelled(struct cs_call *call, const struct cs_request *known)
{
    if (known->event)
        cs_ring_add_message(call->thread, NULL, CS_RECEIVE, cs_profile_object(known->started), CS_NO_PEER, CS_NO_TAG, 0,
                            known->event);
}

/* Requests whose completion no note shows: a message or an earlier note does, or it is not known which request this is.
 */
enum { WITHOUT_NOTE = CS_REQUEST_RECEIVES | CS_REQUEST_SHARED | CS_REQUEST_COUNTED | CS_REQUEST_INTERNAL };

/* True if the outcomes of its requests count. */
static inline bool counts_outcomes(const struct cs_call *call)
{
    return call->counted && !cs_is_paused();
}

/* Counts the outcome of a known request that was active, if its status is known and it is not counted yet. ticks: its
   share of the waiting time. */
static inline __attribute__((always_inline)) void count_outcome(struct cs_call *call, const struct cs_request *known,
                                                                struct cs_statuses statuses, int i, uint64_t ticks)
{
    MPI_Status decoded;
    if (!(known->flags & CS_REQUEST_ACTIVE))
        return;
    const MPI_Status *status = cs_request_flags_need_status(known->flags) ? cs_status_at(statuses, i, &decoded) : NULL;
    bool cancelled = status && was_cancelled(known, status);
    if (known->flags & CS_REQUEST_SENDS)
        count_sent(call, known, cancelled, ticks);
    if (!(known->flags & WITHOUT_NOTE) && !cancelled)
        cs_ring_note_request(call->thread, known->event);
    if (known->flags & CS_REQUEST_RECEIVES && __builtin_expect(cancelled, 0))
        note_cancelled(call, known);
    else if (known->flags & CS_REQUEST_RECEIVES && status)
        cs_request_received(call, known, status, known->flags & CS_REQUEST_SENDS ? 0 : ticks);
}

/* Counts the result of a completed request, after its share of the waiting time. counts: counts_outcomes. */
static inline __attribute__((always_inline)) void bring(struct cs_call *call, const struct cs_request *known,
                                                        struct cs_statuses statuses, int i, bool counts, uint64_t ticks)
{
    if (counts)
        count_outcome(call, known, statuses, i, ticks);
    if (__builtin_expect(known->made && known->flags & CS_REQUEST_ACTIVE, 0)) {
        CS_KEEP_ERRNO;
        cs_object_note_ready(known->made, call->stop);
        cs_name_publish_pending(known->made);
        cs_duplicate_ready(call, known->made, known->started.site);
    }
}

/* One request has completed. */
static void complete(struct cs_call *call, const struct cs_request *known, struct cs_statuses statuses, int i,
                     uint64_t ticks)
{
    if (!known->references)
        return;
    bring(call, known, statuses, i, counts_outcomes(call), ticks);
    /* Uses what was known before the native call: by now another thread may have a persistent request with this
       handle. */
    if (known->flags & CS_REQUEST_PERSISTENT)
        cs_request_end(&cs_requests, known->handle);
    else
        cs_request_drop(&cs_requests, known->handle);
}

/* ---- after an error ---- */

static const struct cs_statuses no_statuses = {.ignored = true};

/* True if each request has its own error code in its status. */
static bool is_in_status(int result)
{
    int class;
    return result != MPI_SUCCESS && cs_mpi_Error_class(result, &class) == MPI_SUCCESS && class == MPI_ERR_IN_STATUS;
}

static int error_at(struct cs_statuses statuses, int i)
{
    MPI_Status decoded;
    const MPI_Status *status = cs_status_at(statuses, i, &decoded);
    return status ? status->MPI_ERROR : MPI_ERR_PENDING; /* not known */
}

/* A request that completed, failed, or is still active. A failed one counts nothing, unless its message was too long
   for the buffer. */
static void complete_by_status(struct cs_call *call, const struct cs_request *known, struct cs_statuses statuses, int i,
                               bool gone)
{
    int error = error_at(statuses, i);
    if (error != MPI_SUCCESS && error != MPI_ERR_PENDING && known->references)
        cs_note_failure_of(call, error,
                           (struct cs_failed_part){cs_profile_object(known->started), known->peer, known->tag});
    if (error == MPI_SUCCESS || cs_is_truncated(error))
        complete(call, known, statuses, i, 0);
    else if (gone || error != MPI_ERR_PENDING)
        complete(call, known, no_statuses, i, 0);
}

/* Only the handles that the MPI has taken back are known. */
static void complete_gone(struct cs_call *call, const struct cs_request_list *list)
{
    for (int i = 0; i < list->count; i++)
        if (cs_request_is_null(list->handles, i))
            complete(call, cs_request_at(list, i), no_statuses, i, 0);
}

/* ---- which completed ---- */

/* Divides the waiting time between the communicators of the completed requests. The call counts in the cell of the
   first one; the time of others goes to theirs. each: the share of a request. */
static __attribute__((noinline)) void share_with(struct cs_call *call, uint32_t object, uint64_t each)
{
    if (!counts_outcomes(call))
        return;
    const struct cs_profile_key key = cs_profile_key(cs_call_profile_site(call), object, call->function, 0);
    cs_profile_add_time(call->thread, key, each, 0, 0);
    call->shared_ticks += each;
    cs_thread_detour(call->thread);
}

/* Returns the share of each request. */
static uint64_t share(struct cs_call *call, const struct cs_request *known, const struct cs_chosen *completed)
{
    int shared_by = 0;
    for (int i = 0; i < completed->count; i++) {
        const struct cs_request *one = &known[cs_chosen_at(completed, i)];
        if (one->references && shared_by++ == 0)
            call->about = cs_profile_object(one->started);
    }
    if (!shared_by)
        return 0;
    uint64_t each = (call->stop - call->start) / (uint64_t)shared_by;
    for (int i = 0; i < completed->count; i++) {
        const struct cs_request *one = &known[cs_chosen_at(completed, i)];
        if (one->references && cs_profile_object(one->started) != call->about)
            share_with(call, cs_profile_object(one->started), each);
    }
    return counts_outcomes(call) ? each : 0;
}

/* Requests whose handle was not null. */
static int count_awaited(const struct cs_request_list *list, const struct cs_chosen *completed)
{
    int count = 0;
    for (int i = 0; i < completed->count; i++)
        count += !cs_request_was_null(list, cs_chosen_at(completed, i));
    return count;
}

/* For a thread that is alone: no other thread can have changed the table since the call began. Only keys were taken,
   and requests are used in place. awaited: number of those whose handle was not null. False: the thread is not alone,
   and nothing was done. Always inlined: a list of all requests has no indices. */
static inline __attribute__((always_inline)) bool complete_in_place(struct cs_call *call,
                                                                    const struct cs_request_list *list,
                                                                    const struct cs_chosen *completed, int awaited)
{
    bool any = false;
    const uint64_t *keys = list->keys;
    if (!keys || !cs_guard_enter_alone())
        return false;
    const uint64_t each = awaited ? (call->stop - call->start) / (uint64_t)awaited : 0;
    const bool counts = counts_outcomes(call);
    for (int i = 0; i < completed->count; i++) {
        struct cs_request *one = cs_request_find(&cs_requests, keys[cs_chosen_at(completed, i)]);
        if (!one)
            continue;
        const uint32_t object = cs_profile_object(one->started);
        if (!any)
            call->about = object;
        else if (__builtin_expect(object != call->about, 0))
            share_with(call, object, each);
        any = true;
        bring(call, one, list->statuses, i, counts, each);
        cs_request_end_found(&cs_requests, one);
    }
    cs_guard_leave_alone();
    return true;
}

static __attribute__((noinline)) void all_completed(struct cs_call *call, const struct cs_request_list *list,
                                                    int result)
{
    const struct cs_chosen all = {.count = list->count};
    bool in_status = is_in_status(result), truncated = list->count == 1 && cs_is_truncated(result);
    if (result != MPI_SUCCESS && !in_status && !truncated) {
        complete_gone(call, list);
        return;
    }
    for (int i = 0; list->keys && i < list->count; i++)
        cs_request_at(list, i);
    uint64_t each = in_status ? 0 : share(call, list->known, &all);
    for (int i = 0; i < list->count; i++)
        if (in_status)
            complete_by_status(call, &list->known[i], list->statuses, i, cs_request_is_null(list->handles, i));
        else
            complete(call, &list->known[i], list->statuses, i, each);
}

/* A poll that found something has a profile cell of its own: the size class of one byte. */
static inline void note_found(struct cs_call *call)
{
    call->found = true;
    if (call->message == CS_ENTRY_POLLS)
        call->posted_bytes = 1;
}

void cs_all_completed(struct cs_call *call, const struct cs_request_list *list, int result)
{
    note_found(call);
    if (!list->known)
        return;
    const struct cs_chosen all = {.count = list->count};
    if (result != MPI_SUCCESS || !complete_in_place(call, list, &all, list->awaited))
        all_completed(call, list, result);
}

void cs_some_completed(struct cs_call *call, const struct cs_request_list *list, const int *count, const int indices[],
                       int result)
{
    if (result != MPI_SUCCESS || *count != 0)
        note_found(call);
    struct cs_chosen some;
    bool in_status = is_in_status(result);
    if (!list->known)
        return;
    if (result != MPI_SUCCESS && !in_status) {
        complete_gone(call, list);
        return;
    }
    if (*count <= 0 || !cs_choose(&some, list, *count, indices, false)) /* MPI_UNDEFINED is negative */
        return;
    if (!in_status && list->keys && complete_in_place(call, list, &some, count_awaited(list, &some)))
        return;
    for (int i = 0; i < *count; i++)
        cs_request_at(list, cs_chosen_at(&some, i));
    uint64_t each = share(call, list->known, &some);
    for (int i = 0; i < *count; i++)
        if (in_status)
            complete_by_status(call, &list->known[cs_chosen_at(&some, i)], list->statuses, i, true);
        else
            complete(call, &list->known[cs_chosen_at(&some, i)], list->statuses, i, each);
}

void cs_any_completed(struct cs_call *call, const struct cs_request_list *list, const int *index, int result)
{
    static const int one = 1;
    /* MPICH adds 1 to MPI_UNDEFINED too. */
    bool completed = result == MPI_SUCCESS || (cs_is_truncated(result) && *index >= 0);
    if (!completed && list->known)
        complete_gone(call, list);
    else if (completed && *index >= 0)
        cs_some_completed(call, list, &one, index, MPI_SUCCESS);
}

/* ---- what stays ---- */

static void query(struct cs_call *call, const struct cs_request *known, struct cs_statuses statuses, int i)
{
    call->found = true;
    if (cs_is_checked(call))
        cs_uses_end(known->handle);
    if (!cs_request_needs_status(known))
        return;
    if (counts_outcomes(call))
        count_outcome(call, known, statuses, i, 0);
    cs_request_mark(&cs_requests, known->handle, CS_REQUEST_COUNTED);
}

void cs_all_queried(struct cs_call *call, const struct cs_request_list *list)
{
    for (int i = 0; list->known && i < list->count; i++)
        query(call, cs_request_at(list, i), list->statuses, i);
}

void cs_some_queried(struct cs_call *call, const struct cs_request_list *list, const int *count, const int indices[])
{
    struct cs_chosen some;
    if (list->known && *count > 0 && cs_choose(&some, list, *count, indices, true))
        for (int i = 0; i < *count; i++)
            query(call, cs_request_at(list, cs_chosen_at(&some, i)), list->statuses, i);
}

void cs_any_queried(struct cs_call *call, const struct cs_request_list *list, const int *index)
{
    static const int one = 1;
    if (*index >= 0)
        cs_some_queried(call, list, &one, index);
}

void cs_request_cancelled(struct cs_call *call, const struct cs_request_list *list)
{
    (void)call;
    if (list->known && list->known->references)
        cs_request_mark(&cs_requests, list->known->handle, CS_REQUEST_CANCELLED);
}
