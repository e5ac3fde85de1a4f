/* When MPI began and ended, and what it says of itself: what the wrappers of Init, Finalize, sessions and Pcontrol tell
   the journal. Times are ticks. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* MPI answers questions. mpi: what the library says of its version; thread_level: "MPI_THREAD_MULTIPLE", ...; parallel:
   threads of the program may call at once. */
void cs_lifetime_mpi(const char *mpi, const char *thread_level, bool parallel);

/* When MPI_Init has returned; when MPI_Finalize, or the last of the sessions' finalizes so far, was called. */
void cs_lifetime_began(uint64_t ticks);
void cs_lifetime_ended(uint64_t ticks);

/* MPI_Abort was called with this code. */
void cs_lifetime_aborted(int code);

/* MPI_Pcontrol(0) pauses the profile, 1 resumes it. */
void cs_lifetime_pcontrol(int level);

/* Takes another pair of readings of both clocks. */
void cs_lifetime_tick(void);

/* Whether the journal has the name of a rank. */
bool cs_lifetime_has_rank(void);

/* In a process without MPI_COMM_WORLD: whether a session was finalized. */
bool cs_lifetime_ended_by_session(void);

/* Whether the outcome in the journal is that MPI was finalized. */
bool cs_lifetime_is_finalized(void);

/* Whether this process still has a recording to end: not a forked child, which shares its parent's journal. */
bool cs_lifetime_is_open(void);
