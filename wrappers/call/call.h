/* One call of an MPI function, from entering to leaving a wrapper. A generated wrapper reads, in this order:
 *
 *     struct cs_call cs_call;
 *     cs_enter(&cs_call, CS_MPI_Send, __builtin_return_address(0));
 *     cs_on_comm(&cs_call, comm);                 roles that look at the arguments before the call
 *     cs_start(&cs_call);
 *     int cs_result = cs_next.MPI_Send(buf, count, datatype, dest, tag, comm);
 *     cs_stop(&cs_call);
 *     if (cs_succeeded(&cs_call, cs_result))
 *         cs_bytes_sent(&cs_call, count, datatype, dest);   roles that look at them after success
 *     cs_leave(&cs_call);
 *     return cs_result;
 *
 * Nothing here changes an argument or a result. When callsign could not start or gave up, call.thread is NULL, every
 * role returns at once and the call is forwarded bare. */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "base/keep_errno.h"
#include "callsign/debug.h"
#include "record/call/stretch.h"
#include "record/object/object.h"
#include "record/object/progress.h"
#include "record/process/recorder.h"
#include "record/process/thread.h"
#include "record/site/module.h"
#include "whole_mpi.h"
#include "wrappers/mpi/handle.h"

/* ---- calls that are left by an exception ---- */

/* The unwinder shows each frame to the personality routine of its function: for exceptions of C++ and other
   languages, and for pthread_exit. Every function that begins a call has our routine, which records that the call
   was left. This adds no code to wrappers and needs no unwind library. The encoding is relative, four bytes, signed. */
#if defined(__x86_64__) || defined(__aarch64__) || defined(__riscv) || defined(__powerpc64__)
#define CS_TELL_UNWINDING() __asm__ volatile(".cfi_personality 0x1b, cs_call_unwinding")
#else
#define CS_TELL_UNWINDING() ((void)0)
#endif

/* Our personality routine, with the signature of the Itanium C++ ABI. */
__attribute__((used)) /* by CS_TELL_UNWINDING, which the compiler does not see */
int cs_call_unwinding(int version, int actions, uint64_t exception_class, const void *exception, const void *context);

/* Sessions came with MPI 4. Open MPI 5 has them but reports MPI 3.1. */
#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define CS_HAS_SESSIONS 1
#endif

struct cs_details;

/* Begins with a struct callsign_call, which debuggers read. */
struct cs_call {
    struct cs_thread *thread; /* NULL: not recording */
    uint64_t innermost; /* part of the call site: return address into the program, or a line of Python (a stack) */
    uint64_t start;     /* ticks directly before the native call */
    int32_t peer, tag;  /* peer and tag of the call, as in struct cs_thread_state */
    uint32_t about;     /* id of the communicator, window or file that gets the time; 0: none */
    uint16_t function;
    uint8_t unknown_kind; /* enum callsign_kind of `unknown` */
    uint8_t waits;        /* CALLSIGN_REQUEST_* of the request that has this peer; 0: the call waits for none */
    uint64_t stop;        /* ticks directly after the native call */
    uint64_t *since;      /* where debuggers and live reports read `start` */
    const void *frame;    /* of the wrapper: call stacks are recognized from there */
    /* The begin clears what follows, up to `counted`, unless the call is plain. */
    uint64_t site; /* call site as in facts: return address or whole stack; 0: not determined yet (cs_call_site) */
    const struct callsign_record *on;   /* communicator, window or file of the call; NULL: none or unknown */
    const struct callsign_record *type; /* a datatype of the call that a role looked up; NULL: none */
    uint64_t unknown;                   /* its handle if it is not in the table yet */
    struct cs_details *details;         /* arguments that make the object; NULL: none. See wrappers/object/birth.h */
    uint64_t shared_ticks;              /* part of the time that belongs to other communicators (Waitall) */
    uint64_t sent_bytes, received_bytes;
    struct cs_message_cells *cells;    /* of its last message; NULL: there is none, or it is not counted */
    uint64_t posted_bytes;             /* size of a posted receive: sets the size class, but is no traffic */
    struct cs_free freeing;            /* an object that may die in the native call */
    uint64_t received_signature;       /* CS_TYPE_* of the datatype, as sent_signature below */
    uint32_t sent_type, received_type; /* ids of the datatypes; 0: unknown */
    uint32_t made;                     /* id of the object that the call made; 0: none */
    uint32_t collective;               /* number among the collective calls on its object; 0: none */
    bool sends;                        /* sends a message to the peer */
    bool receives;                     /* a receive whose size is known from the completed status */
    bool found;                        /* completed something: no vain poll */
    uint8_t message; /* enum cs_entry: the call sent or received a message, or is a poll; CS_ENTRY_CALL: neither */
    uint8_t reserved[4];
    bool counted;    /* the program's own call: counts in the profile. The first field that is not cleared */
    bool plain;      /* begun by cs_begin_plain; what follows `frame` is not cleared yet */
    bool by_fortran; /* CS_FORTRAN_IS_IN_MPI: the call of a Fortran entry point */
    bool unused;
    int32_t source, source_tag;                    /* of the received message */
    uint64_t sent_signature;                       /* set if `sends` */
    uint64_t sent_type_bytes, received_type_bytes; /* sizes of the datatypes, set if their signatures are known */
    int32_t own;                    /* set if `on` is NULL but `about` a communicator: rank of this process in it */
    struct cs_collective_data data; /* set by roles of wrappers/check, in functions that have them */
};

