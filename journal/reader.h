/* Reads a journal: finished, cut off, deliberately damaged, or still growing. All content is checked before use. The
 * file is read by calls and not mapped, because another process may truncate it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/status.h"
#include "journal/format.h"

struct cs_journal_reader;

/* Opens a regular file read-only (symbolic links only from journal/run_files.h) and checks its header. CS_NOT_OURS:
   no journal; CS_INVALID: other byte order or layout; CS_CORRUPT: invalid header; CS_IO, CS_NO_MEMORY. Each
   failure has been logged in one line. */
enum cs_status cs_journal_read_open(const char *path, struct cs_journal_reader **reader);

void cs_journal_read_close(struct cs_journal_reader *reader);

/* The header when it was last read. */
const struct cs_journal_header *cs_journal_read_header(const struct cs_journal_reader *reader);

/* Owner and mode of the file at that time. */
const struct stat *cs_journal_read_file(const struct cs_journal_reader *reader);

/* Reads the header again: its writer may have changed it. */
void cs_journal_read_again(struct cs_journal_reader *reader);

/* The open file; it stays the reader's. */
int cs_journal_read_descriptor(const struct cs_journal_reader *reader);

/* True if content was cut off or invalid so far: call it after reading. */
bool cs_journal_read_damaged(const struct cs_journal_reader *reader);

/* Calls visit for every complete fact in order. Each has the structure and texts of its type, unless the type is
 * unknown; values are not checked. A result other than CS_OK ends the reading and is returned. CS_IO, CS_NO_MEMORY. */
enum cs_status cs_journal_read_facts(struct cs_journal_reader *reader,
                                     enum cs_status (*visit)(void *context, const struct cs_fact *fact), void *context);

/* Calls visit for the valid cells of all blocks of this type. The cell is a copy. */
enum cs_status cs_journal_read_cells(struct cs_journal_reader *reader, enum cs_block_type type,
                                     enum cs_status (*visit)(void *context, const void *cell), void *context);

/* cs_journal_read_cells with the thread that wrote the cell, and its place among the thread's cells of this type: the
   number of the block (upper half), and the number in the block, from 1. */
enum cs_status cs_journal_read_placed_cells(struct cs_journal_reader *reader, enum cs_block_type type,
                                            enum cs_status (*visit)(void *context, uint32_t thread, uint32_t place,
                                                                    const void *cell),
                                            void *context);

/* cs_journal_read_cells with the offset of the cell in the file. */
enum cs_status cs_journal_read_located_cells(struct cs_journal_reader *reader, enum cs_block_type type,
                                             enum cs_status (*visit)(void *context, uint64_t offset, const void *cell),
                                             void *context);

/* Reads a cell again. Returns false if the file does not contain it any more. */
bool cs_journal_read_cell(const struct cs_journal_reader *reader, uint64_t offset, void *cell, size_t bytes);

/* Text number `index` (from 0) after a fact; NULL: the fact ends before the text does, which never happens for facts
   from cs_journal_read_facts. The generated journal_facts.h has a function for each text by name. */
const char *cs_fact_text(const struct cs_fact *fact, unsigned index);
