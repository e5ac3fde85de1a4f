/* UTF-8. Names come from programs and may be UTF-8, Latin-1, or any bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes one character from at most `length` bytes (length > 0). Returns its size in bytes; 0: invalid (RFC 3629:
   no overlong forms, no surrogates, nothing above U+10FFFF). */
size_t cs_utf8_decode(const char *text, size_t length, uint32_t *character);

/* True if the whole text is valid UTF-8. */
bool cs_utf8_valid(const char *text);

/* True if the byte continues a character that began before it. */
static inline bool cs_utf8_continues(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Returns where to cut a text that is longer than `most` bytes: at `most`, or a little before, so that no character
   is split. */
static inline size_t cs_utf8_cut(const char *text, size_t most)
{
    size_t cut = most;
    while (cut > 0 && most - cut < 3 && cs_utf8_continues(text[cut]))
        cut--;
    return cut;
}

/* Skips to the first character that begins here or later, for a text that lost its beginning. */
static inline const char *cs_utf8_next(const char *text)
{
    while (cs_utf8_continues(*text))
        text++;
    return text;
}

/* Returns the text itself if it is UTF-8; *converted is then NULL. Otherwise returns *converted, a Latin-1 reading
   of each byte, which the caller frees. NULL: out of memory. */
const char *cs_utf8_of(const char *text, char **converted);
