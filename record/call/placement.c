#include "record/call/placement.h"

#include <dirent.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/keep_errno.h"
#include "base/proc.h"
#include "base/uncancelled.h"
#include "journal/format.h"
#include "journal/writer.h"
#include "record/process/recorder.h"
#include "record/process/thread.h"
#include "record/site/module.h"

/* ---- topology ---- */

static int number_in(const char *folder, const char *name)
{
    char line[32], *end;
    cs_proc_line(folder, name, line, sizeof line);
    long number = strtol(line, &end, 10);
    return end > line && number >= 0 && number < INT_MAX ? (int)number : -1;
}

/* A processor's folder has a link to its NUMA node, nodeN. */
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

/* A list that does not fit is dropped. */
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

/* Appends the topology to the journal. */
static void note_topology(const char *sys, int cpu)
{
    struct cs_topology topology;
    cs_topology_read(sys, cpu, &topology);
    if (topology.core < 0)
        cs_journal_note(cs_recorder.journal, "note.placement",
                        "the kernel does not report which processors share a core or a package");
    struct cs_fact_cpu fact = {
        .cpu = cpu, .core = topology.core, .package = topology.package, .numa_node = topology.numa_node};
    cs_journal_append_texts(cs_recorder.journal, CS_FACT_CPU, &fact.fact, sizeof fact,
                            (const char *const[]){topology.core_cpus, topology.package_cpus}, 2);
}

/* ---- control groups ---- */

/* Shares are in millionths of a processor. */
enum { MILLION = 1000000 };

/* A quota of time in each period; 0: no limit. */
static uint64_t share_of(int64_t quota, int64_t period)
{
    if (quota <= 0 || period <= 0)
        return 0;
    uint64_t rest = (uint64_t)(quota % period);
    return (uint64_t)(quota / period) * MILLION + (rest * MILLION + (uint64_t)period / 2) / (uint64_t)period;
}

static char quota_file[PATH_MAX];

static atomic_bool bounds_known;

const char *cs_topology_quota_file(void)
{
    return atomic_load_explicit(&bounds_known, memory_order_acquire) ? quota_file : NULL;
}

/* The least share of a control group and its ancestors, if it is less than `least`; 0: none has a limit. Shortens path.
   Version 2 has both numbers in one file, version 1 in two. */
static uint64_t least_share(const char *root, char *path, uint64_t least)
{
    for (;;) {
        char folder[PATH_MAX], line[64], period_line[64], *period;
        if ((size_t)snprintf(folder, sizeof folder, "%s%s", root, path) >= sizeof folder)
            return least;
        cs_proc_line(folder, "cpu.max", line, sizeof line);
        int64_t quota = strtoll(line, &period, 10);
        if (!*line) {
            cs_proc_line(folder, "cpu.cfs_quota_us", line, sizeof line);
            cs_proc_line(folder, "cpu.cfs_period_us", period_line, sizeof period_line);
            quota = strtoll(line, NULL, 10);
            period = period_line;
        }
        uint64_t share = share_of(quota, strtoll(period, NULL, 10));
        if (share && (!least || share < least)) {
            least = share;
            if ((size_t)snprintf(quota_file, sizeof quota_file, "%s/cpu.stat", folder) >= sizeof quota_file)
                quota_file[0] = '\0';
        }
        char *slash = strrchr(path, '/');
        if (!slash)
            return least;
        *slash = '\0';
    }
}

/* True if "cpu" is one of the words of "cpu,cpuacct"; version 2 has no words. */
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

void cs_topology_read_quota(const char *sys, const char *proc, char *text, size_t size)
{
    char path[PATH_MAX], line[PATH_MAX];
    uint64_t least = 0;
    text[0] = quota_file[0] = '\0';
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
        least = least_share(root, group, least);
    }
    fclose(groups);
    if (!least)
        return;
    int length = snprintf(text, size, "%" PRIu64 ".%06" PRIu64, least / MILLION, least % MILLION);
    while (length > 0 && text[length - 1] == '0')
        text[--length] = '\0';
    if (length > 0 && text[length - 1] == '.')
        text[length - 1] = '\0';
}

