#include "wrappers/check/pending.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

#include "base/guard.h"
#include "base/hash.h"
#include "base/hash_table.h"
#include "base/interval_tree.h"
#include "functions.h"
#include "record/message/request.h"
#include "record/object/type_layout.h"
#include "wrappers/call/misuse.h"
#include "wrappers/check/arguments.h"
#include "wrappers/check/repeated.h"
#include "wrappers/check/threads.h"
#include "wrappers/check/variables.h"
#include "wrappers/check/window_memory.h"

enum { USES_MOST = 3, PENDING_MOST = 1 << 16, CLEANED_FIRST = 1024, PAGE = 4096 };

/* Bytes that a call uses: all between begin and end, or elements with gaps, which begin at `first`. */
struct use {
    uint64_t begin, end;
    bool writes;
    const struct cs_layout *element; /* NULL: all bytes */
    uint64_t first;
    int64_t count;
};

const char cs_scattered_buffer[1];

enum { CHECKED_LOG2 = 6 };

/* The buffers of a thread's current call, and calls that were checked. */
struct cs_uses {
    const struct cs_call *call;
    uint16_t function;
    int count;
    struct use use[USES_MOST + 1]; /* and the next one, or one that finds no room */
    int steps;                     /* that may still be taken for buffers in pieces */
    struct cs_layout layout[2];    /* of the two that are compared: too large for the stacks of some threads */
    int owns;
    struct cs_layout own[2]; /* of this call alone: see cs_uses_layout */
    struct cs_repeated checked[1u << CHECKED_LOG2];
};

struct operation;

/* A buffer of a pending operation. */
struct buffer {
    struct cs_interval bytes; /* found by it, so it comes first */
    struct operation *of;
    struct use use;
    struct cs_layout *own; /* copy of a layout of the call alone; NULL: none */
    bool sorted;           /* it is in a tree; else among `unsorted` */
};

/* It is pending while the table of requests says so. */
struct operation {
    uint64_t request; /* 0: it ends with an epoch, or with the second call of two */
    uint32_t object;  /* the window or file whose calls complete it, too */
    int place;        /* among the persistent requests that start now, from 1; 0: it does not start */
    uint64_t site;
    int buffers;
    struct buffer buffer[USES_MOST];
    UT_hash_handle hh;             /* under its request */
    struct operation *prev, *next; /* of those on windows and files; next: also of those not in use */
};

static struct cs_lock lock;
static struct operation *by_request, *on_objects, *unused;
static struct cs_interval *read_buffers, *written_buffers;
static struct cs_interval *unsorted;      /* read ones that are not in their tree yet: left, right: before and after */
static _Atomic int pending_count;         /* operations; changed with the lock */
static int until_cleaned = CLEANED_FIRST; /* how many more are kept before those that are gone are forgotten */
uint64_t cs_pending_changes;              /* changed with the lock */

static __attribute__((noinline)) struct cs_uses *make_uses(struct cs_thread *thread)
{
    return thread->uses = calloc(1, sizeof *thread->uses);
}

void cs_uses_begin(struct cs_call *call)
{
    struct cs_thread *thread = call->thread;
    struct cs_uses *uses = thread->uses;
    if (__builtin_expect(!uses, 0) && !(uses = make_uses(thread)))
        return;
    uses->call = call;
    uses->function = call->function;
    uses->count = 0;
    uses->owns = 0;
}

static int count_pending(void)
{
    return atomic_load_explicit(&pending_count, memory_order_relaxed);
}

/* With the lock. Read buffers are looked for only when a call writes: programs that send or put all the time never do.
   Call it before read_buffers is used. */
static void sort_read_buffers(void)
{
    while (unsorted) {
        struct cs_interval *it = unsorted;
        unsorted = it->right;
        cs_intervals_add(&read_buffers, it);
        ((struct buffer *)(void *)it)->sorted = true;
    }
}

static void put_buffer(struct buffer *buffer)
{
    struct cs_interval *bytes = &buffer->bytes;
    buffer->sorted = buffer->use.writes;
    if (buffer->sorted) {
        cs_intervals_add(&written_buffers, bytes);
        return;
    }
    bytes->left = NULL;
    bytes->right = unsorted;
    if (unsorted)
        unsorted->left = bytes;
    unsorted = bytes;
}

static struct cs_interval **tree_of(const struct buffer *buffer)
{
    return buffer->use.writes ? &written_buffers : &read_buffers;
}

