#include "record/topology.h"

#include <dirent.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/proc.h"
#include "db/journal/format.h"
#include "record/recorder.h"

static int number_in(const char *folder, const char *name)
{
    char line[32], *end;
    cs_proc_line(folder, name, line, sizeof line);
    long number = strtol(line, &end, 10);
    return end > line && number >= 0 && number < INT_MAX ? (int)number : -1;
}

/* The folder of a processor has a link to that of its node, nodeN. */
static int numa_node_in(const char *folder)
{
    int node = -1;
    DIR *entries = opendir(folder);
    if (!entries)
        return -1;
    for (struct dirent *entry; node < 0 && (entry = readdir(entries));)
        if (sscanf(entry->d_name, "node%d", &node) != 1)
            node = -1;
    closedir(entries);
    return node;
}

/* A list that does not fit says nothing. */
static void list_in(const char *folder, const char *name, char *list, size_t size)
{
    cs_proc_line(folder, name, list, size);
    if (strlen(list) == size - 1)
        list[0] = '\0';
}

void cs_topology_read(const char *sys, int cpu, struct cs_topology *topology)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s/devices/system/cpu/cpu%d", sys, cpu);
    topology->core = number_in(folder, "topology/core_id");
    topology->package = number_in(folder, "topology/physical_package_id");
    topology->numa_node = numa_node_in(folder);
    list_in(folder, "topology/thread_siblings_list", topology->core_cpus, sizeof topology->core_cpus);
    list_in(folder, "topology/core_siblings_list", topology->package_cpus, sizeof topology->package_cpus);
}

void cs_topology_note(const char *sys, int cpu)
{
    struct cs_topology topology;
    cs_topology_read(sys, cpu, &topology);
    if (topology.core < 0)
        cs_journal_note(cs_recorder.journal, "note.placement",
                        "the kernel does not say here which processors share a core or a package");
    struct cs_fact_cpu fact = {
        .cpu = cpu, .core = topology.core, .package = topology.package, .numa_node = topology.numa_node};
    cs_journal_append(cs_recorder.journal, CS_FACT_CPU, &fact.fact, sizeof fact,
                      (const char *const[]){topology.core_cpus, topology.package_cpus}, 2);
}

/* ---- control groups ---- */

/* The least share of a group and those above it; 0: none has a limit. path is cut. Version 2 has both numbers in one
   file, version 1 in two. */
static double least_share(const char *root, char *path)
{
    double least = 0;
    for (;;) {
        char folder[PATH_MAX], line[64], period_line[64];
        double quota = 0, period = 0;
        if ((size_t)snprintf(folder, sizeof folder, "%s%s", root, path) >= sizeof folder)
            return least;
        cs_proc_line(folder, "cpu.max", line, sizeof line);
        if (sscanf(line, "%lf %lf", &quota, &period) != 2) {
            cs_proc_line(folder, "cpu.cfs_quota_us", line, sizeof line);
            cs_proc_line(folder, "cpu.cfs_period_us", period_line, sizeof period_line);
            quota = strtod(line, NULL);
            period = strtod(period_line, NULL);
        }
        if (quota > 0 && period > 0 && (least == 0 || quota / period < least))
            least = quota / period;
        char *slash = strrchr(path, '/');
        if (!slash)
            return least;
        *slash = '\0';
    }
}

/* Whether "cpu" is one of the words of "cpu,cpuacct"; version 2 has no words. */
static bool has_cpu(const char *controllers)
{
    for (const char *at = controllers; *at;) {
        size_t length = strcspn(at, ",");
        if (length == 3 && strncmp(at, "cpu", 3) == 0)
            return true;
        at += length + (at[length] == ',');
    }
    return *controllers == '\0';
}

void cs_topology_quota(const char *sys, const char *proc, char *text, size_t size)
{
    char path[PATH_MAX], line[PATH_MAX];
    double least = 0;
    text[0] = '\0';
    snprintf(path, sizeof path, "%s/self/cgroup", proc);
    FILE *groups = fopen(path, "re");
    if (!groups)
        return;
    while (fgets(line, sizeof line, groups)) {
        char root[PATH_MAX], *controllers = strchr(line, ':'), *group;
        line[strcspn(line, "\n")] = '\0';
        if (!controllers || !(group = strchr(++controllers, ':')))
            continue;
        *group++ = '\0';
        if (!has_cpu(controllers))
            continue;
        snprintf(root, sizeof root, "%s/fs/cgroup%s%s", sys, *controllers ? "/" : "", controllers);
        double share = least_share(root, group);
        if (share > 0 && (least == 0 || share < least))
            least = share;
    }
    fclose(groups);
    if (least > 0)
        snprintf(text, size, "%.6g", least);
}

/* ---- memory ---- */

/* The nodes of a bit mask as ranges after `text`. */
static void add_nodes(char *text, size_t size, const unsigned long *mask, unsigned bits)
{
    enum { WORD = 8 * sizeof *mask };
    const char *between = " ";
    for (unsigned node = 0; node < bits; node++) {
        unsigned last = node;
        if (!(mask[node / WORD] >> node % WORD & 1))
            continue;
        while (last + 1 < bits && mask[(last + 1) / WORD] >> (last + 1) % WORD & 1)
            last++;
        size_t used = strlen(text);
        snprintf(text + used, size - used, last > node ? "%s%u-%u" : "%s%u", between, node, last);
        between = ",";
        node = last;
    }
}

static void note_memory_policy(void)
{
    /* Numbers of the kernel, linux/mempolicy.h. */
    static const char *const words[] = {"default", "preferred", "bind", "interleave", "local", "preferred_many"};
    enum { BITS = 4096, MODE = 0xff };
    unsigned long mask[BITS / (8 * sizeof(unsigned long))] = {0};
    int mode;
    char text[256];
    if (syscall(SYS_get_mempolicy, &mode, mask, (unsigned long)BITS, NULL, 0UL) != 0)
        return; /* a kernel without NUMA, a container that forbids it */
    mode &= MODE;
    if ((size_t)mode >= sizeof words / sizeof *words)
        return;
    snprintf(text, sizeof text, "%s", words[mode]);
    add_nodes(text, sizeof text, mask, BITS);
    cs_journal_note(cs_recorder.journal, "memory_policy", text);
}

/* Of the cpuset: memory is on these nodes, whatever the policy. */
static void note_memory_nodes(const char *proc)
{
    char path[PATH_MAX], line[512];
    snprintf(path, sizeof path, "%s/self/status", proc);
    FILE *status = fopen(path, "re");
    if (!status)
        return;
    while (fgets(line, sizeof line, status)) {
        char nodes[512];
        if (sscanf(line, "Mems_allowed_list: %511s", nodes) == 1)
            cs_journal_note(cs_recorder.journal, "memory_nodes", nodes);
    }
    fclose(status);
}

void cs_topology_note_bounds(const char *sys, const char *proc)
{
    char text[512];
    cs_proc_line(sys, "devices/system/cpu/online", text, sizeof text);
    if (*text)
        cs_journal_note(cs_recorder.journal, "cpus_online", text);
    cs_topology_quota(sys, proc, text, sizeof text);
    if (*text)
        cs_journal_note(cs_recorder.journal, "cpu_quota", text);
    note_memory_policy();
    note_memory_nodes(proc);
}
