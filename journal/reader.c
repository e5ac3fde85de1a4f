#include "journal/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "journal/run_files.h"
#include "journal_facts.h"

struct cs_journal_reader {
    int fd;
    bool damaged;
    bool sparse; /* parts of the file were never written */
    struct cs_journal_header header;
    uint64_t end; /* end of the blocks that the header counts and the file contains */
    struct stat file;
};

#define BUFFER_BYTES ((size_t)64 << 10)

static_assert(BUFFER_BYTES % sizeof(struct cs_profile_cell) == 0, "a buffer holds whole cells");

/* Reads up to `bytes` bytes at offset; fewer only at the end of the file. -1: errno has the cause. What is read later
 * is what the writer had stored at least up to here; within one read the bytes have no order (tests/models). */
static ssize_t read_at(int fd, void *to, size_t bytes, uint64_t offset)
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
#ifndef __SANITIZE_THREAD__ /* which has no fences; the writer is another process */
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
#endif
    return (ssize_t)got;
}

static enum cs_status check_header(const char *path, const struct cs_journal_header *header, size_t got)
{
    if (got < sizeof header->magic || memcmp(header->magic, CS_JOURNAL_MAGIC, sizeof header->magic) != 0) {
        cs_log("%s is not a callsign journal", path);
        return CS_NOT_OURS;
    }
    if (got < sizeof *header) {
        cs_log("%s is truncated within its header: it cannot be read", path);
        return CS_CORRUPT;
    }
    if (header->byte_order == __builtin_bswap32(CS_JOURNAL_BYTE_ORDER)) {
        cs_log("%s was written on a machine with the other byte order: convert it there", path);
        return CS_INVALID;
    }
    if (header->byte_order == CS_JOURNAL_BYTE_ORDER && header->version != CS_JOURNAL_VERSION && header->version != 0) {
        cs_log("%s was written by callsign %.*s (journal version %x, this callsign reads %x): convert it with that one",
               path, (int)sizeof header->callsign, header->callsign, header->version, CS_JOURNAL_VERSION);
        return CS_INVALID;
    }
    if (header->byte_order != CS_JOURNAL_BYTE_ORDER || header->version != CS_JOURNAL_VERSION ||
        header->header_bytes < sizeof *header || header->header_bytes > CS_JOURNAL_PAGE) {
        cs_log("%s is damaged: its header is invalid", path);
        return CS_CORRUPT;
    }
    return CS_OK;
}

