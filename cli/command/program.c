#include "cli/command/program.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127 };

/* Returns 0, or the reason why this file cannot be executed. */
static int check(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return errno;
    if (S_ISDIR(status.st_mode))
        return EISDIR;
    return access(path, X_OK) == 0 ? 0 : errno;
}

static int exit_code(int error)
{
    return error == ENOENT || error == ENOTDIR ? NOT_FOUND : NOT_EXECUTABLE;
}

static int search(const char *name, char **path)
{
    const char *folders = getenv("PATH");
    if (!folders)
        folders = "/usr/local/bin:/usr/bin:/bin";
    int denied = 0;
    for (const char *at = folders; at;) {
        const char *end = strchrnul(at, ':');
        char candidate[PATH_MAX];
        int length = (int)(end - at);
        /* An empty entry is the current folder. */
        if (snprintf(candidate, sizeof candidate, "%.*s/%s", length ? length : 1, length ? at : ".", name) < PATH_MAX) {
            int error = check(candidate);
            if (!error) {
                *path = strdup(candidate);
                return *path ? 0 : ENOMEM;
            }
            if (error == EACCES)
                denied = error;
        }
        at = *end ? end + 1 : NULL;
    }
    return denied ? denied : ENOENT;
}

int cs_program_look_up(const char *name, char **path)
{
    *path = NULL;
    if (!strchr(name, '/'))
        return search(name, path);
    int error = check(name);
    if (!error && !(*path = strdup(name)))
        error = ENOMEM;
    return error;
}

int cs_program_find(const char *name, char **path)
{
    int error = cs_program_look_up(name, path);
    if (!error)
        return 0;
    bool unknown = error == ENOENT && !strchr(name, '/');
    cs_log("%s: %s", name, unknown ? "command not found" : strerror(error));
    return exit_code(error);
}

int cs_program_exec(const char *path, char *const arguments[])
{
    /* execvp, not execv: it runs a script without an interpreter line in the shell. */
    execvp(path, arguments);
    int error = errno;
    cs_log("%s: %s", path, strerror(error));
    return exit_code(error);
}

/* Signals that end or control a program. Job control signals also stop this process, as they do its group. */
static const int passed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGPWR, SIGXCPU};

/* Batch systems, terminals and users end programs with these. */
static bool is_for_ending(int signal)
{
    return signal == SIGHUP || signal == SIGINT || signal == SIGQUIT || signal == SIGTERM || signal == SIGXCPU;
}

static void wait_for(const sigset_t *signals, const struct cs_program_signal *kept, struct cs_program_end *end)
{
    for (;;) {
        siginfo_t info;
        int signal = sigwaitinfo(signals, &info);
        if (signal == SIGCHLD || signal < 0) {
            pid_t ended = waitpid(end->pid, &end->status, WNOHANG);
            if (ended == end->pid || (ended < 0 && errno != EINTR))
                return;
            continue;
        }
        if (signal == kept->number) {
            kept->received(kept->context);
            continue;
        }
        if (!end->received && is_for_ending(signal)) {
            end->received = signal;
            end->received_ns = cs_clock_monotonic_ns();
        }
        if (info.si_code <= 0)
            kill(end->pid, signal);
        /* Signals from the kernel (Ctrl-C, a closed terminal) went to the whole group: the program has them already. */
    }
}

int cs_program_wait(const char *path, char *const arguments[], const struct cs_program_signal *kept,
                    struct cs_program_end *end)
{
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    for (size_t i = 0; i < sizeof passed_on / sizeof passed_on[0]; i++)
        sigaddset(&signals, passed_on[i]);
    sigprocmask(SIG_BLOCK, &signals, &before);
    /* The parent may ignore SIGCHLD. Then the kernel would reap the child and its status would be lost. */
    struct sigaction inherited, plain = {.sa_handler = SIG_DFL};
    sigaction(SIGCHLD, &plain, &inherited);

    *end = (struct cs_program_end){.began_ns = cs_clock_monotonic_ns()};
    end->pid = fork();
    if (end->pid < 0) {
        cs_log("cannot start %s: %s", path, strerror(errno));
        return NOT_EXECUTABLE;
    }
    if (end->pid == 0) {
        sigaction(SIGCHLD, &inherited, NULL);
        sigprocmask(SIG_SETMASK, &before, NULL);
        _exit(cs_program_exec(path, arguments));
    }
    wait_for(&signals, kept, end);
    end->ended_ns = cs_clock_monotonic_ns();
    sigprocmask(SIG_SETMASK, &before, NULL);
    return 0;
}

_Noreturn void cs_program_exit_like(int status)
{
    if (!WIFSIGNALED(status))
        exit(WEXITSTATUS(status));
    fflush(NULL);
    int number = WTERMSIG(status);
    /* Keep the program's core file: this process must not overwrite it. */
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    signal(number, SIG_DFL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    raise(number);
    exit(128 + number);
}
