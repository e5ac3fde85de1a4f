#include "db/seal/sealing.h"

#include <math.h>
#include <stdlib.h>

#define NS_PER_SECOND 1e9

/* The clocks of two machines, or of one machine before and after it was set, may differ by this much. The rate of a
   counter that was read twice within a moment has this error. */
#define CLOCK_SLACK_NS (3600 * NS_PER_SECOND)
#define RATE_SLACK     1.01

/* Threads on other processors may read a slightly smaller counter than the thread that began the journal. */
#define BEGIN_SLACK_NS NS_PER_SECOND

/* Limits of a tick: counters run at 1 MHz to 100 GHz. */
#define NS_PER_TICK_LEAST 0.01
#define NS_PER_TICK_MOST  1000

/* Limit of all calls, bytes or nanoseconds of one rank: the sum over eight damaged ranks still fits. */
#define SUM_MOST ((uint64_t)1 << 60)

/* Converts any double to a 64-bit number. */
static int64_t rounded(double value)
{
    if (!(value > -9.2e18))
        return INT64_MIN;
    return value < 9.2e18 ? (int64_t)(value < 0 ? value - 0.5 : value + 0.5) : INT64_MAX;
}

/* Never below 0 and never beyond the last tick. */
static uint64_t moved(uint64_t ticks, double by)
{
    double sum = (double)ticks + by;
    return sum <= 0 ? 0 : sum >= 1.8e19 ? UINT64_MAX : by < 0 ? ticks - (uint64_t)-by : ticks + (uint64_t)by;
}

/* Instants must be between the begin of the journal and now. */
static void set_bounds(struct cs_sealing *sealing, const struct cs_clock_pair *first, const struct cs_clock_pair *last)
{
    double passed_ns = (double)cs_clock_pair().realtime_ns - (double)first->realtime_ns;
    if (passed_ns < -CLOCK_SLACK_NS) {
        sealing->damaged = true;
        passed_ns = last->ticks > first->ticks ? (double)(last->ticks - first->ticks) * sealing->ns_per_tick : 0;
    }
    sealing->least_ticks = moved(first->ticks, -BEGIN_SLACK_NS / sealing->ns_per_tick);
    sealing->most_ticks = moved(first->ticks, (passed_ns * RATE_SLACK + CLOCK_SLACK_NS) / sealing->ns_per_tick);
}

static bool was(const struct cs_sealing *sealing, uint64_t ticks)
{
    return ticks >= sealing->least_ticks && ticks <= sealing->most_ticks;
}

static void set_clock(struct cs_sealing *sealing)
{
    const struct cs_journal_header *header = sealing->header;
    const struct cs_clock_pair *first = &header->first, *last = &header->last;
    sealing->ns_per_tick = cs_clock_ns_per_tick(header->ticks_per_second, first, last);
    if (!isfinite(sealing->ns_per_tick) || sealing->ns_per_tick < NS_PER_TICK_LEAST ||
        sealing->ns_per_tick > NS_PER_TICK_MOST) {
        sealing->ns_per_tick = 1;
        sealing->damaged = true;
    }
    set_bounds(sealing, first, last);
    sealing->zero_ticks = sealing->seen_ticks = first->ticks;
    if (header->init_ticks && was(sealing, header->init_ticks))
        sealing->zero_ticks = header->init_ticks;
    else if (header->init_ticks)
        sealing->damaged = true;
    cs_sealing_note_instant(sealing, last->ticks);
}

void cs_sealing_begin(struct cs_sealing *sealing, struct cs_journal_reader *reader)
{
    const struct cs_journal_header *header = cs_journal_read_header(reader);
    sealing->reader = reader;
    sealing->header = header;
    /* Without a rank, the process id is used: it is unique on the node. */
    sealing->rank = header->rank >= 0 ? header->rank : header->pid ? -(int64_t)header->pid : -1;
    set_clock(sealing);
}

int64_t cs_sealing_zero_monotonic(struct cs_sealing *sealing)
{
    const struct cs_clock_pair *first = &sealing->header->first;
    int64_t zero_ns;
    bool damaged = sealing->damaged;
    bool overflow =
        first->monotonic_ns > INT64_MAX ||
        __builtin_sub_overflow((int64_t)first->monotonic_ns, cs_sealing_instant(sealing, first->ticks), &zero_ns);
    sealing->damaged = damaged;
    return overflow ? 0 : zero_ns;
}

void cs_shared_rows_free(struct cs_shared_rows *shared)
{
    free(shared->sites.slot);
    free(shared->frames.slot);
}

uint64_t cs_sealing_now(const struct cs_sealing *sealing)
{
    const struct cs_clock_pair *last = &sealing->header->last;
    uint64_t now_ns = cs_clock_pair().realtime_ns;
    double passed = now_ns > last->realtime_ns ? (double)(now_ns - last->realtime_ns) / sealing->ns_per_tick : -1;
    return passed >= 0 && passed < 9e18 && last->ticks < INT64_MAX ? last->ticks + (uint64_t)passed : 0;
}

void cs_sealing_note_instant(struct cs_sealing *sealing, uint64_t ticks)
{
    if (!was(sealing, ticks))
        sealing->damaged = true;
    else if (ticks > sealing->seen_ticks)
        sealing->seen_ticks = ticks;
}

int64_t cs_sealing_instant(struct cs_sealing *sealing, uint64_t ticks)
{
    if (!was(sealing, ticks)) {
        sealing->damaged = true;
        ticks = ticks < sealing->least_ticks ? sealing->least_ticks : sealing->seen_ticks;
    }
    int64_t instant = ticks >= sealing->zero_ticks
                          ? rounded((double)(ticks - sealing->zero_ticks) * sealing->ns_per_tick)
                          : rounded(-((double)(sealing->zero_ticks - ticks) * sealing->ns_per_tick));
    int64_t shifted;
    return __builtin_add_overflow(instant, sealing->shift_ns, &shifted) ? instant : shifted;
}

struct cs_value cs_sealing_instant_unless_0(struct cs_sealing *sealing, uint64_t ticks)
{
    return ticks ? cs_int(cs_sealing_instant(sealing, ticks)) : cs_text(NULL);
}

int64_t cs_sealing_span(struct cs_sealing *sealing, uint64_t ticks)
{
    uint64_t longest = sealing->most_ticks - sealing->least_ticks;
    if (ticks > longest) {
        sealing->damaged = true;
        ticks = longest;
    }
    return rounded((double)ticks * sealing->ns_per_tick);
}

int64_t cs_sealing_count(struct cs_sealing *sealing, uint64_t count)
{
    if (count > SUM_MOST) {
        sealing->damaged = true;
        count = SUM_MOST;
    }
    return (int64_t)count;
}

bool cs_sealing_add(struct cs_sealing *sealing, uint64_t *sum, uint64_t count)
{
    if (count > SUM_MOST - *sum) {
        sealing->damaged = true;
        return false;
    }
    *sum += count;
    return true;
}

bool cs_sealing_add_span(struct cs_sealing *sealing, uint64_t *sum, uint64_t ticks)
{
    if (ticks > sealing->most_ticks - sealing->least_ticks) {
        sealing->damaged = true;
        return false;
    }
    return cs_sealing_add(sealing, sum, (uint64_t)cs_sealing_span(sealing, ticks));
}

struct cs_value cs_sealing_function(struct cs_sealing *sealing, uint32_t number)
{
    if (number <= UINT16_MAX)
        sealing->function_used[number] = 1;
    return cs_int_unless(number, 0);
}
