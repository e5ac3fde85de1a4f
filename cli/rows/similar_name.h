/* Finds the name that a user may have meant. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Begin with {.word = ...} and offer names; name is then the most similar one. */
struct cs_similar_name {
    const char *word; /* as typed */
    char name[64];    /* "": none is similar */
    size_t distance;  /* distance: characters to add, remove, change or swap with the next */
};

void cs_similar_name_offer(struct cs_similar_name *nearest, const char *name);

/* Logs that there is no view or table with this name, and the most similar one. */
void cs_similar_name_suggest(const char *name);

/* True if the text is one word of letters, digits and underscores, like names of reports and views. */
bool cs_similar_name_is_word(const char *text);