/* ---- memory ---- */

/* Appends the nodes of a bit mask as ranges. */
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
    /* Constants of linux/mempolicy.h. */
    static const char *const words[] = {"default", "preferred", "bind", "interleave", "local", "preferred_many"};
    enum { BITS = 4096, MODE = 0xff };
    unsigned long mask[BITS / (8 * sizeof(unsigned long))] = {0};
    int mode;
    char text[256];
    if (syscall(SYS_get_mempolicy, &mode, mask, (unsigned long)BITS, NULL, 0UL) != 0)
        return; /* a kernel without NUMA, or a container that forbids the query */
    mode &= MODE;
    if ((size_t)mode >= sizeof words / sizeof *words)
        return;
    snprintf(text, sizeof text, "%s", words[mode]);
    add_nodes(text, sizeof text, mask, BITS);
    cs_journal_note(cs_recorder.journal, "memory_policy", text);
}

/* The cpuset: memory is on these nodes under any policy. */
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

/* Records the limits of this process: cpus_online, cpu_quota, memory_policy, memory_nodes. */
static void note_bounds(const char *sys, const char *proc)
{
    char text[512];
    cs_proc_line(sys, "devices/system/cpu/online", text, sizeof text);
    if (*text)
        cs_journal_note(cs_recorder.journal, "cpus_online", text);
    cs_topology_read_quota(sys, proc, text, sizeof text);
    if (*text)
        cs_journal_note(cs_recorder.journal, "cpu_quota", text);
    note_memory_policy();
    note_memory_nodes(proc);
    atomic_store_explicit(&bounds_known, true, memory_order_release);
}

/* ---- environment ---- */

/* A fixed list, because other variables with these prefixes may contain secrets. */
static const char *const variables[] = {
    "OMP_NUM_THREADS",
    "OMP_PLACES",
    "OMP_PROC_BIND",
    "OMP_DYNAMIC",
    "OMP_NESTED",
    "OMP_MAX_ACTIVE_LEVELS",
    "OMP_SCHEDULE",
    "OMP_STACKSIZE",
    "OMP_THREAD_LIMIT",
    "OMP_WAIT_POLICY",
    "OMP_TARGET_OFFLOAD",
    "OMP_DEFAULT_DEVICE",
    "GOMP_CPU_AFFINITY",
    "GOMP_SPINCOUNT",
    "KMP_AFFINITY",
    "KMP_HW_SUBSET",
    "KMP_BLOCKTIME",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "SLURM_JOB_ID",
    "SLURM_JOB_NAME",
    "SLURM_JOB_PARTITION",
    "SLURM_ARRAY_JOB_ID",
    "SLURM_ARRAY_TASK_ID",
    "SLURM_JOB_NODELIST",
    "SLURM_JOB_NUM_NODES",
    "SLURM_JOB_CPUS_PER_NODE",
    "SLURM_STEP_ID",
    "SLURM_STEP_NODELIST",
    "SLURM_NTASKS",
    "SLURM_NTASKS_PER_NODE",
    "SLURM_TASKS_PER_NODE",
    "SLURM_CPUS_PER_TASK",
    "SLURM_CPUS_ON_NODE",
    "SLURM_CPU_BIND",
    "SLURM_CPU_BIND_TYPE",
    "SLURM_CPU_BIND_LIST",
    "SLURM_MEM_BIND",
    "SLURM_DISTRIBUTION",
    "SLURM_HINT",
    "SLURM_PROCID",
    "SLURM_LOCALID",
    "SLURM_NODEID",
    "SLURMD_NODENAME",
    "PBS_JOBID",
    "PBS_JOBNAME",
    "PBS_QUEUE",
    "LSB_JOBID",
    "LSB_JOBNAME",
    "LSB_QUEUE",
    "LSB_MCPU_HOSTS",
    "FLUX_JOB_ID",
    "PMIX_RANK",
    "PMIX_NAMESPACE",
    "PMIX_HOSTNAME",
    "PMIX_VERSION",
    "PMI_RANK",
    "PMI_SIZE",
    "MPI_LOCALRANKID",
    "MPI_LOCALNRANKS",
    "OMPI_COMM_WORLD_RANK",
    "OMPI_COMM_WORLD_SIZE",
    "OMPI_COMM_WORLD_LOCAL_RANK",
    "OMPI_COMM_WORLD_LOCAL_SIZE",
    "OMPI_COMM_WORLD_NODE_RANK",
    "OMPI_UNIVERSE_SIZE",
    "CUDA_VISIBLE_DEVICES",
    "NVIDIA_VISIBLE_DEVICES",
    "ROCR_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES",
    "GPU_DEVICE_ORDINAL",
    "ZE_AFFINITY_MASK",
};

