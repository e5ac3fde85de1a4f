#include "wrappers/check/pending.h"

#include <pthread.h>
#include <stdlib.h>

#include "record/message/request.h"
#include "wrappers/call/misuse.h"
#include "wrappers/check/stack_buffers.h"
#include "wrappers/check/window_memory.h"

enum { USES_MOST = 2, PENDING_MOST = 1024 };

/* Bytes that a call uses. */
struct use {
    uint64_t begin, end;
    bool writes;
};

const char cs_scattered_buffer[1];

/* The buffers of a thread's current call. */
struct cs_uses {
    const struct cs_call *call;
    uint16_t function;
    int count;
    struct use use[USES_MOST];
};

/* A buffer of a pending operation. The entry of a request is valid while the table of requests has it. */
struct pending {
    struct use use;
    uint64_t request; /* 0: the operation ends with an epoch */
    uint32_t window;  /* 0: the operation ends with its request */
    uint64_t site;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pending pending[PENDING_MOST];
static int pending_count;

void cs_uses_begin(struct cs_call *call)
{
    struct cs_thread *thread = call->thread;
    if (!thread->uses)
        thread->uses = malloc(sizeof *thread->uses);
    if (thread->uses)
        *thread->uses = (struct cs_uses){.call = call, .function = call->function};
}

static uint64_t overlap(struct use a, struct use b)
{
    uint64_t begin = a.begin > b.begin ? a.begin : b.begin, end = a.end < b.end ? a.end : b.end;
    return (a.writes || b.writes) && begin < end ? end - begin : 0;
}

static void remove_at(int i)
{
    pending[i] = pending[--pending_count];
}

/* False if its operation has ended, or may have: a handle that several requests share tells nothing. */
static bool is_pending(const struct pending *one)
{
    struct cs_request request;
    if (one->window)
        return true;
    return cs_request_get(&cs_requests, one->request, &request) && cs_request_is_active(&request) &&
           !(request.flags & (CS_REQUEST_SHARED | CS_REQUEST_COUNTED));
}

/* Forgets requests that are gone; those of persistent requests stay. */
static bool is_gone(const struct pending *one)
{
    struct cs_request request;
    return !one->window && !cs_request_get(&cs_requests, one->request, &request);
}

static void check_pending(struct cs_call *call, struct use used)
{
    struct pending other;
    uint64_t bytes = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < pending_count && !bytes; i++) {
        other = pending[i];
        bytes = overlap(used, other.use);
        if (bytes && !is_pending(&other))
            bytes = 0;
    }
    pthread_mutex_unlock(&lock);
    if (bytes)
        cs_misuse_note(call, used.writes ? CS_MISUSE_OVERWRITTEN_BUFFER : CS_MISUSE_UNFINISHED_BUFFER, (int64_t)bytes,
                       other.site);
}

void cs_uses_add(struct cs_call *call, bool writes, const void *buffer, uint64_t bytes)
{
    struct cs_uses *uses = call->thread->uses;
    uint64_t begin = (uint64_t)(uintptr_t)buffer;
    struct use used = {begin, begin + bytes, writes};
    if (!uses || used.end < begin)
        return;
    for (int i = 0; i < uses->count; i++)
        if (overlap(uses->use[i], used))
            cs_misuse_note(call, CS_MISUSE_ALIASED_BUFFERS, (int64_t)overlap(uses->use[i], used), 0);
    if (uses->count < USES_MOST)
        uses->use[uses->count++] = used;
    check_pending(call, used);
    cs_check_frames(call, used.begin, used.end);
    cs_window_memory_use(call, writes, used.begin, used.end);
}

/* With the lock. */
static void make_room(void)
{
    for (int i = pending_count; i-- > 0;)
        if (is_gone(&pending[i]))
            remove_at(i);
}

static void keep(const struct cs_call *call, uint64_t request, uint32_t window)
{
    const struct cs_uses *uses = call->thread->uses;
    if (!uses || uses->call != call || uses->function != call->function)
        return;
    for (int i = 0; i < uses->count; i++) {
        if (pending_count == PENDING_MOST)
            make_room();
        if (pending_count < PENDING_MOST)
            pending[pending_count++] = (struct pending){uses->use[i], request, window, call->innermost};
    }
}

static void end(uint64_t request, uint32_t window)
{
    for (int i = pending_count; i-- > 0;)
        if (pending[i].request == request && pending[i].window == window)
            remove_at(i);
}

void cs_uses_keep(const struct cs_call *call, uint64_t request)
{
    pthread_mutex_lock(&lock);
    end(request, 0); /* of an earlier request with this handle */
    keep(call, request, 0);
    pthread_mutex_unlock(&lock);
}

void cs_uses_keep_for_window(const struct cs_call *call)
{
    if (!call->about)
        return;
    pthread_mutex_lock(&lock);
    keep(call, 0, call->about);
    pthread_mutex_unlock(&lock);
}

void cs_uses_end_for_window(uint32_t window)
{
    pthread_mutex_lock(&lock);
    end(0, window);
    pthread_mutex_unlock(&lock);
}

void cs_uses_end(uint64_t request)
{
    pthread_mutex_lock(&lock);
    end(request, 0);
    pthread_mutex_unlock(&lock);
}
