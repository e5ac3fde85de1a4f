/* The code between MPI calls: from the return of one call of the program to the begin of its next one. A cell for each
   pair of call sites adds up their time, and shares of what the kernel says about it: see struct cs_stretch_cell. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/process/cells.h"
#include "record/process/recorder.h"
#include "record/process/thread.h"

/* Process-wide, before the first thread begins. on: CALLSIGN_WHY. */
void cs_stretch_start(bool on);

/* A thread begins or ends to use the state. */
void cs_stretch_begin(struct cs_thread *thread);
void cs_stretch_end(struct cs_thread *thread);

/* The key of a cell as words: see struct cs_profile_key. */
struct cs_stretch_key {
    uint64_t from_site, site;
    uint64_t what;  /* object and function of the call that ends it, function of the call before */
    uint64_t where; /* thread, and region as in cs_recorder.region */
};
static_assert(offsetof(struct cs_stretch_cell, unknown) == sizeof(struct cs_stretch_key), "a cell begins with its key");

/* The key of the stretch that a call ends, until the thread's end of the last call is replaced. subject: object and
   function of the call, as in struct cs_profile_key. */
static inline struct cs_stretch_key cs_stretch_key(const struct cs_thread *thread, uint64_t site, uint64_t subject)
{
    uint64_t region =
        thread->changes_region ? thread->last_region : atomic_load_explicit(&cs_recorder.region, memory_order_relaxed);
    return (struct cs_stretch_key){thread->last_site, site, subject | (uint64_t)thread->last_function << 48,
                                   thread->state->thread | region};
}

/* True if cs_stretch_add takes no memory. */
bool cs_stretch_has(struct cs_thread *thread, struct cs_stretch_key key);

/* Adds a stretch to its cell. ticks: its own; call_ticks: of the call that ended it. */
static inline void cs_stretch_add_to(struct cs_stretch_cell *cell, uint64_t ticks, uint64_t call_ticks)
{
    cell->stretches++;
    cell->ticks += ticks;
    cell->call_ticks += call_ticks;
    if (__builtin_expect(ticks < cell->min_ticks, 0))
        cell->min_ticks = ticks;
    if (__builtin_expect(ticks > cell->max_ticks, 0))
        cell->max_ticks = ticks;
}

/* The same from anywhere; it may take a sample. last: end of the call before it, 0: there was none. Returns the cell;
   NULL: none. */
struct cs_stretch_cell *cs_stretch_add(struct cs_thread *thread, struct cs_stretch_key key, uint64_t last,
                                       uint64_t start, uint64_t stop);

/* A call ended, and its stretch was added: takes a sample if it is time. */
void cs_stretch_look(struct cs_thread *thread, uint64_t call_ticks, uint64_t stop);

/* A call begins at `now`, after a stretch that was long enough for a sample of its own. Returns the time. */
uint64_t cs_stretch_pass(struct cs_thread *thread, uint64_t now);

/* The process ends: a last sample. */
void cs_stretch_finish(struct cs_thread *thread);
