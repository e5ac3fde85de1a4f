#include "db/journal/writer_lock.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file_system.h"
#include "db/journal/format.h"

/* Far from the bytes that SQLite locks. */
static struct flock first_byte(void)
{
    return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
}

/* A lock of an open file description lives as long as that is referred to, and a mapping refers to it as a descriptor
   does. So no descriptor stays open, which the program could close or would count. The kernel does not give the mapping
   to children (MADV_DONTFORK), however they are made, and ends it with exec. */
static void *map(int fd)
{
    struct flock lock = first_byte();
    if (cs_file_system_of(fd) == CS_FILE_SYSTEM_OTHER || fcntl(fd, F_OFD_SETLK, &lock) != 0)
        return NULL;
    void *page = mmap(NULL, CS_JOURNAL_PAGE, PROT_NONE, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED)
        return NULL;
    if (madvise(page, CS_JOURNAL_PAGE, MADV_DONTFORK) == 0)
        return page;
    munmap(page, CS_JOURNAL_PAGE);
    return NULL;
}

void *cs_writer_lock_hold(int fd)
{
    if (fd < 0)
        return NULL;
    void *page = map(fd);
    close(fd);
    return page;
}

void cs_writer_lock_drop(void *lock)
{
    if (lock)
        munmap(lock, CS_JOURNAL_PAGE);
}

enum cs_writer_lock cs_writer_lock_look(int fd)
{
    struct flock lock = first_byte();
    if (cs_file_system_of(fd) == CS_FILE_SYSTEM_OTHER || fcntl(fd, F_OFD_GETLK, &lock) != 0)
        return CS_WRITER_LOCK_UNKNOWN;
    return lock.l_type == F_UNLCK ? CS_WRITER_LOCK_FREE : CS_WRITER_LOCK_HELD;
}