/* Records the variables of this list that are set as environment.NAME; each value cut at 256 bytes. */
static void note_environment(void)
{
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        char key[64], shown[256 + 1];
        if (!value)
            continue;
        snprintf(key, sizeof key, "environment.%s", variables[i]);
        snprintf(shown, sizeof shown, "%s", value);
        cs_journal_note(cs_recorder.journal, key, shown);
    }
}

/* ---- processors of threads ---- */

/* Processors beyond this limit have no core and package in the trace. */
enum { CPUS_MOST = 8192, WORD_BITS = 64, LOOK_NS = 10000000 };

static_assert(sizeof(struct cs_block) + 2 * CS_MOVES_KEPT * sizeof(struct cs_move_cell) <= CS_JOURNAL_PAGE,
              "the moves of a thread are one block");

/* cpu_now points here if the thread has no such word; also the initial value of `cpu`: no processor. */
static const volatile uint32_t no_word = UINT32_MAX;
#define NOT_SEEN (UINT32_MAX - 1)

/* Processors on which some thread was seen, and those that the journal has: one bit each. */
static _Atomic uint64_t seen[CPUS_MOST / WORD_BITS];
static uint64_t told[CPUS_MOST / WORD_BITS];

/* Offset of the rseq area from the thread pointer; 0: the C library keeps none (before glibc 2.35, or by a tunable).
   It is looked up by name, because a reference would demand that version. */
static ptrdiff_t find_rseq(void)
{
    const ptrdiff_t *offset = dlsym(RTLD_DEFAULT, "__rseq_offset");
    const unsigned int *size = dlsym(RTLD_DEFAULT, "__rseq_size");
    return offset && size && *size > 0 ? *offset : 0;
}

static char *thread_pointer(void)
{
#if defined(__powerpc64__) /* gcc has no function for it there */
    register char *pointer __asm__("r13");
    __asm__("" : "=r"(pointer));
    return pointer;
#else
    return __builtin_thread_pointer();
#endif
}

static const volatile uint32_t *word_of_kernel(void)
{
    enum { CPU_ID = 4 }; /* struct rseq: cpu_id_start, cpu_id */
    static _Atomic ptrdiff_t known = PTRDIFF_MAX;
    ptrdiff_t offset = atomic_load_explicit(&known, memory_order_relaxed);
    if (offset == PTRDIFF_MAX) {
        offset = find_rseq();
        atomic_store_explicit(&known, offset, memory_order_relaxed);
    }
    if (offset == 0)
        return &no_word;
    const volatile uint32_t *word = (const void *)(thread_pointer() + offset + CPU_ID);
    return *word < CPUS_MOST ? word : &no_word;
}

