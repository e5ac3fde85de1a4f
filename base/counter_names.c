#include "base/counter_names.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

const struct cs_counter_name cs_counter_instructions = {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS};
const struct cs_counter_name cs_counter_cycles = {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES};

static const struct cs_counter_name others[] = {
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
    {"stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
    {"stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
    {"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS},
};

/* rHEX: the number of an event in the manual of the processor. */
static bool find(const char *name, size_t length, struct cs_counter_name *found)
{
    enum { DIGITS = 16 };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strlen(others[i].name) == length && strncmp(others[i].name, name, length) == 0) {
            *found = others[i];
            return true;
        }
    size_t digits = *name == 'r' ? strspn(name + 1, "0123456789abcdefABCDEF") : 0;
    *found = (struct cs_counter_name){"raw", PERF_TYPE_RAW, digits ? strtoull(name + 1, NULL, 16) : 0};
    return digits && digits <= DIGITS && digits + 1 == length;
}

int cs_counter_names_parse(const char *list, struct cs_counter_name found[CS_COUNTER_NAMES_MOST])
{
    int count = 0;
    for (const char *at = list; *at && strcmp(list, "off") != 0;) {
        size_t length = strcspn(at, ",");
        if (count == CS_COUNTER_NAMES_MOST || !find(at, length, &found[count++]))
            return -1;
        at += length;
        if (*at && !*++at)
            return -1; /* nothing behind the comma */
    }
    return count;
}
