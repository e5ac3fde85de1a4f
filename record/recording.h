/* The recording of this process: its begin, facts about process and MPI, its end. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "journal/format.h"

/* Records what callsign emulates, as text. */
void cs_process_note_emulated(const char *families);

/* ---- lifetime ---- */

/* Begin and end of MPI, and facts about it, recorded by the wrappers of Init, Finalize, sessions and Pcontrol. Times
   are ticks. */

/* MPI answers queries. mpi: version text of the library; thread_level: "MPI_THREAD_MULTIPLE", ...; parallel: threads
   of the program may call MPI at the same time. */
void cs_lifetime_note_mpi(const char *mpi, const char *thread_level, bool parallel);

/* MPI_Init has returned; MPI_Finalize, or the last finalize of a session so far, was called. */
void cs_lifetime_note_begin(uint64_t ticks);
void cs_lifetime_note_end(uint64_t ticks);

/* MPI_Abort was called with this code. */
void cs_lifetime_note_abort(int code);

/* MPI_Pcontrol(0) pauses the profile, 1 resumes it. */
void cs_lifetime_set_level(int level);

/* Reads both clocks again. */
void cs_lifetime_read_clocks(void);

/* The rank in MPI_COMM_WORLD; negative: none yet. Not after cs_recorder_finish. */
int cs_lifetime_rank(void);

/* True if the journal has a rank's name. */
bool cs_lifetime_has_rank(void);

/* In a process without MPI_COMM_WORLD: true if a session was finalized. */
bool cs_lifetime_ended_by_session(void);

/* True if the journal's outcome is finalized. */
bool cs_lifetime_is_finalized(void);

/* True if this process has a recording to end. A forked child has none: it shares its parent's journal. */
bool cs_lifetime_is_open(void);

/* ---- start ---- */

/* Begins the recording at the process's first MPI call of any kind. The journal is in memory until
   record/process/run_folder.h gives it a file. Knows no MPI: wrappers/lifecycle/lifecycle.c decides when. */

/* Reads the settings and begins. handle_bytes: size of a communicator handle in this MPI. Returns false if a setting
   disables recording, or it could not begin (one line on stderr says so). Call it once. A forked child stops
   recording by itself: it has no MPI, and the journal is its parent's. */
bool cs_recorder_start(uint32_t handle_bytes, const char *flavour);

/* ---- the end of the recording: how the process ended, and the trace that becomes of its journal ---- */

/* Records how it ended, unless an end was recorded before. */
void cs_recorder_set_outcome(enum cs_outcome outcome);

/* Ends the recording and, unless the setting says later, converts the journal to the trace next to it. */
void cs_recorder_finish(void);
