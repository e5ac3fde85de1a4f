/* What the kernel says about a thread and its process: time on a core and without one, faults, bytes. It is read at
   most every few milliseconds, without memory and without locks. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/process/thread.h"

/* Flags of enum cs_unknown_usage, the lowest for the first counter. */
enum {
    CS_UNKNOWN_COUNTERS = CS_UNKNOWN_INSTRUCTIONS | CS_UNKNOWN_CYCLES | CS_UNKNOWN_COUNTER_1 | CS_UNKNOWN_COUNTER_2
};

/* A thread begins to use the state: it knows nothing of this thread yet. */
void cs_usage_begin(struct cs_usage *usage);

/* The thread ends: closes its descriptor, if it is still its own. */
void cs_usage_end(struct cs_usage *usage);

/* Reads what the kernel says about the calling thread into usage->value: all but the values of the process. number: of
   the thread; later ones than the first 64 keep no descriptor, so that the program has enough of them. */
void cs_usage_read_thread(struct cs_usage *usage, uint32_t number);

/* Reads the values of the process and of the node, too. Returns false if another thread opens the files just now. */
bool cs_usage_read_process(struct cs_usage *usage);

/* The time for which a quota stopped a control group, in the text of its cpu.stat: version 1 counts nanoseconds,
   version 2 microseconds. False: the group has no quota, or the cpu controller is off. */
bool cs_usage_find_throttled(const char *text, uint64_t *ns);

/* The number of threads of the node that are on a core or want one, in the text of /proc/loadavg. False: it has another
   form. */
bool cs_usage_find_running(const char *text, uint64_t *threads);

/* How long to wait between two readings of the process, in ns: the kernel writes a line for each processor. */
uint64_t cs_usage_process_interval_ns(void);
