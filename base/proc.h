/* Reads /proc: ancestors, arguments, small files. `proc` is the folder ("/proc"); tests pass another one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Enough for the arguments that callsign needs: they come first. */
enum { CS_PROC_ARGUMENTS_MOST = 16384 };

/* Fields of /proc/PID/stat. */
struct cs_proc_stat {
    char state; /* field 3: 'R' running, 'Z' ended but not waited for, ... */
    pid_t parent;
    long threads;            /* threads that have not ended */
    uint64_t cpu_ticks;      /* processor time of all threads, in clock ticks */
    uint64_t major_faults;   /* page faults that read the disk */
    uint64_t resident_bytes; /* memory of it that is in RAM */
    uint64_t start_ticks;    /* start in clock ticks since boot: tells the process from a later one with the same pid */
};

/* The machine and the pid namespace, within which a process id is unique. */
struct cs_proc_place {
    uint64_t boot;          /* first half of the kernel's boot id: differs after each boot; 0: unknown */
    uint64_t pid_namespace; /* the kernel's number of the namespace: containers may have their own; 0: unknown */
};

/* The place of this process. */
struct cs_proc_place cs_proc_place(const char *proc);

/* True if `proc` shows processes under the ids that this process uses. */
bool cs_proc_is_ours(const char *proc);

/* Reads the state of a process. pid 0: this process. Returns false if there is no such process or it is hidden. */
bool cs_proc_stat(const char *proc, pid_t pid, struct cs_proc_stat *stat);

/* Reads the time for which threads of a process were runnable without a core, in ns, without the wait that a thread is
   in now. Returns false if the kernel does not tell. */
bool cs_proc_run_delay(const char *proc, pid_t pid, uint64_t *ns);

/* Reads the command line: strings one after the other, each ended by NUL, cut at `size`. Returns the bytes used; 0:
 * unknown. */
size_t cs_proc_arguments(const char *proc, pid_t pid, char *buffer, size_t size);

/* The next string of a command line after `at` (NULL: the first), or NULL at the end. */
const char *cs_proc_next_argument(const char *buffer, size_t used, const char *at);

/* Reads the path of the executable. Returns false if it is unknown. */
bool cs_proc_executable(const char *proc, pid_t pid, char *path, size_t size);

/* Reads the first line of a file such as sys/kernel/hostname; "" if it cannot be read. */
void cs_proc_line(const char *proc, const char *name, char *line, size_t size);

/* The file name of the script that a program runs, or its module (python -m), if the program with this file name is an
   interpreter; a part of `arguments`, as cs_proc_arguments gives them. NULL: none, or unclear. Only plain options
   before a script are understood; -c and options with separate values are not. */
const char *cs_proc_script(const char *name, const char *arguments, size_t used);