void cs_cpu_begin(struct cs_thread *thread)
{
    thread->cpu_now = word_of_kernel();
    thread->cpu = NOT_SEEN;
    thread->here = NULL;
    thread->cpu_look_ticks = 0;
}

static void depart(struct cs_thread *thread)
{
    uint64_t calls = thread->state->calls;
    struct cs_cpu_cell *here = thread->here;
    uint64_t since = thread->departed_calls;
    thread->departed_calls = calls;
    if (!here)
        return;
    here->last_ticks = thread->state->until_ticks;
    cs_publish(here->here, 0);
    here->calls += calls - since;
    thread->here = NULL;
}

void cs_cpu_end(struct cs_thread *thread)
{
    depart(thread);
    thread->cpu = NOT_SEEN;
}

/* Notes that a thread was seen on a processor; -1: unknown. */
static void see_cpu(int cpu)
{
    if (cpu >= 0 && cpu < CPUS_MOST)
        atomic_fetch_or_explicit(&seen[cpu / WORD_BITS], (uint64_t)1 << cpu % WORD_BITS, memory_order_relaxed);
}

static const struct cs_cell_type cpu_cells = {
    .block = CS_BLOCK_CPU,
    .bytes = sizeof(struct cs_cpu_cell),
    .key = offsetof(struct cs_cpu_cell, thread),
    .key_bytes = sizeof(uint64_t), /* thread and cpu */
    .valid = offsetof(struct cs_cpu_cell, first_ticks),
    .valid_bytes = sizeof(uint64_t),
};
static_assert(offsetof(struct cs_cpu_cell, cpu) == offsetof(struct cs_cpu_cell, thread) + sizeof(uint32_t), "one word");

static struct cs_cpu_cell *find_or_add_cpu(struct cs_thread *thread, uint32_t cpu, uint64_t ticks)
{
    const struct cs_cpu_cell cell = {.thread = thread->state->thread, .cpu = (int32_t)cpu, .first_ticks = ticks};
    struct cs_cpu_cell *found = cs_cells_find(&thread->cpus, &cell.thread, &cpu_cells);
    if (found)
        return found;
    see_cpu(cell.cpu);
    return cs_cells_add(&thread->cpus, cell.thread, &cell, &cpu_cells);
}

/* Keeps the first moves, and the last of the later ones. */
static void note_move(struct cs_thread *thread, uint32_t cpu, uint64_t ticks)
{
    if (!thread->moved && cs_journal_add_block(cs_recorder.journal, CS_BLOCK_MOVE, thread->state->thread,
                                               sizeof(struct cs_move_cell), CS_JOURNAL_PAGE, &thread->moved) != CS_OK) {
        cs_journal_count_loss(cs_recorder.journal);
        return;
    }
    uint64_t number = ++thread->moves;
    uint64_t at = number <= CS_MOVES_KEPT ? number - 1 : CS_MOVES_KEPT + (number - 1) % CS_MOVES_KEPT;
    struct cs_move_cell *cell = (struct cs_move_cell *)(thread->moved + 1) + at;
    cs_publish(cell->number, 0);
    cell->ticks = ticks;
    cell->thread = thread->state->thread;
    cell->cpu = (int32_t)cpu;
    cs_publish(cell->number, number);
    if (number <= 2 * CS_MOVES_KEPT) {
        cs_publish(thread->moved->used, number);
        cs_journal_count(cs_recorder.journal);
    }
}

void cs_cpu_move(struct cs_thread *thread, uint64_t ticks)
{
    CS_KEEP_ERRNO;
    uint32_t cpu = *thread->cpu_now;
    if (thread->cpu_now == &no_word) {
        if (ticks < thread->cpu_look_ticks)
            return;
        thread->cpu_look_ticks =
            ticks + cs_clock_ticks_in(cs_journal_header(cs_recorder.journal)->ticks_per_second, LOOK_NS);
        int asked = sched_getcpu();
        cpu = asked < 0 ? thread->cpu : (uint32_t)asked;
        if (cpu == thread->cpu)
            return;
    }
    bool moved = thread->cpu != NOT_SEEN;
    depart(thread);
    thread->cpu = cpu;
    thread->here = find_or_add_cpu(thread, cpu, ticks);
    if (!thread->here)
        return;
    thread->here->arrived_calls = thread->departed_calls;
    thread->here->moves += moved;
    cs_publish(thread->here->here, 1);
    if (moved)
        note_move(thread, cpu, ticks);
}

