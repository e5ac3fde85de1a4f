/* What callsign keeps per thread: the stack of calls that the thread is in, its cells, and scratch memory. No other
   thread touches it, so nothing here takes a lock. When a thread ends its cells are handed to the next new thread: a
   program that starts a million threads one after the other needs the memory of one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "callsign/debug.h"
#include "db/journal/format.h"
#include "record/cells.h"
#include "record/object.h"

enum { CS_DEPTH_MAX = 16, CS_SCRATCHES = 12 };

struct cs_cpu_cell;
struct cs_stack_cache;
struct cs_recognized;
struct cs_details;
struct cs_progress;

/* What a thread has last seen an object hold, and how much had been lost by then: see record/attribute_values.c. */
struct cs_presence_last {
    uint32_t object;
    int32_t keyval;
    uint32_t integer_bytes, losses;
};

/* It begins as a struct callsign_thread, which debuggers read: the journal's mapping is not in cores. */
struct cs_thread {
    struct cs_thread *older;       /* that was new before this one */
    struct cs_thread_state *state; /* in the journal */
    uint32_t number, tid;
    uint32_t depth; /* calls that the thread is in; frames has the first CS_DEPTH_MAX */
    uint32_t ended;
    uint64_t last_site, last_ticks; /* of the last outermost call that is over */
    int32_t last_peer, last_tag;
    uint32_t last_about;
    uint16_t last_function;
    uint8_t last_waits, reserved;
    void *frames[CS_DEPTH_MAX];       /* the struct cs_call of each, which lies in the wrapper's frame */
    uint32_t counted;                 /* bit d: the call that is in d others is counted */
    uint32_t cpu;                     /* where it was at the end of its last call */
    const volatile uint32_t *cpu_now; /* the kernel's word of where this thread runs, see record/placement.h */
    struct callsign_record
        *freeing[CS_DEPTH_MAX];                /* what the call at this depth has unlinked to free it; mostly NULL */
    uint64_t nested_ticks[CS_DEPTH_MAX + 1];   /* time that counted calls inside the call at this depth took */
    const struct callsign_record *last_object; /* object of the last call that had one; may be dead by now */
    const struct callsign_record *last_type;   /* that was looked for; likewise */
    struct cs_cells profile, traffic, tags, attributes, comparisons, cpus, answers;
    struct cs_tally traffic_kept, tags_kept;  /* cells of one object, of one call site on it: they are limited */
    struct cs_attribute_cell *last_attribute; /* the one of the last question; NULL: none yet */
    struct cs_presence_last held;
    struct cs_cpu_cell *here; /* of `cpu`; NULL: not seen yet, or without memory */
    uint64_t departed_calls;  /* how many calls it had made when it left the processor before */
    uint64_t look_ticks;      /* without the kernel's word: when to ask again */
    struct cs_block *moved;   /* cells of its moves; NULL: none yet */
    uint64_t moves;
    struct cs_stack_cache *stacks;    /* the last ones, and their numbers; see record/stack.c */
    struct cs_recognized *recognized; /* stacks that need not be walked again */
    uint64_t stack_low, stack_bytes;  /* where this thread's own stack lies; bytes 0: not looked yet */
    uint32_t replaced;                /* what cs_module_count_replaced said at the last walk */
    struct cs_progress *progress;     /* counts of the object of the last collective call; NULL: none had */
    struct cs_details *details;       /* how the object that the current call makes is made; NULL: not needed yet */
    void *scratch[CS_SCRATCHES];
    size_t scratch_bytes[CS_SCRATCHES];
    struct cs_thread *next; /* free ones */
};

/* In static TLS: two instructions to reach, and one pointer fits the surplus that the dynamic linker keeps for
   libraries that are loaded later. NULL: this thread is not known yet, or nothing is recorded. */
extern __thread struct cs_thread *cs_thread_self __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Whether the thread has abandoned its innermost call, which is left by longjmp: its frame lies no higher on the stack
   than `here`, an address in the frame of who asks. */
static inline bool cs_thread_has_abandoned(const struct cs_thread *thread, const void *here)
{
    return thread->depth && thread->depth <= CS_DEPTH_MAX && thread->frames[thread->depth - 1] <= here;
}

/* Memory of at least `bytes` that stays until the next use of the same slot; NULL without memory and for slots beyond
   CS_SCRATCHES. */
void *cs_thread_grow_scratch(struct cs_thread *thread, unsigned slot, size_t bytes);
static inline void *cs_thread_scratch(struct cs_thread *thread, unsigned slot, size_t bytes)
{
    return slot < CS_SCRATCHES && thread->scratch_bytes[slot] >= bytes && thread->scratch[slot]
               ? thread->scratch[slot]
               : cs_thread_grow_scratch(thread, slot, bytes);
}

/* ---- when a thread is first seen, what it abandons, when it ends ---- */

/* Makes the state for the calling thread, or takes over that of one that has ended. NULL: not recording, or no
   memory. */
struct cs_thread *cs_thread_begin(void);

/* Forgets the innermost call, which the thread left by longjmp. It counts, without its time, which nobody knows. */
void cs_thread_abandon(struct cs_thread *thread);

/* In a forked child: forgets everything, the journal belongs to the parent. */
void cs_thread_forget(void);

/* ---- being freed ---- */

/* Objects between the call that frees them and its end. Before the native call an object leaves the live table, because
   another thread may be given its handle at any moment; callbacks inside that call, such as those that delete
   attributes, still use it. */

/* What one call frees. */
struct cs_free {
    struct callsign_record *object; /* NULL: none */
    bool referred;                  /* others still refer to it: it lives on */
};

/* Before the native call, which is the innermost one of the thread. Finds nothing for an unknown handle and for what
   nobody can free. */
struct cs_free cs_free_begin(struct cs_thread *thread, enum callsign_kind kind, uint64_t handle);

/* After it, where there is an object: the native call failed; or the object, to which nobody else refers, is dead (see
   cs_object_bury). */
void cs_free_cancel(struct cs_thread *thread, const struct cs_free *freed);
void cs_free_complete(struct cs_thread *thread, struct callsign_record *object, uint16_t function, uint64_t site,
                      uint64_t ticks, const struct cs_last_call *last);

/* The object that a call of this thread means by a handle, or NULL: a live one, or one that a call around this one is
   freeing. Both MPIs keep what was freed while transfers use it, and call back inside the call that completes the last
   one: then it is the last that had this handle. */
const struct callsign_record *cs_object_find_in_callback(enum callsign_kind kind, uint64_t handle);
static inline const struct callsign_record *cs_object_look_up(enum callsign_kind kind, uint64_t handle)
{
    const struct callsign_record *object = cs_object_find(kind, handle);
    return __builtin_expect(object != NULL, 1) ? object : cs_object_find_in_callback(kind, handle);
}
