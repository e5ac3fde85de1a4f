/* Details for tests, item by item as db/journal/detail.h says, honest or not. */
#pragma once

#include "db/journal/detail.h"

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
