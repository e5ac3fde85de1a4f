/* Ranges of numbers: finds those that overlap another range, in logarithmic time. The nodes are parts of the caller's
   items; a tree is the pointer to its root, NULL without ranges. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cs_interval {
    uint64_t begin;
    uint64_t end;  /* the first number behind it; both are set before it is added */
    uint64_t most; /* the greatest end of this node and those below */
    struct cs_interval *left, *right;
    uint32_t priority; /* at least those of the nodes below: a heap of random numbers keeps the tree flat */
};

void cs_intervals_add(struct cs_interval **tree, struct cs_interval *it);

/* it: in the tree. end: a greater one. */
void cs_intervals_extend(struct cs_interval *tree, struct cs_interval *it, uint64_t end);
void cs_intervals_remove(struct cs_interval **tree, struct cs_interval *it);

/* Shows the ranges that begin before `end` and end behind `begin`, in the order of their begins, until `visit` returns
   true. Returns that one; NULL: none. `visit` must not change the tree. */
struct cs_interval *cs_intervals_find(struct cs_interval *tree, uint64_t begin, uint64_t end,
                                      bool (*visit)(struct cs_interval *it, void *context), void *context);
