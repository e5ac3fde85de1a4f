/* What the kernel says of the machine and of the bounds of this process on it: small files of /sys and /proc, and one
   system call. hwloc knows the same and more, but takes 33 ms for its view of the whole machine; this takes 20 us. In a
   container some or all of it may be missing: then it is not noted, or -1, and one note says so. */
#pragma once

#include <stddef.h>

/* Where a processor is; -1 and "" where that is not known. */
struct cs_topology {
    int core, package, numa_node;
    char core_cpus[128], package_cpus[512]; /* the processors of its core and of its package, "0-3,8" */
};

/* sys: "/sys"; tests give another folder. */
void cs_topology_read(const char *sys, int cpu, struct cs_topology *topology);

/* Appends it to the journal. */
void cs_topology_note(const char *sys, int cpu);

/* How many processors the control groups of the process let it use at a time, as a number in `text`; "" if as many as
   there are. proc: "/proc". */
void cs_topology_quota(const char *sys, const char *proc, char *text, size_t size);

/* Notes the bounds of this process: cpus_online, cpu_quota, memory_policy, memory_nodes. */
void cs_topology_note_bounds(const char *sys, const char *proc);
