/* The state of this process's recording, which all of record/ and the wrappers read. record/recording.h begins and
   ends it, record/process/run_folder.h gives the journal its file. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "journal/writer.h"

enum cs_recording {
    CS_RECORDS_CALLS = 1, /* unset before the start, after recording stopped, and in forked children */
    CS_SEES_PYTHON = 2,   /* Python may make calls: see record/site/python.h */
    CS_TAKES_DETOURS = 4  /* paused: no call ends in the steady state, see cs_thread_detour */
};

struct cs_recorder {
    struct cs_journal *journal;
    _Atomic uint8_t on;       /* enum cs_recording */
    _Atomic bool paused;      /* MPI_Pcontrol(0): the profile is paused, objects are still tracked */
    bool stacks;              /* call sites of objects and attributes are whole stacks */
    bool call_stacks;         /* call sites of all calls are whole stacks */
    bool explains;            /* the code between calls is recorded; see record/call/stretch.h */
    uint64_t long_ticks;      /* code or a call that lasts longer takes the detour of cs_leave; a power of two, so that
                                 one comparison tells whether any of several spans is that long */
    bool checks;              /* arguments of calls are checked; see wrappers/check/misuse.h */
    _Atomic uint64_t region;  /* of calls: the byte of struct cs_profile_key in its place; see record/call/region.h */
    _Atomic bool spans_nodes; /* a communicator may have members on other nodes; never cleared */
    _Atomic bool parallel;    /* the MPI lets threads call it at the same time; never cleared */
};

extern struct cs_recorder cs_recorder __attribute__((visibility("hidden")));

/* Each flag stands alone: no later access of a reader depends on earlier writes of another thread. */
static inline bool cs_is_recording(void)
{
    return atomic_load_explicit(&cs_recorder.on, memory_order_relaxed) & CS_RECORDS_CALLS;
}
static inline void cs_recorder_switch(enum cs_recording what, bool on)
{
    if (on)
        atomic_fetch_or_explicit(&cs_recorder.on, (uint8_t)what, memory_order_release);
    else
        atomic_fetch_and_explicit(&cs_recorder.on, (uint8_t)~what, memory_order_relaxed);
}
static inline bool cs_is_paused(void)
{
    return atomic_load_explicit(&cs_recorder.paused, memory_order_relaxed);
}
static inline bool cs_is_parallel(void)
{
    return atomic_load_explicit(&cs_recorder.parallel, memory_order_relaxed);
}
