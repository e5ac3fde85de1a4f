#include "wrappers/lifecycle/pcontrol.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/keep_errno.h"
#include "functions.h"
#include "next.h"
#include "record/call/event_window.h"
#include "record/call/region.h"
#include "record/recording.h"

enum { PAGE = 4096 }; /* the smallest page of any machine: memory is readable or not in units of at least this */

/* Where a container forbids process_vm_readv: the kernel also refuses to write invalid memory into a pipe. */
static ssize_t read_by_pipe(char *to, const char *from, size_t bytes)
{
    int end[2];
    if (pipe2(end, O_CLOEXEC) != 0)
        return -1;
    ssize_t count = write(end[1], from, bytes);
    if (count > 0)
        count = read(end[0], to, (size_t)count);
    close(end[0]);
    close(end[1]);
    return count;
}

/* Copies memory of this process that may not exist. Returns the number of bytes, or -1. */
static ssize_t read_memory(char *to, const char *from, size_t bytes)
{
    struct iovec local = {to, bytes}, remote = {(void *)(uintptr_t)from, bytes};
    ssize_t count = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    return count < 0 && errno != EFAULT ? read_by_pipe(to, from, bytes) : count;
}

/* Returns false if it is not the text of a name. Reads up to the end of a page, and further only if the text goes on.
 */
static bool read_name(char name[CS_REGION_NAME_BYTES], const char *from)
{
    size_t length = 0;
    while (length < CS_REGION_NAME_BYTES) {
        size_t bytes = PAGE - (uintptr_t)(from + length) % PAGE, room = CS_REGION_NAME_BYTES - length;
        ssize_t count = read_memory(name + length, from + length, bytes < room ? bytes : room);
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
    if (level == 0 || (level == 1 && !named))
        cs_lifetime_set_level(level);
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
