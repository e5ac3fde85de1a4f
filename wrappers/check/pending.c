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
#include "wrappers/mpi/answers.h"

enum { USES_MOST = 3, OPERATIONS_MOST = UINT16_MAX, CLEANED_FIRST = 64, GONE_FEW = 8, PLACES_LOG2 = 14, PAGE = 4096 };

/* Bytes that a call uses: all between begin and end, or elements with gaps, which begin at `first`. */
struct use {
    uint64_t begin, end;
    bool writes;
    const struct cs_layout *element; /* NULL: all bytes */
    uint64_t first;
    int64_t count;
};

const char cs_scattered_buffer[1];

enum { CHECKED_LOG2 = 9 };

/* A call that was checked, and the operation that it began. */
struct checked {
    struct cs_repeated call;
    uint64_t kept; /* of the operation; USES_NOTHING: the call has no buffers; 0: not known */
    uint16_t operation;
};
static const uint64_t USES_NOTHING = UINT64_MAX;

/* The buffers of a thread's current call, and calls that were checked. */
struct cs_uses {
    const struct cs_call *call;
    uint16_t function;
    int count;
    bool alone;                    /* no buffer of a kept operation overlaps them */
    struct operation *again;       /* the call begins this operation again, which has gone; NULL: none is known */
    struct use use[USES_MOST + 1]; /* and the next one, or one that finds no room */
    int steps;                     /* that may still be taken for buffers in pieces */
    struct cs_layout layout[2];    /* of the two that are compared: too large for the stacks of some threads */
    int owns;
    struct cs_layout own[2]; /* of this call alone: see cs_uses_layout */
    struct checked *last;    /* the current call, if it may begin an operation again; NULL: it may not */
    struct checked checked[1u << CHECKED_LOG2];
};

struct operation;

/* A buffer of an operation. */
struct buffer {
    struct cs_interval bytes; /* found by it, so it comes first */
    struct operation *of;
    struct use use;
    struct cs_layout *own; /* copy of a layout of the call alone; NULL: none */
    bool sorted;           /* it is in a tree; else among `unsorted` */
};

/* Further buffers of an operation: the origins of accesses to a window from one call site. */
enum { MORE = 63, CHUNKS_MOST = 2048 };
struct chunk {
    struct chunk *next;
    int count;
    struct buffer buffer[MORE];
};

/* It is pending while the table of requests says so. Afterwards it is kept: programs that exchange messages in a loop
   begin it again, with the same buffers. */
struct operation {
    uint64_t request; /* 0: it ends with an epoch, or with the second call of two */
    uint32_t object;  /* the window or file whose calls complete it, too */
    int32_t peer;
    int place;  /* among the persistent requests that start now, from 1; 0: it does not start */
    bool alone; /* no buffer of another kept operation overlaps its buffers */
    uint16_t number;
    int buffers;
    uint64_t site;
    uint64_t kept; /* cs_pending_changes when it was */
    struct buffer buffer[USES_MOST];
    struct chunk *more;            /* the last ones first */
    struct operation *prev, *next; /* in one of the lists; next: also of those not in use */
};

static struct cs_lock lock;
static struct operation *on_requests, *on_objects;  /* on_objects: those that calls on windows and files complete */
static struct operation *last_at[1 << PLACES_LOG2]; /* of those on requests, by site, buffer and peer */
static struct operation *unused;
static struct chunk *unused_chunks;
static int chunks_made;
static struct operation *numbered[OPERATIONS_MOST + 1]; /* from 1: requests have their numbers */
static uint16_t made_count;
static struct cs_interval *read_buffers, *written_buffers;
static struct cs_interval *unsorted;      /* read ones that are not in their tree yet: left, right: before and after */
static _Atomic int kept_count;            /* operations; changed with the lock */
static int until_cleaned = CLEANED_FIRST; /* how many more are added before those that are gone are forgotten */
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
    uses->alone = true;
    uses->again = NULL;
    uses->last = NULL;
}

