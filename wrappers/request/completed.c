/* What happens to requests, whatever the language; see wrappers/request/completion.h. */
#include "wrappers/request/completion.h"

#include "functions.h"
#include "record/object.h"
#include "record/recorder.h"
#include "wrappers/object/applied.h"
#include "wrappers/fortran/fortran.h"
#include "wrappers/object/look_up.h"
#include "wrappers/roles.h"

static bool are_numbers(struct cs_handles requests)
{
    return requests.fortran && !CS_FORTRAN_HANDLES_ARE_C;
}

/* What the language that calls knows a request by. */
static uint64_t key_at(struct cs_handles requests, int i)
{
    return are_numbers(requests) ? CS_REQUEST_NUMBER(((const MPI_Fint *)requests.handles)[i])
                                 : CS_KEY(((const MPI_Request *)requests.handles)[i]);
}

static bool is_null(struct cs_handles requests, int i)
{
    return are_numbers(requests) ? ((const MPI_Fint *)requests.handles)[i] == cs_fortran_null_request()
                                 : ((const MPI_Request *)requests.handles)[i] == MPI_REQUEST_NULL;
}

/* One language made it and the other completes it: what is not known by the one name may be by the other. Before the
   native call, which takes the number back. */
static void find_by_other_name(uint64_t *keys, int count)
{
    struct cs_request known;
    for (int i = 0; i < count; i++) {
        if (!keys[i] || keys[i] == CS_KEY(MPI_REQUEST_NULL) || cs_request_get(&cs_requests, keys[i], &known))
            continue;
        keys[i] = CS_REQUEST_IS_NUMBER(keys[i])
                      ? CS_KEY(PMPI_Request_f2c((MPI_Fint)(uint32_t)keys[i]))
                      : CS_REQUEST_NUMBER(PMPI_Request_c2f(CS_HANDLE_OF(MPI_Request, keys[i])));
    }
}

/* A callback inside a Wait may wait itself: scratch memory is per depth. */
enum { KNOWN_SCRATCH, KEY_SCRATCH, STATUS_SCRATCH, PLACES };

static void *scratch(const struct cs_call *call, unsigned what, size_t bytes)
{
    return cs_thread_scratch(call->thread, (call->thread->depth - 1) * PLACES + what, bytes);
}

void cs_waiting_recall(const struct cs_waiting *waiting, int i)
{
    uint64_t key = waiting->keys[i];
    if (key == CS_KEY(MPI_REQUEST_NULL) || !cs_request_get(&cs_requests, key, &waiting->known[i]))
        waiting->known[i].references = 0;
}

static bool is_under_way(const struct cs_request *known)
{
    return known->references && (known->flags & CS_REQUEST_ACTIVE);
}

/* Where it waits, should it never come back: what the first request under way is about. The first of all is recalled in
   any case. */
static void note_where(struct cs_call *call, const struct cs_waiting *waiting, int count)
{
    int i = 0;
    do
        cs_waiting_recall(waiting, i);
    while (!is_under_way(&waiting->known[i]) && ++i < count);
    cs_call_on_request(call, &waiting->known[i < count ? i : 0]);
}

struct cs_waiting cs_requests_look_up(struct cs_call *call, int count, struct cs_handles requests)
{
    struct cs_waiting waiting = {0};
    if (!call->thread || count <= 0 || !requests.handles)
        return waiting;
    waiting.keys = scratch(call, KEY_SCRATCH, (size_t)count * sizeof(uint64_t));
    waiting.known = waiting.keys ? scratch(call, KNOWN_SCRATCH, (size_t)count * sizeof(struct cs_request)) : NULL;
    if (!waiting.known)
        return waiting;
    for (int i = 0; i < count; i++)
        waiting.keys[i] = key_at(requests, i);
    if (!CS_FORTRAN_HANDLES_ARE_C &&
        __builtin_expect(cs_requests_made_in(requests.fortran ? CS_MADE_IN_C : CS_MADE_IN_FORTRAN), 0))
        find_by_other_name(waiting.keys, count);
    note_where(call, &waiting, count);
    if (count > 1 && !cs_recorder.parallel)
        return waiting;
    for (int i = 1; i < count; i++)
        cs_waiting_recall(&waiting, i);
    waiting.keys = NULL;
    return waiting;
}

static bool needs_status(const struct cs_request *known)
{
    return is_under_way(known) && (known->flags & (CS_REQUEST_RECEIVES | CS_REQUEST_TOLD)) == CS_REQUEST_RECEIVES;
}

