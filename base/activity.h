/* What a process does between two looks at it: on a core, without one, asleep, in the kernel. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/proc.h"

/* What most of the time between two looks was. */
enum cs_activity {
    CS_ACTIVITY_UNKNOWN,
    CS_ACTIVITY_COMPUTES,        /* on a core */
    CS_ACTIVITY_LACKS_CORE,      /* runnable */
    CS_ACTIVITY_SLEEPS,          /* all of the time */
    CS_ACTIVITY_UNINTERRUPTIBLE, /* in the kernel, as for storage */
    CS_ACTIVITY_PAGES            /* reads memory from the disk */
};

struct cs_look {
    bool known; /* the process is there and can be seen; else nothing else is set */
    bool knows_delay;
    struct cs_proc_stat stat;
    uint64_t delay_ns; /* runnable without a core, if known */
    int64_t at_ns;     /* monotonic */
};

/* Looks at a process. `proc` is as in base/proc.h. with_delay: also at its waits for a core, a file for each thread. */
struct cs_look cs_look_at(const char *proc, pid_t pid, bool with_delay);

/* True if a signal or a debugger has stopped the process. */
bool cs_look_is_stopped(const struct cs_look *look);

/* Compares two looks at a process that did not change what it does meanwhile. CS_ACTIVITY_UNKNOWN: several states. */
enum cs_activity cs_activity_between(const struct cs_look *before, const struct cs_look *after);

/* What the process did at one look: all that is known without another one. A thread without a core looks like one on
   it. */
enum cs_activity cs_activity_at(const struct cs_look *look);

/* "computing", "without a core", ...; NULL: unknown. */
const char *cs_activity_word(enum cs_activity activity);
