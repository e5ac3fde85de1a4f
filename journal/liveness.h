/* Who writes a journal, and whether that process still runs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "journal/reader.h"

/* The process that writes a journal. */
enum cs_writer {
    CS_WRITER_GONE,    /* it ended, or recorded its end: it writes no more */
    CS_WRITER_HERE,    /* it runs on this machine, or is this process */
    CS_WRITER_UNKNOWN, /* it ran on another machine, or in a container, or is hidden: unknown here */
};

/* Finds out whether the writer still runs. A journal may be removed only when it is gone. */
enum cs_writer cs_journal_read_writer(struct cs_journal_reader *reader);

/* True if the journal is complete: its writer closed it, or is gone. */
bool cs_journal_read_is_closed(struct cs_journal_reader *reader);

/* True if this process is the writer. */
bool cs_journal_read_is_own(struct cs_journal_reader *reader);

/* True if the writer lives. An unknown writer counts as dead when the file has not changed for ten minutes; mapped
   writes appear with a delay (half a minute on Linux). A waiting rank changes nothing either. */
bool cs_journal_read_alive(struct cs_journal_reader *reader);

/* For an unknown writer that counts as dead: seconds since the file changed; otherwise -1. */
int64_t cs_journal_read_still_seconds(struct cs_journal_reader *reader);
