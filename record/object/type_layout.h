/* Layouts: the bytes that data of a datatype uses, as few runs at regular distances. A vector, a column or a part of an
   array of any length is one run. Two layouts are intersected in a bounded number of steps. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CS_LAYOUT_LEVELS_MOST = 5, CS_LAYOUT_RUNS_MOST = 64, CS_LAYOUT_STEPS_MOST = 1024 };

/* Bytes that repeat: at each level `times` copies of the levels below, `step` bytes apart. Steps are positive, and grow
   from level to level. */
struct cs_run {
    int64_t begin, bytes;
    int levels;
    struct {
        int64_t step, times;
    } level[CS_LAYOUT_LEVELS_MOST];
};

/* The runs of one element. Elements are `extent` bytes apart. */
struct cs_layout {
    int64_t extent;
    int runs;
    struct cs_run run[CS_LAYOUT_RUNS_MOST];
};

/* Repeats a run. False: it cannot be described. */
bool cs_run_repeat(struct cs_run *run, int64_t step, int64_t times);

/* Adds a run to the layout; one that continues the last one makes it longer. False: there is no room. */
bool cs_layout_add(struct cs_layout *layout, const struct cs_run *run);

/* `count` elements, moved by `begin` bytes, are added to the layout `all`. False: it cannot be described. */
bool cs_layout_add_elements(struct cs_layout *all, const struct cs_layout *element, int64_t begin, int64_t count);

bool cs_layout_is_equal(const struct cs_layout *a, const struct cs_layout *b);

/* From the first byte to the end of the last one. */
void cs_layout_span(const struct cs_layout *layout, int64_t *begin, int64_t *end);

struct cs_piece {
    int64_t begin, bytes;
};

/* Lists the pieces of the layout. Returns their number; 0: there are none, or more than fit. */
int cs_layout_list(const struct cs_layout *layout, struct cs_piece *piece, int most);

/* Bytes that both layouts use, if each begins at its address. -1: undecided after this many steps, which are
   subtracted. */
int64_t cs_layout_overlap(const struct cs_layout *a, uint64_t a_begin, const struct cs_layout *b, uint64_t b_begin,
                          int *steps);
