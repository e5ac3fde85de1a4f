#include "wrappers/check/one_sided.h"

#include <stdlib.h>
#include <utlist.h>

#include "base/clock.h"
#include "base/guard.h"
#include "base/hash.h"
#include "base/interval_tree.h"
#include "functions.h"
#include "pmpi_queries.h"
#include "record/object/epoch.h"
#include "record/object/object.h"
#include "record/object/window_access.h"
#include "record/object/window_reach.h"
#include "wrappers/call/about.h"
#include "wrappers/check/layouts.h"
#include "wrappers/check/meeting.h"
#include "wrappers/check/pending.h"
#include "wrappers/check/repeated.h"
#include "wrappers/check/window_memory.h"
#include "wrappers/mpi/answers.h"
#include "wrappers/object/datatype.h"
#include "wrappers/object/window.h"

enum {
    WINDOWS_MOST = 64,
    LOCKS_MOST = 64,
    ACCESSES_MOST = CS_ACCESSES_MOST,
    PIECES_MOST = 16,
    PLACES_LOG2 = 12,
    ROW_WORDS = CS_ROW_WORDS
};

/* Accesses that no call has completed, of one call site to neighbouring places. */
struct access {
    struct cs_interval places; /* found by it, so it comes first */
    enum cs_use use;
    bool by_request; /* its request may complete it before its epoch does */
    int32_t target;
    int64_t displacement;
    int64_t offset; /* bytes from there to the first one */
    uint64_t bytes, site, basic;
    uint32_t meeting_object, meeting; /* as in the table window_access */
    int64_t step;                     /* in displacements, from each access to the next one; 0: only one access */
    int64_t count;
    struct cs_access_cell *cell; /* for other processes; NULL: no room */
    struct access *prev, *next;  /* of the same window; next: also of those not in use */
    struct access *same;         /* the next one whose place has the same hash; only of single accesses */
};

struct target_lock {
    int32_t target;
    bool exclusive;
};

/* What the process has done on a window since its creation. */
struct window {
    uint32_t id;
    int32_t rank;         /* of this process */
    uint32_t fence;       /* number of the last MPI_Win_fence */
    uint32_t part, posts; /* as in the table window_access */
    int64_t unit_bytes;   /* displacement unit of this process; 0: unknown */
    bool fenced;          /* a fence may have begun an epoch */
    bool all;             /* MPI_Win_lock_all */
    bool started;         /* MPI_Win_start: of which targets is not kept */
    bool posted;          /* MPI_Win_post */
    bool unknown;         /* more locks than fit: nothing is reported */
    bool pending;         /* accesses since the last synchronization, by a fence */
    bool told;            /* its open epoch was reported */
    bool excluded;        /* there was an exclusive lock */
    int locks;
    struct target_lock locked[LOCKS_MOST];
    int accesses;
    struct access *access, *last; /* all, and the one that was added last; last NULL: none, or it has ended */
    struct access **single;       /* those of one place, by its hash; NULL: none yet */
    struct cs_interval *accessed; /* the others, by their places */
};

static struct cs_lock lock;
static struct window windows[WINDOWS_MOST];
static int windows_count;
static struct access *unused;
static uint64_t changes;         /* of all this, but not of accesses that become longer */
static uint32_t windows_refused; /* highest id that found no room: its epochs are not known, and it gets none later */

/* With the lock. NULL: its creation was not seen, or there is no room: nothing is reported then. */
static struct window *window_of(const struct cs_call *call)
{
    for (int i = 0; i < windows_count; i++)
        if (windows[i].id == call->about)
            return &windows[i];
    const struct callsign_record *on = call->on ? call->on : call->freeing.object;
    if (!on || on->kind != CALLSIGN_WINDOW || !on->function ||
        cs_object_flags(on) & (CS_OBJECT_ADOPTED | CS_OBJECT_INTERNAL))
        return NULL;
    if (windows_count == WINDOWS_MOST && call->about > windows_refused)
        windows_refused = call->about;
    if (windows_count == WINDOWS_MOST || call->about <= windows_refused)
        return NULL;
    windows[windows_count] = (struct window){.id = call->about};
    changes++;
    return &windows[windows_count++];
}

static int lock_of(const struct window *window, int32_t target)
{
    for (int i = 0; i < window->locks; i++)
        if (window->locked[i].target == target)
            return i;
    return -1;
}

/* The lock of a target: 0: none, 1: shared, 2: exclusive. */
static uint16_t lock_kind(const struct window *window, int32_t target)
{
    int at = lock_of(window, target);
    return at >= 0 ? 1 + window->locked[at].exclusive : window->all;
}

/* ---- epochs ---- */

