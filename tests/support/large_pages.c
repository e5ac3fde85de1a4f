/* Preloaded, it makes mmap, munmap and madvise behave as those of a kernel with pages of 64 KiB: addresses are
   multiples of that, and other offsets and addresses are refused. What lies behind the bytes asked for stays as it is.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

enum { PAGE = 64 << 10 };

extern long __sysconf(int name);

static void *refused(const char *function, uint64_t value)
{
    fprintf(stderr, "large_pages: %s refuses %#llx\n", function, (unsigned long long)value);
    errno = EINVAL;
    return MAP_FAILED;
}

static char *mapped(void *address, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    return (char *)syscall(SYS_mmap, address, bytes, protection, flags, fd, offset); // NOLINT: it returns an address
}

EXPORTED void *mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    if (offset % PAGE != 0)
        return refused("mmap", (uint64_t)offset);
    if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) {
        if ((uintptr_t)address % PAGE != 0)
            return refused("mmap", (uintptr_t)address);
        return mapped(address, bytes, protection, flags, fd, offset);
    }
    char *room = mapped(NULL, bytes + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return MAP_FAILED;
    bytes = (bytes + 4095) / 4096 * 4096;
    size_t before = -(uintptr_t)room % PAGE;
    char *chosen = mapped(room + before, bytes, protection, flags | MAP_FIXED, fd, offset);
    int error = errno;
    if (before)
        syscall(SYS_munmap, room, before);
    size_t kept = chosen == MAP_FAILED ? 0 : bytes;
    syscall(SYS_munmap, room + before + kept, bytes + PAGE - before - kept);
    errno = error;
    return chosen;
}

EXPORTED void *mmap64(void *address, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    return mmap(address, bytes, protection, flags, fd, offset);
}

EXPORTED int munmap(void *address, size_t bytes)
{
    if ((uintptr_t)address % PAGE != 0)
        return refused("munmap", (uintptr_t)address), -1;
    return (int)syscall(SYS_munmap, address, bytes);
}

EXPORTED int madvise(void *address, size_t bytes, int advice)
{
    if ((uintptr_t)address % PAGE != 0)
        return refused("madvise", (uintptr_t)address), -1;
    return (int)syscall(SYS_madvise, address, bytes, advice);
}

EXPORTED long sysconf(int name)
{
    return name == _SC_PAGESIZE ? PAGE : __sysconf(name);
}

EXPORTED int getpagesize(void)
{
    return PAGE;
}
