#include "record/call/usage.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/descriptor.h"
#include "record/call/counters.h"
#include "record/call/placement.h"

/* ---- files that stay open ---- */

/* To open a file anew costs three times as much. The descriptor is a high one, which programs rarely use, and is closed
   by exec. The program may close it and get its number for a file of its own: then the text has another form. */

static struct cs_kept_file open_kept(const char *path)
{
    struct cs_kept_file none = {.number = -1};
    struct stat status;
    int low = open(path, O_RDONLY | O_CLOEXEC), high = low < 0 ? -1 : cs_descriptor_raise(low);
    if (high < 0 || fstat(high, &status) != 0)
        return none;
    return (struct cs_kept_file){.number = high, .device = status.st_dev, .inode = status.st_ino};
}

/* Reads the beginning of the file as text. Returns false if there is none. */
static bool read_kept(const struct cs_kept_file *file, char *text, size_t size)
{
    ssize_t bytes = file->number < 0 ? -1 : pread(file->number, text, size - 1, 0);
    text[bytes > 0 ? bytes : 0] = '\0';
    return bytes > 0;
}

static void close_kept(struct cs_kept_file *file)
{
    struct stat status;
    if (file->number >= 0 && fstat(file->number, &status) == 0 && status.st_dev == file->device &&
        status.st_ino == file->inode)
        close(file->number);
    file->number = -1;
}

/* Reads a number and moves behind it. Returns false if there is none. No locale: strtoull skips its blanks. */
static bool take_number(const char **at, uint64_t *number)
{
    const char *begin = *at + strspn(*at, " ");
    uint64_t value = 0;
    for (*at = begin; **at >= '0' && **at <= '9'; ++*at)
        if (__builtin_mul_overflow(value, 10u, &value) || __builtin_add_overflow(value, (uint64_t)(**at - '0'), &value))
            return false;
    *number = value;
    return *at > begin;
}

/* The number behind this word at the begin of a line. Returns false if there is none. */
static bool find_number(const char *text, const char *word, uint64_t *number)
{
    size_t length = strlen(word);
    for (const char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL)
        if (strncmp(line, word, length) == 0) {
            const char *at = line + length;
            return take_number(&at, number);
        }
    return false;
}

/* ---- the thread ---- */

void cs_usage_begin(struct cs_usage *usage)
{
    *usage = (struct cs_usage){.schedstat.number = -1};
    cs_counters_clear(&usage->counters);
}

void cs_usage_end(struct cs_usage *usage)
{
    close_kept(&usage->schedstat);
    cs_counters_close(&usage->counters);
}

static uint64_t ns_of(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

/* Three zeros mean that the kernel does not tell; a thread that runs had a core at least once. */
static void read_delay(struct cs_usage *usage)
{
    char text[96];
    const char *at = text;
    uint64_t core, delay, times;
    if (read_kept(&usage->schedstat, text, sizeof text) && take_number(&at, &core) && take_number(&at, &delay) &&
        take_number(&at, &times) && *at == '\n' && times && delay >= usage->value[CS_USAGE_DELAY]) {
        usage->value[CS_USAGE_DELAY] = delay;
        return;
    }
    usage->unknown |= CS_UNKNOWN_DELAY;
    close_kept(&usage->schedstat);
}

/* What a counter says must not fall, else it counts something else now. */
static void read_counters(struct cs_usage *usage)
{
    uint64_t value[CS_COUNTERS] = {0}, *known = usage->value + CS_USAGE_COUNTERS;
    unsigned unknown = cs_counters_read(&usage->counters, value);
    for (unsigned i = 0; i < CS_COUNTERS; i++) {
        if (unknown >> i & 1 || value[i] < known[i])
            usage->unknown |= CS_UNKNOWN_INSTRUCTIONS << i;
        else
            known[i] = value[i];
    }
    if ((usage->unknown & CS_UNKNOWN_COUNTERS) == CS_UNKNOWN_COUNTERS)
        cs_counters_close(&usage->counters);
}

void cs_usage_read_thread(struct cs_usage *usage, uint32_t number)
{
    enum { THREADS_WITH_FILES = 64 };
    struct timespec core;
    struct rusage rusage;
    /* The clock comes first: it brings the other two up to date. */
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &core) == 0)
        usage->value[CS_USAGE_CORE] = (uint64_t)core.tv_sec * 1000000000u + (uint64_t)core.tv_nsec;
    if (getrusage(RUSAGE_THREAD, &rusage) == 0) {
        usage->value[CS_USAGE_SYSTEM] = ns_of(rusage.ru_stime);
        usage->value[CS_USAGE_SLEEPS] = (uint64_t)rusage.ru_nvcsw;
        usage->value[CS_USAGE_SWITCHES] = (uint64_t)rusage.ru_nivcsw;
        usage->value[CS_USAGE_MINOR] = (uint64_t)rusage.ru_minflt;
        usage->value[CS_USAGE_MAJOR] = (uint64_t)rusage.ru_majflt;
    }
    if (!usage->opened) {
        usage->opened = true;
        if (number < THREADS_WITH_FILES) {
            usage->schedstat = open_kept("/proc/thread-self/schedstat");
            cs_counters_open(&usage->counters);
        }
    }
    if (!(usage->unknown & CS_UNKNOWN_DELAY))
        read_delay(usage);
    if ((usage->unknown & CS_UNKNOWN_COUNTERS) != CS_UNKNOWN_COUNTERS)
        read_counters(usage);
}

