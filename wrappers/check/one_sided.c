#include "wrappers/check/one_sided.h"

#include <pthread.h>

#include "record/object/object.h"
#include "record/object/window_reach.h"
#include "wrappers/call/about.h"
#include "wrappers/check/pending.h"
#include "wrappers/object/datatype.h"
#include "wrappers/object/window.h"

enum { WINDOWS_MOST = 64, LOCKS_MOST = 64, ACCESSES_MOST = 256 };

struct access {
    enum cs_use use;
    int32_t target;
    int64_t displacement;
    uint64_t bytes, site;
};

/* What the process has done on a window since its creation. */
struct window {
    uint32_t id;
    bool fenced;  /* a fence may have begun an epoch */
    bool all;     /* MPI_Win_lock_all */
    bool started; /* MPI_Win_start: of which targets is not kept */
    bool unknown; /* more locks than fit: nothing is reported */
    bool pending; /* accesses since the last synchronization, by a fence */
    bool told;    /* its open epoch was reported */
    int locks;
    int32_t locked[LOCKS_MOST];
    int accesses;
    struct access access[ACCESSES_MOST];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct window windows[WINDOWS_MOST];
static int windows_count;
static uint32_t windows_refused; /* highest id that found no room: its epochs are not known, and it gets none later */

/* With the lock. NULL: its creation was not seen, or there is no room: nothing is reported then. */
static struct window *window_of(const struct cs_call *call)
{
    const struct callsign_record *on = call->on ? call->on : call->freeing.object;
    if (!on || on->kind != CALLSIGN_WINDOW || !on->function ||
        cs_object_flags(on) & (CS_OBJECT_ADOPTED | CS_OBJECT_INTERNAL))
        return NULL;
    for (int i = 0; i < windows_count; i++)
        if (windows[i].id == call->about)
            return &windows[i];
    if (windows_count == WINDOWS_MOST && call->about > windows_refused)
        windows_refused = call->about;
    if (windows_count == WINDOWS_MOST || call->about <= windows_refused)
        return NULL;
    windows[windows_count] = (struct window){.id = call->about};
    return &windows[windows_count++];
}

static int lock_of(const struct window *window, int32_t target)
{
    for (int i = 0; i < window->locks; i++)
        if (window->locked[i] == target)
            return i;
    return -1;
}

/* ---- epochs ---- */

void cs_note_access(struct cs_call *call, enum cs_access_change change)
{
    pthread_mutex_lock(&lock);
    struct window *window = window_of(call);
    if (window) {
        int at = lock_of(window, call->peer);
        if (change == CS_ACCESS_LOCK && call->peer >= 0 && at < 0) {
            if (window->locks < LOCKS_MOST)
                window->locked[window->locks++] = call->peer;
            else
                window->unknown = true;
        } else if (change == CS_ACCESS_UNLOCK && at >= 0) {
            window->locked[at] = window->locked[--window->locks];
        } else if (change == CS_ACCESS_LOCK_ALL || change == CS_ACCESS_UNLOCK_ALL) {
            window->all = change == CS_ACCESS_LOCK_ALL;
        } else if (change == CS_ACCESS_START || change == CS_ACCESS_COMPLETE) {
            window->started = change == CS_ACCESS_START;
        } else if (change == CS_ACCESS_FENCE || change == CS_ACCESS_NO_FENCE) {
            window->fenced = change == CS_ACCESS_FENCE;
        }
    }
    pthread_mutex_unlock(&lock);
}

/* Copies what the checks before a call ask for; false: nothing may be reported. */
struct state {
    bool fenced, all, started, pending;
    bool locked; /* the peer */
    int locks;
};
static bool get_state(const struct cs_call *call, struct state *state)
{
    pthread_mutex_lock(&lock);
    const struct window *window = window_of(call);
    bool known = window && !window->unknown;
    if (known)
        *state = (struct state){.fenced = window->fenced,
                                .all = window->all,
                                .started = window->started,
                                .pending = window->pending,
                                .locked = lock_of(window, call->peer) >= 0,
                                .locks = window->locks};
    pthread_mutex_unlock(&lock);
    return known;
}

static void note_access_of_fence(const struct cs_call *call)
{
    pthread_mutex_lock(&lock);
    struct window *window = window_of(call);
    if (window)
        window->pending = true;
    pthread_mutex_unlock(&lock);
}

void cs_checks_epoch(struct cs_call *call, int target)
{
    struct state state;
    if (target < 0 || !get_state(call, &state) || state.all || state.started || state.locked)
        return;
    if (state.fenced)
        note_access_of_fence(call);
    else
        cs_misuse_note(call, CS_MISUSE_NO_EPOCH, target, 0);
}

void cs_checks_fence(struct cs_call *call, int64_t assertion)
{
    struct state state;
    if (assertion & MPI_MODE_NOPRECEDE && get_state(call, &state) && state.pending)
        cs_misuse_note(call, CS_MISUSE_FALSE_ASSERTION, 0, 0);
}

void cs_checks_lock(struct cs_call *call)
{
    struct state state;
    if (call->peer >= 0 && get_state(call, &state) && (state.locked || state.all))
        cs_misuse_note(call, CS_MISUSE_LOCKED_TWICE, call->peer, 0);
}

void cs_checks_unlock(struct cs_call *call)
{
    struct state state;
    if (call->peer >= 0 && get_state(call, &state) && !state.locked)
        cs_misuse_note(call, CS_MISUSE_NOT_LOCKED, call->peer, 0);
}

void cs_checks_freed_window(struct cs_call *call)
{
    struct state state;
    if (get_state(call, &state) && (state.locks || state.all || state.started || state.pending))
        cs_misuse_note(call, CS_MISUSE_OPEN_EPOCH, 0, 0);
}

void cs_forget_window(const struct cs_call *call)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < windows_count; i++)
        if (windows[i].id == call->about) {
            windows[i] = windows[--windows_count];
            break;
        }
    pthread_mutex_unlock(&lock);
}

