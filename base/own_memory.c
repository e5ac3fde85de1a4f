#include "base/own_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* The kernel refuses to write invalid memory into a pipe. Every pipe has room for a page. The calls are made directly:
   the C library's functions can be cancelled, and unwinder.c has its own. */
static ssize_t read_by_pipe(uint64_t address, char *to, size_t bytes)
{
    enum { ROOM = 4096 };
    int end[2];
    size_t done = 0;
    ssize_t count = 0;
    if (syscall(SYS_pipe2, end, O_CLOEXEC) != 0)
        return -1;
    while (done < bytes && (count = syscall(SYS_write, end[1], (const char *)(uintptr_t)address + done,
                                            bytes - done < ROOM ? bytes - done : ROOM)) > 0) {
        count = syscall(SYS_read, end[0], to + done, (size_t)count);
        if (count <= 0)
            break;
        done += (size_t)count;
    }
    int saved_errno = errno;
    syscall(SYS_close, end[0]);
    syscall(SYS_close, end[1]);
    errno = saved_errno;
    return done ? (ssize_t)done : count;
}

ssize_t cs_own_memory_read(uint64_t address, void *to, size_t bytes)
{
    const struct iovec here = {to, bytes}, there = {(void *)(uintptr_t)address, bytes};
    ssize_t count = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    return count < 0 && errno != EFAULT ? read_by_pipe(address, to, bytes) : count;
}
