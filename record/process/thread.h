/* A thread's state: the stack of its current calls, its cells, and scratch memory. No other thread uses it, so there
   are no locks. When a thread ends, its cells go to the next new thread: a program that starts a million threads in
   turn needs the memory of one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "callsign/debug.h"
#include "journal/format.h"
#include "journal/packed_events.h"
#include "record/process/cells.h"

enum { CS_DEPTH_MAX = 16, CS_SCRATCHES = 12, CS_STEPS_LOG2 = 7, CS_MESSAGES_LOG2 = 8, CS_COUNTERS = 4 };

struct cs_cpu_cell;
struct cs_stack_cache;
struct cs_recognized;
struct cs_python_cache;
struct cs_derived_name;
struct cs_details;
struct cs_uses;
struct cs_progress;

/* The last attribute that a thread has set, and the number of removals by then: see
 * record/object/attribute_values.c. */
struct cs_presence_last {
    uint32_t object;
    int32_t keyval;
    uint32_t integer_bytes, losses;
};

/* What a call of a kind uses; see record/call/step.h. */
struct cs_step {
    uint64_t site, what;  /* key of its profile cell; site 0: unused */
    struct cs_step *next; /* the step after it, the last time; never NULL */
    struct cs_profile_cell *cell;
    struct cs_stretch_cell *stretch; /* NULL only if unused */
    uint64_t head;                   /* word 1 of its event, if that has no peer; see record/call/ring.h */
    uint64_t from;                   /* call site and function of the call before */
    uint64_t reserved;               /* 64 bytes, as a cache line has */
};

/* The cells that messages with one envelope from one call site count in; see record/message/traffic.h. */
struct cs_message_cells {
    uint64_t site, whom, what; /* object and peer, tag and direction; what 0: unused */
    struct cs_traffic_cell *traffic;
    struct cs_tag_cell *tag;         /* NULL: without tag */
    struct cs_channel_cell *channel; /* NULL: not known yet */
    uint64_t signature, bytes;       /* CS_TYPE_* and size of the data of the last one */
    uint64_t types;                  /* what its tag cell adds for such data */
};

/* The ring of a thread's events; see record/call/ring.h. */
struct cs_ring {
    struct cs_ring_cell *page; /* never NULL */
    uint64_t last_ticks;       /* end of the last call */
    uint64_t next;             /* number of the next entry, from 1 */
    bool on;                   /* false: none, or an entry is being written */
    bool refused;              /* there is no room */
    uint8_t window;            /* enum cs_event_window during the current call */
    uint64_t limit;            /* a call that ends later looks whether events are still recorded */
    uint64_t polls_since;
    uint32_t polls_place;   /* of the profile cell of the last polls */
    uint32_t polls_end;     /* page->used after them; as long as it is the same, polls can join. 0: none on this page */
    struct cs_block *block; /* NULL: none yet */
    uint64_t turned;        /* pages begun */
    uint32_t pages;
    /* With CALLSIGN_EVENTS=all; see record/call/event_log.h. */
    uint32_t chunk_pages;  /* pages begun in the chunk */
    uint64_t packed;       /* pages of the ring that are packed */
    uint64_t packed_pages; /* pages begun */
    struct cs_packing packing;
    struct cs_block *chunk; /* NULL: none yet, or there is no room */
    uint64_t chunk_offset;  /* in the file */
};

/* What the kernel counts, first of a thread, then of its process and the node; as in struct cs_stretch_cell. */
enum cs_usage_value {
    CS_USAGE_CORE,
    CS_USAGE_SYSTEM,
    CS_USAGE_DELAY,
    CS_USAGE_SLEEPS,
    CS_USAGE_SWITCHES,
    CS_USAGE_MINOR,
    CS_USAGE_MAJOR,
    CS_USAGE_COUNTERS, /* CS_COUNTERS of them */
    CS_USAGE_LAST_COUNTER = CS_USAGE_COUNTERS + CS_COUNTERS - 1,
    CS_USAGES_OF_THREAD,
    CS_USAGE_READ = CS_USAGES_OF_THREAD,
    CS_USAGE_WRITTEN,
    CS_USAGE_DISK,
    CS_USAGE_OTHERS,
    CS_USAGE_THROTTLED,
    CS_USAGE_STEAL,
    CS_USAGE_BUSY,
    CS_USAGES
};