static enum cs_status open_regular(const char *path, int *fd, struct stat *about)
{
    char elsewhere[PATH_MAX];
    const char *file = cs_node_local_resolve(path, elsewhere);
    /* O_NONBLOCK: a FIFO in place of a journal must not hang us. */
    *fd = open(file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (*fd < 0 && file != path && errno == ENOENT) {
        cs_node_local_log_missing(path, file);
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
    if (fstat(reader->fd, &about) != 0 || read_at(reader->fd, &header, sizeof header, 0) != (ssize_t)sizeof header ||
        memcmp(&header, &reader->header, offsetof(struct cs_journal_header, outcome)) != 0)
        return;
    reader->header = header;
    reader->file = about;
    set_end(reader);
}

static enum cs_status start(struct cs_journal_reader *reader, const char *path)
{
    ssize_t got = read_at(reader->fd, &reader->header, sizeof reader->header, 0);
    if (got < 0) {
        cs_log("cannot read %s: %s", path, strerror(errno));
        return CS_IO;
    }
    enum cs_status status = check_header(path, &reader->header, (size_t)got);
    if (status != CS_OK)
        return status;
    set_end(reader);
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

int cs_journal_read_descriptor(const struct cs_journal_reader *reader)
{
    return reader->fd;
}

bool cs_journal_read_damaged(const struct cs_journal_reader *reader)
{
    return reader->damaged;
}

/* ---- facts and cells ---- */

#define FACT_BYTES_MAX ((size_t)1 << 20) /* names and argument lists are shorter; longer facts are damage */

/* A block with a valid header. */
struct block {
    uint32_t type, item_bytes, thread;
    uint64_t content; /* offset of its content in the file */
    uint64_t used;    /* valid bytes of it that the file contains */
};

/* One pass over the blocks. It has its own buffer, because what it visits may read the journal as well. */
struct reading {
    struct cs_journal_reader *reader;
    uint64_t at; /* offset of the next block */
    struct block block;
    char *buffer; /* room of buffer_bytes for whole cells */
    size_t buffer_bytes;
};

static struct reading reading_of(struct cs_journal_reader *reader)
{
    return (struct reading){.reader = reader, .at = CS_JOURNAL_PAGE};
}

/* Makes the buffer hold at least this much. */
static enum cs_status grow_buffer(struct reading *reading, size_t bytes)
{
    if (bytes <= reading->buffer_bytes)
        return CS_OK;
    char *grown = realloc(reading->buffer, bytes);
    if (!grown)
        return CS_NO_MEMORY;
    reading->buffer = grown;
    reading->buffer_bytes = bytes;
    return CS_OK;
}

/* The size of the content that the writer has completed. The count is read before the content, so that the content
 * is complete. */
static uint64_t used_bytes(struct cs_journal_reader *reader, const struct cs_block *header, uint64_t room)
{
    uint64_t unit = header->type == CS_BLOCK_LOG ? 1 : header->item_bytes;
    if (unit == 0 || header->used > room / unit) {
        reader->damaged = true;
        return unit == 0 ? 0 : room / unit * unit;
    }
    return header->used * unit;
}

/* Goes to the next block. Returns false at the end. */
static bool next_block(struct reading *reading)
{
    struct cs_journal_reader *reader = reading->reader;
    struct block *block = &reading->block;
    uint64_t *at = &reading->at;
    struct cs_block header;
    if (*at >= reader->end)
        return false;
    ssize_t got = read_at(reader->fd, &header, sizeof header, *at);
    if (got != (ssize_t)sizeof header || header.magic != CS_BLOCK_MAGIC || header.bytes < CS_JOURNAL_PAGE ||
        header.bytes % CS_JOURNAL_PAGE != 0 || header.bytes > UINT64_MAX - *at) {
        reader->damaged = true; /* the begin of the next block is unknown */
        return false;
    }
    uint64_t there = reader->end - *at;
    if (header.bytes > there)
        reader->damaged = true;
    else
        there = header.bytes;
    block->type = header.type;
    block->item_bytes = header.item_bytes;
    block->thread = header.thread;
    block->content = *at + sizeof header;
    block->used = used_bytes(reader, &header, header.bytes - sizeof header);
    if (block->used > there - (there < sizeof header ? there : sizeof header))
        block->used = there < sizeof header ? 0 : there - sizeof header;
    *at += header.bytes;
    return true;
}

/* Text number `index` after this many bytes of a fact; NULL: the fact ends before the text does. */
static const char *text_behind(const struct cs_fact *fact, size_t bytes, unsigned index)
{
    if (fact->bytes < bytes)
        return NULL;
    const char *at = (const char *)fact + bytes;
    const char *end = (const char *)fact + fact->bytes;
    for (;; index--) {
        const char *stop = memchr(at, 0, (size_t)(end - at));
        if (!stop || index == 0)
            return stop ? at : NULL;
        at = stop + 1;
    }
}

/* True if the fact is complete: its structure, the parts after it, and its texts. */
static bool is_whole(const struct cs_fact *fact)
{
    size_t bytes, texts = cs_fact_texts(fact, &bytes);
    return fact->bytes >= bytes && (texts == 0 || text_behind(fact, bytes, (unsigned)texts - 1));
}

/* Visits the complete facts in the first `held` bytes of the buffer. *taken: their size. *wanted: bytes that the
   next one needs to be complete, 0 if the log is invalid from here. */
static enum cs_status visit_facts(struct reading *reading, size_t held, size_t *taken, size_t *wanted,
                                  enum cs_status (*visit)(void *context, const struct cs_fact *fact), void *context)
{
    *taken = 0;
    *wanted = sizeof(struct cs_fact);
    while (held - *taken >= sizeof(struct cs_fact)) {
        /* Facts begin at multiples of 8 in a buffer from malloc: aligned. */
        const struct cs_fact *fact = (const void *)(reading->buffer + *taken);
        *wanted = fact->bytes;
        if (fact->bytes < sizeof *fact || fact->bytes % 8 != 0 || fact->bytes > FACT_BYTES_MAX) {
            *wanted = 0;
            return CS_OK;
        }
        if (fact->bytes > held - *taken)
            return CS_OK;
        enum cs_status status = CS_OK;
        if (is_whole(fact))
            status = visit(context, fact);
        else
            reading->reader->damaged = true;
        if (status != CS_OK)
            return status;
        *taken += fact->bytes;
        *wanted = sizeof(struct cs_fact);
    }
    return CS_OK;
}

static enum cs_status read_log(struct reading *reading,
                               enum cs_status (*visit)(void *context, const struct cs_fact *fact), void *context)
{
    struct cs_journal_reader *reader = reading->reader;
    const struct block *block = &reading->block;
    enum cs_status status = grow_buffer(reading, BUFFER_BYTES);
    uint64_t done = 0;
    while (status == CS_OK && done < block->used) {
        uint64_t left = block->used - done;
        size_t bytes = left < reading->buffer_bytes ? (size_t)left : reading->buffer_bytes;
        ssize_t got = read_at(reader->fd, reading->buffer, bytes, block->content + done);
        if (got < 0)
            return CS_IO;
        size_t taken, wanted;
        status = visit_facts(reading, (size_t)got, &taken, &wanted, visit, context);
        if (status != CS_OK)
            return status;
        done += taken;
        if (taken == 0 && (wanted == 0 || wanted > left || (size_t)got < bytes)) {
            reader->damaged = true; /* the begin of the next fact in this block is unknown */
            return CS_OK;
        }
        status = grow_buffer(reading, wanted);
    }
    return status;
}

enum cs_status cs_journal_read_facts(struct cs_journal_reader *reader,
                                     enum cs_status (*visit)(void *context, const struct cs_fact *fact), void *context)
{
    struct reading reading = reading_of(reader);
    enum cs_status status = CS_OK;
    while (status == CS_OK && next_block(&reading))
        if (reading.block.type == CS_BLOCK_LOG)
            status = read_log(&reading, visit, context);
    free(reading.buffer);
    return status;
}

/* Number of cells at an offset that are in a hole of the file, where nothing was ever written. A damaged count may
   cover a terabyte of them. */
static uint64_t cells_in_hole(const struct cs_journal_reader *reader, uint64_t offset, uint32_t item_bytes,
                              uint64_t cells)
{
    off_t data = reader->sparse ? lseek(reader->fd, (off_t)offset, SEEK_DATA) : (off_t)offset;
    if (data < 0)
        return errno == ENXIO ? cells : 0;
    uint64_t hole = ((uint64_t)data - offset) / item_bytes;
    return hole < cells ? hole : cells;
}

/* Shows each valid cell and its number in the block, from 0. */
typedef enum cs_status visit_numbered(void *context, uint64_t number, const void *cell);

static enum cs_status read_block_cells(struct reading *reading, visit_numbered *visit, void *context)
{
    struct cs_journal_reader *reader = reading->reader;
    const struct block *block = &reading->block;
    bool is_valid[BUFFER_BYTES / sizeof(uint64_t)]; /* before the cells were read: then they are whole */
    if (grow_buffer(reading, BUFFER_BYTES) != CS_OK)
        return CS_NO_MEMORY;
    size_t per_buffer = reading->buffer_bytes / block->item_bytes;
    uint64_t cells = block->used / block->item_bytes;
    for (uint64_t done = 0; done < cells;) {
        done += cells_in_hole(reader, block->content + done * block->item_bytes, block->item_bytes, cells - done);
        if (done == cells)
            break;
        size_t count = cells - done < per_buffer ? (size_t)(cells - done) : per_buffer;
        ssize_t got =
            read_at(reader->fd, reading->buffer, count * block->item_bytes, block->content + done * block->item_bytes);
        if (got < 0)
            return CS_IO;
        if ((size_t)got < count * block->item_bytes) {
            reader->damaged = true;
            cells = done + (size_t)got / block->item_bytes;
            count = (size_t)got / block->item_bytes;
        }
        for (size_t i = 0; i < count; i++)
            is_valid[i] = cs_cell_is_valid(block->type, reading->buffer + i * block->item_bytes);
        if (!cs_journal_read_cell(reader, block->content + done * block->item_bytes, reading->buffer,
                                  count * block->item_bytes))
            return CS_IO;
        for (size_t i = 0; i < count; i++) {
            const char *cell = reading->buffer + i * block->item_bytes;
            bool is_whole_cell = is_valid[i] && cs_cell_is_valid(block->type, cell);
            enum cs_status status = is_whole_cell ? visit(context, done + i, cell) : CS_OK;
            if (status != CS_OK)
                return status;
        }
        done += count;
    }
    return CS_OK;
}

/* Goes to the next block of cells of this type. */
static bool next_block_of(struct reading *reading, enum cs_block_type type)
{
    const struct block *block = &reading->block;
    size_t bytes = cs_cell_bytes(type);
    while (next_block(reading)) {
        if (block->type != (uint32_t)type)
            continue;
        if (block->item_bytes >= bytes && block->item_bytes % 8 == 0 && block->item_bytes <= CS_JOURNAL_PAGE)
            return true;
        reading->reader->damaged = true;
    }
    return false;
}

struct plain {
    enum cs_status (*visit)(void *context, const void *cell);
    void *context;
};

static enum cs_status visit_plain(void *context, uint64_t number, const void *cell)
{
    const struct plain *plain = context;
    (void)number;
    return plain->visit(plain->context, cell);
}

enum cs_status cs_journal_read_cells(struct cs_journal_reader *reader, enum cs_block_type type,
                                     enum cs_status (*visit)(void *context, const void *cell), void *context)
{
    struct plain plain = {visit, context};
    struct reading reading = reading_of(reader);
    enum cs_status status = CS_OK;
    while (status == CS_OK && next_block_of(&reading, type))
        status = read_block_cells(&reading, visit_plain, &plain);
    free(reading.buffer);
    return status;
}

struct placed {
    enum cs_status (*visit)(void *context, uint32_t thread, uint32_t place, const void *cell);
    void *context;
    uint32_t thread, block;
};

static enum cs_status visit_placed(void *context, uint64_t number, const void *cell)
{
    const struct placed *placed = context;
    if (placed->block > UINT16_MAX || number >= UINT16_MAX)
        return CS_OK;
    return placed->visit(placed->context, placed->thread, placed->block << 16 | ((uint32_t)number + 1), cell);
}

enum cs_status cs_journal_read_placed_cells(struct cs_journal_reader *reader, enum cs_block_type type,
                                            enum cs_status (*visit)(void *context, uint32_t thread, uint32_t place,
                                                                    const void *cell),
                                            void *context)
{
    enum { THREADS = UINT16_MAX + 1 };
    uint32_t *blocks = calloc(THREADS, sizeof *blocks); /* of each thread so far */
    struct placed placed = {.visit = visit, .context = context};
    struct reading reading = reading_of(reader);
    enum cs_status status = blocks ? CS_OK : CS_NO_MEMORY;
    while (status == CS_OK && next_block_of(&reading, type)) {
        placed.thread = reading.block.thread;
        placed.block = reading.block.thread < THREADS ? blocks[reading.block.thread]++ : UINT32_MAX;
        status = read_block_cells(&reading, visit_placed, &placed);
    }
    free(reading.buffer);
    free(blocks);
    return status;
}

struct located {
    enum cs_status (*visit)(void *context, uint64_t offset, const void *cell);
    void *context;
    const struct block *block;
};

static enum cs_status visit_located(void *context, uint64_t number, const void *cell)
{
    const struct located *located = context;
    return located->visit(located->context, located->block->content + number * located->block->item_bytes, cell);
}

enum cs_status cs_journal_read_located_cells(struct cs_journal_reader *reader, enum cs_block_type type,
                                             enum cs_status (*visit)(void *context, uint64_t offset, const void *cell),
                                             void *context)
{
    struct reading reading = reading_of(reader);
    struct located located = {.visit = visit, .context = context, .block = &reading.block};
    enum cs_status status = CS_OK;
    while (status == CS_OK && next_block_of(&reading, type))
        status = read_block_cells(&reading, visit_located, &located);
    free(reading.buffer);
    return status;
}

bool cs_journal_read_cell(const struct cs_journal_reader *reader, uint64_t offset, void *cell, size_t bytes)
{
    return read_at(reader->fd, cell, bytes, offset) == (ssize_t)bytes;
}

const char *cs_fact_text(const struct cs_fact *fact, unsigned index)
{
    size_t bytes;
    cs_fact_texts(fact, &bytes);
    return text_behind(fact, bytes, index);
}