void cs_cpus_note(const char *sys)
{
    CS_UNCANCELLED;
    for (uint32_t cpu = 0; cpu < CPUS_MOST; cpu++) {
        uint64_t bit = (uint64_t)1 << cpu % WORD_BITS;
        uint64_t new = atomic_load_explicit(&seen[cpu / WORD_BITS], memory_order_relaxed) & ~told[cpu / WORD_BITS];
        if (!new)
            cpu |= WORD_BITS - 1;
        else if (new &bit) {
            told[cpu / WORD_BITS] |= bit;
            note_topology(sys, (int)cpu);
        }
    }
}

/* ---- placement ---- */

/* Writes the allowed processors as ranges, "0-3,8"; "" if the kernel does not tell or the text would be too long. */
static void allowed_cpus(char *text, size_t size)
{
    cpu_set_t allowed;
    size_t length = 0;
    text[0] = '\0';
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &allowed))
            continue;
        int last = cpu;
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &allowed))
            last++;
        int added =
            snprintf(text + length, size - length, last > cpu ? "%s%d-%d" : "%s%d", length ? "," : "", cpu, last);
        if (added < 0 || (size_t)added >= size - length) {
            text[0] = '\0';
            return;
        }
        length += (size_t)added;
        cpu = last;
    }
}

void cs_placement_note(enum cs_placement_reason reason, uint32_t thread, const char *processor_name)
{
    CS_UNCANCELLED;
    char allowed[512];
    int cpu = sched_getcpu();
    if (reason == CS_PLACED_START) {
        note_environment();
        note_bounds("/sys", "/proc");
        see_cpu(cpu); /* if the process is killed, the journal has this processor */
        cs_cpus_note("/sys");
    }
    allowed_cpus(allowed, sizeof allowed);
    struct cs_fact_placement fact = {
        .fact.ticks = 0, .cpu = cpu, .reason = (uint16_t)reason, .thread = (uint16_t)thread};
    cs_journal_append_texts(cs_recorder.journal, CS_FACT_PLACEMENT, &fact.fact, sizeof fact,
                            (const char *const[]){processor_name, allowed}, 2);
}

/* ---- what MPI_Get_processor_name answered ---- */

static const struct cs_cell_type answer_cells = {
    .block = CS_BLOCK_ANSWER,
    .bytes = sizeof(struct cs_answer_cell),
    .key_bytes = offsetof(struct cs_answer_cell, calls), /* call site and name */
    .valid = offsetof(struct cs_answer_cell, calls),
    .valid_bytes = sizeof(uint64_t),
};

void cs_placement_count_answer(struct cs_thread *thread, uint64_t site, const char *name, size_t bytes, uint64_t ticks)
{
    struct cs_answer_cell answer = {
        .site = site, .calls = 1, .first_ticks = ticks, .last_ticks = ticks, .thread = thread->state->thread};
    size_t length = strnlen(name, bytes < sizeof answer.name ? bytes : sizeof answer.name - 1);
    while (length && name[length - 1] == ' ')
        length--;
    memcpy(answer.name, name, length);
    struct cs_answer_cell *cell = cs_cells_find(&thread->answers, &answer, &answer_cells);
    if (!cell) {
        cs_module_record(site);
        cs_cells_add(&thread->answers, answer.thread, &answer, &answer_cells);
        return;
    }
    cell->last_ticks = ticks;
    cell->calls++;
}
