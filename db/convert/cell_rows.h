/* Converts cells of a journal to rows. gen/model declares the source of each column; gen/model_loaders.py generates
   loaders.c from it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "db/convert/conversion.h"
#include "db/convert/facts.h"
#include "journal/format.h"

enum { CS_GATHER_SUMS = 20 };

/* How cells of one type become rows of one table; cells with equal keys are added up. `sum` belongs to this
   gathering, 0 at first. */
struct cs_gathering {
    enum cs_block_type type;
    size_t line_bytes; /* size of a line, which becomes a row */
    enum cs_row row;
    /* Fills a zeroed line from a cell. CS_OK with *skip: the cell is impossible. */
    enum cs_status (*read)(struct cs_conversion *conversion, const void *cell, void *line, uint64_t *sum, bool *skip);
    /* Compares by the table's key. */
    int (*compare)(const void *left, const void *right);
    /* Adds a line with the same key. */
    void (*add)(void *into, const void *line);
    /* Sets the row. Returns false if the line has none. */
    bool (*make)(struct cs_conversion *conversion, const void *line, uint64_t *sum, void *row);
};

/* Fills the table. */
enum cs_status cs_cells_gather(struct cs_conversion *conversion, const struct cs_gathering *how);

/* Writes all rows that come from cells alone, after the facts and the threads. Generated. */
enum cs_status cs_cells_load(struct cs_conversion *conversion);
