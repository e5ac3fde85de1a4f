#include "wrappers/request/request_list.h"

#include <stdatomic.h>
#include <string.h>

#include "pmpi_queries.h"
#include "record/process/recorder.h"
#include "wrappers/call/about.h"
#include "wrappers/request/request_roles.h"

/* ---- arrays ---- */

MPI_Fint cs_null_request_number(void)
{
    static _Atomic MPI_Fint number = -1;
    MPI_Fint known = atomic_load_explicit(&number, memory_order_relaxed);
    if (__builtin_expect(known == -1, 0)) {
        known = cs_mpi_Request_c2f(MPI_REQUEST_NULL);
        atomic_store_explicit(&number, known, memory_order_relaxed);
    }
    return known;
}

bool cs_request_is_null(struct cs_handles requests, int i)
{
    return cs_are_numbers(requests) ? ((const MPI_Fint *)requests.handles)[i] == cs_null_request_number()
                                    : ((const MPI_Request *)requests.handles)[i] == MPI_REQUEST_NULL;
}

/* True if a Fortran status has the same words as a C status; tested with words that all differ. */
static bool is_same_in_fortran(void)
{
    enum { WORDS = sizeof(MPI_Status) / sizeof(MPI_Fint), ROOM = 2 * WORDS };
    MPI_Fint c_words[ROOM] = {0}, fortran_words[ROOM] = {0};
    MPI_Status status;
    for (int i = 0; i < WORDS; i++)
        c_words[i] = 0x1010101 * (i + 1);
    memcpy(&status, c_words, sizeof status);
    return sizeof status % sizeof(MPI_Fint) == 0 && cs_mpi_Status_c2f(&status, fortran_words) == MPI_SUCCESS &&
           memcmp(c_words, fortran_words, sizeof c_words) == 0;
}

const MPI_Status *cs_status_of_fortran(const void *status, MPI_Status *decoded)
{
    enum { UNKNOWN, SAME, OTHER };
    static atomic_int words = UNKNOWN;
    int is = atomic_load_explicit(&words, memory_order_relaxed);
    if (__builtin_expect(is == UNKNOWN, 0)) {
        is = is_same_in_fortran() ? SAME : OTHER;
        atomic_store_explicit(&words, is, memory_order_relaxed);
    }
    /* Arrays of INTEGER may have less alignment than MPI_Status needs. */
    if (is == SAME && (uintptr_t)status % _Alignof(MPI_Status) == 0)
        return status;
    cs_mpi_Status_f2c(status, decoded);
    return decoded;
}

/* ---- lists ---- */

_Atomic bool cs_requests_made_in[CS_MADE_LANGUAGES];

/* Takes the handles in the caller's language, as the table stores them. Returns how many are not null. */
static inline __attribute__((always_inline)) int take_keys(struct cs_handles requests, int count, uint64_t keys[])
{
    int awaited = 0;
    if (__builtin_expect(cs_are_numbers(requests), 0)) {
        const MPI_Fint *numbers = requests.handles, null = cs_null_request_number();
        for (int i = 0; i < count; i++) {
            keys[i] = CS_REQUEST_NUMBER(numbers[i]);
            awaited += numbers[i] != null;
        }
        return awaited;
    }
    const MPI_Request *handles = requests.handles;
    for (int i = 0; i < count; i++) {
        keys[i] = CS_KEY(handles[i]);
        awaited += handles[i] != MPI_REQUEST_NULL;
    }
    return awaited;
}

/* A request may be made in one language and completed in the other. A handle that is unknown in one language is
   looked up in the other, before the native call takes the number back. */
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

/* A callback inside a Wait may call Wait itself, so each depth has its own scratch memory. */
enum { KNOWN_SCRATCH, KEY_SCRATCH, STATUS_SCRATCH, SCRATCHES };

static inline unsigned scratch_slot(const struct cs_call *call, unsigned what)
{
    return (call->thread->depth - 1) * SCRATCHES + what;
}

