#include "record/call/late_calls.h"

#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "base/keep_errno.h"
#include "base/uncancelled.h"
#include "functions.h"
#include "journal/run_files.h"
#include "record/process/run_folder.h"
#include "record/site/module.h"

enum { FUNCTIONS_MOST = 16 };

static _Atomic(pid_t) finalized; /* this process; 0: calls are right. A forked child is another one */
static int own_rank;
static _Atomic uint16_t noted[FUNCTIONS_MOST];

void cs_late_calls_begin(int rank)
{
    own_rank = rank;
    atomic_store_explicit(&finalized, getpid(), memory_order_release);
}

/* True if this is the first call of the function. */
static bool is_first(uint16_t function)
{
    for (size_t i = 0; i < FUNCTIONS_MOST; i++) {
        uint16_t other = 0;
        if (atomic_compare_exchange_strong_explicit(&noted[i], &other, function, memory_order_relaxed,
                                                    memory_order_relaxed))
            return true;
        if (other == function)
            return false;
    }
    return false;
}

/* One write for each line: others may be late at the same time. */
static void append_line(const char *name)
{
    char path[PATH_MAX], line[128];
    int length = snprintf(line, sizeof line, "%d %s\n", own_rank, name);
    if (!*cs_recorder_run_folder() ||
        snprintf(path, sizeof path, "%s/" CS_RUN_LATE_NAME, cs_recorder_run_folder()) >= PATH_MAX)
        return;
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0666);
    if (file < 0)
        return;
    ssize_t written = write(file, line, (size_t)length);
    (void)written;
    close(file);
}

void cs_late_calls_end(void)
{
    atomic_store_explicit(&finalized, 0, memory_order_relaxed);
}

void cs_late_calls_note(uint16_t number, uint64_t site)
{
    pid_t process = atomic_load_explicit(&finalized, memory_order_acquire);
    if (!process)
        return;
    CS_KEEP_ERRNO;
    CS_UNCANCELLED;
    const struct cs_function *function = cs_function_find(number);
    if (function && function->needs_mpi && process == getpid() && cs_module_is_of_program(site) && is_first(number))
        append_line(function->name);
}
