/* Journals for tests, byte by byte as journal/format.h says, honest or not. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "journal/detail.h"
#include "journal_facts.h"

struct cs_built {
    char *image; /* the file so far; starts with the header */
    size_t bytes;
};

/* A journal of rank 0 of 2, clock in nanoseconds: begun at tick 1000, MPI_Init returned at tick 2000, last heard of at
   tick 9000, still running, written by a process that does not exist. Aborts without memory. */
struct cs_built cs_built_begin(void);

struct cs_journal_header *cs_built_header(struct cs_built *built);

/* Appends a block with room for `bytes` of content and returns its offset: pointers into the image do not survive
 * appending. */
size_t cs_built_block(struct cs_built *built, enum cs_block_type type, uint32_t thread, uint32_t item_bytes,
                      size_t bytes);

/* A block with room for so many cells of its type. */
size_t cs_built_cells(struct cs_built *built, enum cs_block_type type, uint32_t thread, size_t count);

struct cs_block *cs_built_at(struct cs_built *built, size_t block);

/* Puts a fact into the log block: `bytes` of structure, then strings up to NULL. strings NULL: all its texts are empty.
 */
void cs_built_fact(struct cs_built *built, size_t block, enum cs_fact_type type, uint64_t ticks, void *fact,
                   size_t bytes, const char *const strings[]);

/* Puts a cell of the block's item size into the block. */
void cs_built_cell(struct cs_built *built, size_t block, const void *cell);

/* Writes the first `bytes` of it to a file. */
void cs_built_save(const struct cs_built *built, const char *path, size_t bytes);

void cs_built_end(struct cs_built *built);

/* Details, item by item as journal/detail.h says, honest or not. */
struct cs_built_detail {
    uint64_t words[512];
    size_t bytes; /* in use */
};

void cs_built_integer(struct cs_built_detail *built, unsigned key, int64_t value);

/* INTEGERS or OBJECTS: `were` is what the item says, `here` how many it really has. */
void cs_built_integers(struct cs_built_detail *built, unsigned key, unsigned form, int64_t were, const int64_t *values,
                       size_t here);

/* Any bytes as the values of an item; padded with zeros. */
void cs_built_text(struct cs_built_detail *built, unsigned key, unsigned form, const char *values, size_t bytes);

#define CS_STRINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* A journal with at least one of everything: two threads that share profile, attribute, traffic and tag cells, a
   renamed and freed communicator, a committed datatype, a window, a file and a datatype that tell how they were made,
   keys, placements, MPI_Pcontrol, a module. */
struct cs_built cs_built_sample(void);