static inline __attribute__((always_inline)) void *scratch(const struct cs_call *call, unsigned what, size_t bytes)
{
    return cs_thread_scratch(call->thread, scratch_slot(call, what), bytes);
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

/* For reports on the last call: the first active request, or the first of all. */
static void note_awaited(struct cs_call *call, const struct cs_request_list *list)
{
    int i = 0;
    while (!cs_request_is_active(&list->known[i]) && ++i < list->count)
        ;
    cs_call_on_request(call, &list->known[i < list->count ? i : 0]);
}

static __attribute__((noinline)) void note_awaited_otherwise(struct cs_call *call, const struct cs_request_list *list)
{
    const struct cs_request *first = cs_request_find(&cs_requests, list->keys[0]), *known = first;
    for (int i = 1; i < list->count && !(known && cs_request_is_active(known)); i++)
        known = cs_request_find(&cs_requests, list->keys[i]);
    if (!known || !cs_request_is_active(known))
        known = first;
    if (known)
        cs_call_on_request(call, known);
}

static inline void note_awaited_of_many(struct cs_call *call, const struct cs_request_list *list)
{
    const struct cs_request *first = cs_request_find(&cs_requests, list->keys[0]);
    if (__builtin_expect(first && cs_request_is_active(first), 1))
        cs_call_on_request(call, first);
    else
        note_awaited_otherwise(call, list);
}

/* For callsign hang: the handles that the call waits for. */
static inline void keep_awaited(const struct cs_call *call, const struct cs_request_list *list)
{
    struct cs_thread_state *state = call->thread->state;
    state->awaited = (uint32_t)list->count;
    if (list->keys != state->awaited_request)
        memcpy(state->awaited_request, list->keys, CS_AWAITED_KEPT * sizeof *list->keys);
}

static inline __attribute__((always_inline)) void look_up_all(struct cs_call *call, struct cs_request_list *list,
                                                              int count, struct cs_handles handles, bool waits)
{
    struct cs_thread *thread = call->thread;
    *list = (struct cs_request_list){.handles = handles, .count = count};
    if (thread)
        thread->state->awaited = 0;
    if (!thread || count <= 0 || !handles.handles)
        return;
    waits = waits && thread->depth == 1;
    /* Until the next call of the thread begins, nobody else writes there. */
    list->keys = waits && count <= CS_AWAITED_KEPT ? thread->state->awaited_request
                                                   : scratch(call, KEY_SCRATCH, (size_t)count * sizeof(uint64_t));
    list->known = list->keys ? scratch(call, KNOWN_SCRATCH, (size_t)count * sizeof(struct cs_request)) : NULL;
    if (!list->known)
        return;
    list->awaited = take_keys(handles, count, list->keys);
    if (!CS_FORTRAN_HANDLES_ARE_C &&
        __builtin_expect(atomic_load_explicit(&cs_requests_made_in[handles.fortran ? CS_MADE_IN_C : CS_MADE_IN_FORTRAN],
                                              memory_order_relaxed),
                         0))
        find_by_other_handle(list->keys, count);
    if (waits)
        keep_awaited(call, list);
    /* A handle may become another thread's request during the call, even if no other thread has called yet. */
    if (count > 1 && !cs_is_parallel() && cs_guard_enter_alone()) {
        note_awaited_of_many(call, list);
        cs_guard_leave_alone();
        return;
    }
    for (int i = 0; i < count; i++)
        look_up(list, i);
    list->keys = NULL;
    note_awaited(call, list);
}

void cs_on_requests(struct cs_call *call, struct cs_request_list *list, int count, struct cs_handles handles)
{
    look_up_all(call, list, count, handles, false);
}

void cs_on_awaited_requests(struct cs_call *call, struct cs_request_list *list, int count, struct cs_handles handles)
{
    look_up_all(call, list, count, handles, true);
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

static inline size_t status_bytes(const struct cs_request_list *list)
{
    return (size_t)list->count * sizeof(MPI_Status);
}

static inline void *lend(struct cs_request_list *list, void *statuses)
{
    list->statuses.elements = statuses;
    list->statuses.ignored = false;
    return statuses;
}

/* For more statuses than ever before. A function of its own, so that its caller saves no register. */
static __attribute__((noinline)) void *lend_more(const struct cs_call *call, struct cs_request_list *list)
{
    void *own = scratch(call, STATUS_SCRATCH, status_bytes(list));
    return own ? lend(list, own) : list->statuses.elements;
}

void *cs_statuses_needed(struct cs_call *call, struct cs_request_list *list, struct cs_statuses statuses)
{
    list->statuses = statuses;
    if (!statuses.ignored || !may_need_status(list))
        return statuses.elements;
    void *own = cs_thread_scratch_there(call->thread, scratch_slot(call, STATUS_SCRATCH), status_bytes(list));
    return own ? lend(list, own) : lend_more(call, list);
}

/* ---- chosen requests ---- */

/* True if the requests with these indices may be the completed ones. A completed handle is now null in the array,
   unless the request is persistent or was only queried. */
static bool are_complete(const struct cs_request_list *list, const struct cs_chosen *chosen, bool queried)
{
    for (int i = 0; i < chosen->count; i++) {
        int at = cs_chosen_at(chosen, i);
        if (at < 0 || at >= list->count)
            return false;
        const struct cs_request *known = cs_request_at(list, at);
        bool stays = queried || known->flags & CS_REQUEST_PERSISTENT;
        if (!cs_request_is_active(known) || (!stays && !cs_request_is_null(list->handles, at)))
            return false;
    }
    return true;
}

/* The index of the first request in Fortran: 1, but 0 in mpi_f08 of MPICH 4.0. Some indices fit both. Then the
   result is the one that an earlier unambiguous call has shown. */
static int base_in_fortran(const struct cs_request_list *list, struct cs_chosen chosen, bool queried)
{
    enum { FROM_0, FROM_1, UNKNOWN };
    static atomic_int usual = UNKNOWN;
    int known = atomic_load_explicit(&usual, memory_order_relaxed), expected = known == FROM_0 ? 0 : 1;
    if (!CS_FORTRAN_HANDLES_ARE_C)
        return 1;
    chosen.base = expected;
    bool as_expected = are_complete(list, &chosen, queried);
    if (as_expected && known != UNKNOWN)
        return expected;
    chosen.base = 1 - expected;
    if (are_complete(list, &chosen, queried) == as_expected)
        return expected;
    int found = as_expected ? expected : 1 - expected;
    atomic_store_explicit(&usual, found, memory_order_relaxed);
    return found;
}

bool cs_choose(struct cs_chosen *chosen, const struct cs_request_list *list, int count, const int indices[],
               bool queried)
{
    *chosen = (struct cs_chosen){.indices = indices, .count = count};
    if (list->handles.fortran)
        chosen->base = base_in_fortran(list, *chosen, queried);
    for (int i = 0; i < count; i++)
        if (cs_chosen_at(chosen, i) < 0 || cs_chosen_at(chosen, i) >= list->count)
            return false;
    return true;
}
