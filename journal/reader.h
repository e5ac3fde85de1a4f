/* A journal that is read: finished, cut off, damaged on purpose, or still growing. Nothing in the file is believed
   before it was checked, and the file is read by read calls and not mapped, because somebody may cut it off under us.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/status.h"
#include "journal/format.h"

struct cs_journal_reader;

/* Opens a regular file (no symbolic link but those of journal/run_files.h) read-only and checks its header.
   CS_NOT_OURS: no journal; CS_TOO_NEW; CS_INVALID: written with the other byte order; CS_CORRUPT: the header makes no
   sense; CS_IO, CS_NO_MEMORY. Every failure has been logged in one line. */
enum cs_status cs_journal_read_open(const char *path, struct cs_journal_reader **reader);

void cs_journal_read_close(struct cs_journal_reader *reader);

/* The header as it was when it was read last. */
const struct cs_journal_header *cs_journal_read_header(const struct cs_journal_reader *reader);

/* The file as it was then: owner, mode. */
const struct stat *cs_journal_read_file(const struct cs_journal_reader *reader);

/* True when something was found cut off or senseless, up to now: ask after reading. */
bool cs_journal_read_damaged(const struct cs_journal_reader *reader);

/* ---- what a journal has: facts and cells ---- */

/* Calls visit for every complete fact in order. Each has the structure and the texts of its type, unless the type is
   not known; values are not checked. A result other than CS_OK ends the reading and is returned. CS_IO, CS_NO_MEMORY.
 */
enum cs_status cs_journal_read_facts(struct cs_journal_reader *reader,
                                     enum cs_status (*visit)(void *context, const struct cs_fact *fact), void *context);

/* The same for the valid cells of all blocks of this type. The cell is a copy. */
enum cs_status cs_journal_read_cells(struct cs_journal_reader *reader, enum cs_block_type type,
                                     enum cs_status (*visit)(void *context, const void *cell), void *context);

/* The text number `index` (from 0) behind a fact; NULL: the fact ends before the text does. That never happens to facts
   which cs_journal_read_facts shows. journal_facts.h, which is generated, has a function for each text by its name. */
const char *cs_fact_text(const struct cs_fact *fact, unsigned index);

/* ---- who writes it, and whether that process still runs ---- */

/* The process that writes a journal. */
enum cs_writer {
    CS_WRITER_GONE,    /* it ended, or said how it ends: it writes no more */
    CS_WRITER_HERE,    /* it runs on this machine; also this very process */
    CS_WRITER_UNKNOWN, /* it ran on another machine, or in a container, or is hidden: nobody here can tell */
};

/* Whether the writer still runs. A journal may be removed only when it is gone. */
enum cs_writer cs_journal_read_writer(struct cs_journal_reader *reader);

/* Whether this very process is the writer. */
bool cs_journal_read_is_own(struct cs_journal_reader *reader);

/* The same, yes or no: an unknown writer is taken for dead when the file has not been seen to change for ten minutes;
   mapped writes show with some delay (half a minute on Linux). A rank that waits changes nothing either. */
bool cs_journal_read_alive(struct cs_journal_reader *reader);

/* For how long, in seconds, the file of an unknown writer has not changed, if it is taken for dead for that; -1: it is
   not. */
int64_t cs_journal_read_still_seconds(struct cs_journal_reader *reader);