void cs_note_access(struct cs_call *call, enum cs_access_change change)
{
    const bool exclusive = change == CS_ACCESS_LOCK_EXCLUSIVE;
    const bool locked = cs_guard_enter(&lock);
    struct window *window = window_of(call);
    changes++;
    if (window && exclusive && !window->excluded) {
        const struct cs_access_cell cell = {.object = window->id,
                                            .target = call->peer,
                                            .kind = CS_ACCESS_KIND_EXCLUSION,
                                            .function = call->function,
                                            .lock = 2,
                                            .began_ticks = cs_clock_ticks(),
                                            .site = call->innermost};
        cs_window_access_add(&cell);
        window->excluded = true;
    }
    if (window) {
        int at = lock_of(window, call->peer);
        if ((change == CS_ACCESS_LOCK || exclusive) && call->peer >= 0 && at < 0) {
            if (window->locks < LOCKS_MOST)
                window->locked[window->locks++] = (struct target_lock){call->peer, exclusive};
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
            window->fence = call->collective;
        } else if (change == CS_ACCESS_POST || change == CS_ACCESS_WAIT) {
            window->posted = change == CS_ACCESS_POST;
        }
    }
    uint32_t id = window ? window->id : 0;
    uint16_t held = window ? lock_kind(window, window->rank) : 0;
    cs_guard_leave(&lock, locked);
    if (id)
        cs_window_memory_lock(id, held);
}

/* Copies what the checks before a call ask for; false: nothing may be reported. */
struct state {
    bool fenced, all, started, posted, pending;
    bool locked; /* the peer */
    int locks;
};
static bool get_state(const struct cs_call *call, struct state *state)
{
    const bool locked = cs_guard_enter(&lock);
    const struct window *window = window_of(call);
    bool known = window && !window->unknown;
    if (known)
        *state = (struct state){.fenced = window->fenced,
                                .all = window->all,
                                .started = window->started,
                                .posted = window->posted,
                                .pending = window->pending,
                                .locked = lock_of(window, call->peer) >= 0,
                                .locks = window->locks};
    cs_guard_leave(&lock, locked);
    return known;
}

