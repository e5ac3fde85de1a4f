#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

size_t cs_utf8_decode(const char *text, size_t length, uint32_t *character)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)text[0];
    if (first < 0x80) {
        *character = first;
        return 1;
    }
    size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || bytes > length)
        return 0;
    uint32_t value = first & (0x7fu >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if (!cs_utf8_continues(text[i]))
            return 0;
        value = value << 6 | ((unsigned char)text[i] & 0x3f);
    }
    if (value < smallest[bytes] || (value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff)
        return 0;
    *character = value;
    return bytes;
}

bool cs_utf8_valid(const char *text)
{
    uint32_t character;
    while (*text) {
        if ((unsigned char)*text <
            0x80) { /* fast path for ASCII: every text of a trace is checked when it is converted */
            text++;
            continue;
        }
        size_t bytes = cs_utf8_decode(text, 4, &character); /* the NUL at the end cannot continue a character */
        if (bytes == 0)
            return false;
        text += bytes;
    }
    return true;
}

static char *from_latin1(const char *text)
{
    char *result = malloc(2 * strlen(text) + 1);
    if (!result)
        return NULL;
    char *to = result;
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if (*at < 0x80) {
            *to++ = (char)*at;
        } else {
            *to++ = (char)(0xc0 | *at >> 6);
            *to++ = (char)(0x80 | (*at & 0x3f));
        }
    }
    *to = 0;
    return result;
}

const char *cs_utf8_of(const char *text, char **converted)
{
    *converted = NULL;
    return cs_utf8_valid(text) ? text : (*converted = from_latin1(text));
}
