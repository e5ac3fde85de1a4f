/* The recording of this process: its beginning, what the journal says about process and MPI, its end. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "journal/format.h"

/* Notes what callsign does in place of the MPI, in words. */
void cs_process_note_emulated(const char *families);

/* ---- lifetime ---- */

/* When MPI began and ended, and what it says of itself: what the wrappers of Init, Finalize, sessions and Pcontrol tell
   the journal. Times are ticks. */

/* MPI answers questions. mpi: what the library says of its version; thread_level: "MPI_THREAD_MULTIPLE", ...; parallel:
   threads of the program may call at once. */
void cs_lifetime_note_mpi(const char *mpi, const char *thread_level, bool parallel);

/* When MPI_Init has returned; when MPI_Finalize, or the last of the sessions' finalizes so far, was called. */
void cs_lifetime_note_begin(uint64_t ticks);
void cs_lifetime_note_end(uint64_t ticks);

/* MPI_Abort was called with this code. */
void cs_lifetime_note_abort(int code);

/* MPI_Pcontrol(0) pauses the profile, 1 resumes it. */
void cs_lifetime_set_level(int level);

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

/* ---- start ---- */

/* The beginning of the recording, at the process's first MPI call of any kind: in memory, until
   record/process/run_folder.h gives it a file. Knows nothing of MPI: wrappers/lifecycle/lifecycle.c says when. */

/* Reads the settings and begins. handle_bytes: of a communicator handle in this MPI. False: recording is off by setting
   or could not begin (one line on stderr says so). Call once. A forked child stops recording by itself: it has no MPI,
   and the journal is its parent's. */
bool cs_recorder_start(uint32_t handle_bytes, const char *flavour);

/* ---- the end of the recording: how the process ended, and the trace that becomes of its journal ---- */

/* How it ended, unless an end was noted before. */
void cs_recorder_set_outcome(enum cs_outcome outcome);

/* Ends the recording and, unless the setting says later, seals the journal into the trace beside it. */
void cs_recorder_finish(void);
