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
#include "record/module.h"
#include "record/recorder.h"
#include "record/thread.h"
#include "whole_mpi.h"
#include "wrappers/mpi/handle.h"

/* ---- calls that are left by an exception ---- */

/* A frame that an exception (of C++, of any language; or pthread_exit) is unwound through is shown to the personality
   routine of its function. Every function that begins a call has ours, which says that the call was left: nothing to
   do on the way through a wrapper, no code in it, and no need of a library that unwinds. The encoding: relative to
   here, four bytes, signed. */
#if defined(__x86_64__) || defined(__aarch64__)
#define CS_TELL_UNWINDING() __asm__ volatile(".cfi_personality 0x1b, cs_call_unwinding")
#else
#define CS_TELL_UNWINDING() ((void)0)
#endif

/* The personality routine, as the C++ ABI for Itanium has it. */
int cs_call_unwinding(int version, int actions, uint64_t exception_class, const void *exception, const void *context);

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

/* Sessions came with MPI 4; Open MPI 5 has them and still calls itself 3.1. */
#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define CS_HAS_SESSIONS 1
#endif

struct cs_details;

/* It begins as a struct callsign_call, which debuggers read. */
struct cs_call {
    struct cs_thread *thread; /* NULL: not recording */
    uint64_t return_address;  /* into the program */
    uint64_t start;           /* ticks right before the native call */
    int32_t peer, tag;        /* that the call names, as in struct cs_thread_state */
    uint32_t about;           /* id of the communicator, window or file that the time belongs to; 0: none */
    uint16_t function;
    uint8_t unknown_kind;  /* enum callsign_kind of `unknown` */
    uint8_t waits;         /* CALLSIGN_REQUEST_* of the request whose peer this is; 0: it waits for none */
    uint64_t stop;         /* ticks right after it */
    uint64_t site;         /* return address or the whole stack, as in facts; 0: not asked for yet: cs_call_site */
    uint64_t *since;       /* where a debugger or a live report looks for `start` */
    uint64_t shared_ticks; /* part of the time that was given to other communicators (Waitall) */
    uint64_t sent_bytes, received_bytes;
    uint64_t posted_bytes;            /* size of a posted receive: decides the size class, is not traffic */
    const struct callsign_record *on; /* communicator, window or file that the call names; NULL: none or not known */
    uint64_t unknown;                 /* its handle when it is not in the table yet */
    const struct cs_details
        *details;           /* how the object at hand is made; NULL: nothing told. See wrappers/object/birth.h */
    struct cs_free freeing; /* until the native call says whether it is dead */
    uint32_t made;          /* id of the object that the call made; 0: none */
    uint32_t collective;    /* its number among the collective calls on its object; 0: none */
    bool counted;           /* the program's own call: it goes into the profile */
    bool sends;             /* a message to the peer */
    bool receives;          /* a receive whose size the completed status tells */
    bool by_fortran;        /* CS_FORTRAN_IS_IN_MPI: the call of an entry point of Fortran */
};

/* Sets peer and tag with one store: what copies both reads them as one word, which two stores of a moment ago would
   hold up. */
static_assert(offsetof(struct cs_call, tag) == offsetof(struct cs_call, peer) + sizeof(int32_t) &&
                  __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "peer and tag are one word, lowest first");
static inline void cs_call_set_peer(struct cs_call *call, int32_t peer, int32_t tag)
{
    uint64_t both = (uint32_t)peer | (uint64_t)(uint32_t)tag << 32;
    memcpy((char *)call + offsetof(struct cs_call, peer), &both, sizeof both);
}

/* MPICH and its kin have the same handles in Fortran as in C, and their Fortran functions call the C interface. In
   Open MPI handles are numbers in Fortran, and its functions call what lies behind the C interface. */
#define CS_FORTRAN_HANDLES_ARE_C (sizeof(MPI_Comm) == sizeof(MPI_Fint))

/* Whether this call is how the Fortran layer of the MPI does what the program called it for, whose entry point records
   all that is known of it: then a wrapper has nothing to do but pass it on. The same conditions as of cs_enter, so that
   asking both costs calls from C nothing. False for what is not so sure; cs_enter looks closer. */
