#include "db/journal/read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/journal/reader_state.h"

#define FACT_BYTES_MAX ((size_t)1 << 20) /* names and argument lists are shorter; what is longer is damage */

/* A block whose header was checked. */
struct block {
    uint32_t type, item_bytes;
    uint64_t content; /* where it begins in the file */
    uint64_t used;    /* bytes of it that count and are there */
};

/* How much of the block its writer vouches for. The count is read before what it covers, so that all it covers is
 * there. */
static uint64_t used_bytes(struct cs_journal_reader *reader, const struct cs_block *header, uint64_t room)
{
    uint64_t unit = header->type == CS_BLOCK_LOG ? 1 : header->item_bytes;
    if (unit == 0 || header->used > room / unit) {
        reader->damaged = true;
        return unit == 0 ? 0 : room / unit * unit;
    }
    return header->used * unit;
}

/* Advances to the next block; *at is where to look. False: no more. */
static bool next_block(struct cs_journal_reader *reader, uint64_t *at, struct block *block)
{
    struct cs_block header;
    if (*at >= reader->end)
        return false;
    ssize_t got = cs_journal_read_at(reader->fd, &header, sizeof header, *at);
    if (got != (ssize_t)sizeof header || header.magic != CS_BLOCK_MAGIC || header.bytes < CS_JOURNAL_PAGE ||
        header.bytes % CS_JOURNAL_PAGE != 0 || header.bytes > UINT64_MAX - *at) {
        reader->damaged = true; /* where the next one begins is not known */
        return false;
    }
    uint64_t there = reader->end - *at;
    if (header.bytes > there)
        reader->damaged = true;
    else
        there = header.bytes;
    block->type = header.type;
    block->item_bytes = header.item_bytes;
    block->content = *at + sizeof header;
    block->used = used_bytes(reader, &header, header.bytes - sizeof header);
    if (block->used > there - (there < sizeof header ? there : sizeof header))
        block->used = there < sizeof header ? 0 : there - sizeof header;
    *at += header.bytes;
    return true;
}

/* Makes the buffer hold at least this much. */
static enum cs_status grow_buffer(struct cs_journal_reader *reader, size_t bytes)
{
    if (bytes <= reader->buffer_bytes)
        return CS_OK;
    char *grown = realloc(reader->buffer, bytes);
    if (!grown)
        return CS_NO_MEMORY;
    reader->buffer = grown;
    reader->buffer_bytes = bytes;
    return CS_OK;
}

/* Visits the complete facts in the first `held` bytes of the buffer. *taken: how many bytes they were. *wanted: what
   the next one needs to be complete, 0 if the log makes no sense from here. */
static enum cs_status visit_facts(struct cs_journal_reader *reader, size_t held, size_t *taken, size_t *wanted,
                                  enum cs_status (*visit)(void *context, const struct cs_fact *fact), void *context)
{
    *taken = 0;
    *wanted = sizeof(struct cs_fact);
    while (held - *taken >= sizeof(struct cs_fact)) {
        /* Facts begin at multiples of 8 in a buffer from malloc: aligned. */
        const struct cs_fact *fact = (const void *)(reader->buffer + *taken);
        *wanted = fact->bytes;
        if (fact->bytes < sizeof *fact || fact->bytes % 8 != 0 || fact->bytes > FACT_BYTES_MAX) {
            *wanted = 0;
            return CS_OK;
        }
        if (fact->bytes > held - *taken)
            return CS_OK;
        enum cs_status status = visit(context, fact);
        if (status != CS_OK)
            return status;
        *taken += fact->bytes;
        *wanted = sizeof(struct cs_fact);
    }
    return CS_OK;
}

static enum cs_status read_log(struct cs_journal_reader *reader, const struct block *block,
                               enum cs_status (*visit)(void *context, const struct cs_fact *fact), void *context)
{
    uint64_t done = 0;
    while (done < block->used) {
        uint64_t left = block->used - done;
        size_t bytes = left < reader->buffer_bytes ? (size_t)left : reader->buffer_bytes;
        ssize_t got = cs_journal_read_at(reader->fd, reader->buffer, bytes, block->content + done);
        if (got < 0)
            return CS_IO;
        size_t taken, wanted;
        enum cs_status status = visit_facts(reader, (size_t)got, &taken, &wanted, visit, context);
        if (status != CS_OK)
            return status;
        done += taken;
        if (taken == 0 && (wanted == 0 || wanted > left || (size_t)got < bytes)) {
            reader->damaged = true; /* where the next fact of this block begins is not known */
            return CS_OK;
        }
        status = grow_buffer(reader, wanted);
        if (status != CS_OK)
            return status;
    }
    return CS_OK;
}

enum cs_status cs_journal_read_facts(struct cs_journal_reader *reader,
                                     enum cs_status (*visit)(void *context, const struct cs_fact *fact), void *context)
{
    uint64_t at = CS_JOURNAL_PAGE;
    struct block block;
    enum cs_status status = CS_OK;
    while (status == CS_OK && next_block(reader, &at, &block))
        if (block.type == CS_BLOCK_LOG)
            status = read_log(reader, &block, visit, context);
    return status;
}

/* How many of `cells` cells at an offset lie in a hole of the file: nothing was ever written there. A damaged count may
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

static enum cs_status read_block_cells(struct cs_journal_reader *reader, const struct block *block,
                                       enum cs_status (*visit)(void *context, const void *cell), void *context)
{
    size_t per_buffer = reader->buffer_bytes / block->item_bytes;
    uint64_t cells = block->used / block->item_bytes;
    for (uint64_t done = 0; done < cells;) {
        done += cells_in_hole(reader, block->content + done * block->item_bytes, block->item_bytes, cells - done);
        if (done == cells)
            break;
        size_t count = cells - done < per_buffer ? (size_t)(cells - done) : per_buffer;
        ssize_t got = cs_journal_read_at(reader->fd, reader->buffer, count * block->item_bytes,
                                         block->content + done * block->item_bytes);
        if (got < 0)
            return CS_IO;
        if ((size_t)got < count * block->item_bytes) {
            reader->damaged = true;
            cells = done + (size_t)got / block->item_bytes;
            count = (size_t)got / block->item_bytes;
        }
        for (size_t i = 0; i < count; i++) {
            enum cs_status status = visit(context, reader->buffer + i * block->item_bytes);
            if (status != CS_OK)
                return status;
        }
        done += count;
    }
    return CS_OK;
}

enum cs_status cs_journal_read_cells(struct cs_journal_reader *reader, enum cs_block_type type, size_t bytes,
                                     enum cs_status (*visit)(void *context, const void *cell), void *context)
{
    uint64_t at = CS_JOURNAL_PAGE;
    struct block block;
    enum cs_status status = CS_OK;
    while (status == CS_OK && next_block(reader, &at, &block)) {
        if (block.type != (uint32_t)type)
            continue;
        if (block.item_bytes < bytes || block.item_bytes % 8 != 0 || block.item_bytes > CS_JOURNAL_PAGE)
            reader->damaged = true;
        else
            status = read_block_cells(reader, &block, visit, context);
    }
    return status;
}

const char *cs_fact_string(const struct cs_fact *fact, size_t bytes, unsigned index)
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