static void take_buffer_out(struct buffer *buffer)
{
    struct cs_interval *bytes = &buffer->bytes;
    if (buffer->sorted) {
        cs_intervals_remove(tree_of(buffer), bytes);
        return;
    }
    *(bytes->left ? &bytes->left->right : &unsorted) = bytes->right;
    if (bytes->right)
        bytes->right->left = bytes->left;
}

/* With the lock. in_trees: its buffers are. */
static void forget(struct operation *it, bool in_trees)
{
    for (int i = 0; i < it->buffers; i++) {
        if (in_trees)
            take_buffer_out(&it->buffer[i]);
        free(it->buffer[i].own);
    }
    if (it->request)
        HASH_DEL(by_request, it);
    if (it->object)
        DL_DELETE(on_objects, it);
    LL_PREPEND(unused, it);
    cs_pending_changes++;
    atomic_store_explicit(&pending_count, count_pending() - 1, memory_order_relaxed);
}

/* Forgets buffers of requests if there are no requests. With threads, one may be about to be registered. */
static bool has_none_pending(void)
{
    if (count_pending() == 0)
        return true;
    if (!cs_guard_enter_alone())
        return false;
    const bool none = cs_requests.count == 0;
    cs_guard_leave_alone();
    const bool locked = cs_guard_enter(&lock);
    while (none && by_request)
        forget(by_request, true);
    cs_guard_leave(&lock, locked);
    return count_pending() == 0;
}

/* Nothing else that the result of a check depends on. */
static bool is_quiet(void)
{
    return !cs_window_memory_exists() && !cs_check_has_probes() && has_none_pending();
}

/* Calls of a site with different arguments usually have different places, so that a program may alternate between
   buffers, or between processes. */
bool cs_is_checked_already(const struct cs_call *call, const uint64_t words[static CS_REPEATED_WORDS], uint64_t sum)
{
    struct cs_uses *uses = call->thread->uses;
    if (!uses || !call->on || !call->about || !is_quiet())
        return false;
    return cs_repeats(&uses->checked[cs_hash_place(call->innermost + sum, CHECKED_LOG2)], call, words,
                      CS_REPEATED_WORDS);
}

struct cs_layout *cs_uses_layout(struct cs_call *call)
{
    struct cs_uses *uses = call->thread->uses;
    struct cs_layout *own = uses && uses->owns < 2 ? &uses->own[uses->owns++] : NULL;
    if (own)
        own->runs = 0;
    return own;
}

/* False: it cannot be described. */
static bool lay_out(struct use use, struct cs_layout *layout, uint64_t *begin)
{
    layout->runs = 0;
    *begin = use.element ? use.first : use.begin;
    return use.element ? cs_layout_add_elements(layout, use.element, 0, use.count)
                       : cs_layout_add(layout, &(struct cs_run){.bytes = (int64_t)(use.end - use.begin)});
}

/* 0 also if it is undecided. */
static __attribute__((noinline)) uint64_t overlap_in_pieces(struct cs_uses *uses, struct use a, struct use b)
{
    struct cs_layout *layout = uses->layout;
    uint64_t a_begin, b_begin;
    int64_t bytes = 0;
    if (uses->steps > 0 && lay_out(a, &layout[0], &a_begin) && lay_out(b, &layout[1], &b_begin))
        bytes = cs_layout_overlap(&layout[0], a_begin, &layout[1], b_begin, &uses->steps);
    return bytes > 0 ? (uint64_t)bytes : 0;
}

static inline uint64_t overlap(struct cs_uses *uses, const struct use *a, const struct use *b)
{
    uint64_t begin = a->begin > b->begin ? a->begin : b->begin, end = a->end < b->end ? a->end : b->end;
    if (begin >= end || !(a->writes || b->writes))
        return 0;
    return __builtin_expect(a->element || b->element, 0) ? overlap_in_pieces(uses, *a, *b) : end - begin;
}

/* ENDED: or perhaps, because a handle that several requests share tells nothing. GONE: and it never starts again, as
   those of persistent requests may. */
enum progress { PENDING, ENDED, GONE };