struct cs_statuses cs_statuses_for(struct cs_call *call, const struct cs_waiting *waiting, int count,
                                   struct cs_statuses given)
{
    if (!given.ignored || !waiting->known)
        return given;
    int i = 0;
    while (!waiting->keys && i < count && !needs_status(&waiting->known[i]))
        i++;
    if (i == count)
        return given;
    void *own = scratch(call, STATUS_SCRATCH, (size_t)count * sizeof(MPI_Status));
    return own ? (struct cs_statuses){own, false, given.fortran} : given;
}

/* NULL: nobody asked for it. */
static const MPI_Status *status_at(struct cs_statuses statuses, int i, MPI_Status *decoded)
{
    if (statuses.ignored)
        return NULL;
    MPI_Status *status = (MPI_Status *)statuses.at + i; /* in Fortran it is as large */
    if (!statuses.fortran)
        return status;
    return cs_fortran_status(status, decoded);
}

static bool was_cancelled(const struct cs_request *known, const MPI_Status *status)
{
    int cancelled = 0;
    if (known->flags & CS_REQUEST_CANCELLED)
        PMPI_Test_cancelled(status, &cancelled);
    return cancelled;
}

/* Counts what came, if the status tells and nobody has counted it. */
static void arrived(struct cs_call *call, const struct cs_request *known, struct cs_statuses statuses, int i)
{
    MPI_Status decoded;
    const MPI_Status *status = needs_status(known) ? status_at(statuses, i, &decoded) : NULL;
    if (status && call->counted && !cs_recorder.paused && !was_cancelled(known, status))
        cs_profile_more(call->thread, known->started, 0, 0, cs_status_bytes(status));
}

/* One request has completed. */
static void completed(struct cs_call *call, const struct cs_request *known, struct cs_statuses statuses, int i)
{
    if (!known->references)
        return;
    arrived(call, known, statuses, i);
    if (known->made && known->flags & CS_REQUEST_ACTIVE) {
        CS_KEEP_ERRNO;
        struct cs_fact_ready ready = {.fact.ticks = call->stop, .object = known->made};
        cs_journal_append(cs_recorder.journal, CS_FACT_READY, &ready.fact, sizeof ready, NULL, 0);
        cs_apply_ready(known->made);
    }
    if (known->flags & CS_REQUEST_PERSISTENT)
        cs_request_activate(&cs_requests, known->handle, NULL);
    else
        cs_request_drop(&cs_requests, known->handle);
}

void cs_request_told(struct cs_call *call, const struct cs_waiting *waiting, struct cs_statuses status)
{
    const struct cs_request *known = waiting->known;
    if (!known || !needs_status(known))
        return;
    arrived(call, known, status, 0);
    cs_request_mark(&cs_requests, known->handle, CS_REQUEST_TOLD);
}

/* ---- after an error ---- */

static const struct cs_statuses no_statuses = {.ignored = true};

/* Whether each request has its own result in its status. */
static bool is_in_status(int result)
{
    int class;
    return result != MPI_SUCCESS && PMPI_Error_class(result, &class) == MPI_SUCCESS && class == MPI_ERR_IN_STATUS;
}

static int error_at(struct cs_statuses statuses, int i)
{
    MPI_Status decoded;
    const MPI_Status *status = status_at(statuses, i, &decoded);
    return status ? status->MPI_ERROR : MPI_ERR_PENDING; /* not known */
}

/* It completed, or failed, or neither yet. What failed brings nothing. */
static void ended(struct cs_call *call, const struct cs_request *known, struct cs_statuses statuses, int i, bool gone)
{
    int error = error_at(statuses, i);
    if (error == MPI_SUCCESS)
        completed(call, known, statuses, i);
    else if (gone || error != MPI_ERR_PENDING)
        completed(call, known, no_statuses, i);
}

/* Nothing is known but whose handles the MPI has taken back. */
static void forget_gone(struct cs_call *call, const struct cs_waiting *waiting, int count, struct cs_handles requests)
{
    for (int i = 0; i < count; i++) {
        if (waiting->keys)
            cs_waiting_recall(waiting, i);
        if (is_null(requests, i))
            completed(call, &waiting->known[i], no_statuses, i);
    }
}

/* ---- who completed ---- */

/* Shares the waiting time among the communicators of what completed: the call itself goes to the first one's cell, time
   for requests of others to theirs. indices NULL: requests 0 .. count - 1; else the first request has the index `base`.
 */
