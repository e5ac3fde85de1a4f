/* Which requests of a list a call says are complete, by their indices. */
#pragma once

#include "wrappers/request/list.h"

/* Some requests of a list. indices NULL: the first `count`; else the list's first request has the index `base`. */
struct cs_chosen {
    const int *indices;
    int count, base;
};

static inline int cs_chosen_at(const struct cs_chosen *chosen, int i)
{
    return chosen->indices ? chosen->indices[i] - chosen->base : i;
}

/* Those with these indices; false: they are none of this list. Nothing is looked up, except for Fortran. */
bool cs_choose(struct cs_chosen *chosen, const struct cs_request_list *list, int count, const int indices[],
               bool queried);
