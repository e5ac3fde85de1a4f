/* The recording of this process: begins at the first MPI call of any kind, gets its file when the run's folder is
   known, ends with MPI_Finalize or the process. Knows nothing of MPI: wrappers/lifecycle/lifecycle.c says when. */
#ifndef CS_RECORD_RECORDER_H
#define CS_RECORD_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "db/journal/journal.h"

struct cs_recorder {
    struct cs_journal *journal;
    bool on;          /* calls are recorded; false before the start, when recording stopped, and in forked children */
    bool paused;      /* MPI_Pcontrol(0): the profile rests, objects are followed */
    bool stacks;      /* places of objects and attributes are whole stacks */
    bool call_stacks; /* places of all calls are */
    bool parallel;    /* MPI_THREAD_MULTIPLE: tables that threads share take their locks */
};

extern struct cs_recorder cs_recorder __attribute__((visibility("hidden")));

/* Reads the settings and begins, in memory. False: recording is off by setting or could not begin (said in one line).
 * Call once. */
bool cs_recorder_start(uint32_t handle_bytes, const char *flavour);

/* What the launcher says is this process's rank, without MPI; -1 if it says nothing. */
int cs_recorder_launched_rank(void);

/* Chooses the run's folder and moves the journal there, under a name without rank; once, whoever comes first. At the
   first call of a process that a launcher started as a rank, of others before MPI_Init is forwarded. */
void cs_recorder_save(void);

/* MPI is initialised: the journal gets its final name. rank -1: a process without MPI_COMM_WORLD (sessions). */
void cs_recorder_world(int rank, int size);

/* How it ended, unless an end was noted before. */
void cs_recorder_outcome(enum cs_outcome outcome);

/* Ends the recording and, unless the setting says later, seals the journal into the trace beside it. */
void cs_recorder_finish(void);

/* Stops for good, with the reason on stderr; the program goes on. */
void cs_recorder_give_up(const char *what, const char *why);

#endif
