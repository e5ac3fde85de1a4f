#include "record/call/course.h"

#include "journal/writer.h"
#include "record/process/recorder.h"

static uint64_t first_ticks(void)
{
    return cs_journal_header(cs_recorder.journal)->first.ticks;
}

static void set_next(struct cs_thread *thread)
{
    const struct cs_thread_state *state = thread->state;
    thread->course_next = first_ticks() + (state->course_filled + 1) * state->course_interval;
}

void cs_course_begin(struct cs_thread *thread)
{
    if (!thread->state->course_interval)
        thread->state->course_interval = CS_COURSE_FIRST;
    set_next(thread);
}

void cs_course_pass(struct cs_thread *thread, uint64_t start, uint64_t stop)
{
    struct cs_thread_state *state = thread->state;
    const struct cs_course course = {.interval = &state->course_interval,
                                     .filled = &state->course_filled,
                                     .slots = CS_COURSE_THREAD,
                                     .values = 1,
                                     .at = {state->course}};
    uint64_t first = first_ticks();
    if (stop < first)
        return;
    uint64_t reached = cs_course_reach(&course, stop - first), i = state->course_filled;
    for (; i < reached; i++) {
        uint64_t instant = first + (i + 1) * state->course_interval;
        state->course[i] = state->mpi_ticks + (instant > start ? instant - start : 0);
    }
    cs_publish(state->course_filled, i);
    set_next(thread);
}
