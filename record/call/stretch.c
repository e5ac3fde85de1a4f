#include "record/call/stretch.h"

#include <string.h>

#include "base/clock.h"
#include "base/keep_errno.h"
#include "base/uncancelled.h"
#include "journal/writer.h"
#include "record/call/course.h"
#include "record/call/profile.h"
#include "record/call/usage.h"

/* Pairs of call sites of a thread with a cell of their own. Later ones share a cell for each site that ends them. */
enum { PAIRS_MOST = 2048, STEPS = 1u << CS_STEPS_LOG2 };

static uint64_t sample_ticks, process_ticks; /* ticks after which to look again */

static uint64_t ticks_in(uint64_t ns)
{
    return cs_clock_ticks_in(cs_journal_header(cs_recorder.journal)->ticks_per_second, ns);
}

void cs_stretch_start(bool on)
{
    enum { LONG_NS = 5000000, SAMPLE_NS = 50000000 };
    cs_recorder.explains = on;
    if (!on)
        return;
    uint64_t ticks = ticks_in(LONG_NS);
    cs_recorder.long_ticks = (uint64_t)1 << (63 - __builtin_clzll(ticks + ticks / 2 + 1));
    sample_ticks = ticks_in(SAMPLE_NS);
    process_ticks = ticks_in(cs_usage_process_interval_ns());
}

/* ---- cells ---- */

static const struct cs_cell_type stretch_cells = {
    .block = CS_BLOCK_STRETCH,
    .bytes = sizeof(struct cs_stretch_cell),
    .key_bytes = sizeof(struct cs_stretch_key),
    .valid = offsetof(struct cs_stretch_cell, object), /* the word that contains the function */
    .valid_bytes = sizeof(uint64_t),
    .object = offsetof(struct cs_stretch_cell, object),
};

void cs_stretch_begin(struct cs_thread *thread)
{
    cs_usage_begin(&thread->usage);
    thread->last_ticks = thread->last_site = 0;
    thread->last_function = 0;
    thread->step = &thread->no_step;
    thread->ended_stretch.ticks = 0;
    thread->sample_next = cs_recorder.explains ? 0 : UINT64_MAX;
}

void cs_stretch_end(struct cs_thread *thread)
{
    CS_KEEP_ERRNO;
    cs_stretch_finish(thread);
    cs_usage_end(&thread->usage);
}

bool cs_stretch_has(struct cs_thread *thread, struct cs_stretch_key key)
{
    return !cs_recorder.explains || !thread->last_ticks || cs_cells_find(&thread->stretches, &key, &stretch_cells);
}

static struct cs_stretch_cell *add_cell(struct cs_thread *thread, struct cs_stretch_key key)
{
    if (cs_cells_release_dead(&thread->stretches, &stretch_cells))
        cs_steps_forget(thread);
    cs_profile_record_site(key.from_site);
    cs_profile_record_site(key.site);
    struct cs_stretch_cell cell = {
        .min_ticks = UINT64_MAX, .least_core_ns = UINT64_MAX, .course_interval = CS_COURSE_FIRST};
    memcpy(&cell, &key, sizeof key);
    return cs_cells_add(&thread->stretches, thread->state->thread, &cell, &stretch_cells);
}

static struct cs_stretch_cell *find_cell(struct cs_thread *thread, struct cs_stretch_key key)
{
    struct cs_stretch_cell *cell = cs_cells_find(&thread->stretches, &key, &stretch_cells);
    if (!cell && thread->stretches.count >= PAIRS_MOST) {
        enum { FUNCTION_AND_FROM = 32, FROM = 48 };
        key = (struct cs_stretch_key){0, key.site, key.what >> FUNCTION_AND_FROM << FROM >> (FROM - FUNCTION_AND_FROM),
                                      key.where};
        cell = cs_cells_find(&thread->stretches, &key, &stretch_cells);
    }
    return cell ? cell : add_cell(thread, key);
}

/* Keeps the time of a cell at the instants that have passed. It was `before` at the instant `from`, and `after` at
   `until`. Calls do not do this, only samples, so that it costs calls nothing. */
static void keep_course(struct cs_stretch_cell *cell, uint64_t from, uint64_t until, uint64_t before, uint64_t after)
{
    const struct cs_course course = {.interval = &cell->course_interval,
                                     .filled = &cell->course_filled,
                                     .slots = CS_COURSE_STRETCH,
                                     .values = 1,
                                     .at = {cell->course}};
    uint64_t first = cs_journal_header(cs_recorder.journal)->first.ticks;
    if (until <= first || until <= from)
        return;
    uint64_t reached = cs_course_reach(&course, until - first), i = cell->course_filled;
    for (; i < reached; i++) {
        uint64_t instant = first + (i + 1) * cell->course_interval;
        double share = instant > from ? (double)(instant - from) / (double)(until - from) : 0;
        cell->course[i] = before + (uint64_t)((double)(after - before) * share);
    }
    cs_publish(cell->course_filled, i);
}

