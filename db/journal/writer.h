/* Who writes a journal, and whether that process still runs. */
#pragma once

#include <stdbool.h>

#include "db/journal/reader.h"

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
