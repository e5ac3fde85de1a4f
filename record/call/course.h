/* The course of a value over the run: what it was at equal intervals since the journal began. If there are more of them
   than slots, every second one is kept, so the slots cover a run of any length. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "record/process/cells.h"
#include "record/process/thread.h"

enum { CS_COURSE_FIRST = 1 << 16, CS_COURSE_VALUES = 3 };

/* Where a course is in the journal. */
struct cs_course {
    uint64_t *interval; /* ticks; CS_COURSE_FIRST at the beginning */
    uint64_t *filled;   /* slots that have their value */
    uint64_t slots;     /* even */
    size_t values;
    uint64_t *at[CS_COURSE_VALUES]; /* the slots of each value */
};

/* The number of slots whose instant has passed when this many ticks have passed since the journal began; the caller
   fills those after *filled. */
static inline uint64_t cs_course_reach(const struct cs_course *course, uint64_t elapsed)
{
    while (elapsed / *course->interval > course->slots) {
        uint64_t half = *course->filled / 2;
        cs_publish(*course->filled, 0); /* a process that is killed now has no course */
        for (size_t v = 0; v < course->values; v++)
            for (uint64_t i = 0; i < half; i++)
                course->at[v][i] = course->at[v][2 * i + 1];
        *course->interval *= 2;
        cs_publish(*course->filled, half);
    }
    return elapsed / *course->interval;
}

/* A thread begins to use its state. */
void cs_course_begin(struct cs_thread *thread);

/* An outermost call ended at or after thread->course_next: keeps the MPI time at the instants that have passed. Before
   the call's time is added. */
void cs_course_pass(struct cs_thread *thread, uint64_t start, uint64_t stop);
