/* The journal's writer, inside the program under record. It begins in private memory, because calls are allowed before
   the run's folder is known, and is moved to a file in place: no address changes. After that a dying process loses
   nothing.

   No file descriptor is kept open: programs close descriptors that are not theirs, and would then get ours back as a
   file of their own. All functions may be called from several threads at once unless said otherwise. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "journal/format.h"

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
void cs_journal_count_loss(struct cs_journal *journal);

/* ---- blocks: in private memory first, then in the file ---- */

/* A new block of about `bytes` bytes (rounded up to pages), its cells zero. CS_NO_SPACE, CS_NO_MEMORY, CS_IO: no block;
   logged once, and counted in header.lost by the caller. Room is looked for again after a pause, at most a second. */
enum cs_status cs_journal_add_block(struct cs_journal *journal, enum cs_block_type type, uint32_t thread,
                                    uint32_t item_bytes, size_t bytes, struct cs_block **block);

/* No more blocks, for the file is complete and will be read or be gone: calls that other threads are still making get
   CS_IO, and nothing is logged. What is in blocks already can be written to. */
void cs_journal_close(struct cs_journal *journal);

/* Whether the journal lies in a file by now. */
bool cs_journal_in_file(struct cs_journal *journal);

/* Unmaps a full block, which stays in the file and takes no more memory. Only when the journal is in a file. */
void cs_journal_unmap(struct cs_block *block);

/* ---- files ---- */

/* Moves the journal into the new file `path` (absolute), with the permissions that the umask leaves; or, unless it is
   NULL, into the new file `elsewhere` (absolute), and path becomes a symbolic link to it. CS_IO: errno tells, EEXIST
   among others; the journal then goes on in memory. Call while no other thread writes cells: what such a thread stores
   during the move may be lost. */
enum cs_status cs_journal_save(struct cs_journal *journal, const char *path, const char *elsewhere);

/* A journal that lies elsewhere replaces the link to it: it is complete, and whoever seals it later may be on
   another node. Nothing happens to one that was sealed or lies there. CS_IO, CS_NO_SPACE: it stays; errno tells. */
enum cs_status cs_journal_move_to_run(struct cs_journal *journal);

/* Removes the file, and the link to one that lies elsewhere; nothing of a journal that was not saved. A journal that
   was saved is closed then. */
void cs_journal_remove(struct cs_journal *journal);

/* Renames the file, or the link to it; never replaces another. CS_IO with errno EEXIST if there is one. */
enum cs_status cs_journal_rename(struct cs_journal *journal, const char *path);