static void share(struct cs_call *call, const struct cs_request *known, int count, const int indices[], int base)
{
    int shared_by = 0;
    uint32_t first = 0;
    for (int i = 0; i < count; i++) {
        const struct cs_request *one = &known[indices ? indices[i] - base : i];
        if (one->references && shared_by++ == 0)
            first = cs_profile_object(one->started);
    }
    if (!shared_by)
        return;
    call->about = first;
    if (!call->counted || cs_recorder.paused)
        return;
    uint64_t each = (call->stop - call->start) / (uint64_t)shared_by;
    for (int i = 0; i < count; i++) {
        const struct cs_request *one = &known[indices ? indices[i] - base : i];
        if (!one->references || cs_profile_object(one->started) == first)
            continue;
        struct cs_profile_key key =
            cs_profile_key(cs_call_profile_site(call), cs_profile_object(one->started), call->function, 0);
        cs_profile_more(call->thread, key, each, 0, 0);
        call->shared_ticks += each;
    }
}

void cs_all_completed(struct cs_call *call, const struct cs_waiting *waiting, int count, struct cs_handles requests,
                      struct cs_statuses statuses, int result)
{
    const struct cs_request *known = waiting->known;
    bool in_status = is_in_status(result);
    if (!known)
        return;
    if (result != MPI_SUCCESS && !in_status) {
        forget_gone(call, waiting, count, requests);
        return;
    }
    for (int i = 0; waiting->keys && i < count; i++)
        cs_waiting_recall(waiting, i);
    if (!in_status)
        share(call, known, count, NULL, 0);
    for (int i = 0; i < count; i++)
        if (in_status)
            ended(call, &known[i], statuses, i, is_null(requests, i));
        else
            completed(call, &known[i], statuses, i);
}

/* Whether these may be the indices of what completed, if the first request has the index `base`. */
static bool has_base(const struct cs_waiting *waiting, int count, struct cs_handles requests, int done,
                     const int indices[], int base)
{
    for (int i = 0; i < done; i++) {
        int at = indices[i] - base;
        if (at < 0 || at >= count)
            return false;
        if (waiting->keys)
            cs_waiting_recall(waiting, at);
        const struct cs_request *known = &waiting->known[at];
        bool stays = known->flags & CS_REQUEST_PERSISTENT;
        if (!known->references || (!stays && !is_null(requests, at)))
            return false;
    }
    return true;
}

/* Fortran counts from 1, but in mpi_f08 of MPICH 4.0 from 0. What has completed is gone from the array of requests. */
static int base_of(const struct cs_waiting *waiting, int count, struct cs_handles requests, int done,
                   const int indices[])
{
    return !requests.fortran                                      ? 0
           : has_base(waiting, count, requests, done, indices, 1) ? 1
           : has_base(waiting, count, requests, done, indices, 0) ? 0
                                                                  : 1;
}

static bool are_in(const int indices[], int done, int base, int count)
{
    int i = 0;
    while (i < done && indices[i] >= base && indices[i] - base < count)
        i++;
    return i == done;
}

void cs_some_completed(struct cs_call *call, const struct cs_waiting *waiting, int count, struct cs_handles requests,
                       const int *done, const int indices[], struct cs_statuses statuses, int result)
{
    const struct cs_request *known = waiting->known;
    bool in_status = is_in_status(result);
    if (!known)
        return;
    if (result != MPI_SUCCESS && !in_status)
        forget_gone(call, waiting, count, requests);
    if ((result != MPI_SUCCESS && !in_status) || *done <= 0) /* MPI_UNDEFINED is negative */
        return;
    int base = base_of(waiting, count, requests, *done, indices);
    if (!are_in(indices, *done, base, count))
        return;
    for (int i = 0; waiting->keys && i < *done; i++)
        cs_waiting_recall(waiting, indices[i] - base);
    share(call, known, *done, indices, base);
    for (int i = 0; i < *done; i++)
        if (in_status)
            ended(call, &known[indices[i] - base], statuses, i, true);
        else
            completed(call, &known[indices[i] - base], statuses, i);
}

void cs_any_completed(struct cs_call *call, const struct cs_waiting *waiting, int count, struct cs_handles requests,
                      const int *index, struct cs_statuses status, int result)
{
    static const int one = 1;
    /* MPICH adds 1 to MPI_UNDEFINED too. */
    if (result != MPI_SUCCESS && waiting->known)
        forget_gone(call, waiting, count, requests);
    else if (result == MPI_SUCCESS && *index >= 0)
        cs_some_completed(call, waiting, count, requests, &one, index, status, result);
}
