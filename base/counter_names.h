/* Names of hardware counters, as users write them in --counters. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Others than instructions and cycles, which are always tried. */
enum { CS_COUNTER_NAMES_MOST = 2 };

struct cs_counter_name {
    const char *name;
    uint32_t type; /* of perf_event_open */
    uint64_t config;
};

extern const struct cs_counter_name cs_counter_instructions, cs_counter_cycles;

/* Counters that a list names, separated by commas. Returns their number; -1: a name is unknown, or there are too many.
   "off" names none. */
int cs_counter_names_parse(const char *list, struct cs_counter_name found[CS_COUNTER_NAMES_MOST]);
