/* The state of the recording of this process, which all of record/ and the wrappers read. record/start.h begins it,
   record/save.h gives the journal its file, record/finish.h ends it. */
#pragma once

#include <stdbool.h>

#include "db/journal/journal.h"

struct cs_recorder {
    struct cs_journal *journal;
    bool on;          /* calls are recorded; false before the start, when recording stopped, and in forked children */
    bool paused;      /* MPI_Pcontrol(0): the profile rests, objects are followed */
    bool stacks;      /* call sites of objects and attributes are whole stacks */
    bool call_stacks; /* call sites of all calls are */
    bool parallel;    /* MPI_THREAD_MULTIPLE: tables that threads share take their locks */
};

extern struct cs_recorder cs_recorder __attribute__((visibility("hidden")));
