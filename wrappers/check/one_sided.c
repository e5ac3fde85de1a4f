#include "wrappers/check/one_sided.h"

#include "base/clock.h"
#include "base/guard.h"
#include "functions.h"
#include "pmpi_queries.h"
#include "record/object/epoch.h"
#include "record/object/object.h"
#include "record/object/window_access.h"
#include "record/object/window_reach.h"
#include "wrappers/call/about.h"
#include "wrappers/check/accesses.h"
#include "wrappers/check/layouts.h"
#include "wrappers/check/meeting.h"
#include "wrappers/check/pending.h"
#include "wrappers/check/repeated.h"
#include "wrappers/check/window_memory.h"
#include "wrappers/mpi/answers.h"
#include "wrappers/object/datatype.h"
#include "wrappers/object/window.h"

enum { WINDOWS_MOST = 64, LOCKS_MOST = 64, PIECES_MOST = 16, ROW_WORDS = CS_ROW_WORDS };

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
    struct cs_accesses accesses;
};

static struct cs_lock lock;
static struct window windows[WINDOWS_MOST];
static int windows_count;
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
            cs_accesses_forget(&windows[i].accesses);
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
static struct cs_access_cell *keep(const struct cs_call *call, const struct window *window, const struct cs_access *it,
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
    struct cs_access *access; /* the last one, with those before it that it continues; NULL: it was not added */
    uint32_t basic_bytes;
} row;

/* With the lock. Keeps an access that is not known yet. */
static void keep_access(const struct cs_call *call, struct window *window, const struct cs_access *it,
                        uint32_t basic_bytes)
{
    row.window = window;
    row.basic_bytes = basic_bytes;
    if (cs_accesses_extend(&window->accesses, it)) {
        row.access = window->accesses.last;
        return;
    }
    row.access = cs_accesses_add(&window->accesses, it);
    if (!row.access)
        return;
    changes++;
    row.access->cell =
        keep(call, window, it, window->started ? started_number(window->id, it->target) : 0, basic_bytes);
}

/* in_chain: the access belongs to it. */
static void set_place(struct cs_access *it, int64_t displacement, bool in_chain)
{
    it->displacement = displacement;
    it->meeting_object = in_chain ? cs_chain.object : 0;
    it->meeting = in_chain ? cs_chain.number : 0;
    cs_access_place(it);
}

/* Its end is not known, so it is no pending access. But what another process did since the same meeting is not ordered
   with it, whenever it ends. */
static void keep_for_others(const struct cs_call *call, const struct cs_access *it, uint32_t basic_bytes)
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
static uint64_t use_place(struct cs_call *call, struct cs_access *it, uint32_t basic_bytes, uint64_t *site)
{
    struct cs_access_search search = {.it = it};
    set_place(it, it->displacement, cs_chain_has(call));
    if (it->by_request) {
        keep_for_others(call, it, basic_bytes);
        return 0;
    }
    const bool locked = cs_guard_enter(&lock);
    struct window *window = window_of(call);
    const struct cs_access *other = window ? cs_accesses_find(&window->accesses, &search) : NULL;
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
static __attribute__((noinline)) uint64_t use_pieces(struct cs_call *call, const struct cs_access *it, MPI_Count count,
                                                     MPI_Datatype type, uint32_t basic_bytes, uint64_t *site)
{
    struct cs_piece piece[PIECES_MOST];
    uint64_t bytes = 0;
    for (int i = 0, pieces = list_pieces(call, count, type, piece); i < pieces; i++) {
        struct cs_access part = *it;
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
    struct cs_access it = {.use = use,
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
    const struct callsign_record *basic = cs_access_is_atomic(&it) ? basic_of(call, type) : NULL;
    if (cs_access_is_atomic(&it) && !basic)
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
    const struct cs_access *last = row.access;
    return last->count > 1 && last == row.window->accesses.last &&
           displacement == last->displacement + last->step * last->count &&
           last->meeting_object == (in_chain ? cs_chain.object : 0) &&
           last->meeting == (in_chain ? cs_chain.number : 0);
}

/* Alone. False: another access has the place. next: it continues the row; else it is kept beside the row. */
static __attribute__((noinline)) bool compare_place(const struct cs_call *call, int64_t displacement, bool in_chain,
                                                    bool next)
{
    struct cs_access it = *row.access;
    it.count = 1;
    it.step = 0;
    it.cell = NULL;
    set_place(&it, displacement, in_chain);
    struct cs_access_search search = {.it = &it};
    if (cs_accesses_find(&row.window->accesses, &search) || search.known)
        return false;
    if (!next) {
        keep_access(call, row.window, &it, row.basic_bytes);
        row.changes = changes;
    }
    return row.access != NULL;
}

/* Alone. What compare_place does for a place where no other access is, and which does not follow that of the last one.
   False: it may be another one, and nothing was done. */
static __attribute__((noinline)) bool place_beside(const struct cs_call *call, int64_t displacement, bool in_chain)
{
    struct window *window = row.window;
    struct cs_accesses *all = &window->accesses;
    if (row.access != all->last ||
        (displacement - row.access->displacement) * all->unit_bytes == (int64_t)row.access->bytes)
        return false;
    struct cs_access *next, *it = cs_accesses_prepare(all, row.access, &next);
    if (!it)
        return false;
    set_place(it, displacement, in_chain);
    if (!cs_accesses_add_prepared(all, it, next))
        return false;
    row.access = it;
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
    if (row.window->accesses.count > 1 && !compare_place(call, displacement, in_chain, true))
        return false;
    cs_accesses_lengthen(&row.window->accesses, row.access);
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
        const struct cs_access *last = row.access;
        if (!cs_window_reach_moves(reach_of(call, last->target, displacement, last->bytes),
                                   row.window->accesses.unit_bytes))
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
        cs_accesses_open(&window->accesses);
    for (struct cs_access *it = window->accesses.first, *next; it; it = next) {
        next = it->next;
        if ((target >= 0 && it->target != target) || (only_reads && !cs_access_reads(it))) {
            if (it->cell)
                it->cell->part = window->part; /* it meets those that follow */
            continue;
        }
        if (it->cell)
            it->cell->until_ticks = now;
        cs_accesses_remove(&window->accesses, it, all);
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
        windows[windows_count++] =
            (struct window){.id = made->id, .rank = made->rank, .accesses = {.unit_bytes = unit_bytes}};
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
