/* The arguments of a creating call as JSON. */
#pragma once

#include <stddef.h>

#include "base/status.h"

/* One more key and value from the conversion; a NULL word is left out. */
struct cs_detail_word {
    const char *key, *word;
};

/* All items of a detail (journal/detail.h), and then the words, as a JSON object in UTF-8, in *text, to be freed.
   Strings that are no UTF-8 are taken for Latin-1. CS_CORRUPT: something was cut off or made no sense, and *text has
   the rest. CS_NO_MEMORY: *text is NULL. */
enum cs_status cs_detail_json(const void *detail, size_t bytes, const struct cs_detail_word words[], size_t count,
                              char **text);
