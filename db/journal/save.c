#include "db/journal/save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/owner.h"
#include "base/rename.h"
#include "db/journal/block.h"
#include "db/journal/journal_state.h"
#include "db/journal/writer_lock.h"
#include "db/journal/temporary.h"

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
    return write_all(fd, address, bytes, offset) &&
           mmap(address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, (off_t)offset) != MAP_FAILED;
}

static enum cs_status move_all(struct cs_journal *journal, int fd)
{
    int error = cs_journal_reserve(fd, 0, journal->header->used_bytes);
    if (error) {
        errno = error;
        return cs_journal_status(error);
    }
    uint64_t offset = CS_JOURNAL_PAGE;
    for (size_t i = 0; i < journal->block_count; i++) {
        size_t bytes = journal->blocks[i]->bytes;
        if (!move_range(fd, journal->blocks[i], bytes, offset))
            return cs_journal_status(errno);
        offset += bytes;
    }
    /* Last: only now is it a journal for a reader. */
    return move_range(fd, journal->header, CS_JOURNAL_PAGE, 0) ? CS_OK : cs_journal_status(errno);
}

/* The same file once more: children get the mappings of the first description, and are not to hold the lock. */
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
    if (strlen(path) >= sizeof journal->path || (elsewhere && strlen(elsewhere) >= sizeof journal->file)) {
        errno = ENAMETOOLONG;
        return CS_IO;
    }
    const char *file = elsewhere ? elsewhere : path;
    int fd = open(file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0)
        return cs_journal_status(errno);
    pthread_mutex_lock(&journal->lock);
    struct stat about;
    bool known = fstat(fd, &about) == 0;
    void *held = known ? cs_writer_lock_hold(open_again(file, &about)) : NULL;
    journal->header->locked = held != NULL; /* before a reader can see the header */
    enum cs_status status = known ? move_all(journal, fd) : CS_IO;
    if (status == CS_OK && elsewhere && symlink(elsewhere, path) != 0)
        status = cs_journal_status(errno);
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
        cs_writer_lock_drop(held);
    }
    pthread_mutex_unlock(&journal->lock);
    close(fd);
    errno = error;
    return status;
}

void cs_journal_remove(struct cs_journal *journal)
{
    pthread_mutex_lock(&journal->lock);
    if (journal->path[0]) {
        journal->closed = true;
        unlink(journal->path);
    }
    if (journal->file[0])
        unlink(journal->file);
    pthread_mutex_unlock(&journal->lock);
}

static int copy_file(int from, int to)
{
    struct stat about;
    if (fstat(from, &about) != 0 || !cs_owner_give(to, &about))
        return errno;
    if (!cs_journal_may_reach((uint64_t)about.st_size))
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

enum cs_status cs_journal_bring(struct cs_journal *journal)
{
    pthread_mutex_lock(&journal->lock);
    int error = 0;
    int from = journal->file[0] ? open(journal->file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (from >= 0) {
        error = replace_link(journal, from);
        close(from);
    } else if (journal->file[0] && errno != ENOENT) {
        error = errno;
    }
    pthread_mutex_unlock(&journal->lock);
    errno = error;
    return error ? cs_journal_status(error) : CS_OK;
}

enum cs_status cs_journal_rename(struct cs_journal *journal, const char *path)
{
    if (strlen(path) >= sizeof journal->path) {
        errno = ENAMETOOLONG;
        return CS_IO;
    }
    pthread_mutex_lock(&journal->lock);
    bool renamed = cs_rename_new(journal->path, path);
    int error = errno;
    if (renamed)
        strcpy(journal->path, path);
    pthread_mutex_unlock(&journal->lock);
    errno = error;
    return renamed ? CS_OK : CS_IO;
}