/* True unless the call is not recorded. Generated wrappers pass such a call on at once. */
static inline bool cs_call_is_recorded(const struct cs_call *call)
{
#ifdef CS_ALL_ARE_RECORDED
    (void)call;
    return true;
#else
    return call->thread != NULL;
#endif
}

/* Sets peer and tag with one store. They are later copied as one word, and two separate stores would delay that
   load. */
static_assert(offsetof(struct cs_call, tag) == offsetof(struct cs_call, peer) + sizeof(int32_t) &&
                  offsetof(struct cs_call, plain) == offsetof(struct cs_call, counted) + 1 &&
                  __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "peer and tag are one word, lowest first; so are the flags");
static inline void cs_call_set_peer(struct cs_call *call, int32_t peer, int32_t tag)
{
    uint64_t both = (uint32_t)peer | (uint64_t)(uint32_t)tag << 32;
    memcpy((char *)call + offsetof(struct cs_call, peer), &both, sizeof both);
}

/* True if the call has a peer or a tag. */
static inline bool cs_call_has_peer(const struct cs_call *call)
{
    uint64_t both, none = (uint32_t)CS_NO_PEER | (uint64_t)(uint32_t)CS_NO_TAG << 32;
    memcpy(&both, (const char *)call + offsetof(struct cs_call, peer), sizeof both);
    return both != none;
}

/* Bytes of the call, for its size class and its event. */
static inline uint64_t cs_call_bytes(const struct cs_call *call)
{
    uint64_t bytes = call->sent_bytes > call->received_bytes ? call->sent_bytes : call->received_bytes;
    return call->posted_bytes > bytes ? call->posted_bytes : bytes;
}

/* MPICH and its derivatives have the same handles in Fortran and C, and their Fortran functions call the C
   interface. In Open MPI, Fortran handles are numbers, and Fortran functions call internal functions of the MPI. */
#define CS_FORTRAN_HANDLES_ARE_C (sizeof(MPI_Comm) == sizeof(MPI_Fint))

enum { CS_CALL_CLEARED = offsetof(struct cs_call, counted) - offsetof(struct cs_call, site) };

/* Clears what a plain call has left; then it is like any other. */
static inline __attribute__((always_inline)) void cs_call_clear_rest(struct cs_call *call)
{
    char *rest = (char *)call + offsetof(struct cs_call, site);
    memset(rest, 0, 64); /* in parts: compilers do not unroll more than six stores */
    memset(rest + 64, 0, CS_CALL_CLEARED - 64);
    call->plain = false;
}

/* Sets all but the thread and the instants. */
static inline __attribute__((always_inline)) void cs_call_clear(struct cs_call *call, uint16_t function, uint32_t about,
                                                                uint64_t innermost, bool counted, bool plain)
{
    const uint64_t subject = about | (uint64_t)function << 32;
    call->innermost = innermost;
    cs_call_set_peer(call, CS_NO_PEER, CS_NO_TAG);
    memcpy((char *)call + offsetof(struct cs_call, about), &subject, sizeof subject); /* up to `waits` */
    if (!plain)
        cs_call_clear_rest(call);
    const uint32_t flags = (uint32_t)counted | (uint32_t)plain << 8;
    memcpy((char *)call + offsetof(struct cs_call, counted), &flags, sizeof flags);
}

static_assert(offsetof(struct cs_thread_state, doing) == offsetof(struct cs_thread_state, function) + 2 &&
                  offsetof(struct cs_thread_state, object) == offsetof(struct cs_thread_state, function) + 4,
              "function, doing and object are one word, lowest first");

