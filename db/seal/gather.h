/* Cells of one type become rows of one table: equal ones are added up. */
#pragma once

#include "db/seal/sealing.h"

struct cs_gathering {
    enum cs_block_type type;
    uint32_t cell_bytes;
    size_t line_bytes; /* of what becomes a row */
    enum cs_row row;
    /* Fills a line, which is zero, from a cell. CS_OK with *skip: the cell is not valid, or cannot be true. */
    enum cs_status (*read)(struct cs_sealing *sealing, const void *cell, void *line, bool *skip);
    /* By the table's key. */
    int (*compare)(const void *left, const void *right);
    /* Adds a line with the same key. */
    void (*add)(void *sum, const void *line);
    /* The values of the row; false: it has none. */
    bool (*tell)(struct cs_sealing *sealing, const void *line, struct cs_value *values);
};

enum cs_status cs_gather(struct cs_sealing *sealing, const struct cs_gathering *how);

/* For `add`: the time from the first call to the last of both lines. */
void cs_gather_times(uint64_t *first_ticks, uint64_t *last_ticks, uint64_t more_first_ticks, uint64_t more_last_ticks);
