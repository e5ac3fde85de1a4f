/* Where this process runs: processor, allowed processors, how the MPI calls the processor. */
#pragma once

#include <stddef.h>

#include "journal/format.h"
#include "record/process/thread.h"

/* Notes where the calling thread is now. processor_name: MPI_Get_processor_name's answer, or "" if it was not asked. */
void cs_placement_note(enum cs_placement_reason reason, uint32_t thread, const char *processor_name);

/* The program asked for the processor name at this call site and was answered with these bytes: up to `bytes` or a NUL,
   without blanks at the end. */
void cs_placement_count_answer(struct cs_thread *thread, uint64_t site, const char *name, size_t bytes, uint64_t ticks);

/* ---- topology ---- */

/* What the kernel says of the machine and of the bounds of this process on it: small files of /sys and /proc, and one
   system call. hwloc knows the same and more, but takes 33 ms for its view of the whole machine; this takes 20 us. In a
   container some or all of it may be missing: then it is not noted, or -1, and one note says so. */

/* Where a processor is; -1 and "" where that is not known. */
struct cs_topology {
    int core, package, numa_node;
    char core_cpus[128], package_cpus[512]; /* the processors of its core and of its package, "0-3,8" */
};

/* sys: "/sys"; tests give another folder. */
void cs_topology_read(const char *sys, int cpu, struct cs_topology *topology);

/* How many processors the control groups of the process let it use at a time, as a number in `text`; "" if as many as
   there are. proc: "/proc". */
void cs_topology_read_quota(const char *sys, const char *proc, char *text, size_t size);

/* ---- processors of threads ---- */

/* On which processors the calls of each thread were made, and how often it moved from one to another. Seen at the end
   of each outermost call: the kernel keeps the number of the processor in a word of the thread (glibc registers it: the
   rseq area), so to look costs two loads. Where there is no such word the kernel is asked, at most every 10 ms. */

/* A thread begins to use the state, ends to use it. */
void cs_cpu_begin(struct cs_thread *thread);
void cs_cpu_end(struct cs_thread *thread);

/* Looks where the thread is, at the end of a call and before that is counted. ticks: when it ended. */
void cs_cpu_move(struct cs_thread *thread, uint64_t ticks);
static inline bool cs_cpu_is_another(const struct cs_thread *thread)
{
    return *thread->cpu_now != thread->cpu;
}
static inline void cs_cpu_look(struct cs_thread *thread, uint64_t ticks)
{
    if (__builtin_expect(cs_cpu_is_another(thread), 0))
        cs_cpu_move(thread, ticks);
}

/* Tells where each processor is that some thread was seen on, if that was not told yet. sys: "/sys"; tests give another
   folder. */
void cs_cpus_note(const char *sys);