/* The id of a window whose epoch has not ended and was not reported; 0: none. */
static uint32_t next_open(void)
{
    uint32_t found = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < windows_count && !found; i++) {
        struct window *it = &windows[i];
        if (it->told || it->unknown || !(it->locks || it->all || it->started || it->pending))
            continue;
        it->told = true;
        found = it->id;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

void cs_check_open_epochs(struct cs_call *call)
{
    uint32_t about = call->about;
    while (cs_is_checked(call) && (call->about = next_open()))
        cs_misuse_note(call, CS_MISUSE_OPEN_EPOCH, 0, 0);
    call->about = about;
}

/* ---- accesses ---- */

void cs_checks_target_data(struct cs_call *call, MPI_Count count, MPI_Datatype type)
{
    if (call->peer != CS_PEER_NULL)
        cs_check_data(call, count, type);
}

/* -1: unknown. */
static int64_t bytes_of(struct cs_call *call, MPI_Count count, MPI_Datatype type)
{
    const struct callsign_record *known = count > 0 ? cs_type_before_call(call, type) : NULL;
    return count == 0 ? 0 : known && known->bytes >= 0 ? count * known->bytes : -1;
}

void cs_checks_room(struct cs_call *call, MPI_Count count, MPI_Datatype type, MPI_Count room, MPI_Datatype room_type)
{
    int64_t bytes = bytes_of(call, count, type), fitting = bytes_of(call, room, room_type);
    if (call->peer >= 0 && fitting >= 0 && bytes > fitting)
        cs_misuse_note(call, CS_MISUSE_TARGET_TOO_SMALL, bytes - fitting, 0);
}

/* Data of predefined datatypes ends at least so many bytes after its begin. The unit of the own part decides which
   access reaches farthest: usually all parts have the same. */
void cs_reaches_target(struct cs_call *call, int target, int64_t displacement, MPI_Count count, MPI_Datatype type)
{
    uint64_t bytes = target >= 0 ? cs_check_data(call, count, type) : 0;
    const struct cs_window_reach reach = {.window = call->about,
                                          .target = target,
                                          .displacement = displacement,
                                          .span_bytes = (int64_t)bytes,
                                          .function = call->function,
                                          .site = call->innermost};
    if (bytes && call->on && call->on->kind == CALLSIGN_WINDOW)
        cs_window_reach_note(&reach, cs_win_displacement_unit(CS_HANDLE_OF(MPI_Win, call->on->handle)));
}

static bool conflicts(const struct access *a, const struct access *b)
{
    return a->target == b->target && a->displacement == b->displacement && (a->use != b->use || a->use == CS_USE_WRITE);
}

/* The unit of displacements belongs to the target: only equal ones surely meet. */
void cs_use_target(struct cs_call *call, enum cs_use use, int target, int64_t displacement, MPI_Count count,
                   MPI_Datatype type)
{
    struct access it = {use, target, displacement, target >= 0 ? cs_check_data(call, count, type) : 0, call->innermost};
    uint64_t bytes = 0, site = 0;
    if (!it.bytes)
        return;
    pthread_mutex_lock(&lock);
    struct window *window = window_of(call);
    for (int i = 0; window && i < window->accesses && !bytes; i++)
        if (conflicts(&it, &window->access[i])) {
            bytes = window->access[i].bytes < it.bytes ? window->access[i].bytes : it.bytes;
            site = window->access[i].site;
        }
    if (window && window->accesses < ACCESSES_MOST)
        window->access[window->accesses++] = it;
    pthread_mutex_unlock(&lock);
    if (bytes)
        cs_misuse_note(call, CS_MISUSE_CONFLICTING_ACCESS, (int64_t)bytes, site);
}

void cs_keeps_origin(struct cs_call *call)
{
    cs_uses_keep_for_window(call);
}

void cs_ends_accesses(struct cs_call *call)
{
    pthread_mutex_lock(&lock);
    struct window *window = window_of(call);
    if (window)
        window->accesses = 0, window->pending = false;
    pthread_mutex_unlock(&lock);
    if (call->about)
        cs_uses_end_for_window(call->about);
}