/* Begins the call of a thread that is in no other. Function, doing and object are set by one store: each store costs a
   third of a nanosecond. The depth comes first: a signal handler that calls MPI_Wtime sees a call that is not in the
   MPI. */
static inline __attribute__((always_inline)) void cs_call_begin(struct cs_thread *thread, struct cs_call *call,
                                                                uint16_t function, uint32_t about, uint64_t innermost,
                                                                const void *frame, bool plain)
{
    struct cs_thread_state *state = thread->state;
    call->start = call->stop = 0;
    thread->frames[0] = call;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    thread->depth = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    cs_call_clear(call, function, about, innermost, true, plain);
    uint64_t *word = (uint64_t *)(void *)((char *)state + offsetof(struct cs_thread_state, function));
    __atomic_store_n(word, function | (uint64_t)CS_THREAD_INSIDE << 16 | (uint64_t)about << 32,
                     __ATOMIC_RELAXED); /* other threads read it */
    state->peer = CS_NO_PEER;
    state->tag = CS_NO_TAG;
    state->bytes = CS_NO_BYTES;
    state->site = innermost;
    if (!plain)
        call->since = &state->since_ticks;
    call->frame = frame;
    call->thread = thread;
}

/* True if the thread records, is in no call, and no call can come from Python. */
static inline bool cs_thread_is_ready(const struct cs_thread *thread)
{
    return __builtin_expect(thread && thread->depth == 0 &&
                                atomic_load_explicit(&cs_recorder.on, memory_order_relaxed) == CS_RECORDS_CALLS,
                            1);
}

/* Begins a call: finds the thread's state and decides who made the call. Returns false if it is not recorded. The
 * common case is a recording thread that is in no call. Always inlined, because the personality routine and the frame
 * must be the wrapper's. */
bool cs_enter_otherwise(struct cs_call *call, uint16_t function, const void *site, const void *frame);
static inline __attribute__((always_inline)) bool cs_enter_shortly(struct cs_call *call, uint16_t function,
                                                                   const void *site, const void *frame)
{
    struct cs_thread *thread = cs_thread_self;
    if (!cs_thread_is_ready(thread))
        return cs_enter_otherwise(call, function, site, frame);
    cs_call_begin(thread, call, function, 0, (uint64_t)(uintptr_t)site, frame, false);
    return true;
}
static inline __attribute__((always_inline)) bool cs_enter(struct cs_call *call, uint16_t function, const void *site)
{
    CS_TELL_UNWINDING();
    return cs_enter_shortly(call, function, site, __builtin_frame_address(0));
}

/* cs_enter for functions that a signal handler may call, which read a clock: see record/call/clock_calls.h. They leave
   by cs_leave_clock. */
void cs_enter_clock_otherwise(struct cs_call *call, uint16_t function, const void *site, const void *frame);
static inline __attribute__((always_inline)) void cs_enter_clock(struct cs_call *call, uint16_t function,
                                                                 const void *site)
{
    struct cs_thread *thread = cs_thread_self;
    CS_TELL_UNWINDING();
    if (cs_thread_is_ready(thread))
        cs_call_begin(thread, call, function, 0, (uint64_t)(uintptr_t)site, __builtin_frame_address(0), false);
    else
        cs_enter_clock_otherwise(call, function, site, __builtin_frame_address(0));
}
static inline __attribute__((always_inline)) void cs_enter_clock_fortran(struct cs_call *call, uint16_t function,
                                                                         const void *site)
{
    cs_enter_clock(call, function, site);
    if (CS_FORTRAN_IS_IN_MPI)
        call->by_fortran = true;
}
void cs_leave_clock(struct cs_call *call);

/* cs_enter for a function that the wrapper calls, whose site and frame are given; and for a Fortran entry point.
   CS_FORTRAN_IS_IN_MPI: it is in the library with the C functions, which it may
   call. Not inlined: while the MPI runs, the registers then still have the arguments, and debuggers show them. */
bool cs_enter_of_frame(struct cs_call *call, uint16_t function, const void *site, const void *frame);
static inline __attribute__((always_inline)) bool cs_enter_fortran(struct cs_call *call, uint16_t function,
                                                                   const void *site)
{
    CS_TELL_UNWINDING();
    bool recorded = cs_enter_of_frame(call, function, site, __builtin_frame_address(0));
    if (CS_FORTRAN_IS_IN_MPI)
        call->by_fortran = true;
    return recorded;
}

/* The function is one that programs repeat until it finds something. */
static inline void cs_polls(struct cs_call *call)
{
    call->message = CS_ENTRY_POLLS;
}

