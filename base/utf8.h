/* Names come from programs as they are: UTF-8, Latin-1, or anything. */
#ifndef CS_BASE_UTF8_H
#define CS_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the text is valid UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF). */
bool cs_utf8_valid(const char *text);

/* Where to cut a text that is longer than `most` bytes: there, or a little before, so that no character of UTF-8 is cut
   in two. */
static inline size_t cs_utf8_cut(const char *text, size_t most)
{
    size_t cut = most;
    while (cut > 0 && most - cut < 3 && ((unsigned char)text[cut] & 0xc0) == 0x80)
        cut--;
    return cut;
}

/* The text as UTF-8, each byte taken for the character of that number. To be freed; NULL: out of memory. */
char *cs_utf8_from_latin1(const char *text);

#endif
