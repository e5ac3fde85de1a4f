/* What a stream can show. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct cs_terminal {
    size_t width; /* columns; 0: no limit */
    bool utf8;    /* may use characters beyond ASCII */
    bool bold;    /* may use escape sequences */
};

/* Looks at the stream and the environment (COLUMNS, NO_COLOR, TERM, LC_*): a file or pipe has no limit unless COLUMNS
   says so. Also tells the C library the user's character set, or UTF-8 when the user has none. */
struct cs_terminal cs_terminal_of(FILE *stream);

/* What begins and ends bold text there: escape sequences, or nothing. */
static inline const char *cs_terminal_bold(const struct cs_terminal *terminal)
{
    return terminal->bold ? "\033[1m" : "";
}

static inline const char *cs_terminal_plain(const struct cs_terminal *terminal)
{
    return terminal->bold ? "\033[0m" : "";
}
