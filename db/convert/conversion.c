#include "db/convert/conversion.h"

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
static void set_bounds(struct cs_conversion *conversion, const struct cs_clock_pair *first,
                       const struct cs_clock_pair *last)
{
    double passed_ns = (double)cs_clock_pair().realtime_ns - (double)first->realtime_ns;
    if (passed_ns < -CLOCK_SLACK_NS) {
        conversion->damaged = true;
        passed_ns = last->ticks > first->ticks ? (double)(last->ticks - first->ticks) * conversion->ns_per_tick : 0;
    }
    conversion->least_ticks = moved(first->ticks, -BEGIN_SLACK_NS / conversion->ns_per_tick);
    conversion->most_ticks = moved(first->ticks, (passed_ns * RATE_SLACK + CLOCK_SLACK_NS) / conversion->ns_per_tick);
}

static bool was(const struct cs_conversion *conversion, uint64_t ticks)
{
    return ticks >= conversion->least_ticks && ticks <= conversion->most_ticks;
}

static void set_clock(struct cs_conversion *conversion)
{
    const struct cs_journal_header *header = conversion->header;
    const struct cs_clock_pair *first = &header->first, *last = &header->last;
    conversion->ns_per_tick = cs_clock_ns_per_tick(header->ticks_per_second, first, last);
    if (!isfinite(conversion->ns_per_tick) || conversion->ns_per_tick < NS_PER_TICK_LEAST ||
        conversion->ns_per_tick > NS_PER_TICK_MOST) {
        conversion->ns_per_tick = 1;
        conversion->damaged = true;
    }
    set_bounds(conversion, first, last);
    conversion->zero_ticks = conversion->seen_ticks = first->ticks;
    if (header->init_ticks && was(conversion, header->init_ticks))
        conversion->zero_ticks = header->init_ticks;
    else if (header->init_ticks)
        conversion->damaged = true;
    cs_conversion_note_instant(conversion, last->ticks);
}

void cs_conversion_begin(struct cs_conversion *conversion, struct cs_journal_reader *reader)
{
    const struct cs_journal_header *header = cs_journal_read_header(reader);
    conversion->reader = reader;
    conversion->header = header;
    /* Without a rank, the process id is used: it is unique on the node. */
    conversion->rank = header->rank >= 0 ? header->rank : header->pid ? -(int64_t)header->pid : -1;
    set_clock(conversion);
}

int64_t cs_conversion_zero_monotonic(struct cs_conversion *conversion)
{
    const struct cs_clock_pair *first = &conversion->header->first;
    int64_t zero_ns;
    bool damaged = conversion->damaged;
    bool overflow =
        first->monotonic_ns > INT64_MAX ||
        __builtin_sub_overflow((int64_t)first->monotonic_ns, cs_conversion_instant(conversion, first->ticks), &zero_ns);
    conversion->damaged = damaged;
    return overflow ? 0 : zero_ns;
}

void cs_shared_rows_free(struct cs_shared_rows *shared)
{
    free(shared->sites.slot);
    free(shared->frames.slot);
}

uint64_t cs_conversion_now(const struct cs_conversion *conversion)
{
    const struct cs_clock_pair *last = &conversion->header->last;
    uint64_t now_ns = cs_clock_pair().realtime_ns;
    double passed = now_ns > last->realtime_ns ? (double)(now_ns - last->realtime_ns) / conversion->ns_per_tick : -1;
    return passed >= 0 && passed < 9e18 && last->ticks < INT64_MAX ? last->ticks + (uint64_t)passed : 0;
}

bool cs_conversion_run(const struct cs_conversion *conversion, uint64_t *begin, uint64_t *end)
{
    const struct cs_journal_header *header = conversion->header;
    uint64_t first = header->first.ticks, from = header->init_ticks;
    uint64_t to = header->finalize_ticks ? header->finalize_ticks : conversion->seen_ticks;
    if (from < first || to <= from)
        return false;
    *begin = from - first;
    *end = to - first;
    return true;
}

void cs_conversion_note_instant(struct cs_conversion *conversion, uint64_t ticks)
{
    if (!was(conversion, ticks))
        conversion->damaged = true;
    else if (ticks > conversion->seen_ticks)
        conversion->seen_ticks = ticks;
}

int64_t cs_conversion_instant(struct cs_conversion *conversion, uint64_t ticks)
{
    if (!was(conversion, ticks)) {
        conversion->damaged = true;
        ticks = ticks < conversion->least_ticks ? conversion->least_ticks : conversion->seen_ticks;
    }
    int64_t instant = ticks >= conversion->zero_ticks
                          ? rounded((double)(ticks - conversion->zero_ticks) * conversion->ns_per_tick)
                          : rounded(-((double)(conversion->zero_ticks - ticks) * conversion->ns_per_tick));
    int64_t shifted;
    return __builtin_add_overflow(instant, conversion->shift_ns, &shifted) ? instant : shifted;
}

struct cs_value cs_conversion_instant_unless_0(struct cs_conversion *conversion, uint64_t ticks)
{
    return ticks ? cs_int(cs_conversion_instant(conversion, ticks)) : cs_text(NULL);
}

int64_t cs_conversion_span(struct cs_conversion *conversion, uint64_t ticks)
{
    uint64_t longest = conversion->most_ticks - conversion->least_ticks;
    if (ticks > longest) {
        conversion->damaged = true;
        ticks = longest;
    }
    return rounded((double)ticks * conversion->ns_per_tick);
}

int64_t cs_conversion_count(struct cs_conversion *conversion, uint64_t count)
{
    if (count > SUM_MOST) {
        conversion->damaged = true;
        count = SUM_MOST;
    }
    return (int64_t)count;
}

bool cs_conversion_add(struct cs_conversion *conversion, uint64_t *sum, uint64_t count)
{
    if (count > SUM_MOST - *sum) {
        conversion->damaged = true;
        return false;
    }
    *sum += count;
    return true;
}

uint64_t cs_conversion_add_bytes(uint64_t *sum, uint64_t bytes)
{
    if (bytes > SUM_MOST - *sum)
        bytes = SUM_MOST - *sum;
    *sum += bytes;
    return bytes;
}

int64_t cs_conversion_bytes(uint64_t bytes)
{
    return (int64_t)(bytes < SUM_MOST ? bytes : SUM_MOST);
}

bool cs_conversion_add_span(struct cs_conversion *conversion, uint64_t *sum, uint64_t ticks)
{
    if (ticks > conversion->most_ticks - conversion->least_ticks) {
        conversion->damaged = true;
        return false;
    }
    return cs_conversion_add(conversion, sum, (uint64_t)cs_conversion_span(conversion, ticks));
}

struct cs_value cs_conversion_function(struct cs_conversion *conversion, uint32_t number)
{
    if (number <= UINT16_MAX)
        conversion->function_used[number] = 1;
    return cs_int_unless(number, 0);
}
