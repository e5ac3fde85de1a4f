#include "cli/large_stack.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>

#define ENOUGH_BYTES ((rlim_t)8 << 20)

struct call {
    void (*function)(void *argument);
    void *argument;
};

static void *begin(void *argument)
{
    const struct call *call = argument;
    call->function(call->argument);
    return NULL;
}

static bool call_in_thread(struct call *call)
{
    pthread_t thread;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    bool made = pthread_attr_setstacksize(&attributes, ENOUGH_BYTES) == 0 &&
                pthread_create(&thread, &attributes, begin, call) == 0;
    pthread_attr_destroy(&attributes);
    if (made)
        pthread_join(thread, NULL);
    return made;
}

void cs_large_stack_call(void (*function)(void *argument), void *argument)
{
    struct rlimit limit;
    struct call call = {.function = function, .argument = argument};
    bool small =
        getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < ENOUGH_BYTES;
    if (!small || !call_in_thread(&call))
        function(argument);
}
