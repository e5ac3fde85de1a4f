/* The progress of this process on its communicators, windows and files: the number of collective calls on each, enter
   and leave times of synchronizing ones, and window locks that it holds. `callsign hang` uses the numbers to find late
   members; db/run uses the times to compare clocks.

   Threads may make such calls on one object one after the other, never at once (MPI 4.1, 6.14): counting takes no lock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cs_thread;

/* ---- collective calls ---- */

/* The arguments of a call that must agree on all members. The journal keeps them for the last calls, and a hash over
   all calls: db/trace/views/checks.sql compares the members. */
struct cs_collective_data {
    uint64_t signature, own; /* as in struct cs_collective_call */
    uint64_t size_bytes, own_bytes;
    uint32_t type;
    uint16_t op;       /* enum cs_reduction */
    uint16_t compared; /* enum cs_compared_data */
};

struct cs_collective_function {
    uint16_t function;
    uint16_t operation; /* function without its form for large counts */
    int32_t root;
};

/* The thread begins the next collective call on the object. The n-th call on an object belongs to the n-th call of
   all other members, whatever the functions (MPI 4.1, 6.1). data NULL: none that is compared before the call. last: the
   call frees the object and needs no count if it is the only one. Returns the number of the call; 0: not counted (no
   memory). */
uint32_t cs_collective_begin(struct cs_thread *thread, uint32_t object, struct cs_collective_function what,
                             uint64_t site, const struct cs_collective_data *data, bool last);

/* The call with this number returned an error: nobody can say whether it counted for the other members. */
void cs_collective_fail(struct cs_thread *thread, uint32_t object, uint32_t number);

/* ---- synchronizing calls ----

   They are counted for each communicator; journal/format.h says what is kept and why. All members must count alike
   without communication. Therefore every call counts, also while recording is paused. Where a call did not return, or
   failed, nobody can say whether it counted for the others: nothing more is kept of that communicator. */

/* The times of a call that bound differences of clocks, in ticks. */
struct cs_synchronization_span {
    uint64_t entered; /* 0: no process waits for this one */
    uint64_t left;    /* 0: this process waits for no other */
};

/* The thread enters such a call on the communicator with this id. */
void cs_synchronization_enter(struct cs_thread *thread, uint32_t object);

/* The call returned without error, and exchanged data. */
void cs_synchronization_leave(struct cs_thread *thread, uint32_t object, struct cs_synchronization_span span);

/* The call returned without error but had no data: it synchronized no member. */
void cs_synchronization_pass(struct cs_thread *thread, uint32_t object);

/* The object is dead: drops its counts. freed: callsign hang no longer needs the number of calls. */
void cs_progress_drop(uint32_t object, bool freed);

/* ---- locks of windows, between MPI_Win_lock and MPI_Win_unlock ---- */

/* target: rank, or CS_PEER_ANY: all. */
void cs_window_lock_add(uint32_t window, int32_t target, bool exclusive);
void cs_window_lock_remove(uint32_t window, int32_t target);

/* In a forked child. */
void cs_progress_forget(void);