/* ---- the process and the node ---- */

static struct cs_kept_file io_file, quota_file, stat_file, load_file;

/* Returns false while another thread opens the files, and before MPI_Init has found the quota. */
static bool files_are_open(void)
{
    enum { CLOSED, OPENING, OPEN };
    static _Atomic int state = CLOSED;
    int is = atomic_load_explicit(&state, memory_order_acquire);
    const char *quota = cs_topology_quota_file();
    if (is != CLOSED || !quota)
        return is == OPEN;
    if (!atomic_compare_exchange_strong(&state, &is, OPENING))
        return false;
    io_file = open_kept("/proc/self/io");
    stat_file = open_kept("/proc/stat");
    load_file = open_kept("/proc/loadavg");
    quota_file = *quota ? open_kept(quota) : (struct cs_kept_file){.number = -1};
    atomic_store_explicit(&state, OPEN, memory_order_release);
    return true;
}

static void read_bytes(struct cs_usage *usage)
{
    char text[256];
    uint64_t disk_read, disk_written, *value = usage->value;
    if (!read_kept(&io_file, text, sizeof text) || !find_number(text, "rchar:", &value[CS_USAGE_READ]) ||
        !find_number(text, "wchar:", &value[CS_USAGE_WRITTEN]) || !find_number(text, "read_bytes:", &disk_read) ||
        !find_number(text, "write_bytes:", &disk_written)) {
        usage->unknown |= CS_UNKNOWN_BYTES;
        return;
    }
    usage->disk_read_bytes = disk_read;
    value[CS_USAGE_DISK] = disk_read + disk_written;
}

bool cs_usage_find_throttled(const char *text, uint64_t *ns)
{
    uint64_t number;
    if (find_number(text, "throttled_usec ", &number))
        *ns = number * 1000;
    else if (find_number(text, "throttled_time ", &number))
        *ns = number;
    else
        return false;
    return true;
}

static void read_throttled(struct cs_usage *usage)
{
    char text[1024];
    if (!read_kept(&quota_file, text, sizeof text) || !cs_usage_find_throttled(text, &usage->value[CS_USAGE_THROTTLED]))
        usage->unknown |= CS_UNKNOWN_QUOTA;
}

/* The eighth number of all processors together, in hundredths of a second. */
static void read_steal(struct cs_usage *usage)
{
    enum { STEAL = 8, NS_IN_TICK = 10000000 };
    char text[256];
    const char *at = text + strlen("cpu");
    uint64_t number = 0;
    bool known = read_kept(&stat_file, text, sizeof text) && strncmp(text, "cpu ", 4) == 0;
    for (int i = 0; known && i < STEAL; i++)
        known = take_number(&at, &number);
    if (known)
        usage->value[CS_USAGE_STEAL] = number * NS_IN_TICK;
    else
        usage->unknown |= CS_UNKNOWN_STEAL;
}

bool cs_usage_find_running(const char *text, uint64_t *threads)
{
    const char *slash = strchr(text, '/'), *at = slash;
    while (slash && at > text && at[-1] >= '0' && at[-1] <= '9')
        at--;
    return slash && take_number(&at, threads) && at == slash;
}

/* The threads that are on a core or want one, without the one that asks. They stand for the time since they were
   counted last. */
static void read_busy(struct cs_usage *usage)
{
    char text[96];
    uint64_t running, now = cs_clock_monotonic_ns(), passed = usage->node_read_ns ? now - usage->node_read_ns : 0;
    if (!read_kept(&load_file, text, sizeof text) || !cs_usage_find_running(text, &running) || !running) {
        usage->unknown |= CS_UNKNOWN_BUSY;
        return;
    }
    usage->value[CS_USAGE_BUSY] += (running - 1) * passed;
    usage->node_ns += passed;
    usage->node_read_ns = now;
}

bool cs_usage_read_process(struct cs_usage *usage)
{
    struct rusage rusage;
    if (!files_are_open())
        return false;
    if (getrusage(RUSAGE_SELF, &rusage) == 0) {
        usage->process_user_ns = ns_of(rusage.ru_utime);
        usage->process_system_ns = ns_of(rusage.ru_stime);
        usage->peak_bytes = (uint64_t)rusage.ru_maxrss << 10;
        uint64_t all = usage->process_user_ns + usage->process_system_ns, own = usage->value[CS_USAGE_CORE];
        usage->value[CS_USAGE_OTHERS] = all > own ? all - own : 0;
    }
    read_bytes(usage);
    read_throttled(usage);
    read_steal(usage);
    read_busy(usage);
    if (!usage->process_ticks) {
        usage->first_throttled_ns = usage->value[CS_USAGE_THROTTLED];
        usage->first_steal_ns = usage->value[CS_USAGE_STEAL];
    }
    return true;
}

uint64_t cs_usage_process_interval_ns(void)
{
    enum { NS = 100000000, PROCESSORS = 16 };
    long processors = sysconf(_SC_NPROCESSORS_CONF);
    return NS * (1 + (uint64_t)(processors > 0 ? processors : 0) / PROCESSORS);
}
