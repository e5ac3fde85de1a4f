/* Cells of a journal become rows: gen/model says where each column comes from, and gen/model_loaders.py generates
   loaders.c of that. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "db/seal/facts.h"
#include "db/seal/sealing.h"
#include "journal/format.h"

enum { CS_GATHER_SUMS = 4 };

/* Cells of one type become rows of one table: those of one key are added up. `sum`: of this gathering, 0 at first. */
struct cs_gathering {
    enum cs_block_type type;
    size_t line_bytes; /* of what becomes a row */
    enum cs_row row;
    /* Fills a line, which is zero, from a cell. CS_OK with *skip: the cell cannot be true. */
    enum cs_status (*read)(struct cs_sealing *sealing, const void *cell, void *line, uint64_t *sum, bool *skip);
    /* By the table's key. */
    int (*compare)(const void *left, const void *right);
    /* Adds a line with the same key. */
    void (*add)(void *into, const void *line);
    /* Sets the row; false: the line has none. */
    bool (*make)(struct cs_sealing *sealing, const void *line, uint64_t *sum, void *row);
};

/* Fills the table. */
enum cs_status cs_gather(struct cs_sealing *sealing, const struct cs_gathering *how);

/* Writes all rows that come from cells alone. After the facts and the threads. Generated. */
enum cs_status cs_cells_load(struct cs_sealing *sealing);
