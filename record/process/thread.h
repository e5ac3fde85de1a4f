/* What callsign keeps per thread: the stack of calls that the thread is in, its cells, and scratch memory. No other
   thread touches it, so nothing here takes a lock. When a thread ends its cells are handed to the next new thread: a
   program that starts a million threads one after the other needs the memory of one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "callsign/debug.h"
#include "journal/format.h"
#include "record/process/cells.h"

enum { CS_DEPTH_MAX = 16, CS_SCRATCHES = 12 };

struct cs_cpu_cell;
struct cs_stack_cache;
struct cs_recognized;
struct cs_details;
struct cs_progress;

/* What a thread has last seen an object hold, and how much had been lost by then: see record/object/attribute_values.c.
 */
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
    const volatile uint32_t *cpu_now; /* the kernel's word of where this thread runs, see record/call/placement.h */
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
    struct cs_stack_cache *stacks;    /* the last ones, and their numbers; see record/site/stack.c */
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
