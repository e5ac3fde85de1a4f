#include "journal/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file_system.h"
#include "base/guard.h"
#include "base/keep_errno.h"
#include "base/log.h"
#include "base/uncancelled.h"
#include "journal/run_files.h"

struct cs_journal {
    struct cs_journal_header *header;
    struct cs_block *log;     /* the log block that is being filled */
    struct cs_block **blocks; /* while in memory: blocks that will be moved into the file */
    size_t block_count, block_room;
    struct cs_lock lock; /* protects all above and the file's size */
    bool locked;         /* by who is between cs_journal_reserve and cs_journal_commit */
    uint64_t pause_ns;   /* wait after a failure before the next attempt to add a block; 0: none failed */
    uint64_t retry_ns;   /* time of that attempt on the monotonic clock */
    bool complained;     /* that was logged */
    bool closed;         /* no more blocks, and no message */
    dev_t device;        /* identity of the file, checked whenever it is opened */
    ino_t inode;
    char path[PATH_MAX]; /* "" while in memory */
    char file[PATH_MAX]; /* real location if path is a link; otherwise "" */
};

/* The kernel maps a file from a multiple of its own page, which is 16 or 64 KiB on some machines: so much before a
 * block is mapped with it. A block in memory lies as far behind a page as it will in the file. */
static size_t bytes_before(uint64_t offset)
{
    return offset % (uint64_t)sysconf(_SC_PAGESIZE);
}

static void *map_file(int fd, uint64_t offset, size_t bytes, void *at)
{
    size_t before = bytes_before(offset);
    char *pages = mmap(at ? (char *)at - before : NULL, before + bytes, PROT_READ | PROT_WRITE,
                       MAP_SHARED | (at ? MAP_FIXED : 0), fd, (off_t)(offset - before));
    return pages == MAP_FAILED ? MAP_FAILED : pages + before;
}

static void *map_memory(uint64_t offset, size_t bytes)
{
    size_t before = bytes_before(offset);
    char *pages = mmap(NULL, before + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? MAP_FAILED : pages + before;
}

enum cs_status cs_journal_create(bool monotonic, struct cs_journal **journal)
{
    struct cs_journal *made = calloc(1, sizeof *made);
    if (!made)
        return CS_NO_MEMORY;
    made->header = map_memory(0, CS_JOURNAL_PAGE);
    if (made->header == MAP_FAILED) {
        free(made);
        return CS_NO_MEMORY;
    }
    uint64_t ticks_per_second;
    enum cs_clock_kind kind = cs_clock_choose(monotonic, &ticks_per_second);
    struct cs_clock_pair now = cs_clock_pair();
    *made->header = (struct cs_journal_header){
        .version = CS_JOURNAL_VERSION,
        .byte_order = CS_JOURNAL_BYTE_ORDER,
        .header_bytes = sizeof *made->header,
        .rank = -1,
        .size = -1,
        .pid = (uint32_t)getpid(),
        .clock_kind = kind,
        .ticks_per_second = ticks_per_second,
        .first = now,
        .last = now,
        .used_bytes = CS_JOURNAL_PAGE,
        .callsign = CS_VERSION,
    };
    static_assert(sizeof CS_VERSION <= sizeof made->header->callsign, "its end, too");
    memcpy(made->header->magic, CS_JOURNAL_MAGIC, sizeof made->header->magic);
    *journal = made;
    return CS_OK;
}

const char *cs_journal_path(const struct cs_journal *journal)
{
    return journal->path;
}

struct cs_journal_header *cs_journal_header(struct cs_journal *journal)
{
    return journal->header;
}

/* ---- blocks ---- */

/* After a failure, the next block is requested after this time, twice as long after each further failure. A request
   takes system calls, and a lack of space must not slow the program. */
#define PAUSE_FIRST_NS 10000000u
#define PAUSE_MOST_NS  1000000000u

/* The first log block is small, each further one twice as large up to the maximum: a page in a large block costs a
   third less, and a process with few objects should not pay for room. */
#define LOG_BLOCK_FIRST ((size_t)64 << 10)
#define LOG_BLOCK_MOST  ((size_t)512 << 10)

static size_t round_up(size_t bytes)
{
    return (bytes + CS_JOURNAL_PAGE - 1) / CS_JOURNAL_PAGE * CS_JOURNAL_PAGE;
}

/* The status for the errno of a failed write. */
static enum cs_status status_of(int error)
{
    if (error == ENOSPC || error == EDQUOT || error == EFBIG)
        return CS_NO_SPACE;
    return error == ENOMEM ? CS_NO_MEMORY : CS_IO;
}

/* A write past RLIMIT_FSIZE would send SIGXFSZ to the program, which callsign must not cause. */
static bool may_reach(uint64_t bytes)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur;
}

