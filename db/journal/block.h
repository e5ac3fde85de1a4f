/* The blocks of a journal that is being written: in private memory first, then in its file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "db/journal/format.h"

/* The first log block is small, each further one twice as large up to the most: a page in a large block costs a third
   less, and a process that makes few objects should not pay for room. */
#define CS_LOG_BLOCK_FIRST ((size_t)64 << 10)
#define CS_LOG_BLOCK_MOST  ((size_t)512 << 10)

struct cs_journal;

/* A new block of about `bytes` bytes (rounded up to pages), its cells zero. CS_NO_SPACE, CS_NO_MEMORY, CS_IO: no block;
   logged once, and counted in header.lost by the caller. Room is looked for again after a pause, at most a second. */
enum cs_status cs_journal_block(struct cs_journal *journal, enum cs_block_type type, uint32_t thread,
                                uint32_t item_bytes, size_t bytes, struct cs_block **block);

/* The same for a caller that holds the journal's lock. */
enum cs_status cs_journal_block_locked(struct cs_journal *journal, enum cs_block_type type, uint32_t thread,
                                       uint32_t item_bytes, size_t bytes, struct cs_block **block);

/* No more blocks, for the file is complete and will be read or be gone: calls that other threads are still making get
   CS_IO, and nothing is logged. What is in blocks already can be written to. */
void cs_journal_close(struct cs_journal *journal);

/* Whether the journal lies in a file by now. */
bool cs_journal_in_file(struct cs_journal *journal);

/* Unmaps a full block, which stays in the file and takes no more memory. Only when the journal is in a file. */
void cs_journal_leave(struct cs_block *block);

/* Fills so many bytes of a file with zeros. An errno; 0: done. */
int cs_journal_reserve(int fd, uint64_t offset, uint64_t bytes);

/* Whether a file may become so long. */
bool cs_journal_may_reach(uint64_t bytes);

/* What an errno of a failed write means. */
enum cs_status cs_journal_status(int error);
