#include "base/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Length of the valid sequence at `at`, or 0. A NUL inside a sequence is no continuation byte, so it is never passed.
 */
static unsigned sequence(const unsigned char *at)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (at[0] < 0x80)
        return 1;
    unsigned length = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
    if (at[0] < 0xc2 || at[0] > 0xf4)
        return 0;
    uint32_t point = at[0] & (0x7fu >> length);
    for (unsigned i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        point = point << 6 | (at[i] & 0x3f);
    }
    bool surrogate = point >= 0xd800 && point <= 0xdfff;
    return point >= least[length] && point <= 0x10ffff && !surrogate ? length : 0;
}

bool cs_utf8_valid(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        unsigned length = sequence(at);
        if (!length)
            return false;
        at += length;
    }
    return true;
}

char *cs_utf8_from_latin1(const char *text)
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
