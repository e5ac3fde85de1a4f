/* Names come from programs as they are: UTF-8, Latin-1, or anything. */
#ifndef CS_DB_UTF8_H
#define CS_DB_UTF8_H

#include <stdbool.h>

/* Whether the text is valid UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF). */
bool cs_utf8_valid(const char *text);

/* The text as UTF-8, each byte taken for the character of that number. To be freed; NULL: out of memory. */
char *cs_utf8_from_latin1(const char *text);

#endif
