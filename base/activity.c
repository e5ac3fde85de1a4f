#include "base/activity.h"

#include <stddef.h>
#include <unistd.h>

#include "base/clock.h"

struct cs_look cs_look_at(const char *proc, pid_t pid, bool with_delay)
{
    struct cs_look look = {.at_ns = 0};
    look.known = cs_proc_stat(proc, pid, &look.stat);
    if (!look.known)
        return look;
    look.knows_delay = with_delay && cs_proc_run_delay(proc, pid, &look.delay_ns);
    look.at_ns = (int64_t)cs_clock_monotonic_ns();
    return look;
}

bool cs_look_is_stopped(const struct cs_look *look)
{
    return look->stat.state == 'T' || look->stat.state == 't';
}

/* The kernel's clocks are a few ticks apart, so that only large shares count. */
enum cs_activity cs_activity_between(const struct cs_look *before, const struct cs_look *after)
{
    enum { FAULTS_LEAST = 10, FAULTS_A_SECOND = 100 };
    if (!before->known || !after->known || cs_look_is_stopped(before) || cs_look_is_stopped(after))
        return CS_ACTIVITY_UNKNOWN;
    double passed = (double)(after->at_ns - before->at_ns), tick = 1e9 / (double)sysconf(_SC_CLK_TCK);
    double core = (double)(after->stat.cpu_ticks - before->stat.cpu_ticks) * tick;
    double delay = before->knows_delay && after->knows_delay && after->delay_ns >= before->delay_ns
                       ? (double)(after->delay_ns - before->delay_ns)
                       : 0;
    if (core >= 0.5 * passed || delay >= 0.5 * passed || core + delay >= 0.8 * passed)
        return core >= delay ? CS_ACTIVITY_COMPUTES : CS_ACTIVITY_LACKS_CORE;
    if (core + delay > 0.1 * passed)
        return CS_ACTIVITY_UNKNOWN;
    double faults = (double)(after->stat.major_faults - before->stat.major_faults);
    if (faults >= FAULTS_LEAST && faults >= FAULTS_A_SECOND * passed / 1e9)
        return CS_ACTIVITY_PAGES;
    enum cs_activity first = cs_activity_at(before), last = cs_activity_at(after);
    return first == last && first != CS_ACTIVITY_COMPUTES ? first : CS_ACTIVITY_UNKNOWN;
}

enum cs_activity cs_activity_at(const struct cs_look *look)
{
    switch (look->known ? look->stat.state : 0) {
    case 'R':
        return CS_ACTIVITY_COMPUTES;
    case 'S':
        return CS_ACTIVITY_SLEEPS;
    case 'D':
        return CS_ACTIVITY_UNINTERRUPTIBLE;
    default:
        return CS_ACTIVITY_UNKNOWN;
    }
}

const char *cs_activity_word(enum cs_activity activity)
{
    static const char *const words[] = {[CS_ACTIVITY_COMPUTES] = "computing",
                                        [CS_ACTIVITY_LACKS_CORE] = "without a core",
                                        [CS_ACTIVITY_SLEEPS] = "sleeping",
                                        [CS_ACTIVITY_UNINTERRUPTIBLE] = "in the kernel",
                                        [CS_ACTIVITY_PAGES] = "reading its memory from the disk"};
    return words[activity];
}
