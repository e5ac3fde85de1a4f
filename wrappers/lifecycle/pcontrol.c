#include "wrappers/lifecycle/pcontrol.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "base/keep_errno.h"
#include "base/own_memory.h"
#include "functions.h"
#include "next.h"
#include "record/call/event_window.h"
#include "record/call/region.h"
#include "record/process/recorder.h"
#include "record/recording.h"

enum { PAGE = 4096 }; /* the smallest page of any machine: memory is readable or not in units of at least this */

/* Returns false if it is not the text of a name. Reads up to the end of a page, and further only if the text goes on.
 */
static bool read_name(char name[CS_REGION_NAME_BYTES], const char *from)
{
    size_t length = 0;
    while (length < CS_REGION_NAME_BYTES) {
        size_t bytes = PAGE - (uintptr_t)(from + length) % PAGE, room = CS_REGION_NAME_BYTES - length;
        ssize_t count = cs_own_memory_read((uintptr_t)(from + length), name + length, bytes < room ? bytes : room);
        if (count <= 0)
            return false;
        for (ssize_t i = 0; i < count; i++, length++) {
            if (!name[length])
                return length > 0;
            if (name[length] < ' ' || name[length] > '~')
                return false;
        }
    }
    return false;
}

bool cs_pcontrol(struct cs_call *call, int level, const void *second)
{
    char name[CS_REGION_NAME_BYTES];
    if (!call->thread)
        return false;
    CS_KEEP_ERRNO;
    bool resumes = level == 1 && cs_is_paused();
    bool named = (level == 1 || level == -1) && !resumes && (uintptr_t)second >= PAGE && read_name(name, second);
    if (!named)
        cs_event_window_take_level(level);
    /* A region usually begins often: the trace gets no row for each. */
    if (level == 0 || (level == 1 && !named)) {
        cs_lifetime_set_level(level);
        cs_thread_detour(call->thread); /* it counts as what it has begun */
    }
    if (named) { /* the code before it was in the region so far */
        call->thread->last_region = atomic_load_explicit(&cs_recorder.region, memory_order_relaxed);
        call->thread->changes_region = true;
        cs_thread_detour(call->thread);
    }
    if (named && level == 1)
        cs_region_begin(call->thread, name, cs_clock_ticks());
    else if (named)
        cs_region_end(call->thread, name, cs_clock_ticks());
    return named;
}

/* Written by hand, because C cannot forward arguments that are meant for a tool. The MPI ignores them. */
#ifdef CS_HAS_MPI_Pcontrol
CS_EXPORT int MPI_Pcontrol(const int level, ...)
{
    struct cs_call call;
    va_list arguments;
    cs_enter(&call, CS_MPI_Pcontrol, __builtin_return_address(0));
    va_start(arguments, level);
    cs_pcontrol(&call, level, va_arg(arguments, const void *));
    va_end(arguments);
    cs_start(&call);
    int result = cs_next.MPI_Pcontrol(level);
    cs_stop(&call);
    cs_note_failure(&call, result);
    cs_leave(&call);
    return result;
}
#endif
