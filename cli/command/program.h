/* The program that `callsign run` starts: found as the shell finds it, with the same terminal and signals. This
   process ends as the program ends. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

/* How the program ended. */
struct cs_program_end {
    int status; /* from waitpid */
    pid_t pid;
    int received;      /* the first ending signal that this process received; 0: none */
    uint64_t began_ns; /* on the monotonic clock */
    uint64_t received_ns, ended_ns;
};

/* Finds a program like the shell: a name with a slash is a path, others are searched in PATH. Returns 0 and the file
 * in *path (to be freed), or an errno. */
int cs_program_look_up(const char *name, char **path);

/* cs_program_look_up that returns 0 or the shell's exit code: 127 not found, 126 not executable (logged in one
   line). */
int cs_program_find(const char *name, char **path);

/* Replaces this process. Returns only on failure, with the exit code (logged). */
int cs_program_exec(const char *path, char *const arguments[]);

/* A signal that the program does not get. */
struct cs_program_signal {
    int number; /* SIGUSR1 or SIGUSR2; 0: none */
    void (*received)(void *context);
    void *context;
};

/* Starts the program, forwards signals that are sent only to this process, and waits. Returns 0, or the exit code if
   the program could not be started (logged). */
int cs_program_wait(const char *path, char *const arguments[], const struct cs_program_signal *kept,
                    struct cs_program_end *end);

/* Ends this process with the same exit code or signal as in this status (of waitpid). */
_Noreturn void cs_program_exit_like(int status);
