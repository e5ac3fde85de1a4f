#include "wrappers/call/call.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/signals.h"
#include "journal_writers.h"
#include "pmpi_queries.h"
#include "record/call/clock_calls.h"
#include "record/call/course.h"
#include "record/call/failures.h"
#include "record/call/late_calls.h"
#include "record/call/placement.h"
#include "record/call/profile.h"
#include "record/call/ring.h"
#include "record/call/thread_life.h"
#include "record/process/recorder.h"
#include "record/process/thread.h"
#include "record/site/module.h"
#include "record/site/python.h"
#include "record/site/stack.h"
#include "wrappers/call/first_call.h"
#include "wrappers/call/leave.h"
#include "wrappers/fallback/emulation.h"
#include "wrappers/mpi/quirks.h"

static void enter_inside(struct cs_thread *thread, struct cs_call *call, uint16_t function, const void *site,
                         const void *frame, bool counted)
{
    uint64_t return_address = (uint64_t)(uintptr_t)site;
    call->start = call->stop = 0;
    cs_call_clear(call, function, 0, counted ? cs_python_line(thread, return_address) : return_address, counted, false);
    call->since = &call->stop;
    call->frame = frame;
    call->thread = thread;
    if (counted) {
        thread->state->inner =
            (struct cs_inner_call){.function = function, .peer = CS_NO_PEER, .tag = CS_NO_TAG, .site = call->innermost};
        call->since = &thread->state->inner.since_ticks;
    }
    if (thread->depth < CS_DEPTH_MAX) {
        thread->frames[thread->depth] = call;
        thread->counted = (thread->counted & ~(1u << thread->depth)) | (uint32_t)counted << thread->depth;
    }
    if (++thread->depth <= CS_DEPTH_MAX)
        thread->nested_ticks[thread->depth] = 0;
    thread->last_object = NULL; /* roles compare with it only the object of an outermost call */
    cs_thread_detour(thread);
}

/* True if the innermost call is a Fortran call in the library that is now called again. */
static bool is_in_fortran(const struct cs_thread *thread)
{
    return CS_FORTRAN_IS_IN_MPI && thread->depth <= CS_DEPTH_MAX &&
           ((const struct cs_call *)thread->frames[thread->depth - 1])->by_fortran;
}

static __attribute__((noinline)) void enter_slowly(struct cs_call *call, uint16_t function, const void *site,
                                                   const void *frame)
{
    struct cs_thread *thread = cs_thread_self;
    bool first = !thread;
    if (first)
        thread = cs_first_call_of_thread();
    call->thread = NULL;
    if (!thread || !cs_is_recording()) {
        cs_late_calls_note(function, (uint64_t)(uintptr_t)site);
        return;
    }
    if (first) /* the call may never return */
        cs_module_record((uint64_t)(uintptr_t)site);
    while (cs_thread_has_abandoned(thread, frame))
        cs_thread_abandon(thread);
    if (thread->depth == 0) {
        cs_call_begin(thread, call, function, 0, cs_python_line(thread, (uint64_t)(uintptr_t)site), frame, false);
        if (atomic_load_explicit(&cs_recorder.on, memory_order_relaxed) & CS_TAKES_DETOURS)
            cs_thread_detour(thread);
        return;
    }
    enum cs_module_owner owner =
        cs_calls_back((uint64_t)(uintptr_t)site) ? CS_MODULE_MPI : cs_module_find_owner((uint64_t)(uintptr_t)site);
    if (owner == CS_MODULE_MPI && is_in_fortran(thread))
        return;
    /* The library calls its own public functions. A user's callback inside MPI counts as the program. */
    if (owner != CS_MODULE_MPI_FORTRAN && owner != CS_MODULE_CALLSIGN)
        enter_inside(thread, call, function, site, frame, owner == CS_MODULE_PROGRAM);
}

/* The Fortran layer of an MPI turns one call into another (in MPICH all calls). The outer call is the program's, and
   its entry point records everything. If the Fortran layer only jumps to a function, that function returns to our
   entry point. */
