#include "wrappers/request/request_checks.h"

#include <string.h>

#include "base/guard.h"
#include "base/hash.h"
#include "functions.h"
#include "wrappers/call/handles.h"
#include "wrappers/check/pending.h"
#include "wrappers/check/threads.h"

enum { LIST_MOST = 1024, LOOKED_UP_MOST = 64, SLOTS_MOST = 4096 };

static bool is_null(const struct cs_request_list *list, int i)
{
    return cs_request_is_null(list->handles, i);
}

/* What is known of a request, if its handle stands for no other one. */
static const struct cs_request *known_alone(const struct cs_request_list *list, int i)
{
    const struct cs_request *known = cs_request_at(list, i);
    return known->references == 1 && !(known->flags & (CS_REQUEST_SHARED | CS_REQUEST_INTERNAL)) ? known : NULL;
}

/* Requests of a list that are looked up in place, without a copy. */
struct looked_up {
    const struct cs_request_list *list;
    bool in_place; /* the thread is alone in the table until it leaves */
};

static struct looked_up enter_list(const struct cs_request_list *list)
{
    return (struct looked_up){list, list->keys && cs_guard_enter_alone()};
}

static void leave_list(struct looked_up all)
{
    if (all.in_place)
        cs_guard_leave_alone();
}

static inline const struct cs_request *known_in(struct looked_up all, int i)
{
    static const struct cs_request unknown;
    if (!all.in_place)
        return cs_request_at(all.list, i);
    const struct cs_request *found = cs_request_find(&cs_requests, all.list->keys[i]);
    return found ? found : &unknown;
}

/* A handle that is not in the table: of a persistent request that was freed, or surely of no request. Numbers of
   Fortran say nothing. */
static void check_unknown(struct cs_call *call, const struct cs_request_list *list, int i,
                          const struct cs_request *known)
{
    if (known->references || cs_are_numbers(list->handles) || is_null(list, i))
        return;
    uint64_t handle = CS_KEY(((const MPI_Request *)list->handles.handles)[i]);
    const struct callsign_record *dead = cs_object_find_dead(CALLSIGN_REQUEST, handle);
    if (dead)
        cs_misuse_note_freed(call, dead);
    else if (!cs_handle_may_be(CALLSIGN_REQUEST, handle))
        cs_misuse_note(call, CS_MISUSE_NO_HANDLE, 0, 0);
}

bool cs_request_is_unstarted(const struct cs_request *known)
{
    const uint32_t others = CS_REQUEST_ACTIVE | CS_REQUEST_SHARED | CS_REQUEST_INTERNAL;
    if (known->references != 1 || !(known->flags & CS_REQUEST_PERSISTENT) || known->flags & others)
        return false;
    const struct cs_function *function = cs_function_find(cs_profile_function(known->started));
    return function && function->mode == CS_MODE_PERSISTENT;
}

/* Waits only for what was never started. Programs wait for requests that they may have started or not, so that one
   active request makes the wait useful; so does one that callsign does not know. */
static void check_inactive(struct cs_call *call, struct looked_up all)
{
    uint64_t site = 0;
    bool useful = all.list->count > LOOKED_UP_MOST, unstarted = false;
    for (int i = 0; i < all.list->count && !useful; i++) {
        if (is_null(all.list, i))
            continue;
        const struct cs_request *known = known_in(all, i);
        if (cs_request_is_unstarted(known)) {
            unstarted = true;
            site = known->started.site;
        } else {
            useful = cs_request_is_active(known) || !known->references;
        }
    }
    if (unstarted && !useful)
        cs_misuse_note(call, CS_MISUSE_INACTIVE_WAIT, 0, site);
}

/* ---- partitions ---- */

enum { PARTITIONS_MOST = 1024, SENDS_MOST = 64 };

/* The partitions of started sends that are ready. */
static struct ready {
    uint64_t handle;
    uint64_t bits[PARTITIONS_MOST / 64];
} readies[SENDS_MOST];
static int readies_count;
static struct cs_lock lock;

/* 0: it sends no partitions, or they are unknown. */
static int partitions_of(const struct cs_request *known)
{
    return known->flags & CS_REQUEST_PERSISTENT && known->shown ? cs_request_cell_at(known->shown)->partitions : 0;
}

/* With the lock. NULL: there was no room. */
static struct ready *ready_of(uint64_t handle)
{
    for (int i = 0; i < readies_count; i++)
        if (readies[i].handle == handle)
            return &readies[i];
    return NULL;
}