/* Hardware counters of a thread; see record/call/counters.h. */
struct cs_counters {
    int number[CS_COUNTERS]; /* descriptors; -1: there is no such counter */
    uint64_t id[CS_COUNTERS];
};

/* A file of the kernel that stays open; number -1: none. */
struct cs_kept_file {
    int number;
    dev_t device;
    ino_t inode;
};

/* What the kernel said about a thread last; see record/call/usage.h. */
struct cs_usage {
    uint64_t ticks, process_ticks; /* when it was asked about the thread, and about the process; 0: not yet */
    uint64_t monotonic_ns;         /* the same instant as ticks */
    uint64_t value[CS_USAGES];     /* by enum cs_usage_value, as the kernel counts */
    uint64_t process_user_ns, process_system_ns, peak_bytes, disk_read_bytes;
    uint64_t first_throttled_ns, first_steal_ns; /* as the kernel counted at the first reading of the process */
    uint64_t node_read_ns, node_ns;              /* when busy threads were counted; the time since the first count */
    uint32_t unknown;                            /* enum cs_unknown_usage */
    bool opened;
    struct cs_kept_file schedstat;
    struct cs_counters counters;
};

/* The part of the last sample that belongs to the stretch before the current call; ticks 0: there is none. */
struct cs_ended_stretch {
    uint64_t ticks, use[CS_USAGES];
    bool of_process; /* it has the values of the process */
};