/* False: those of another call, which began within this one. */
static inline bool are_of(const struct cs_uses *uses, const struct cs_call *call)
{
    return uses && uses->call == call && uses->function == call->function;
}

static int count_kept(void)
{
    return atomic_load_explicit(&kept_count, memory_order_relaxed);
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

static void forget_more(struct operation *it, bool in_trees)
{
    for (struct chunk *chunk = it->more, *next; chunk; chunk = next) {
        next = chunk->next;
        for (int i = 0; in_trees && i < chunk->count; i++)
            take_buffer_out(&chunk->buffer[i]);
        LL_PREPEND(unused_chunks, chunk);
    }
    it->more = NULL;
}

/* With the lock. in_trees: its buffers are. */
static void forget(struct operation *it, bool in_trees)
{
    for (int i = 0; i < it->buffers; i++) {
        if (in_trees)
            take_buffer_out(&it->buffer[i]);
        free(it->buffer[i].own);
    }
    if (it->more)
        forget_more(it, in_trees);
    it->buffers = 0;
    it->kept = 0;
    if (it->object)
        DL_DELETE(on_objects, it);
    else
        DL_DELETE(on_requests, it);
    LL_PREPEND(unused, it);
    cs_pending_changes++;
    atomic_store_explicit(&kept_count, count_kept() - 1, memory_order_relaxed);
}

/* Alone. There are no requests, and no operations that end otherwise. With threads, a request may be about to be
   registered. */
static bool none_is_pending(void)
{
    return !cs_request_has_any(&cs_requests) && !on_objects;
}

static bool has_none_pending(void)
{
    if (count_kept() == 0)
        return true;
    if (!cs_guard_enter_alone())
        return false;
    const bool none = none_is_pending();
    cs_guard_leave_alone();
    return none;
}

/* Nothing else that the result of a check depends on. */
static bool is_quiet(void)
{
    return !cs_window_memory_exists() && !cs_check_has_probes() && has_none_pending();
}

/* The place of a call with this word in a table. Neighbouring calls often have neighbouring words, so they need
   factors of their own. */
static inline uint64_t place_of(const struct cs_call *call, uint64_t word, unsigned log2)
{
    return cs_hash_place(call->innermost * 0xff51afd7ed558ccdu + word, log2);
}

/* Calls of a site with different arguments usually have different places, so that a program may alternate between
   buffers, or between processes. */
static inline struct checked *checked_at(const struct cs_call *call, uint64_t sum)
{
    return &call->thread->uses->checked[place_of(call, sum, CHECKED_LOG2)];
}

_Atomic uint8_t cs_new_calls[CS_NEW_SITES];

bool cs_is_checked_already(const struct cs_call *call, const uint64_t words[static CS_REPEATED_WORDS], uint64_t sum)
{
    if (!call->thread->uses || !call->on || !call->about || !is_quiet() || !cs_mpi_answers())
        return false;
    const bool repeats = cs_repeats(&checked_at(call, sum)->call, call, words, CS_REPEATED_WORDS);
    cs_note_repeated(call, repeats);
    return repeats;
}

/* In the table of requests. NULL: the operation has gone, or another one has its handle. */
static inline const struct cs_request *request_of(const struct operation *it)
{
    const struct cs_request *request = cs_request_find(&cs_requests, it->request);
    return request && request->operation == it->number ? request : NULL;
}

/* Alone. The same as progress_of. */
static inline bool is_gone(const struct operation *it)
{
    return it->request && !request_of(it);
}

bool cs_begins_once_more(const struct cs_call *call, const uint64_t words[static CS_REPEATED_WORDS], uint64_t sum)
{
    struct cs_uses *uses = call->thread->uses;
    if (!uses || !call->on || !call->about || cs_window_memory_exists() || cs_check_has_probes() ||
        !cs_guard_enter_alone())
        return false;
    struct checked *last = uses->last = checked_at(call, sum);
    bool again = false;
    if (!cs_repeats(&last->call, call, words, CS_REPEATED_WORDS)) {
        last->kept = 0;
    } else if (last->kept == USES_NOTHING) {
        again = true;
    } else if (last->kept) {
        struct operation *it = numbered[last->operation];
        again = it->kept == last->kept && it->alone && is_gone(it);
        if (again)
            uses->again = it;
    }
    cs_guard_leave_alone();
    return again;
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
    const struct cs_request *request = request_of(one);
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
    bool overlaps;              /* a buffer of another operation, whether it is pending or not */
    int gone_count;
    struct operation *gone; /* the last one of them */
};

static bool conflicts(struct cs_interval *it, void *context)
{
    struct buffer *other = (void *)it;
    struct operation *of = other->of;
    struct search *search = context;
    if (of == search->by)
        return false;
    search->overlaps = true;
    search->bytes = overlap(search->uses, search->used, &other->use);
    if (!search->bytes || (of->place && of->place >= search->by->place))
        return false;
    const enum progress progress = of->place ? PENDING : progress_of(of);
    if (progress == GONE) {
        search->gone_count++;
        search->gone = of;
    }
    return progress == PENDING;
}

/* With the lock. Shows the buffers that overlap these bytes, if one of the two is written, until `visit` returns
   true. */
static struct cs_interval *visit_overlapping(const struct use *used,
                                             bool (*visit)(struct cs_interval *it, void *context), void *context)
{
    struct cs_interval *found = cs_intervals_find(written_buffers, used->begin, used->end, visit, context);
    if (!found && used->writes) {
        sort_read_buffers();
        found = cs_intervals_find(read_buffers, used->begin, used->end, visit, context);
    }
    return found;
}

/* With the lock. The operation of the first conflict; NULL: none. */
static const struct operation *find_conflict(struct search *search)
{
    struct cs_interval *found = visit_overlapping(search->used, conflicts, search);
    return found ? ((const struct buffer *)(const void *)found)->of : NULL;
}

static inline bool is_same(const struct use *a, const struct use *b)
{
    return a->begin == b->begin && a->end == b->end && a->writes == b->writes && a->element == b->element &&
           a->first == b->first && a->count == b->count;
}

static inline struct operation **last_of(const struct cs_call *call, const struct use *used)
{
    return &last_at[place_of(call, used->begin + ((uint64_t)(uint32_t)call->peer << 32), PLACES_LOG2)];
}

/* Alone. The operation that has gone and that the call begins again, if it keeps its first and only buffer; NULL:
   none is known. */
static inline struct operation *find_again(const struct cs_call *call, const struct use *used)
{
    struct operation *it = *last_of(call, used);
    return it && it->buffers == 1 && it->site == call->innermost && it->peer == call->peer &&
                   is_same(&it->buffer[0].use, used) && !it->object && is_gone(it)
               ? it
               : NULL;
}

static __attribute__((noinline)) void search_pending(struct cs_call *call, const struct use *used)
{
    struct cs_uses *uses = call->thread->uses;
    struct search search = {.uses = uses, .used = used};
    const bool locked = cs_guard_enter(&lock);
    search.by = uses->again;
    const struct operation *other = find_conflict(&search);
    uint64_t site = other ? other->site : 0;
    if (search.gone_count > GONE_FEW)
        forget(search.gone, true);
    cs_guard_leave(&lock, locked);
    if (search.overlaps)
        uses->alone = false;
    if (other && !only_prepares(call))
        note_conflict(call, used->writes, search.bytes, site);
}

static __attribute__((noinline)) void check_pending(struct cs_call *call, const struct use *used)
{
    struct cs_uses *uses = call->thread->uses;
    uses->again = NULL;
    if (cs_guard_enter_alone()) {
        struct operation *again = uses->count == 0 ? find_again(call, used) : NULL;
        const bool none = (again && again->alone) || none_is_pending();
        if (none && !(again && again->alone))
            uses->alone = false; /* or not: nobody has looked */
        uses->again = again;
        cs_guard_leave_alone();
        if (none)
            return;
    }
    search_pending(call, used);
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
    if (count_kept())
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

static __attribute__((noinline)) void add_span_otherwise(struct cs_call *call, bool writes, uint64_t begin,
                                                         uint64_t bytes)
{
    add_span(call, writes, begin, begin + bytes);
    cs_check_variable(call, writes, begin, bytes);
}

/* True if the call has so far at most one buffer, which is apart. */
static inline bool has_room_apart(const struct cs_uses *uses, uint64_t begin, uint64_t end)
{
    return uses->count == 0 || (uses->count == 1 && (uses->use[0].end <= begin || end <= uses->use[0].begin));
}

/* Not inlined: where there are no data, no register is saved. In the usual case it does what add_span does, and calls
   nothing before its end. */
__attribute__((noinline)) void cs_uses_add(struct cs_call *call, bool writes, const void *buffer, uint64_t bytes)
{
    const uint64_t begin = (uint64_t)(uintptr_t)buffer, end = begin + bytes;
    struct cs_uses *uses = call->thread->uses;
    if (__builtin_expect(!uses || end < begin || count_kept() || cs_window_memory_exists() ||
                             cs_stack_may_have(call->thread, begin) || !has_room_apart(uses, begin, end),
                         0)) {
        add_span_otherwise(call, writes, begin, bytes);
        return;
    }
    uses->use[uses->count++] = (struct use){.begin = begin, .end = end, .writes = writes};
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
static void forget_gone_of(struct operation *list)
{
    for (struct operation *it = list, *next; it; it = next) {
        next = it->next;
        if (progress_of(it) == GONE)
            forget(it, true);
    }
}

static void forget_gone(void)
{
    forget_gone_of(on_requests);
    forget_gone_of(on_objects);
    until_cleaned = count_kept() > CLEANED_FIRST ? count_kept() : CLEANED_FIRST;
}

/* NULL: there are too many, or no memory. */
static struct operation *take_unused(void)
{
    if (until_cleaned-- == 0)
        forget_gone();
    struct operation *it = unused;
    if (it)
        LL_DELETE(unused, it);
    else if (made_count < OPERATIONS_MOST && (it = malloc(sizeof *it)))
        numbered[it->number = ++made_count] = it;
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

static inline void describe(struct buffer *buffer, struct operation *of, const struct use *use)
{
    buffer->bytes.begin = use->begin;
    buffer->bytes.end = use->end;
    buffer->of = of;
    buffer->use = *use;
    buffer->own = NULL;
}

/* Leaves it out without memory. */
static void keep_buffer(const struct cs_uses *uses, struct operation *of, const struct use *use)
{
    struct buffer *buffer = &of->buffer[of->buffers];
    describe(buffer, of, use);
    if (!copy_own(uses, buffer))
        return;
    put_buffer(buffer);
    of->buffers++;
}

static bool is_gone_or_together(struct cs_interval *it, void *together)
{
    struct operation *of = ((struct buffer *)(void *)it)->of;
    if (progress_of(of) == GONE)
        return true;
    of->alone = false;
    *(bool *)together = true;
    return false;
}

/* With the lock. Forgets operations that have gone and that use these bytes; others that do are not alone any more.
   False: there are such others. */
static bool clear(const struct use *used)
{
    struct cs_interval *gone;
    bool together;
    do {
        together = false;
        gone = visit_overlapping(used, is_gone_or_together, &together);
        if (gone)
            forget(((struct buffer *)(void *)gone)->of, true);
    } while (gone);
    return !together;
}

static __attribute__((noinline)) bool clear_all(const struct cs_uses *uses)
{
    bool alone = true;
    for (int i = 0; i < uses->count; i++)
        alone = clear(&uses->use[i]) && alone;
    return alone;
}

/* With the lock. NULL: the call uses no buffer, or there is no room. */
static struct operation *keep(const struct cs_call *call, uint64_t request, uint32_t object)
{
    const struct cs_uses *uses = call->thread->uses;
    if (!uses->count)
        return NULL;
    const bool alone = (uses->alone && !cs_is_shared()) || clear_all(uses);
    struct operation *it = take_unused();
    if (!it)
        return NULL;
    it->request = request;
    it->object = object;
    it->peer = call->peer;
    it->place = it->buffers = 0;
    it->more = NULL;
    it->alone = alone;
    it->site = call->innermost;
    if (object)
        DL_APPEND(on_objects, it);
    else
        DL_APPEND(on_requests, it);
    for (int i = 0; i < uses->count; i++)
        keep_buffer(uses, it, &uses->use[i]);
    if (!object)
        *last_of(call, &uses->use[0]) = it;
    it->kept = ++cs_pending_changes;
    atomic_store_explicit(&kept_count, count_kept() + 1, memory_order_relaxed);
    return it;
}

/* With the lock. NULL: none is kept for this request. */
static struct operation *find_operation(uint64_t request)
{
    const bool locked = cs_guard_enter(&cs_requests.lock);
    const struct cs_request *found = cs_request_find(&cs_requests, request);
    struct operation *operation = found ? numbered[found->operation] : NULL;
    cs_guard_leave(&cs_requests.lock, locked);
    return operation && operation->request == request ? operation : NULL;
}

/* Alone. The next call with the same arguments may begin this operation again. */
static inline void note_kept(const struct cs_uses *uses, const struct operation *kept)
{
    if (!uses->last)
        return;
    uses->last->kept = kept ? kept->kept : uses->count ? 0 : USES_NOTHING;
    uses->last->operation = kept ? kept->number : 0;
}

/* Alone. NULL: the call does not. */
static inline const struct operation *begin_again(const struct cs_uses *uses, uint64_t request)
{
    struct operation *again = uses->again;
    if (!again || uses->count > 1)
        return NULL;
    again->request = request;
    again->alone |= uses->alone;
    note_kept(uses, again);
    cs_pending_changes++;
    return again;
}

static __attribute__((noinline)) const struct operation *keep_anew(const struct cs_call *call, uint64_t request)
{
    const bool locked = cs_guard_enter(&lock);
    const struct operation *kept = keep(call, request, call->on && call->on->kind == CALLSIGN_WINDOW ? call->about : 0);
    if (!locked)
        note_kept(call->thread->uses, kept);
    cs_guard_leave(&lock, locked);
    return kept;
}

uint16_t cs_uses_keep(const struct cs_call *call, uint64_t request)
{
    const struct operation *kept = NULL;
    if (!are_of(call->thread->uses, call))
        return 0;
    if (cs_guard_enter_alone()) {
        kept = begin_again(call->thread->uses, request);
        cs_guard_leave_alone();
    }
    if (!kept)
        kept = keep_anew(call, request);
    return kept ? kept->number : 0;
}

/* True if the buffer is a part of the other, or follows it in memory. */
static inline bool is_continued(const struct use *use, const struct use *by)
{
    return use->writes == by->writes && !use->element && !by->element && by->begin >= use->begin &&
           by->begin <= use->end;
}

static inline void extend(struct buffer *buffer, uint64_t end)
{
    if (end <= buffer->use.end)
        return;
    buffer->use.end = buffer->bytes.end = end;
    if (buffer->sorted)
        cs_intervals_extend(*tree_of(buffer), &buffer->bytes, end);
}

/* With the lock. Adds the buffers to those of the last operation, if it is of the same call site and its buffers lie
   before these. */
static inline bool continue_last(const struct cs_call *call)
{
    const struct cs_uses *uses = call->thread->uses;
    struct operation *last = on_objects ? on_objects->prev : NULL;
    if (!last || last->object != call->about || last->request || last->site != call->innermost ||
        last->buffers != uses->count)
        return false;
    for (int i = 0; i < uses->count; i++)
        if (!is_continued(&last->buffer[i].use, &uses->use[i]))
            return false;
    for (int i = 0; i < uses->count; i++)
        extend(&last->buffer[i], uses->use[i].end);
    return true;
}

void cs_uses_keep_on(const struct cs_call *call)
{
    if (!call->about || !are_of(call->thread->uses, call))
        return;
    const bool locked = cs_guard_enter(&lock);
    if (!continue_last(call))
        keep(call, 0, call->about);
    cs_guard_leave(&lock, locked);
}

bool cs_uses_only_one(const struct cs_call *call, struct cs_origin *origin)
{
    const struct cs_uses *uses = call->thread->uses;
    if (!are_of(uses, call) || uses->count != 1 || uses->use[0].element ||
        cs_stack_may_have(call->thread, uses->use[0].begin))
        return false;
    const struct use *use = &uses->use[0];
    *origin = (struct cs_origin){.begin = use->begin, .bytes = use->end - use->begin, .writes = use->writes};
    return true;
}

/* With the lock. NULL: there is no room. */
static struct buffer *take_more(struct operation *it)
{
    struct chunk *chunk = it->more;
    if (chunk && chunk->count < MORE)
        return &chunk->buffer[chunk->count++];
    if ((chunk = unused_chunks))
        LL_DELETE(unused_chunks, chunk);
    else if (chunks_made < CHUNKS_MOST && (chunk = malloc(sizeof *chunk)))
        chunks_made++;
    if (!chunk)
        return NULL;
    chunk->count = 1;
    LL_PREPEND(it->more, chunk);
    return &chunk->buffer[0];
}

static bool is_any(struct cs_interval *it, void *nothing)
{
    (void)it, (void)nothing;
    return true;
}

/* With the lock. True if an operation has a buffer, whether it is pending or not, that may conflict. */
static bool overlaps_any(const struct use *use)
{
    return (written_buffers || use->writes) && visit_overlapping(use, is_any, NULL);
}

__attribute__((noinline)) bool cs_uses_continue_on(const struct cs_call *call, struct cs_origin origin)
{
    struct operation *last = on_objects ? on_objects->prev : NULL;
    const uint64_t end = origin.begin + origin.bytes;
    if (!last || last->object != call->about || last->site != call->innermost || last->request || last->buffers != 1 ||
        origin.begin < PAGE || end < origin.begin || cs_stack_may_have(call->thread, origin.begin) ||
        cs_window_memory_may_have(origin.begin, end))
        return false;
    struct buffer *buffer = last->more ? &last->more->buffer[last->more->count - 1] : &last->buffer[0];
    const struct use use = {.begin = origin.begin, .end = end, .writes = origin.writes};
    if (use.writes != buffer->use.writes || buffer->use.element || overlaps_any(&use))
        return false;
    if (is_continued(&buffer->use, &use)) {
        extend(buffer, end);
        return true;
    }
    if (!(buffer = take_more(last)))
        return false;
    describe(buffer, last, &use);
    put_buffer(buffer);
    return true;
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
    return !on_requests;
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
    const bool locked = cs_guard_enter(&cs_requests.lock);
    struct cs_request *found = cs_request_find(&cs_requests, request);
    if (found)
        found->operation = 0;
    cs_guard_leave(&cs_requests.lock, locked);
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
    if (!search.uses || count == 0 || count_kept() == 0)
        return;
    search.uses->steps = CS_LAYOUT_STEPS_MOST;
    const bool locked = cs_guard_enter(&lock);
    number(requests, count, true);
    for (int i = 0; i < count && !other; i++) {
        const struct operation *it = search.by = find_operation(requests[i]);
        for (int k = 0; it && !(it->alone && !locked) && k < it->buffers && !other; k++) {
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
