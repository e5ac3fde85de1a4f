/* Looks a word up in a short list. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool cs_is_one_of(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

/* True if the text begins with one of the words. */
static inline bool cs_begins_with_one_of(const char *text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(text, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}
