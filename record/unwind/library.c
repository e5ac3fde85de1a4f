/* libcallsign-unwind.so: the only code of ours that knows libunwind. A library of its own, because libunwind exports a
   `backtrace` that would replace the C library's in the program: opened locally, nobody else sees it.

   libunwind asks whether an address can be read by writing a byte from there into a pipe, which it keeps open. A
   program that closes descriptors which are not its own would find its next file where the pipe was. The functions
   below stand before the C library's for libunwind, and for nobody else: no descriptor is opened, the kernel is asked
   directly. */
#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "record/unwind/library.h"

#define EXPORT __attribute__((visibility("default")))

/* No descriptor has these numbers; -1 is what libunwind takes for none. */
enum { PIPE_OUT = -0x43530001, PIPE_IN = -0x43530002 };

EXPORT int pipe2(int pipe[2], int flags)
{
    (void)flags;
    pipe[0] = PIPE_OUT;
    pipe[1] = PIPE_IN;
    return 0;
}

EXPORT ssize_t read(int file, void *data, size_t bytes)
{
    if (file != PIPE_OUT)
        return readv(file, &(struct iovec){data, bytes}, 1);
    errno = EAGAIN; /* open, and empty */
    return -1;
}

/* How many of the bytes can be read there, up to 8. */
static ssize_t readable(const void *data, size_t bytes)
{
    char copy[8];
    size_t length = bytes < sizeof copy ? bytes : sizeof copy;
    struct iovec here = {copy, length}, there = {(void *)(uintptr_t)data, length};
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0);
}

EXPORT ssize_t write(int file, const void *data, size_t bytes)
{
    return file == PIPE_IN ? readable(data, bytes) : writev(file, &(struct iovec){(void *)(uintptr_t)data, bytes}, 1);
}

/* libunwind writes around write(), which is where a thread can be cancelled. */
EXPORT long syscall(long number, ...)
{
    long argument[6];
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++)
        argument[i] = va_arg(arguments, long);
    va_end(arguments);
    if (number == SYS_write && (int)argument[0] == PIPE_IN)
        return readable((const void *)argument[1], (size_t)argument[2]);
    long (*next)(long, ...);
    *(void **)&next = dlsym(RTLD_NEXT, "syscall");
    return next(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
}

/* Slower by far, but looks at every frame anew. */
static int walk_anew(void **frame, int size)
{
    unw_context_t context;
    unw_cursor_t cursor;
    int count = 0;
    if (unw_getcontext(&context) != 0 || unw_init_local(&cursor, &context) != 0)
        return 0;
    do {
        unw_word_t address = 0;
        if (unw_get_reg(&cursor, UNW_REG_IP, &address) != 0 || address == 0)
            break;
        frame[count++] = (void *)address;
    } while (count < size && unw_step(&cursor) > 0);
    return count;
}

EXPORT int callsign_unwind(void **frame, int size, enum cs_unwind how)
{
    if (how == CS_UNWIND_FLUSHED)
        unw_flush_cache(unw_local_addr_space, 0, 0);
    return how == CS_UNWIND_FAST ? unw_backtrace(frame, size) : walk_anew(frame, size);
}