bool cs_enter_otherwise(struct cs_call *call, uint16_t function, const void *site, const void *frame)
{
    const struct cs_thread *thread = cs_thread_self;
    uint64_t from = (uint64_t)(uintptr_t)site;
    if (thread && thread->depth && !cs_thread_has_abandoned(thread, frame) &&
        (cs_module_is_in(&cs_module_fortran, from) || (cs_module_is_in(&cs_module_self, from) && !cs_calls_back(from))))
        call->thread = NULL;
    else
        enter_slowly(call, function, site, frame);
    return call->thread != NULL;
}

bool cs_enter_of_frame(struct cs_call *call, uint16_t function, const void *site, const void *frame)
{
    return cs_enter_shortly(call, function, site, frame);
}

static inline uint64_t ticks_of(const struct cs_call *call)
{
    return call->stop > call->start ? call->stop - call->start : 0;
}

/* Writes one call to the events. place: of its profile cell. */
static __attribute__((noinline)) void add_event(struct cs_thread *thread, const struct cs_call *call, uint32_t place,
                                                uint64_t bytes)
{
    bool received = call->message == CS_ENTRY_RECEIVED;
    unsigned kind = call->message                     ? call->message
                    : call->collective                ? CS_ENTRY_COLLECTIVE
                    : cs_call_has_peer(call) || bytes ? CS_ENTRY_OTHER
                                                      : CS_ENTRY_CALL;
    const struct cs_ring_call event = {
        .start = call->start,
        .stop = call->stop > call->start ? call->stop : call->start,
        .bytes = call->message == CS_ENTRY_POLLS ? 0 : bytes,
        .place = place,
        .object = call->about,
        .collective = call->collective,
        .peer = received ? call->source : call->peer,
        .tag = received ? call->source_tag : call->tag,
        .kind = kind == CS_ENTRY_POLLS && call->found ? CS_ENTRY_OTHER : (uint8_t)kind,
    };
    cs_ring_add(thread, &event);
}

/* True if the outer call has returned from the MPI: a signal handler interrupted it, perhaps in the middle of an entry.
 */
static bool is_in_own_work(const struct cs_thread *thread)
{
    const unsigned outer = thread->depth - 1;
    return outer && (outer > CS_DEPTH_MAX || ((const struct cs_call *)thread->frames[outer - 1])->stop);
}

/* Adds one call to the profile, with its time minus the part of other calls. Returns its cell, or NULL. */
static inline struct cs_profile_cell *count(struct cs_thread *thread, struct cs_call *call, struct cs_profile_key key,
                                            uint64_t bytes, uint64_t ticks, uint32_t *place)
{
    struct cs_profile_cell *cell =
        cs_profile_add_call(thread, key, ticks, call->sent_bytes, call->received_bytes, place);
    if (__builtin_expect(thread->ring.on, 1) && !is_in_own_work(thread))
        add_event(thread, call, *place, bytes);
    return cell;
}

void cs_leave_write_otherwise(struct cs_thread *thread, const struct cs_call *call, uint32_t place, uint64_t bytes)
{
    add_event(thread, call, place, bytes);
    if (call->cells)
        cs_ring_find_channel(thread, call->cells);
    cs_leave_depth(thread, 0);
}

/* A function of its own, so that neither this nor cs_leave_recorded saves many registers. */
static __attribute__((noinline)) void leave_with_envelope(struct cs_thread *thread, const struct cs_call *call,
                                                          uint32_t place, uint64_t bytes)
{
    unsigned kind = call->message;
    int32_t peer = call->peer;
    uint32_t value = (uint32_t)call->tag;
    if (kind == CS_ENTRY_RECEIVED) {
        peer = call->source;
        value = (uint32_t)call->source_tag;
    } else if (kind == CS_ENTRY_CALL) {
        kind = call->collective ? CS_ENTRY_COLLECTIVE : CS_ENTRY_OTHER;
        value = call->collective ? call->collective : value;
    }
    if (__builtin_expect(kind == CS_ENTRY_POLLS, 0))
        cs_leave_write_otherwise(thread, call, place, bytes);
    else
        cs_leave_write_envelope(thread, call, place, kind, peer, value, bytes);
}

