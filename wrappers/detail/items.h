/* Inside the details: how an item is begun and filled. */
#pragma once

#include "wrappers/detail/detail.h"

/* How many of a list are kept. */
static inline size_t cs_detail_kept(MPI_Count count)
{
    return count <= 0 ? 0 : count < CS_DETAIL_KEPT ? (size_t)count : CS_DETAIL_KEPT;
}

/* A new item with room for so many words, to be filled in at once; NULL: it does not fit. */
uint64_t *cs_detail_item(struct cs_call *call, enum cs_detail_key key, enum cs_detail_form form, size_t words);

/* An item of several strings, whose length is known when it ends. */
struct cs_detail_strings {
    char *to; /* NULL: no room */
    size_t used, room;
};
struct cs_detail_strings cs_detail_strings_begin(struct cs_call *call, bool counted, int64_t count);
/* False: it does not fit. */
bool cs_detail_strings_add(struct cs_detail_strings *strings, const char *text, size_t length);
void cs_detail_strings_end(struct cs_call *call, enum cs_detail_key key, enum cs_detail_form form,
                           const struct cs_detail_strings *strings);
