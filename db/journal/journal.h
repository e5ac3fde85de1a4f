/* The journal's writer, inside the program under record. It begins in private memory, because calls are allowed before
   the run's folder is known, and is moved to a file in place: no address changes. After that a dying process loses
   nothing.

   No file descriptor is kept open: programs close descriptors that are not theirs, and would then get ours back as a
   file of their own. All functions may be called from several threads at once unless said otherwise. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "db/journal/format.h"

struct cs_journal;

/* A journal in memory. monotonic: do not use the processor's counter as clock. Chooses the process's clock
 * (base/clock.h). */
enum cs_status cs_journal_create(bool monotonic, struct cs_journal **journal);

/* Its name in the run's folder; "" while it is in memory. */
const char *cs_journal_path(const struct cs_journal *journal);

/* The header, to be changed in place. */
struct cs_journal_header *cs_journal_header(struct cs_journal *journal);

/* Appends a fact: `bytes` is the size of its structure, then `count` strings (NULL counts as ""). Sets type, bytes and,
   if it is 0, ticks. A fact that finds no room is counted in header.lost. */
void cs_journal_append(struct cs_journal *journal, enum cs_fact_type type, struct cs_fact *fact, size_t bytes,
                       const char *const strings[], size_t count);

/* Key and value about the recording, see struct cs_fact_meta. */
void cs_journal_note(struct cs_journal *journal, const char *key, const char *value);

/* Takes a fresh pair of clock readings into the header: ticks are turned into time by the first and the last pair. */
void cs_journal_tick(struct cs_journal *journal);

/* Counts a cell that was handed out; facts are counted when they are appended. */
void cs_journal_count(struct cs_journal *journal);

/* Counts something that could not be recorded. */
void cs_journal_lose(struct cs_journal *journal);
