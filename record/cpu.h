/* On which processors the calls of each thread were made, and how often it moved from one to another. Seen at the end
   of each outermost call: the kernel keeps the number of the processor in a word of the thread (glibc registers it: the
   rseq area), so to look costs two loads. Where there is no such word the kernel is asked, at most every 10 ms. */
#pragma once

#include "record/thread.h"

/* A thread begins to use the state, ends to use it. */
void cs_cpu_begin(struct cs_thread *thread);
void cs_cpu_end(struct cs_thread *thread);

/* Looks where the thread is, at the end of a call and before that is counted. ticks: when it ended. */
void cs_cpu_changed(struct cs_thread *thread, uint64_t ticks);
static inline bool cs_cpu_is_another(const struct cs_thread *thread)
{
    return *thread->cpu_now != thread->cpu;
}
static inline void cs_cpu_look(struct cs_thread *thread, uint64_t ticks)
{
    if (__builtin_expect(cs_cpu_is_another(thread), 0))
        cs_cpu_changed(thread, ticks);
}

/* Some thread was seen on it; -1: it is not known where. */
void cs_cpu_saw(int cpu);

/* Tells where each processor is that some thread was seen on, if that was not told yet. sys: "/sys"; tests give another
   folder. */
void cs_cpus_note(const char *sys);
