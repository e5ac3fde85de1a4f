/* Reads /proc: ancestors, arguments, small files. `proc` is the folder ("/proc"); tests give another. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Long enough for the arguments that matter: they stand in front. */
enum { CS_PROC_ARGUMENTS_MOST = 16384 };

/* What /proc/PID/stat says of a process. */
struct cs_proc_stat {
    char state; /* field 3: 'R' running, 'Z' ended and not waited for, ... */
    pid_t parent;
    long threads;       /* that have not ended */
    uint64_t cpu_ticks; /* clock ticks that it has run, in all its threads */
    uint64_t
        start_ticks; /* when it started, in clock ticks since boot: tells it from a later process of the same pid */
};

/* Where a process id means what it means to this process. */
struct cs_proc_place {
    uint64_t boot;          /* first half of the kernel's boot id: tells one run of one machine; 0: not known */
    uint64_t pid_namespace; /* its number in the kernel: containers may have one of their own; 0: not known */
};

/* That of this process. */
struct cs_proc_place cs_proc_place(const char *proc);

/* Whether `proc` shows processes under the numbers that this process knows them by. */
bool cs_proc_is_ours(const char *proc);

/* False when there is no such process, or when it is hidden. pid 0: this process. */
bool cs_proc_stat(const char *proc, pid_t pid, struct cs_proc_stat *stat);

/* The command line: strings one after the other, each ended by NUL, cut at the size. Returns the bytes used, 0 when
 * unknown. */
size_t cs_proc_arguments(const char *proc, pid_t pid, char *buffer, size_t size);

/* The string after the one at `at`, or NULL at the end; at = NULL gives the first. */
const char *cs_proc_next_argument(const char *buffer, size_t used, const char *at);

/* The executable's path; false when unknown. */
bool cs_proc_executable(const char *proc, pid_t pid, char *path, size_t size);

/* The first line of a file of one line, such as sys/kernel/hostname; "" when it cannot be read. */
void cs_proc_line(const char *proc, const char *name, char *line, size_t size);
