/* A journal that is read: finished, cut off, damaged on purpose, or still growing. Nothing in the file is believed
   before it was checked, and the file is read by read calls and not mapped, because somebody may cut it off under us.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/status.h"
#include "db/journal/format.h"

struct cs_journal_reader;

/* Opens a regular file (no symbolic link but those of db/journal/node_local.h) read-only and checks its header.
   CS_NOT_OURS: no journal; CS_TOO_NEW; CS_INVALID: written with the other byte order; CS_CORRUPT: the header makes no
   sense; CS_IO, CS_NO_MEMORY. Every failure has been logged in one line. */
enum cs_status cs_journal_read_open(const char *path, struct cs_journal_reader **reader);

void cs_journal_read_close(struct cs_journal_reader *reader);

/* The header as it was when it was read last. */
const struct cs_journal_header *cs_journal_read_header(const struct cs_journal_reader *reader);

/* Reads the header again: its writer may have changed it since the journal was opened. */
void cs_journal_read_again(struct cs_journal_reader *reader);

/* The file as it was then: owner, mode. */
const struct stat *cs_journal_read_file(const struct cs_journal_reader *reader);

/* True when something was found cut off or senseless, up to now: ask after reading. */
bool cs_journal_read_damaged(const struct cs_journal_reader *reader);

/* Reads up to `bytes` of a file at offset; fewer only at its end. -1: errno tells. */
ssize_t cs_journal_read_at(int fd, void *to, size_t bytes, uint64_t offset);