/* ---- samples ---- */

static void add_share(uint64_t *sum, const uint64_t *more, size_t count, double share)
{
    for (size_t i = 0; i < count; i++)
        sum[i] += (uint64_t)((double)more[i] * share + 0.5);
}

/* What the kernel counted since it said `former`. */
static void subtract(uint64_t *now, const uint64_t *former)
{
    for (size_t i = 0; i < CS_USAGES; i++)
        now[i] = now[i] > former[i] ? now[i] - former[i] : 0;
}

static uint64_t *uses_of(struct cs_stretch_cell *cell)
{
    return (uint64_t *)(void *)((char *)cell + offsetof(struct cs_stretch_cell, core_ns));
}
static_assert(offsetof(struct cs_stretch_cell, steal_ns) ==
                      offsetof(struct cs_stretch_cell, core_ns) + CS_USAGE_STEAL * sizeof(uint64_t) &&
                  offsetof(struct cs_stretch_cell, busy_ns) ==
                      offsetof(struct cs_stretch_cell, core_ns) + CS_USAGE_BUSY * sizeof(uint64_t) &&
                  offsetof(struct cs_thread_usage, counter_2) ==
                      offsetof(struct cs_thread_usage, core_ns) + CS_USAGE_LAST_COUNTER * sizeof(uint64_t),
              "fields are in the order of enum cs_usage_value");

static uint64_t unseen(const struct cs_stretch_cell *cell)
{
    return cell->ticks - cell->seen_ticks + cell->call_ticks - cell->call_seen_ticks;
}

/* True if a step before this one has the same stretch. */
static bool is_repeated(const struct cs_thread *thread, size_t step)
{
    for (size_t i = 0; i < step; i++)
        if (thread->steps[i].stretch == thread->steps[step].stretch)
            return true;
    return false;
}

/* Gives the stretches and calls since the last sample, which was `between` ticks and `between_ns` ago, their shares.
   ended: a stretch that ends now, whose cell is not known yet. */
static void share_out(struct cs_thread *thread, const uint64_t *passed, uint64_t between, uint64_t between_ns,
                      uint64_t ended)
{
    uint64_t now = thread->usage.ticks;
    double sum = (double)ended;
    for (size_t i = 0; i < STEPS; i++) {
        const struct cs_stretch_cell *cell = thread->steps[i].stretch;
        if (cell && unseen(cell) && !is_repeated(thread, i))
            sum += (double)unseen(cell);
    }
    double each = 1 / (sum > (double)between ? sum : (double)between);
    for (size_t i = 0; i < STEPS; i++) {
        struct cs_stretch_cell *cell = thread->steps[i].stretch;
        if (!cell || !unseen(cell))
            continue;
        cell->unknown |= thread->usage.unknown;
        double call_ticks = (double)(cell->call_ticks - cell->call_seen_ticks), call = call_ticks * each;
        uint64_t call_ns = (uint64_t)(call_ticks * ((double)between_ns / (double)between)),
                 delay = passed[CS_USAGE_DELAY];
        cell->call_delay_most_ns += delay < call_ns ? delay : call_ns;
        add_share(uses_of(cell), passed, CS_USAGES_OF_THREAD, (double)(cell->ticks - cell->seen_ticks) * each);
        add_share(&cell->call_core_ns, &passed[CS_USAGE_CORE], 1, call);
        add_share(&cell->call_delay_ns, &passed[CS_USAGE_DELAY], 1, call);
        keep_course(cell, now - between, now - ended, cell->seen_ticks, cell->ticks);
        cell->seen_ticks = cell->ticks;
        cell->call_seen_ticks = cell->call_ticks;
    }
    add_share(thread->ended_stretch.use, passed, CS_USAGES_OF_THREAD, (double)ended * each);
}