static inline __attribute__((always_inline)) void leave_with_any(struct cs_thread *thread, const struct cs_call *call,
                                                                 uint64_t head, uint64_t spent, uint64_t bytes)
{
    if (call->message | call->collective | bytes || cs_call_has_peer(call))
        leave_with_envelope(thread, call, (uint32_t)head, bytes);
    else
        cs_leave_write_plain(thread, call, head, spent, bytes);
}

static uint64_t earliest(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The next instant at which more is done at the end of a call. */
static uint64_t next_look(const struct cs_thread *thread)
{
    return earliest(earliest(thread->course_next, thread->ring.limit),
                    earliest(thread->unloads_next, thread->sample_next));
}

/* An outermost call that is not in the steady state. */
struct rare_call {
    struct cs_profile_key key;
    struct cs_profile_cell *cell; /* NULL: it has none */
    uint32_t place;               /* of the cell */
    struct cs_step *before;       /* step of the call before */
    uint64_t from;                /* cs_step_from before the call */
    uint64_t last;                /* end of the call before */
    struct cs_stretch_key between;
};

/* The key of a step for calls that cs_call_exclude took out of the profile. Their objects are dead, so that those of
   one call site share a step. The class is that of no size. */
static struct cs_profile_key excluded_key(const struct cs_call *call)
{
    return cs_profile_key(call->innermost, 0, call->function, UINT8_MAX);
}

/* Ends such a call in the steady state. It has neither a cell nor an event. */
static bool leave_excluded(struct cs_thread *thread, struct cs_call *call)
{
    struct cs_step *step = cs_step_next(thread, excluded_key(call));
    const uint64_t spent = ticks_of(call);
    thread->look_ticks = next_look(thread);
    if (!step || thread->ended_stretch.ticks || cs_leave_is_rare(thread, call, spent))
        return false;
    cs_stretch_add_to(step->stretch, call->start - thread->last_ticks, spent);
    cs_leave_show(thread, call, cs_leave_subject(call), spent, step);
    if (!thread->ring.on)
        thread->ring.last_ticks = call->stop;
    cs_leave_depth(thread, 0);
    return true;
}

/* Adds the step of the call, or replaces it. */
static void keep_step(struct cs_thread *thread, const struct rare_call *rare, struct cs_stretch_cell *stretch)
{
    enum { STEPS_MOST = 3 << (CS_STEPS_LOG2 - 2) };
    struct cs_step *step = cs_step_find(thread, rare->key, rare->from);
    if (!step->site && thread->steps_used >= STEPS_MOST) {
        cs_steps_forget(thread);
        step = cs_step_find(thread, rare->key, rare->from);
    }
    const bool follows = rare->before->site != 0;
    thread->steps_used += !step->site;
    *step = (struct cs_step){.site = rare->key.site,
                             .what = rare->key.what,
                             .from = rare->from,
                             .next = step->next,
                             .cell = rare->cell,
                             .stretch = stretch,
                             .head = cs_ring_plain_head(rare->place)};
    if (follows)
        rare->before->next = step;
    thread->step = step;
}

static void leave_outermost(struct cs_thread *thread, const struct cs_call *call, const struct rare_call *rare)
{
    const uint64_t spent = ticks_of(call);
    if (!cs_is_paused()) {
        struct cs_stretch_cell *stretch = cs_stretch_add(thread, rare->between, rare->last, call->start, call->stop);
        bool shared =
            stretch && !stretch->from_site && !stretch->object; /* by all objects: see record/call/stretch.c */
        if (stretch && (call->counted ? rare->cell != NULL : shared) && rare->last && rare->key.site &&
            !thread->changes_region)
            keep_step(thread, rare, stretch);
        cs_stretch_look(thread, spent, call->stop);
    }
    thread->changes_region = false;
    cs_clock_calls_add_kept(thread);
    thread->nested_ticks[1] = 0;
    if (thread->ring.refused)
        thread->ring.last_ticks = call->stop;
    thread->look_ticks = next_look(thread);
    thread->last_ticks = cs_clock_ticks(); /* callsign's own work is no code of the program */
    if (thread->last_ticks - call->stop >= cs_recorder.long_ticks)
        cs_thread_detour(thread); /* the next event may need a wide entry */
}

/* Each nanosecond counts once. A counted call inside this one (in a user's callback) has its own cell, so its time
   is subtracted here. Not inlined: it saves many registers. */
static __attribute__((noinline)) void leave_rarely(struct cs_call *call)
{
    struct cs_thread *thread = call->thread;
    const bool counts = call->counted && !cs_is_paused();
    const uint64_t spent = ticks_of(call), bytes = cs_call_bytes(call), subject = cs_leave_subject(call);
    const uint64_t site = counts ? cs_call_profile_site(call) : call->innermost;
    const uint64_t nested = thread->depth <= CS_DEPTH_MAX ? thread->nested_ticks[thread->depth] : 0;
    const unsigned outer = thread->depth - 1;
    struct rare_call rare = {.key = cs_profile_key(site, call->about, call->function, cs_size_class(bytes)),
                             .before = thread->step,
                             .from = cs_step_from(thread),
                             .last = thread->last_ticks,
                             .between = cs_stretch_key(thread, call->innermost, cs_leave_what(subject))};
    if (call->counted)
        thread->state->inner.function = 0;
    if (outer == 0) {
        cs_cpu_look(thread, call->stop);
        if (call->stop >= thread->course_next)
            cs_course_pass(thread, call->start, call->stop);
        cs_leave_show(thread, call, subject, spent, &thread->no_step);
    } else if (outer <= CS_DEPTH_MAX) {
        thread->state->calls += call->counted;
        thread->nested_ticks[outer] += call->counted ? spent : nested;
    }
    if (counts) {
        const uint64_t elsewhere = nested + call->shared_ticks;
        rare.cell = count(thread, call, rare.key, bytes, spent > elsewhere ? spent - elsewhere : 0, &rare.place);
    }
    if (!call->counted)
        rare.key = excluded_key(call);
    if (outer == 0)
        leave_outermost(thread, call, &rare);
    cs_leave_depth(thread, outer);
}

/* Ends a call in the steady state that follows another one than the last time, or has the number of a stack. */
static __attribute__((noinline)) bool leave_found(struct cs_call *call, uint64_t site)
{
    return cs_leave_steadily(call, site, leave_with_any, true);
}

/* True if the profile has the call with its whole stack. */
static inline bool counts_with_stack(const struct cs_call *call)
{
    return cs_recorder.call_stacks && call->counted && call->thread->depth == 1 && !cs_is_paused();
}

void cs_leave_otherwise(struct cs_call *call)
{
    struct cs_thread *thread = call->thread;
    if (thread->depth == 0)
        return; /* a callback of the program jumped out of an outer call, but this frame still exists */
    bool ended = false;
    if (call->counted)
        ended = leave_found(call, counts_with_stack(call) ? cs_call_site(call) : call->innermost);
    else if (thread->depth == 1 && !thread->nested_ticks[1])
        ended = leave_excluded(thread, call);
    if (!ended)
        leave_rarely(call);
}

void cs_leave_recorded(struct cs_call *call)
{
    if (__builtin_expect(!cs_leave_steadily(call, call->innermost, leave_with_any, false), 0))
        cs_leave_otherwise(call);
}

static inline __attribute__((always_inline)) void
leave_with_number(struct cs_thread *thread, const struct cs_call *call, uint64_t head, uint64_t spent, uint64_t bytes)
{
    assert(call->message == CS_ENTRY_CALL);
    if (__builtin_expect(!call->collective || !cs_ring_is_short(0, 0, bytes, call->peer), 0)) {
        leave_with_any(thread, call, head, spent, bytes);
        return;
    }
    cs_ring_write_short(&thread->ring, (uint32_t)head, CS_ENTRY_COLLECTIVE, call->peer, call->collective, bytes,
                        call->start, call->stop);
    cs_leave_depth(thread, 0);
}

void cs_leave_collective(struct cs_call *call)
{
    if (__builtin_expect(!cs_leave_steadily(call, call->innermost, leave_with_number, false), 0))
        cs_leave_otherwise(call);
}

static __attribute__((noinline)) void leave_alone_otherwise(struct cs_call *call)
{
    if (!counts_with_stack(call) || !cs_leave_steadily(call, cs_call_site(call), cs_leave_write_plain, false))
        cs_leave_otherwise(call);
}

void cs_leave_alone(struct cs_call *call)
{
    assert(!(call->sent_bytes | call->received_bytes | call->posted_bytes | call->message | call->collective) &&
           !cs_call_has_peer(call));
    if (__builtin_expect(!cs_leave_steadily(call, call->innermost, cs_leave_write_plain, false), 0))
        leave_alone_otherwise(call);
}

int cs_end_plain_otherwise(struct cs_call *call, int result)
{
    uint64_t site = 0;
    if (cs_recorder.call_stacks) {
        site = cs_stack_take(call->thread, call->innermost, call->frame); /* no call comes from Python */
        if (result == MPI_SUCCESS && cs_leave_steadily(call, site, cs_leave_write_plain, false))
            return result;
    }
    cs_call_clear_rest(call);
    call->site = site;
    cs_note_failure(call, result);
    cs_leave_otherwise(call);
    return result;
}

/* ---- calls that a signal handler may make ---- */

/* True if the innermost call of the thread is in callsign's own work and not in the native function. A frame that is
   not above this one was left by longjmp, or the handler has a stack of its own. */
static bool is_own_work(const struct cs_thread *thread, const void *frame)
{
    const struct cs_call *call = thread->depth <= CS_DEPTH_MAX ? thread->frames[thread->depth - 1] : NULL;
    return call && (const void *)call > frame && (call->start == 0 || call->stop != 0);
}

/* Calls that the MPI makes do not count. */
static bool is_of_program(uint64_t site)
{
    enum cs_module_owner owner = cs_module_find_known_owner(site);
    return cs_calls_back(site) || owner == CS_MODULE_PROGRAM;
}

/* A call that is kept: it counts, but has no thread. */
static void keep_call(struct cs_call *call, uint16_t function, uint64_t site)
{
    call->thread = NULL;
    call->function = function;
    call->innermost = site;
    call->counted = is_of_program(site);
    call->start = cs_clock_ticks();
}

void cs_enter_clock_otherwise(struct cs_call *call, uint16_t function, const void *site, const void *frame)
{
    const struct cs_thread *thread = cs_thread_self;
    bool inside = thread && thread->depth && cs_is_recording();
    bool waits = (inside && is_own_work(thread, frame)) || (!thread && cs_is_first_call_running());
    if (waits || ((inside || !thread) && cs_signals_are_blocked())) {
        keep_call(call, function, (uint64_t)(uintptr_t)site);
        return;
    }
    cs_enter_otherwise(call, function, site, frame);
    if (!call->thread)
        call->counted = false;
}

/* True if the call cannot be recorded by stores alone. */
static bool needs_more(struct cs_thread *thread, const struct cs_call *call)
{
    return thread->depth != 1 || cs_call_needs_site(call) || cs_cpu_is_another(thread) ||
           call->stop >= thread->look_ticks || !cs_ring_has_room(&thread->ring) ||
           !cs_profile_has(thread, cs_profile_key(call->innermost, 0, call->function, cs_size_class(0))) ||
           !cs_stretch_has(thread, cs_stretch_key(thread, call->innermost, cs_leave_what(cs_leave_subject(call))));
}

void cs_leave_clock(struct cs_call *call)
{
    struct cs_thread *thread = call->thread;
    if (thread && call->counted && thread->depth && needs_more(thread, call) && cs_signals_are_blocked()) {
        if (thread->depth == 1)
            __atomic_store_n(&thread->state->doing, CS_THREAD_OUTSIDE, __ATOMIC_RELAXED);
        cs_leave_depth(thread, thread->depth - 1);
    } else if (thread) {
        cs_leave_recorded(call);
        return;
    } else {
        call->stop = cs_clock_ticks();
    }
    if (call->counted && !cs_is_paused())
        cs_clock_call_keep(call->function, call->innermost, ticks_of(call));
}

uint64_t cs_call_site(struct cs_call *call)
{
    if (!call->site)
        call->site = cs_recorder.stacks && call->thread ? cs_python_stack(call->thread, call->innermost, call->frame)
                                                        : call->innermost;
    return call->site;
}

/* Replacing a library takes longer than the pause between two looks, so that the first call from a new one looks. Once
   code of the program was replaced, each call does. */
uint64_t cs_call_find_site(struct cs_call *call)
{
    enum { LOOK_NS = 10000 };
    struct cs_thread *thread = call->thread;
    if (cs_recorder.call_stacks) {
        thread->unloads_next = UINT64_MAX; /* each walk looks */
        return cs_call_site(call);
    }
    cs_module_count_replaced();
    if (cs_module_was_program_replaced())
        return cs_stack_of_library(thread, call->innermost);
    thread->unloads_next =
        call->stop + cs_clock_ticks_in(cs_journal_header(cs_recorder.journal)->ticks_per_second, LOOK_NS);
    return call->innermost;
}

bool cs_is_truncated(int result)
{
    int class;
    return result != MPI_SUCCESS && cs_mpi_Error_class(result, &class) == MPI_SUCCESS && class == MPI_ERR_TRUNCATE;
}

void cs_note_failure_recorded(struct cs_call *call, int result)
{
    cs_note_failure_of(call, result, (struct cs_failed_part){call->about, call->peer, call->tag});
}

void cs_note_failure_of(struct cs_call *call, int result, struct cs_failed_part part)
{
    if (!call->counted || cs_is_paused())
        return;
    CS_KEEP_ERRNO;
    struct cs_error_words error = cs_error_of_call(result);
    if (!cs_failures_add(call->function, call->innermost, error.error))
        return;
    struct cs_fact_failed_call fact = {.fact.ticks = call->stop,
                                       .object = part.object,
                                       .function = call->function,
                                       .peer = part.peer,
                                       .tag = part.tag,
                                       .site = cs_call_site(call)};
    cs_module_record(fact.site);
    cs_write_failed_call(cs_recorder.journal, fact, error.words);
}

bool cs_call_exclude(struct cs_call *call, struct cs_last_call *told)
{
    const struct cs_thread *thread = call->thread;
    if (!thread || !call->counted || cs_is_paused() || thread->depth != 1 || thread->nested_ticks[1] ||
        call->shared_ticks)
        return false;
    uint64_t spent = ticks_of(call);
    *told = (struct cs_last_call){cs_call_profile_site(call), spent};
    call->counted = false;
    cs_thread_detour(call->thread);
    return true;
}

/* ---- calls that are left by an exception ---- */

/* Constants of the Itanium C++ ABI, which all systems with unwind tables use. */
enum { UNWIND_VERSION = 1, UNWIND_CONTINUE = 8, UNWIND_CLEANUP_PHASE = 2 };

/* Ends a call that an exception left as if the native call had failed; its frame is still intact. */
static void leave(struct cs_thread *thread)
{
    struct cs_call *call = thread->frames[thread->depth - 1];
    cs_stop(call);
    if (call->plain)
        cs_call_clear_rest(call);
    if (call->freeing.object)
        cs_free_cancel(thread, &call->freeing);
    cs_leave(call);
}

/* Called for each frame with a wrapper: first while the unwinder searches a handler, then on the way to the handler,
   innermost frame first. A call that is not recorded is not in the thread's list. Then the MPI lies between it and
   the recorded call, and no MPI catches exceptions. */
int cs_call_unwinding(int version, int actions, uint64_t exception_class, const void *exception, const void *context)
{
    int error = errno;
    struct cs_thread *thread = cs_thread_self;
    (void)exception_class;
    (void)exception;
    (void)context;
    if (version == UNWIND_VERSION && (actions & UNWIND_CLEANUP_PHASE) && cs_is_recording() && thread && thread->depth) {
        if (thread->depth <= CS_DEPTH_MAX)
            leave(thread);
        else
            cs_thread_abandon(thread);
    }
    errno = error;
    return UNWIND_CONTINUE;
}
