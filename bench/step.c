/* Counts the instructions of a program between two breakpoints, one after another: usage: step PROGRAM ARGUMENT...
 *
 * Steps take some microseconds each, but callsign does more work once in a while. So its readings of the counter get
 * the values of a run in which three instructions take one tick, as they do on today's processors.
 *
 * The program stops at `int3` before and after each operation. In between, this program lets the first thread make one
 * instruction at a time. So the counts are exact and equal on each machine, and the code sees its real processor, its
 * real counter and its real kernel, unlike in an emulator. Writes to the file STEP_OUTPUT, for each instruction that
 * was made:
 *
 *   owner file offset first-two-bytes count-in-operation-1 ... count-in-operation-N
 *
 * owner: the library that is at work: instructions of the C library belong to the one that called it. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if !defined(__x86_64__)
int main(void)
{
    fputs("step: only for x86-64\n", stderr);
    return 2;
}
#else

enum { OPERATIONS_MOST = 16, MAPS_MOST = 512, SLOTS = 1 << 16 };

struct map {
    uint64_t begin, end, offset;
    const char *name; /* without folder */
    bool is_callsign;
    bool helps; /* the C library, the dynamic linker or the kernel's page: works for others */
};

struct place {
    uint64_t at; /* 0: empty */
    size_t map, owner;
    unsigned bytes; /* the first two of the instruction */
    long count[OPERATIONS_MOST];
};

static struct map maps[MAPS_MOST];
static size_t map_count;
static struct place places[SLOTS];

static void fail(const char *what)
{
    fprintf(stderr, "step: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void read_maps(pid_t child)
{
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%d/maps", (int)child);
    FILE *file = fopen(path, "r");
    if (!file)
        fail(path);
    map_count = 0;
    while (fgets(line, sizeof line, file) && map_count < MAPS_MOST) {
        struct map map;
        char access[8], name[512] = "none";
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %511s", &map.begin, &map.end, access,
                   &map.offset, name) < 4 ||
            access[2] != 'x')
            continue;
        const char *slash = strrchr(name, '/');
        map.name = strdup(slash ? slash + 1 : name);
        map.helps = strncmp(map.name, "libc.", 5) == 0 || strncmp(map.name, "libm.", 5) == 0 ||
                    strncmp(map.name, "ld-", 3) == 0 || strcmp(map.name, "[vdso]") == 0;
        map.is_callsign = strncmp(map.name, "libcallsign", 11) == 0;
        maps[map_count++] = map;
    }
    fclose(file);
}

static size_t find_map(uint64_t at)
{
    static size_t last;
    if (last < map_count && at >= maps[last].begin && at < maps[last].end)
        return last;
    for (last = 0; last < map_count; last++)
        if (at >= maps[last].begin && at < maps[last].end)
            return last;
    errno = EFAULT;
    fail("an instruction outside of all libraries");
    return 0;
}

static const struct place *count(pid_t child, uint64_t at, size_t map, size_t owner, unsigned operation)
{
    size_t slot = (size_t)((at ^ owner << 50) * 0x9e3779b97f4a7c15u >> 48);
    while (places[slot].at && (places[slot].at != at || places[slot].owner != owner))
        slot = (slot + 1) % SLOTS;
    struct place *place = &places[slot];
    if (!place->at)
        *place =
            (struct place){.at = at,
                           .map = map,
                           .owner = owner,
                           .bytes = (unsigned)ptrace(PTRACE_PEEKTEXT, child, (void *)(uintptr_t)at, NULL) & 0xffff};
    place->count[operation]++;
    return place;
}

/* Continues until the next stop by SIGTRAP; other signals go to the program. Returns false when it has ended. */
static bool go(pid_t child, enum __ptrace_request how, bool *breakpoint)
{
    int status, signal = 0;
    for (;;) {
        if (ptrace(how, child, NULL, (void *)(intptr_t)signal) != 0)
            fail("ptrace");
        if (waitpid(child, &status, 0) != child)
            fail("waitpid");
        if (!WIFSTOPPED(status)) {
            if (!WIFEXITED(status) || WEXITSTATUS(status))
                exit(1);
            return false;
        }
        signal = WSTOPSIG(status);
        if (signal == SIGTRAP)
            break;
    }
    siginfo_t info;
    if (ptrace(PTRACE_GETSIGINFO, child, NULL, &info) != 0)
        fail("ptrace");
    *breakpoint = info.si_code == SI_KERNEL;
    return true;
}

/* The instruction has just read the counter. */
static void set_counter(pid_t child, uint64_t ticks)
{
    struct user_regs_struct registers;
    ptrace(PTRACE_GETREGS, child, NULL, &registers);
    registers.rax = ticks & UINT32_MAX;
    registers.rdx = ticks >> 32;
    ptrace(PTRACE_SETREGS, child, NULL, &registers);
}

static void step_operation(pid_t child, unsigned operation)
{
    enum { RDTSC = 0x310f };
    static uint64_t begin, instructions;
    size_t owner = 0;
    struct user_regs_struct registers;
    bool breakpoint = false;
    if (!begin)
        begin = __builtin_ia32_rdtsc();
    for (;; instructions++) {
        if (ptrace(PTRACE_GETREGS, child, NULL, &registers) != 0)
            fail("ptrace");
        size_t map = find_map(registers.rip);
        if (!maps[map].helps)
            owner = map;
        if (!go(child, PTRACE_SINGLESTEP, &breakpoint))
            exit(1);
        if (breakpoint)
            return;
        const struct place *place = count(child, registers.rip, map, owner, operation);
        if (place->bytes == RDTSC && maps[map].is_callsign)
            set_counter(child, begin + instructions / 3);
    }
}

static void write_counts(unsigned operations)
{
    const char *path = getenv("STEP_OUTPUT");
    FILE *file = path ? fopen(path, "w") : stdout;
    if (!file)
        fail(path);
    for (size_t i = 0; i < SLOTS; i++) {
        const struct place *place = &places[i];
        if (!place->at)
            continue;
        const struct map *map = &maps[place->map];
        fprintf(file, "%s %s %" PRIx64 " %04x", maps[place->owner].name, map->name,
                place->at - map->begin + map->offset, place->bytes);
        for (unsigned operation = 0; operation < operations; operation++)
            fprintf(file, " %ld", place->count[operation]);
        fputc('\n', file);
    }
    if (file != stdout && fclose(file) != 0)
        fail(path);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: step PROGRAM ARGUMENT...\n", stderr);
        return 2;
    }
    pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        if (getenv("STEP_PRELOAD"))
            setenv("LD_PRELOAD", getenv("STEP_PRELOAD"), 1);
        execv(argv[1], argv + 1);
        fail(argv[1]);
    }
    int status;
    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
        fail("the program did not start");
    ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)PTRACE_O_EXITKILL);
    unsigned operations = 0;
    bool breakpoint;
    while (go(child, PTRACE_CONT, &breakpoint)) {
        if (!breakpoint || operations == OPERATIONS_MOST)
            continue;
        if (operations == 0)
            read_maps(child);
        step_operation(child, operations++);
        write_counts(operations);
    }
    return 0;
}
#endif
