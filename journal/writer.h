/* Writes the journal inside the recorded program. It begins in private memory, because calls are allowed before the
   run's folder is known. Later it moves into a file in place: no address changes. From then on a dying process loses
   nothing. No file descriptor stays open: programs close descriptors that are not theirs, and could then get ours
   back for a file of their own. Several threads may call all functions at the same time unless stated otherwise. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "journal/format.h"

struct cs_journal;

/* Makes a journal in memory and chooses the process's clock (base/clock.h). monotonic: do not use the processor's
 * counter. */
enum cs_status cs_journal_create(bool monotonic, struct cs_journal **journal);

/* Its path in the run's folder; "" while it is in memory. */
const char *cs_journal_path(const struct cs_journal *journal);

/* The header, to be changed in place. */
struct cs_journal_header *cs_journal_header(struct cs_journal *journal);

/* Appends a fact of so many bytes that is followed by `count` strings (NULL counts as ""). Sets type, bytes and, if it
   is 0, ticks. A fact without room is counted in header.lost; so is one with more than 4 strings. */
void cs_journal_append_texts(struct cs_journal *journal, enum cs_fact_type type, struct cs_fact *fact, size_t bytes,
                             const char *const strings[], size_t count);
static inline void cs_journal_append(struct cs_journal *journal, enum cs_fact_type type, struct cs_fact *fact,
                                     size_t bytes)
{
    cs_journal_append_texts(journal, type, fact, bytes, NULL, 0);
}

/* Room for one or more facts that the caller writes in place: each begins with cs_fact_begin and takes cs_fact_room.
   Nobody else appends until cs_journal_commit, which makes them visible. NULL: no room; the caller counts the loss. */
struct cs_fact *cs_journal_reserve(struct cs_journal *journal, size_t bytes);
void cs_journal_commit(struct cs_journal *journal, size_t bytes, unsigned facts);

/* The size of a fact with its texts in the journal. */
static inline size_t cs_fact_room(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

static inline void cs_fact_begin(struct cs_fact *fact, enum cs_fact_type type, size_t bytes, uint64_t ticks)
{
    fact->type = type;
    fact->flags = 0;
    fact->bytes = (uint32_t)bytes;
    fact->ticks = ticks;
}

/* Appends a key and value about the recording, see struct cs_fact_meta. */
void cs_journal_note(struct cs_journal *journal, const char *key, const char *value);

/* Reads both clocks into the header: the first and the last pair convert ticks to time. */
void cs_journal_read_clocks(struct cs_journal *journal);

/* Counts a cell that is in use; facts are counted when they are appended. */
void cs_journal_count(struct cs_journal *journal);

/* Counts something that could not be recorded. */
void cs_journal_count_loss(struct cs_journal *journal);

/* ---- blocks: in private memory first, then in the file ---- */

/* Adds a block of about `bytes` bytes (rounded up to pages) with zeroed cells. CS_NO_SPACE, CS_NO_MEMORY, CS_IO: no
   block; logged once, and the caller counts the loss in header.lost. Space is tried again after a pause of at most a
   second. */
enum cs_status cs_journal_add_block(struct cs_journal *journal, enum cs_block_type type, uint32_t thread,
                                    uint32_t item_bytes, size_t bytes, struct cs_block **block);

/* cs_journal_add_block with the offset of the block in the file. */
enum cs_status cs_journal_add_block_at(struct cs_journal *journal, enum cs_block_type type, uint32_t thread,
                                       uint32_t item_bytes, size_t bytes, struct cs_block **block, uint64_t *offset);

/* Maps a block again that was unmapped. NULL: the file is gone, or there is no memory. */
struct cs_block *cs_journal_map_again(struct cs_journal *journal, uint64_t offset, size_t bytes);

/* Adds no more blocks, because the file is complete and will be read or removed. Calls that other threads still make
   get CS_IO, and nothing is logged. Existing blocks stay writable. */
void cs_journal_close(struct cs_journal *journal);

/* Tells readers that the closed journal is complete: other processes may convert and remove it from now on. */
void cs_journal_release(struct cs_journal *journal);

/* True if the journal is in a file. */
bool cs_journal_is_in_file(struct cs_journal *journal);

/* Unmaps a full block, which stays in the file and takes no more memory. Only for a journal in a file. */
void cs_journal_unmap(struct cs_block *block);

/* ---- files ---- */

/* Moves the journal into the new file `path` (absolute), with the permissions of the umask. If `elsewhere` is not
   NULL, moves it into that new file (absolute), and path becomes a symbolic link to it. CS_IO: errno has the cause,
   such as EEXIST; the journal then stays in memory. No other thread may write cells meanwhile: their stores may be
   lost. */
enum cs_status cs_journal_save(struct cs_journal *journal, const char *path, const char *elsewhere);

/* A journal in the folder of its node is to be moved to `path` in the run's folder by cs_journal_move_to_run. Returns
   false if the path is too long. */
bool cs_journal_leave_folder(struct cs_journal *journal, const char *path);

/* Replaces the link by the complete journal if it lies elsewhere, because the command may run on another node. Does
   nothing for a journal that was converted or is already there. CS_IO, CS_NO_SPACE: it stays; errno has the cause. */
enum cs_status cs_journal_move_to_run(struct cs_journal *journal);

/* Removes the file, and the link to one that lies elsewhere; a journal that was never saved stays. A saved journal
   is closed then. */
void cs_journal_remove(struct cs_journal *journal);

/* Renames the file, or the link to it; never replaces another. CS_IO with errno EEXIST if there is one. */
enum cs_status cs_journal_rename(struct cs_journal *journal, const char *path);
