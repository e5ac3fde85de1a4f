#include "db/convert/event_pages.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "journal/liveness.h"

/* A page that was whole when the table was made. */
struct cs_event_page {
    uint64_t first, last; /* numbers of its entries */
    uint64_t offset;      /* in the file */
    uint64_t turn;        /* its number among the pages of its kind: another one later means that it was replaced */
    uint32_t thread;
    uint32_t filled; /* words or bytes that were complete */
    bool packed;
};

/* A page of either kind. */
union content {
    struct cs_ring_cell ring;
    struct cs_packed_cell packed;
};

/* A position in a page of either kind. */
struct position {
    bool packed;
    struct cs_ring_position in_ring;
    struct cs_packed_position in_packed;
};

static struct position begin_page(const union content *content, bool packed)
{
    struct position position = {.packed = packed};
    if (packed)
        position.in_packed = cs_packed_read(&content->packed);
    else
        position.in_ring = cs_ring_read(&content->ring);
    return position;
}

static bool read_entry(struct position *position, struct cs_ring_entry *entry, bool *damaged)
{
    return position->packed ? cs_packed_read_entry(&position->in_packed, entry, damaged)
                            : cs_ring_read_entry(&position->in_ring, entry, damaged);
}

/* ---- the table of pages ---- */

/* A number of an entry has 48 bits: see cs_ring_next. */
static bool is_possible(uint64_t first, uint64_t entries)
{
    return first && first < (uint64_t)1 << 48 && entries <= UINT32_MAX;
}

static enum cs_status add_page(struct cs_event_pages *pages, const struct cs_event_page *page, uint64_t entries)
{
    if (!entries)
        return CS_OK;
    if (!is_possible(page->first, entries)) {
        pages->damaged = true;
        return CS_OK;
    }
    if (!cs_array_grow(&pages->page, pages->pages, &pages->pages_room, sizeof *pages->page))
        return CS_NO_MEMORY;
    struct cs_event_page *added = &pages->page[pages->pages++];
    *added = *page;
    added->last = page->first + entries - 1;
    return CS_OK;
}

static size_t bytes_of(const struct cs_event_page *page)
{
    return page->packed ? sizeof(struct cs_packed_cell) : sizeof(struct cs_ring_cell);
}

/* Reads the content of a page again whose thread may write meanwhile, and then its check: true if the page still has
 * the same turn. Number and count were read before. tests/models/ring.pml shows why this order matters. */
static bool read_again(const struct cs_journal_reader *reader, const struct cs_event_page *page, union content *content)
{
    uint64_t check, at = page->packed ? offsetof(struct cs_packed_cell, check) : offsetof(struct cs_ring_cell, check);
    return cs_journal_read_cell(reader, page->offset, content, bytes_of(page)) &&
           cs_journal_read_cell(reader, page->offset + at, &check, sizeof check) && check == page->turn;
}

/* Reads the count of a page whose number is known, and then all of it. */
static bool read_whole(const struct cs_journal_reader *reader, struct cs_event_page *page, union content *content)
{
    if (!cs_journal_read_cell(reader, page->offset, content, bytes_of(page)))
        return false;
    uint64_t filled = page->packed ? content->packed.filled : content->ring.used;
    if (!read_again(reader, page, content))
        return false;
    if (page->packed)
        content->packed.filled = filled;
    else
        content->ring.used = (uint32_t)filled;
    page->filled = (uint32_t)filled;
    page->first = page->packed ? content->packed.first : content->ring.first;
    page->thread = page->packed ? content->packed.thread : content->ring.thread;
    return true;
}

static enum cs_status visit_ring(void *context, uint64_t offset, const void *cell)
{
    struct cs_event_pages *pages = context;
    const struct cs_ring_cell *ring = cell;
    struct cs_event_page page = {.offset = offset, .turn = ring->number};
    union content content;
    if (!cs_ring_page_is_whole(ring) || !read_whole(pages->reader, &page, &content))
        return CS_OK;
    struct cs_ring_position position = cs_ring_read(&content.ring);
    struct cs_ring_entry entry;
    uint64_t entries = 0;
    while (cs_ring_read_entry(&position, &entry, &pages->damaged))
        entries++;
    return add_page(pages, &page, entries);
}

static enum cs_status visit_packed(void *context, uint64_t offset, const void *cell)
{
    struct cs_event_pages *pages = context;
    const struct cs_packed_cell *packed = cell;
    struct cs_event_page page = {.offset = offset, .turn = packed->number, .packed = true};
    union content content;
    if (!cs_packed_page_is_whole(packed) || !read_whole(pages->reader, &page, &content))
        return CS_OK;
    return add_page(pages, &page, content.packed.filled >> 32);
}

static int by_first(const void *left, const void *right)
{
    const struct cs_event_page *a = left, *b = right;
    int order = cs_compare(a->thread, b->thread);
    order = order ? order : cs_compare((int64_t)a->first, (int64_t)b->first);
    return order ? order : cs_compare(b->packed, a->packed);
}