/* What the kernel says about the thread and the process, in the journal. */
static void show_usage(struct cs_thread *thread, const uint64_t *passed, uint64_t between)
{
    const struct cs_usage *usage = &thread->usage;
    struct cs_thread_usage *shown = &thread->state->usage;
    add_share((uint64_t *)(void *)((char *)shown + offsetof(struct cs_thread_usage, core_ns)), passed,
              CS_USAGES_OF_THREAD, 1);
    shown->ticks += between;
    shown->unknown = usage->unknown;
    shown->user_ns = usage->process_user_ns;
    shown->process_system_ns = usage->process_system_ns;
    shown->peak_bytes = usage->peak_bytes;
    shown->read_bytes = usage->value[CS_USAGE_READ];
    shown->written_bytes = usage->value[CS_USAGE_WRITTEN];
    shown->disk_read_bytes = usage->disk_read_bytes;
    shown->disk_written_bytes = usage->value[CS_USAGE_DISK] - usage->disk_read_bytes;
    shown->throttled_ns = usage->value[CS_USAGE_THROTTLED] - usage->first_throttled_ns;
    shown->steal_ns = usage->value[CS_USAGE_STEAL] - usage->first_steal_ns;
    shown->busy_ns = usage->value[CS_USAGE_BUSY];
    shown->node_ns = usage->node_ns;
    shown->samples++;
}

/* Takes a sample. The values of the process are read less often, and only go to the stretch that ends now. */
static void sample(struct cs_thread *thread, uint64_t now, uint64_t ended, bool of_process)
{
    CS_KEEP_ERRNO;
    CS_UNCANCELLED;
    struct cs_usage *usage = &thread->usage;
    uint64_t former[CS_USAGES], passed[CS_USAGES], last = usage->ticks, last_of_process = usage->process_ticks;
    uint64_t last_ns = usage->monotonic_ns;
    memcpy(former, usage->value, sizeof former);
    cs_usage_read_thread(usage, thread->number);
    if ((of_process || now - last_of_process >= process_ticks) && cs_usage_read_process(usage))
        usage->process_ticks = now;
    memcpy(passed, usage->value, sizeof passed);
    subtract(passed, former);
    usage->ticks = now;
    usage->monotonic_ns = cs_clock_monotonic_ns();
    thread->sample_next = now + sample_ticks;
    thread->ended_stretch = (struct cs_ended_stretch){.ticks = ended};
    uint64_t between = now > last ? now - last : 0;
    if (last && between) { /* else it is the first one */
        share_out(thread, passed, between, usage->monotonic_ns - last_ns, ended);
        show_usage(thread, passed, between);
    }
    if (ended && last_of_process && usage->process_ticks > last_of_process) {
        double share = (double)ended / (double)(usage->process_ticks - last_of_process);
        add_share(thread->ended_stretch.use + CS_USAGES_OF_THREAD, passed + CS_USAGES_OF_THREAD,
                  CS_USAGES - CS_USAGES_OF_THREAD, share < 1 ? share : 1);
        thread->ended_stretch.of_process = true;
    }
}

uint64_t cs_stretch_pass(struct cs_thread *thread, uint64_t now)
{
    cs_thread_detour(thread);
    if (!cs_recorder.explains || thread->depth != 1 || !thread->last_ticks || now < thread->last_ticks ||
        cs_is_paused())
        return now;
    sample(thread, now, now - thread->last_ticks, false);
    return cs_clock_ticks();
}

struct cs_stretch_cell *cs_stretch_add(struct cs_thread *thread, struct cs_stretch_key key, uint64_t last,
                                       uint64_t start, uint64_t stop)
{
    if (!cs_recorder.explains)
        return &thread->no_stretch;
    uint64_t ticks = start > last ? start - last : 0, call_ticks = stop > start ? stop - start : 0;
    struct cs_stretch_cell *cell = last ? find_cell(thread, key) : NULL;
    struct cs_ended_stretch *ended = &thread->ended_stretch;
    if (cell) {
        if (ended->ticks)
            keep_course(cell, last, start, cell->ticks, cell->ticks + ticks);
        cs_stretch_add_to(cell, ticks, call_ticks);
        cell->unknown = thread->usage.unknown;
        if (ended->ticks && ended->ticks <= ticks) {
            add_share(uses_of(cell), ended->use, CS_USAGES, 1);
            cell->seen_ticks += ended->ticks;
            cell->exact_ticks += ended->ticks;
            if (ended->use[CS_USAGE_CORE] < cell->least_core_ns)
                cell->least_core_ns = ended->use[CS_USAGE_CORE];
            cell->process_ticks += ended->of_process ? ended->ticks : 0;
        }
    }
    ended->ticks = 0;
    return cell;
}

void cs_stretch_look(struct cs_thread *thread, uint64_t call_ticks, uint64_t stop)
{
    if (cs_recorder.explains && (call_ticks >= cs_recorder.long_ticks || stop >= thread->sample_next))
        sample(thread, stop, 0, false);
}

void cs_stretch_finish(struct cs_thread *thread)
{
    if (!cs_recorder.explains || !thread->usage.ticks)
        return;
    sample(thread, cs_clock_ticks(), 0, true);
    thread->ended_stretch.ticks = 0;
}