/* Begins with a struct callsign_thread for debuggers: cores do not contain the journal's mapping. */
struct cs_thread {
    struct cs_thread *older;       /* previous new thread */
    struct cs_thread_state *state; /* in the journal */
    uint32_t number, tid;
    uint32_t depth; /* number of nested calls; frames has the first CS_DEPTH_MAX */
    uint32_t ended;
    uint64_t last_site, last_ticks; /* site and end of the last outermost call */
    int32_t last_peer, last_tag;
    uint32_t last_about;
    uint16_t last_function;
    uint8_t reserved, last_waits;
    void *frames[CS_DEPTH_MAX];       /* struct cs_call of each, in the wrapper's frame */
    uint32_t counted;                 /* bit d: the call inside d others is counted */
    uint32_t cpu;                     /* processor at the end of its last call */
    const volatile uint32_t *cpu_now; /* the kernel's word with this thread's processor, see record/call/placement.h */
    struct callsign_record
        *freeing[CS_DEPTH_MAX]; /* object that the call at this depth has unlinked to free it; usually NULL */
    uint64_t look_ticks; /* a call that ends later takes the detour of cs_leave: course_next, unloads_next or ring.limit
                            is reached, or cs_thread_detour */
    uint64_t sample_next;                    /* a call that ends later takes a sample; see record/call/stretch.h */
    uint64_t course_next;                    /* instant at which its MPI time is kept next; see record/call/course.h */
    uint64_t nested_ticks[CS_DEPTH_MAX + 1]; /* time of counted calls inside the call at this depth */
    const struct callsign_record *last_object; /* object of the last call that had one; may be dead */
    const struct callsign_record *last_type;   /* last datatype that was looked up; may be dead */
    struct cs_ring ring;
    struct cs_message_cells messages[1u << CS_MESSAGES_LOG2];
    uint64_t last_region; /* region before the current call, if this call begins or ends one */
    bool changes_region;  /* it does */
    struct cs_step *step; /* of the last outermost call; never NULL, but perhaps unused */
    struct cs_step no_step;
    uint32_t steps_used;
    struct cs_step steps[1u << CS_STEPS_LOG2];
    struct cs_stretch_cell no_stretch; /* of steps if stretches are not recorded */
    struct cs_ended_stretch ended_stretch;
    struct cs_usage usage;
    struct cs_cells stretches;
    struct cs_cells profile, traffic, tags, attributes, comparisons, cpus, answers, channels;
    struct cs_tally traffic_kept,
        tags_kept; /* number of cells of one object, and of one call site on it; both are limited */
    struct cs_attribute_cell *last_attribute; /* cell of the last query; NULL: none yet */
    struct cs_presence_last held;
    struct cs_cpu_cell *here; /* cell of `cpu`; NULL: not seen yet, or no memory */
    uint64_t departed_calls;  /* calls made before it last left the processor */
    uint64_t cpu_look_ticks;  /* without the kernel's word: time of the next query */
    struct cs_block *moved;   /* cells of its moves; NULL: none yet */
    uint64_t moves;
    struct cs_stack_cache *stacks;    /* the last stacks and their numbers; see record/site/stack.c */
    struct cs_recognized *recognized; /* stacks that need not be walked again */
    struct cs_python_cache *python;   /* the last lines of Python; NULL: none yet */
    uint64_t stack_low, stack_bytes;  /* the thread's own stack; bytes 0: not determined yet */
    void *walk_stack;                 /* for walks of coroutines' stacks; NULL: not needed yet */
    bool walks;                       /* it is in use */
    uint32_t replaced;                /* cs_module_count_replaced at the last walk */
    uint64_t unloads_next;            /* a call that ends later looks whether libraries were replaced */
    struct cs_progress *progress;     /* counts of the last collective call's object; NULL: none */
    struct cs_uses *uses;             /* buffers of the current call, with CALLSIGN_CHECK; NULL: not needed yet */
    struct cs_details *details;       /* arguments of the current creating call; NULL: not needed yet */
    struct cs_derived_name *derived;  /* the last name from callsign; NULL: none yet */
    void *scratch[CS_SCRATCHES];
    size_t scratch_bytes[CS_SCRATCHES];
    struct cs_thread *next; /* free ones */
};

/* In static TLS: two instructions for access, and one pointer fits the dynamic linker's surplus for libraries that
   are loaded later. NULL: the thread is unknown, or nothing is recorded. */
extern __thread struct cs_thread *cs_thread_self __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* The outermost call of the thread takes the detour of cs_leave: it is more than a call with one cell. */
static inline void cs_thread_detour(struct cs_thread *thread)
{
    thread->look_ticks = 0;
}

/* They are found anew: the journal took cells back. */
void cs_steps_forget(struct cs_thread *thread);
void cs_messages_forget(struct cs_thread *thread);

/* True if the thread has left its innermost call by longjmp: the call's frame lies no higher on the stack than
   `here`, an address in the caller's frame. */
static inline bool cs_thread_has_abandoned(const struct cs_thread *thread, const void *here)
{
    return thread->depth && thread->depth <= CS_DEPTH_MAX && thread->frames[thread->depth - 1] <= here;
}

/* Returns memory of at least `bytes`, valid until the next use of the slot; NULL without memory and for slots beyond
   CS_SCRATCHES. */
void *cs_thread_grow_scratch(struct cs_thread *thread, unsigned slot, size_t bytes);
static inline void *cs_thread_scratch_there(struct cs_thread *thread, unsigned slot, size_t bytes)
{
    return slot < CS_SCRATCHES && thread->scratch_bytes[slot] >= bytes ? thread->scratch[slot] : NULL;
}
static inline void *cs_thread_scratch(struct cs_thread *thread, unsigned slot, size_t bytes)
{
    void *there = cs_thread_scratch_there(thread, slot, bytes);
    return there ? there : cs_thread_grow_scratch(thread, slot, bytes);
}