void cs_checks_epoch(struct cs_call *call, int target)
{
    if (target < 0)
        return;
    const bool locked = cs_guard_enter(&lock);
    struct window *window = window_of(call);
    bool outside = window && !window->unknown && !window->all && !window->started && lock_of(window, target) < 0;
    if (outside && window->fenced)
        window->pending = true;
    bool wrong = outside && !window->fenced;
    cs_guard_leave(&lock, locked);
    if (wrong)
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

void cs_checks_all_locked(struct cs_call *call)
{
    struct state state;
    if (get_state(call, &state) && !state.all)
        cs_misuse_note(call, CS_MISUSE_NOT_OPENED, 0, 0);
}

void cs_checks_locking_all(struct cs_call *call)
{
    struct state state;
    if (get_state(call, &state) && (state.all || state.locks))
        cs_misuse_note(call, CS_MISUSE_EPOCH_IN_EPOCH, 0, 0);
}

void cs_checks_flush(struct cs_call *call)
{
    struct state state;
    if (get_state(call, &state) && !state.all && (call->peer >= 0 ? !state.locked : !state.locks))
        cs_misuse_note(call, CS_MISUSE_NOT_OPENED, 0, 0);
}

void cs_checks_started(struct cs_call *call)
{
    struct state state;
    if (get_state(call, &state) && !state.started)
        cs_misuse_note(call, CS_MISUSE_NOT_OPENED, 0, 0);
}

void cs_checks_starting(struct cs_call *call)
{
    struct state state;
    if (get_state(call, &state) && state.started)
        cs_misuse_note(call, CS_MISUSE_EPOCH_IN_EPOCH, 0, 0);
}

void cs_checks_posted(struct cs_call *call)
{
    struct state state;
    if (get_state(call, &state) && !state.posted)
        cs_misuse_note(call, CS_MISUSE_NOT_OPENED, 0, 0);
}

void cs_checks_posting(struct cs_call *call)
{
    struct state state;
    if (get_state(call, &state) && state.posted)
        cs_misuse_note(call, CS_MISUSE_EPOCH_IN_EPOCH, 0, 0);
}

void cs_checks_freed_window(struct cs_call *call)
{
    struct state state;
    bool known = get_state(call, &state);
    cs_checks_window_memory(call);
    cs_ends_accesses(call);
    if (known && (state.locks || state.all || state.started || state.posted || state.pending))
        cs_misuse_note(call, CS_MISUSE_OPEN_EPOCH, 0, 0);
}

void cs_forget_window(const struct cs_call *call)
{
    cs_window_memory_drop(call->about);
    const bool locked = cs_guard_enter(&lock);
    for (int i = 0; i < windows_count; i++)
        if (windows[i].id == call->about) {
            LL_CONCAT(unused, windows[i].access);
            free(windows[i].single);
            windows[i] = windows[--windows_count];
            changes++;
            break;
        }
    cs_guard_leave(&lock, locked);
}

/* The id of a window whose epoch has not ended and was not reported; 0: none. */
static uint32_t next_open(void)
{
    uint32_t found = 0;
    const bool locked = cs_guard_enter(&lock);
    for (int i = 0; i < windows_count && !found; i++) {
        struct window *it = &windows[i];
        if (it->told || it->unknown || !(it->locks || it->all || it->started || it->posted || it->pending))
            continue;
        it->told = true;
        found = it->id;
    }
    cs_guard_leave(&lock, locked);
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

/* -1: unknown. */
static int64_t bytes_of(struct cs_call *call, MPI_Count count, MPI_Datatype type)
{
    const struct callsign_record *known = count > 0 ? cs_type_before_call(call, type) : NULL;
    return count == 0 ? 0 : known && known->bytes >= 0 ? count * known->bytes : -1;
}

void cs_checks_room(struct cs_call *call, MPI_Count count, MPI_Datatype type, MPI_Count room, MPI_Datatype room_type)
{
    if (count == room && type == room_type)
        return;
    int64_t bytes = bytes_of(call, count, type), fitting = bytes_of(call, room, room_type);
    if (call->peer >= 0 && fitting >= 0 && bytes > fitting)
        cs_misuse_note(call, CS_MISUSE_TARGET_TOO_SMALL, bytes - fitting, 0);
}

static int64_t displacement_unit(const struct callsign_record *window)
{
    static _Atomic uint64_t last; /* id of the window that was asked for last, and its unit */
    const uint64_t known = atomic_load_explicit(&last, memory_order_relaxed);
    if (__builtin_expect(known >> 32 == window->id, 1))
        return (int64_t)(uint32_t)known;
    const int64_t unit = cs_win_displacement_unit(CS_HANDLE_OF(MPI_Win, window->handle));
    atomic_store_explicit(&last, (uint64_t)window->id << 32 | (uint32_t)unit, memory_order_relaxed);
    return unit;
}

static inline struct cs_window_reach reach_of(const struct cs_call *call, int32_t target, int64_t displacement,
                                              uint64_t bytes)
{
    return (struct cs_window_reach){.window = call->about,
                                    .target = target,
                                    .displacement = displacement,
                                    .span_bytes = (int64_t)bytes,
                                    .function = call->function,
                                    .site = call->innermost};
}

/* The unit of the own part decides which access reaches farthest: usually all parts have the same. */
static __attribute__((noinline)) void reach(const struct cs_call *call, int32_t target, int64_t displacement,
                                            uint64_t bytes)
{
    const struct cs_window_reach reach = reach_of(call, target, displacement, bytes);
    cs_window_reach_note(&reach, displacement_unit(call->on));
}

/* Data of predefined datatypes ends at least so many bytes after its begin. */
void cs_reaches_target(struct cs_call *call, int target, int64_t displacement, MPI_Count count, MPI_Datatype type)
{
    uint64_t bytes = call->peer != CS_PEER_NULL ? cs_check_data(call, count, type) : 0;
    if (bytes && target >= 0 && call->on && call->on->kind == CALLSIGN_WINDOW)
        reach(call, target, displacement, bytes);
}

/* The unit of displacements belongs to the target: only equal ones surely meet. 0: they may be apart. */
static uint64_t common_bytes(const struct access *a, const struct access *run)
{
    int64_t distance = a->displacement - run->displacement;
    bool same =
        distance == 0 || (run->step && distance > 0 && distance % run->step == 0 && distance / run->step < run->count);
    int64_t a_end = a->offset + (int64_t)a->bytes, run_end = run->offset + (int64_t)run->bytes;
    int64_t begin = a->offset > run->offset ? a->offset : run->offset, end = a_end < run_end ? a_end : run_end;
    return same && end > begin ? (uint64_t)(end - begin) : 0;
}

static bool is_read(const struct access *a)
{
    return a->use == CS_USE_READ || a->use == CS_USE_FETCH;
}

static bool is_atomic(const struct access *a)
{
    return a->use == CS_USE_ACCUMULATE || a->use == CS_USE_FETCH;
}

/* 0: they do not conflict. */
static uint64_t conflicting_bytes(const struct access *a, const struct access *b)
{
    if (a->target != b->target || (is_read(a) && is_read(b)) || (is_atomic(a) && is_atomic(b) && a->basic == b->basic))
        return 0;
    return common_bytes(a, b);
}

/* ---- pending accesses ---- */

/* Displacements, far apart from those at other targets. */
static uint64_t begin_of_places(const struct access *it)
{
    return (uint64_t)it->displacement + cs_hash_mix(0, (uint32_t)it->target);
}

static uint64_t end_of_places(const struct access *it)
{
    return begin_of_places(it) + (uint64_t)(it->step * (it->count - 1)) + 1;
}

/* True if the earlier access, or one of a run, is the same one. */
static bool is_same(const struct access *it, const struct access *earlier)
{
    return it->use == earlier->use && it->site == earlier->site && it->basic == earlier->basic &&
           it->target == earlier->target && it->bytes == earlier->bytes && it->offset == earlier->offset &&
           it->meeting == earlier->meeting && it->meeting_object == earlier->meeting_object &&
           common_bytes(it, earlier) == it->bytes;
}

struct search {
    const struct access *it;
    uint64_t bytes; /* that both use */
    bool known;     /* the same access is pending already */
};

static bool conflicts(struct cs_interval *found, void *context)
{
    const struct access *earlier = (const void *)found;
    struct search *search = context;
    search->bytes = conflicting_bytes(search->it, earlier);
    search->known |= is_same(search->it, earlier);
    return search->bytes != 0;
}

/* Programs access thousands of places that do not follow each other. Two such accesses only meet at the same place, so
   they are found by its hash. */
static struct access **with_hash_of(const struct window *window, const struct access *it)
{
    return &window->single[cs_hash_place(it->places.begin, PLACES_LOG2)];
}

/* False without memory. */
static bool put(struct window *window, struct access *it)
{
    if (!window->single && !(window->single = calloc((size_t)1 << PLACES_LOG2, sizeof *window->single)))
        return false;
    LL_PREPEND2(*with_hash_of(window, it), it, same);
    return true;
}

static void take_out(struct window *window, struct access *it)
{
    if (it->count > 1)
        cs_intervals_remove(&window->accessed, &it->places);
    else
        LL_DELETE2(*with_hash_of(window, it), it, same);
}

/* The first one that conflicts; NULL: none. */
static const struct access *find_conflict(const struct window *window, struct search *search)
{
    const struct cs_interval *places = &search->it->places;
    struct access *one = window->single ? *with_hash_of(window, search->it) : NULL;
    while (one && !conflicts(&one->places, search))
        one = one->same;
    return one ? one : (const void *)cs_intervals_find(window->accessed, places->begin, places->end, conflicts, search);
}

/* it: no single access. */
static void lengthen(struct window *window, struct access *it)
{
    it->count++;
    cs_intervals_extend(window->accessed, &it->places, end_of_places(it));
    if (it->cell) {
        it->cell->unit_bytes = (uint32_t)window->unit_bytes;
        it->cell->span_bytes += (int64_t)it->bytes;
    }
}

/* Adds an access to the last one, if it follows that in the memory of the target, by the unit of this process. */
static bool extend(struct window *window, const struct access *it)
{
    struct access *last = window->last;
    int64_t step = last && last->step ? last->step : window->unit_bytes ? (int64_t)it->bytes / window->unit_bytes : 0;
    if (!last || step == 0 || step * window->unit_bytes != (int64_t)it->bytes || last->use != it->use ||
        last->target != it->target || last->site != it->site || last->basic != it->basic || last->bytes != it->bytes ||
        last->meeting != it->meeting || last->meeting_object != it->meeting_object || last->offset || it->offset ||
        it->displacement != last->displacement + step * last->count)
        return false;
    if (last->count == 1) {
        take_out(window, last);
        cs_intervals_add(&window->accessed, &last->places);
    }
    last->step = step;
    lengthen(window, last);
    return true;
}

/* The number of the epoch that MPI_Win_start began at the target; 0: none, or not known. */
static uint32_t started_number(uint32_t window, int32_t target)
{
    struct cs_epoch_peer peer[CS_EPOCH_PEERS_MOST];
    int peers = cs_epoch_peers(window, CS_EPOCH_ACCESS, peer);
    for (int i = 0; i < peers; i++)
        if (peer[i].peer == target)
            return peer[i].nth;
    return 0;
}

static const uint16_t kinds[] = {[CS_USE_READ] = CS_ACCESS_KIND_GET,
                                 [CS_USE_WRITE] = CS_ACCESS_KIND_PUT,
                                 [CS_USE_ACCUMULATE] = CS_ACCESS_KIND_ACCUMULATE,
                                 [CS_USE_FETCH] = CS_ACCESS_KIND_FETCH};

/* What other processes need to know. nth: see started_number. */
static struct cs_access_cell *keep(const struct cs_call *call, const struct window *window, const struct access *it,
                                   uint32_t nth, uint32_t basic_bytes)
{
    if (!cs_window_access_has_room())
        return NULL;
    uint16_t held = lock_kind(window, it->target);
    bool by_fence = window->fenced && !window->started && !window->unknown && !held;
    const struct cs_access_cell cell = {.object = window->id,
                                        .target = it->target,
                                        .kind = kinds[it->use],
                                        .function = call->function,
                                        .lock = held,
                                        .fence = by_fence ? window->fence : 0,
                                        .nth = held ? 0 : nth,
                                        .part = window->part,
                                        .displacement = it->displacement,
                                        .offset_bytes = (uint32_t)it->offset,
                                        .span_bytes = (int64_t)it->bytes,
                                        .meeting_object = held == 1 ? it->meeting_object : 0,
                                        .meeting = held == 1 ? it->meeting : 0,
                                        .basic = it->basic,
                                        .basic_bytes = basic_bytes,
                                        .began_ticks = cs_clock_ticks(),
                                        .site = it->site};
    return cs_window_access_add(&cell);
}

static bool has_several_parents(const struct callsign_record *type)
{
    return type->function == CS_MPI_Type_create_struct || type->function == CS_MPI_Type_create_struct_c ||
           type->function == CS_MPI_Type_struct;
}

/* The predefined datatype that all data of a datatype has; NULL: it may have several. */
static const struct callsign_record *basic_of(struct cs_call *call, MPI_Datatype type)
{
    const struct callsign_record *known = cs_type_before_call(call, type);
    while (known && !(cs_object_flags(known) & CS_OBJECT_PREDEFINED))
        known = has_several_parents(known) ? NULL : cs_object_find_id(known->parent);
    return known;
}

/* NULL: there are too many, or no memory. */
static struct access *add(struct window *window, const struct access *it)
{
    struct access *added = unused;
    if (window->accesses == ACCESSES_MOST)
        return NULL;
    if (added)
        LL_DELETE(unused, added);
    else if (!(added = malloc(sizeof *added)))
        return NULL;
    *added = *it;
    if (!put(window, added)) {
        LL_PREPEND(unused, added);
        return NULL;
    }
    DL_APPEND(window->access, added);
    window->last = added;
    window->accesses++;
    changes++;
    return added;
}

/* The last access that was checked in full, and all that the result depends on. Of the next one of its call site, with
   the same arguments but for the place, only the place needs to be checked. Not for programs with several threads. */
static struct {
    struct cs_repeated last;
    uint64_t changes, pending_changes;
    uint64_t address; /* of the last origin */
    struct cs_origin origin;
    bool has_origin; /* else the last one is of another kind */
    bool holds;
    struct window *window;
    struct access *access; /* the last one, with those before it that it continues; NULL: it was not added */
    uint32_t basic_bytes;
} row;

/* With the lock. Keeps an access that is not known yet. */
static void keep_access(const struct cs_call *call, struct window *window, const struct access *it,
                        uint32_t basic_bytes)
{
    row.window = window;
    row.basic_bytes = basic_bytes;
    if (extend(window, it)) {
        row.access = window->last;
        return;
    }
    row.access = add(window, it);
    if (row.access)
        row.access->cell =
            keep(call, window, it, window->started ? started_number(window->id, it->target) : 0, basic_bytes);
}

/* in_chain: the access belongs to it. */
static void set_place(struct access *it, int64_t displacement, bool in_chain)
{
    it->displacement = displacement;
    it->meeting_object = in_chain ? cs_chain.object : 0;
    it->meeting = in_chain ? cs_chain.number : 0;
    it->places.begin = begin_of_places(it);
    it->places.end = end_of_places(it);
}

/* Its end is not known, so it is no pending access. But what another process did since the same meeting is not ordered
   with it, whenever it ends. */
static void keep_for_others(const struct cs_call *call, const struct access *it, uint32_t basic_bytes)
{
    static uint32_t kept;
    const bool locked = cs_guard_enter(&lock);
    const struct window *window = window_of(call);
    const bool ordered = !it->meeting || !window || lock_kind(window, it->target) != 1;
    struct cs_access_cell *cell = ordered ? NULL : keep(call, window, it, 0, basic_bytes);
    if (cell) {
        cell->until_ticks = cell->began_ticks;
        cell->part = UINT32_MAX - kept++; /* with no other access of this process */
    }
    cs_guard_leave(&lock, locked);
}

/* Compares an access with the pending ones, and keeps it. Returns the bytes that both use. */
static uint64_t use_place(struct cs_call *call, struct access *it, uint32_t basic_bytes, uint64_t *site)
{
    struct search search = {.it = it};
    set_place(it, it->displacement, cs_chain_has(call));
    if (it->by_request) {
        keep_for_others(call, it, basic_bytes);
        return 0;
    }
    const bool locked = cs_guard_enter(&lock);
    struct window *window = window_of(call);
    const struct access *other = window ? find_conflict(window, &search) : NULL;
    *site = other ? other->site : 0;
    row.access = NULL;
    if (window && !search.known)
        keep_access(call, window, it, basic_bytes);
    cs_guard_leave(&lock, locked);
    return other ? search.bytes : 0;
}

/* The pieces of data with gaps, as offset and bytes; 0: they cannot be described, or are too many. */
static int list_pieces(struct cs_call *call, MPI_Count count, MPI_Datatype type,
                       struct cs_piece piece[static PIECES_MOST])
{
    const struct cs_layout *element = count > 0 ? cs_layout_of_type(call, type) : NULL;
    struct cs_layout *all = element ? cs_uses_layout(call) : NULL;
    int pieces = all && cs_layout_add_elements(all, element, 0, count) ? cs_layout_list(all, piece, PIECES_MOST) : 0;
    for (int i = 0; i < pieces; i++)
        if (piece[i].begin < 0 || piece[i].begin + piece[i].bytes > UINT32_MAX)
            return 0;
    return pieces;
}

/* An access to data with gaps: piece by piece. Returns the bytes that another one uses, too. */
static __attribute__((noinline)) uint64_t use_pieces(struct cs_call *call, const struct access *it, MPI_Count count,
                                                     MPI_Datatype type, uint32_t basic_bytes, uint64_t *site)
{
    struct cs_piece piece[PIECES_MOST];
    uint64_t bytes = 0;
    for (int i = 0, pieces = list_pieces(call, count, type, piece); i < pieces; i++) {
        struct access part = *it;
        uint64_t other = 0;
        part.offset = piece[i].begin;
        part.bytes = (uint64_t)piece[i].bytes;
        uint64_t common = use_place(call, &part, basic_bytes, &other);
        if (common && !bytes)
            *site = other;
        bytes += common;
    }
    if (cs_guard_enter_alone()) {
        row.access = NULL;
        cs_guard_leave_alone();
    }
    return bytes;
}

static void use_target(struct cs_call *call, enum cs_use use, bool by_request, int target, int64_t displacement,
                       MPI_Count count, MPI_Datatype type)
{
    if (target < 0)
        return;
    struct access it = {.use = use,
                        .by_request = by_request,
                        .target = target,
                        .displacement = displacement,
                        .bytes = cs_check_data(call, count, type),
                        .site = call->innermost,
                        .count = 1};
    uint64_t bytes = 0, site = 0;
    uint32_t basic_bytes = 0;
    if (!it.bytes && type == MPI_DATATYPE_NULL)
        return;
    const struct callsign_record *basic = is_atomic(&it) ? basic_of(call, type) : NULL;
    if (is_atomic(&it) && !basic)
        return;
    if (basic) {
        it.basic = basic->uid;
        basic_bytes = (uint32_t)basic->bytes;
    }
    if (it.bytes)
        bytes = use_place(call, &it, basic_bytes, &site);
    else
        bytes = use_pieces(call, &it, count, type, basic_bytes, &site);
    if (bytes)
        cs_misuse_note(call, CS_MISUSE_CONFLICTING_ACCESS, (int64_t)bytes, site);
}

void cs_use_target(struct cs_call *call, enum cs_use use, int target, int64_t displacement, MPI_Count count,
                   MPI_Datatype type)
{
    use_target(call, use, false, target, displacement, count, type);
}

static enum cs_use use_of(MPI_Op op)
{
    return op == MPI_NO_OP ? CS_USE_FETCH : CS_USE_ACCUMULATE;
}

void cs_accumulate_at(struct cs_call *call, int target, int64_t displacement, MPI_Count count, MPI_Datatype type,
                      MPI_Op op)
{
    use_target(call, use_of(op), false, target, displacement, count, type);
}

void cs_get_by_request(struct cs_call *call, int target, int64_t displacement, MPI_Count count, MPI_Datatype type)
{
    use_target(call, CS_USE_READ, true, target, displacement, count, type);
}

void cs_accumulate_by_request(struct cs_call *call, int target, int64_t displacement, MPI_Count count,
                              MPI_Datatype type, MPI_Op op)
{
    use_target(call, use_of(op), true, target, displacement, count, type);
}

void cs_fetch_at(struct cs_call *call, int target, int64_t displacement, MPI_Datatype type, MPI_Op op)
{
    cs_accumulate_at(call, target, displacement, 1, type, op);
}

void cs_swap_at(struct cs_call *call, int target, int64_t displacement, MPI_Datatype type)
{
    cs_use_target(call, CS_USE_ACCUMULATE, target, displacement, 1, type);
}

void cs_keeps_origin(struct cs_call *call)
{
    cs_uses_keep_on(call);
    if (!cs_guard_enter_alone())
        return;
    row.holds = row.last.call == call && row.last.function == call->function && row.last.site == call->innermost &&
                row.access && !cs_uses_touch_windows(call);
    row.has_origin = row.holds && cs_uses_only_one(call, &row.origin);
    row.changes = changes;
    row.pending_changes = cs_pending_changes;
    cs_guard_leave_alone();
}

/* ---- accesses in a row ---- */

/* Alone. True if the access is the next one of the row. */
static bool is_next_in_row(int64_t displacement, bool in_chain)
{
    const struct access *last = row.access;
    return last->count > 1 && last == row.window->last &&
           displacement == last->displacement + last->step * last->count &&
           last->meeting_object == (in_chain ? cs_chain.object : 0) &&
           last->meeting == (in_chain ? cs_chain.number : 0);
}

/* Alone. False: another access has the place. next: it continues the row; else it is kept beside the row. */
static __attribute__((noinline)) bool compare_place(const struct cs_call *call, int64_t displacement, bool in_chain,
                                                    bool next)
{
    struct access it = *row.access;
    it.count = 1;
    it.step = 0;
    it.cell = NULL;
    set_place(&it, displacement, in_chain);
    struct search search = {.it = &it};
    if (find_conflict(row.window, &search) || search.known)
        return false;
    if (!next) {
        keep_access(call, row.window, &it, row.basic_bytes);
        row.changes = changes;
    }
    return row.access != NULL;
}

static bool is_any(struct cs_interval *found, void *nothing)
{
    (void)found, (void)nothing;
    return true;
}

/* True if another access has the place. */
static bool is_accessed(const struct window *window, const struct access *it)
{
    const struct access *one = *with_hash_of(window, it);
    while (one && one->places.begin != it->places.begin)
        one = one->same;
    return one ||
           (window->accessed && cs_intervals_find(window->accessed, it->places.begin, it->places.end, is_any, NULL));
}

/* Alone. What compare_place does for a place where no other access is, and which does not follow that of the last one.
   False: it may be another one, and nothing was done. */
static __attribute__((noinline)) bool place_beside(const struct cs_call *call, int64_t displacement, bool in_chain)
{
    struct window *window = row.window;
    struct access *it = unused;
    if (!it || !window->single || window->accesses == ACCESSES_MOST || row.access != window->last ||
        (displacement - row.access->displacement) * window->unit_bytes == (int64_t)row.access->bytes)
        return false;
    struct access *next = it->next;
    *it = *row.access;
    it->count = 1;
    it->step = 0;
    it->cell = NULL;
    set_place(it, displacement, in_chain);
    if (is_accessed(window, it)) {
        it->next = next;
        return false;
    }
    unused = next;
    LL_PREPEND2(*with_hash_of(window, it), it, same);
    DL_APPEND(window->access, it);
    window->accesses++;
    window->last = row.access = it;
    if (cs_window_access_has_room())
        it->cell =
            keep(call, window, it, window->started ? started_number(window->id, it->target) : 0, row.basic_bytes);
    row.changes = ++changes;
    return true;
}

/* Alone. False: it has to be checked in full. */
static bool continue_row(const struct cs_call *call, int64_t displacement)
{
    const bool in_chain = cs_chain_takes(call), next = is_next_in_row(displacement, in_chain);
    if (!next)
        return place_beside(call, displacement, in_chain) || compare_place(call, displacement, in_chain, false);
    if (row.window->accesses > 1 && !compare_place(call, displacement, in_chain, true))
        return false;
    lengthen(row.window, row.access);
    return true;
}

/* Alone. True if the origin is the last one, and both accesses read it, or if it is kept beside that. False: it has to
   be checked. */
static bool continue_origin(const struct cs_call *call, uint64_t origin)
{
    if (origin == row.address && row.pending_changes == cs_pending_changes && row.access->use != CS_USE_READ)
        return true;
    row.origin.begin = origin;
    return row.has_origin && cs_uses_continue_on(call, row.origin);
}

enum cs_continuation cs_continues_row(struct cs_call *call, const uint64_t words[static ROW_WORDS], uint64_t origin,
                                      int64_t displacement)
{
    if (!cs_guard_enter_alone())
        return CS_CONTINUES_NOTHING;
    enum cs_continuation result = CS_CONTINUES_NOTHING;
    if (!cs_repeats(&row.last, call, words, ROW_WORDS) || row.changes != changes || !cs_mpi_answers()) {
        row.holds = false;
    } else if (row.holds && continue_row(call, displacement)) {
        result = continue_origin(call, origin) ? CS_CONTINUES_ALL : CS_CONTINUES_AT_TARGET;
        const struct access *last = row.access;
        if (!cs_window_reach_moves(reach_of(call, last->target, displacement, last->bytes), row.window->unit_bytes))
            reach(call, last->target, displacement, last->bytes);
        cs_chain_continue(call, false, last->use == CS_USE_READ);
    }
    row.address = origin;
    cs_guard_leave_alone();
    return result;
}

/* Ends accesses to a target, -1: to all; only_reads: what has been read is no longer in use at the target. */
static void end_accesses(struct window *window, int32_t target, bool only_reads)
{
    const uint64_t now = cs_clock_ticks();
    const bool all = target < 0 && !only_reads;
    window->part++;
    changes++;
    if (all)
        window->accessed = NULL;
    for (struct access *it = window->access, *next; it; it = next) {
        next = it->next;
        if ((target >= 0 && it->target != target) || (only_reads && !is_read(it))) {
            if (it->cell)
                it->cell->part = window->part; /* it meets those that follow */
            continue;
        }
        if (it->cell)
            it->cell->until_ticks = now;
        if (it == window->last)
            window->last = NULL;
        if (!all)
            take_out(window, it);
        else if (it->count == 1)
            *with_hash_of(window, it) = NULL;
        DL_DELETE(window->access, it);
        LL_PREPEND(unused, it);
        window->accesses--;
    }
}

void cs_ends_accesses(struct cs_call *call)
{
    const bool locked = cs_guard_enter(&lock);
    struct window *window = window_of(call);
    if (window) {
        end_accesses(window, call->peer >= 0 ? call->peer : -1, false);
        window->pending = window->pending && call->peer >= 0;
    }
    cs_guard_leave(&lock, locked);
    if (call->about)
        cs_uses_end_on(call->about);
}

void cs_ends_origins(struct cs_call *call)
{
    const bool locked = cs_guard_enter(&lock);
    struct window *window = window_of(call);
    if (window)
        end_accesses(window, call->peer >= 0 ? call->peer : -1, true);
    cs_guard_leave(&lock, locked);
    if (call->about)
        cs_uses_end_on(call->about);
}

void cs_note_window(struct cs_call *call)
{
    const struct callsign_record *made = call->made ? cs_object_find_id(call->made) : NULL;
    void *base = NULL;
    MPI_Aint *size = NULL;
    int found[2] = {0, 0};
    if (!made || made->kind != CALLSIGN_WINDOW)
        return;
    MPI_Win win = CS_HANDLE_OF(MPI_Win, made->handle);
    int64_t unit_bytes = cs_win_displacement_unit(win);
    cs_mpi_Win_get_attr(win, MPI_WIN_BASE, (void *)&base, &found[0]);
    cs_mpi_Win_get_attr(win, MPI_WIN_SIZE, (void *)&size, &found[1]);
    if (found[0] && found[1] && size && *size > 0)
        cs_window_memory_add(call, made, (uint64_t)(uintptr_t)base, (uint64_t)*size);
    const bool locked = cs_guard_enter(&lock);
    changes++;
    if (windows_count < WINDOWS_MOST && made->id > windows_refused)
        windows[windows_count++] = (struct window){.id = made->id, .rank = made->rank, .unit_bytes = unit_bytes};
    cs_guard_leave(&lock, locked);
}

void cs_note_exposure(struct cs_call *call)
{
    struct cs_epoch_peer peer[CS_EPOCH_PEERS_MOST];
    int peers = cs_epoch_peers(call->about, CS_EPOCH_EXPOSURE, peer);
    cs_note_access(call, CS_ACCESS_POST);
    const bool locked = cs_guard_enter(&lock);
    struct window *window = window_of(call);
    uint32_t number = window ? ++window->posts : 0;
    for (int i = 0; window && i < peers; i++) {
        const struct cs_access_cell cell = {.object = call->about,
                                            .target = peer[i].peer,
                                            .kind = CS_ACCESS_KIND_EXPOSURE,
                                            .function = call->function,
                                            .fence = number,
                                            .nth = peer[i].nth,
                                            .began_ticks = cs_clock_ticks(),
                                            .site = call->innermost};
        cs_window_access_add(&cell);
    }
    cs_guard_leave(&lock, locked);
}
