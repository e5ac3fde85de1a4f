/* What a clock of a replay is made of: the longest path of work and calls that leads to its instant. It keeps the parts
   that take most of it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CS_PATH_PARTS = 8 };

struct cs_path_part {
    int64_t group;   /* of call sites: code before them, or the calls */
    int64_t ns;      /* 0: no part; at most an eighth of the path too little */
    int64_t rank;    /* most of it is on this one */
    int64_t rank_ns; /* at least so much */
    bool in_call;
};

struct cs_path {
    struct cs_path_part part[CS_PATH_PARTS];
};

void cs_path_add(struct cs_path *path, int64_t group, bool in_call, int64_t rank, int64_t ns);

/* The longest part first. */
void cs_path_sort(struct cs_path *path);
