#include "db/journal/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "db/journal/node_local.h"
#include "db/journal/reader_state.h"

#define BUFFER_BYTES ((size_t)64 << 10)

static_assert(BUFFER_BYTES % sizeof(struct cs_profile_cell) == 0, "a buffer holds whole cells");

ssize_t cs_journal_read_at(int fd, void *to, size_t bytes, uint64_t offset)
{
    size_t got = 0;
    while (got < bytes) {
        ssize_t n = pread(fd, (char *)to + got, bytes - got, (off_t)(offset + got));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        got += (size_t)n;
    }
    return (ssize_t)got;
}

static enum cs_status check_header(const char *path, const struct cs_journal_header *header, size_t got)
{
    if (got < sizeof header->magic || memcmp(header->magic, CS_JOURNAL_MAGIC, sizeof header->magic) != 0) {
        cs_log("%s is not a callsign journal", path);
        return CS_NOT_OURS;
    }
    if (got < sizeof *header) {
        cs_log("%s is cut off within its header: nothing can be read from it", path);
        return CS_CORRUPT;
    }
    if (header->byte_order == __builtin_bswap32(CS_JOURNAL_BYTE_ORDER)) {
        cs_log("%s was written on a machine with the other byte order: seal it there", path);
        return CS_INVALID;
    }
    if (header->byte_order == CS_JOURNAL_BYTE_ORDER && header->version > CS_JOURNAL_VERSION) {
        cs_log("%s was written by a newer callsign (journal version %u, this one reads up to %u): use that one", path,
               header->version, CS_JOURNAL_VERSION);
        return CS_TOO_NEW;
    }
    if (header->byte_order == CS_JOURNAL_BYTE_ORDER && header->version && header->version < CS_JOURNAL_OLDEST) {
        cs_log("%s was written by an older callsign (journal version %u, this one reads from %u on): seal it with that",
               path, header->version, CS_JOURNAL_OLDEST);
        return CS_INVALID;
    }
    if (header->byte_order != CS_JOURNAL_BYTE_ORDER || header->version == 0 || header->header_bytes < sizeof *header ||
        header->header_bytes > CS_JOURNAL_PAGE) {
        cs_log("%s is damaged: its header makes no sense", path);
        return CS_CORRUPT;
    }
    return CS_OK;
}

static enum cs_status open_regular(const char *path, int *fd, struct stat *about)
{
    char elsewhere[PATH_MAX];
    const char *file = cs_node_local_of(path, elsewhere);
    /* O_NONBLOCK: a FIFO in place of a journal must not hang us. */
    *fd = open(file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (*fd < 0 && file != path && errno == ENOENT) {
        cs_node_local_tell(path, file);
        return CS_IO;
    }
    if (*fd < 0) {
        cs_log("cannot open %s: %s", path, errno == ELOOP ? "it is a symbolic link" : strerror(errno));
        return CS_IO;
    }
    if (fstat(*fd, about) != 0 || !S_ISREG(about->st_mode)) {
        cs_log("%s is not a callsign journal: not a regular file", path);
        close(*fd);
        return CS_NOT_OURS;
    }
    if (file != path && !cs_node_local_is_owners(path, about)) {
        cs_log("%s leads to a journal of another user: it is not read", path);
        close(*fd);
        return CS_NOT_OURS;
    }
    return CS_OK;
}

static void set_end(struct cs_journal_reader *reader)
{
    uint64_t size = (uint64_t)reader->file.st_size;
    reader->sparse = (uint64_t)reader->file.st_blocks * 512 < size;
    reader->end = reader->header.used_bytes;
    if (reader->end < CS_JOURNAL_PAGE || reader->end > size)
        reader->damaged = true;
    if (reader->end > size)
        reader->end = size;
}

void cs_journal_read_again(struct cs_journal_reader *reader)
{
    struct cs_journal_header header;
    struct stat about;
    if (fstat(reader->fd, &about) != 0 ||
        cs_journal_read_at(reader->fd, &header, sizeof header, 0) != (ssize_t)sizeof header ||
        memcmp(&header, &reader->header, offsetof(struct cs_journal_header, outcome)) != 0)
        return;
    reader->header = header;
    reader->file = about;
    set_end(reader);
}

static enum cs_status start(struct cs_journal_reader *reader, const char *path)
{
    ssize_t got = cs_journal_read_at(reader->fd, &reader->header, sizeof reader->header, 0);
    if (got < 0) {
        cs_log("cannot read %s: %s", path, strerror(errno));
        return CS_IO;
    }
    enum cs_status status = check_header(path, &reader->header, (size_t)got);
    if (status != CS_OK)
        return status;
    set_end(reader);
    reader->buffer_bytes = BUFFER_BYTES;
    reader->buffer = malloc(reader->buffer_bytes);
    if (!reader->buffer) {
        cs_log("%s: out of memory", path);
        return CS_NO_MEMORY;
    }
    return CS_OK;
}

enum cs_status cs_journal_read_open(const char *path, struct cs_journal_reader **reader)
{
    int fd;
    struct stat about;
    enum cs_status status = open_regular(path, &fd, &about);
    if (status != CS_OK)
        return status;
    struct cs_journal_reader *made = calloc(1, sizeof *made);
    if (!made) {
        cs_log("%s: out of memory", path);
        close(fd);
        return CS_NO_MEMORY;
    }
    made->fd = fd;
    made->file = about;
    status = start(made, path);
    if (status != CS_OK)
        cs_journal_read_close(made);
    else
        *reader = made;
    return status;
}

void cs_journal_read_close(struct cs_journal_reader *reader)
{
    if (!reader)
        return;
    close(reader->fd);
    free(reader->buffer);
    free(reader);
}

const struct cs_journal_header *cs_journal_read_header(const struct cs_journal_reader *reader)
{
    return &reader->header;
}

const struct stat *cs_journal_read_file(const struct cs_journal_reader *reader)
{
    return &reader->file;
}

bool cs_journal_read_damaged(const struct cs_journal_reader *reader)
{
    return reader->damaged;
}