static enum progress progress_of(const struct operation *one)
{
    if (!one->request)
        return PENDING;
    const bool locked = cs_guard_enter(&cs_requests.lock);
    const struct cs_request *request = cs_request_find(&cs_requests, one->request);
    const enum progress progress =
        !request                                                                                        ? GONE
        : cs_request_is_active(request) && !(request->flags & (CS_REQUEST_SHARED | CS_REQUEST_COUNTED)) ? PENDING
                                                                                                        : ENDED;
    cs_guard_leave(&cs_requests.lock, locked);
    return progress;
}

/* A call that makes a persistent request does not use the buffer yet. */
static bool only_prepares(const struct cs_call *call)
{
    const struct cs_function *function = cs_function_find(call->function);
    return function && function->mode == CS_MODE_PERSISTENT;
}

/* Notes bytes that the call shares with a pending operation. */
static void note_conflict(struct cs_call *call, bool writes, uint64_t bytes, uint64_t site)
{
    if (bytes)
        cs_misuse_note(call, writes ? CS_MISUSE_OVERWRITTEN_BUFFER : CS_MISUSE_UNFINISHED_BUFFER, (int64_t)bytes, site);
}

/* A search for a pending buffer that a buffer conflicts with. */
struct search {
    struct cs_uses *uses;
    const struct use *used;
    const struct operation *by; /* whose start uses it: it comes behind those before it; NULL: the call itself does */
    uint64_t bytes;             /* that both use */
    struct operation *gone;
};

static bool conflicts(struct cs_interval *it, void *context)
{
    struct buffer *other = (void *)it;
    struct operation *of = other->of;
    struct search *search = context;
    search->bytes = overlap(search->uses, search->used, &other->use);
    if (!search->bytes || of == search->by || (of->place && of->place >= search->by->place))
        return false;
    const enum progress progress = of->place ? PENDING : progress_of(of);
    if (progress == GONE)
        search->gone = of;
    return progress == PENDING;
}

/* With the lock. The operation of the first conflict; NULL: none. */
static const struct operation *find_conflict(struct search *search)
{
    const uint64_t begin = search->used->begin, end = search->used->end;
    struct cs_interval *found = cs_intervals_find(written_buffers, begin, end, conflicts, search);
    if (!found && search->used->writes) {
        sort_read_buffers();
        found = cs_intervals_find(read_buffers, begin, end, conflicts, search);
    }
    return found ? ((const struct buffer *)(const void *)found)->of : NULL;
}

static __attribute__((noinline)) void check_pending(struct cs_call *call, const struct use *used)
{
    struct search search = {.uses = call->thread->uses, .used = used};
    const bool locked = cs_guard_enter(&lock);
    const struct operation *other = find_conflict(&search);
    uint64_t site = other ? other->site : 0;
    if (search.gone)
        forget(search.gone, true);
    cs_guard_leave(&lock, locked);
    if (other && !only_prepares(call))
        note_conflict(call, used->writes, search.bytes, site);
}

static __attribute__((noinline)) void check_alias(struct cs_call *call, const struct use *other, const struct use *used)
{
    const uint64_t bytes = overlap(call->thread->uses, other, used);
    if (bytes)
        cs_misuse_note(call, CS_MISUSE_ALIASED_BUFFERS, (int64_t)bytes, 0);
}

/* The description of the next buffer was written: compares it with the others, and keeps it. */
static inline void add_next(struct cs_call *call, struct cs_uses *uses)
{
    const struct use *used = &uses->use[uses->count];
    uses->steps = CS_LAYOUT_STEPS_MOST;
    for (const struct use *other = uses->use; other < used; other++)
        if (other->begin < used->end && used->begin < other->end)
            check_alias(call, other, used);
    if (count_pending())
        check_pending(call, used);
    uses->count += uses->count < USES_MOST;
}

static inline __attribute__((always_inline)) void add_span(struct cs_call *call, bool writes, uint64_t begin,
                                                           uint64_t end)
{
    struct cs_uses *uses = call->thread->uses;
    if (!uses || end < begin)
        return;
    uses->use[uses->count] = (struct use){.begin = begin, .end = end, .writes = writes};
    add_next(call, uses);
    cs_check_frames(call, begin, end);
    if (cs_window_memory_exists())
        cs_window_memory_use(call, writes, begin, end);
}

/* Not inlined: where there are no data, no register is saved. */
__attribute__((noinline)) void cs_uses_add(struct cs_call *call, bool writes, const void *buffer, uint64_t bytes)
{
    const uint64_t begin = (uint64_t)(uintptr_t)buffer;
    add_span(call, writes, begin, begin + bytes);
    cs_check_variable(call, writes, begin, bytes);
}

