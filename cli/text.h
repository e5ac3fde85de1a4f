/* Text for people, and what their terminals can show. Traces are not trusted: everything that could drive a terminal is
 * made visible before it gets there. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What a stream can show. */
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

/* Whether a character (not of ASCII) is seen as nothing, or changes how the text around it is seen: zero width,
   direction, line separators, tags. */
bool cs_text_deceives(uint32_t character);

/* A copy of length bytes that is safe on a terminal, on one line: control characters, escape sequences, invisible and
   direction-changing characters and bytes that are not UTF-8 appear as \n, \x1b, \u{202e}. To be freed; NULL: out of
   memory. */
char *cs_text_visible(const char *text, size_t length);

/* The same of at most limit bytes: a longer text loses its middle, and one line on stderr says so once. */
char *cs_text_visible_part(const char *text, size_t length, size_t limit);

/* Prints a visible copy. */
void cs_text_put(FILE *stream, const char *text);

/* Prints a visible text and ends the line. It is broken between words before `width` columns (0: never); `column`:
   where it begins, as something stands before it on the line; what follows a break stands at the column `indent`. */
void cs_text_wrap(FILE *stream, const char *text, size_t width, size_t column, size_t indent);

/* Prints a line that may have anything in it, made visible and broken between words; at most so many bytes of it.
   Spaces at its beginning are kept, and what follows a break stands two columns further. */
void cs_text_put_line(FILE *stream, const char *text, size_t bytes, size_t width);

/* Columns that a visible text takes on a terminal. */
size_t cs_text_width(const char *text);

/* Shortens a visible text in place to at most `width` columns (at least 1), with `ellipsis` in the middle. The text's
   memory is enough: it never grows in bytes beyond strlen(text) + strlen(ellipsis), which the caller must have
   reserved. */
void cs_text_shorten(char *text, size_t width, const char *ellipsis);

/* ---- numbers for people; each writes at most `size` bytes and returns text ---- */

/* "12.3 s", "4.05 ms", "17 us", "2 h 03 min": three digits, the unit that fits. */
const char *cs_text_duration(char *text, size_t size, double ns);
/* "17 B", "1.50 KiB", "2.3 GiB" */
const char *cs_text_bytes(char *text, size_t size, double bytes);

/* ---- words for a shell: commands that callsign prints can be pasted ---- */

enum { CS_SHELL_WORD_BYTES = 4 * PATH_MAX + 3 };

/* Writes a path so that the shell reads it back as it is, in quotes if need be; control characters become "?". Longer
   paths than PATH_MAX are cut. Returns text. */
const char *cs_shell_word(const char *path, char text[CS_SHELL_WORD_BYTES]);