/* Fills a part of a file with zeros, so that no store into the mapping can fail for lack of space. Writing is better
 * than allocating: a page that is only allocated costs four times as much at its first use, inside an MPI call. A
 * log block is written by one call, because file systems keep such data in large folios: this saves a third again. */
static int reserve(int fd, uint64_t offset, uint64_t bytes)
{
    static char zeros[16 * CS_JOURNAL_PAGE]; /* not const, because it would be in the library's file */
    enum { PARTS = LOG_BLOCK_MOST / sizeof zeros };
    if (!may_reach(offset + bytes))
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

/* The path may name another file by now: then ours is gone, and growing that one would damage it. */
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

/* One fault for the whole block instead of one for each page inside MPI calls. Old kernels refuse; that does no
 * harm. */
static void prefault(void *address, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
    size_t before = bytes_before((uintptr_t)address);
    if (address != MAP_FAILED)
        madvise((char *)address - before, before + bytes, MADV_POPULATE_WRITE);
#else
    (void)address;
    (void)bytes;
#endif
}

static void *map_block(struct cs_journal *journal, uint64_t offset, size_t bytes, int *error)
{
    void *address;
    if (!journal->path[0]) {
        address = map_memory(offset, bytes);
        *error = errno;
        return address;
    }
    int fd = reopen(journal);
    if (fd < 0) {
        *error = errno;
        return MAP_FAILED;
    }
    address = MAP_FAILED;
    *error = reserve(fd, offset, bytes);
    if (!*error) {
        address = map_file(fd, offset, bytes, NULL);
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

/* There was no space. */
static enum cs_status pause_asking(struct cs_journal *journal, int error)
{
    uint64_t pause_ns = journal->pause_ns ? 2 * journal->pause_ns : PAUSE_FIRST_NS;
    journal->pause_ns = pause_ns < PAUSE_MOST_NS ? pause_ns : PAUSE_MOST_NS;
    journal->retry_ns = cs_clock_monotonic_ns() + journal->pause_ns;
    if (!journal->complained)
        cs_log("recording stops until there is room again, the program goes on: %s: %s",
               journal->path[0] ? journal->path : "memory", strerror(error));
    journal->complained = true;
    return status_of(error);
}

/* The caller holds the journal's lock. */
static enum cs_status add_block(struct cs_journal *journal, enum cs_block_type type, uint32_t thread,
                                uint32_t item_bytes, size_t wanted, struct cs_block **result)
{
    CS_UNCANCELLED;
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

enum cs_status cs_journal_add_block_at(struct cs_journal *journal, enum cs_block_type type, uint32_t thread,
                                       uint32_t item_bytes, size_t bytes, struct cs_block **block, uint64_t *offset)
{
    CS_KEEP_ERRNO;
    const bool locked = cs_guard_enter(&journal->lock);
    *offset = journal->header->used_bytes;
    enum cs_status status = add_block(journal, type, thread, item_bytes, bytes, block);
    cs_guard_leave(&journal->lock, locked);
    return status;
}

enum cs_status cs_journal_add_block(struct cs_journal *journal, enum cs_block_type type, uint32_t thread,
                                    uint32_t item_bytes, size_t bytes, struct cs_block **block)
{
    uint64_t offset;
    return cs_journal_add_block_at(journal, type, thread, item_bytes, bytes, block, &offset);
}

struct cs_block *cs_journal_map_again(struct cs_journal *journal, uint64_t offset, size_t bytes)
{
    CS_UNCANCELLED;
    CS_KEEP_ERRNO;
    const bool locked = cs_guard_enter(&journal->lock);
    int fd = journal->closed ? -1 : reopen(journal);
    void *address = MAP_FAILED;
    if (fd >= 0) {
        address = map_file(fd, offset, bytes, NULL);
        prefault(address, bytes);
        close(fd);
    }
    cs_guard_leave(&journal->lock, locked);
    return address == MAP_FAILED ? NULL : address;
}

void cs_journal_close(struct cs_journal *journal)
{
    const bool locked = cs_guard_enter(&journal->lock);
    journal->closed = true;
    cs_guard_leave(&journal->lock, locked);
}

void cs_journal_release(struct cs_journal *journal)
{
    __atomic_store_n(&journal->header->closed, 1, __ATOMIC_RELEASE);
}

bool cs_journal_is_in_file(struct cs_journal *journal)
{
    const bool locked = cs_guard_enter(&journal->lock);
    bool in_file = journal->path[0] != '\0';
    cs_guard_leave(&journal->lock, locked);
    return in_file;
}

void cs_journal_unmap(struct cs_block *block)
{
    size_t before = bytes_before((uintptr_t)block);
    munmap((char *)block - before, before + block->bytes);
}

/* ---- facts ---- */

/* The full block is unmapped, because the file has it: memory does not grow with the number of facts. */
static __attribute__((noinline)) struct cs_block *log_next(struct cs_journal *journal, size_t bytes)
{
    CS_KEEP_ERRNO;
    struct cs_block *full = journal->log, *log;
    size_t wanted = full ? 2 * full->bytes : LOG_BLOCK_FIRST;
    if (wanted > LOG_BLOCK_MOST)
        wanted = LOG_BLOCK_MOST;
    if (wanted < bytes + sizeof *log)
        wanted = bytes + sizeof *log;
    if (add_block(journal, CS_BLOCK_LOG, 0, 0, wanted, &log) != CS_OK)
        return NULL;
    journal->log = log;
    if (full && journal->path[0])
        cs_journal_unmap(full);
    return log;
}

void cs_journal_count(struct cs_journal *journal)
{
    __atomic_fetch_add(&journal->header->items, 1, __ATOMIC_RELAXED);
}

void cs_journal_count_loss(struct cs_journal *journal)
{
    __atomic_fetch_add(&journal->header->lost, 1, __ATOMIC_RELAXED);
}

struct cs_fact *cs_journal_reserve(struct cs_journal *journal, size_t bytes)
{
    const bool locked = cs_guard_enter(&journal->lock);
    journal->locked = locked;
    struct cs_block *log = journal->log;
    if (__builtin_expect(!log || log->used + bytes > log->bytes - sizeof *log, 0)) {
        log = log_next(journal, bytes);
        if (!log) {
            cs_guard_leave(&journal->lock, locked);
            return NULL;
        }
    }
    return (struct cs_fact *)(void *)((char *)(log + 1) + log->used);
}

void cs_journal_commit(struct cs_journal *journal, size_t bytes, unsigned facts)
{
    uint64_t *items = &journal->header->items;
    const bool locked = journal->locked;
    __atomic_store_n(&journal->log->used, journal->log->used + bytes, __ATOMIC_RELEASE);
    if (__builtin_expect(locked, 0)) /* others count without the lock */
        __atomic_fetch_add(items, facts, __ATOMIC_RELAXED);
    else
        __atomic_store_n(items, *items + facts, __ATOMIC_RELAXED);
    cs_guard_leave(&journal->lock, locked);
}

void cs_journal_append_texts(struct cs_journal *journal, enum cs_fact_type type, struct cs_fact *fact, size_t bytes,
                             const char *const strings[], size_t count)
{
    enum { STRINGS_MOST = 4 };
    size_t lengths[STRINGS_MOST], whole = bytes;
    struct cs_fact *at = NULL;
    for (size_t i = 0; i < count && i < STRINGS_MOST; i++)
        whole += 1 + (lengths[i] = strings[i] ? strlen(strings[i]) : 0);
    const uint64_t ticks = fact->ticks ? fact->ticks : cs_clock_ticks();
    if (count <= STRINGS_MOST)
        at = cs_journal_reserve(journal, cs_fact_room(whole));
    if (!at) {
        cs_journal_count_loss(journal);
        return;
    }
    char *end = (char *)memcpy(at, fact, bytes) + bytes;
    for (size_t i = 0; i < count; i++) {
        end = (char *)memcpy(end, strings[i] ? strings[i] : "", lengths[i]) + lengths[i];
        *end++ = '\0';
    }
    cs_fact_begin(at, type, cs_fact_room(whole), ticks);
    cs_journal_commit(journal, cs_fact_room(whole), 1);
}

void cs_journal_note(struct cs_journal *journal, const char *key, const char *value)
{
    struct cs_fact_meta meta = {.fact.ticks = 0};
    cs_journal_append_texts(journal, CS_FACT_META, &meta.fact, sizeof meta, (const char *const[]){key, value}, 2);
}

void cs_journal_read_clocks(struct cs_journal *journal)
{
    struct cs_clock_pair now = cs_clock_pair();
    const bool locked = cs_guard_enter(&journal->lock);
    journal->header->last = now;
    cs_guard_leave(&journal->lock, locked);
}

/* ---- files ---- */

static bool write_all(int fd, const void *data, size_t bytes, uint64_t offset)
{
    const char *at = data;
    while (bytes) {
        ssize_t written = pwrite(fd, at, bytes, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
        offset += (uint64_t)written;
        bytes -= (size_t)written;
    }
    return true;
}

/* Replaces private memory by the file's pages, at the same address. */
static bool move_range(int fd, void *address, size_t bytes, uint64_t offset)
{
    return write_all(fd, address, bytes, offset) && map_file(fd, offset, bytes, address) != MAP_FAILED;
}

static enum cs_status move_all(struct cs_journal *journal, int fd)
{
    int error = reserve(fd, 0, journal->header->used_bytes);
    if (error) {
        errno = error;
        return status_of(error);
    }
    uint64_t offset = CS_JOURNAL_PAGE;
    for (size_t i = 0; i < journal->block_count; i++) {
        size_t bytes = journal->blocks[i]->bytes;
        if (!move_range(fd, journal->blocks[i], bytes, offset))
            return status_of(errno);
        offset += bytes;
    }
    /* Last: only now readers accept it as a journal. */
    return move_range(fd, journal->header, CS_JOURNAL_PAGE, 0) ? CS_OK : status_of(errno);
}

/* Opens the same file again: children inherit mappings of the first description, and must not hold the lock. */
static int open_again(const char *file, const struct stat *first)
{
    struct stat about;
    int fd = open(file, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && (fstat(fd, &about) != 0 || about.st_dev != first->st_dev || about.st_ino != first->st_ino)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

enum cs_status cs_journal_save(struct cs_journal *journal, const char *path, const char *elsewhere)
{
    CS_UNCANCELLED;
    if (strlen(path) >= sizeof journal->path || (elsewhere && strlen(elsewhere) >= sizeof journal->file)) {
        errno = ENAMETOOLONG;
        return CS_IO;
    }
    const char *file = elsewhere ? elsewhere : path;
    int fd = open(file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0)
        return status_of(errno);
    const bool locked = cs_guard_enter(&journal->lock);
    struct stat about;
    bool known = fstat(fd, &about) == 0;
    void *held = known ? cs_writer_lock_acquire(open_again(file, &about)) : NULL;
    journal->header->locked = held != NULL; /* before a reader can see the header */
    enum cs_status status = known ? move_all(journal, fd) : CS_IO;
    if (status == CS_OK && elsewhere && symlink(elsewhere, path) != 0)
        status = status_of(errno);
    int error = errno;
    if (status == CS_OK) {
        journal->device = about.st_dev;
        journal->inode = about.st_ino;
        strcpy(journal->path, path);
        strcpy(journal->file, elsewhere ? elsewhere : "");
        free(journal->blocks);
        journal->blocks = NULL;
        journal->block_count = journal->block_room = 0;
    } else {
        unlink(file);
        cs_writer_lock_release(held);
    }
    cs_guard_leave(&journal->lock, locked);
    close(fd);
    errno = error;
    return status;
}

void cs_journal_remove(struct cs_journal *journal)
{
    CS_UNCANCELLED;
    const bool locked = cs_guard_enter(&journal->lock);
    if (journal->path[0]) {
        journal->closed = true;
        unlink(journal->path);
    }
    if (journal->file[0])
        unlink(journal->file);
    cs_guard_leave(&journal->lock, locked);
}

static int copy_file(int from, int to)
{
    struct stat about;
    if (fstat(from, &about) != 0 || !cs_owner_give(to, &about))
        return errno;
    if (!may_reach((uint64_t)about.st_size))
        return EFBIG;
    off_t at = 0;
    while (at < about.st_size) {
        ssize_t sent = sendfile(to, from, &at, (size_t)(about.st_size - at));
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return sent < 0 ? errno : EIO;
    }
    return 0;
}

/* The copy is complete under a temporary name before it replaces the link. */
static int replace_link(const struct cs_journal *journal, int from)
{
    char copy[PATH_MAX];
    int to = cs_temporary_create(journal->path, copy);
    if (to < 0)
        return errno;
    int error = copy_file(from, to);
    if (close(to) != 0 && !error)
        error = errno;
    if (!error && rename(copy, journal->path) != 0)
        error = errno;
    unlink(error ? copy : journal->file);
    return error;
}

bool cs_journal_leave_folder(struct cs_journal *journal, const char *path)
{
    if (strlen(path) >= sizeof journal->path)
        return false;
    const bool locked = cs_guard_enter(&journal->lock);
    strcpy(journal->file, journal->path);
    strcpy(journal->path, path);
    cs_guard_leave(&journal->lock, locked);
    return true;
}

enum cs_status cs_journal_move_to_run(struct cs_journal *journal)
{
    CS_UNCANCELLED;
    const bool locked = cs_guard_enter(&journal->lock);
    int error = 0;
    int from = journal->file[0] ? open(journal->file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (from >= 0) {
        error = replace_link(journal, from);
        close(from);
    } else if (journal->file[0] && errno != ENOENT) {
        error = errno;
    }
    cs_guard_leave(&journal->lock, locked);
    errno = error;
    return error ? status_of(error) : CS_OK;
}

enum cs_status cs_journal_rename(struct cs_journal *journal, const char *path)
{
    if (strlen(path) >= sizeof journal->path) {
        errno = ENAMETOOLONG;
        return CS_IO;
    }
    const bool locked = cs_guard_enter(&journal->lock);
    bool renamed = cs_rename_without_replacing(journal->path, path);
    int error = errno;
    if (renamed)
        strcpy(journal->path, path);
    cs_guard_leave(&journal->lock, locked);
    errno = error;
    return renamed ? CS_OK : CS_IO;
}