static inline bool cs_is_forwarded(const void *site)
{
    const struct cs_thread *thread = cs_thread_self;
    if (!CS_FORTRAN_HANDLES_ARE_C || !thread || __builtin_expect(thread->depth == 0, 1))
        return false;
    return cs_module_is_in(&cs_module_fortran, (uint64_t)(uintptr_t)site) && thread->depth <= CS_DEPTH_MAX &&
           thread->frames[thread->depth - 1] > (const void *)__builtin_frame_address(0);
}

/* Begins a call: finds the thread's state, decides whose call it is. Never fails. The first two are its parts: the
   thread is in no call and records, or anything else. Always inline: the personality and the frame are the wrapper's.
 */
void cs_enter_outermost(struct cs_thread *thread, struct cs_call *call, uint16_t function, const void *site);
void cs_enter_otherwise(struct cs_call *call, uint16_t function, const void *site, const void *frame);
static inline __attribute__((always_inline)) void cs_enter(struct cs_call *call, uint16_t function, const void *site)
{
    struct cs_thread *thread = cs_thread_self;
    CS_TELL_UNWINDING();
    if (__builtin_expect(thread && thread->depth == 0 && cs_is_recording(), 1))
        cs_enter_outermost(thread, call, function, site);
    else
        cs_enter_otherwise(call, function, site, __builtin_frame_address(0));
}

/* The same of an entry point of Fortran. CS_FORTRAN_IS_IN_MPI: it is in the library that has the functions of C, which
   may be how it does its work. */
static inline __attribute__((always_inline)) void cs_enter_fortran(struct cs_call *call, uint16_t function,
                                                                   const void *site)
{
    cs_enter(call, function, site);
    if (CS_FORTRAN_IS_IN_MPI)
        call->by_fortran = true;
}

/* Ends it: one profile cell. The part that is in every wrapper leaves calls that are not recorded alone. */
void cs_leave_recorded(struct cs_call *call);
static inline void cs_leave(struct cs_call *call)
{
    if (call->thread)
        cs_leave_recorded(call);
}

static inline void cs_start(struct cs_call *call)
{
    if (call->thread)
        *call->since = call->start = cs_clock_ticks();
}

static inline void cs_stop(struct cs_call *call)
{
    if (call->thread)
        call->stop = cs_clock_ticks();
}

/* Whether roles may look at the results of the native call. */
static inline bool cs_succeeded(const struct cs_call *call, int result)
{
    return result == MPI_SUCCESS && call->thread;
}

/* The same of a call that receives: a message that was longer than the buffer is an error, and yet it has come. */
bool cs_is_truncated(int result);
static inline bool cs_has_received(const struct cs_call *call, int result)
{
    return call->thread && (result == MPI_SUCCESS || cs_is_truncated(result));
}

/* From where the call was made, as it stands in facts: the whole stack unless the settings say otherwise. Only after
   cs_stop: the walk is not the MPI's time. */
uint64_t cs_call_site(struct cs_call *call);

/* The same for the profile, whose places are return addresses unless the settings say otherwise. */
static inline uint64_t cs_call_profile_site(struct cs_call *call)
{
    return __builtin_expect(cs_recorder.call_stacks, 0) ? cs_call_site(call) : call->return_address;
}

struct cs_last_call;

/* Takes the call, which has nothing more to do but leave, out of the profile, for those who tell it elsewhere. False:
   it is not counted, or belongs into the profile because calls of the program are inside it or around it. */
bool cs_call_exclude(struct cs_call *call, struct cs_last_call *told);

static_assert(offsetof(struct cs_call, thread) == offsetof(struct callsign_call, thread) &&
                  offsetof(struct cs_call, return_address) == offsetof(struct callsign_call, site) &&
                  offsetof(struct cs_call, start) == offsetof(struct callsign_call, since_ticks) &&
                  offsetof(struct cs_call, peer) == offsetof(struct callsign_call, peer) &&
                  offsetof(struct cs_call, tag) == offsetof(struct callsign_call, tag) &&
                  offsetof(struct cs_call, about) == offsetof(struct callsign_call, object) &&
                  offsetof(struct cs_call, function) == offsetof(struct callsign_call, function) &&
                  offsetof(struct cs_call, unknown_kind) == offsetof(struct callsign_call, unknown_kind) &&
                  offsetof(struct cs_call, waits) == offsetof(struct callsign_call, waits),
              "a call begins as debuggers know it");
