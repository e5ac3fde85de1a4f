#include "wrappers/request/list.h"

#include "asked.h"
#include "functions.h"
#include "record/recorder.h"
#include "wrappers/call/about.h"
#include "wrappers/request/pending.h"

/* The handle of the language that calls, as the table has it. */
static uint64_t key_at(struct cs_handles requests, int i)
{
    return cs_are_numbers(requests) ? CS_REQUEST_NUMBER(((const MPI_Fint *)requests.handles)[i])
                                    : CS_KEY(((const MPI_Request *)requests.handles)[i]);
}

/* One language made it and the other completes it: what is not known by the one handle may be by the other. Before the
   native call, which takes the number back. */
static void find_by_other_handle(uint64_t *keys, int count)
{
    struct cs_request known;
    for (int i = 0; i < count; i++) {
        if (!keys[i] || keys[i] == CS_KEY(MPI_REQUEST_NULL) || cs_request_get(&cs_requests, keys[i], &known))
            continue;
        keys[i] = CS_REQUEST_IS_NUMBER(keys[i])
                      ? CS_KEY(cs_mpi_Request_f2c((MPI_Fint)(uint32_t)keys[i]))
                      : CS_REQUEST_NUMBER(cs_mpi_Request_c2f(CS_HANDLE_OF(MPI_Request, keys[i])));
    }
}

/* A callback inside a Wait may wait itself: scratch memory is per depth. */
enum { KNOWN_SCRATCH, KEY_SCRATCH, STATUS_SCRATCH, SCRATCHES };

static void *scratch(const struct cs_call *call, unsigned what, size_t bytes)
{
    return cs_thread_scratch(call->thread, (call->thread->depth - 1) * SCRATCHES + what, bytes);
}

static void look_up(const struct cs_request_list *list, int i)
{
    uint64_t key = list->keys[i];
    if (key == CS_KEY(MPI_REQUEST_NULL) || !cs_request_get(&cs_requests, key, &list->known[i]))
        list->known[i].references = 0;
}

const struct cs_request *cs_request_at(const struct cs_request_list *list, int i)
{
    if (list->keys)
        look_up(list, i);
    return &list->known[i];
}

/* For "in which call it died": the first active request, or the first of all. */
static void note_awaited(struct cs_call *call, const struct cs_request_list *list)
{
    int i = 0;
    while (!cs_request_is_active(&list->known[i]) && ++i < list->count)
        ;
    cs_call_on_request(call, &list->known[i < list->count ? i : 0]);
}

static void note_awaited_of_many(struct cs_call *call, const struct cs_request_list *list)
{
    const struct cs_request *first = cs_request_find(&cs_requests, list->keys[0]), *known = first;
    for (int i = 1; i < list->count && !(known && cs_request_is_active(known)); i++)
        known = cs_request_find(&cs_requests, list->keys[i]);
    if (!known || !cs_request_is_active(known))
        known = first;
    if (known)
        cs_call_on_request(call, known);
}

/* For callsign hang: the handles that the call waits for. */
static inline void keep_awaited(const struct cs_call *call, const struct cs_request_list *list)
{
    if (call->function > CS_MPI_Waitsome || call->thread->depth != 1) /* the blocking ones have the lowest numbers */
        return;
    struct cs_thread_state *state = call->thread->state;
    int kept = list->count < CS_AWAITED_KEPT ? list->count : CS_AWAITED_KEPT;
    state->awaited = (uint32_t)list->count;
    for (int i = 0; i < kept; i++)
        state->awaited_request[i] = list->keys[i];
}

void cs_on_requests(struct cs_call *call, struct cs_request_list *list, int count, struct cs_handles handles)
{
    *list = (struct cs_request_list){.handles = handles, .count = count};
    if (call->thread)
        call->thread->state->awaited = 0;
    if (!call->thread || count <= 0 || !handles.handles)
        return;
    list->keys = scratch(call, KEY_SCRATCH, (size_t)count * sizeof(uint64_t));
    list->known = list->keys ? scratch(call, KNOWN_SCRATCH, (size_t)count * sizeof(struct cs_request)) : NULL;
    if (!list->known)
        return;
    for (int i = 0; i < count; i++)
        list->keys[i] = key_at(handles, i);
    if (!CS_FORTRAN_HANDLES_ARE_C &&
        __builtin_expect(cs_requests_made_in(handles.fortran ? CS_MADE_IN_C : CS_MADE_IN_FORTRAN), 0))
        find_by_other_handle(list->keys, count);
    keep_awaited(call, list);
    if (count > 1 && cs_request_enter_alone(&cs_requests)) {
        note_awaited_of_many(call, list);
        cs_request_unlock(&cs_requests, false);
        return;
    }
    for (int i = 0; i < count; i++)
        look_up(list, i);
    list->keys = NULL;
    note_awaited(call, list);
}

static bool may_need_status(const struct cs_request_list *list)
{
    if (!list->known)
        return false;
    int i = 0;
    while (!list->keys && i < list->count && !cs_request_needs_status(&list->known[i]))
        i++;
    return i < list->count;
}

void *cs_statuses_needed(struct cs_call *call, struct cs_request_list *list, struct cs_statuses statuses)
{
    list->statuses = statuses;
    if (!statuses.ignored || !may_need_status(list))
        return statuses.elements;
    void *own = scratch(call, STATUS_SCRATCH, (size_t)list->count * sizeof(MPI_Status));
    if (own)
        list->statuses = (struct cs_statuses){own, false, statuses.fortran};
    return list->statuses.elements;
}
