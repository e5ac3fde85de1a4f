#include "db/journal/block.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/array.h"
#include "base/keep_errno.h"
#include "base/log.h"
#include "db/journal/journal_state.h"

/* After a failure the next block is asked for when so much time has passed; twice as much after each further one.
   Asking takes system calls, and nothing may be slow for want of room. */
#define PAUSE_FIRST_NS 10000000u
#define PAUSE_MOST_NS  1000000000u

static size_t round_up(size_t bytes)
{
    return (bytes + CS_JOURNAL_PAGE - 1) / CS_JOURNAL_PAGE * CS_JOURNAL_PAGE;
}

enum cs_status cs_journal_status(int error)
{
    if (error == ENOSPC || error == EDQUOT || error == EFBIG)
        return CS_NO_SPACE;
    return error == ENOMEM ? CS_NO_MEMORY : CS_IO;
}

/* Writing past RLIMIT_FSIZE would send SIGXFSZ to the program, which nothing of ours may do. */
bool cs_journal_may_reach(uint64_t bytes)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur;
}

/* Zeros, so that no store into the mapping can fail for want of space. Written and not allocated: a page that is only
   allocated costs four times as much when it is first touched, in the middle of somebody's MPI call. A log block with
   one call, because file systems keep what is written together in large folios: a third of the price of a page again.
 */
int cs_journal_reserve(int fd, uint64_t offset, uint64_t bytes)
{
    static char zeros[16 * CS_JOURNAL_PAGE]; /* not const: it would lie in the library's file */
    enum { PARTS = CS_LOG_BLOCK_MOST / sizeof zeros };
    if (!cs_journal_may_reach(offset + bytes))
        return EFBIG;
    while (bytes) {
        struct iovec part[PARTS];
        int parts = 0;
        for (uint64_t rest = bytes; rest && parts < PARTS; rest -= part[parts++].iov_len)
            part[parts] = (struct iovec){zeros, rest < sizeof zeros ? rest : sizeof zeros};
        errno = ENOSPC;
        ssize_t written = pwritev(fd, part, parts, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return errno;
        offset += (uint64_t)written;
        bytes -= (uint64_t)written;
    }
    return 0;
}

/* The path may by now name another file: then ours is gone, and growing that one would damage it. */
static int reopen(const struct cs_journal *journal)
{
    int fd = open(journal->file[0] ? journal->file : journal->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    struct stat about;
    if (fd >= 0 && (fstat(fd, &about) != 0 || about.st_dev != journal->device || about.st_ino != journal->inode)) {
        close(fd);
        errno = ENOENT;
        return -1;
    }
    return fd;
}

/* One trap for the whole block instead of one for each page in the middle of somebody's MPI call. Old kernels refuse:
 * no harm. */
static void prefault(void *address, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
    if (address != MAP_FAILED)
        madvise(address, bytes, MADV_POPULATE_WRITE);
#else
    (void)address;
    (void)bytes;
#endif
}

static void *map_block(struct cs_journal *journal, uint64_t offset, size_t bytes, int *error)
{
    void *address;
    if (!journal->path[0]) {
        address = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        *error = errno;
        return address;
    }
    int fd = reopen(journal);
    if (fd < 0) {
        *error = errno;
        return MAP_FAILED;
    }
    address = MAP_FAILED;
    *error = cs_journal_reserve(fd, offset, bytes);
    if (!*error) {
        address = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
        *error = errno;
        prefault(address, bytes);
    }
    close(fd);
    return address;
}

static bool note_block(struct cs_journal *journal)
{
    return journal->path[0] ||
           cs_array_grow(&journal->blocks, journal->block_count, &journal->block_room, sizeof *journal->blocks);
}

/* There was no room. */
static enum cs_status pause_asking(struct cs_journal *journal, int error)
{
    uint64_t pause_ns = journal->pause_ns ? 2 * journal->pause_ns : PAUSE_FIRST_NS;
    journal->pause_ns = pause_ns < PAUSE_MOST_NS ? pause_ns : PAUSE_MOST_NS;
    journal->retry_ns = cs_clock_monotonic_ns() + journal->pause_ns;
    if (!journal->complained)
        cs_log("recording stops until there is room again, the program goes on: %s: %s",
               journal->path[0] ? journal->path : "memory", strerror(error));
    journal->complained = true;
    return cs_journal_status(error);
}

enum cs_status cs_journal_block_locked(struct cs_journal *journal, enum cs_block_type type, uint32_t thread,
                                       uint32_t item_bytes, size_t wanted, struct cs_block **result)
{
    if (journal->closed)
        return CS_IO;
    if (journal->pause_ns && cs_clock_monotonic_ns() < journal->retry_ns)
        return CS_NO_SPACE;
    size_t bytes = round_up(wanted);
    uint64_t offset = journal->header->used_bytes;
    int error = ENOMEM;
    struct cs_block *block = note_block(journal) ? map_block(journal, offset, bytes, &error) : MAP_FAILED;
    if (block == MAP_FAILED)
        return pause_asking(journal, error);
    journal->pause_ns = 0;
    *block = (struct cs_block){
        .magic = CS_BLOCK_MAGIC, .type = type, .bytes = bytes, .thread = thread, .item_bytes = item_bytes};
    if (!journal->path[0])
        journal->blocks[journal->block_count++] = block;
    __atomic_store_n(&journal->header->used_bytes, offset + bytes, __ATOMIC_RELEASE);
    *result = block;
    return CS_OK;
}

enum cs_status cs_journal_block(struct cs_journal *journal, enum cs_block_type type, uint32_t thread,
                                uint32_t item_bytes, size_t bytes, struct cs_block **block)
{
    CS_KEEP_ERRNO;
    pthread_mutex_lock(&journal->lock);
    enum cs_status status = cs_journal_block_locked(journal, type, thread, item_bytes, bytes, block);
    pthread_mutex_unlock(&journal->lock);
    return status;
}

void cs_journal_close(struct cs_journal *journal)
{
    pthread_mutex_lock(&journal->lock);
    journal->closed = true;
    pthread_mutex_unlock(&journal->lock);
}

bool cs_journal_in_file(struct cs_journal *journal)
{
    pthread_mutex_lock(&journal->lock);
    bool in_file = journal->path[0] != '\0';
    pthread_mutex_unlock(&journal->lock);
    return in_file;
}

void cs_journal_leave(struct cs_block *block)
{
    munmap(block, block->bytes);
}