static void begin_partitions(uint64_t handle)
{
    const bool locked = cs_guard_enter(&lock);
    struct ready *ready = ready_of(handle);
    if (!ready && readies_count < SENDS_MOST)
        ready = &readies[readies_count++];
    if (ready)
        *ready = (struct ready){.handle = handle};
    cs_guard_leave(&lock, locked);
}

/* False if it was marked before. */
static bool mark_partition(uint64_t handle, int partition)
{
    uint64_t bit = UINT64_C(1) << partition % 64;
    const bool locked = cs_guard_enter(&lock);
    struct ready *ready = ready_of(handle);
    bool marked = ready && ready->bits[partition / 64] & bit;
    if (ready)
        ready->bits[partition / 64] |= bit;
    cs_guard_leave(&lock, locked);
    return !marked;
}

/* ---- starts ---- */

void cs_checks_started_requests(struct cs_call *call, const struct cs_request_list *list)
{
    uint64_t starting[LOOKED_UP_MOST];
    int count = 0;
    for (int i = 0; list->known && i < list->count; i++) {
        const struct cs_request *known = is_null(list, i) ? NULL : known_alone(list, i);
        if (is_null(list, i))
            cs_misuse_note(call, CS_MISUSE_NULL_REQUEST, 0, 0);
        else if (!known)
            check_unknown(call, list, i, cs_request_at(list, i));
        else if (!(known->flags & CS_REQUEST_PERSISTENT))
            cs_misuse_note(call, CS_MISUSE_NOT_PERSISTENT, 0, known->started.site);
        else if (known->flags & CS_REQUEST_ACTIVE)
            cs_misuse_note(call, CS_MISUSE_ACTIVE_REQUEST, 0, known->started.site);
        else if (partitions_of(known))
            begin_partitions(known->handle);
        else if (count < LOOKED_UP_MOST)
            starting[count++] = known->handle;
    }
    cs_uses_start(call, starting, count);
    cs_check_own_start(call);
}

void cs_checks_ready_range(struct cs_call *call, const struct cs_request_list *list, int low, int high)
{
    const struct cs_request *known = list->known && list->count == 1 ? known_alone(list, 0) : NULL;
    int partitions = known ? partitions_of(known) : 0;
    if (!partitions)
        return;
    if (!(known->flags & CS_REQUEST_ACTIVE))
        cs_misuse_note(call, CS_MISUSE_INACTIVE_REQUEST, 0, known->started.site);
    else if (low < 0 || high >= partitions)
        cs_misuse_note(call, CS_MISUSE_INVALID_PARTITION, low < 0 ? low : high, 0);
    else
        for (int i = low; i <= high && i < PARTITIONS_MOST; i++)
            if (!mark_partition(known->handle, i))
                cs_misuse_note(call, CS_MISUSE_READIED_TWICE, i, 0);
}

void cs_checks_ready_partition(struct cs_call *call, const struct cs_request_list *list, int partition)
{
    cs_checks_ready_range(call, list, partition, partition);
}

void cs_checks_ready_list(struct cs_call *call, const struct cs_request_list *list, MPI_Count count,
                          const int *partitions)
{
    for (MPI_Count i = 0; partitions && i < count; i++)
        cs_checks_ready_range(call, list, partitions[i], partitions[i]);
}

/* Handles that are there twice; null ones and those of completed sends are shared. */
static void check_same(struct cs_call *call, const struct cs_request_list *list)
{
    uint16_t seen[2 * LIST_MOST];
    uint32_t slots = 4;
    while (slots < 2 * (uint32_t)list->count)
        slots *= 2;
    memset(seen, 0, slots * sizeof *seen);
    for (int i = 0; i < list->count; i++) {
        uint64_t key = list->keys ? list->keys[i] : list->known[i].references ? list->known[i].handle : 0;
        uint32_t at = (uint32_t)cs_hash_mix(0, key) & (slots - 1);
        if (!key || is_null(list, i))
            continue;
        while (seen[at] && (list->keys ? list->keys[seen[at] - 1] : list->known[seen[at] - 1].handle) != key)
            at = (at + 1) & (slots - 1);
        const struct cs_request *known = seen[at] ? known_alone(list, i) : NULL;
        if (known && cs_request_is_active(known))
            cs_misuse_note(call, CS_MISUSE_SAME_REQUEST, i, known->started.site);
        seen[at] = (uint16_t)(i + 1);
    }
}

/* ---- threads that wait for one request ---- */

enum { THREADS_MOST = 64, AWAITED_MOST = 16 };

/* The requests that a thread waits for, while it is in the call with this number. A handle may stand for a new request
   before the other thread has left its call: then the new one was begun by another call. */
