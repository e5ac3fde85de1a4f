#include "db/journal/journal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/keep_errno.h"
#include "db/journal/block.h"
#include "db/journal/journal_state.h"

enum cs_status cs_journal_create(bool monotonic, struct cs_journal **journal)
{
    struct cs_journal *made = calloc(1, sizeof *made);
    if (!made)
        return CS_NO_MEMORY;
    made->header = mmap(NULL, CS_JOURNAL_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (made->header == MAP_FAILED) {
        free(made);
        return CS_NO_MEMORY;
    }
    pthread_mutex_init(&made->lock, NULL);
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
    };
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

/* The full block is unmapped, it is in the file: memory does not grow with the number of facts. */
static struct cs_block *log_next(struct cs_journal *journal, size_t bytes)
{
    CS_KEEP_ERRNO;
    struct cs_block *full = journal->log, *log;
    size_t wanted = full ? 2 * full->bytes : CS_LOG_BLOCK_FIRST;
    if (wanted > CS_LOG_BLOCK_MOST)
        wanted = CS_LOG_BLOCK_MOST;
    if (wanted < bytes + sizeof *log)
        wanted = bytes + sizeof *log;
    if (cs_journal_block_locked(journal, CS_BLOCK_LOG, 0, 0, wanted, &log) != CS_OK)
        return NULL;
    journal->log = log;
    if (full && journal->path[0])
        cs_journal_leave(full);
    return log;
}

/* Room for a fact in the log, or NULL. */
static char *log_room(struct cs_journal *journal, size_t bytes)
{
    struct cs_block *log = journal->log;
    if (__builtin_expect(!log || log->used + bytes > log->bytes - sizeof *log, 0)) {
        log = log_next(journal, bytes);
        if (!log)
            return NULL;
    }
    return (char *)(log + 1) + log->used;
}

void cs_journal_append(struct cs_journal *journal, enum cs_fact_type type, struct cs_fact *fact, size_t bytes,
                       const char *const strings[], size_t count)
{
    size_t total = bytes;
    for (size_t i = 0; i < count; i++)
        total += (strings[i] ? strlen(strings[i]) : 0) + 1;
    total = (total + 7) / 8 * 8;
    fact->type = type;
    fact->flags = 0;
    fact->bytes = (uint32_t)total;
    if (!fact->ticks)
        fact->ticks = cs_clock_ticks();

    pthread_mutex_lock(&journal->lock);
    char *at = log_room(journal, total);
    if (at) {
        memcpy(at, fact, bytes);
        char *end = at + bytes;
        for (size_t i = 0; i < count; i++)
            end = stpcpy(end, strings[i] ? strings[i] : "") + 1;
        __atomic_store_n(&journal->log->used, journal->log->used + total, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&journal->lock);
    if (at)
        cs_journal_count(journal);
    else
        cs_journal_lose(journal);
}

void cs_journal_note(struct cs_journal *journal, const char *key, const char *value)
{
    struct cs_fact_meta meta = {.fact.ticks = 0};
    cs_journal_append(journal, CS_FACT_META, &meta.fact, sizeof meta, (const char *const[]){key, value}, 2);
}

void cs_journal_tick(struct cs_journal *journal)
{
    struct cs_clock_pair now = cs_clock_pair();
    pthread_mutex_lock(&journal->lock);
    journal->header->last = now;
    pthread_mutex_unlock(&journal->lock);
}

void cs_journal_count(struct cs_journal *journal)
{
    __atomic_fetch_add(&journal->header->items, 1, __ATOMIC_RELAXED);
}

void cs_journal_lose(struct cs_journal *journal)
{
    __atomic_fetch_add(&journal->header->lost, 1, __ATOMIC_RELAXED);
}
