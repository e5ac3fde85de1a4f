#include "wrappers/check/window_memory.h"

#include <stdatomic.h>

#include "base/clock.h"
#include "base/guard.h"
#include "record/object/window_access.h"
#include "record/site/stack.h"

enum { PARTS_MOST = 64 };

struct part {
    uint32_t window;
    int32_t rank; /* of this process in the window's communicator */
    uint64_t begin, end;
    const struct cs_thread *on; /* it is in the stack of this thread; NULL: it is not */
    uint16_t held;              /* lock of this part that the process holds */
};

static struct cs_lock lock;
static struct part parts[PARTS_MOST];
static _Atomic int parts_count; /* changed with the lock */

uint64_t cs_window_memory_begin = UINT64_MAX, cs_window_memory_end;

/* With the lock. NULL: none, or no room. */
static struct part *find(uint32_t window)
{
    for (int i = 0; i < parts_count; i++)
        if (parts[i].window == window)
            return &parts[i];
    return NULL;
}

void cs_window_memory_add(const struct cs_call *call, const struct callsign_record *window, uint64_t begin,
                          uint64_t bytes)
{
    const bool locked = cs_guard_enter(&lock);
    if (begin && bytes && parts_count < PARTS_MOST) {
        parts[parts_count++] = (struct part){.window = window->id,
                                             .rank = window->rank,
                                             .begin = begin,
                                             .end = begin + bytes,
                                             .on = cs_stack_has(call->thread, begin) ? call->thread : NULL};
        if (begin < cs_window_memory_begin)
            cs_window_memory_begin = begin;
        if (begin + bytes > cs_window_memory_end)
            cs_window_memory_end = begin + bytes;
    }
    cs_guard_leave(&lock, locked);
}

void cs_window_memory_drop(uint32_t window)
{
    const bool locked = cs_guard_enter(&lock);
    struct part *part = find(window);
    if (part)
        *part = parts[--parts_count];
    cs_guard_leave(&lock, locked);
}

void cs_window_memory_lock(uint32_t window, uint16_t held)
{
    const bool locked = cs_guard_enter(&lock);
    struct part *part = find(window);
    if (part)
        part->held = held;
    cs_guard_leave(&lock, locked);
}

bool cs_window_memory_exists(void)
{
    return atomic_load_explicit(&parts_count, memory_order_relaxed) > 0;
}

bool cs_window_memory_has(uint64_t begin, uint64_t end)
{
    bool found = false;
    const bool locked = cs_guard_enter(&lock);
    for (int i = 0; i < parts_count; i++)
        found |= begin < parts[i].end && end > parts[i].begin;
    cs_guard_leave(&lock, locked);
    return found;
}

/* Not inlined: programs without windows would pay for its variables. */
__attribute__((noinline)) void cs_window_memory_use(const struct cs_call *call, bool writes, uint64_t begin,
                                                    uint64_t end)
{
    const bool locked = cs_guard_enter(&lock);
    for (int i = 0; i < parts_count; i++) {
        const struct part *it = &parts[i];
        uint64_t from = begin > it->begin ? begin : it->begin, to = end < it->end ? end : it->end;
        if (from >= to)
            continue;
        const struct cs_access_cell cell = {.object = it->window,
                                            .target = it->rank,
                                            .kind = writes ? CS_ACCESS_KIND_WRITE : CS_ACCESS_KIND_READ,
                                            .function = call->function,
                                            .lock = it->held,
                                            .displacement = (int64_t)(from - it->begin),
                                            .span_bytes = (int64_t)(to - from),
                                            .began_ticks = cs_clock_ticks(),
                                            .site = call->innermost};
        cs_window_access_add(&cell);
    }
    cs_guard_leave(&lock, locked);
}

/* The place of the return address into the program, above which its frames lie; 0: not found. It reads the stack as it
   is, also where the address sanitizer has made it unreadable. */
static __attribute__((no_sanitize_address)) uint64_t frames_begin(const struct cs_call *call)
{
    enum { WORDS_MOST = 64 };
    const uint64_t *word = (const void *)(call + 1);
    for (int i = 0; i < WORDS_MOST && cs_stack_has(call->thread, (uint64_t)(uintptr_t)(word + i)); i++)
        if (word[i] == call->innermost)
            return (uint64_t)(uintptr_t)(word + i);
    return 0;
}

void cs_checks_window_memory(struct cs_call *call)
{
    const bool locked = cs_guard_enter(&lock);
    const struct part *part = parts_count && call->about ? find(call->about) : NULL;
    uint64_t begin = part && part->on == call->thread ? part->begin : 0;
    cs_guard_leave(&lock, locked);
    if (begin && begin < frames_begin(call))
        cs_misuse_note(call, CS_MISUSE_DEAD_MEMORY, 0, 0);
}
