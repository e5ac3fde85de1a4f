/* Names come from programs as they are: UTF-8, Latin-1, or anything. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads one character of at most length bytes (length > 0) and returns how many bytes it has; 0: it is not UTF-8
   (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF). */
size_t cs_utf8_decode(const char *text, size_t length, uint32_t *character);

/* Whether the text is valid UTF-8 as a whole. */
bool cs_utf8_valid(const char *text);

/* Whether the byte is part of a character that began before it. */
static inline bool cs_utf8_continues(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Where to cut a text that is longer than `most` bytes: there, or a little before, so that no character of UTF-8 is cut
   in two. */
static inline size_t cs_utf8_cut(const char *text, size_t most)
{
    size_t cut = most;
    while (cut > 0 && most - cut < 3 && cs_utf8_continues(text[cut]))
        cut--;
    return cut;
}

/* The first character that begins here or after: where a text whose beginning was cut off is to go on. */
static inline const char *cs_utf8_next(const char *text)
{
    while (cs_utf8_continues(*text))
        text++;
    return text;
}

/* The text itself if it is UTF-8, and *converted is NULL; else *converted, which has for each byte the character of
   that number (Latin-1) and is to be freed. NULL: out of memory. */
const char *cs_utf8_of(const char *text, char **converted);
