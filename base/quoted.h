/* Values in double quotes, in which \" and \\ are a quote and a backslash: of naming rules and configuration files. */
#pragma once

#include <stddef.h>

/* Writes the value without quotes and ends it. text begins with a quote; value has room for `length` bytes, and may be
   the same memory. Returns the number of bytes up to the closing quote, which it includes; 0: it does not close. */
static inline size_t cs_quoted_read(const char *text, size_t length, char *value)
{
    for (size_t at = 1; at < length && text[at]; at++) {
        if (text[at] == '"') {
            *value = '\0';
            return at + 1;
        }
        at += text[at] == '\\' && at + 1 < length && (text[at + 1] == '"' || text[at + 1] == '\\');
        *value++ = text[at];
    }
    return 0;
}
