/* The program that `callsign run` starts: found as the shell finds it, run on the same terminal with the same signals,
   and its end is the end of this process. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

/* How the program ended. */
struct cs_program_end {
    int status; /* that of waitpid */
    pid_t pid;
    int received;      /* the first signal that programs are ended with and that this process was sent; 0: none */
    uint64_t began_ns; /* on the monotonic clock */
    uint64_t received_ns, ended_ns;
};

/* Finds a program as the shell does: a name with a slash is a path, others are looked up in PATH. Returns 0 and in
 *path the file (to be freed), or an errno. */
int cs_program_look_up(const char *name, char **path);

/* The same; returns 0 or the exit code that shells use: 127 not found, 126 cannot be executed (logged in one line). */
int cs_program_find(const char *name, char **path);

/* Replaces this process. Returns only on failure, with the exit code to use (logged). */
int cs_program_exec(const char *path, char *const arguments[]);

/* Starts the program, passes on the signals that are sent to this process alone, and waits for it. Returns 0, or the
   exit code to use when it could not be started (logged). */
int cs_program_wait(const char *path, char *const arguments[], struct cs_program_end *end);

/* Ends this process like the one with this status (of waitpid): same exit code, or killed by the same signal. */
_Noreturn void cs_program_exit_like(int status);
