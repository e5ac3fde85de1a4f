/* What a function that a signal handler may call can find out. */
#pragma once

#include <signal.h>
#include <stdbool.h>

#include "base/keep_errno.h"

/* True if the thread blocks some signal, as it does in a handler. Takes a system call. */
static inline bool cs_signals_are_blocked(void)
{
    CS_KEEP_ERRNO;
    sigset_t blocked;
    return pthread_sigmask(SIG_BLOCK, NULL, &blocked) != 0 || !sigisemptyset(&blocked);
}
