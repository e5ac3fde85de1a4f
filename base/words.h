/* Compares words, and looks them up in short lists. */
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

static inline bool cs_begins_with(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* True if the text begins with one of the words. */
static inline bool cs_begins_with_one_of(const char *text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (cs_begins_with(text, words[i]))
            return true;
    return false;
}