void cs_uses_add_elements(struct cs_call *call, bool writes, const void *buffer, MPI_Count count,
                          const struct cs_layout *element)
{
    struct cs_uses *uses = call->thread->uses;
    struct cs_layout *all = uses ? &uses->layout[0] : NULL;
    const uint64_t first = (uint64_t)(uintptr_t)buffer;
    int64_t begin, end;
    if (!all)
        return;
    all->runs = 0;
    if (!cs_layout_add_elements(all, element, 0, count) || !all->runs)
        return;
    cs_layout_span(all, &begin, &end);
    if (first + (uint64_t)begin < PAGE) { /* NULL; with MPI_BOTTOM the places are addresses */
        cs_misuse_note(call, CS_MISUSE_NULL_BUFFER, 0, 0);
        return;
    }
    if (all->runs == 1 && !all->run[0].levels) {
        add_span(call, writes, first + (uint64_t)begin, first + (uint64_t)end);
        return;
    }
    struct use *next = &uses->use[uses->count];
    *next = (struct use){.begin = first + (uint64_t)begin,
                         .end = first + (uint64_t)end,
                         .writes = writes,
                         .element = element,
                         .first = first,
                         .count = count};
    if (next->begin <= next->end)
        add_next(call, uses);
}

/* With the lock. */
static void forget_gone(void)
{
    for (struct operation *it = by_request, *next; it; it = next) {
        next = it->hh.next;
        if (progress_of(it) == GONE)
            forget(it, true);
    }
    until_cleaned = count_pending() > CLEANED_FIRST ? count_pending() : CLEANED_FIRST;
}

/* NULL: there are too many, or no memory. */
static struct operation *take_unused(void)
{
    if (until_cleaned-- == 0)
        forget_gone();
    if (count_pending() == PENDING_MOST)
        return NULL;
    struct operation *it = unused ? unused : malloc(sizeof *it);
    if (unused)
        LL_DELETE(unused, it);
    return it;
}

/* The layout of the call alone is gone after it. False without memory. */
static bool copy_own(const struct cs_uses *uses, struct buffer *one)
{
    const struct cs_layout *element = one->use.element;
    if (!element || element < uses->own || element > &uses->own[1])
        return true;
    const size_t bytes = offsetof(struct cs_layout, run) + (size_t)element->runs * sizeof element->run[0];
    one->use.element = one->own = malloc(bytes);
    if (one->own)
        memcpy(one->own, element, bytes);
    return one->own != NULL;
}

/* Leaves it out without memory. */
static void keep_buffer(const struct cs_uses *uses, struct operation *of, const struct use *use)
{
    struct buffer *buffer = &of->buffer[of->buffers];
    buffer->bytes.begin = use->begin;
    buffer->bytes.end = use->end;
    buffer->of = of;
    buffer->use = *use;
    buffer->own = NULL;
    if (!copy_own(uses, buffer))
        return;
    put_buffer(buffer);
    of->buffers++;
}

static void keep(const struct cs_call *call, uint64_t request, uint32_t object)
{
    const struct cs_uses *uses = call->thread->uses;
    if (!uses || uses->call != call || uses->function != call->function || !uses->count)
        return;
    struct operation *it = take_unused();
    if (!it)
        return;
    it->request = request;
    it->object = object;
    it->place = it->buffers = 0;
    it->site = call->innermost;
    if (request)
        CS_TABLE_ADD(by_request, request, it);
    if (!it)
        return;
    if (object)
        DL_APPEND(on_objects, it);
    for (int i = 0; i < uses->count; i++)
        keep_buffer(uses, it, &uses->use[i]);
    cs_pending_changes++;
    atomic_store_explicit(&pending_count, count_pending() + 1, memory_order_relaxed);
}

/* With the lock. */
static struct operation *find_operation(uint64_t request)
{
    struct operation *found;
    HASH_FIND(hh, by_request, &request, sizeof request, found);
    return found;
}

static void end(uint64_t request)
{
    struct operation *it = find_operation(request);
    if (it)
        forget(it, true);
}

/* True if a request has this handle already: that of sends that were complete at once, for example. */
static bool is_known(uint64_t request)
{
    const bool locked = cs_guard_enter(&cs_requests.lock);
    const bool known = cs_request_find(&cs_requests, request) != NULL;
    cs_guard_leave(&cs_requests.lock, locked);
    return known;
}