/* Only pages after the last gap of a thread are used: the numbers of messages count from the end. */
static enum cs_status find_threads(struct cs_event_pages *pages, size_t *gaps)
{
    *gaps = 0;
    pages->threads = 0;
    for (size_t i = 0; i < pages->pages; i++) {
        const struct cs_event_page *page = &pages->page[i];
        struct cs_event_thread *thread = pages->threads ? &pages->thread[pages->threads - 1] : NULL;
        if (!thread || thread->thread != page->thread) {
            if (!cs_array_grow(&pages->thread, pages->threads, &pages->threads_room, sizeof *pages->thread))
                return CS_NO_MEMORY;
            thread = &pages->thread[pages->threads++];
            *thread = (struct cs_event_thread){.thread = page->thread, .page = i, .first = page->first};
        } else if (page->first > thread->last + 1) {
            ++*gaps;
            *thread = (struct cs_event_thread){.thread = page->thread, .page = i, .first = page->first};
        } else if (!page->packed && !page[-1].packed && page->first <= page[-1].last) {
            pages->damaged = true; /* the ring has a number twice */
        }
        if (page->last > thread->last)
            thread->last = page->last;
        thread->pages = i + 1 - thread->page;
    }
    return CS_OK;
}

/* The pages of a thread that runs may be replaced while they are read: then a later attempt may find them without a
   gap. */
enum cs_status cs_event_pages_find(struct cs_event_pages *pages, struct cs_journal_reader *reader, bool rings)
{
    enum { ATTEMPTS = 4 };
    size_t gaps = 1;
    enum cs_status status = CS_OK;
    pages->reader = reader;
    for (int attempt = 0; status == CS_OK && gaps && attempt < ATTEMPTS; attempt++) {
        pages->pages = 0;
        if (!rings)
            status = cs_journal_read_located_cells(reader, CS_BLOCK_PACKED, visit_packed, pages);
        if (status == CS_OK)
            status = cs_journal_read_located_cells(reader, CS_BLOCK_RING, visit_ring, pages);
        if (status == CS_OK && pages->pages)
            qsort(pages->page, pages->pages, sizeof *pages->page, by_first);
        if (status == CS_OK)
            status = find_threads(pages, &gaps);
        if (cs_journal_read_is_closed(reader))
            break;
    }
    return status;
}

void cs_event_pages_free(struct cs_event_pages *pages)
{
    free(pages->page);
    free(pages->thread);
}

static int before_thread(const void *item, const void *key)
{
    return cs_compare(((const struct cs_event_thread *)item)->thread, *(const uint32_t *)key);
}

const struct cs_event_thread *cs_event_pages_thread(const struct cs_event_pages *pages, uint32_t thread)
{
    size_t at = cs_array_lower_bound(pages->thread, pages->threads, sizeof *pages->thread, &thread, before_thread);
    return at < pages->threads && pages->thread[at].thread == thread ? &pages->thread[at] : NULL;
}

bool cs_event_pages_have(const struct cs_event_pages *pages, uint32_t thread, uint64_t number)
{
    const struct cs_event_thread *found = cs_event_pages_thread(pages, thread);
    return found && number >= found->first && number <= found->last;
}

/* ---- reading ---- */

struct cs_event_walk {
    struct cs_event_pages *pages;
    size_t thread;  /* the current one */
    size_t page;    /* of this thread: the next one */
    uint64_t least; /* entries of this thread with smaller numbers were read */
    struct position position;
    union content content; /* of the current page */
};

struct cs_event_walk *cs_event_walk_begin(struct cs_event_pages *pages)
{
    struct cs_event_walk *walk = calloc(1, sizeof *walk);
    if (!walk)
        return NULL;
    walk->pages = pages;
    walk->position = begin_page(&walk->content, false);
    return walk;
}

/* A page that was replaced since has no entries. What it got later is not read, so that all walks find the same. */
static void read_page(struct cs_event_walk *walk, const struct cs_event_page *page)
{
    union content *content = &walk->content;
    bool there = read_again(walk->pages->reader, page, content);
    if (there && page->packed)
        there = content->packed.number == page->turn && content->packed.first == page->first &&
                content->packed.thread == page->thread;
    else if (there)
        there = content->ring.number == page->turn;
    if (!there)
        memset(content, 0, sizeof *content);
    else if (page->packed)
        content->packed.filled = page->filled;
    else
        content->ring.used = page->filled;
    walk->position = begin_page(content, page->packed);
}

/* Goes to the next page of this thread, or of the next one. */
static bool next_page(struct cs_event_walk *walk)
{
    struct cs_event_pages *pages = walk->pages;
    while (walk->thread < pages->threads) {
        const struct cs_event_thread *thread = &pages->thread[walk->thread];
        while (walk->page < thread->pages) {
            const struct cs_event_page *page = &pages->page[thread->page + walk->page++];
            if (page->last < walk->least)
                continue;
            read_page(walk, page);
            return true;
        }
        walk->thread++;
        walk->page = 0;
        walk->least = 0;
    }
    return false;
}

bool cs_event_walk_next(struct cs_event_walk *walk, uint32_t *thread, struct cs_ring_entry *entry)
{
    do {
        while (!read_entry(&walk->position, entry, &walk->pages->damaged))
            if (!next_page(walk))
                return false;
    } while (entry->number < walk->least);
    walk->least = entry->number + 1;
    *thread = walk->pages->thread[walk->thread].thread;
    return true;
}

void cs_event_walk_end(struct cs_event_walk *walk)
{
    free(walk);
}
