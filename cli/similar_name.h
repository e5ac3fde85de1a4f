/* The name that somebody who mistyped one may have meant. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Begin with {.word = ...} and offer names: name is the most similar so far. */
struct cs_similar_name {
    const char *word; /* as it was typed */
    char name[64];    /* "": none is similar */
    size_t distance;  /* between the two: characters to add, remove, change or swap with the next */
};

void cs_similar_name_offer(struct cs_similar_name *nearest, const char *name);

/* Logs that there is no view or table of this name, and which is the most similar. */
void cs_similar_name_suggest(const char *name);

/* Whether the text is one bare word of letters, digits and underscores, as names of reports and views are. */
bool cs_similar_name_is_word(const char *text);
