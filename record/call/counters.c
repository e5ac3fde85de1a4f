#include "record/call/counters.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/counter_names.h"
#include "base/descriptor.h"

enum { ALL_UNKNOWN = (1 << CS_COUNTERS) - 1 };
static_assert(CS_COUNTERS == 2 + CS_COUNTER_NAMES_MOST, "instructions, cycles, and others");

/* ---- the kernel ---- */

static int open_event(struct perf_event_attr *event, int leader)
{
    return (int)syscall(SYS_perf_event_open, event, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

static int find_id(int number, uint64_t *id)
{
    return ioctl(number, PERF_EVENT_IOC_ID, id);
}

struct cs_counter_kernel cs_counter_kernel = {.open = open_event, .id = find_id, .read = read};

/* ---- all threads ---- */

static struct cs_counter_name wanted[CS_COUNTERS];
static int wanted_count;

void cs_counters_start(const char *list)
{
    wanted[0] = cs_counter_instructions;
    wanted[1] = cs_counter_cycles;
    int others = cs_counter_names_parse(list, wanted + 2);
    wanted_count = strcmp(list, "off") == 0 ? 0 : others < 0 ? 2 : 2 + others;
}

/* ---- one thread ---- */

void cs_counters_clear(struct cs_counters *counters)
{
    for (int i = 0; i < CS_COUNTERS; i++)
        counters->number[i] = -1;
}

/* The counter that the others join, so that one call reads all of them; -1: there is none. */
static int find_leader(const struct cs_counters *counters)
{
    for (int i = 0; i < CS_COUNTERS; i++)
        if (counters->number[i] >= 0)
            return i;
    return -1;
}

/* True unless the program closed the descriptor. It may have got the number for a file of its own. */
static bool is_ours(const struct cs_counters *counters, int i)
{
    uint64_t id = 0;
    return cs_counter_kernel.id(counters->number[i], &id) == 0 && id == counters->id[i];
}

void cs_counters_open(struct cs_counters *counters)
{
    for (int i = 0; i < wanted_count; i++) {
        struct perf_event_attr event = {.type = wanted[i].type,
                                        .size = sizeof event,
                                        .config = wanted[i].config,
                                        .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID |
                                                       PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
                                        .exclude_kernel = 1,
                                        .exclude_hv = 1};
        int leader = find_leader(counters);
        int number = cs_counter_kernel.open(&event, leader < 0 ? -1 : counters->number[leader]);
        counters->number[i] = number < 0 ? -1 : cs_descriptor_raise(number);
        if (counters->number[i] >= 0 && cs_counter_kernel.id(counters->number[i], &counters->id[i]) != 0) {
            close(counters->number[i]);
            counters->number[i] = -1;
        }
    }
}

void cs_counters_close(struct cs_counters *counters)
{
    for (int i = CS_COUNTERS; i-- > 0;)
        if (counters->number[i] >= 0 && is_ours(counters, i))
            close(counters->number[i]);
    cs_counters_clear(counters);
}

unsigned cs_counters_read(struct cs_counters *counters, uint64_t value[CS_COUNTERS])
{
    struct {
        uint64_t count, enabled, running;
        struct {
            uint64_t value, id;
        } of[CS_COUNTERS];
    } group = {.count = 0};
    int leader = find_leader(counters);
    if (leader < 0 || !is_ours(counters, leader))
        return ALL_UNKNOWN;
    ssize_t bytes = cs_counter_kernel.read(counters->number[leader], &group, sizeof group);
    if (bytes < (ssize_t)offsetof(__typeof__(group), of) || group.count > CS_COUNTERS || group.running < group.enabled)
        return ALL_UNKNOWN;
    unsigned unknown = ALL_UNKNOWN;
    for (uint64_t at = 0; at < group.count; at++)
        for (int i = 0; i < CS_COUNTERS; i++)
            if (counters->number[i] >= 0 && counters->id[i] == group.of[at].id) {
                value[i] = group.of[at].value;
                unknown &= ~(1u << i);
            }
    return unknown;
}
