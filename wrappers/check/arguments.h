/* Local checks of arguments. gen/argument_checks.py puts them into wrappers, inside a branch that only CALLSIGN_CHECK
   takes. Nothing is reported about intercommunicators, and about objects that callsign does not know. */
#pragma once

#include "wrappers/call/arrays.h"
#include "wrappers/call/handles.h"
#include "wrappers/call/misuse.h"
#include "wrappers/check/repeated.h"
#include "wrappers/check/threads.h"

/* First of all checks of a call: forgets the buffers of the last call, and checks the thread. */
void cs_begin_checks(struct cs_call *call);

/* True if the last checked call of this call site was the same: all its arguments, `words`, the object, and the place
   of the wrapper's frame. And if nothing has changed since then that its checks depend on: no object was made or freed,
   and there are no pending buffers, windows and probes. Then they would find the same, which is reported once. Only for
   calls that leave nothing behind: see checks_once in gen/argument_checks.py. Call cs_begin_checks if it is false. */
bool cs_is_checked_already(const struct cs_call *call, const uint64_t words[static CS_REPEATED_WORDS], uint64_t sum);
static inline __attribute__((always_inline)) bool cs_is_checked_before(struct cs_call *call,
                                                                       const uint64_t words[static CS_REPEATED_WORDS])
{
    if (cs_is_new_again(call) || !cs_is_checked_already(call, words, cs_repeated_sum(words)))
        return false;
    cs_check_threads(call);
    return true;
}

/* The same after cs_begin_checks, with few variables: debuggers find the arguments of Fortran in registers that are
   left. */
static inline __attribute__((always_inline)) bool cs_was_checked(const struct cs_call *call,
                                                                 const uint64_t words[static CS_REPEATED_WORDS])
{
    return cs_is_checked_already(call, words, cs_repeated_sum(words));
}

/* The same for a call that begins a request. The operation of the last call, which has gone, begins again: its buffers
   are pending with the new request. */
bool cs_begins_once_more(const struct cs_call *call, const uint64_t words[static CS_REPEATED_WORDS], uint64_t sum);
static inline __attribute__((always_inline)) bool cs_begins_again(const struct cs_call *call,
                                                                  const uint64_t words[static CS_REPEATED_WORDS])
{
    return cs_begins_once_more(call, words, cs_repeated_sum(words));
}

/* ---- ranks, tags, operations ---- */

void cs_checks_rank(struct cs_call *call, int rank);
void cs_checks_source(struct cs_call *call, int rank);
void cs_checks_root(struct cs_call *call, int root);
/* A tag has no meaning with MPI_PROC_NULL. */
void cs_checks_tag(struct cs_call *call, int tag, int peer);
void cs_checks_received_tag(struct cs_call *call, int tag, int peer);
/* A reduction takes all operations, a one-sided accumulation predefined ones only. Of the pairs of operation and
   datatype that the standard does not allow (MPI 4.1, 6.9.2), these are noted: logical and bitwise operations on
   floating-point numbers, arithmetic on logical values, and MPI_MAXLOC and MPI_MINLOC without pairs. MPIs allow
   others. */
void cs_checks_reduction(struct cs_call *call, MPI_Op op, MPI_Datatype type);
void cs_checks_accumulation(struct cs_call *call, MPI_Op op);

/* ---- data ---- */

enum cs_use { CS_USE_READ, CS_USE_WRITE, CS_USE_ACCUMULATE, CS_USE_FETCH };

/* The call reads or writes this data. */
void cs_use_data(struct cs_call *call, enum cs_use use, const void *buffer, MPI_Count count, MPI_Datatype type);
/* With a peer, which may be MPI_PROC_NULL. */
void cs_use_data_with(struct cs_call *call, enum cs_use use, const void *buffer, MPI_Count count, MPI_Datatype type,
                      int peer);
/* The data goes to a file or another buffer, or comes from there, whatever the size of the communicator. */
void cs_use_here(struct cs_call *call, enum cs_use use, const void *buffer, MPI_Count count, MPI_Datatype type);
/* One element. */
void cs_use_element(struct cs_call *call, enum cs_use use, const void *buffer, MPI_Datatype type);
/* What is combined with other data by the operation; with MPI_NO_OP it is not read. */
void cs_use_combined(struct cs_call *call, const void *buffer, MPI_Count count, MPI_Datatype type, MPI_Op op);
void cs_use_combined_element(struct cs_call *call, const void *buffer, MPI_Datatype type, MPI_Op op);
/* One block for each member. */
void cs_use_blocks(struct cs_call *call, enum cs_use use, const void *buffer, MPI_Count count, MPI_Datatype type);
/* The root reads the data, others write it. */
void cs_use_broadcast(struct cs_call *call, const void *buffer, MPI_Count count, MPI_Datatype type, int root);

/* A block of its own size for each member, at displacements in units of the datatype. Those that the call writes are
   compared with their neighbors. */
void cs_use_varying_blocks(struct cs_call *call, enum cs_use use, const void *buffer, struct cs_counts counts,
                           struct cs_integers displacements, MPI_Datatype type);
/* Each block with its own datatype; displacements in bytes. */
void cs_use_typed_blocks(struct cs_call *call, enum cs_use use, const void *buffer, struct cs_counts counts,
                         struct cs_integers displacements, struct cs_types types);
/* MPI_Reduce_scatter: each member receives as many elements as its count says. */
void cs_use_reduced_blocks(struct cs_call *call, const void *sent, const void *received, struct cs_counts counts,
                           MPI_Datatype type);

/* Where the function does not allow MPI_IN_PLACE, or only at the root. */
static inline void cs_checks_never_in_place(struct cs_call *call, const void *buffer)
{
    if (__builtin_expect(buffer == MPI_IN_PLACE, 0))
        cs_misuse_note(call, CS_MISUSE_MISPLACED_IN_PLACE, 0, 0);
}
static inline void cs_checks_in_place_at_root(struct cs_call *call, const void *buffer, int root)
{
    if (__builtin_expect(buffer == MPI_IN_PLACE, 0) && call->on &&
        (call->on->remote_size < 0 ? call->on->rank != root : root >= 0))
        cs_misuse_note(call, CS_MISUSE_MISPLACED_IN_PLACE, 0, 0);
}
/* It is allowed within a group, not between two. */
static inline void cs_checks_in_place(struct cs_call *call, const void *buffer)
{
    if (__builtin_expect(buffer == MPI_IN_PLACE, 0) && call->on && call->on->remote_size >= 0)
        cs_misuse_note(call, CS_MISUSE_MISPLACED_IN_PLACE, 0, 0);
}

/* The bytes of predefined datatypes and of contiguous ones made from them; 0 for others. Checks count and datatype. */
uint64_t cs_check_data(struct cs_call *call, MPI_Count count, MPI_Datatype type);
