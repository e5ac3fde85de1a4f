/* Records where this process runs: processor, allowed processors, and the MPI's processor name. */
#pragma once

#include <stddef.h>

#include "journal/format.h"
#include "record/process/thread.h"

/* Records where the calling thread is now. processor_name: answer of MPI_Get_processor_name, or "" if there was no
   call. */
void cs_placement_note(enum cs_placement_reason reason, uint32_t thread, const char *processor_name);

/* The program got this processor name at this call site: up to `bytes` bytes or a NUL, without blanks at the end. */
void cs_placement_count_answer(struct cs_thread *thread, uint64_t site, const char *name, size_t bytes, uint64_t ticks);

/* ---- topology ---- */

/* The kernel's facts about the machine and the limits of this process, from small files of /sys and /proc and one
   system call. hwloc knows more, but takes 33 ms for the whole machine; this takes 20 us. In a container parts may
   be missing: they are left out or -1, and one note says so. */

/* Location of a processor; -1 and "" if unknown. */
struct cs_topology {
    int core, package, numa_node;
    char core_cpus[128], package_cpus[512]; /* processors of its core and its package, "0-3,8" */
};

/* sys: "/sys"; tests pass another folder. */
void cs_topology_read(const char *sys, int cpu, struct cs_topology *topology);

/* Writes how many processors the control groups allow the process at a time, as a number; "" if there is no limit.
   proc: "/proc". */
void cs_topology_read_quota(const char *sys, const char *proc, char *text, size_t size);

/* The file in which the kernel counts how long that quota stopped the group; "": there is no quota. NULL: unknown
   before the first cs_placement_note. */
const char *cs_topology_quota_file(void);

/* ---- processors of threads ---- */

/* Records on which processors each thread made its calls, and how often it moved. Checked at the end of each
   outermost call. The kernel keeps the processor's number in a word of the thread (glibc registers it: the rseq
   area), so a check costs two loads. Without such a word the kernel is queried, at most every 10 ms. */

/* A thread begins or ends to use the state. */
void cs_cpu_begin(struct cs_thread *thread);
void cs_cpu_end(struct cs_thread *thread);

/* Checks the thread's processor at the end of a call, before the call is counted. ticks: the end. */
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

/* Records the location of each processor on which a thread was seen, once. sys: "/sys"; tests pass another folder. */
void cs_cpus_note(const char *sys);