static struct awaiting {
    const struct cs_thread *thread;
    uint64_t call;
    int count;
    struct {
        uint64_t handle, site, event;
    } request[AWAITED_MOST];
} awaitings[THREADS_MOST];
static int awaitings_count;

static bool is_still_waiting(const struct awaiting *one)
{
    const struct cs_thread_state *state = one->thread->state;
    return __atomic_load_n(&state->calls, __ATOMIC_ACQUIRE) == one->call &&
           __atomic_load_n(&state->doing, __ATOMIC_ACQUIRE) == CS_THREAD_INSIDE;
}

/* With the lock. */
static bool awaits(const struct awaiting *one, const struct cs_request *known)
{
    for (int i = 0; i < one->count; i++)
        if (one->request[i].handle == known->handle && one->request[i].site == known->started.site &&
            one->request[i].event == known->event)
            return is_still_waiting(one);
    return false;
}

/* With the lock. True if another thread waits for it. */
static bool is_awaited(const struct cs_thread *by, const struct cs_request *known)
{
    for (int i = 0; i < awaitings_count; i++)
        if (awaitings[i].thread != by && awaits(&awaitings[i], known))
            return true;
    return false;
}

/* With the lock. NULL: there is no room. */
static struct awaiting *awaiting_of(const struct cs_thread *thread)
{
    for (int i = 0; i < awaitings_count; i++)
        if (awaitings[i].thread == thread)
            return &awaitings[i];
    if (awaitings_count == THREADS_MOST)
        return NULL;
    awaitings[awaitings_count].thread = thread;
    return &awaitings[awaitings_count++];
}

static void check_others(struct cs_call *call, const struct cs_request_list *list)
{
    int wrong = -1;
    uint64_t site = 0;
    const bool locked = cs_guard_enter(&lock);
    struct awaiting *own = awaiting_of(call->thread);
    if (own) {
        own->count = 0;
        own->call = call->thread->state->calls;
    }
    for (int i = 0; i < list->count && i < AWAITED_MOST; i++) {
        const struct cs_request *known = is_null(list, i) ? NULL : known_alone(list, i);
        if (!known || !cs_request_is_active(known) || known->flags & CS_REQUEST_COUNTED)
            continue;
        if (wrong < 0 && is_awaited(call->thread, known)) {
            wrong = i;
            site = known->started.site;
        }
        if (own) {
            own->request[own->count].handle = known->handle;
            own->request[own->count].site = known->started.site;
            own->request[own->count++].event = known->event;
        }
    }
    cs_guard_leave(&lock, locked);
    if (wrong >= 0)
        cs_misuse_note(call, CS_MISUSE_CONCURRENT_COMPLETION, wrong, site);
}

/* The usual case, in one step for each request: all are active, and each is there once. False: perhaps not. */
static bool are_usual(const struct cs_request_list *list)
{
    if (!list->keys || !cs_guard_enter_alone())
        return false;
    uint64_t seen[SLOTS_MOST / 64] = {0};
    int usual = 0;
    for (; usual < list->count && cs_requests.mask < SLOTS_MOST; usual++) {
        const struct cs_request *known = cs_request_find(&cs_requests, list->keys[usual]);
        if (!known || !(known->flags & CS_REQUEST_ACTIVE))
            break;
        if (known->flags & CS_REQUEST_SHARED)
            continue;
        const uint64_t slot = (uint64_t)(known - cs_requests.slots), bit = (uint64_t)1 << slot % 64;
        if (seen[slot / 64] & bit)
            break;
        seen[slot / 64] |= bit;
    }
    cs_guard_leave_alone();
    return usual == list->count;
}

void cs_checks_awaited_requests(struct cs_call *call, const struct cs_request_list *list)
{
    if (!list->known)
        return;
    if (cs_is_parallel() && call->thread->depth == 1)
        check_others(call, list);
    if (are_usual(list))
        return;
    if (list->count > 1 && list->count <= LIST_MOST)
        check_same(call, list);
    const struct looked_up all = enter_list(list);
    for (int i = 0; i < list->count && i < LOOKED_UP_MOST; i++)
        check_unknown(call, list, i, known_in(all, i));
    const struct cs_function *function = cs_function_find(call->function);
    if (function && !function->polls)
        check_inactive(call, all);
    leave_list(all);
}

void cs_checks_request(struct cs_call *call, const struct cs_request_list *list)
{
    if (!list->known || list->count != 1)
        return;
    if (is_null(list, 0))
        cs_misuse_note(call, CS_MISUSE_NULL_REQUEST, 0, 0);
    else
        check_unknown(call, list, 0, cs_request_at(list, 0));
}
