#include "record/process/thread.h"

#include <stdlib.h>
#include <string.h>

#include "base/keep_errno.h"

__thread struct cs_thread *cs_thread_self __attribute__((tls_model("initial-exec")));

void cs_steps_forget(struct cs_thread *thread)
{
    thread->no_step.next = thread->step = &thread->no_step;
    thread->steps_used = 0;
    for (size_t i = 0; i < sizeof thread->steps / sizeof *thread->steps; i++)
        thread->steps[i] = (struct cs_step){.next = &thread->no_step};
}

void cs_messages_forget(struct cs_thread *thread)
{
    memset(thread->messages, 0, sizeof thread->messages);
}

void *cs_thread_grow_scratch(struct cs_thread *thread, unsigned slot, size_t bytes)
{
    if (slot >= CS_SCRATCHES)
        return NULL;
    if (thread->scratch_bytes[slot] < bytes) {
        CS_KEEP_ERRNO;
        size_t wanted = bytes < 1024 ? 1024 : 2 * bytes;
        void *grown = realloc(thread->scratch[slot], wanted);
        if (!grown)
            return NULL;
        thread->scratch[slot] = grown;
        thread->scratch_bytes[slot] = wanted;
    }
    return thread->scratch[slot];
}
