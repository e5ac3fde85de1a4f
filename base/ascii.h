/* Letters of ASCII. The functions of <ctype.h>, strcasecmp, strtod and the %f and %g of printf depend on the locale,
   which belongs to the program: in Turkish, the upper case of 'i' is not 'I'; in German, 1.5 is written "1,5". The test
   `layout` checks that code in the program's process uses none of them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

static inline bool cs_ascii_is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static inline char cs_ascii_to_upper(char c)
{
    return cs_ascii_is_lower(c) ? (char)(c - 'a' + 'A') : c;
}

static inline char cs_ascii_to_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline bool cs_ascii_is_alnum(char c)
{
    return cs_ascii_is_lower(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Returns what follows `begin` in the text, in either case; NULL: the text begins with something else. */
static inline const char *cs_ascii_after(const char *text, const char *begin)
{
    for (; *begin; text++, begin++)
        if (cs_ascii_to_upper(*text) != cs_ascii_to_upper(*begin))
            return NULL;
    return text;
}

/* True if the texts differ at most in case. */
static inline bool cs_ascii_is_same(const char *a, const char *b)
{
    const char *end = cs_ascii_after(a, b);
    return end && !*end;
}
