#include "record/site/python_state.h"

#include <sched.h>
#include <stdbool.h>
#include <string.h>

#include "record/site/python_code.h"
#include "record/site/stack.h"

enum {
    TRIES = 16,             /* another thread may be changing the lists */
    STEPS_MOST = 4096,      /* interpreters and states of one try */
    INTERPRETER_BYTES = 24, /* the fields that are read */
    STATE_BYTES = 64,
};

struct search {
    const struct cs_python_layout *layout;
    struct cs_thread *thread;
    uint64_t state, run; /* the innermost so far; 0: none */
    unsigned steps;
};

static uint64_t word_at(const char *bytes, unsigned offset)
{
    uint64_t word;
    memcpy(&word, bytes + offset, sizeof word);
    return word;
}

/* Stacks grow downwards: the innermost function has the lowest address. */
static bool search_states(struct search *search, uint64_t interpreter, uint64_t state)
{
    char bytes[STATE_BYTES];
    for (; state; state = word_at(bytes, search->layout->thread_next)) {
        if (search->steps++ >= STEPS_MOST || !cs_python_read(state, bytes, sizeof bytes) ||
            word_at(bytes, search->layout->thread_interpreter) != interpreter)
            return false;
        uint64_t run = word_at(bytes, search->layout->thread_run);
        if (cs_stack_has(search->thread, run) && (!search->run || run < search->run)) {
            search->run = run;
            search->state = state;
        }
    }
    return true;
}

static bool search_interpreters(struct search *search, struct cs_python_interpreters interpreters)
{
    char bytes[INTERPRETER_BYTES];
    uint64_t last = 0;
    for (uint64_t at = interpreters.first; at; at = word_at(bytes, 0)) {
        if (search->steps++ >= STEPS_MOST || !cs_python_read(at, bytes, sizeof bytes) ||
            !search_states(search, at, word_at(bytes, search->layout->interpreter_threads)))
            return false;
        last = at;
    }
    return last == interpreters.main; /* the oldest one: the list was whole */
}

uint64_t cs_python_state_find(const struct cs_python_layout *layout, struct cs_python_interpreters interpreters,
                              uint64_t own, struct cs_thread *thread)
{
    if (!layout->interpreter_threads || interpreters.first == interpreters.main)
        return own;
    for (int i = 0; layout->thread_run && i < TRIES; i++) {
        struct search search = {.layout = layout, .thread = thread};
        if (search_interpreters(&search, interpreters))
            return search.state;
        sched_yield();
    }
    return 0;
}
