#include "base/other_stack.h"

#include <stdint.h>
#include <ucontext.h>

/* At the begin of the memory: the caller's stack may have no room for it. */
struct call {
    void (*function)(void *argument);
    void *argument;
    ucontext_t there, here;
};

/* A pointer in two numbers, since the arguments of a context are of type int. */
static void begin(unsigned high, unsigned low)
{
    const struct call *call = (const struct call *)((uintptr_t)high << 16 << 16 | low);
    call->function(call->argument);
}

bool cs_other_stack_call(void *stack, size_t bytes, void (*function)(void *argument), void *argument)
{
    struct call *call = stack;
    uintptr_t address = (uintptr_t)call;
    call->function = function;
    call->argument = argument;
    if (getcontext(&call->there) != 0)
        return false;
    call->there.uc_stack.ss_sp = (char *)stack + sizeof *call;
    call->there.uc_stack.ss_size = bytes - sizeof *call;
    call->there.uc_link = &call->here;
    makecontext(&call->there, (void (*)(void))begin, 2, (unsigned)(address >> 16 >> 16), (unsigned)address);
    return swapcontext(&call->here, &call->there) == 0;
}