/* cs_leave for functions without messages, bytes, peers and collective numbers: their events are the shortest. */
void cs_leave_alone(struct cs_call *call);

/* Ends the call and adds it to its profile cell. */
void cs_leave_recorded(struct cs_call *call);
static inline void cs_leave(struct cs_call *call)
{
    if (cs_call_is_recorded(call))
        cs_leave_recorded(call);
}

/* cs_leave for collective functions. */
void cs_leave_collective(struct cs_call *call);

/* For wrappers/call/leave.h: ends a call that is not in the steady state; ends one that is, with the event of a poll, a
   wide entry, or a message whose channel is not known yet. place: of its profile cell. */
void cs_leave_otherwise(struct cs_call *call);
void cs_leave_write_otherwise(struct cs_thread *thread, const struct cs_call *call, uint32_t place, uint64_t bytes);

static inline void cs_start(struct cs_call *call)
{
    if (!cs_call_is_recorded(call))
        return;
    uint64_t now = cs_clock_ticks();
    if (__builtin_expect(now - call->thread->last_ticks >= cs_recorder.long_ticks, 0))
        now = cs_stretch_pass(call->thread, now);
    *call->since = call->start = now;
}

static inline void cs_stop(struct cs_call *call)
{
    if (cs_call_is_recorded(call))
        call->stop = cs_clock_ticks();
}

static inline void cs_start_clock(struct cs_call *call)
{
    if (call->thread)
        cs_start(call);
}

static inline void cs_stop_clock(struct cs_call *call)
{
    if (call->thread)
        cs_stop(call);
}

/* After the native call: records that it returned an error. */
void cs_note_failure_recorded(struct cs_call *call, int result);
static inline void cs_note_failure(struct cs_call *call, int result)
{
    if (__builtin_expect(result != MPI_SUCCESS, 0) && cs_call_is_recorded(call))
        cs_note_failure_recorded(call, result);
}

/* Records an error that the call reports about one of its operations, on this object. */
struct cs_failed_part {
    uint32_t object;
    int32_t peer, tag;
};
void cs_note_failure_of(struct cs_call *call, int result, struct cs_failed_part part);

/* True if roles may read the results of the native call. */
static inline bool cs_succeeded(const struct cs_call *call, int result)
{
    return result == MPI_SUCCESS && cs_call_is_recorded(call);
}

/* cs_succeeded for a receiving call: a message longer than the buffer is an error, but it has arrived. */
bool cs_is_truncated(int result);
static inline bool cs_has_received(const struct cs_call *call, int result)
{
    return cs_call_is_recorded(call) && (result == MPI_SUCCESS || cs_is_truncated(result));
}

/* The call site for facts: the whole stack unless a setting says otherwise. Only after cs_stop, because the stack
   walk is not MPI time. */
uint64_t cs_call_site(struct cs_call *call);

/* True if the innermost part of a call site is not its site for the profile, or if it is time to look whether libraries
   were replaced. */
static inline bool cs_call_needs_site(const struct cs_call *call)
{
    return cs_recorder.call_stacks || call->stop >= call->thread->unloads_next;
}

/* The call site for the profile: its innermost part unless a setting says otherwise. Only after cs_stop. */
uint64_t cs_call_find_site(struct cs_call *call);
static inline uint64_t cs_call_profile_site(struct cs_call *call)
{
    return __builtin_expect(cs_call_needs_site(call), 0) ? cs_call_find_site(call) : call->innermost;
}

struct cs_last_call;

/* Takes a call that only has to leave out of the profile, for callers that record it elsewhere. Returns false if it
   is not counted, or must stay because other calls of the program are inside it or around it. */
bool cs_call_exclude(struct cs_call *call, struct cs_last_call *told);

static_assert(offsetof(struct cs_call, thread) == offsetof(struct callsign_call, thread) &&
                  offsetof(struct cs_call, innermost) == offsetof(struct callsign_call, site) &&
                  offsetof(struct cs_call, start) == offsetof(struct callsign_call, since_ticks) &&
                  offsetof(struct cs_call, peer) == offsetof(struct callsign_call, peer) &&
                  offsetof(struct cs_call, tag) == offsetof(struct callsign_call, tag) &&
                  offsetof(struct cs_call, about) == offsetof(struct callsign_call, object) &&
                  offsetof(struct cs_call, function) == offsetof(struct callsign_call, function) &&
                  offsetof(struct cs_call, unknown_kind) == offsetof(struct callsign_call, unknown_kind) &&
                  offsetof(struct cs_call, waits) == offsetof(struct callsign_call, waits),
              "a call begins as debuggers know it");
