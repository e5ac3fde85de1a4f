/* Hardware counters of a thread in user mode: instructions, cycles, and up to two that --counters names. Where the
   machine has none, or allows none, the first try is all that this costs. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "record/process/thread.h"

/* What the kernel does; tests replace it. */
struct perf_event_attr;
struct cs_counter_kernel {
    int (*open)(struct perf_event_attr *event, int leader);
    int (*id)(int number, uint64_t *id); /* 0 if the descriptor is a counter */
    ssize_t (*read)(int number, void *values, size_t bytes);
};
extern struct cs_counter_kernel cs_counter_kernel;

/* Process-wide, before the first thread begins. list: the setting CALLSIGN_COUNTERS. */
void cs_counters_start(const char *list);

/* A thread has none, has all that it can have, and ends. */
void cs_counters_clear(struct cs_counters *counters);
void cs_counters_open(struct cs_counters *counters);
void cs_counters_close(struct cs_counters *counters);

/* Reads the counters of the calling thread. Returns which of them are unknown: a bit for each, the lowest first. A
   counter that shares the hardware with others is unknown: what it counted is an estimate. */
unsigned cs_counters_read(struct cs_counters *counters, uint64_t value[CS_COUNTERS]);