void cs_uses_keep(const struct cs_call *call, uint64_t request)
{
    const bool locked = cs_guard_enter(&lock);
    end(request); /* of an earlier request with this handle */
    if (!is_known(request))
        keep(call, request, call->on && call->on->kind == CALLSIGN_WINDOW ? call->about : 0);
    cs_guard_leave(&lock, locked);
}

/* True if the buffer is a part of the other, or follows it in memory. */
static inline bool is_continued(const struct use *use, const struct use *by)
{
    return use->writes == by->writes && !use->element && !by->element && by->begin >= use->begin &&
           by->begin <= use->end;
}

/* With the lock. Adds the buffers to those of the last operation, if it is of the same call site and its buffers lie
   before these. */
static inline bool continue_last(const struct cs_call *call)
{
    const struct cs_uses *uses = call->thread->uses;
    struct operation *last = on_objects ? on_objects->prev : NULL;
    if (!last || !uses || uses->call != call || uses->function != call->function || last->object != call->about ||
        last->request || last->site != call->innermost || last->buffers != uses->count)
        return false;
    for (int i = 0; i < uses->count; i++)
        if (!is_continued(&last->buffer[i].use, &uses->use[i]))
            return false;
    for (int i = 0; i < uses->count; i++) {
        struct buffer *buffer = &last->buffer[i];
        if (uses->use[i].end <= buffer->use.end)
            continue;
        buffer->use.end = buffer->bytes.end = uses->use[i].end;
        if (buffer->sorted)
            cs_intervals_extend(*tree_of(buffer), &buffer->bytes, buffer->use.end);
    }
    return true;
}

void cs_uses_keep_on(const struct cs_call *call)
{
    if (!call->about)
        return;
    const bool locked = cs_guard_enter(&lock);
    if (!continue_last(call))
        keep(call, 0, call->about);
    cs_guard_leave(&lock, locked);
}

bool cs_uses_touch_windows(const struct cs_call *call)
{
    const struct cs_uses *uses = call->thread->uses;
    for (int i = 0; uses && uses->call == call && i < uses->count; i++)
        if (cs_window_memory_has(uses->use[i].begin, uses->use[i].end))
            return true;
    return false;
}

/* With the lock. True if all pending operations are on this object: then no tree needs to be kept. */
static bool are_all_on(uint32_t object)
{
    for (const struct operation *it = on_objects; it; it = it->next)
        if (it->object != object)
            return false;
    return !by_request;
}

void cs_uses_end_on(uint32_t object)
{
    const bool locked = cs_guard_enter(&lock);
    const bool all = are_all_on(object);
    if (all)
        read_buffers = written_buffers = unsorted = NULL;
    for (struct operation *it = on_objects, *next; it; it = next) {
        next = it->next;
        if (it->object == object)
            forget(it, !all);
    }
    cs_guard_leave(&lock, locked);
}

void cs_uses_end(uint64_t request)
{
    const bool locked = cs_guard_enter(&lock);
    end(request);
    cs_guard_leave(&lock, locked);
}

/* ---- persistent requests ---- */

/* With the lock. Numbers the operations that start, or takes the numbers back. */
static void number(const uint64_t requests[], int count, bool starts)
{
    for (int i = 0; i < count; i++) {
        struct operation *it = find_operation(requests[i]);
        if (it)
            it->place = starts ? i + 1 : 0;
    }
}

void cs_uses_start(struct cs_call *call, const uint64_t requests[], int count)
{
    struct search search = {.uses = call->thread->uses};
    const struct operation *other = NULL;
    uint64_t site = 0;
    bool writes = false;
    if (!search.uses || count == 0 || count_pending() == 0)
        return;
    search.uses->steps = CS_LAYOUT_STEPS_MOST;
    const bool locked = cs_guard_enter(&lock);
    number(requests, count, true);
    for (int i = 0; i < count && !other; i++) {
        const struct operation *it = search.by = find_operation(requests[i]);
        for (int k = 0; it && k < it->buffers && !other; k++) {
            search.used = &it->buffer[k].use;
            other = find_conflict(&search);
            writes = search.used->writes;
            site = other ? other->site : 0;
        }
    }
    number(requests, count, false);
    cs_guard_leave(&lock, locked);
    note_conflict(call, writes, other ? search.bytes : 0, site);
}
